//! Access to WebCrypto, in the page and in workers alike.

use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::SubtleCrypto;

/// `None` if the page is neither local nor loaded over https.
pub fn subtle() -> Option<SubtleCrypto> {
    let crypto = Reflect::get(&js_sys::global(), &JsValue::from_str("crypto")).ok()?;
    let subtle = Reflect::get(&crypto, &JsValue::from_str("subtle")).ok()?;
    subtle.dyn_into().ok()
}

/// Encodes bytes as hex.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Decodes hex.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = text
        .chars()
        .map(|digit| digit.to_digit(16))
        .collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    let byte = |[high, low]: &[u32; 2]| u8::try_from(high * 16 + low).ok();
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_is_read_back_and_anything_else_is_damage() {
        for (text, bytes) in [
            ("", Some(vec![])),
            ("00ff1a", Some(vec![0, 255, 26])),
            ("0", None),
            ("0g", None),
            ("é0", None),
        ] {
            assert_eq!(unhex(text), bytes, "{text}");
            assert!(bytes.is_none_or(|bytes| hex(&bytes) == text));
        }
    }
}
