//! Reads unfinished code: its language, what it imports, and the names in it.

use std::collections::BTreeSet;

use super::wording::Fragment;
use crate::index::Index;
use crate::lang::{Language, Parsed};
use crate::lines::Line;
use crate::parse;

/// Longest code that is read, in bytes; of longer code, only the end is.
const MAX_BYTES: usize = 400_000;

/// Maximum number of names that are examined; the last ones in longer code.
const MAX_NAMES: usize = 20_000;

/// Words before a name that the code itself defines.
const DECLARING: [&str; 14] = [
    "def", "class", "fn", "let", "mut", "const", "var", "val", "for", "as", "func", "function",
    "struct", "lambda",
];

/// Operators before a name that is a member of what stands before them.
const MEMBER: [&str; 5] = [".", "::", "->", "?.", "&."];

/// A name in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub text: String,
    pub line: Line,
    /// What it is a member of, if that is a name too; empty for a member of anything else.
    pub of: Option<String>,
    pub is_called: bool,
}

/// Parsed unfinished code.
pub(super) struct Code {
    pub text: String,
    pub path: Option<String>,
    pub parsed: Parsed,
    /// The names, in order.
    pub names: Vec<Name>,
    /// The names that the code itself defines or assigns.
    pub own: BTreeSet<String>,
    /// The line from which on names count most.
    pub last_from: Line,
    pub last_line: Line,
}

impl Code {
    pub(crate) fn new(index: &Index, fragment: &Fragment) -> Self {
        let text = ending(fragment.code.trim_end()).to_owned();
        let language = fragment.language.unwrap_or_else(|| guessed(index, &text));
        let parsed = parse::parse_as(language, &text);
        let last_line = Line(text.lines().count().max(1) as u32);
        let mut code = Self {
            last_from: first_of_last(&text, fragment.last_lines),
            path: fragment.path.clone(),
            names: Vec::new(),
            own: parsed.symbols.iter().map(|it| it.name.clone()).collect(),
            parsed,
            text,
            last_line,
        };
        code.read_names();
        code
    }

    /// Returns the last lines.
    pub(crate) fn last_lines(&self) -> String {
        let skipped = self.last_from.0.saturating_sub(1) as usize;
        let lines: Vec<&str> = self.text.lines().skip(skipped).collect();
        lines.join("\n")
    }

    /// Returns the heads of the definitions in which the code stops.
    pub(crate) fn around(&self) -> Vec<&str> {
        let symbols = self.parsed.symbols.iter();
        let around = symbols.filter(|it| it.lines.contains(self.last_line));
        around.map(|it| it.signature.as_str()).collect()
    }

    /// Whether a line is one of the last.
    pub(crate) fn is_last(&self, line: Line) -> bool {
        line >= self.last_from
    }

    fn read_names(&mut self) {
        let words = words(self.parsed.language, &self.text);
        let said = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |it| it.1);
        let mut names = Vec::new();
        let mut own = Vec::new();
        for (at, &(line, word)) in words.iter().enumerate() {
            if !is_name(word) {
                continue;
            }
            let before = said(at.checked_sub(1));
            let behind = said(Some(at + 1));
            let is_member = MEMBER.contains(&before);
            let sets = matches!(behind, "=" | ":=") && !is_member;
            if DECLARING.contains(&before) || sets && !is_argument(&words, at) {
                own.push(word.to_owned());
            }
            let owner = || said(at.checked_sub(2)).trim_matches('"').to_owned();
            names.push(Name {
                text: word.to_owned(),
                line,
                of: is_member.then(|| Some(owner()).filter(|it| is_name(it)).unwrap_or_default()),
                is_called: matches!(behind, "(" | "!"),
            });
        }
        let skipped = names.len().saturating_sub(MAX_NAMES);
        self.names = names.split_off(skipped);
        self.own.extend(own);
    }
}

