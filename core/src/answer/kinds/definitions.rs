//! Which functions, classes, constants … a file, a folder, a class or the project defines. Read
//! from the syntax trees; a constant's value and a field's type are shown beside its name.

use super::Kind;
use super::class_members::of_class;
use super::listing::{
    MAX_VALUE, Place, in_files, is_in_tests, is_local, n_of, none, one_line, owners, parsed, place,
    short_value, with_value,
};
use super::paths;
use super::subject;
use super::teller::Teller;
use super::wanted::{Wanted, thing, things};
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{Entry, code, text};
use crate::index::tokens::code_tokens;
use crate::lang::{Parsed, Role, Symbol, SymbolId, SymbolKind};
use crate::search::stem::stem;
use crate::source::FileId;

pub(super) const KIND: Kind = Kind {
    name: "definitions",
    wordings: &[
        concat!("ASK? ", things!(), " and|with their|the? values? REL X"),
        concat!(
            "ASK? ",
            things!(),
            " REL X and|with their|the|its? values|value|types"
        ),
        concat!("ASK? values of|for the|all? ", things!(), " REL X"),
        concat!("ASK? ", things!(), " names? REL X"),
        concat!("ASK? ", thing!(), " names|definitions|declarations REL X"),
        concat!("ASK? every|each|any|all|single ", thing!(), " REL X"),
        concat!(
            "which|what ",
            thing!(),
            " is|are defined|declared|implemented? in|inside|by X"
        ),
        concat!(
            "ASK ",
            things!(),
            " does|do X define|have|contain|declare|provide|hold|offer|own"
        ),
        concat!(
            "ASK ",
            things!(),
            " X defines|has|contains|declares|provides|holds|offers|owns"
        ),
        concat!(
            "ASK ",
            things!(),
            " that|which X defines|has|contains|declares|provides|holds"
        ),
        concat!(
            "ASK ",
            things!(),
            " does|do X define|have|contain|declare and what|which? are|is? their? values|types|value"
        ),
        concat!("ASK ", things!(), " has|have X"),
        concat!("ASK? ", things!(), " REL X that|which are not|no methods"),
        concat!(
            "ASK? ",
            things!(),
            " REL X nested|inner ones too|as_well|included"
        ),
        // All types are listed anyway.
        "ASK? @types REL X classes|structs|traits|enums|interfaces too|as_well|included",
        concat!("ASK? Y ", things!(), " REL X"),
        concat!("how_many ", things!(), " REL X"),
        concat!(
            "how_many ",
            things!(),
            " does|do X define|have|contain|declare|provide|hold"
        ),
        concat!("count|number_of ASK? ", things!(), " REL X"),
        concat!("ASK? number_of|count_of ", things!(), " REL X"),
        concat!(
            "does|do X define|have|contain|declare any|some|a|an? ",
            things!()
        ),
        concat!(
            "does|do X define|have|contain|declare any|some|a|an ",
            thing!()
        ),
        concat!("ASK ", things!(), " and|with their|the? values|types"),
        concat!("ASK? ", things!(), " REL?"),
        concat!("how_many ", things!(), " REL?"),
        "what can|could i|you|we|one|people do with X which|what @methods|functions",
        "ASK? @outline|contents|table_of_contents REL X",
    ],
    state,
};

/// Like [`KIND`], but with so few words that only a name of code is accepted as a place.
pub(super) const TERSE: Kind = Kind {
    name: KIND.name,
    wordings: &[
        concat!("ASK? X ", things!()),
        "X @classes|functions|methods|constants and|with their? values",
        "what does|do X @define|declare",
        "what is|are @defined|declared in|inside|by X",
        "what is @in|inside X",
    ],
    state: state_terse,
};

fn state_terse(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let is_sign = |c: char| c.is_uppercase() || matches!(c, '.' | '_' | '/' | '`' | ':');
    read.x.contains(is_sign) && state(teller, read)
}

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(wanted) = Wanted::of(&read.word) else {
        return false;
    };
    let pattern = match &read.y {
        Some(words) => match pattern(words) {
            Some(pattern) => pattern,
            None => return with_words(teller, wanted, read, words),
        },
        None => String::new(),
    };
    let only = only_class(teller, &read.x).map(|id| Place::Symbols(vec![id]));
    let is_said = match only.or_else(|| place(teller, &read.x)) {
        // Something that many classes hold is not an answer.
        Some(Place::Files(..)) if wanted.is_of_class() => false,
        Some(Place::Files(files, shown)) => of_files(teller, wanted, &files, shown, &pattern),
        Some(Place::Symbols(symbols)) => {
            let said = symbols
                .iter()
                .map(|id| of_class(teller, wanted, *id, &pattern));
            said.filter(|said| *said).count() > 0
        }
        None => of_object(teller, wanted, &read.x),
    };
    if is_said {
        paths::note_namesakes(teller, &read.x);
    }
    is_said
}

