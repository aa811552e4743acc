//! Exported files. Each thing that can be exported has a list of formats; a format is one file with
//! a [`Format`], and one row in that list. [`super::formats`] is the part of these lists that the
//! page knows.

use crate::worker::protocol::{ExportView, FormatSpec};

/// Most letters of the subject in a file name.
const NAME_LENGTH: usize = 48;

/// A format, and the function that writes it: a `fn` pointer `W`.
pub struct Format<W> {
    pub spec: FormatSpec,
    pub write: W,
}

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("There is no format called {0}.")]
    NoSuchFormat(String),
    #[error("{0}")]
    NotWritten(#[from] serde_json::Error),
}

/// Writes a file in one of the `formats`; `write` calls the format's function.
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

/// Returns the formats without their functions, so that the page, which is a program of its own,
/// does not contain them.
pub const fn specs<W, const N: usize>(formats: &[Format<W>; N]) -> [FormatSpec; N] {
    let mut specs = [formats[0].spec; N];
    let mut at = 1;
    while at < N {
        specs[at] = formats[at].spec;
        at += 1;
    }
    specs
}

/// `trace-where-are-redirects-followed`: the kind of the file, and the beginning of its subject.
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
    fn a_file_is_named_after_the_beginning_of_its_question() {
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
