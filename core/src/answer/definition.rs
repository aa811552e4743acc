//! A symbol as the subject of a statement: its name, its lines and what its declaration says.

use super::Span;
use super::notes::{Notes, Source, code, text};
use super::prose::{code_list, code_some};
use crate::index::Index;
use crate::lang::{Call, Parsed, Symbol, SymbolKind};
use crate::lines::{Line, LineRange};
use crate::parse::shape::{Parameter, Shape};
use crate::source::FileId;

/// Longest definition that is cited whole; of a longer one only its head is cited.
const MAX_LINES: u32 = 60;
/// Numbers of lines after the name that are tried as the head of a long definition, shortest first.
const HEADS: [u32; 4] = [8, 16, 30, 59];
/// Maximum number of parameters and bases that are named; the rest are counted.
const MAX_NAMES: usize = 5;

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

    /// Whether a statement can name it: it is code, and its name contains letters.
    pub(crate) fn is_sayable(&self) -> bool {
        let is_text = matches!(self.symbol.kind, SymbolKind::Section | SymbolKind::Key);
        !is_text && self.symbol.name.chars().any(char::is_alphanumeric)
    }

    /// The calls inside the definition, in line order; for a class, those of its methods too.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &'i Call> {
        let (parsed, at) = (self.parsed, self.at);
        parsed
            .calls
            .iter()
            .filter(move |call| call.caller.is_some_and(|caller| owns(parsed, at, caller)))
    }

    /// The definition and those inside it, as indexes into the symbols of its file.
    pub(crate) fn inner(&self) -> impl Iterator<Item = u32> {
        let (parsed, at) = (self.parsed, self.at);
        let end = self.symbol.lines.end();
        let later = parsed.symbols.iter().zip(0u32..).skip(at as usize);
        later
            .take_while(move |(symbol, _)| symbol.lines.start() <= end)
            .map(|(_, inner)| inner)
            .filter(move |inner| owns(parsed, at, *inner))
    }

    /// Returns the lines that show the definition, with the names and the words that must occur in
    /// them; `None` if they do not occur.
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

    /// Where the head starts: a long comment before a definition is not part of it.
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

    /// The value of a constant, if its declaration shows a short one.
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

    /// The bases as the declaration names them.
    fn bases(&self) -> Vec<String> {
        let own = self
            .parsed
            .bases
            .iter()
            .filter(|base| base.symbol == self.at);
        own.map(|base| base.name.clone()).collect()
    }

    /// What the declaration says after the kind (` that takes …`, ` that inherits from …`), and the
    /// names in that text, which must occur in the cited lines. Empty if there is nothing to say.
    pub(crate) fn takes(&self, shape: &Shape) -> (Vec<Span>, Vec<String>) {
        let (lead, names) = match (self.is_container(), &shape.parameters) {
            (true, _) => (" that inherits from ", self.bases()),
            (false, Some(parameters)) => (" that takes ", names_of(parameters)),
            (false, None) => return (Vec::new(), Vec::new()),
        };
        if names.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let mut spans = vec![text(lead)];
        spans.extend(code_some(&names, MAX_NAMES));
        let shown = match names.len() > MAX_NAMES {
            true => names.get(..MAX_NAMES - 1).unwrap_or_default(),
            false => names.as_slice(),
        };
        // `ns.Store` may be written `ns::Store`.
        let last = |name: &String| name.rsplit('.').next().unwrap_or(name).to_owned();
        (spans, shown.iter().map(last).collect())
    }
}

fn names_of(parameters: &[Parameter]) -> Vec<String> {
    let names = parameters.iter().map(|parameter| parameter.name.clone());
    names.collect()
}

/// Returns the noun for a kind with its article.
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

/// Introduces a definition after its name, before what its documentation says:
/// `, a method in `path` that takes `a`,`.
pub(super) fn introduced(
    definition: &Definition<'_>,
    takes: Vec<Span>,
    last_file: Option<FileId>,
) -> Vec<Span> {
    let symbol = definition.symbol;
    let mut spans = vec![
        code(symbol.qualified.clone()),
        text(format!(", {} in ", a_noun(symbol.kind))),
    ];
    spans.push(match last_file == Some(definition.file) {
        true => text("the same file"),
        false => code(definition.path),
    });
    spans.extend(takes);
    spans.push(text(","));
    spans
}

/// Describes a definition without documentation: its kind, parameters and calls.
pub(super) fn undocumented(
    definition: &Definition<'_>,
    takes: Vec<Span>,
    calls: &[String],
) -> Vec<Span> {
    let mut spans = vec![text(format!(" is {}", a_noun(definition.symbol.kind)))];
    let joined = match takes.is_empty() {
        true => " that calls ",
        false => " and calls ",
    };
    spans.extend(takes);
    if !calls.is_empty() {
        spans.push(text(joined));
        spans.extend(code_list(calls, "and"));
    }
    spans
}

/// Returns the subject of a statement: `` `name` in `path` `` at first, `` `name` `` if the
/// previous statement named the same file.
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
