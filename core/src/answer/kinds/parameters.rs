//! The parameters of functions and their defaults, with the lines that prove them.

use super::listing::{members, one_line};
use super::lookup::definitions;
use super::teller::Teller;
use crate::answer::definition::Definition;
use crate::answer::notes::{Entry, Source};
use crate::lang::{SymbolId, SymbolKind};
use crate::lines::{Line, LineRange};
use crate::parse::shape::Parameter;
use crate::source::FileId;

/// Names of functions that make an object of a class.
pub(super) const CONSTRUCTORS: [&str; 5] = [
    "__init__",
    "constructor",
    "initialize",
    "__construct",
    "init",
];

/// Longest default that is shown, in characters.
pub(super) const MAX_DEFAULT: usize = 120;

/// Returns the functions that the words name; for a class, those that make its objects, or the
/// class itself if it declares parameters or fields.
pub(super) fn functions(teller: &Teller<'_, '_>, words: &str) -> Vec<SymbolId> {
    let mut found = Vec::new();
    for id in definitions(teller, words) {
        let Some(symbol) = teller.index.symbol(id) else {
            continue;
        };
        match symbol.kind {
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro => found.push(id),
            kind if kind.is_container() => {
                let own = members(teller, id);
                let makes = |id: &SymbolId| {
                    teller.index.symbol(*id).is_some_and(|member| {
                        CONSTRUCTORS.contains(&member.name.as_str()) || member.name == symbol.name
                    })
                };
                let makers: Vec<SymbolId> = own.into_iter().filter(makes).collect();
                match makers.is_empty() {
                    true => found.push(id),
                    false => found.extend(makers),
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns a function's parameters, or the fields of a class whose constructor is made from them.
pub(super) fn parameters(
    teller: &Teller<'_, '_>,
    definition: &Definition<'_>,
) -> Option<Vec<Parameter>> {
    let shape = teller.syntax.shape(definition);
    if shape.parameters.is_some() || !definition.is_container() {
        return shape.parameters;
    }
    let fields = shape.members.into_iter().map(|member| Parameter {
        name: member.name,
        line: member.line,
        default: member.value,
        written: member.written,
        is_rest: false,
    });
    Some(fields.collect())
}

/// Cites the line of a parameter with its default: a long default can end some lines later.
pub(super) fn proof(
    teller: &Teller<'_, '_>,
    file: FileId,
    parameter: &Parameter,
) -> Option<Source> {
    let default = parameter.default.clone()?;
    let more = default.lines().count().saturating_sub(1) as u32;
    let source = |more: u32| Source {
        file,
        lines: LineRange::new(parameter.line, Line(parameter.line.0 + more)),
        quotes: vec![parameter.name.clone(), default.clone()],
        why: "default".to_owned(),
    };
    // The value can stand on a line after the name.
    let mut tried = (more..more + 3).map(source);
    tried.find(|source| teller.notes.check(source).is_some())
}

pub(super) fn entry(teller: &Teller<'_, '_>, file: FileId, parameter: &Parameter) -> Option<Entry> {
    let source = proof(teller, file, parameter)?;
    Some(Entry {
        name: parameter.name.clone(),
        detail: one_line(
            parameter.default.as_deref().unwrap_or_default(),
            MAX_DEFAULT,
        ),
        source,
    })
}

pub(super) fn named_so<'p>(parameters: &'p [Parameter], name: &str) -> Option<&'p Parameter> {
    let exact = parameters.iter().find(|parameter| parameter.name == name);
    exact.or_else(|| {
        parameters
            .iter()
            .find(|parameter| is_named(parameter, name))
    })
}

/// Whether a name means this parameter: `--max-retries`, `max_retries` and `_max_retries` are the
/// same.
pub(super) fn is_named(parameter: &Parameter, name: &str) -> bool {
    let plain = |name: &str| {
        let name = name.replace(['-', ' '], "_").to_lowercase();
        name.trim_start_matches('_').to_owned()
    };
    plain(&parameter.name) == plain(name)
}

/// Removes overloads: declarations of a function can leave out what its definition says. Of several
/// with one name in a file, keeps those that have what is asked about, if any do.
pub(super) fn without_overloads(
    teller: &Teller<'_, '_>,
    functions: Vec<SymbolId>,
    has: &dyn Fn(&Parameter) -> bool,
) -> Vec<SymbolId> {
    let name = |id: &SymbolId| {
        teller
            .index
            .symbol(*id)
            .map(|symbol| symbol.qualified.as_str())
    };
    let says = |id: &SymbolId| {
        let definition = teller.definition(*id);
        let parameters = definition.and_then(|definition| parameters(teller, &definition));
        parameters.is_some_and(|parameters| parameters.iter().any(has))
    };
    let telling: Vec<SymbolId> = functions.iter().filter(|id| says(id)).copied().collect();
    let is_kept = |id: &SymbolId| {
        let same = |other: &SymbolId| other.file == id.file && name(other) == name(id);
        telling.contains(id) || !telling.iter().any(same)
    };
    functions.into_iter().filter(is_kept).collect()
}
