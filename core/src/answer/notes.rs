//! Collects statements and numbers their footnotes. The only way in is [`Notes::state`], which
//! verifies every source first: if one source fails, the statement is not made.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::limits;
use super::prose::{Quote, code_list};
use super::{Footnote, Item, Span, Statement, Verified, plain};
use crate::cite::Checker;
use crate::lines::LineRange;
use crate::search::Within;
use crate::source::{FileId, Repo};

/// Why lines are cited: they define what the statement names.
pub(super) const DEFINITION: &str = "definition";
/// Why lines are cited: they define what the statement names and contain the words it quotes.
pub(super) const DEFINITION_QUOTED: &str = "definition, with the quoted words";
/// Why lines are cited: they contain the words that the statement quotes, true or not.
pub(super) const QUOTED: &str = "the quoted words";
/// Why lines are cited: no other lines of the definition or section are closer to the question.
pub(super) const CLOSEST: &str = "closest to the question";
/// Why lines are cited: something was searched for in them and is not there.
pub(super) const SEARCHED: &str = "searched";

/// Lines that are meant to support a statement.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub file: FileId,
    pub lines: LineRange,
    /// Each of them must occur in the lines.
    pub quotes: Vec<String>,
    pub why: String,
}

/// A list entry, and the lines that are meant to support it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub name: String,
    /// What is said of it after its name; may be empty.
    pub detail: String,
    pub source: Source,
}

/// Maximum number of names, and so of footnotes, in a sentence; the rest are counted and can be
/// opened below it.
pub(super) const MAX_NAMES: usize = 12;

/// Maximum number of entries kept in a list.
const MAX_ENTRIES: usize = 2_000;

pub(super) struct Notes<'i> {
    repo: &'i Repo,
    pub footnotes: Vec<Footnote>,
    pub statements: Vec<Statement>,
    /// The files that list entries must lie in, if the question says so.
    pub within: Option<Within>,
    /// Checks lines of the file that was cited last.
    checker: RefCell<Option<Checker<'i>>>,
}

impl<'i> Notes<'i> {
    pub(crate) fn new(repo: &'i Repo) -> Self {
        Self {
            repo,
            footnotes: Vec::new(),
            statements: Vec::new(),
            within: None,
            checker: RefCell::new(None),
        }
    }

    /// Adds the statement if it is new and every source holds; returns whether it did.
    pub(crate) fn state(&mut self, spans: Vec<Span>, sources: &[Source]) -> bool {
        self.state_with_items(spans, sources, Vec::new())
    }

    /// Whether a statement has these words of a document already: a README is often a page of the
    /// documentation, too.
    pub(crate) fn have_quoted(&self, quote: &Quote) -> bool {
        let words = plain(&quote.spans);
        let words = words.trim_end_matches(['.', ' ', '…', ':']);
        let mut statements = self.statements.iter();
        statements.any(|it| it.plain().contains(&format!("“{words}")))
    }

    /// States `lead` and the names of the entries whose source holds, the first of them with their
    /// footnotes in the sentence; returns whether there was one.
    pub(crate) fn list(&mut self, mut lead: Vec<Span>, mut entries: Vec<Entry>) -> bool {
        entries.retain(|entry| self.check(&entry.source).is_some());
        if let Some(within) = &self.within {
            lead = limits::of_list(within, lead, &mut entries);
        }
        let mut names: Vec<String> = Vec::new();
        let mut known = BTreeSet::new();
        for entry in &entries {
            if known.insert(entry.name.as_str()) {
                names.push(entry.name.clone());
            }
        }
        let left_out = entries.len().saturating_sub(MAX_ENTRIES);
        entries.truncate(MAX_ENTRIES);
        lead.extend(capped(&names));
        if left_out > 0 {
            lead.push(text(format!("; the first {MAX_ENTRIES} can be opened")));
        }
        lead.push(text("."));
        lead.retain(|span| *span != text(""));
        let shown: Vec<Source> = entries
            .iter()
            .take(MAX_NAMES)
            .map(|entry| entry.source.clone())
            .collect();
        self.state_with_items(tidy(lead), &shown, entries)
    }

    /// States `sentence`, which need not name the entries; those whose source holds can be opened
    /// below it.
    pub(crate) fn list_below(
        &mut self,
        sentence: Vec<Span>,
        sources: &[Source],
        entries: Vec<Entry>,
    ) -> bool {
        self.list_after(sentence, '.', sources, entries)
    }

