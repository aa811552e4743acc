//! A symbol as the subject of a statement: its name, what its documentation says, its lines.

use super::Span;
use super::notes::{Notes, Source, code, text, words_of};
use super::prose::{Clause, clause, code_list};
use crate::index::Index;
use crate::lang::{Call, Parsed, Symbol, SymbolKind};
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// Longest definition that is cited whole; of a longer one its head.
const MAX_LINES: u32 = 60;
/// Lines after the name that are tried as the head of a long definition, shortest first.
const HEADS: [u32; 4] = [8, 16, 30, 59];

/// A symbol of a file of the index.
#[derive(Clone, Copy)]
pub(super) struct Definition<'i> {
    pub file: FileId,
    pub path: &'i str,
    pub parsed: &'i Parsed,
    /// Index into `parsed.symbols`.
    pub at: u32,
    pub symbol: &'i Symbol,
}

impl<'i> Definition<'i> {
    pub(crate) fn new(index: &'i Index, file: FileId, at: u32) -> Option<Self> {
        let (source, parsed) = index.file(file)?;
        Some(Self {
            file,
            path: &source.path,
            parsed,
            at,
            symbol: parsed.symbols.get(at as usize)?,
        })
    }

    pub(crate) fn is(&self, other: &Definition<'_>) -> bool {
        self.file == other.file && self.at == other.at
    }

    /// Whether it holds definitions of its own: a class, a trait, a module.
    pub(crate) fn is_container(&self) -> bool {
        self.symbol.kind.is_container()
    }

    /// Whether a statement can name it: it is code, and its name has letters.
    pub(crate) fn is_sayable(&self) -> bool {
        let is_text = matches!(self.symbol.kind, SymbolKind::Section | SymbolKind::Key);
        !is_text && self.symbol.name.chars().any(char::is_alphanumeric)
    }

    /// Calls written inside it, in order of lines; for a class those of its methods too.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &'i Call> {
        let (parsed, at) = (self.parsed, self.at);
        parsed
            .calls
            .iter()
            .filter(move |call| call.caller.is_some_and(|caller| owns(parsed, at, caller)))
    }

    /// It and the definitions inside it, as indexes into the symbols of its file.
    pub(crate) fn inner(&self) -> impl Iterator<Item = u32> {
        let (parsed, at) = (self.parsed, self.at);
        let end = self.symbol.lines.end();
        let later = parsed.symbols.iter().zip(0u32..).skip(at as usize);
        later
            .take_while(move |(symbol, _)| symbol.lines.start() <= end)
            .map(|(_, inner)| inner)
            .filter(move |inner| owns(parsed, at, *inner))
    }

    /// The lines that show it, with the names and the words that must occur in them. `None` if they
    /// do not hold.
    pub(crate) fn source(&self, notes: &Notes<'_>, words: &[String], why: &str) -> Option<Source> {
        let lines = self.symbol.lines;
        let whole = (lines.count() <= MAX_LINES).then_some(lines);
        let name = self.symbol.name_line;
        let ends = HEADS.map(|more| Line((name.0 + more).min(lines.end().0)));
        let heads = ends.map(|end| LineRange::new(self.head_start(), end));
        let before_members = self.before_members();
        let whole =
            if self.is_container() && before_members.count() <= MAX_LINES && lines.count() > 25 {
                Some(before_members)
            } else {
                whole
            };
        let mut quotes = vec![self.symbol.name.clone()];
        quotes.extend_from_slice(words);
        whole
            .into_iter()
            .chain(heads)
            .map(|lines| Source {
                file: self.file,
                lines,
                quotes: quotes.clone(),
                why: why.to_owned(),
            })
            .find(|source| notes.check(source).is_some())
    }

    /// A long comment before a definition is not its head.
    fn head_start(&self) -> Line {
        let start = self.symbol.lines.start();
        Line(
            start
                .0
                .max(self.symbol.name_line.0.saturating_sub(MAX_LINES / 2)),
        )
    }

    fn before_members(&self) -> LineRange {
        let lines = self.symbol.lines;
        let first_member = self
            .parsed
            .symbols
            .iter()
            .filter(|symbol| {
                symbol.parent == Some(self.at)
                    && !matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable)
            })
            .map(|symbol| symbol.lines.start())
            .min();
        match first_member {
            Some(member) if member > self.symbol.name_line => {
                LineRange::new(lines.start(), Line(member.0 - 1))
            }
            _ => lines,
        }
    }

    /// `receives a Response`, `a session`, `“…”`: what follows its name, and the words taken
    /// from its documentation; empty if it has none.
    pub(crate) fn says(&self) -> Option<(Says, Vec<String>)> {
        let doc = self.symbol.doc.trim();
        let is_sentence = doc.split_whitespace().count() > 1 && !doc.starts_with([':', '@', '\\']);
        if !is_sentence {
            return None;
        }
        let (says, from) = match clause(doc) {
            Clause::Verb(spans) => (Says::Verb(spans.clone()), spans),
            Clause::Noun(spans) => (Says::Noun(spans.clone()), spans),
            Clause::Quote(spans) => (Says::Quote(spans.clone()), spans),
        };
        // The first word may have a new ending; the others stand in the documentation as they are.
        let changed = usize::from(!matches!(says, Says::Quote(_)));
        let mut words = words_of(&from);
        words.drain(..changed.min(words.len()));
        words.retain(|word| doc.contains(word.as_str()));
        Some((says, words))
    }

    /// The value of a constant, if its declaration shows one that is short.
    pub(crate) fn value(&self) -> Option<String> {
        if !matches!(
            self.symbol.kind,
            SymbolKind::Constant | SymbolKind::Variable
        ) {
            return None;
        }
        let (_, value) = self.symbol.signature.split_once('=')?;
        let value = value.trim().trim_end_matches([';', ',']).trim();
        (!value.is_empty() && value.len() <= 60 && !value.ends_with(['(', '[', '{']))
            .then(|| value.to_owned())
    }

    /// The names in its parameter list, without types and defaults; empty if there are none or they
    /// cannot be told.
    pub(crate) fn parameters(&self) -> Vec<String> {
        parameters(&self.symbol.signature, &self.symbol.name)
    }
}

