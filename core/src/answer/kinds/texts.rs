//! Where words stand in a file's text: in code, in a comment or in a string.

use crate::answer::notes::{Entry, Source};
use crate::index::Index;
use crate::lang::highlight::{Highlight, HighlightClass, highlight};
use crate::lang::{Parsed, Role, SymbolKind};
use crate::lines::{Line, LineIndex, LineRange};
use crate::source::FileId;

use super::teller::Teller;

/// Number of characters of a line that are shown beside its place.
const SHOWN: usize = 160;

/// The text of a file, with comments and strings distinguished from code.
pub(super) struct Text<'i> {
    pub file: FileId,
    pub path: &'i str,
    pub text: &'i str,
    pub parsed: &'i Parsed,
    pub lines: LineIndex,
    marks: Vec<Highlight>,
}

impl<'i> Text<'i> {
    pub(crate) fn new(index: &'i Index, file: FileId) -> Option<Self> {
        let mut text = Self::plain(index, file)?;
        text.marks = highlight(text.parsed.language, text.text);
        Some(text)
    }

    /// Reads the text without telling comments and strings apart.
    pub(crate) fn plain(index: &'i Index, file: FileId) -> Option<Self> {
        let (source, parsed) = index.file(file)?;
        Some(Self {
            file,
            path: &source.path,
            text: &source.text,
            parsed,
            lines: LineIndex::new(&source.text),
            marks: Vec::new(),
        })
    }

    pub(crate) fn is_comment(&self, at: usize) -> bool {
        self.class(at) == Some(HighlightClass::Comment)
    }

    /// Whether byte `at` is part of neither a comment nor a string.
    pub(crate) fn is_code(&self, at: usize) -> bool {
        !matches!(
            self.class(at),
            Some(HighlightClass::Comment | HighlightClass::String)
        )
    }

    fn class(&self, at: usize) -> Option<HighlightClass> {
        let next = self.marks.partition_point(|mark| mark.bytes.end <= at);
        let mark = self.marks.get(next)?;
        mark.bytes.contains(&at).then_some(mark.class)
    }

    pub(crate) fn line(&self, at: usize) -> Line {
        self.lines.line_of(at)
    }

    /// Returns a line without its indentation.
    pub(crate) fn row(&self, line: Line) -> &'i str {
        let row = self.lines.slice(self.text, LineRange::new(line, line));
        row.unwrap_or_default().trim()
    }

    /// Returns the innermost function or class around a line, as an index into the symbols.
    pub(crate) fn enclosing(&self, line: Line) -> Option<u32> {
        let around = (0..).zip(&self.parsed.symbols).filter(|(_, symbol)| {
            symbol.lines.contains(line) && (symbol.kind.is_container() || is_callable(symbol.kind))
        });
        around
            .min_by_key(|(at, symbol)| (symbol.lines.count(), std::cmp::Reverse(*at)))
            .map(|(at, _)| at)
    }

    /// Returns the function or class around a line with its owners; outside of any, the file's
    /// path.
    pub(crate) fn place(&self, line: Line) -> String {
        let around = self.enclosing(line);
        let symbol = around.and_then(|at| self.parsed.symbols.get(at as usize));
        symbol
            .map_or(self.path, |symbol| &symbol.qualified)
            .to_owned()
    }

    /// Makes an entry that a line of the file proves.
    pub(crate) fn entry(&self, line: Line, name: String, detail: String, quote: &str) -> Entry {
        let quotes = (!quote.is_empty()).then(|| quote.to_owned());
        Entry {
            name,
            detail,
            source: Source {
                file: self.file,
                lines: LineRange::new(line, line),
                quotes: quotes.into_iter().collect(),
                why: "the named line".to_owned(),
            },
        }
    }
}

pub(super) fn is_callable(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro
    )
}

/// Returns where `word` stands as a whole word.
pub(super) fn words(text: &str, word: &str) -> Vec<usize> {
    let found = text.match_indices(word);
    found
        .filter(|(at, _)| is_whole(text, *at, word))
        .map(|(at, _)| at)
        .collect()
}

fn is_whole(text: &str, at: usize, word: &str) -> bool {
    let joins = |inner: Option<char>, outer: Option<char>| {
        inner.is_some_and(is_of_word) && outer.is_some_and(is_of_word)
    };
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let after = text
        .get(at + word.len()..)
        .and_then(|text| text.chars().next());
    !joins(word.chars().next(), before) && !joins(word.chars().next_back(), after)
}

pub(super) fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Returns a line as shown beside its place.
pub(super) fn shown(row: &str) -> String {
    let row = row.split_whitespace().collect::<Vec<_>>().join(" ");
    match row.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", row.get(..end).unwrap_or_default()),
        None => row,
    }
}

/// Whether a line is part of the tests: by its file, or by an enclosing module or marker.
pub(super) fn is_test(index: &Index, file: FileId, line: Line) -> bool {
    let Some((source, parsed)) = index.file(file) else {
        return false;
    };
    if Role::of(&source.path) == Role::Test {
        return true;
    }
    let lines = LineIndex::new(&source.text);
    let mut around = parsed
        .symbols
        .iter()
        .filter(|symbol| symbol.lines.contains(line));
    around.any(|symbol| {
        let head = LineRange::new(symbol.lines.start(), symbol.name_line);
        let head = lines.slice(&source.text, head).unwrap_or_default();
        let is_module =
            symbol.kind == SymbolKind::Module && matches!(symbol.name.as_str(), "tests" | "test");
        // The markers of tests in Rust and the JVM languages.
        let marks = [
            "#[test]",
            "::test]",
            "::test(",
            "#[cfg(test)]",
            "#[rstest",
            "@Test",
        ];
        is_module || marks.iter().any(|mark| head.contains(mark))
    })
}

/// Whether the question asks for yes or no.
pub(super) fn is_polar(teller: &Teller<'_, '_>) -> bool {
    let text = teller.question.text().to_lowercase();
    let first = text.split_whitespace().next().unwrap_or_default();
    matches!(
        first,
        "is" | "are" | "does" | "do" | "has" | "have" | "can" | "any" | "isn't" | "doesn't"
    )
}

/// Returns `Yes. ` or `No. ` if the question asks for that.
pub(super) fn polar(teller: &Teller<'_, '_>, is_so: bool) -> &'static str {
    match (is_polar(teller), is_so) {
        (false, _) => "",
        (_, true) => "Yes. ",
        (_, false) => "No. ",
    }
}

/// Whether a file's code contains a name, or a string that is just the name.
pub(super) fn uses_name(index: &Index, file: FileId, name: &str) -> bool {
    let plain = Text::plain(index, file).filter(|it| !words(it.text, name).is_empty());
    let Some(text) = plain.and_then(|_| Text::new(index, file)) else {
        return false;
    };
    let quotes = ['"', '\'', '`'];
    words(text.text, name).into_iter().any(|at| {
        let before = text.text.get(..at).is_some_and(|it| it.ends_with(quotes));
        let after = text.text.get(at + name.len()..);
        text.is_code(at) || before && after.is_some_and(|it| it.starts_with(quotes))
    })
}
