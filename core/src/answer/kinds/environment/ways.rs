//! How code reads a variable, as the languages' folders write it.

use std::collections::BTreeSet;

use regex::Regex;

use crate::answer::kinds::texts::{Text, is_of_word, words};
use crate::lines::LineRange;

/// A way to read a variable.
pub(super) struct Way {
    /// Its first group captures a name that is written out, its second one that is not.
    pub pattern: Regex,
    /// Whether the first group captures several names: `const { HOME, PATH = "" } = process.env`.
    pub is_list: bool,
    /// The lines in which it reads the environment; `None` for everywhere.
    pub within: Option<LineRange>,
}

impl Way {
    /// Parses the notation of [`LanguageSpec::environment`](crate::lang::spec::LanguageSpec).
    pub(super) fn new(written: &str) -> Option<Self> {
        if let Some(rest) = written.strip_prefix("{@}") {
            let rest = regex::escape(rest).replace(' ', "\\s*");
            let pattern =
                Regex::new(&format!("\\{{([^{{}}]*)\\}}{rest}\\s*(?:[;,)\\n]|$)")).ok()?;
            return Some(Self {
                pattern,
                is_list: true,
                within: None,
            });
        }
        let opened = match written.ends_with("\"@\"]") {
            true => written.trim_end_matches(']'),
            false => written,
        };
        let escaped = regex::escape(opened).replace("\\(", "\\(\\s*");
        // A name that is written out, or what stands in its place.
        let quoted =
            "(?:[\"'`]([A-Za-z_]\\w*)[\"'`]\\s*[,)\\]]|([^,()\\]\\n]+(?:\\([^()\\n]*\\))?))";
        let escaped = match opened.ends_with("\"@\"") {
            true => escaped.replace("\"@\"", quoted),
            false => escaped.replace("\"@\"", "[\"'`]([A-Za-z_]\\w*)[\"'`]"),
        };
        let escaped = escaped.replace('@', "([A-Za-z_]\\w*)");
        let start = match written.starts_with(|c: char| c.is_alphanumeric()) {
            true => "\\b",
            false => "",
        };
        Regex::new(&format!("{start}{escaped}"))
            .ok()
            .map(|pattern| Self {
                pattern,
                is_list: false,
                within: None,
            })
    }
}

/// Returns the names in a destructuring pattern, with where they stand: of `HOME: home, PATH = ""`
/// these are `HOME` and `PATH`.
pub(super) fn bound_names(list: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    for part in list.split(',') {
        let start = at + part.len() - part.trim_start().len();
        at += part.len() + 1;
        let name = part.trim_start();
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let name = name.get(..name.find(|c| !is_name(c)).unwrap_or(name.len()));
        found.extend(
            name.filter(|name| !name.is_empty())
                .map(|name| (start, name)),
        );
    }
    found
}

/// Whether the match is code that reads: not a comment, a string, an assignment or a removal.
pub(super) fn is_read(text: &Text<'_>, start: usize, end: usize) -> bool {
    let opening = text.text.get(start..end).unwrap_or_default();
    // `"X" in os.environ` begins with a string.
    let before = text.text.get(..start).unwrap_or_default();
    let row = before.rsplit('\n').next().unwrap_or_default();
    let row = row.trim_end_matches("os.").trim_end();
    let word = row.rsplit(|c| !is_of_word(c)).next();
    if matches!(word, Some("del" | "delete")) {
        return false;
    }
    let is_code = text.is_code(start) || opening.starts_with(['"', '\'']) && text.is_code(end - 1);
    let rest = text.text.get(end..).unwrap_or_default();
    let rest = rest.trim_start_matches([']', ')']).trim_start_matches(' ');
    let is_set = rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=~")
        || rest.starts_with(":=");
    is_code && (!is_set || rest.starts_with("=>"))
}

