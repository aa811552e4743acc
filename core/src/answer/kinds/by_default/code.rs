//! Defaults in code: of parameters, constants, options objects, `Default` and fallbacks.

use std::sync::LazyLock;

use regex::Regex;

use super::wanted::Wanted;
use super::{Claim, Fit, tables};
use crate::answer::kinds::listing::{is_in_tests, named, one_line, slice, with_value};
use crate::answer::kinds::parameters::{MAX_DEFAULT, proof};
use crate::answer::kinds::teller::Teller;
use crate::answer::notes::{Entry, Source, code, text};
use crate::index::tokens::name_parts;
use crate::lang::{Language, Symbol, SymbolId, SymbolKind};
use crate::lines::{Line, LineRange};
use crate::parse::shape::Member;
use crate::search::stem::stem;
use crate::source::FileId;

/// Number of lines in which a function's parameters are looked for before its syntax is read.
const HEAD: u32 = 40;

/// Matches a fallback: `level.unwrap_or(6)`.
static FALLBACK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(?P<name>[a-z_][a-z0-9_]*)\.unwrap_or\((?P<value>[^()\n]+)\)").ok()
});

/// Matches an entry of a dictionary: `"pty": False,`.
static ENTRY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^\s+["'](?P<name>\w+)["']:\s*(?P<value>[^,{\[]+),?\s*(?:#.*)?$"#).ok()
});

/// Matches an entry of an object: `maxPayload: 100,`.
static OPTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?P<indent>\s+)(?P<name>\w+):\s*(?P<value>[^,{\[]+),\s*(?://.*)?$").ok()
});

/// Returns the defaults in the project's own code that fit the question.
pub(super) fn claims(teller: &Teller<'_, '_>, wanted: &Wanted) -> Vec<Claim> {
    let mut found = Vec::new();
    for file in teller.own_files("") {
        if !wanted.may_be_in(teller.file_text(file)) {
            continue;
        }
        found.extend(of_rows(teller, wanted, file));
        found.extend(tables::claims(teller, wanted, file));
        for (id, symbol) in teller.defined_in(file) {
            if is_in_tests(teller, id) {
                continue;
            }
            match symbol.kind {
                SymbolKind::Function | SymbolKind::Method => {
                    found.extend(of_parameters(teller, wanted, id, symbol));
                    found.extend(of_default(teller, wanted, id, symbol));
                }
                SymbolKind::Constant | SymbolKind::Variable => {
                    found.extend(of_constant(teller, wanted, id, symbol));
                }
                SymbolKind::Class => found.extend(of_fields(teller, wanted, id, symbol)),
                _ => {}
            }
        }
    }
    found
}

fn context(teller: &Teller<'_, '_>, id: SymbolId, symbol: &Symbol) -> String {
    format!("{} {}", teller.path(id.file), symbol.doc)
}

fn of_parameters(
    teller: &Teller<'_, '_>,
    wanted: &Wanted,
    id: SymbolId,
    symbol: &Symbol,
) -> Vec<Claim> {
    let end = symbol.lines.end().0.min(symbol.name_line.0 + HEAD);
    let head = slice(teller, id.file, LineRange::new(symbol.name_line, Line(end)));
    let is_word = |part: &String| wanted.words.contains(&stem(part));
    if !head.contains('=') || !wanted.may_be_in(head) || !name_parts(head).iter().any(is_word) {
        return Vec::new();
    }
    let context = context(teller, id, symbol);
    if !wanted.is_mostly_in(&format!("{context} {} {head}", symbol.qualified)) {
        return Vec::new();
    }
    let parameters = teller
        .definition(id)
        .and_then(|definition| teller.syntax.shape(&definition).parameters);
    let of = |parameter: &crate::parse::shape::Parameter| {
        let default = parameter.default.clone()?;
        let fit = wanted.fit(&parameter.name, &symbol.qualified, &context, 1)?;
        let mut spans = vec![code(parameter.name.clone()), text(" of ")];
        spans.extend(named(teller, id));
        spans.extend([text(" defaults to "), code(one_line(&default, MAX_DEFAULT))]);
        let mut sources = vec![proof(teller, id.file, parameter)?];
        let mut value = default.clone();
        if let Some((set, source)) = constant(teller, id.file, &default) {
            spans.extend([
                text(", which is set to "),
                code(one_line(&set, MAX_DEFAULT)),
            ]);
            sources.push(source);
            value = set;
        }
        wanted
            .accepts(&value)
            .then_some(Claim::new(fit, value, spans, sources))
    };
    parameters.iter().flatten().filter_map(of).collect()
}

/// Returns the value of a constant of the same file.
pub(super) fn constant(
    teller: &Teller<'_, '_>,
    file: FileId,
    name: &str,
) -> Option<(String, Source)> {
    let mut inside = teller.defined_in(file);
    let is_it = |symbol: &Symbol| {
        let is_value = matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable);
        is_value && symbol.qualified == name
    };
    let (id, _) = inside.find(|(_, symbol)| is_it(symbol))?;
    with_value(teller, id)
}

