//! Which file is meant, if a question of another kind names one that can be several files.

use super::paths;
use super::subject;
use super::teller::{Teller, counted};
use super::wording::Read;
use crate::answer::notes::{Entry, Source, code, text};
use crate::lines::{Line, LineRange};

/// The name in records.
pub(super) const NAME: &str = "which";

/// Kinds that are about files: for them `utils`, without an extension, names one.
const OF_FILES: [&str; 8] = [
    "libraries",
    "imports",
    "uses",
    "importers",
    "coupled",
    "definitions",
    "public-api",
    "tests-in",
];

/// Lists what the subjects of the question can be; `reads` are all readings of it that fit, each
/// with its kind.
pub(super) fn state(teller: &mut Teller<'_, '_>, reads: &[(&str, Read)]) -> bool {
    let words = reads.iter().flat_map(|(kind, read)| {
        let words = std::iter::once(&read.x).chain(&read.y);
        words.filter(|words| !words.is_empty() && (OF_FILES.contains(kind) || is_file(words)))
    });
    let found = words.map(|words| (words, paths::ambiguous(teller.index, words)));
    let Some((words, files)) = found.into_iter().find(|(_, files)| !files.is_empty()) else {
        return false;
    };
    let (name, _) = subject::bare(words);
    let entries = files.iter().map(|file| Entry {
        name: teller.path(*file).to_owned(),
        detail: String::new(),
        source: Source {
            file: *file,
            lines: LineRange::new(Line(1), Line(1)),
            quotes: Vec::new(),
            why: "file".to_owned(),
        },
    });
    let entries: Vec<Entry> = entries.collect();
    let n = counted(entries.len(), "file", "files");
    let lead = vec![
        code(name),
        text(format!(" can mean {n}; ask again with the path of one: ")),
    ];
    teller.note = Some("The question names a file by a name that several files have.".to_owned());
    teller.list(lead, entries)
}

/// Whether the words say that they name a file.
fn is_file(words: &str) -> bool {
    let (name, hints) = subject::bare(words);
    let says_so = |hint: &String| matches!(hint.as_str(), "file" | "module" | "script");
    name.contains(['.', '/']) || hints.iter().any(says_so)
}
