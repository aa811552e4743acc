//! Defaults that no signature states: set in a function's body, written in an object of defaults,
//! or passed to a call that looks up a setting.

use regex::Regex;

use super::yes_or_no;
use crate::answer::kinds::built;
use crate::answer::kinds::listing::{members, named};
use crate::answer::kinds::parameters::CONSTRUCTORS;
use crate::answer::kinds::teller::Teller;
use crate::answer::notes::{Source, code, text};
use crate::index::tokens::code_tokens;
use crate::lang::{Role, SymbolId, SymbolKind};
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// Maximum number of places that are stated.
const MOST: usize = 4;

/// Matches a value up to the end of its argument or statement.
const VALUE: &str = r#"[^\s,;(){}\n=<>!&|][^,;(){}\n]*(?:\([^()\n]*\))?"#;

/// Names of functions that make an object, besides those of constructors.
const MAKERS: [&str; 3] = ["new", "default", "create"];

/// A line that sets a value, and how it does.
struct Written {
    line: Line,
    /// The line's text as it is shown.
    code: String,
    /// The value, if the line says that it applies when nothing else is set. A plain assignment can
    /// depend on the code around it.
    fallback: Option<String>,
}

impl Written {
    fn of(line: Line, row: &str) -> Self {
        Self {
            line,
            code: row.trim().trim_end_matches([',', ';']).trim().to_owned(),
            fallback: None,
        }
    }
}

/// Finds defaults in the bodies of functions, or of those that make an object of a class.
pub(super) fn of_code(teller: &mut Teller<'_, '_>, named_so: &[SymbolId], name: &str) -> bool {
    let mut places: Vec<SymbolId> = Vec::new();
    for id in named_so {
        let kind = teller.index.symbol(*id).map(|symbol| symbol.kind);
        match kind {
            Some(SymbolKind::Function | SymbolKind::Method) => places.push(*id),
            Some(kind) if kind.is_container() => {
                let makes = |id: &SymbolId| {
                    let member = teller.index.symbol(*id);
                    member.is_some_and(|member| {
                        let name = member.name.as_str();
                        CONSTRUCTORS.contains(&name) || MAKERS.contains(&name)
                    })
                };
                places.extend(members(teller, *id).into_iter().filter(makes));
            }
            _ => {}
        }
    }
    let said = places.iter().map(|id| in_body(teller, *id, name));
    said.take(MOST).filter(|said| *said).count() > 0
}

fn in_body(teller: &mut Teller<'_, '_>, id: SymbolId, name: &str) -> bool {
    let Some(symbol) = teller.index.symbol(id) else {
        return false;
    };
    let file_text = teller.file_text(id.file);
    let first = symbol.lines.start().0;
    let n = symbol.lines.count() as usize;
    let body = file_text.lines().skip(first as usize - 1).take(n);
    let mut rows = (first..).zip(body);
    let names = spellings(name);
    let found = names.iter().find_map(|name| {
        let sets = set_in_code(name)?;
        rows.clone()
            .find_map(|(line, row)| written(&sets, Line(line), row))
    });
    let found = found.or_else(|| {
        let words = code_tokens(name);
        rows.find_map(|(line, row)| field_with(&words, Line(line), row))
    });
    let Some(found) = found else {
        return false;
    };
    let answer = found.fallback.as_deref();
    let answer = answer.and_then(|value| yes_or_no(teller, value));
    let mut lead: Vec<_> = answer.into_iter().collect();
    lead.push(text("The body of "));
    lead.extend(named(teller, id));
    say(teller, id.file, lead, found)
}

fn say(
    teller: &mut Teller<'_, '_>,
    file: FileId,
    mut lead: Vec<crate::answer::Span>,
    found: Written,
) -> bool {
    if found.code.contains('`') {
        return false;
    }
    let source = Source {
        file,
        lines: LineRange::new(found.line, found.line),
        quotes: vec![found.code.clone()],
        why: "default".to_owned(),
    };
    lead.extend([text(" has "), code(found.code)]);
    teller.say(lead, &[source])
}

/// Returns the spellings of a name: `status code` is `status_code`, `statusCode`, or one of its
/// words.
fn spellings(name: &str) -> Vec<String> {
    let words: Vec<&str> = name.split([' ', '-']).collect();
    let mut all = vec![words.join("_")];
    if words.len() > 1 {
        let mut camel = String::new();
        for (at, word) in words.iter().enumerate() {
            let mut letters = word.chars();
            match (at, letters.next()) {
                (1.., Some(first)) => camel.extend(first.to_uppercase().chain(letters)),
                _ => camel.push_str(word),
            }
        }
        all.push(camel);
        all.extend(words.iter().map(|word| (*word).to_owned()));
    }
    all
}

