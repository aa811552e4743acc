//! The errors that the signatures of functions declare: `-> Result<(), Closed>`, `throws Closed`.

use crate::answer::kinds::class_members::of_class;
use crate::answer::kinds::teller::Teller;
use crate::answer::kinds::wanted::Wanted;
use crate::answer::notes::{Source, capped, code, text};
use crate::lang::{Role, Symbol, SymbolId, SymbolKind};
use crate::lines::{Line, LineRange};

/// Most lines between the name of a function and the end of its signature.
const SIGNATURE: u32 = 12;

/// A declared error, and the lines of the signature that declares it.
struct Declared {
    error: String,
    source: Source,
}

/// States which errors the signatures of functions declare, and the variants of the error if there
/// is one and it is an enumeration of the repository. Returns whether anything was stated.
pub(super) fn state(teller: &mut Teller<'_, '_>, ids: &[SymbolId], shown: &str) -> bool {
    let found: Vec<Declared> = ids.iter().flat_map(|id| declared(teller, *id)).collect();
    let mut errors: Vec<String> = Vec::new();
    for declared in &found {
        if !errors.contains(&declared.error) {
            errors.push(declared.error.clone());
        }
    }
    if errors.is_empty() {
        return false;
    }
    let mut lead = vec![code(shown)];
    match ids {
        [only] => lead.extend([text(" in "), code(teller.path(only.file))]),
        _ => lead.push(text(format!(" ({} definitions)", ids.len()))),
    }
    lead.push(text(" can fail with "));
    lead.extend(capped(&errors));
    lead.push(text(match found.len() {
        1 => ", as its signature says",
        _ => ", as the signatures say",
    }));
    let sources: Vec<Source> = found.into_iter().map(|it| it.source).collect();
    let is_said = teller.say(lead, &sources);
    if let ([error], true) = (errors.as_slice(), is_said) {
        variants(teller, error);
    }
    is_said
}

/// Lists the variants of an error that one enumeration of the code has the name of.
fn variants(teller: &mut Teller<'_, '_>, error: &str) {
    let name = error.rsplit("::").next().unwrap_or(error);
    let is_own = |id: &SymbolId| {
        let symbol = teller.index.symbol(*id);
        symbol.is_some_and(|it| it.kind == SymbolKind::Enum)
            && Role::of(teller.path(id.file)) == Role::Source
    };
    let own: Vec<SymbolId> = teller.by_name(name).into_iter().filter(is_own).collect();
    if let ([id], Some(wanted)) = (own.as_slice(), Wanted::of("variants")) {
        of_class(teller, wanted, *id, "");
    }
}

/// Whether one of the signatures declares an error, known or not.
pub(super) fn is_declared(teller: &Teller<'_, '_>, ids: &[SymbolId]) -> bool {
    ids.iter().any(|id| {
        let (symbol, file) = (teller.index.symbol(*id), teller.index.file(id.file));
        let read = file.map(|(_, parsed)| parsed.language.spec().declared_errors);
        read.zip(symbol)
            .is_some_and(|(read, symbol)| !read(&symbol.signature).is_empty())
    })
}

fn declared(teller: &Teller<'_, '_>, id: SymbolId) -> Vec<Declared> {
    let (Some(symbol), Some((_, parsed))) = (teller.index.symbol(id), teller.index.file(id.file))
    else {
        return Vec::new();
    };
    let read = parsed.language.spec().declared_errors;
    let errors = read(&symbol.signature).into_iter();
    let found = errors.filter_map(|written| {
        let last = written
            .rsplit(['.', ':'])
            .next()
            .unwrap_or(&written)
            .to_owned();
        let quote: String = last
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        Some(Declared {
            error: meant(teller, read, &written)?,
            source: signature(teller, id, symbol, quote),
        })
    });
    found.collect()
}

/// Returns the error itself: that of the only `type Result<T> = …` in the code, for `Result`.
fn meant(teller: &Teller<'_, '_>, read: fn(&str) -> Vec<String>, written: &str) -> Option<String> {
    let Some(path) = written.strip_suffix("Result") else {
        return Some(written.to_owned());
    };
    if matches!(path, "io::" | "std::io::" | "fmt::" | "std::fmt::") {
        return Some(format!("{path}Error"));
    }
    let is_alias = |id: &SymbolId| {
        let symbol = teller.index.symbol(*id);
        symbol.is_some_and(|it| it.kind == SymbolKind::Type)
    };
    let aliases: Vec<SymbolId> = teller
        .by_name("Result")
        .into_iter()
        .filter(is_alias)
        .collect();
    let [alias] = aliases.as_slice() else {
        return None;
    };
    let errors = read(&teller.index.symbol(*alias)?.signature);
    errors.into_iter().find(|it| !it.ends_with("Result"))
}

/// Cites a function from its name to where its signature names the error.
fn signature(teller: &Teller<'_, '_>, id: SymbolId, symbol: &Symbol, quote: String) -> Source {
    let start = symbol.name_line;
    let last = symbol.lines.end().0.min(start.0 + SIGNATURE);
    let source = |end: u32| Source {
        file: id.file,
        lines: LineRange::new(start, Line(end)),
        quotes: vec![symbol.name.clone(), quote.clone()],
        why: "signature".to_owned(),
    };
    let mut ends = (start.0..=last).map(source);
    let found = ends.find(|it| teller.notes.check(it).is_some());
    found.unwrap_or_else(|| source(last))
}
