//! WebCrypto: a key that signs what this browser exports (HMAC with SHA-256). The browser keeps the
//! key and lets nobody read it, not even this page; it can be stored in IndexedDB as it is.

use js_sys::{Array, ArrayBuffer, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::CryptoKey;

use super::subtle::{hex, subtle, unhex};
use super::workers::describe;

const ALGORITHM: &str = "HMAC";
/// The message that a key signs to derive its name.
const NAMED_BY: &[u8] = b"footnote: the name of this key";
/// Length of the name in bytes.
const NAME_BYTES: usize = 8;

/// Why signing failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SigningError {
    #[error(
        "this page was not loaded over https or from localhost, so the browser offers no signing"
    )]
    Unavailable,
    #[error("the browser could not sign: {0}")]
    Failed(String),
}

/// A key of this browser, with its name.
pub struct SigningKey {
    key: CryptoKey,
    id: String,
}

impl SigningKey {
    /// Makes a new key, which cannot be exported.
    pub async fn make() -> Result<Self, SigningError> {
        let subtle = subtle().ok_or(SigningError::Unavailable)?;
        let made = Object::new();
        for (name, value) in [("name", ALGORITHM), ("hash", "SHA-256")] {
            // Setting a property of a plain object cannot fail.
            let _ = Reflect::set(&made, &JsValue::from_str(name), &JsValue::from_str(value));
        }
        let uses = Array::of2(&"sign".into(), &"verify".into());
        let promise = subtle.generate_key_with_object(&made, false, &uses);
        let key = JsFuture::from(promise.map_err(failed)?)
            .await
            .map_err(failed)?;
        Self::of(key).await
    }

    /// Returns the key that was stored as `value`.
    pub async fn of(value: JsValue) -> Result<Self, SigningError> {
        let key: CryptoKey = value.dyn_into().map_err(failed)?;
        let named = code(&key, NAMED_BY).await?;
        let name = named.get(..NAME_BYTES).unwrap_or(&named);
        let id = hex(name);
        Ok(Self { key, id })
    }

    /// The value to store for this key.
    pub fn value(&self) -> JsValue {
        self.key.clone().into()
    }

    /// The key's name, which reveals nothing about the key.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The signature of `content`, in hex.
    pub async fn sign(&self, content: &[u8]) -> Result<String, SigningError> {
        code(&self.key, content).await.map(|code| hex(&code))
    }

    /// Whether `signature` is this key's signature of `content`.
    pub async fn verify(&self, content: &[u8], signature: &str) -> bool {
        let (Some(subtle), Some(signature)) = (subtle(), unhex(signature)) else {
            return false;
        };
        let signature = Uint8Array::from(signature.as_slice());
        let content = Uint8Array::from(content);
        let promise = subtle.verify_with_str_and_buffer_source_and_buffer_source(
            ALGORITHM, &self.key, &signature, &content,
        );
        match promise {
            Ok(promise) => JsFuture::from(promise).await.is_ok_and(|it| it.is_truthy()),
            Err(_) => false,
        }
    }
}

async fn code(key: &CryptoKey, content: &[u8]) -> Result<Vec<u8>, SigningError> {
    let subtle = subtle().ok_or(SigningError::Unavailable)?;
    let content = Uint8Array::from(content);
    let promise = subtle.sign_with_str_and_buffer_source(ALGORITHM, key, &content);
    let promise = promise.map_err(failed)?;
    let buffer: ArrayBuffer = JsFuture::from(promise)
        .await
        .map_err(failed)?
        .dyn_into()
        .map_err(failed)?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

fn failed(error: JsValue) -> SigningError {
    SigningError::Failed(describe(&error))
}
