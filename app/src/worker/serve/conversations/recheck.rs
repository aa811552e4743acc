//! Checks an answer again: an imported one, or one that an earlier version of Footnote saved.
//!
//! A file can say anything, so none of its claims about itself count. A statement that is claimed
//! to be made without a language model is made again: if Footnote derives the same sentence with
//! the same lines from the same question, it is shown as Footnote's own. Every other statement is
//! treated as a model's. It is unknown what a model was sent, so these statements are checked
//! against the whole repository, and none is shown as proven. Excerpts, files and numbers come from
//! the open repository; what cannot be known is omitted.

use std::collections::BTreeSet;

use footnote_core::cite::{Citation, Claim, Evidence, check, find, verify};
use footnote_core::index::Index;
use footnote_core::lines::{Line, LineRange};

use crate::worker::protocol::{
    AnswerView, CheckView, CountsView, FitView, FootnoteView, ItemView, Notice, NoticeKind,
    PlaceView, SpanView, StatementView, WritingState, WrittenView,
};
use crate::worker::serve::draft::{self, checked_again};

/// Most characters of a model's name in a file.
const MAX_MODEL: usize = 60;

/// Returns an imported answer as it is after the checks; `derived` are Footnote's own answers to
/// its question, the best one last.
pub fn imported(index: &Index, mut answer: AnswerView, derived: &[AnswerView]) -> AnswerView {
    let written = answer.written.take();
    let written = written.map(|written| imported_written(index, written));
    let mut again = match derived.last() {
        Some(own) => own.clone(),
        None => nothing(&answer.question),
    };
    again.asked_at = answer.asked_at;
    again.refined = true;
    again.written = written;
    if answer.statements.is_empty() {
        return again;
    }
    let mut notes = Notes::default();
    let is_own = notes.take_in(index, &answer, derived, &mut again.statements);
    if !is_own {
        again.is_imported = true;
        // The note on how the question was understood belongs to Footnote's own answer.
        again.note = None;
        again.kind = None;
        again.fit = match (again.fit, answer.fit) {
            (FitView::Closest, _) | (_, FitView::Closest) => FitView::Closest,
            _ => FitView::Likely,
        };
    }
    again.nothing = None;
    again.footnotes = notes.all;
    again
}

/// Counts the verdicts of all statements of an answer.
pub fn counts(answer: &AnswerView) -> CountsView {
    let mut counts = answer.counts();
    if let Some(written) = &answer.written {
        counts += written.counts;
    }
    counts
}

/// Checks an answer that an earlier version saved in this browser: what a model wrote is checked
/// again against what it was sent. If it was imported at that time, only the file claims to know
/// what was sent.
pub fn of_earlier_version(index: &Index, answer: &mut AnswerView, is_imported: bool) {
    if is_imported {
        answer.is_imported = true;
        for note in &mut answer.footnotes {
            note.is_imported = true;
        }
    }
    let written = answer.written.take();
    answer.written = written.map(|written| match (is_imported, written.state.is_over()) {
        (true, _) => imported_written(index, written),
        (false, true) => checked_again(index, written),
        (false, false) => written,
    });
}

/// Finalises an answer from this browser's own, unchanged file: no more events will come for it.
pub fn settle(answer: &mut AnswerView) {
    answer.refined = true;
    let written = answer.written.iter_mut();
    for written in written.filter(|written| !written.state.is_over()) {
        written.state = WritingState::Stopped;
    }
}

/// Whether Footnote itself derived every statement of an answer.
pub fn is_derived(answer: &AnswerView, derived: &[AnswerView]) -> bool {
    answer.statements.iter().all(|statement| {
        let mut derived = derived.iter();
        derived.any(|own| came_to(own, statement, &answer.footnotes).is_some())
    })
}

/// An answer of which nothing could be reproduced.
fn nothing(question: &str) -> AnswerView {
    AnswerView {
        question: question.to_owned(),
        asked_at: 0.0,
        refined: true,
        asked_as: None,
        kind: None,
        fit: FitView::Likely,
        nothing: Some("This question cannot be answered again here.".to_owned()),
        note: None,
        statements: Vec::new(),
        footnotes: Vec::new(),
        evidence: Vec::new(),
        files: Vec::new(),
        milliseconds: 0.0,
        chunks: 0,
        compared_by_meaning: 0,
        written: None,
        is_imported: true,
        by: None,
        asks_first: None,
    }
}