    /// States `sentence` with a colon: the entries follow as a list in this order, open from the
    /// start.
    pub(crate) fn introduce(
        &mut self,
        sentence: Vec<Span>,
        sources: &[Source],
        entries: Vec<Entry>,
    ) -> bool {
        self.list_after(sentence, ':', sources, entries)
    }

    fn list_after(
        &mut self,
        mut sentence: Vec<Span>,
        end: char,
        sources: &[Source],
        mut entries: Vec<Entry>,
    ) -> bool {
        if let Some(within) = &self.within {
            sentence = limits::of_list(within, sentence, &mut entries);
        }
        entries.truncate(MAX_ENTRIES);
        sentence.push(text(end.to_string()));
        self.state_with_items(tidy(sentence), sources, entries)
    }

    fn state_with_items(
        &mut self,
        spans: Vec<Span>,
        sources: &[Source],
        entries: Vec<Entry>,
    ) -> bool {
        let checked: Option<Vec<(Verified, &str)>> = sources
            .iter()
            .map(|source| Some((self.check(source)?, source.why.as_str())))
            .collect();
        let is_new = self.statements.iter().all(|known| known.spans != spans);
        match checked {
            Some(checked) if is_new && !checked.is_empty() => {
                let mut footnotes: Vec<u32> = Vec::new();
                for (verified, why) in checked {
                    let number = self.number(verified, why);
                    if !footnotes.contains(&number) {
                        footnotes.push(number);
                    }
                }
                let items = entries.into_iter().filter_map(|entry| self.item(entry));
                let items = items.collect();
                self.statements.push(Statement {
                    spans,
                    footnotes,
                    items,
                });
                true
            }
            _ => false,
        }
    }

    pub(crate) fn check(&self, source: &Source) -> Option<Verified> {
        let mut checker = self.checker.borrow_mut();
        if checker.as_ref().is_none_or(|it| it.file() != source.file) {
            *checker = Checker::new(self.repo, source.file);
        }
        checker.as_ref()?.verify(source.lines, &source.quotes).ok()
    }

    fn item(&mut self, entry: Entry) -> Option<Item> {
        let source = self.check(&entry.source)?;
        Some(Item {
            name: entry.name,
            detail: entry.detail,
            footnote: self.number(source, &entry.source.why),
        })
    }

    fn number(&mut self, source: Verified, why: &str) -> u32 {
        if let Some(known) = self.footnotes.iter().find(|note| note.source == source) {
            return known.number;
        }
        let number = self.footnotes.len() as u32 + 1;
        self.footnotes.push(Footnote {
            number,
            source,
            why: why.to_owned(),
        });
        number
    }
}

pub(super) fn text(words: impl Into<String>) -> Span {
    Span::Text(words.into())
}

pub(super) fn code(name: impl Into<String>) -> Span {
    Span::Code(name.into())
}

/// Returns the first names, and how many more there are.
pub(super) fn capped(names: &[String]) -> Vec<Span> {
    capped_at(names, MAX_NAMES)
}

/// Like [`capped`], with up to `most` names.
pub(super) fn capped_at(names: &[String], most: usize) -> Vec<Span> {
    let shown = names.get(..names.len().min(most)).unwrap_or_default();
    let more = names.len() - shown.len();
    if more == 0 {
        return code_list(shown, "and");
    }
    let mut spans = Vec::new();
    for name in shown {
        spans.extend([code(name.clone()), text(", ")]);
    }
    spans.pop();
    spans.push(text(format!(" and {more} more")));
    spans
}

/// Returns the words of a quotation in pieces that occur verbatim in the cited lines: markup and
/// line breaks may separate them.
pub(super) fn words_of(spans: &[Span]) -> Vec<String> {
    spans
        .iter()
        .flat_map(|span| match span {
            Span::Text(text) => text
                .split(|c: char| !c.is_alphanumeric())
                .collect::<Vec<_>>(),
            Span::Code(code) => vec![code.as_str()],
        })
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Merges neighbouring pieces of text, and ends them with one full stop, not two.
pub(super) fn tidy(spans: Vec<Span>) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    for span in spans {
        match (out.last_mut(), span) {
            (Some(Span::Text(before)), Span::Text(text)) => before.push_str(&text),
            (_, span) => out.push(span),
        }
    }
    if let Some(Span::Text(last)) = out.last_mut() {
        for (double, single) in [
            ("..", "."),
            (".”.", ".”"),
            ("!”.", "!”"),
            ("?”.", "?”"),
            ("….", "…"),
        ] {
            if last.ends_with(double) && !last.ends_with("...") {
                last.truncate(last.len() - double.len());
                last.push_str(single);
            }
        }
    }
    out
}
