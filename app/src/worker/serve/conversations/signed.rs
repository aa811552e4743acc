//! The signature of an exported file. It is the file's last field and covers the exact bytes of the
//! file without it, made with a key that never leaves this browser. So the browser recognises its
//! own unchanged files, and no other file can pass as one.

use serde::{Deserialize, Serialize};

/// The end of a file, with the signature and without it.
const FIELD: &str = ",\n  \"signature\": ";
const END: &str = "\n}\n";

/// A signature, in hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// Identifies the key, and thereby the browser.
    pub by: String,
    pub code: String,
}

/// Verifies a key's own signatures.
pub trait Verifier {
    fn id(&self) -> &str;
    async fn is_own(&self, content: &[u8], code: &str) -> bool;
}

/// Where a file comes from, as far as its signature shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This browser saved it, and it is unchanged.
    Own,
    /// It has a signature of this browser, which does not match its content.
    Altered,
    /// Another browser signed it.
    Elsewhere,
    /// It has no signature.
    Unsigned,
}

/// Adds the signature to `content`; both are JSON of one object.
pub fn signed(content: &str, signature: &Signature) -> Result<String, serde_json::Error> {
    let body = content.strip_suffix(END).unwrap_or(content);
    let signature = serde_json::to_string(signature)?;
    Ok(format!("{body}{FIELD}{signature}{END}"))
}

/// Splits a file into the exact bytes that were signed, and the signature; `None` if there is none
/// at the end.
fn split(file: &[u8]) -> Option<(Vec<u8>, Signature)> {
    let text = std::str::from_utf8(file).ok()?;
    let (body, last) = text.rsplit_once(FIELD)?;
    let signature = serde_json::from_str(last.strip_suffix(END)?).ok()?;
    Some((format!("{body}{END}").into_bytes(), signature))
}

/// Determines where `file` comes from; `key` is this browser's, if it has one.
pub async fn origin(file: &[u8], key: Option<&impl Verifier>) -> Origin {
    let Some((content, signature)) = split(file) else {
        return Origin::Unsigned;
    };
    match key.filter(|key| key.id() == signature.by) {
        None => Origin::Elsewhere,
        Some(key) => match key.is_own(&content, &signature.code).await {
            true => Origin::Own,
            false => Origin::Altered,
        },
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    /// A public key: a test needs no secret.
    pub struct TestKey(pub &'static str);

    impl TestKey {
        pub fn sign(&self, content: &str) -> Signature {
            Signature {
                by: self.0.to_owned(),
                code: self.code(content.as_bytes()),
            }
        }

        fn code(&self, content: &[u8]) -> String {
            let seed = self
                .0
                .bytes()
                .fold(7_u64, |sum, byte| sum * 31 + u64::from(byte));
            let sum = content.iter().fold(seed, |sum, byte| {
                sum.wrapping_mul(0x0100_0000_01b3) ^ u64::from(*byte)
            });
            format!("{sum:016x}")
        }
    }

    impl Verifier for TestKey {
        fn id(&self) -> &str {
            self.0
        }

        async fn is_own(&self, content: &[u8], code: &str) -> bool {
            self.code(content) == code
        }
    }

    /// Polls the future once: nothing awaited here ever waits.
    pub fn now<T>(future: impl Future<Output = T>) -> T {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("it waits"),
        }
    }

    const CONTENT: &str = "{\n  \"a\": 1.0,\n  \"b\": \"x\"\n}\n";

    #[test]
    fn only_the_browser_that_signed_a_file_knows_it_and_only_unchanged() {
        let key = TestKey("mine");
        let file = signed(CONTENT, &key.sign(CONTENT)).unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(&file).is_ok());
        for (file, key, expected) in [
            (file.clone(), Some(TestKey("mine")), Origin::Own),
            (file.clone(), Some(TestKey("other")), Origin::Elsewhere),
            (file.clone(), None, Origin::Elsewhere),
            (CONTENT.to_owned(), Some(TestKey("mine")), Origin::Unsigned),
            (
                file.replace("1.0", "1"),
                Some(TestKey("mine")),
                Origin::Altered,
            ),
            (
                file.replace("  ", " "),
                Some(TestKey("mine")),
                Origin::Unsigned,
            ),
            (
                file.replace("\"x\"", "\"y\""),
                Some(TestKey("mine")),
                Origin::Altered,
            ),
            (format!("{file} "), Some(TestKey("mine")), Origin::Unsigned),
        ] {
            assert_eq!(
                now(origin(file.as_bytes(), key.as_ref())),
                expected,
                "{file}"
            );
        }
        assert_eq!(now(origin(&[0xff], Some(&key))), Origin::Unsigned);
    }

    #[test]
    fn a_second_signature_inside_of_a_file_signs_nothing() {
        let key = TestKey("mine");
        let own = signed(CONTENT, &key.sign(CONTENT)).unwrap();
        let signature = own.split_once(FIELD).unwrap().1;
        let forged = format!("{{\n  \"a\": 2{FIELD}{signature}");
        assert_eq!(now(origin(forged.as_bytes(), Some(&key))), Origin::Altered);
    }
}
