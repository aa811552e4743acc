//! What is saved as a file. Whatever can be exported has a list of formats; a format is one file
//! with a [`Format`], and one row of that list. [`super::formats`] is what the page knows of the
//! lists.

use crate::worker::protocol::{ExportView, FormatSpec};

/// Letters of what a file is about in its name.
const NAME_LENGTH: usize = 48;

/// A format, and the function that writes it, a `fn` pointer `W`.
pub struct Format<W> {
    pub spec: FormatSpec,
    pub write: W,
}

/// Why nothing is exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("There is no format called {0}.")]
    NoSuchFormat(String),
    #[error("{0}")]
    NotWritten(#[from] serde_json::Error),
}

/// A file in one of the `formats`; `write` calls its function.
pub fn file<W>(
    formats: &[Format<W>],
    name: &str,
    stem: &str,
    write: impl FnOnce(&W) -> Result<String, serde_json::Error>,
) -> Result<ExportView, ExportError> {
    let format = formats.iter().find(|format| format.spec.name == name);
    let format = format.ok_or_else(|| ExportError::NoSuchFormat(name.to_owned()))?;
    Ok(ExportView {
        file_name: format!("{stem}.{}", format.spec.extension),
        media_type: format.spec.media_type.to_owned(),
        bytes: (write)(&format.write)?.into_bytes(),
    })
}

/// The formats without their functions, so that the page, a program of its own, carries none of
/// them.
pub const fn specs<W, const N: usize>(formats: &[Format<W>; N]) -> [FormatSpec; N] {
    let mut specs = [formats[0].spec; N];
    let mut at = 1;
    while at < N {
        specs[at] = formats[at].spec;
        at += 1;
    }
    specs
}

/// `trace-where-are-redirects-followed`: what a file is, and the beginning of what it is about.
pub fn stem(what: &str, about: &str) -> String {
    let words = about
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut stem = what.to_owned();
    for word in words {
        if stem.chars().count() + word.chars().count() > NAME_LENGTH {
            break;
        }
        stem.push('-');
        stem.push_str(&word.to_lowercase());
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_called_by_the_beginning_of_its_question() {
        for (question, expected) in [
            ("Where is it?", "trace-where-is-it"),
            ("../../etc", "trace-etc"),
            ("???", "trace"),
            (
                &"long ".repeat(40),
                "trace-long-long-long-long-long-long-long-long",
            ),
        ] {
            assert_eq!(stem("trace", question), expected);
        }
    }
}
