//! The answer while it is being written: the text so far, checked, as [`mod@blocks`] for the page.

mod blocks;

use footnote_core::answer::review::{Note, Progress, Review, Reviewer, Standing};
use footnote_core::cite::{Evidence, Verdict, find};
use footnote_core::index::Index;
use footnote_core::markdown::{Inline, Insert, blocks};

use self::blocks::all;
use super::views;
use crate::worker::protocol::{
    CheckView, CountsView, FootnoteView, PlaceView, VerdictView, WritingState, WrittenView,
};

/// Most characters of an unfinished citation at the end of the text to hide.
const MAX_UNFINISHED: usize = 300;

/// A growing text, with the results of checking it.
pub struct Draft {
    pub view: WrittenView,
    /// What the model was shown.
    pub evidence: Evidence,
    reviewer: Reviewer,
}

impl Draft {
    pub fn new(view: WrittenView, evidence: Evidence) -> Self {
        Self {
            view,
            evidence,
            reviewer: Reviewer::new(),
        }
    }

    /// Clears the text, which was only an intermediate message of the model.
    pub fn restart(&mut self) {
        self.view.text.clear();
        self.view.state = WritingState::Sent;
        self.reviewer = Reviewer::new();
    }

    /// Updates the view to its text and state. Each complete statement is checked once.
    pub fn refresh(&mut self, index: &Index) {
        let progress = match &self.view.state {
            WritingState::Finished => Progress::Finished,
            state if state.is_over() => Progress::Cut,
            _ => Progress::Growing,
        };
        let review = self
            .reviewer
            .advance(index, &self.evidence, &self.view.text, progress);
        let is_imported = self.view.is_imported;
        let Footnotes {
            mut inserts,
            list,
            numbers,
        } = footnotes(index, review, is_imported);
        let mut shown = self.view.text.as_str();
        if progress == Progress::Growing {
            shown = without_unfinished(shown);
            inserts.extend(pending(review, shown));
        }
        self.view.counts = counts(review, is_imported);
        self.view.blocks = all(blocks(shown, &within(inserts, shown.len()), &wrong(review)));
        self.view.footnotes = list;
        self.view.cited = cited(review, &numbers);
    }
}

/// Returns a finished answer with its text checked again. For an imported one it is unknown what
/// its author was sent: it is checked against the whole repository, and nothing in it is shown as
/// proven.
pub fn checked_again(index: &Index, view: WrittenView) -> WrittenView {
    let sent = view
        .sent
        .iter()
        .filter_map(|place| views::lines_at(index, place));
    let evidence = match view.is_imported {
        true => Evidence::everything(),
        false => Evidence::of(sent),
    };
    let mut draft = Draft::new(view, evidence);
    draft.refresh(index);
    draft.view
}

/// The contradicted statements.
fn wrong(review: &Review) -> Vec<std::ops::Range<usize>> {
    let statements = review.statements.iter();
    let wrong = statements.filter(|statement| statement.standing == Standing::Contradicted);
    wrong.map(|statement| statement.at.clone()).collect()
}

/// Citations in the statement that is still being written.
fn pending(review: &Review, shown: &str) -> Vec<Insert> {
    let statements = review.statements.iter().map(|statement| statement.at.end);
    let brackets = review.notes.iter().filter_map(|note| note.claim.as_ref());
    let brackets = brackets.map(|claim| claim.bracket.end);
    let checked = statements.chain(brackets).max().unwrap_or(0);
    let tail = shown.get(checked..).unwrap_or_default();
    let mut inserts: Vec<Insert> = Vec::new();
    for claim in find(tail) {
        let at = claim.bracket.start + checked..claim.bracket.end + checked;
        if inserts.last().is_none_or(|last| last.at.end <= at.start) {
            inserts.push(Insert {
                at,
                marker: Inline::Pending,
            });
        }
    }
    inserts
}

/// Keeps only the inserts within the shown text.
fn within(mut inserts: Vec<Insert>, len: usize) -> Vec<Insert> {
    inserts.retain(|insert| insert.at.end <= len);
    inserts
}

/// Returns the text without an incomplete citation at its end, which would flicker.
fn without_unfinished(text: &str) -> &str {
    let Some(open) = text.rfind(['[', '【']) else {
        return text;
    };
    let tail = text.get(open..).unwrap_or_default();
    let is_open = !tail.contains([']', '】', '\n']) && tail.chars().count() < MAX_UNFINISHED;
    match is_open {
        true => text.get(..open).unwrap_or(text).trim_end_matches(' '),
        false => text,
    }
}

/// The footnotes of an answer.
struct Footnotes {
    /// Their markers, in text order.
    inserts: Vec<Insert>,
    list: Vec<FootnoteView>,
    /// The footnote number of each note of the review.
    numbers: Vec<u32>,
}