/// What a definition's documentation says, by how it continues a sentence.
pub(super) enum Says {
    Verb(Vec<Span>),
    Noun(Vec<Span>),
    Quote(Vec<Span>),
}

impl Says {
    /// After the name as subject: ` receives …`, ` is a …`, ` is documented as “…”`.
    pub(crate) fn after_subject(self) -> Vec<Span> {
        self.joined(" ", " is ", " is documented as “")
    }

    /// After the name as object: `, which receives …`.
    pub(crate) fn after_object(self) -> Vec<Span> {
        self.joined(", which ", ", ", ", documented as “")
    }

    fn joined(self, verb: &str, noun: &str, quote: &str) -> Vec<Span> {
        let (lead, spans, end) = match self {
            Says::Verb(spans) => (verb, spans, ""),
            Says::Noun(spans) => (noun, spans, ""),
            Says::Quote(spans) => (quote, spans, "”"),
        };
        let mut out = vec![text(lead)];
        out.extend(spans);
        if !end.is_empty() {
            out.push(text(end));
        }
        out
    }
}

/// The noun with its article.
fn a_noun(kind: SymbolKind) -> String {
    let noun = kind.name();
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) && noun != "union" {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}

fn owns(parsed: &Parsed, owner: u32, mut inner: u32) -> bool {
    loop {
        if inner == owner {
            return true;
        }
        match parsed
            .symbols
            .get(inner as usize)
            .and_then(|symbol| symbol.parent)
        {
            Some(parent) if parent < inner => inner = parent,
            _ => return false,
        }
    }
}

fn parameters(signature: &str, name: &str) -> Vec<String> {
    // `pub(crate) fn name(…)`: the list is the one after the name.
    let after_name = signature.find(name).map_or(0, |at| at + name.len());
    let list = signature.get(after_name..).unwrap_or_default();
    let Some(open) = list.find('(').map(|open| open + after_name) else {
        return Vec::new();
    };
    let mut depth = 0;
    let mut list = String::new();
    for c in signature.get(open..).unwrap_or_default().chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 1 => list.push('\n'),
            c if depth == 1 => list.push(c),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    list.lines().filter_map(parameter).collect()
}

/// `url: str = ""` and `mut url: &str` → `url`; `String url` cannot be told from `url String`, so only
/// lists with colons, or of single words, are read.
fn parameter(declared: &str) -> Option<String> {
    let declared = declared.split('=').next().unwrap_or(declared);
    let name = declared.split(':').next().unwrap_or(declared).trim();
    let name = name
        .trim_start_matches(['*', '&'])
        .trim_start_matches("mut ")
        .trim_end_matches('?');
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && !matches!(name, "self" | "cls" | "this")).then(|| name.to_owned())
}

/// What can be said of a definition without documentation: its kind, parameters and calls.
pub(super) fn undocumented(definition: &Definition<'_>, calls: &[String]) -> Vec<Span> {
    let symbol = definition.symbol;
    let mut spans = vec![text(format!(" is {}", a_noun(symbol.kind)))];
    let parameters = definition.parameters();
    if !parameters.is_empty() && parameters.len() <= 5 && !definition.is_container() {
        spans.push(text(" that takes "));
        spans.extend(code_list(&parameters, "and"));
    }
    if !calls.is_empty() {
        let joined = if spans.len() > 1 {
            " and calls "
        } else {
            " that calls "
        };
        spans.push(text(joined));
        spans.extend(code_list(calls, "and"));
    }
    spans
}

/// The subject of a statement: `` `name` in `path` `` at first, `` `name` `` when the file was named
/// just before.
pub(super) fn subject(definition: &Definition<'_>, last_file: Option<FileId>) -> Vec<Span> {
    let mut spans = vec![code(definition.symbol.qualified.clone())];
    if last_file == Some(definition.file) {
        spans.push(text(", in the same file,"));
    } else {
        spans.push(text(" in "));
        spans.push(code(definition.path));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_where_they_can_be_told() {
        for (signature, names) in [
            (
                "def send(self, url: str, *, data=None, **kwargs) -> Response",
                vec!["url", "data", "kwargs"],
            ),
            (
                "fn open(&self, path: &Path, f: impl Fn(u8, u8) -> u8)",
                vec!["path", "f"],
            ),
            ("function get(a, b?: string)", vec!["a", "b"]),
            ("int main(int argc, char **argv)", vec![]),
            ("class X", vec![]),
            ("def f(", vec![]),
        ] {
            let name = signature
                .split('(')
                .next()
                .and_then(|head| head.split_whitespace().last())
                .unwrap();
            assert_eq!(parameters(signature, name), names, "{signature}");
        }
    }
}
