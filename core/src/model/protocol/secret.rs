//! Keys of services.

use std::fmt;

use zeroize::Zeroizing;

/// A key. It cannot be printed or serialised by accident, and its memory is overwritten when it is
/// dropped; only [`Secret::expose`] returns it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<String>);

/// Why a typed text is not a key. The messages do not repeat what was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// It is blank.
    #[error("No key was given. Paste the key that the service showed when you created it")]
    Empty,
    /// It cannot be sent in a header.
    #[error(
        "The key contains a space, a line break or a character that keys cannot have. Copy the key \
         again, without anything around it"
    )]
    Character,
}

impl Secret {
    /// Cleans what was pasted: removes spaces around it, quotes, and the word `Bearer` before it.
    ///
    /// # Errors
    /// If nothing is left, or if a browser would refuse to send it in a header.
    pub fn new(typed: &str) -> Result<Self, SecretError> {
        let typed = typed.trim();
        let key = typed.strip_prefix("Bearer ").unwrap_or(typed);
        let key = key.trim().trim_matches(['"', '\'']);
        if key.is_empty() {
            return Err(SecretError::Empty);
        }
        if !key.chars().all(|c| c.is_ascii_graphic()) {
            return Err(SecretError::Character);
        }
        Ok(Self(Zeroizing::new(key.to_owned())))
    }

    /// The key itself, to build a header or to encrypt it. Never log, show or store it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_cleaned_and_never_printed() {
        for typed in ["sk-123", "  sk-123\n", "Bearer sk-123", "\"sk-123\""] {
            let secret = Secret::new(typed).unwrap();
            assert_eq!(secret.expose(), "sk-123");
            let printed = format!("{secret} {secret:?} {:#?}", Some(&secret));
            assert!(!printed.contains("123"), "{printed}");
        }
    }

    #[test]
    fn text_that_a_header_cannot_hold_is_not_a_key() {
        assert_eq!(Secret::new(" \"\" "), Err(SecretError::Empty));
        for typed in ["sk 123", "sk-1\r\nX-Evil: 1", "schlüssel"] {
            assert_eq!(Secret::new(typed), Err(SecretError::Character));
        }
    }
}
