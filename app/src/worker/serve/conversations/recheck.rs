//! Checks an imported answer again. A file can say anything, so nothing that it says of itself counts:
//! every footnote is looked up in the open repository, and the excerpts of the evidence are read anew.
//!
//! A statement made without a language model is *verified* only if Footnote itself comes to it here: the
//! same sentence with the same lines, from the same question. Existing lines are no proof of a sentence
//! that somebody has changed. What Footnote does not come to, for instance because it was found by
//! vectors that are not there yet, keeps its footnotes as *outside evidence* where the lines hold every
//! name that the statement sets as code, and as *rejected* where they do not.

use std::collections::BTreeSet;

use footnote_core::cite::{Citation, verify};
use footnote_core::index::Index;
use footnote_core::lines::{Line, LineRange};

use super::parts::is_verified;
use crate::worker::protocol::{
    AnswerView, CheckView, FootnoteView, Notice, NoticeKind, SpanView, StatementView, WritingState,
    WrittenView,
};
use crate::worker::serve::draft::checked_again;
use crate::worker::serve::views;

/// What came of the checks, in statements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub statements: u32,
    pub verified: u32,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.statements += other.statements;
        self.verified += other.verified;
    }
}

/// The answer as it stands after the checks; `derived` are Footnote's own answers to its question.
pub fn recheck(index: &Index, answer: AnswerView, derived: &[AnswerView]) -> (AnswerView, Tally) {
    let mut answer = answer;
    answer.refined = true;
    evidence(index, &mut answer);
    let mut notes = Notes::default();
    let statements = std::mem::take(&mut answer.statements);
    let given = std::mem::take(&mut answer.footnotes);
    for statement in statements {
        let is_derived = derived.iter().any(|own| comes_to(own, &statement, &given));
        answer
            .statements
            .push(notes.take_in(index, &given, statement, is_derived));
    }
    answer.footnotes = notes.all;
    let held = |statement: &&StatementView| is_verified(statement, &answer.footnotes);
    let mut tally = Tally {
        statements: answer.statements.len() as u32,
        verified: answer.statements.iter().filter(held).count() as u32,
    };
    answer.written = answer.written.map(|written| {
        let written = recheck_written(index, written);
        tally += Tally {
            statements: written.counts.statements,
            verified: written.counts.verified,
        };
        written
    });
    (answer, tally)
}

/// Whether every statement of an answer is one that Footnote came to itself.
pub fn is_derived(answer: &AnswerView, derived: &[AnswerView]) -> bool {
    answer.statements.iter().all(|statement| {
        derived
            .iter()
            .any(|own| comes_to(own, statement, &answer.footnotes))
    })
}

/// Whether `own` holds the statement with the same lines.
fn comes_to(own: &AnswerView, statement: &StatementView, notes: &[FootnoteView]) -> bool {
    let places = cited(statement, notes);
    !places.is_empty()
        && own
            .statements
            .iter()
            .any(|known| known.spans == statement.spans && cited(known, &own.footnotes) == places)
}

/// The places that a statement cites.
fn cited<'a>(
    statement: &StatementView,
    notes: &'a [FootnoteView],
) -> BTreeSet<(&'a str, u32, u32)> {
    let notes = notes
        .iter()
        .filter(|note| statement.footnotes.contains(&note.number));
    notes
        .map(|note| (note.path.as_str(), note.start, note.end))
        .collect()
}

/// The footnotes of an answer, numbered anew: one that two statements cite can hold for one and not for
/// the other, and one that no statement cites vouches for nothing.
#[derive(Default)]
struct Notes {
    all: Vec<FootnoteView>,
}

