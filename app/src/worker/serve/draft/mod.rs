//! The answer while it is written: what came so far, checked, as [`mod@blocks`] for the page.

mod blocks;

use footnote_core::answer::review::{Note, Progress, Review, Reviewer, Standing};
use footnote_core::cite::{Evidence, Verdict, find};
use footnote_core::index::Index;
use footnote_core::markdown::{Inline, Insert, blocks};

use self::blocks::all;
use super::views;
use crate::worker::protocol::{
    CheckView, CountsView, FootnoteView, PlaceView, WritingState, WrittenView,
};

/// Characters of an unfinished citation at the end of the text that are not shown yet.
const MAX_UNFINISHED: usize = 300;

/// Text that grows, with what was checked of it.
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

    /// Forgets the text, which was said on the way to the answer and is none.
    pub fn restart(&mut self) {
        self.view.text.clear();
        self.view.state = WritingState::Sent;
        self.reviewer = Reviewer::new();
    }

    /// Brings the view up to its text and state. Statements that are complete are checked once.
    pub fn refresh(&mut self, index: &Index) {
        let progress = match &self.view.state {
            WritingState::Finished => Progress::Finished,
            state if state.is_over() => Progress::Cut,
            _ => Progress::Growing,
        };
        let review = self
            .reviewer
            .advance(index, &self.evidence, &self.view.text, progress);
        let (mut inserts, footnotes) = footnotes(index, review);
        let mut shown = self.view.text.as_str();
        if progress == Progress::Growing {
            shown = without_unfinished(shown);
            inserts.extend(pending(review, shown));
        }
        self.view.counts = counts(review);
        self.view.blocks = all(blocks(shown, &within(inserts, shown.len())));
        self.view.footnotes = footnotes;
    }
}

/// A written answer that is over, such as an imported one, with its text checked again.
pub fn checked_again(index: &Index, mut view: WrittenView) -> WrittenView {
    let sent = view
        .sent
        .iter()
        .filter_map(|place| views::lines_at(index, place));
    let mut draft = Draft::new(WrittenView::default(), Evidence::of(sent));
    std::mem::swap(&mut draft.view, &mut view);
    draft.refresh(index);
    draft.view
}

/// Citations of the statement that is still being written.
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

/// Only what lies in the text that is shown.
fn within(mut inserts: Vec<Insert>, len: usize) -> Vec<Insert> {
    inserts.retain(|insert| insert.at.end <= len);
    inserts
}

/// The text without a citation that is only half there: it would flicker.
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

/// Markers in order of the text, and the footnotes that they lead to. The same lines with the same
/// outcome are one footnote, wherever they are cited.
fn footnotes(index: &Index, review: &Review) -> (Vec<Insert>, Vec<FootnoteView>) {
    let mut inserts: Vec<Insert> = Vec::new();
    let mut list: Vec<FootnoteView> = Vec::new();
    for (at, note) in review.notes.iter().enumerate() {
        let view = footnote(index, note);
        let same = |known: &FootnoteView| {
            (&known.path, known.start, known.end, &known.check)
                == (&view.path, view.start, view.end, &view.check)
        };
        let number = match list.iter().find(|known| same(known)) {
            Some(known) => known.number,
            None => {
                let number = list.len() as u32 + 1;
                list.push(FootnoteView { number, ..view });
                number
            }
        };
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
    (inserts, list)
}

/// Where the statement of a note ends.
fn end_of_statement(review: &Review, note: usize) -> Option<std::ops::Range<usize>> {
    let statements = review.statements.iter();
    let end = statements
        .filter(|statement| statement.notes.contains(&note))
        .map(|statement| statement.at.end)
        .next()?;
    Some(end..end)
}

/// Several citations in one bracket stand one after the other where it stood; the same footnote
/// stands there once.
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
    let (source, check) = match (&note.verdict, &note.claim) {
        (Verdict::Verified(source), None) => (Some(source), CheckView::AutoCited),
        (Verdict::Verified(source), Some(_)) => (Some(source), CheckView::Verified),
        (
            Verdict::Repaired {
                source,
                original,
                how,
            },
            _,
        ) => (
            Some(source),
            CheckView::Repaired {
                original: original.clone(),
                why: how.to_string(),
            },
        ),
        (Verdict::OutsideEvidence(source), _) => {
            (Some(source), CheckView::OutsideEvidence { original })
        }
        (Verdict::Rejected(why), _) => (
            None,
            CheckView::Rejected {
                original,
                why: why.to_string(),
            },
        ),
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
    }
}

fn counts(review: &Review) -> CountsView {
    let mut counts = CountsView {
        statements: review.statements.len() as u32,
        ..CountsView::default()
    };
    for statement in &review.statements {
        let count = match statement.standing {
            Standing::Verified => &mut counts.verified,
            Standing::Repaired => &mut counts.repaired,
            Standing::OutsideEvidence => &mut counts.outside,
            Standing::Rejected => &mut counts.rejected,
            Standing::AutoCited => &mut counts.auto_cited,
            Standing::Uncited => &mut counts.uncited,
        };
        *count += 1;
    }
    counts
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
