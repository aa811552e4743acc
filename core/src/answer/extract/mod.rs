//! Makes an answer without a language model: chooses which hits become statements, and in which
//! order.
//!
//! Definitions with what their documentation says, in quotation marks, come first, then how they
//! call each other, then what the documents say. Every sentence goes through [`Notes::state`], so
//! nothing unverified is shown.

mod asking;
mod candidates;
mod namesakes;
mod passages;
mod sentences;
mod shown;
mod taught;

use std::collections::BTreeSet;

pub(super) use passages::Meant;

use super::definition::Definition;
use super::kinds::Reading;
use super::negated::{is_negated, without_yes_or_no};
use super::notes::Notes;
use super::relevance::Asked;
use super::syntax::Syntax;
use super::{
    Answer, AnswerFile, Fit, Footnote, Outcome, Statement, facts, joined, kinds, limits, numbers,
    relevance, section,
};
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::lang::Role;
use crate::search::question::MAX_TERMS;
use crate::search::steps::{is_changelog, role_of};
use crate::search::{Hit, Question, answer_files, rank_files};
use crate::source::FileId;

/// Maximum number of statements in an answer.
const MAX_STATEMENTS: usize = 5;
/// Maximum number of definitions among them that stand for themselves, not because another calls
/// them.
const MAX_DEFINITIONS: usize = 3;
/// A hit is worth a statement if its score is at least this share of the best one's.
const SCORE_SHARE: f32 = 0.35;
/// A definition is worth a statement if its value is at least this share of the best one's.
const VALUE_SHARE: f32 = 0.55;

/// Answers `question` from `hits` (best first, as [`crate::search::search`] returns them), unless
/// rules answer it.
pub fn answer(index: &Index, question: &Question, hits: &[Hit]) -> Answer {
    answer_by(index, question, hits, exact)
}

/// Answers `question` from `hits` alone, whatever rules would say.
pub fn answer_found(index: &Index, question: &Question, hits: &[Hit]) -> Answer {
    answer_by(index, question, hits, |_, _, _| Reading::Open)
}

fn answer_by<'i>(
    index: &'i Index,
    question: &Question,
    hits: &[Hit],
    rules: impl Fn(&'i Index, &Question, &mut Notes<'i>) -> Reading,
) -> Answer {
    let asked = Asked::new(index, question);
    let note = asked
        .is_shortened()
        .then(|| format!("The question is long, so the search used its {MAX_TERMS} rarest words."));
    let mut notes = Notes::new(&index.repo);
    notes.within = question.limits().cloned();
    let reading = rules(index, question, &mut notes);
    let nothing = |why: String| Answer {
        kind: None,
        fit: Fit::Closest,
        outcome: Outcome::Nothing { why },
        files: Vec::new(),
        note: joined(question.limits().map(limits::only), note.clone()),
    };
    if let Reading::Refused(why) = reading {
        return nothing(why);
    }
    let nothing = |why: String| taught::beside(index, question, hits, nothing(why));
    let is_stated = matches!(reading, Reading::Told { .. });
    let found = (!is_stated).then(|| relevance::measure(index, question, &asked, hits));
    let mut stands_out = true;
    if let Some(found) = found {
        if let Some(why) = relevance::nothing(index, question, &asked, hits, found) {
            return nothing(why);
        }
        let mut extract = Extract::new(index, question, &asked, &mut notes);
        stands_out = extract.run(hits, found.is_named);
    }
    let Notes {
        mut statements,
        mut footnotes,
        ..
    } = notes;
    if statements.is_empty() {
        return nothing(relevance::unsayable(index, hits));
    }
    if is_negated(question.text()) {
        without_yes_or_no(&mut statements);
    }
    let limits = question
        .limits()
        .map(|within| limits::of_answer(within, &mut statements, &mut footnotes));
    numbers::sentences_first(&mut statements, &mut footnotes);
    let files = match is_stated {
        true => cited_files(&footnotes),
        false => likely_files(index, question, hits),
    };
    let first = statements.iter().take(2).map(Statement::plain);
    let is_spoken_of = asked.is_spoken_of(&first.collect::<Vec<_>>().join(" "));
    stands_out &= is_spoken_of;
    let searched = found.map(|found| relevance::fit(question, &asked, found, stands_out));
    let (kind, fit, own_note) = read_as(reading, searched);
    let lacks = || match (kind, fit) {
        // An answer of a known kind names what it is about.
        (None, Fit::Closest) => relevance::lacks(index, question, &asked),
        _ => None,
    };
    Answer {
        kind,
        fit,
        outcome: Outcome::Found {
            statements,
            footnotes,
        },
        files,
        note: joined(limits, own_note.or(note).or_else(lacks)),
    }
}

