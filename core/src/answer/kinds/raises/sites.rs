//! The places at which code raises errors, found by the expressions of its language.

use regex::Regex;

use crate::answer::definition::Definition;
use crate::answer::kinds::teller::Teller;
use crate::answer::kinds::texts::{Text, shown};
use crate::answer::notes::Entry;
use crate::lines::Line;
use crate::parse::shape::When;

/// Number of lines above a place in which a raised variable may get its value.
const BEFORE: u32 = 40;

/// A place at which something is raised.
pub(super) struct Site {
    pub line: Line,
    /// The error's name; `None` for one that was caught or passed in.
    pub error: Option<String>,
    /// The enclosing function.
    pub place: String,
    pub entry: Entry,
}

/// Returns all places of a file, in order.
pub(super) fn in_file(teller: &Teller<'_, '_>, source: &Text<'_>) -> Vec<Site> {
    let ways = source.parsed.language.spec().raises.iter();
    let ways: Vec<Regex> = ways.filter_map(|way| Regex::new(way).ok()).collect();
    let mut found: Vec<(usize, String)> = Vec::new();
    for way in &ways {
        for captures in way.captures_iter(source.text) {
            let Some(whole) = captures.get(0) else {
                continue;
            };
            let name = captures.get(1).map_or("", |name| name.as_str());
            if source.is_code(whole.start()) && raises(source.text, whole.start(), whole.end()) {
                found.push((whole.start(), name.to_owned()));
            }
        }
    }
    found.sort();
    let mut sites: Vec<Site> = Vec::new();
    for (at, written) in found {
        let line = source.line(at);
        let error = error(source, line, &written, at);
        let is_known = |site: &Site| site.line == line && site.error == error;
        if !sites.iter().any(is_known) {
            sites.push(site(teller, source, line, error));
        }
    }
    sites
}

fn site(teller: &Teller<'_, '_>, source: &Text<'_>, line: Line, error: Option<String>) -> Site {
    let mut detail = shown(source.row(line));
    if let Some(when) = condition(teller, source, line) {
        detail = format!("{detail} {when}");
    }
    // The class of what a variable holds is named on another line.
    let last = |error: &String| {
        error
            .rsplit(['.', ':'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let quote = error.as_ref().map(last).unwrap_or_default();
    let quote = match source.row(line).contains(&quote) {
        true => quote,
        false => String::new(),
    };
    let name = error.clone().unwrap_or_else(|| source.place(line));
    Site {
        line,
        place: source.place(line),
        entry: source.entry(line, name, detail, &quote),
        error,
    }
}

/// Returns the condition that must hold, if the syntax tells.
fn condition(teller: &Teller<'_, '_>, source: &Text<'_>, line: Line) -> Option<String> {
    let definition = Definition::new(teller.index, source.file, source.enclosing(line)?)?;
    let shape = teller.syntax.shape(&definition);
    let exit = shape.raised.iter().find(|exit| exit.value.line == line)?;
    let short = |condition: &String| shown(condition);
    match &exit.when {
        When::If(condition) => Some(format!("— if {}", short(condition))),
        When::Unless(condition) => Some(format!("— unless {}", short(condition))),
        When::Always | When::Sometimes => None,
    }
}

/// Whether a match is a statement: not a member with that name (`iterator.throw`), not a pattern
/// (`Err(E) =>`).
fn raises(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    if before.ends_with('.') && !text.get(start..).is_some_and(|text| text.starts_with('.')) {
        return false;
    }
    let opening = text.get(start..end).unwrap_or_default();
    if !opening.starts_with("Err(") {
        return true;
    }
    let mut depth = 0i32;
    let rest = text.get(start..).unwrap_or_default();
    for (at, sign) in rest.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            let behind = rest.get(at + 1..).unwrap_or_default().trim_start();
            let is_test = behind.starts_with("==");
            let is_pattern = ["=>", "=", "|", "if "];
            return !is_test && !is_pattern.iter().any(|sign| behind.starts_with(sign));
        }
    }
    false
}

/// Returns the name of what is raised.
fn error(source: &Text<'_>, line: Line, written: &str, at: usize) -> Option<String> {
    let written = written
        .trim_end_matches(['.', ':'])
        .trim_start_matches('\\');
    if written.is_empty() || written == "new" {
        return None;
    }
    if let Some(said) = written.strip_prefix('"') {
        return Some(shown(said));
    }
    let opening = source.text.get(at..).unwrap_or_default();
    let behind = opening.find(written).map(|from| from + written.len());
    let behind = behind
        .and_then(|end| opening.get(end..))
        .unwrap_or_default();
    let last = written.rsplit(['.', ':', '\\']).next().unwrap_or(written);
    let is_made = behind.starts_with(['(', '{', '!']) || last == "new";
    let is_type = last.starts_with(char::is_uppercase);
    if is_type || is_made || written.contains("::") {
        return Some(tidy(written));
    }
    assigned(source, line, written)
}

/// Shortens a name: `Foo.new` → `Foo`, `exceptions.HTTPError` → `HTTPError`.
fn tidy(written: &str) -> String {
    let name = written.strip_suffix(".new").unwrap_or(written);
    match name.rsplit_once(['.', '\\']) {
        Some((_, last)) if last.starts_with(char::is_uppercase) => last.to_owned(),
        _ => name.to_owned(),
    }
}

/// Returns the class of what a variable was set to above: `err = new Error(…)`.
fn assigned(source: &Text<'_>, line: Line, name: &str) -> Option<String> {
    let pattern = format!(
        "\\b{}\\b\\s*(?::[^=\\n]*)?:?=\\s*(?:new\\s+)?([A-Z][\\w.]*)\\s*\\(",
        regex::escape(name)
    );
    let pattern = Regex::new(&pattern).ok()?;
    let around = source.enclosing(line)?;
    let first = source.parsed.symbols.get(around as usize)?.lines.start();
    let first = first.0.max(line.0.saturating_sub(BEFORE));
    let mut above = (first..line.0).rev().map(Line);
    let made = above.find_map(|line| pattern.captures(source.row(line)))?;
    Some(tidy(made.get(1)?.as_str()))
}