/// Returns what “the class in core.ts” is, if the file defines one class outside of others.
fn only_class(teller: &Teller<'_, '_>, words: &str) -> Option<SymbolId> {
    let words = words.strip_prefix("the ").unwrap_or(words);
    let mut starts = ["class in ", "class inside ", "class of ", "class from "].into_iter();
    let place = starts.find_map(|start| words.strip_prefix(start))?;
    let files = paths::scope(teller.index, place)?;
    let mut classes = files.iter().flat_map(|file| {
        let inside = teller.defined_in(*file);
        inside.filter(|(_, symbol)| symbol.kind == SymbolKind::Class && symbol.parent.is_none())
    });
    let (id, _) = classes.next()?;
    classes.next().is_none().then_some(id)
}

/// Answers “the close code constants in ws.rs”: lists the definitions whose names contain all of
/// these words. Words of the file's own name do not narrow what it holds.
fn with_words(teller: &mut Teller<'_, '_>, wanted: &Wanted, read: &Read, words: &str) -> bool {
    let Some(Place::Files(files, shown)) = place(teller, &read.x) else {
        return false;
    };
    let [file] = files.as_slice() else {
        return false;
    };
    let of_path = code_tokens(teller.path(*file));
    let mut asked: Vec<String> = code_tokens(words).iter().map(|word| stem(word)).collect();
    asked.retain(|word| !of_path.iter().any(|known| stem(known) == *word));
    let has_words = |symbol: &Symbol| {
        let own: Vec<String> = code_tokens(&symbol.qualified)
            .iter()
            .map(|word| stem(word))
            .collect();
        asked.iter().all(|word| own.contains(word))
    };
    let is_wanted = |symbol: &Symbol| wanted.kinds.contains(&symbol.kind) && has_words(symbol);
    let found: Vec<(SymbolId, &Symbol)> = teller
        .defined_in(*file)
        .filter(|(_, symbol)| is_wanted(symbol))
        .collect();
    let verb = format!(" {} ", wanted.verb(&files, &shown));
    let called = (wanted.one, wanted.many);
    !found.is_empty() && list(teller, called, found, shown, &verb)
}

/// Returns the prefix that names must have: `VIDEO_`, `emit*`.
fn pattern(words: &str) -> Option<String> {
    let name = words.trim_matches(['`', '"', '\'']);
    let start = name
        .strip_suffix('*')
        .or(name.ends_with('_').then_some(name));
    start.filter(|start| !start.is_empty()).map(str::to_owned)
}

/// Lists the functions stored on an object that is not a class: `res.send = function …`.
fn of_object(teller: &mut Teller<'_, '_>, wanted: &Wanted, words: &str) -> bool {
    let (what, files) = match subject::scope(words) {
        Some((what, place)) => (what, paths::scope(teller.index, place)),
        None => (words, None),
    };
    let (name, _) = subject::bare(what);
    let start = format!("{name}.");
    let is_function = |kind| matches!(kind, SymbolKind::Method | SymbolKind::Function);
    if name.is_empty() || !wanted.kinds.iter().copied().any(is_function) {
        return false;
    }
    let all = (0..teller.index.parsed.len() as u32).map(FileId);
    let own = all.filter(|file| Role::of(teller.path(*file)) == Role::Source);
    let own = own.filter(|file| files.as_ref().is_none_or(|files| files.contains(file)));
    let found: Vec<(SymbolId, &Symbol)> = own
        .flat_map(|file| teller.defined_in(file))
        .filter(|(id, symbol)| {
            symbol.qualified.starts_with(&start) && is_stored_function(teller, *id, symbol)
        })
        .collect();
    let called = ("method", "methods");
    !found.is_empty() && list(teller, called, found, vec![code(name)], " has ")
}

