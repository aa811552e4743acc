//! Implementations written apart from their types, as in Rust: `impl Trait for Type`, and derived
//! ones.

use super::inheritance::{Kin, Names, is_class, last};
use super::listing::{MAX_VALUE, one_line, slice};
use super::teller::Teller;
use crate::answer::notes::{Entry, Source};
use crate::lang::spec::plain_owner;
use crate::lang::{Language, SymbolId, SymbolKind};
use crate::lines::{Line, LineRange};
use crate::parse::shape::Implemented;
use crate::source::FileId;

/// Longest head of an implementation that is cited, in lines.
const MAX_HEAD: u32 = 12;

/// Returns the types in a Rust file that implement or derive a trait with this name.
pub(super) fn implementors(
    teller: &Teller<'_, '_>,
    names: &Names<'_>,
    file: FileId,
    name: &str,
) -> Vec<Kin> {
    if !teller.file_text(file).contains(name) {
        return Vec::new();
    }
    let mut found: Vec<Kin> = Vec::new();
    for one in teller.syntax.implemented(file) {
        if last(&one.interface) == name {
            found.push(kin_of_impl(teller, names, file, &one));
        }
    }
    for (id, symbol) in teller.defined_in(file) {
        if is_class(symbol)
            && derives(teller, id)
                .iter()
                .any(|derived| last(derived) == name)
        {
            let mut entry = Entry {
                name: symbol.qualified.clone(),
                detail: "derived".to_owned(),
                source: head_of(teller, id),
            };
            entry.source.quotes.push(name.to_owned());
            found.push(Kin {
                id: Some(id),
                entry,
                through: None,
                lines: None,
            });
        }
    }
    found.sort_by_key(|kin| kin.entry.source.lines.start());
    found
}

/// Cites what stands above a definition's name, with the name.
fn head_of(teller: &Teller<'_, '_>, id: SymbolId) -> Source {
    let symbol = teller.index.symbol(id);
    let (first, last) = symbol.map_or((Line(1), Line(1)), |symbol| {
        (
            symbol.lines.start(),
            symbol.name_line.max(symbol.lines.start()),
        )
    });
    Source {
        file: id.file,
        lines: LineRange::new(first, last),
        quotes: symbol.iter().map(|symbol| symbol.name.clone()).collect(),
        why: "base".to_owned(),
    }
}

/// Returns the traits that `#[derive(…)]` names above a type.
fn derives(teller: &Teller<'_, '_>, id: SymbolId) -> Vec<String> {
    let head = slice(teller, id.file, head_of(teller, id).lines);
    let lists = head.match_indices("derive(").filter_map(|(at, word)| {
        let rest = head.get(at + word.len()..)?;
        Some(rest.split_once(')')?.0)
    });
    let names = lists.flat_map(|list| list.split(','));
    names
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

/// Shows an implementation as the type that it is for.
fn kin_of_impl(teller: &Teller<'_, '_>, names: &Names<'_>, file: FileId, one: &Implemented) -> Kin {
    let start = one.lines.start();
    let head = slice(
        teller,
        file,
        LineRange::new(start, Line(start.0 + MAX_HEAD).min(one.lines.end())),
    );
    let head = head.split('{').next().unwrap_or(head).trim_end();
    let quotes = vec![last(&one.interface).to_owned(), one.implementor.clone()];
    let n_lines = head.lines().count().max(1) as u32;
    let lines = LineRange::new(start, Line(start.0 + n_lines - 1));
    // In `impl Tls for native::Tls`, the implementor is not the trait that is called like it.
    let symbol_of = |id: SymbolId| teller.index.symbol(id);
    let is_trait = |id: &SymbolId| symbol_of(*id).is_some_and(|it| it.kind == SymbolKind::Trait);
    let owner = class_of_type(names, file, &plain_owner(&one.implementor));
    let owner = owner.filter(|id| !is_trait(id));
    let own_name = owner.and_then(|id| Some(symbol_of(id)?.qualified.clone()));
    Kin {
        id: owner,
        entry: Entry {
            name: own_name.unwrap_or_else(|| one_line(&one.implementor, MAX_VALUE)),
            detail: one_line(head, MAX_VALUE),
            source: Source {
                file,
                lines,
                quotes,
                why: "implementation".to_owned(),
            },
        },
        through: None,
        lines: Some(one.lines),
    }
}

/// Returns the type that an implementation names: in the same file, else the only one with that
/// name.
fn class_of_type(names: &Names<'_>, file: FileId, name: &str) -> Option<SymbolId> {
    let all = names.of(last(name));
    let own = all
        .iter()
        .copied()
        .filter(|id| id.file == file)
        .collect::<Vec<_>>();
    match (own.as_slice(), all) {
        ([id], _) | ([], [id]) => Some(*id),
        _ => None,
    }
}

/// Returns the traits that a Rust type implements or derives.
pub(super) fn traits(
    teller: &Teller<'_, '_>,
    names: &Names<'_>,
    id: SymbolId,
    name: &str,
) -> Vec<Kin> {
    let mut found = Vec::new();
    for derived in derives(teller, id) {
        let mut source = head_of(teller, id);
        source.quotes.push(last(&derived).to_owned());
        let entry = Entry {
            name: derived,
            detail: "derived".to_owned(),
            source,
        };
        found.push(Kin {
            id: None,
            entry,
            through: None,
            lines: None,
        });
    }
    for (file, parsed) in (0..).map(FileId).zip(teller.index.parsed.iter()) {
        if parsed.language != Language::Rust || !teller.file_text(file).contains(name) {
            continue;
        }
        for one in teller.syntax.implemented(file) {
            if last(&plain_owner(&one.implementor)) != name
                || class_of_type(names, file, name) != Some(id)
            {
                continue;
            }
            let mut kin = kin_of_impl(teller, names, file, &one);
            let interface = last(&one.interface).to_owned();
            kin.id = class_of_type(names, file, &interface);
            kin.entry.name = interface;
            found.push(kin);
        }
    }
    found
}
