//! Which modules of a crate are public: those that its root declares with `pub mod`.

use super::Kind;
use super::public_api::entry_file;
use super::subject;
use super::teller::{Teller, counted};
use super::texts::Text;
use super::wording::Read;
use crate::answer::notes::{DEFINITION, Entry, Source, code, text};
use crate::lang::Language;
use crate::lines::LineRange;
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

/// The modules that rows at the left edge declare: `pub mod style;`. Those for tests do not count.
fn declared(teller: &Teller<'_, '_>, file: FileId) -> Vec<Entry> {
    const DECLARES: &str = "pub mod ";
    let Some(text) = Text::new(teller.index, file) else {
        return Vec::new();
    };
    let of = |at: usize| {
        let (before, after) = text.text.split_at_checked(at)?;
        let is_first = before.is_empty() || before.ends_with('\n');
        let is_for_tests = before
            .lines()
            .last()
            .is_some_and(|row| row.trim().starts_with("#[cfg(test"));
        if !is_first || is_for_tests || !text.is_code(at) {
            return None;
        }
        let rest = after.get(DECLARES.len()..)?;
        let rest = rest.strip_prefix("r#").unwrap_or(rest);
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let name = rest.get(..end).filter(|name| !name.is_empty())?.to_owned();
        let line = text.line(at);
        Some(Entry {
            source: Source {
                file,
                lines: LineRange::new(line, line),
                quotes: vec![name.clone()],
                why: DEFINITION.to_owned(),
            },
            name,
            detail: String::new(),
        })
    };
    let places = text.text.match_indices(DECLARES);
    places.filter_map(|(at, _)| of(at)).collect()
}