/// Returns the statement of `own` that says the same about the same lines.
fn came_to<'a>(
    own: &'a AnswerView,
    statement: &StatementView,
    notes: &[FootnoteView],
) -> Option<&'a StatementView> {
    let places = cited(statement, notes);
    let mut known = own.statements.iter();
    let same = |known: &&StatementView| {
        known.spans == statement.spans
            && cited(known, &own.footnotes) == places
            && has_items(own, known, statement, notes)
    };
    known.find(same).filter(|_| !places.is_empty())
}

/// Whether a statement has the same items as Footnote's own. A file of an earlier version has none.
fn has_items(
    own: &AnswerView,
    known: &StatementView,
    statement: &StatementView,
    notes: &[FootnoteView],
) -> bool {
    let place = |note: &FootnoteView| note.place();
    let claimed = |number: u32| {
        let note = notes.iter().find(|note| note.number == number);
        note.map(place)
    };
    let same = |(known, item): (&ItemView, &ItemView)| {
        (&known.name, &known.detail) == (&item.name, &item.detail)
            && own.footnote(known.footnote).map(place) == claimed(item.footnote)
    };
    statement.items.is_empty()
        || known.items.len() == statement.items.len()
            && known.items.iter().zip(&statement.items).all(same)
}

/// Returns the places that a statement cites.
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

/// The footnotes of an answer, renumbered: a footnote that two statements cite can hold for one and
/// not for the other, and one that no statement cites proves nothing.
#[derive(Default)]
struct Notes {
    all: Vec<FootnoteView>,
}

impl Notes {
    /// Adds the statements of an answer as they are after the check; returns whether all are
    /// Footnote's own. Sentences are numbered before the lists below them, as in a new answer.
    fn take_in(
        &mut self,
        index: &Index,
        answer: &AnswerView,
        derived: &[AnswerView],
        statements: &mut Vec<StatementView>,
    ) -> bool {
        let given = &answer.footnotes;
        let own = |statement: &StatementView| {
            let mut derived = derived.iter();
            derived.find_map(|own| Some((own, came_to(own, statement, given)?.clone())))
        };
        let found: Vec<_> = answer.statements.iter().map(own).collect();
        let both = || answer.statements.iter().zip(&found);
        *statements = both()
            .map(|(claimed, found)| match found {
                Some((own, statement)) => self.own(own, statement),
                None => self.unvouched(index, given, claimed),
            })
            .collect();
        for (checked, (claimed, found)) in statements.iter_mut().zip(both()) {
            checked.items = match found {
                Some((own, statement)) => self.own_items(own, &statement.items),
                None => self.unvouched_items(index, given, &claimed.items),
            };
        }
        found.iter().all(Option::is_some)
    }

    /// A statement that Footnote derived itself, still without its items.
    fn own(&mut self, own: &AnswerView, statement: &StatementView) -> StatementView {
        let numbers = statement.footnotes.iter();
        let notes = numbers.filter_map(|number| own.footnote(*number));
        StatementView {
            footnotes: notes.map(|note| self.number(note.clone())).collect(),
            spans: statement.spans.clone(),
            items: Vec::new(),
        }
    }

    fn own_items(&mut self, own: &AnswerView, items: &[ItemView]) -> Vec<ItemView> {
        let item = |item: &ItemView| {
            let note = own.footnote(item.footnote)?.clone();
            Some(ItemView {
                footnote: self.number(note),
                ..item.clone()
            })
        };
        items.iter().filter_map(item).collect()
    }

    /// A statement that nothing vouches for, still without its items.
    fn unvouched(
        &mut self,
        index: &Index,
        given: &[FootnoteView],
        statement: &StatementView,
    ) -> StatementView {
        let own = given
            .iter()
            .filter(|note| statement.footnotes.contains(&note.number));
        let own: Vec<&FootnoteView> = own.collect();
        let places: Vec<String> = own
            .iter()
            .map(|note| format!(" [{}]", note.place()))
            .collect();
        // As a model would have written it.
        let text = format!("{}{}", said(statement), places.concat());
        let numbers = own
            .into_iter()
            .map(|note| self.number(unvouched(index, &text, note)));
        StatementView {
            footnotes: numbers.collect(),
            spans: statement.spans.clone(),
            items: Vec::new(),
        }
    }

