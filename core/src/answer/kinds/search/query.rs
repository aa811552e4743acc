//! Reads a search: its texts, its regular expressions and its filters.

use regex::{Regex, RegexBuilder};

use super::pieces::{Piece, pieces, without_verb};
use crate::lang::Language;

/// Maximum size of a compiled expression, in bytes.
const MAX_SIZE: usize = 1 << 20;

/// Longest search that is read, in bytes.
const MAX_BYTES: usize = 1_000;

/// A search.
pub(super) struct Query {
    /// All of them must match a line. Empty if `symbol:` searches for definitions.
    pub patterns: Vec<Regex>,
    /// Limits the search to lines inside definitions with this name.
    pub symbol: Option<String>,
    pub is_expression: bool,
    /// What is searched for, as the user wrote it.
    pub shown: String,
    filters: Vec<Filter>,
}

struct Filter {
    by: By,
    value: String,
    is_not: bool,
}

enum By {
    Path,
    File,
    Language,
}

impl Query {
    /// Returns `None` if the question is not a search; an error says why a search is impossible.
    pub(crate) fn read(question: &str) -> Option<Result<Self, String>> {
        let question = without_verb(question.trim());
        if question.len() > MAX_BYTES {
            return None;
        }
        let mut query = Self {
            patterns: Vec::new(),
            symbol: None,
            is_expression: false,
            shown: String::new(),
            filters: Vec::new(),
        };
        let mut wanted = Vec::new();
        let mut loose: Vec<String> = Vec::new();
        for piece in pieces(question)? {
            match piece {
                Piece::Word(word) => {
                    if !query.filter(&word) {
                        loose.push(word);
                    }
                }
                piece => wanted.push(piece),
            }
        }
        let is_filtered = !query.filters.is_empty() || query.symbol.is_some();
        match (wanted.is_empty(), loose.is_empty()) {
            // Words beside a quoted text make it an ordinary question.
            (false, false) => return None,
            (true, _) if !is_filtered => return None,
            (true, true) if query.symbol.is_none() => return None,
            (true, false) => wanted.push(Piece::Literal(loose.join(" "))),
            _ => {}
        }
        Some(query.compile(wanted))
    }

    fn compile(mut self, wanted: Vec<Piece>) -> Result<Self, String> {
        let mut shown = Vec::new();
        for piece in wanted {
            let (pattern, flags) = match piece {
                Piece::Literal(literal) | Piece::Word(literal) => {
                    shown.push(literal.clone());
                    (regex::escape(&literal), String::new())
                }
                Piece::Expression(pattern, flags) => {
                    shown.push(format!("/{pattern}/{flags}"));
                    self.is_expression = true;
                    (pattern, flags)
                }
            };
            self.patterns.push(compiled(&pattern, &flags)?);
        }
        self.shown = match (&self.symbol, shown.is_empty()) {
            (Some(symbol), true) => symbol.clone(),
            _ => shown.join(" "),
        };
        Ok(self)
    }

    /// Whether all patterns match a line.
    pub(crate) fn matches(&self, row: &str) -> bool {
        self.patterns.iter().all(|pattern| pattern.is_match(row))
    }

    /// Whether a file passes the filters; several of one kind are alternatives.
    pub(crate) fn takes(&self, path: &str, language: Language) -> bool {
        let fits = |filter: &&Filter| filter.fits(path, language);
        let denied = self
            .filters
            .iter()
            .filter(|filter| filter.is_not)
            .any(|filter| fits(&filter));
        let of = |wanted: fn(&By) -> bool| {
            let mut own = self
                .filters
                .iter()
                .filter(|filter| !filter.is_not && wanted(&filter.by))
                .peekable();
            own.peek().is_none() || own.any(|filter| fits(&filter))
        };
        !denied
            && of(|by| matches!(by, By::Path))
            && of(|by| matches!(by, By::File))
            && of(|by| matches!(by, By::Language))
    }

    /// Takes `path:src` and the like; returns false for any other word.
    fn filter(&mut self, word: &str) -> bool {
        let (is_not, word) = match word.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let Some((key, value)) = word.split_once(':') else {
            return false;
        };
        let value = value.trim_matches(['"', '\'', '`']).to_owned();
        // `file:///tmp` is an address.
        if value.is_empty() || value.starts_with(':') || value.starts_with("//") {
            return false;
        }
        let by = match key.to_lowercase().as_str() {
            "path" | "dir" | "folder" => By::Path,
            "file" | "filename" => By::File,
            "lang" | "language" => By::Language,
            "symbol" | "function" | "class" if !is_not => {
                self.symbol = Some(value);
                return true;
            }
            _ => return false,
        };
        self.filters.push(Filter { by, value, is_not });
        true
    }
}

impl Filter {
    fn fits(&self, path: &str, language: Language) -> bool {
        match self.by {
            By::Language => {
                let value = self.value.to_lowercase();
                let spec = language.spec();
                spec.name.to_lowercase() == value
                    || spec.words.contains(&value.as_str())
                    || spec.extensions.contains(&value.as_str())
            }
            By::File => {
                let name = path.rsplit('/').next().unwrap_or(path);
                fits(name, &self.value)
            }
            By::Path => fits(path, &self.value),
        }
    }
}

/// Whether `text` contains `value`, or matches it whole if it has a `*`.
fn fits(text: &str, value: &str) -> bool {
    let value = value.trim_start_matches("./");
    if !value.contains('*') {
        return text.to_lowercase().contains(&value.to_lowercase());
    }
    let pattern = regex::escape(value)
        .replace("\\*\\*/", "(?:.*/)?")
        .replace("\\*\\*", ".*")
        .replace("\\*", "[^/]*");
    let pattern = Regex::new(&format!("(?i)(?:^|/){pattern}$"));
    pattern.is_ok_and(|pattern| pattern.is_match(text))
}

fn compiled(pattern: &str, flags: &str) -> Result<Regex, String> {
    let mut builder = RegexBuilder::new(pattern);
    builder.size_limit(MAX_SIZE).dfa_size_limit(MAX_SIZE);
    for flag in flags.chars() {
        match flag {
            'i' => builder.case_insensitive(true),
            'x' => builder.ignore_whitespace(true),
            // Lines are matched one by one, every match, as Unicode.
            'g' | 'm' | 's' | 'u' => &mut builder,
            other => {
                return Err(format!(
                    "The expression has the unknown flag {other}: use i or x."
                ));
            }
        };
    }
    builder.build().map_err(|error| reason(pattern, &error))
}

/// Returns why an expression cannot be searched for, in one sentence.
fn reason(pattern: &str, error: &regex::Error) -> String {
    let why = match error {
        regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
        other => {
            let text = other.to_string();
            let last = text.lines().last().unwrap_or_default();
            last.trim_start_matches("error: ").to_owned()
        }
    };
    format!("The expression /{pattern}/ cannot be searched for: {why}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_makes_a_search_and_an_address_does_not() {
        assert!(Query::read("retry path:src").is_some());
        for question in ["how are file:///tmp urls read", "what is std::io for"] {
            assert!(Query::read(question).is_none(), "{question}");
        }
    }
}