fn of_constant(
    teller: &Teller<'_, '_>,
    wanted: &Wanted,
    id: SymbolId,
    symbol: &Symbol,
) -> Option<Claim> {
    if !wanted.may_be_in(&symbol.name) {
        return None;
    }
    let parts = name_parts(&symbol.name);
    let says = |words: &[String]| {
        words.iter().any(|word| {
            matches!(
                word.as_str(),
                "default" | "defaults" | "builtin" | "initial"
            )
        })
    };
    let context = context(teller, id, symbol);
    let fit = wanted.fit(&symbol.name, &symbol.qualified, &context, 0)?;
    let is_exact = fit.unnamed == 0 && fit.surplus == 0 && !wanted.is_yes_or_no;
    if !is_exact && !says(&parts) && !says(&name_parts(&symbol.doc)) {
        return None;
    }
    let (value, source) = with_value(teller, id)?;
    let mut spans = named(teller, id);
    let entries = elements(&value, &source);
    match entries.is_empty() {
        true => spans.extend([text(" is set to "), code(one_line(&value, MAX_DEFAULT))]),
        false => spans.push(text(format!(" is set to a list of {}: ", entries.len()))),
    }
    wanted.accepts(&value).then_some(Claim {
        fit,
        value,
        spans,
        sources: vec![source],
        entries,
    })
}

/// Reads what a class sets for all its objects: `durable = True`.
fn of_fields(
    teller: &Teller<'_, '_>,
    wanted: &Wanted,
    id: SymbolId,
    symbol: &Symbol,
) -> Vec<Claim> {
    let body = slice(teller, id.file, symbol.lines);
    if !body.contains('=') || !wanted.may_be_in(body) {
        return Vec::new();
    }
    let context = context(teller, id, symbol);
    if !wanted.is_mostly_in(&format!("{context} {body}")) {
        return Vec::new();
    }
    let Some(definition) = teller.definition(id) else {
        return Vec::new();
    };
    let of = |member: Member| {
        let value = member.value.filter(|value| wanted.accepts(value))?;
        let fit = wanted.fit(&member.name, &symbol.qualified, &context, 1)?;
        let source = Source {
            file: id.file,
            lines: LineRange::new(member.line, member.line),
            quotes: vec![member.name.clone()],
            why: "default".to_owned(),
        };
        let mut spans = vec![code(member.name), text(" of ")];
        spans.extend(named(teller, id));
        spans.extend([text(" is set to "), code(one_line(&value, MAX_DEFAULT))]);
        Some(Claim::new(fit, value, spans, vec![source]))
    };
    let members = teller.syntax.shape(&definition).members;
    members.into_iter().filter_map(of).collect()
}

/// Returns the elements of a list of plain names or literals.
fn elements(value: &str, source: &Source) -> Vec<Entry> {
    let inner = value
        .strip_prefix('[')
        .and_then(|value| value.strip_suffix(']'));
    let Some(inner) = inner.filter(|inner| !inner.contains(['(', '[', '{', '#', '/'])) else {
        return Vec::new();
    };
    let all = inner.split(',').map(str::trim).filter(|it| !it.is_empty());
    let entry = |name: &str| Entry {
        name: name.trim_matches(['"', '\'']).to_owned(),
        detail: String::new(),
        source: Source {
            quotes: vec![name.to_owned()],
            ..source.clone()
        },
    };
    all.map(entry).collect()
}

/// Reads `impl Default for X`, if its body is one line.
fn of_default(
    teller: &Teller<'_, '_>,
    wanted: &Wanted,
    id: SymbolId,
    symbol: &Symbol,
) -> Option<Claim> {
    let language = teller.definition(id)?.parsed.language;
    let owner = symbol.qualified.strip_suffix(".default")?;
    if language != Language::Rust {
        return None;
    }
    let lines = LineRange::new(symbol.name_line, symbol.lines.end());
    let rows: Vec<&str> = slice(teller, id.file, lines)
        .lines()
        .map(str::trim)
        .collect();
    let [_, body, "}"] = rows.as_slice() else {
        return None;
    };
    let documented = teller.by_name(owner.rsplit('.').next()?);
    let docs = documented.iter().filter_map(|id| teller.index.symbol(*id));
    let docs: Vec<&str> = docs.map(|symbol| symbol.doc.as_str()).collect();
    let context = context(teller, id, symbol);
    let context = format!("{context} {} variant", docs.join(" "));
    let fit = wanted.fit(owner, &symbol.qualified, &context, 0)?;
    let mut spans = named(teller, id);
    spans.extend([text(" returns "), code(one_line(body, MAX_DEFAULT))]);
    let source = Source {
        file: id.file,
        lines,
        quotes: vec![symbol.name.clone(), (*body).to_owned()],
        why: "default".to_owned(),
    };
    let has_value = body.contains(|c: char| c.is_ascii_digit() || c == '"' || c == '\'')
        || body.starts_with("Self::") && !body.contains('(');
    let is_known = has_value && wanted.accepts(body) && !body.contains('`');
    is_known.then(|| Claim::new(fit, (*body).to_owned(), spans, vec![source]))
}