/// The same lines with the same verdict for the same reason are one footnote, wherever they are
/// cited.
fn footnotes(index: &Index, review: &Review, is_imported: bool) -> Footnotes {
    let mut inserts: Vec<Insert> = Vec::new();
    let mut list: Vec<FootnoteView> = Vec::new();
    let mut numbers: Vec<u32> = Vec::new();
    for (at, note) in review.notes.iter().enumerate() {
        let mut view = footnote(index, note);
        view.is_imported = is_imported;
        if is_imported {
            view.check = view.check.unvouched();
        }
        let same = |known: &&FootnoteView| {
            **known
                == FootnoteView {
                    number: known.number,
                    ..view.clone()
                }
        };
        let number = match list.iter().find(same) {
            Some(known) => known.number,
            None => {
                let number = list.len() as u32 + 1;
                list.push(FootnoteView { number, ..view });
                number
            }
        };
        numbers.push(number);
        let place = match &note.claim {
            Some(claim) => Some(claim.bracket.clone()),
            None => end_of_statement(review, at),
        };
        if let Some(place) = place {
            push(&mut inserts, place, Inline::Note(number));
        }
    }
    for statement in &review.statements {
        if statement.standing == Standing::Uncited {
            let end = statement.at.end;
            push(&mut inserts, end..end, Inline::Uncited);
        }
    }
    inserts.sort_by_key(|insert| (insert.at.start, insert.at.end));
    Footnotes {
        inserts,
        list,
        numbers,
    }
}

/// The footnote numbers of each statement, without duplicates.
fn cited(review: &Review, numbers: &[u32]) -> Vec<Vec<u32>> {
    let of_notes = |notes: &[usize]| {
        let numbers = notes.iter().filter_map(|note| numbers.get(*note).copied());
        let mut numbers: Vec<u32> = numbers.collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    };
    let statements = review.statements.iter();
    statements
        .map(|statement| of_notes(&statement.notes))
        .collect()
}

/// The end of a note's statement.
fn end_of_statement(review: &Review, note: usize) -> Option<std::ops::Range<usize>> {
    let statements = review.statements.iter();
    let end = statements
        .filter(|statement| statement.notes.contains(&note))
        .map(|statement| statement.at.end)
        .next()?;
    Some(end..end)
}

/// Adds a marker. Several citations in one bracket follow one another in its place; the same
/// footnote appears there only once.
fn push(inserts: &mut Vec<Insert>, at: std::ops::Range<usize>, marker: Inline) {
    let same_bracket = |known: &&Insert| !at.is_empty() && known.at.start == at.start;
    let at = match inserts.iter().rev().find(same_bracket) {
        Some(known) if known.marker == marker => return,
        Some(known) => known.at.end..known.at.end,
        None => at,
    };
    let is_there = inserts
        .iter()
        .any(|known| known.at.start == at.start && known.marker == marker);
    if !is_there {
        inserts.push(Insert { at, marker });
    }
}

fn footnote(index: &Index, note: &Note) -> FootnoteView {
    let original = note
        .claim
        .as_ref()
        .map(|claim| claim.raw.clone())
        .unwrap_or_default();
    let source = note.verdict.source();
    let check = match &note.claim {
        None => CheckView::AutoCited,
        Some(_) => check(&note.verdict, original),
    };
    FootnoteView {
        number: 0,
        path: source
            .map(|source| views::path(index, source.file()))
            .unwrap_or_default(),
        start: source.map_or(0, |source| source.lines().start().0),
        end: source.map_or(0, |source| source.lines().end().0),
        why: note.why.clone(),
        check,
        is_imported: false,
    }
}

/// Converts a verdict for the wire; `original` is what a model cited.
pub fn check(verdict: &Verdict, original: String) -> CheckView {
    match verdict {
        Verdict::Proven(_) => CheckView::Proven,
        Verdict::Supported(_) => CheckView::Supported,
        Verdict::LinesExist(_) => CheckView::LinesExist,
        Verdict::Contradicted { instead, .. } => CheckView::Contradicted {
            instead: instead.clone(),
        },
        Verdict::Repaired { original, how, .. } => CheckView::Repaired {
            original: original.clone(),
            why: how.to_string(),
        },
        Verdict::OutsideEvidence(_) => CheckView::OutsideEvidence { original },
        Verdict::Rejected(why) => CheckView::Rejected {
            original,
            why: why.to_string(),
        },
    }
}

fn counts(review: &Review, is_imported: bool) -> CountsView {
    let statements = review.statements.iter();
    let verdicts = statements.map(|statement| VerdictView::from(statement.standing));
    verdicts
        .map(|verdict| match is_imported {
            true => verdict.unvouched(),
            false => verdict,
        })
        .collect()
}

/// The lines of a place in the repository.
pub fn place(
    index: &Index,
    file: footnote_core::source::FileId,
    lines: footnote_core::lines::LineRange,
) -> PlaceView {
    PlaceView {
        path: views::path(index, file),
        start: lines.start().0,
        end: lines.end().0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_that_is_only_half_there_is_not_shown() {
        for (text, shown) in [
            ("It sends [a.py:1", "It sends"),
            ("It sends [a.py:1-2].", "It sends [a.py:1-2]."),
            ("a list [1\nmore", "a list [1\nmore"),
            ("no bracket", "no bracket"),
            ("x 【a.py", "x"),
        ] {
            assert_eq!(without_unfinished(text), shown, "{text}");
        }
        let long = format!("a [{}", "b".repeat(MAX_UNFINISHED));
        assert_eq!(without_unfinished(&long), long);
    }
}
