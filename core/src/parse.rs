//! Text → plain symbols, imports and calls. Parsing never fails: broken syntax gives what was found
//! and the problems. No tree-sitter `Tree` leaves the function that made it.

mod compiled;
mod declared;
mod doc;
mod driver;
pub(crate) mod shape;
mod signature;
mod symbols;
#[cfg(test)]
mod tests;
mod walk;

use crate::lang::{Language, Parsed, text};

/// Parses one file. Never fails; `path` decides the language (see [`Language::detect`]).
pub fn parse(path: &str, text: &str) -> Parsed {
    parse_as(Language::detect(path, text), text)
}

/// Parses `text` as `language`. Never fails.
pub fn parse_as(language: Language, text: &str) -> Parsed {
    match language.syntax() {
        Some(_) => driver::parse(language, text),
        None => text::parse_text(language, text),
    }
}
