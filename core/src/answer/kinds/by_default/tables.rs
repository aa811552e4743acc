//! Defaults in tables of options (`poolSize: { default: 100 }`), behind `??`, and marked by
//! `#[default]`.

use std::sync::LazyLock;

use regex::Regex;

use super::code::{constant, holders};
use super::wanted::Wanted;
use super::{Claim, Fit};
use crate::answer::Span;
use crate::answer::kinds::listing::{named, one_line, slice};
use crate::answer::kinds::parameters::MAX_DEFAULT;
use crate::answer::kinds::teller::Teller;
use crate::answer::notes::{Source, code, text};
use crate::lang::{Language, Symbol, SymbolId, SymbolKind};
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// Most rows between an option's name and its default.
const ROWS: usize = 12;

/// Matches the first row of an option with properties: `poolSize: {`.
static OPTION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"^(?P<indent>\s+)["']?(?P<name>\w+)["']?\s*:\s*\{\s*$"#).ok());

/// Matches the property that says its default.
static DEFAULT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"^\s+["']?default["']?\s*:\s*(?P<value>[^,{\[]+?),?\s*$"#).ok());

/// Matches a fallback: `o.limit ?? LIMIT`.
static FALLBACK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"\b(?P<name>[A-Za-z_]\w*)\s*(?:\?\?\s*[\w.]+\s*)*?\?\?\s*(?P<value>{VALUE})\s*(?:[,;)}}]|$)"
    ))
    .ok()
});

/// A literal, or the name of a constant.
const VALUE: &str = r#"(?:"[^"`]*"|'[^'`]*'|`[^`$]*`|[\w.]+)"#;

/// Matches a property that is taken out of an object, if that lacks it: `limit = 10,`.
static TAKEN_OUT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"^\s+(?:\w+\s*:\s*)?(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>{VALUE}),$"
    ))
    .ok()
});

/// Matches what documentation gives as a default: `@defaultValue 10`.
static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s*/?\*+\s*@default(?:Value)?\s+(?P<value>[^*]+?)\s*(?:\*/)?$").ok()
});

/// Matches a property, a method or a field that documentation precedes: `readonly limit?:`.
static MEMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"^\s*(?:(?:public|readonly|static|get|set)\s+)*(?P<name>[A-Za-z_$]\w*)[?!]?\s*[:(=]",
    )
    .ok()
});

/// Returns the defaults of these forms in a file.
pub(super) fn claims(teller: &Teller<'_, '_>, wanted: &Wanted, file: FileId) -> Vec<Claim> {
    let parsed = teller.index.parsed.get(file.0 as usize);
    match parsed.map(|parsed| parsed.language) {
        Some(Language::JavaScript | Language::TypeScript) => {
            let mut found = of_options(teller, wanted, file);
            found.extend(of_fallbacks(teller, wanted, file));
            found.extend(of_tags(teller, wanted, file));
            found
        }
        Some(Language::Rust) => of_variants(teller, wanted, file),
        _ => Vec::new(),
    }
}

fn of_options(teller: &Teller<'_, '_>, wanted: &Wanted, file: FileId) -> Vec<Claim> {
    let all = teller.file_text(file);
    let (Some(option), Some(default)) = (OPTION.as_ref(), DEFAULT.as_ref()) else {
        return Vec::new();
    };
    if !all.contains("default") {
        return Vec::new();
    }
    let rows: Vec<&str> = all.lines().collect();
    let of = |(at, row): (usize, &&str)| {
        let found = wanted.may_be_in(row).then(|| option.captures(row))??;
        let (indent, name) = (found.name("indent")?.as_str(), found.name("name")?.as_str());
        let inside = rows.iter().enumerate().skip(at + 1).take(ROWS);
        let mut inside = inside.take_while(|(_, row)| !row.starts_with(&format!("{indent}}}")));
        let (below, value) = inside.find_map(|(below, row)| {
            let found = default.captures(row)?;
            Some((below, found.name("value")?.as_str()))
        })?;
        let fit = wanted.fit(name, "", teller.path(file), 0)?;
        let shown = rows.get(below)?.trim().trim_end_matches(',');
        let quotes = vec![name.to_owned(), shown.to_owned()];
        let lines = LineRange::new(Line(at as u32 + 1), Line(below as u32 + 1));
        let said = vec![code(teller.path(file)), text(" gives "), code(name)];
        claim(teller, wanted, fit, said, (file, lines, quotes), value)
    };
    rows.iter().enumerate().filter_map(of).collect()
}

