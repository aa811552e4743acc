//! Which modules of a crate are public: those that its root declares with `pub mod`.

use super::Kind;
use super::public_api::entry_file;
use super::subject;
use super::teller::{Teller, counted};
use super::texts::Text;
use super::wording::Read;
use crate::answer::notes::{DEFINITION, Entry, Source, code, text};
use crate::lang::Language;
use crate::lines::{Line, LineRange};
use crate::source::FileId;

pub(super) const KIND: Kind = Kind {
    name: "public-modules",
    wordings: &[
        "ASK module|modules are|is public|exported|exposed|pub",
        "ASK module|modules are|is public|exported|exposed|pub besides|apart_from|except ANY",
        "ASK? public|pub|exported modules REL? X?",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    if !subject::is_project(teller.index, &read.x) {
        return false;
    }
    let Some(root) = entry_file(teller).filter(|root| is_rust(teller, *root)) else {
        return false;
    };
    let entries = declared(teller, root);
    let path = code(teller.path(root));
    if entries.is_empty() {
        return false;
    }
    // Macros can declare more, and a module can be passed on under another name.
    let rows = teller.file_text(root).lines();
    let mentions = rows.filter(|row| row.contains("pub mod") || row.contains("pub use self::"));
    teller.is_guess = mentions.count() > entries.len();
    let n = counted(entries.len(), "public module", "public modules");
    teller.list(vec![path, text(format!(" declares {n}: "))], entries)
}

fn is_rust(teller: &Teller<'_, '_>, file: FileId) -> bool {
    let parsed = teller.index.parsed.get(file.0 as usize);
    parsed.is_some_and(|parsed| parsed.language == Language::Rust)
}

/// The modules that rows at the left edge declare: `pub mod style;`.
fn declared(teller: &Teller<'_, '_>, file: FileId) -> Vec<Entry> {
    let Some(text) = Text::new(teller.index, file) else {
        return Vec::new();
    };
    let rows: Vec<&str> = text.text.lines().collect();
    let is_for_tests = |line: u32| {
        let before = (line as usize).checked_sub(2).and_then(|at| rows.get(at));
        before.is_some_and(|row| row.trim().starts_with("#[cfg(test"))
    };
    let mut start = 0;
    let places = rows.iter().zip(1u32..).map(|(row, line)| {
        let at = start;
        start += row.len() + 1;
        (line, *row, at)
    });
    let places: Vec<(u32, &str, usize)> = places.collect();
    let of = |(line, row, at): (u32, &str, usize)| {
        let rest = row
            .strip_prefix("pub mod ")
            .filter(|_| text.is_code(at) && !is_for_tests(line))?;
        let rest = rest.strip_prefix("r#").unwrap_or(rest);
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let name = rest.get(..end).filter(|name| !name.is_empty())?.to_owned();
        Some(Entry {
            source: Source {
                file,
                lines: LineRange::new(Line(line), Line(line)),
                quotes: vec![name.clone()],
                why: DEFINITION.to_owned(),
            },
            name,
            detail: String::new(),
        })
    };
    places.into_iter().filter_map(of).collect()
}
