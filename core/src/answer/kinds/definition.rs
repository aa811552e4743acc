//! Where something is defined: a definition of any kind, or a file.

use super::Kind;
use super::built;
use super::listing::one_line;
use super::lookup::definitions;
use super::paths;
use super::subject::{self, Subject};
use super::teller::{Teller, counted};
use super::wording::Read;
use crate::answer::notes::{DEFINITION, Entry, Source, code, text};
use crate::lang::SymbolId;
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// Longest declaration that is shown, in characters.
const MAX_DECLARATION: usize = 160;

/// Words with which a question asks where something is defined.
macro_rules! defined {
    () => {
        "defined|declared|implemented|located|coded|found|introduced|definition|declaration"
    };
}

/// Words for what holds a definition.
macro_rules! holders {
    () => {
        "file|files|module|modules|class|source_file|folder|package"
    };
}

pub(super) const KIND: Kind = Kind {
    name: "definition",
    wordings: &[
        concat!(
            "where|whereabouts is|are|was the? X ",
            defined!(),
            " at|in?"
        ),
        concat!("where|whereabouts is|are ", defined!(), " X"),
        "where is|are the? definition|declaration|implementation|source|source_code|code of|for X",
        "where can|could|do|would I|i|one|we|you find|see|locate the? definition|declaration|implementation|source|source_code|code? of|for? X",
        "where does|do X live|reside|come_from|sit",
        concat!("where does|do X get|gets ", defined!()),
        concat!(
            "where is|are|was the? X ",
            defined!(),
            " in|inside|within Y"
        ),
        "where does|do? the? code|repository|project|package|library define|declare|implement X",
        concat!(
            "in|inside? which|what ",
            holders!(),
            " is|are X ",
            defined!(),
            "?"
        ),
        concat!(
            "which|what ",
            holders!(),
            " defines|declares|implements|contains|holds|has X"
        ),
        concat!(
            "which|what ",
            holders!(),
            " is|are X ",
            defined!(),
            "? in|inside"
        ),
        concat!("which|what ", holders!(), " X is|are ", defined!(), " in"),
        "on? which|what line|lines is|are X defined|declared|on|at?",
        "at what|which line is|are X defined|declared?",
        "ASK? definition|definitions|declaration|declarations|source_code|location REL X",
        "go_to|goto|jump_to|navigate_to|locate the? definition|declaration? of? X",
        "X definition|declaration|is_defined_where|defined_where",
        "find|show|open ASK? definition|source|source_code|code|implementation of X",
        "who defines|declares|implements X",
    ],
    state,
};

/// Like [`KIND`], but only a name of code is accepted as the thing looked for.
pub(super) const TERSE: Kind = Kind {
    name: KIND.name,
    wordings: &[
        "where is|are the? X",
        "where X is",
        "show|open me? the? file? X",
        "find|locate|show me? the? class|function|method|struct|enum|trait|interface|file? X",
        "where can|could|do I|i|one|we find|see X",
    ],
    state: state_terse,
};

fn state_terse(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let is_sign = |c: char| c.is_uppercase() || matches!(c, '.' | '_' | '/' | '`' | ':' | '(');
    let is_name = !read.x.contains(' ') || read.x.contains('`');
    is_name && read.x.contains(is_sign) && state(teller, read)
}

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let is_file = |c: char| matches!(c, '.' | '/');
    let of_file = || match teller.subject(&read.x) {
        Some(Subject::Files(files, _)) if files.len() == 1 => files.first().copied(),
        _ => None,
    };
    let (_, hints) = subject::bare(&read.x);
    let wants_file = hints.iter().any(|hint| hint == "file" || hint == "script");
    let mut found = definitions(teller, &read.x);
    if let Some(place) = &read.y {
        let Some(files) = paths::scope(teller.index, place) else {
            return false;
        };
        found.retain(|id| files.contains(&id.file));
    }
    match found.as_slice() {
        [] if read.x.contains(is_file) || wants_file => match of_file() {
            Some(file) => is_file_at(teller, &read.x, file),
            None => false,
        },
        [] => false,
        [id] => one(teller, *id),
        _ => several(teller, &read.x, &found),
    }
}

/// States a file, or the source of a file that a build made.
fn is_file_at(teller: &mut Teller<'_, '_>, words: &str, file: FileId) -> bool {
    let path = teller.path(file);
    let (name, _) = subject::bare(words);
    let is_built = name.contains('.') && !path.ends_with(&name) && built::has_built_name(&name);
    let spans = match is_built {
        true => vec![code(name), text(" is built from "), code(path)],
        false => {
            let own = path.rsplit('/').next().unwrap_or(path);
            vec![code(own), text(" is the file "), code(path)]
        }
    };
    let source = Source {
        file,
        lines: LineRange::new(Line(1), Line(1)),
        quotes: Vec::new(),
        why: "file".to_owned(),
    };
    let is_said = teller.say(spans, &[source]);
    if is_said {
        paths::note_namesakes(teller, words);
    }
    is_said
}

/// States `` `Session.send` is a method, defined in `src/sessions.py` in lines 3 to 9:
/// `def send(self)`. ``
fn one(teller: &mut Teller<'_, '_>, id: SymbolId) -> bool {
    let Some(definition) = teller.definition(id) else {
        return false;
    };
    let symbol = definition.symbol;
    let lines = symbol.lines;
    let place = match lines.count() {
        1 => format!(" in line {}", lines.start().0),
        _ => format!(" in lines {} to {}", lines.start().0, lines.end().0),
    };
    let mut spans = vec![
        code(symbol.qualified.clone()),
        text(format!(" ({}) is defined in ", symbol.kind.name())),
        code(definition.path),
        text(place),
    ];
    let declaration = one_line(&symbol.signature, MAX_DECLARATION);
    if !declaration.is_empty() && declaration != symbol.name && !declaration.contains('`') {
        spans.extend([text(": "), code(declaration)]);
    }
    let source = definition
        .source(teller.notes, &[], DEFINITION)
        .or_else(|| teller.defined(id).map(|entry| entry.source));
    teller.say(spans, &source.into_iter().collect::<Vec<_>>())
}

/// Calls entries by their places if they all have one name.
fn name_apart(teller: &Teller<'_, '_>, entries: &mut [Entry]) {
    let first = entries.first().map(|entry| entry.name.clone());
    if entries
        .iter()
        .any(|entry| Some(&entry.name) != first.as_ref())
    {
        return;
    }
    for entry in entries {
        let line = entry.source.lines.start().0;
        entry.name = format!("{}:{line}", teller.path(entry.source.file));
    }
}

fn several(teller: &mut Teller<'_, '_>, words: &str, found: &[SymbolId]) -> bool {
    let entries = found.iter().filter_map(|id| {
        let symbol = teller.index.symbol(*id)?;
        let mut entry = teller.defined(*id)?;
        entry.detail = format!("{} in {}", symbol.kind.name(), teller.path(id.file));
        Some(entry)
    });
    let mut entries: Vec<Entry> = entries.collect();
    entries.retain(|entry| teller.notes.check(&entry.source).is_some());
    name_apart(teller, &mut entries);
    let (name, _) = subject::bare(words);
    let n = counted(entries.len(), "place", "places");
    let lead = vec![code(name), text(format!(" is defined at {n}: "))];
    !entries.is_empty() && teller.list(lead, entries)
}