/// Returns the ways to read through other names for the whole environment, such as `env` in
/// `const env = process.env` or `import { env } from "node:process"`.
pub(super) fn through_aliases(text: &Text<'_>, written: &[&str]) -> Vec<Way> {
    let mut found = Vec::new();
    for root in roots(written) {
        for (alias, at) in aliases(text, root) {
            let around = text.enclosing(text.line(at));
            let around = around.and_then(|at| text.parsed.symbols.get(at as usize));
            let renamed = written.iter().filter_map(|way| {
                let rest = way
                    .strip_prefix(root)
                    .filter(|it| !it.starts_with(is_of_word))?;
                let way = Way::new(&format!("{alias}{rest}"))?;
                // `config.env.HOME` is a member of something else.
                let alone = way.pattern.as_str().trim_start_matches("\\b").to_owned();
                Some(Way {
                    pattern: Regex::new(&format!("(?m)(?:^|[^\\w.$]){alone}")).ok()?,
                    within: around.map(|symbol| symbol.lines),
                    ..way
                })
            });
            found.extend(renamed);
        }
    }
    found
}

/// Returns the expression that is the whole environment: `process.env` of `process.env.@`.
fn root(written: &str) -> Option<&str> {
    let root = [".@", "[\"@\"]"]
        .iter()
        .find_map(|end| written.strip_suffix(end));
    root.filter(|root| !root.is_empty())
}

fn roots<'w>(written: &[&'w str]) -> BTreeSet<&'w str> {
    written.iter().filter_map(|way| root(way)).collect()
}

/// Whether a text may take the expression that is the whole environment, or part of it.
pub(super) fn is_mentioned(text: &str, written: &str) -> bool {
    root(written).is_some_and(|root| {
        let (owner, last) = root.rsplit_once('.').unwrap_or(("", root));
        text.contains(root) || text.contains(owner) && !words(text, last).is_empty()
    })
}

/// Returns the names that a file's code gives to the whole environment, with where it does so.
fn aliases(text: &Text<'_>, root: &str) -> BTreeSet<(String, usize)> {
    let (owner, last) = root.rsplit_once('.').unwrap_or(("", root));
    let (root, owner, member) = (
        regex::escape(root),
        regex::escape(owner),
        regex::escape(last),
    );
    let assigned = format!(
        r"(?m)(?:^|[^\w.$])([A-Za-z_]\w*)\s*(?::[^=\n,;(){{}}]*)?=\s*(?:\w+\.)?{root}\s*(?:$|[;,)])"
    );
    // `const { env } = process`, `import { env as own } from "node:process"`
    let bound = format!(
        r#"(?m)\{{(?:[^{{}}]*[,\s])?{member}(?:\s*(?::|\bas\b)\s*([A-Za-z_]\w*))?\s*(?:,[^{{}}]*)?\}}\s*(?:=|from)\s*["']?(?:node:)?{owner}["']?\s*(?:$|[;,)])"#
    );
    let mut found = BTreeSet::new();
    for (pattern, is_used) in [(assigned, true), (bound, !owner.is_empty())] {
        let Some(pattern) = Regex::new(&pattern).ok().filter(|_| is_used) else {
            continue;
        };
        for captures in pattern.captures_iter(text.text) {
            let Some(whole) = captures.get(0) else {
                continue;
            };
            let name = captures.get(1);
            let at = name.map_or(whole.start(), |it| it.start());
            if text.is_code(at) {
                found.insert((name.map_or(last, |it| it.as_str()).to_owned(), at));
            }
        }
    }
    found
}

/// Returns where a file's code takes the environment as a whole: `run(process.env)`.
pub(super) fn taken_whole<'w>(text: &Text<'_>, written: &[&'w str]) -> Vec<(usize, &'w str)> {
    let mut found = Vec::new();
    for root in roots(written) {
        for at in words(text.text, root) {
            let before = text.text.get(..at).unwrap_or_default().trim_end();
            let is_bound = before
                .strip_suffix('=')
                .is_some_and(|it| it.trim_end().ends_with('}'));
            let after = text.text.get(at + root.len()..).unwrap_or_default();
            let is_member = after.trim_start().starts_with(['.', '[', '(', '?']);
            if text.is_code(at) && !is_bound && !is_member {
                found.push((at, root));
            }
        }
    }
    found
}