/// Matches `setdefault("name", value)`, `name = name || value`, `var name = value` and
/// `{ name = value }`.
fn set_in_code(name: &str) -> Option<Regex> {
    let name = regex::escape(name);
    let literal = r#"(?:["'][^"'\n]*["']|-?\d[\d._]*|true|false|True|False|None|null|Infinity)"#;
    Regex::new(&format!(
        r#"(?:\b(?:setdefault|get|getOrDefault|option|pop)\(\s*["']{name}["']\s*,\s*(?P<fallback>{VALUE})\)|\b{name}\s*=\s*[^=\n]*?(?:\|\||\?\?|\bor\b)\s*(?P<or>{VALUE})|\b{name}\s*=\s*{literal}(?:\s*[,;}})\n]|\s*$))"#
    ))
    .ok()
}

fn written(sets: &Regex, line: Line, row: &str) -> Option<Written> {
    let found = sets.captures(row)?;
    let fallback = ["fallback", "or"].iter().find_map(|name| found.name(name));
    Some(Written {
        fallback: fallback.map(|value| value.as_str().trim().to_owned()),
        ..Written::of(line, row.trim().trim_end_matches([',', ';', '{']))
    })
}

/// Finds `max_interval: Duration::from_secs(15)` for `interval`.
fn field_with(words: &[String], line: Line, row: &str) -> Option<Written> {
    let row = row.trim();
    let (field, value) = row
        .split_once(": ")
        .or_else(|| row.trim_start_matches("self.").split_once(" = "))?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let tokens = code_tokens(field);
    let fits = field.chars().all(is_name) && words.iter().all(|word| tokens.contains(word));
    let has_value = value.contains(|c: char| c.is_ascii_digit() || c == '"' || c == '\'');
    (fits && has_value).then(|| Written::of(line, row))
}

/// Finds defaults in objects of defaults, and where a setting is looked up or set by its name.
pub(super) fn anywhere(teller: &mut Teller<'_, '_>, name: &str) -> bool {
    let name = name.trim_matches(['`', '"', '\'']);
    let escaped = regex::escape(name);
    // The second argument of a call such as `log("timeout", 5)` is not a default.
    let looked_up = Regex::new(&format!(
        r#"(?i:get|set|opt|default|config|env|pref|param|arg)\w*\(\s*["']{escaped}["']\s*,\s*(?P<value>{VALUE})\)"#
    ));
    let entry = Regex::new(&format!(
        r#"^\s*["']?{escaped}["']?\s*[:=]\s*(?:{VALUE}|\[\]|\{{\}})"#
    ));
    let (Ok(looked_up), Ok(entry)) = (looked_up, entry) else {
        return false;
    };
    let mut n = 0;
    for file in (0..teller.index.repo.files.len() as u32).map(FileId) {
        let is_own = !matches!(
            Role::of(teller.path(file)),
            Role::Test | Role::Docs | Role::Example
        );
        if n == MOST || !is_own || built::is_built(teller.index, file) {
            continue;
        }
        let text = teller.file_text(file);
        if !text.contains(name) {
            continue;
        }
        let found = in_defaults(text, &entry).or_else(|| looked_up_in(text, &looked_up));
        if let Some(found) = found {
            let lead = vec![code(teller.path(file))];
            n += usize::from(say(teller, file, lead, found));
        }
    }
    n > 0
}

/// Returns the first such entry of an object whose first line mentions defaults.
fn in_defaults(text: &str, entry: &Regex) -> Option<Written> {
    let mut inside: Option<usize> = None;
    let indent = |row: &str| row.len() - row.trim_start().len();
    for (line, row) in (1..).zip(text.lines()) {
        if let Some(outer) = inside {
            if entry.is_match(row) {
                return Some(Written::of(Line(line), row));
            }
            if !row.trim().is_empty() && indent(row) <= outer {
                inside = None;
            }
        }
        let opens = row.trim_end().ends_with(['{', '(', '[']);
        let is_named = row
            .to_lowercase()
            .replace("export default", "")
            .contains("default");
        if opens && is_named {
            inside = Some(indent(row));
        }
    }
    None
}

fn looked_up_in(text: &str, looked_up: &Regex) -> Option<Written> {
    (1..).zip(text.lines()).find_map(|(line, row)| {
        let value = looked_up.captures(row)?.name("value")?.as_str().trim();
        let is_value = value.starts_with(|c: char| c.is_ascii_digit() || "\"'-".contains(c))
            || matches!(value, "true" | "false" | "True" | "False" | "null" | "None");
        is_value.then(|| Written::of(Line(line), row))
    })
}
