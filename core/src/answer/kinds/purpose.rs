//! What a file or a folder is for: what the definitions that other files import from it say of
//! themselves.

use std::collections::{BTreeMap, BTreeSet};

use super::Kind;
use super::overview::{folder, names_folder};
use super::subject::{self, Subject};
use super::teller::{Teller, counted};
use super::wording::Read;
use crate::answer::definition::introduced;
use crate::answer::notes::{DEFINITION_QUOTED, Entry, code, text};
use crate::answer::prose::Quote;
use crate::index::graph::Target;
use crate::lang::{Role, SymbolId, SymbolKind};
use crate::source::FileId;

pub(super) const KIND: Kind = Kind {
    name: "purpose",
    wordings: &[
        "what is the? code|stuff|files in|under|inside X for|about",
        "what is the? code|stuff|files in|under|inside X good|used|useful|meant|made|there for",
        "what does|do the? code|stuff|files in|under|inside X do",
        "what is X for|about",
        "what is X good|used|useful|meant|made|there for",
        "what is the? purpose|job|role|task|responsibility|point of X",
        "what does|do X do",
        "what is|are in|inside X",
    ],
    state,
};

/// Most definitions that are listed.
const MAX_LISTED: usize = 12;
/// Most definitions whose documentation is quoted.
const MAX_QUOTED: usize = 2;

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some((files, shown)) = files(teller, &read.x) else {
        return false;
    };
    let main = main_definitions(teller, &files);
    // The largest definition, or the most imported of a folder, need not be its purpose.
    teller.is_guess = shown.ends_with('/') || main.first().is_none_or(|(_, users)| *users == 0);
    let mut quoted = 0;
    for (id, _) in &main {
        if quoted == MAX_QUOTED {
            break;
        }
        quoted += usize::from(quote(teller, *id));
    }
    let entries = main.iter().take(MAX_LISTED).filter_map(|(id, users)| {
        let entry = teller.defined(*id)?;
        let detail = match users {
            0 => String::new(),
            n => format!("imported by {}", counted(*n, "other file", "other files")),
        };
        Some(Entry { detail, ..entry })
    });
    let entries: Vec<Entry> = entries.collect();
    let lead = match main.first() {
        Some((_, 1..)) => " defines these, most imported first: ",
        _ => " defines these, largest first: ",
    };
    let is_listed = !entries.is_empty() && teller.list(vec![code(&shown), text(lead)], entries);
    if shown.ends_with('/') {
        teller.say_modules(&shown);
    }
    is_listed || quoted > 0
}

/// Returns the source files of the file or the folder that the words name, and its path.
fn files(teller: &Teller<'_, '_>, words: &str) -> Option<(Vec<FileId>, String)> {
    if subject::is_project(teller.index, words) {
        return None;
    }
    if let Some(Subject::Files(files, _)) = teller.subject(words)
        && let [file] = files.as_slice()
    {
        return Some((files.clone(), teller.path(*file).to_owned()));
    }
    let folder = folder(teller, words).filter(|_| names_folder(words))?;
    let all = (0..).map(FileId).zip(&teller.index.repo.files);
    let own = all
        .filter(|(_, file)| file.path.starts_with(&folder) && Role::of(&file.path) == Role::Source);
    let own: Vec<FileId> = own.map(|(id, _)| id).collect();
    (!own.is_empty()).then_some((own, folder))
}

/// Returns the outer definitions of the files, each with the number of other files that import it
/// by name; the most imported first, then the largest.
fn main_definitions(teller: &Teller<'_, '_>, files: &[FileId]) -> Vec<(SymbolId, usize)> {
    let own: BTreeSet<FileId> = files.iter().copied().collect();
    let mut users: BTreeMap<&str, BTreeSet<FileId>> = BTreeMap::new();
    for link in teller.index.graph.all_imports() {
        let leads_here = matches!(link.target, Target::File(file) if own.contains(&file));
        if !leads_here || own.contains(&link.file) {
            continue;
        }
        let parsed = teller.index.parsed.get(link.file.0 as usize);
        let import = parsed.and_then(|parsed| parsed.imports.get(link.import as usize));
        let name = import.and_then(|import| import.names.get(link.name? as usize));
        if let Some(name) = name {
            users.entry(&name.name).or_default().insert(link.file);
        }
    }
    let is_code = |kind: SymbolKind| {
        !matches!(
            kind,
            SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Section | SymbolKind::Key
        )
    };
    let mut found: Vec<(SymbolId, usize, u32)> = Vec::new();
    for (id, symbol) in files.iter().flat_map(|file| teller.defined_in(*file)) {
        let is_outer = symbol.parent.is_none() && is_code(symbol.kind);
        if is_outer && !super::listing::is_in_tests(teller, id) {
            let users = users.get(symbol.name.as_str()).map_or(0, BTreeSet::len);
            found.push((id, users, symbol.lines.count()));
        }
    }
    found.sort_by_key(|(id, users, lines)| (std::cmp::Reverse((*users, *lines)), *id));
    found
        .into_iter()
        .map(|(id, users, _)| (id, users))
        .collect()
}

/// States what a definition's documentation says; returns false if it has none.
fn quote(teller: &mut Teller<'_, '_>, id: SymbolId) -> bool {
    let Some(definition) = teller.definition(id).filter(|it| it.is_sayable()) else {
        return false;
    };
    let Some(quote) = teller.syntax.quote(&definition) else {
        return false;
    };
    let words: Vec<String> = Quote::words(&quote);
    let is_notice = |word: &String| {
        let lower = word.to_lowercase();
        lower.starts_with("copyright") || lower.starts_with("licen") || lower.contains("spdx")
    };
    if words.first().is_some_and(is_notice) {
        return false;
    }
    let Some(source) = definition.source(teller.notes, &words, DEFINITION_QUOTED) else {
        return false;
    };
    let mut spans = introduced(&definition, Vec::new(), None);
    spans.push(text(" is documented as "));
    spans.extend(quote.in_quotes());
    teller.say(spans, &[source])
}