    /// Items that nothing vouches for. Items without a footnote get none: no footnote has the
    /// number 0.
    fn unvouched_items(
        &mut self,
        index: &Index,
        given: &[FootnoteView],
        items: &[ItemView],
    ) -> Vec<ItemView> {
        let item = |item: &ItemView| {
            let note = given.iter().find(|note| note.number == item.footnote);
            let number = note.map(|note| {
                let ItemView { name, detail, .. } = item;
                let text = format!("{} {detail} [{}]", quoted(name), note.place());
                self.number(unvouched(index, &text, note))
            });
            ItemView {
                footnote: number.unwrap_or(0),
                ..item.clone()
            }
        };
        items.iter().map(item).collect()
    }

    /// Returns the number of a footnote; two statements share it if their checks have the same
    /// result.
    fn number(&mut self, mut note: FootnoteView) -> u32 {
        for known in &self.all {
            note.number = known.number;
            if *known == note {
                return known.number;
            }
        }
        note.number = self.all.len() as u32 + 1;
        let number = note.number;
        self.all.push(note);
        number
    }
}

/// A statement as Markdown.
fn said(statement: &StatementView) -> String {
    let spans = statement.spans.iter().map(|span| match span {
        SpanView::Code(code) => quoted(code),
        SpanView::Text(text) => text.clone(),
    });
    spans.collect()
}

/// A name as code, if it can be written that way.
fn quoted(code: &str) -> String {
    match code.contains('`') {
        true => code.to_owned(),
        false => format!("`{code}`"),
    }
}

/// A footnote in a text that nothing vouches for.
fn unvouched(index: &Index, text: &str, note: &FootnoteView) -> FootnoteView {
    let (check, PlaceView { path, start, end }) = checked(index, text, note);
    FootnoteView {
        number: 0,
        path,
        start,
        end,
        why: String::new(),
        check,
        is_imported: true,
    }
}

/// Checks a footnote of a statement that nothing vouches for; returns the result and the lines that
/// it leads to.
fn checked(index: &Index, text: &str, note: &FootnoteView) -> (CheckView, PlaceView) {
    let original = note.place();
    if let Err(why) = exists(index, note) {
        return (CheckView::Rejected { original, why }, PlaceView::default());
    }
    let lines = LineRange::new(Line(note.start), Line(note.end));
    let claims = find(text);
    let is_it = |claim: &&Claim| claim.path == note.path && claim.lines == Some(lines);
    let Some(claim) = claims.iter().rev().find(is_it) else {
        // Even if no text can cite a path, its lines can exist.
        let place = PlaceView {
            path: note.path.clone(),
            start: note.start,
            end: note.end,
        };
        return (CheckView::LinesExist, place);
    };
    let verdict = check(index, &Evidence::everything(), claim, text);
    let source = verdict.source();
    let place = source.map(|source| draft::place(index, source.file(), source.lines()));
    let check = draft::check(&verdict, original).unvouched();
    (check, place.unwrap_or_default())
}

/// Whether the repository has the lines.
fn exists(index: &Index, note: &FootnoteView) -> Result<(), String> {
    if note.start == 0 || note.end < note.start {
        return Err("the line range is invalid".to_owned());
    }
    let citation = Citation {
        path: note.path.clone(),
        lines: LineRange::new(Line(note.start), Line(note.end)),
        quotes: Vec::new(),
    };
    let verified = verify(&index.repo, &citation);
    verified.map(|_| ()).map_err(|why| why.to_string())
}

/// Checks again what a language model is claimed to have written. The file's blocks, footnotes and
/// counts are ignored; its claims about what was sent, to which service, and how long it took are
/// dropped.
fn imported_written(index: &Index, written: WrittenView) -> WrittenView {
    let state = match written.state {
        WritingState::Failed(_) => WritingState::Failed(Notice {
            what: "According to the file, writing the answer ended with an error.".to_owned(),
            next: "Ask again to have it written.".to_owned(),
            // Only notices of this page's own kinds offer something to do.
            kind: NoticeKind::Internal,
        }),
        state if state.is_over() => state,
        _ => WritingState::Stopped,
    };
    let claimed = WrittenView {
        state,
        text: written.text,
        model: written.model.trim().chars().take(MAX_MODEL).collect(),
        standalone: written.standalone,
        is_imported: true,
        ..WrittenView::default()
    };
    checked_again(index, claimed)
}