fn of_fallbacks(teller: &Teller<'_, '_>, wanted: &Wanted, file: FileId) -> Vec<Claim> {
    let all = teller.file_text(file);
    let (Some(fallback), Some(taken_out)) = (FALLBACK.as_ref(), TAKEN_OUT.as_ref()) else {
        return Vec::new();
    };
    let of = |(line, row): (u32, &str)| {
        let is_one = row.contains('=') || row.contains("??");
        let is_one = is_one && wanted.may_be_in(row);
        let captures = || fallback.captures(row).or_else(|| taken_out.captures(row));
        let found = is_one.then(captures)??;
        let (name, value) = (found.name("name")?.as_str(), found.name("value")?.as_str());
        let owners = holders(teller, file, Line(line));
        let fit = wanted.fit(name, &owners, teller.path(file), 1)?;
        let lines = LineRange::new(Line(line), Line(line));
        // Code is shown between such signs.
        let value = value.trim_matches('`');
        let quotes = vec![name.to_owned(), value.to_owned()];
        let said = vec![code(teller.path(file)), text(" gives "), code(name)];
        (value != name).then(|| claim(teller, wanted, fit, said, (file, lines, quotes), value))?
    };
    (1..).zip(all.lines()).filter_map(of).collect()
}

fn of_tags(teller: &Teller<'_, '_>, wanted: &Wanted, file: FileId) -> Vec<Claim> {
    let all = teller.file_text(file);
    let (Some(tag), Some(member)) = (TAG.as_ref(), MEMBER.as_ref()) else {
        return Vec::new();
    };
    if !all.contains("@default") {
        return Vec::new();
    }
    let rows: Vec<&str> = all.lines().collect();
    let of = |(at, row): (usize, &&str)| {
        let value = tag.captures(row)?.name("value")?.as_str();
        let value = value.trim_matches(|c: char| c == '`' || c == '.');
        let after = rows.iter().enumerate().skip(at + 1).take(ROWS);
        let is_prose = |row: &str| row.trim_start().starts_with(['*', '/', '@']);
        let (below, row) = after.into_iter().find(|(_, row)| !is_prose(row))?;
        let name = member.captures(row)?.name("name")?.as_str();
        let before = rows.get(..at)?.iter().rev();
        let told: Vec<&str> = before.take_while(|row| is_prose(row)).copied().collect();
        let line = Line(below as u32 + 1);
        let owners = holders(teller, file, line);
        let context = format!("{} {}", teller.path(file), told.join(" "));
        let fit = wanted.fit(name, &owners, &context, 2)?;
        let lines = LineRange::new(Line(at as u32 + 1), line);
        let quotes = vec![value.to_owned(), name.to_owned()];
        let said = vec![code(teller.path(file)), text(" documents for "), code(name)];
        claim(teller, wanted, fit, said, (file, lines, quotes), value)
    };
    rows.iter().enumerate().filter_map(of).collect()
}

/// States `said` with the default; if that is a constant of the file, with its value.
fn claim(
    teller: &Teller<'_, '_>,
    wanted: &Wanted,
    fit: Fit,
    mut said: Vec<Span>,
    (file, lines, quotes): (FileId, LineRange, Vec<String>),
    value: &str,
) -> Option<Claim> {
    let mut value = value.trim().to_owned();
    said.extend([text(" the default "), code(one_line(&value, MAX_DEFAULT))]);
    let mut sources = vec![Source {
        file,
        lines,
        quotes,
        why: "default".to_owned(),
    }];
    if let Some((set, source)) = constant(teller, file, &value) {
        let shown = code(one_line(&set, MAX_DEFAULT));
        said.extend([text(", which is set to "), shown]);
        sources.push(source);
        value = set;
    }
    let is_sayable = !value.contains('`') && wanted.accepts(&value);
    is_sayable.then(|| Claim::new(fit, value, said, sources))
}

/// Finds the variant of an enumeration that `#[default]` marks.
fn of_variants(teller: &Teller<'_, '_>, wanted: &Wanted, file: FileId) -> Vec<Claim> {
    if !teller.file_text(file).contains("#[default]") {
        return Vec::new();
    }
    let inside = teller.defined_in(file);
    let enums = inside.filter(|(_, symbol)| symbol.kind == SymbolKind::Enum);
    enums
        .filter_map(|(id, symbol)| of_variant(teller, wanted, id, symbol))
        .collect()
}

fn of_variant(
    teller: &Teller<'_, '_>,
    wanted: &Wanted,
    id: SymbolId,
    symbol: &Symbol,
) -> Option<Claim> {
    let rows = (symbol.lines.start().0..).zip(slice(teller, id.file, symbol.lines).lines());
    let mut after = rows.skip_while(|(_, row)| row.trim() != "#[default]");
    let (mark, _) = after.next()?;
    let is_beside = |row: &str| row.trim().starts_with("#[") || row.trim().starts_with("//");
    let (line, row) = after.find(|(_, row)| !is_beside(row))?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let row = row.trim();
    let name = row.get(..row.find(|c| !is_name(c)).unwrap_or(row.len()))?;
    let context = format!("{} {} variant", teller.path(id.file), symbol.doc);
    let fit = wanted.fit(&symbol.name, &symbol.qualified, &context, 0)?;
    let mut spans = named(teller, id);
    spans.extend([text(" has the default variant "), code(name)]);
    let source = Source {
        file: id.file,
        lines: LineRange::new(Line(mark), Line(line)),
        quotes: vec![name.to_owned()],
        why: "default".to_owned(),
    };
    (!name.is_empty()).then(|| Claim::new(fit, name.to_owned(), spans, vec![source]))
}
