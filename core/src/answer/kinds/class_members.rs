//! What a class, an enumeration, a module or a function holds, for the kinds that list it or look
//! it up.

use super::definitions::entry;
use super::listing::{MAX_VALUE, members, n_of, named, one_line};
use super::teller::Teller;
use super::wanted::Wanted;
use crate::answer::notes::{DEFINITION, Entry, SEARCHED, Source, text};
use crate::lang::{Symbol, SymbolId, SymbolKind};
use crate::lines::LineRange;

/// States the members of a class, or what a function or module holds.
pub(super) fn of_class(
    teller: &mut Teller<'_, '_>,
    wanted: &'static Wanted,
    id: SymbolId,
    start: &str,
) -> bool {
    let Some(definition) = teller.definition(id) else {
        return false;
    };
    let is_class = definition.is_container() && definition.symbol.kind != SymbolKind::Module;
    let is_function = !is_class && definition.symbol.kind != SymbolKind::Module;
    // A JavaScript function can be a class, with methods on its prototype.
    let has_members = is_function && !members(teller, id).is_empty() && wanted.is_of_functions();
    if !is_class && !has_members {
        return inside(teller, wanted, id);
    }
    // A constant beside the variants of an enumeration is none of them.
    let is_variants = wanted.words_say("variant") && definition.symbol.kind == SymbolKind::Enum;
    let wanted = wanted.of_class();
    let own = members(teller, id);
    let own = own
        .into_iter()
        .filter_map(|id| Some((id, teller.index.symbol(id)?)));
    let own: Vec<(SymbolId, &Symbol)> = own.collect();
    let mut entries: Vec<Entry> = own
        .iter()
        .filter(|(id, symbol)| {
            let is_wanted = match wanted.words_say("property") {
                true => is_property(teller, *id),
                false => wanted.kinds.contains(&symbol.kind),
            };
            let is_inside = !is_variants || definition.symbol.lines.encloses(symbol.lines);
            is_wanted && is_inside && symbol.name.starts_with(start)
        })
        .filter_map(|(id, _)| entry(teller, *id))
        .collect();
    let is_all_properties = wanted.words_say("property") && !entries.is_empty();
    if wanted.has_fields && !is_all_properties {
        entries.extend(fields(teller, id, &entries));
        entries.sort_by_key(|entry| (entry.source.file, entry.source.lines.start()));
    }
    let mut spans = named(teller, id);
    if entries.is_empty() {
        spans.push(text(format!(" has no {}", wanted.one)));
        let head = definition.source(teller.notes, &[], SEARCHED);
        return teller.say(spans, &head.into_iter().collect::<Vec<_>>());
    }
    let n = n_of(teller, &mut entries, wanted.one, wanted.many);
    spans.push(text(format!(" has {n}: ")));
    teller.list(spans, entries)
}

/// Whether a method is accessed like a field: `@property`, `get size()`.
fn is_property(teller: &Teller<'_, '_>, id: SymbolId) -> bool {
    let Some(definition) = teller.definition(id) else {
        return false;
    };
    let decorators = teller.syntax.shape(&definition).decorators;
    let mut marks = decorators.iter().map(|mark| mark.text.as_str());
    definition.symbol.kind == SymbolKind::Method
        && (definition.symbol.signature.starts_with("get ")
            || marks.any(|mark| mark.starts_with("@property") || mark.contains("cached_property")))
}

/// Returns what a class or an enumeration declares without a definition of its own: fields and
/// variants.
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

/// States what stands inside a module or a function.
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
        spans.push(text(format!(" contains no {}", wanted.one)));
        let source = definition.source(teller.notes, &[], SEARCHED);
        return is_module && teller.say(spans, &source.into_iter().collect::<Vec<_>>());
    }
    let mut entries: Vec<Entry> = found
        .iter()
        .filter_map(|(id, _)| entry(teller, *id))
        .collect();
    let n = n_of(teller, &mut entries, wanted.one, wanted.many);
    spans.push(text(format!(" contains {n}: ")));
    teller.list(spans, entries)
}
