//! WebCrypto: a text encrypted with a passphrase. PBKDF2 with SHA-256 derives a key from the
//! passphrase; AES-GCM encrypts and authenticates, so that a wrong passphrase is detected.

use js_sys::{Array, ArrayBuffer, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{CryptoKey, SubtleCrypto};

use super::subtle::{self, hex, unhex};

/// Rounds of PBKDF2-HMAC-SHA256 (OWASP's recommendation of 2023).
const ROUNDS: u32 = 600_000;
const SALT_BYTES: usize = 16;
const NONCE_BYTES: usize = 12;

/// Why a text was not encrypted or decrypted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VaultError {
    #[error(
        "this page was not loaded over https or from localhost, so the browser offers no encryption"
    )]
    Unavailable,
    #[error("the passphrase is wrong")]
    WrongPassphrase,
    #[error("the saved key is damaged")]
    Damaged,
    #[error("the browser could not encrypt: {0}")]
    Failed(String),
}

/// Whether the browser offers encryption here.
pub fn is_available() -> bool {
    subtle().is_ok()
}

/// Encrypts `text` with `passphrase`: salt, nonce and ciphertext, in hex.
pub async fn lock(text: &str, passphrase: &str) -> Result<String, VaultError> {
    let salt = random(SALT_BYTES)?;
    let nonce = random(NONCE_BYTES)?;
    let key = key(passphrase, &salt).await?;
    let plain = Uint8Array::from(text.as_bytes());
    let promise = subtle()?.encrypt_with_object_and_buffer_source(&aes(&nonce), &key, &plain);
    let cipher = bytes(promise).await.map_err(failed)?;
    Ok(hex(&[salt, nonce, cipher].concat()))
}

/// Decrypts a text that [`lock`] encrypted.
pub async fn unlock(locked: &str, passphrase: &str) -> Result<String, VaultError> {
    let all = unhex(locked).ok_or(VaultError::Damaged)?;
    let (salt, rest) = all
        .split_at_checked(SALT_BYTES)
        .ok_or(VaultError::Damaged)?;
    let (nonce, cipher) = rest
        .split_at_checked(NONCE_BYTES)
        .ok_or(VaultError::Damaged)?;
    let key = key(passphrase, salt).await?;
    let cipher = Uint8Array::from(cipher);
    let promise = subtle()?.decrypt_with_object_and_buffer_source(&aes(nonce), &key, &cipher);
    // AES-GCM only says that the tag does not match: the passphrase is wrong.
    let plain = bytes(promise)
        .await
        .map_err(|_| VaultError::WrongPassphrase)?;
    String::from_utf8(plain).map_err(|_| VaultError::Damaged)
}

/// Derives the key from a passphrase; it cannot be exported.
async fn key(passphrase: &str, salt: &[u8]) -> Result<CryptoKey, VaultError> {
    let subtle = subtle()?;
    let raw = Uint8Array::from(passphrase.as_bytes());
    let may_derive = Array::of1(&"deriveKey".into());
    let promise = subtle
        .import_key_with_str("raw", &raw, "PBKDF2", false, &may_derive)
        .map_err(failed)?;
    let base: CryptoKey = JsFuture::from(promise)
        .await
        .map_err(failed)?
        .unchecked_into();
    let derivation = object(&[
        ("name", "PBKDF2".into()),
        ("hash", "SHA-256".into()),
        ("salt", Uint8Array::from(salt).into()),
        ("iterations", ROUNDS.into()),
    ]);
    let made = object(&[("name", "AES-GCM".into()), ("length", 256.into())]);
    let uses = Array::of2(&"encrypt".into(), &"decrypt".into());
    let promise = subtle
        .derive_key_with_object_and_object(&derivation, &base, &made, false, &uses)
        .map_err(failed)?;
    let key = JsFuture::from(promise).await.map_err(failed)?;
    Ok(key.unchecked_into())
}

fn aes(nonce: &[u8]) -> Object {
    object(&[
        ("name", "AES-GCM".into()),
        ("iv", Uint8Array::from(nonce).into()),
    ])
}

fn object(properties: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in properties {
        // Setting a property of a plain object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object
}

async fn bytes(promise: Result<Promise, JsValue>) -> Result<Vec<u8>, JsValue> {
    let buffer: ArrayBuffer = JsFuture::from(promise?).await?.dyn_into()?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

fn random(count: usize) -> Result<Vec<u8>, VaultError> {
    let mut bytes = vec![0; count];
    let crypto = web_sys::window().ok_or(VaultError::Unavailable)?.crypto();
    let crypto = crypto.map_err(|_| VaultError::Unavailable)?;
    crypto
        .get_random_values_with_u8_array(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}

fn subtle() -> Result<SubtleCrypto, VaultError> {
    subtle::subtle().ok_or(VaultError::Unavailable)
}

fn failed(error: JsValue) -> VaultError {
    VaultError::Failed(super::workers::describe(&error))
}
