//! Which functions, classes, constants … a file, a folder, a class or the project defines. Read off the
//! syntax trees; a constant's value and a field's type stand beside its name.

use super::Kind;
use super::listing::{
    MAX_VALUE, Place, in_files, is_in_tests, is_local, members, n_of, named, none, one_line,
    owners, parsed, place, with_value,
};
use super::teller::{Teller, counted};
use super::wanted::{Wanted, thing, things};
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{DEFINITION, Entry, Source, text};
use crate::lang::{Parsed, Symbol, SymbolId, SymbolKind};
use crate::lines::LineRange;
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
        "ASK? @outline|contents|table_of_contents REL X",
    ],
    state,
};

/// As [`KIND`], in so few words that only a name of code is taken for a place.
pub(super) const TERSE: Kind = Kind {
    name: KIND.name,
    wordings: &[
        concat!("ASK? X ", things!()),
        concat!("X @classes|functions|methods|constants and|with their? values"),
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
    match place(teller, &read.x) {
        // What many classes hold is no answer.
        Some(Place::Files(..)) if wanted.is_of_class() => false,
        Some(Place::Files(files, shown)) => of_files(teller, wanted, &files, shown),
        Some(Place::Symbols(symbols)) => {
            let said = symbols.iter().map(|id| of_class(teller, wanted, *id));
            said.fold(false, |any, said| any || said)
        }
        None => false,
    }
}

/// Those of files: without what stands inside of functions and in modules of tests.
fn of_files(
    teller: &mut Teller<'_, '_>,
    wanted: &Wanted,
    files: &[FileId],
    shown: Vec<Span>,
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

/// Whether a method belongs to no class, but is a function that is stored on an object: `app.use = …`.
fn is_stored_function(teller: &Teller<'_, '_>, id: SymbolId, symbol: &Symbol) -> bool {
    let Some(parsed) = parsed(teller, id.file) else {
        return false;
    };
    let is_in_class = owners(parsed, symbol).any(|owner| owner.kind.is_container());
    symbol.kind == SymbolKind::Method
        && parsed.language.spec().family.stores_functions
        && !is_in_class
}

/// Whether it is the type that a trait wants of a type: `type Rejection = …` in an implementation.
fn is_part_of_impl(teller: &Teller<'_, '_>, id: SymbolId, symbol: &Symbol) -> bool {
    let owned = |parsed: &Parsed| owners(parsed, symbol).next().is_some();
    symbol.kind == SymbolKind::Type
        && symbol.qualified.contains('.')
        && !parsed(teller, id.file).is_some_and(owned)
}

/// Lists definitions, and counts those that are left out.
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

/// A definition with its value, if it is one that has one.
pub(super) fn entry(teller: &Teller<'_, '_>, id: SymbolId) -> Option<Entry> {
    let mut entry = teller.defined(id)?;
    let kind = teller.index.symbol(id)?.kind;
    if matches!(kind, SymbolKind::Constant | SymbolKind::Variable)
        && let Some((value, source)) = with_value(teller, id)
    {
        entry.detail = one_line(&value, MAX_VALUE);
        entry.source = source;
    }
    Some(entry)
}

/// The members of a class, or what a function or module holds.
fn of_class(teller: &mut Teller<'_, '_>, wanted: &'static Wanted, id: SymbolId) -> bool {
    let Some(definition) = teller.definition(id) else {
        return false;
    };
    let is_class = definition.is_container() && definition.symbol.kind != SymbolKind::Module;
    if !is_class {
        return inside(teller, wanted, id);
    }
    let wanted = wanted.of_class();
    let own = members(teller, id);
    let own = own
        .into_iter()
        .filter_map(|id| Some((id, teller.index.symbol(id)?)));
    let own: Vec<(SymbolId, &Symbol)> = own.collect();
    let mut entries: Vec<Entry> = own
        .iter()
        .filter(|(_, symbol)| wanted.kinds.contains(&symbol.kind))
        .filter_map(|(id, _)| entry(teller, *id))
        .collect();
    if wanted.has_fields {
        entries.extend(fields(teller, id, &entries));
        entries.sort_by_key(|entry| (entry.source.file, entry.source.lines.start()));
    }
    let mut spans = named(teller, id);
    if entries.is_empty() {
        spans.push(text(format!(" has no {}", wanted.one)));
        let head = definition.source(teller.notes, &[], super::super::notes::SEARCHED);
        return teller.say(spans, &head.into_iter().collect::<Vec<_>>());
    }
    let n = n_of(teller, &mut entries, wanted.one, wanted.many);
    spans.push(text(format!(" has {n}: ")));
    teller.list(spans, entries)
}

/// What a class or an enumeration declares that is no definition of its own: fields and variants.
pub(super) fn fields(teller: &Teller<'_, '_>, id: SymbolId, known: &[Entry]) -> Vec<Entry> {
    let Some(definition) = teller.definition(id) else {
        return Vec::new();
    };
    let owner = &definition.symbol.qualified;
    let own: Vec<&str> = members(teller, id)
        .into_iter()
        .filter_map(|id| Some(teller.index.symbol(id)?.name.as_str()))
        .collect();
    let shape = teller.syntax.shape(&definition);
    let fields = shape
        .members
        .into_iter()
        .filter(|member| !own.contains(&member.name.as_str()));
    let entries = fields.map(|member| {
        let written = member.value.or(member.written).unwrap_or_default();
        Entry {
            name: format!("{owner}.{}", member.name),
            detail: one_line(&written, MAX_VALUE),
            source: Source {
                file: id.file,
                lines: LineRange::new(member.line, member.line),
                quotes: vec![member.name],
                why: DEFINITION.to_owned(),
            },
        }
    });
    let is_new = |entry: &Entry| known.iter().all(|known| known.name != entry.name);
    entries.filter(is_new).collect()
}

/// What stands inside of a module or a function.
fn inside(teller: &mut Teller<'_, '_>, wanted: &Wanted, id: SymbolId) -> bool {
    let Some(definition) = teller.definition(id) else {
        return false;
    };
    let is_module = definition.symbol.kind == SymbolKind::Module;
    let inner = definition.inner().filter(|at| *at != id.at);
    let found = inner.map(|at| SymbolId { file: id.file, at });
    let found = found.filter_map(|id| Some((id, teller.index.symbol(id)?)));
    let found: Vec<(SymbolId, &Symbol)> = found
        .filter(|(_, symbol)| wanted.kinds.contains(&symbol.kind))
        .collect();
    let mut spans = named(teller, id);
    if found.is_empty() {
        spans.push(text(format!(" holds no {}", wanted.one)));
        let source = definition.source(teller.notes, &[], super::super::notes::SEARCHED);
        return is_module && teller.say(spans, &source.into_iter().collect::<Vec<_>>());
    }
    let mut entries: Vec<Entry> = found
        .iter()
        .filter_map(|(id, _)| entry(teller, *id))
        .collect();
    let n = entries.len();
    spans.push(text(format!(
        " holds {}: ",
        counted(n, wanted.one, wanted.many)
    )));
    entries.truncate(n);
    teller.list(spans, entries)
}
