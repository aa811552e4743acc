//! Suggests questions to start with, made from the repository's own central symbols.

use std::collections::BTreeMap;

use super::definition::Definition;
use crate::index::Index;
use crate::lang::Role;
use crate::lang::SymbolKind;
use crate::source::FileId;

/// Returns three questions that the repository can answer; fewer if it holds less. A symbol is
/// central if it is documented and called from many places.
pub fn suggestions(index: &Index) -> Vec<String> {
    let central = central(index);
    let pick = |wanted: &dyn Fn(SymbolKind) -> bool, skip: usize| {
        central
            .iter()
            .filter(|definition| wanted(definition.symbol.kind))
            .nth(skip)
            .map(|definition| definition.symbol.qualified.clone())
    };
    let is_function = |kind| {
        matches!(
            kind,
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro
        )
    };
    let is_class = |kind| !is_function(kind);
    let mut questions = Vec::new();
    if let Some(name) = pick(&is_function, 0) {
        questions.push(format!("How does {name} work?"));
    }
    if let Some(name) = pick(&is_class, 0) {
        questions.push(format!("What is {name} for?"));
    }
    if let Some(name) = pick(&is_function, 1) {
        questions.push(format!("Where is {name} defined, and what does it call?"));
    }
    for heading in headings(index) {
        if questions.len() >= 3 {
            break;
        }
        questions.push(format!("What does the documentation say about {heading}?"));
    }
    questions
}

/// Returns the documented definitions outside tests, most called first; each name once.
fn central(index: &Index) -> Vec<Definition<'_>> {
    let mut n_calls: BTreeMap<&str, u32> = BTreeMap::new();
    for (file, parsed) in index.repo.files.iter().zip(index.parsed.iter()) {
        if Role::of(&file.path) == Role::Source {
            for call in &parsed.calls {
                *n_calls.entry(&call.name).or_default() += 1;
            }
        }
    }
    let mut by_name: BTreeMap<&str, Vec<Definition<'_>>> = BTreeMap::new();
    for (at, file) in index.repo.files.iter().enumerate() {
        if Role::of(&file.path) != Role::Source {
            continue;
        }
        let n_symbols = index
            .parsed
            .get(at)
            .map_or(0, |parsed| parsed.symbols.len());
        for symbol in 0..n_symbols as u32 {
            if let Some(definition) = Definition::new(index, FileId(at as u32), symbol)
                && is_askable(&definition)
            {
                by_name
                    .entry(&definition.symbol.name)
                    .or_default()
                    .push(definition);
            }
        }
    }
    let mut central: Vec<(u32, Definition<'_>)> = by_name
        .into_iter()
        // A name that is defined in many places denotes none of them.
        .filter_map(|(name, definitions)| match definitions.as_slice() {
            [only] => Some((n_calls.get(name).copied().unwrap_or(0), *only)),
            _ => None,
        })
        .collect();
    central.sort_by(|a, b| {
        b.0.cmp(&a.0)
            .then(b.1.symbol.lines.count().cmp(&a.1.symbol.lines.count()))
    });
    central
        .into_iter()
        .map(|(_, definition)| definition)
        .collect()
}

fn is_askable(definition: &Definition<'_>) -> bool {
    let symbol = definition.symbol;
    let is_kind = definition.is_container()
        || matches!(
            symbol.kind,
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro
        );
    let is_public = !symbol.name.starts_with('_') && symbol.name.chars().count() > 3;
    is_kind
        && is_public
        && symbol.kind != SymbolKind::Module
        && !symbol.doc.is_empty()
        && symbol.lines.count() >= 5
}

fn headings(index: &Index) -> impl Iterator<Item = String> {
    index
        .repo
        .files
        .iter()
        .zip(index.parsed.iter())
        .filter(|(file, _)| Role::of(&file.path) == Role::Docs)
        .flat_map(|(_, parsed)| &parsed.symbols)
        .filter(|symbol| symbol.kind == SymbolKind::Section && symbol.parent.is_some())
        .map(|symbol| format!("“{}”", symbol.name))
}