impl Notes {
    fn take_in(
        &mut self,
        index: &Index,
        given: &[FootnoteView],
        statement: StatementView,
        is_derived: bool,
    ) -> StatementView {
        let own = given
            .iter()
            .filter(|note| statement.footnotes.contains(&note.number));
        let own: Vec<&FootnoteView> = own.collect();
        let lacking = match is_derived {
            true => None,
            false => missing_name(index, &statement, &own),
        };
        let numbers = own.into_iter().map(|note| {
            let check = match exists(index, note) {
                Err(why) => rejected(note, why),
                Ok(()) if is_derived => CheckView::Verified,
                Ok(()) => match &lacking {
                    Some(name) => rejected(note, format!("the lines do not contain “{name}”")),
                    None => CheckView::OutsideEvidence {
                        original: note.place(),
                    },
                },
            };
            self.number(FootnoteView {
                check,
                ..note.clone()
            })
        });
        StatementView {
            footnotes: numbers.collect(),
            ..statement
        }
    }

    /// The number of a footnote, which two statements share if it came to the same for both.
    fn number(&mut self, note: FootnoteView) -> u32 {
        let same = |known: &&FootnoteView| {
            let as_known = FootnoteView {
                number: known.number,
                ..note.clone()
            };
            **known == as_known
        };
        if let Some(known) = self.all.iter().find(same) {
            return known.number;
        }
        let number = self.all.len() as u32 + 1;
        self.all.push(FootnoteView { number, ..note });
        number
    }
}

fn rejected(note: &FootnoteView, why: String) -> CheckView {
    CheckView::Rejected {
        original: note.place(),
        why,
    }
}

/// Whether the repository has the lines.
fn exists(index: &Index, note: &FootnoteView) -> Result<(), String> {
    if note.start == 0 || note.end < note.start {
        return Err("these are no lines".to_owned());
    }
    let citation = Citation {
        path: note.path.clone(),
        lines: LineRange::new(Line(note.start), Line(note.end)),
        quotes: Vec::new(),
    };
    let verified = verify(&index.repo, &citation);
    verified.map(|_| ()).map_err(|why| why.to_string())
}

/// A name set as code in the statement that none of its cited lines and paths holds.
fn missing_name(
    index: &Index,
    statement: &StatementView,
    notes: &[&FootnoteView],
) -> Option<String> {
    let texts: Vec<String> = notes.iter().filter_map(|note| text(index, note)).collect();
    let is_held = |name: &str| {
        // Of a qualified name the lines hold the last part.
        let last = name
            .split(|character: char| !character.is_alphanumeric() && character != '_')
            .rfind(|part| !part.is_empty());
        let in_text =
            |text: &String| text.contains(name) || last.is_some_and(|last| text.contains(last));
        texts.iter().any(in_text) || notes.iter().any(|note| note.path.contains(name))
    };
    let codes = statement.spans.iter().filter_map(|span| match span {
        SpanView::Code(code) => Some(code.trim()),
        SpanView::Text(_) => None,
    });
    codes
        .filter(|code| !code.is_empty())
        .find(|code| !is_held(code))
        .map(str::to_owned)
}

fn text(index: &Index, note: &FootnoteView) -> Option<String> {
    exists(index, note).ok()?;
    let file = index.repo.find(&note.path)?;
    let text = &index.repo.file(file)?.text;
    let lines = LineRange::new(Line(note.start), Line(note.end));
    Some(index.lines(file)?.slice(text, lines)?.to_owned())
}

/// Keeps what the repository has, with its own text.
fn evidence(index: &Index, answer: &mut AnswerView) {
    answer.evidence.retain_mut(|evidence| {
        let excerpt = views::excerpt_of(index, &evidence.path, evidence.start, evidence.end);
        match excerpt {
            Some(excerpt) => {
                evidence.excerpt = excerpt;
                true
            }
            None => false,
        }
    });
    answer
        .files
        .retain(|file| index.repo.find(&file.path).is_some());
}

/// What a language model wrote: its text is reviewed against the lines that it was shown, as it is while
/// it is written; blocks, footnotes and counts of the file are not looked at.
fn recheck_written(index: &Index, written: WrittenView) -> WrittenView {
    let mut written = written;
    if !written.state.is_over() {
        written.state = WritingState::Stopped;
    }
    let mut written = checked_again(index, written);
    if let WritingState::Failed(notice) = &mut written.state {
        // Only the kinds of this page offer something to do.
        *notice = Notice {
            kind: NoticeKind::Internal,
            ..notice.clone()
        };
    }
    written
}