/// Returns the kind of an answer, how well it fits, and a note on how the question was read;
/// `searched` is how well what search found fits.
fn read_as(reading: Reading, searched: Option<Fit>) -> (Option<&'static str>, Fit, Option<String>) {
    match (reading, searched) {
        (
            Reading::Told {
                kind,
                note,
                is_guess,
            },
            _,
        ) => {
            let fit = if is_guess { Fit::Closest } else { Fit::Exact };
            (Some(kind), fit, note)
        }
        (Reading::Open, Some(fit)) => (None, fit, None),
        _ => (None, Fit::Closest, None),
    }
}

/// Returns the files of an exact answer in the order in which they are cited.
fn cited_files(footnotes: &[Footnote]) -> Vec<AnswerFile> {
    let mut seen = BTreeSet::new();
    let files = footnotes.iter().map(|note| note.source.file());
    files
        .filter(|&file| seen.insert(file))
        .map(|file| AnswerFile {
            file,
            confidence: 1.0,
        })
        .collect()
}

fn likely_files(index: &Index, question: &Question, hits: &[Hit]) -> Vec<AnswerFile> {
    let ranked = rank_files(index, question, hits);
    let chosen = answer_files(&ranked);
    let files = ranked.iter().filter(|hit| chosen.contains(&hit.file));
    files
        .map(|hit| AnswerFile {
            file: hit.file,
            confidence: hit.confidence,
        })
        .collect()
}

/// Answers from the syntax trees and manifests, exactly, if the question asks for just that.
fn exact<'i>(index: &'i Index, question: &Question, notes: &mut Notes<'i>) -> Reading {
    let manifests = |notes: &mut Notes<'i>| {
        facts::state(index, question, notes);
        !notes.statements.is_empty()
    };
    let of_manifest = || Reading::Told {
        kind: "manifest",
        note: None,
        is_guess: false,
    };
    // What a whole project depends on is best answered from its manifests.
    if kinds::is_about_manifests(index, question) && manifests(notes) {
        return of_manifest();
    }
    let reading = kinds::state(index, question, notes);
    match reading {
        Reading::Told { .. } | Reading::Refused(_) => reading,
        _ if manifests(notes) => of_manifest(),
        _ => reading,
    }
}

/// Makes statements from hits while there is room.
struct Extract<'a, 'i> {
    index: &'i Index,
    question: &'a Question,
    asked: &'a Asked,
    notes: &'a mut Notes<'i>,
    syntax: Syntax<'i>,
    /// Definitions that have a statement.
    said: Vec<Definition<'i>>,
    /// Number of statements about differences between code and documentation; they do not take the
    /// room of others.
    n_differences: usize,
    last_file: Option<FileId>,
}

impl<'a, 'i> Extract<'a, 'i> {
    fn new(
        index: &'i Index,
        question: &'a Question,
        asked: &'a Asked,
        notes: &'a mut Notes<'i>,
    ) -> Self {
        Self {
            index,
            question,
            asked,
            notes,
            syntax: Syntax::new(index),
            said: Vec::new(),
            n_differences: 0,
            last_file: None,
        }
    }

