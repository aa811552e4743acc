//! Parses text into plain symbols, imports and calls. Broken syntax yields what was found, together
//! with the problems. Each file has a budget of depth and of work, so that no file can block the
//! repository. No tree-sitter `Tree` leaves the function that made it.

mod code;
mod compiled;
mod declared;
mod doc;
mod driver;
pub(crate) mod shape;
mod signature;
mod symbols;
#[cfg(test)]
mod tests;
mod variables;
mod walk;

pub(crate) use code::{Code, Token};

use crate::lang::{Language, Parsed, Problem, text};
use crate::lines::Line;
use crate::source::SkipReason;

/// Parses one file; `path` decides the language (see [`Language::detect`]). An error says why the
/// file needs more depth or work than one file may use.
pub fn read(path: &str, text: &str) -> Result<Parsed, SkipReason> {
    read_as(Language::detect(path, text), text)
}

/// Parses one file like [`read`], but never fails: a file that needs too much is empty, with the
/// reason as its problem.
pub fn parse(path: &str, text: &str) -> Parsed {
    parse_as(Language::detect(path, text), text)
}

/// Parses `text` as `language`. Never fails: text that needs too much is empty, with the reason as
/// its problem.
pub fn parse_as(language: Language, text: &str) -> Parsed {
    read_as(language, text).unwrap_or_else(|reason| {
        let mut parsed = Parsed::empty(language);
        parsed.problems.push(Problem {
            line: Line(1),
            what: reason.to_string(),
        });
        parsed
    })
}

fn read_as(language: Language, text: &str) -> Result<Parsed, SkipReason> {
    match language.syntax() {
        Some(_) => driver::parse(language, text),
        None => Ok(text::parse_text(language, text)),
    }
}

/// Returns the code of a text, token by token. `None` if it is not code, or needs too much.
pub(crate) fn code(language: Language, text: &str) -> Option<Code> {
    driver::code(language, text).ok().flatten()
}