/// Whether `name =` passes a keyword argument: a bracket before it is still open.
fn is_argument(words: &[(Line, &str)], at: usize) -> bool {
    const LOOK_BACK: usize = 60;
    let mut depth = 0i32;
    let before = words.get(at.saturating_sub(LOOK_BACK)..at);
    for (_, word) in before.unwrap_or_default().iter().rev() {
        match *word {
            ")" | "]" => depth += 1,
            "(" | "[" => depth -= 1,
            "{" | "}" | ";" => return false,
            _ => {}
        }
        if depth < 0 {
            return true;
        }
    }
    false
}

/// Returns the words and operators with their lines, without comments and strings if a grammar
/// tells them apart.
fn words(language: Language, text: &str) -> Vec<(Line, &str)> {
    if let Some(code) = parse::code(language, text) {
        let said = code.tokens.iter().filter_map(|token| {
            let bytes = token.bytes.start as usize..token.bytes.end as usize;
            Some((token.line, text.get(bytes)?))
        });
        return said.collect();
    }
    let mut words = Vec::new();
    for (line, row) in (1..).map(Line).zip(text.lines()) {
        let mut rest = row;
        while let Some(sign) = rest.chars().next() {
            let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
            let end = match is_part(sign) {
                true => rest.find(|sign| !is_part(sign)).unwrap_or(rest.len()),
                false => sign.len_utf8(),
            };
            let (word, behind) = rest.split_at(end);
            if !word.trim().is_empty() {
                words.push((line, word));
            }
            rest = behind;
        }
    }
    words
}

fn is_name(word: &str) -> bool {
    let starts = word.starts_with(|sign: char| sign.is_alphabetic() || sign == '_');
    starts
        && word
            .chars()
            .all(|sign| sign.is_alphanumeric() || sign == '_')
        && word != "_"
}

/// Returns the end of a long text, from the beginning of a line.
fn ending(text: &str) -> &str {
    let from = text.len().saturating_sub(MAX_BYTES);
    if from == 0 {
        return text;
    }
    let rest = text.get(text.ceil_char_boundary(from)..).unwrap_or(text);
    rest.split_once('\n').map_or(rest, |(_, rest)| rest)
}

/// Returns the first of the last `n` non-blank lines.
fn first_of_last(text: &str, n: usize) -> Line {
    let lines = (1..).map(Line).zip(text.lines());
    let lines: Vec<Line> = lines
        .filter(|(_, row)| !row.trim().is_empty())
        .map(|(line, _)| line)
        .collect();
    let first = lines.len().saturating_sub(n);
    lines.get(first).copied().unwrap_or(Line(1))
}

/// Guesses the language of code without a name: among the repository's languages, the one whose
/// grammar parses most of it.
fn guessed(index: &Index, text: &str) -> Language {
    const MAX_LANGUAGES: usize = 4;
    const LOOK_AT: usize = 8_000;
    let by_first_line = Language::detect("script", text);
    if by_first_line.is_code() {
        return by_first_line;
    }
    let mut counts: Vec<(usize, Language)> = Vec::new();
    for parsed in index.parsed.iter().filter(|it| it.language.is_code()) {
        match counts.iter_mut().find(|(_, it)| *it == parsed.language) {
            Some((n, _)) => *n += 1,
            None => counts.push((1, parsed.language)),
        }
    }
    counts.sort_by_key(|(n, language)| (std::cmp::Reverse(*n), *language));
    counts.truncate(MAX_LANGUAGES);
    let head = text
        .get(..text.floor_char_boundary(LOOK_AT))
        .unwrap_or(text);
    let mut best = (i64::MIN, Language::Text);
    for (_, language) in counts {
        let parsed = parse::parse_as(language, head);
        let found = parsed.imports.len() * 3 + parsed.symbols.len() * 2 + parsed.calls.len();
        let good = found as i64 - 4 * parsed.problems.len() as i64;
        if good > best.0 {
            best = (good, language);
        }
    }
    best.1
}