/// Lists the definitions of files, without those inside functions and test modules.
fn of_files(
    teller: &mut Teller<'_, '_>,
    wanted: &Wanted,
    files: &[FileId],
    shown: Vec<Span>,
    pattern: &str,
) -> bool {
    let all: Vec<(SymbolId, &Symbol)> = files
        .iter()
        .filter(|file| parsed(teller, **file).is_some_and(|parsed| parsed.language.is_code()))
        .flat_map(|file| teller.defined_in(*file))
        .collect();
    let (own, fallback) = (wanted.kinds, wanted.fallback);
    let of = |kinds: &[SymbolKind]| -> Vec<(SymbolId, &Symbol)> {
        let is_stored = |id: SymbolId, symbol: &Symbol| {
            kinds == [SymbolKind::Function] && is_stored_function(teller, id, symbol)
        };
        let fits = |id: SymbolId, symbol: &Symbol| {
            let is_wanted = kinds.contains(&symbol.kind) && !is_part_of_impl(teller, id, symbol);
            (is_wanted || is_stored(id, symbol))
                && symbol.name.starts_with(pattern)
                && symbol.name.contains(char::is_alphanumeric)
                && !(wanted.is_top_level && symbol.parent.is_some())
        };
        all.iter()
            .copied()
            .filter(|(id, symbol)| fits(*id, symbol))
            .collect()
    };
    let found = of(own);
    if found.is_empty() && !fallback.is_empty() {
        let other = of(fallback);
        if !other.is_empty() {
            let lead = format!(" {} no {}, but ", wanted.verb(files, &shown), wanted.one);
            return list(teller, wanted.instead(), other, shown, &lead);
        }
    }
    let verb = wanted.verb(files, &shown);
    match found.is_empty() {
        true if !pattern.is_empty() => false,
        true => none(teller, files, shown, verb, wanted.one),
        false => list(
            teller,
            (wanted.one, wanted.many),
            found,
            shown,
            &format!(" {verb} "),
        ),
    }
}

/// Whether a method belongs to no class but is a function stored on an object: `app.use = …`.
fn is_stored_function(teller: &Teller<'_, '_>, id: SymbolId, symbol: &Symbol) -> bool {
    let Some(parsed) = parsed(teller, id.file) else {
        return false;
    };
    let is_in_class = owners(parsed, symbol).any(|owner| owner.kind.is_container());
    symbol.kind == SymbolKind::Method
        && parsed.language.spec().family.stores_functions
        && !is_in_class
}

/// Whether it is an associated type that a trait requires: `type Rejection = …` in an
/// implementation.
fn is_part_of_impl(teller: &Teller<'_, '_>, id: SymbolId, symbol: &Symbol) -> bool {
    let owned = |parsed: &Parsed| owners(parsed, symbol).next().is_some();
    symbol.kind == SymbolKind::Type
        && symbol.qualified.contains('.')
        && !parsed(teller, id.file).is_some_and(owned)
}

/// Lists definitions and counts those that are left out.
fn list(
    teller: &mut Teller<'_, '_>,
    (one, many): (&str, &str),
    mut found: Vec<(SymbolId, &Symbol)>,
    shown: Vec<Span>,
    verb: &str,
) -> bool {
    let n = found.len();
    let is_inner = |(id, symbol): &(SymbolId, &Symbol)| {
        parsed(teller, id.file).is_some_and(|parsed| is_local(parsed, symbol))
    };
    if !found.iter().all(is_inner) {
        found.retain(|found| !is_inner(found));
    }
    let n_local = n - found.len();
    let n = found.len();
    if !found.iter().all(|(id, _)| is_in_tests(teller, *id)) {
        found.retain(|(id, _)| !is_in_tests(teller, *id));
    }
    let n_tests = n - found.len();
    let mut entries: Vec<Entry> = found
        .iter()
        .filter_map(|(id, _)| entry(teller, *id))
        .collect();
    let mut lead = shown;
    lead.push(text(verb));
    lead.push(text(n_of(teller, &mut entries, one, many)));
    lead.push(text(in_files(&entries)));
    let beside = [
        (n_local, "inside of functions"),
        (n_tests, "in modules of tests"),
    ];
    let beside = beside.iter().filter(|(n, _)| *n > 0);
    let beside: Vec<String> = beside.map(|(n, place)| format!("{n} {place}")).collect();
    if !beside.is_empty() {
        lead.push(text(format!(" (and {})", beside.join(" and "))));
    }
    lead.push(text(": "));
    teller.list(lead, entries)
}

/// Returns a definition as an entry, with its value if it has one.
pub(super) fn entry(teller: &Teller<'_, '_>, id: SymbolId) -> Option<Entry> {
    let mut entry = teller.defined(id)?;
    let kind = teller.index.symbol(id)?.kind;
    if matches!(kind, SymbolKind::Constant | SymbolKind::Variable)
        && let Some((value, source)) = short_value(teller, id).or_else(|| with_value(teller, id))
    {
        entry.detail = one_line(&value, MAX_VALUE);
        entry.source = source;
    }
    Some(entry)
}
