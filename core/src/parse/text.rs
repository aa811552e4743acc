//! Text formats → sections and keys.

use super::Parsed;
use crate::lang::Language;

/// Parses a text format. Never fails.
pub fn parse(language: Language, _text: &str) -> Parsed {
    Parsed::empty(language)
}