/// Reads rows that say what applies if nothing is set.
fn of_rows(teller: &Teller<'_, '_>, wanted: &Wanted, file: FileId) -> Vec<Claim> {
    let all = teller.file_text(file);
    let language = teller
        .index
        .parsed
        .get(file.0 as usize)
        .map(|it| it.language);
    let is_script = matches!(language, Some(Language::JavaScript | Language::TypeScript))
        && all.contains("...");
    let is_python = language == Some(Language::Python) && all.contains("default");
    let is_rust = language == Some(Language::Rust) && all.contains(".unwrap_or(");
    let sets = match () {
        () if is_script => OPTION.as_ref(),
        () if is_python => ENTRY.as_ref(),
        () if is_rust => FALLBACK.as_ref(),
        () => None,
    };
    let Some(sets) = sets else {
        return Vec::new();
    };
    let rows: Vec<&str> = all.lines().collect();
    let of = |(at, row): (usize, &&str)| {
        let found = wanted.may_be_in(row).then(|| sets.captures(row))??;
        let (name, value) = (
            found.name("name")?.as_str(),
            found.name("value")?.as_str().trim(),
        );
        let (holders, context) = around(teller, file, at, row);
        let fit = wanted.fit(name, &holders, &context, 1)?;
        let indent = found.name("indent").map(|indent| indent.as_str());
        let is_default = match indent {
            _ if is_python => name_parts(&holders)
                .iter()
                .any(|part| part.starts_with("default")),
            Some(indent) => is_overridden(&rows, at, indent),
            None => true,
        };
        (is_default && wanted.accepts(value) && !row.contains('`'))
            .then(|| of_row(teller, file, at, row, (name, value), fit))
    };
    rows.iter().enumerate().filter_map(of).collect()
}

/// Whether the object goes on with `...options`, which overrides what stands before it.
fn is_overridden(rows: &[&str], at: usize, indent: &str) -> bool {
    let later = rows.iter().skip(at + 1).take(40);
    let mut inside = later.take_while(|row| row.starts_with(indent) || row.trim().is_empty());
    inside.any(|row| {
        row.strip_prefix(indent)
            .is_some_and(|row| row.starts_with("..."))
    })
}

/// Returns the names of the definitions that hold a row, and what else stands around it.
fn around(teller: &Teller<'_, '_>, file: FileId, at: usize, row: &str) -> (String, String) {
    let holders = holders(teller, file, Line(at as u32 + 1));
    (holders, format!("{} {row}", teller.path(file)))
}

/// Returns the names of the definitions that hold a line.
pub(super) fn holders(teller: &Teller<'_, '_>, file: FileId, line: Line) -> String {
    let all = teller.defined_in(file);
    let holders = all.filter(|(_, symbol)| symbol.lines.contains(line));
    let names: Vec<&str> = holders.map(|(_, it)| it.qualified.as_str()).collect();
    names.join(" ")
}

fn of_row(
    teller: &Teller<'_, '_>,
    file: FileId,
    at: usize,
    row: &str,
    (name, value): (&str, &str),
    fit: Fit,
) -> Claim {
    let line = Line(at as u32 + 1);
    let shown = row.trim().trim_end_matches([',', ';']).to_owned();
    let holder = teller
        .defined_in(file)
        .filter(|(_, it)| it.lines.contains(line))
        .last();
    let mut spans = match holder {
        Some((_, holder)) => vec![
            text("The body of "),
            code(holder.qualified.clone()),
            text(" in "),
        ],
        None => Vec::new(),
    };
    spans.extend([code(teller.path(file)), text(" has "), code(shown.clone())]);
    spans.extend([
        text(", so without another value "),
        code(name),
        text(" is "),
        code(value),
    ]);
    let source = Source {
        file,
        lines: LineRange::new(line, line),
        quotes: vec![shown],
        why: "default".to_owned(),
    };
    Claim::new(fit, value.to_owned(), spans, vec![source])
}