    /// Returns whether what is stated first is clearly better than the rest; true if that is not
    /// known. A question that names a definition is first answered by that definition, unless it
    /// asks how or when something happens.
    fn run(&mut self, hits: &[Hit], is_named: bool) -> bool {
        let is_of_name = is_named && !asking::asks_for_reasons(self.question.text());
        if is_of_name {
            self.namesakes();
        }
        let stands_out = match is_of_name {
            true => None,
            false => self.closest(hits),
        };
        // What calls it is often where the behaviour that was asked about begins.
        if stands_out.is_some() {
            self.caller(true);
        }
        self.usual(hits);
        stands_out.unwrap_or(true)
    }

    fn usual(&mut self, hits: &[Hit]) {
        let best = hits.first().map_or(0.0, |hit| hit.score);
        let good: Vec<&Hit> = hits
            .iter()
            .take_while(|hit| hit.score >= SCORE_SHARE * best)
            .collect();
        let documents_first = good.first().is_some_and(|hit| self.is_document(hit.chunk))
            || asking::asks_how_to(self.question.text());
        if documents_first {
            self.documents(&good, 2);
        }
        self.definitions(&good);
        self.caller(true);
        if self.room() > 0 && !documents_first {
            self.documents(&good, 1);
        }
        if self.is_short() {
            self.caller(false);
        }
        if self.is_short() {
            self.documents(&hits.iter().collect::<Vec<_>>(), 1);
        }
        if self.is_short() {
            self.remaining(hits);
        }
    }

    fn room(&self) -> usize {
        (MAX_STATEMENTS + self.n_differences).saturating_sub(self.notes.statements.len())
    }

    /// Whether the answer still has too few statements.
    fn is_short(&self) -> bool {
        self.notes.statements.len() < 2 + self.n_differences
    }

    fn is_document(&self, chunk: ChunkId) -> bool {
        role_of(self.index, chunk) == Some(Role::Docs)
    }

    /// Whether statements about the chunk are wanted. Built files never are; tests, examples and
    /// changelogs only if asked for.
    fn is_wanted(&self, chunk: ChunkId) -> bool {
        let about = self.question.about();
        let file = self.index.chunk(chunk).map(|chunk| chunk.file);
        if file.is_some_and(|file| kinds::is_built(self.index, file)) {
            return false;
        }
        match role_of(self.index, chunk) {
            Some(Role::Test) => about.tests,
            Some(Role::Example) => about.examples,
            Some(Role::Docs) => {
                about.history || !self.index.path_of(chunk).is_some_and(is_changelog)
            }
            Some(_) => true,
            None => false,
        }
    }

    fn definitions(&mut self, hits: &[&Hit]) {
        let candidates = self.candidates(hits);
        let best = candidates.first().map_or(0.0, |candidate| candidate.value);
        let mut n = 0;
        for candidate in &candidates {
            if n == MAX_DEFINITIONS || self.room() == 0 || candidate.value < VALUE_SHARE * best {
                return;
            }
            let definition = &candidate.definition;
            if self.is_said(definition) || !self.define(definition, candidate.chunk) {
                continue;
            }
            n += 1;
            if n < MAX_DEFINITIONS {
                self.callee(definition, &candidates);
            }
        }
    }

    fn documents(&mut self, hits: &[&Hit], limit: usize) {
        let mut n = 0;
        for hit in hits {
            if n == limit || self.room() == 0 {
                return;
            }
            if !self.is_document(hit.chunk) || !self.is_wanted(hit.chunk) {
                continue;
            }
            if section::state(self.index, hit.chunk, self.asked, self.notes) {
                self.last_file = None;
                n += 1;
            }
        }
    }

    /// Makes statements of the remaining hits, which are not definitions: where the question's
    /// words stand.
    fn remaining(&mut self, hits: &[Hit]) {
        for hit in hits {
            if !self.is_short() {
                return;
            }
            let already = self.index.chunk(hit.chunk).is_none_or(|chunk| {
                self.notes.footnotes.iter().any(|note| {
                    note.source.file() == chunk.file && note.source.lines().overlaps(chunk.lines)
                })
            });
            if !already
                && self.is_wanted(hit.chunk)
                && section::mention(self.index, hit.chunk, self.asked, self.notes)
            {
                self.last_file = None;
            }
        }
    }
}
