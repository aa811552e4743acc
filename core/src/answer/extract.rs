//! The answer made without a language model: which hits become statements, and in which order.
//!
//! Definitions with their documentation come first, then how they call each other, then what the
//! documents say; every sentence goes through [`Notes::state`], so nothing unverified is shown.

use std::collections::BTreeSet;

use super::definition::{Definition, subject, undocumented};
use super::notes::{Notes, Source, code, text, tidy};
use super::relation::{self, Related};
use super::relevance::Asked;
use super::{Answer, AnswerFile, Footnote, Outcome, Span, dependency, facts, relevance, section};
use crate::chunk::{ChunkId, ChunkKind};
use crate::index::Index;
use crate::lang::Role;
use crate::lines::{LineIndex, LineRange};
use crate::search::question::MAX_TERMS;
use crate::search::steps::{is_changelog, role_of};
use crate::search::{Hit, Question, answer_files, rank_files};
use crate::source::FileId;

/// Most statements of an answer.
const MAX_STATEMENTS: usize = 5;
/// Most definitions among them that are there in their own right, not because another calls them.
const MAX_DEFINITIONS: usize = 3;
/// A hit is worth a statement if it scores at least this share of the best one.
const SCORE_SHARE: f32 = 0.35;
/// A definition is worth a statement if its value is at least this share of the best one's.
const VALUE_SHARE: f32 = 0.55;
/// What the words of name and documentation count beside the hit's score.
const NAME_SHARE: f32 = 1.0;

/// Answers `question` from `hits` (best first, as [`crate::search::search`] returns them).
pub fn answer(index: &Index, question: &Question, hits: &[Hit]) -> Answer {
    let asked = Asked::new(index, question);
    let note = asked.is_shortened().then(|| {
        format!("The question is long, so it was searched by its {MAX_TERMS} rarest words.")
    });
    let mut notes = Notes::new(&index.repo);
    exact(index, question, &mut notes);
    let has_facts = !notes.statements.is_empty();
    if !has_facts && let Some(why) = relevance::nothing(index, question, &asked, hits) {
        return Answer {
            outcome: Outcome::Nothing { why },
            files: Vec::new(),
            note,
        };
    }
    if !has_facts {
        let mut extract = Extract {
            index,
            question,
            asked: &asked,
            notes: &mut notes,
            said: Vec::new(),
            last_file: None,
        };
        extract.run(hits);
    }
    let Notes {
        statements,
        footnotes,
        ..
    } = notes;
    if statements.is_empty() {
        let why = relevance::unsayable(index, hits);
        return Answer {
            outcome: Outcome::Nothing { why },
            files: Vec::new(),
            note,
        };
    }
    let files = match has_facts {
        true => cited_files(&footnotes),
        false => likely_files(index, question, hits),
    };
    Answer {
        outcome: Outcome::Found {
            statements,
            footnotes,
        },
        files,
        note,
    }
}

/// The files of an exact answer, in the order in which they are cited.
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

/// What is read off the syntax trees and the manifests, exactly, where the question asks for just that.
fn exact<'i>(index: &'i Index, question: &Question, notes: &mut Notes<'i>) {
    // Of a whole project, manifests say best what it depends on.
    let manifests_first = dependency::is_about_manifests(index, question);
    if manifests_first {
        facts::state(index, question, notes);
    }
    if notes.statements.is_empty() {
        dependency::state(index, question, notes);
    }
    if notes.statements.is_empty() && !manifests_first {
        facts::state(index, question, notes);
    }
}

struct Candidate<'i> {
    definition: Definition<'i>,
    chunk: ChunkId,
    value: f32,
}

struct Extract<'a, 'i> {
    index: &'i Index,
    question: &'a Question,
    asked: &'a Asked,
    notes: &'a mut Notes<'i>,
    /// Definitions that a statement was made about.
    said: Vec<Definition<'i>>,
    last_file: Option<FileId>,
}

impl<'i> Extract<'_, 'i> {
    fn run(&mut self, hits: &[Hit]) {
        let best = hits.first().map_or(0.0, |hit| hit.score);
        let good: Vec<&Hit> = hits
            .iter()
            .take_while(|hit| hit.score >= SCORE_SHARE * best)
            .collect();
        let documents_first = good.first().is_some_and(|hit| self.is_document(hit.chunk));
        if documents_first {
            self.documents(&good, 2);
        }
        self.definitions(&good);
        self.caller(true);
        if self.room() > 0 && !documents_first {
            self.documents(&good, 1);
        }
        if self.notes.statements.len() < 2 {
            self.caller(false);
        }
        if self.notes.statements.len() < 2 {
            self.documents(&hits.iter().collect::<Vec<_>>(), 1);
        }
        if self.notes.statements.len() < 2 {
            self.remaining(hits);
        }
    }

    fn room(&self) -> usize {
        MAX_STATEMENTS.saturating_sub(self.notes.statements.len())
    }

    fn is_document(&self, chunk: ChunkId) -> bool {
        role_of(self.index, chunk) == Some(Role::Docs)
    }

    /// Whether statements about the chunk are wanted: tests, examples and lists of changes only if
    /// asked for.
    fn is_wanted(&self, chunk: ChunkId) -> bool {
        let about = self.question.about();
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

    /// The definitions that the hits show, most useful first: the score of the hit and what name and
    /// documentation share with the question count alike.
    fn candidates(&self, hits: &[&Hit]) -> Vec<Candidate<'i>> {
        let best = hits
            .first()
            .map_or(1.0, |hit| hit.score.max(f32::MIN_POSITIVE));
        let any_wanted = hits.iter().any(|hit| self.is_wanted(hit.chunk));
        let mut candidates: Vec<Candidate<'i>> = Vec::new();
        for hit in hits {
            if any_wanted && !self.is_wanted(hit.chunk) {
                continue;
            }
            for definition in self.definitions_in(hit.chunk).into_iter().take(2) {
                let symbol = definition.symbol;
                let named = self
                    .asked
                    .share(&format!("{} {}", symbol.qualified, symbol.doc));
                if candidates
                    .iter()
                    .all(|known| !known.definition.is(&definition))
                {
                    candidates.push(Candidate {
                        value: hit.score / best + NAME_SHARE * named,
                        chunk: hit.chunk,
                        definition,
                    });
                }
            }
        }
        candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
        candidates
    }

    /// The symbols that a chunk shows, closest to the question first: its own, a member of a small
    /// class, or a constant between symbols that the question names.
    fn definitions_in(&self, chunk: ChunkId) -> Vec<Definition<'i>> {
        let Some((found, (_, parsed))) = self
            .index
            .chunk(chunk)
            .and_then(|found| Some((found, self.index.file(found.file)?)))
        else {
            return Vec::new();
        };
        let own = found
            .symbol
            .and_then(|at| Definition::new(self.index, found.file, at));
        if let Some(own) = own.filter(|own| !own.is_container()) {
            return if own.is_sayable() {
                vec![own]
            } else {
                Vec::new()
            };
        }
        let mut inside: Vec<(f32, Definition<'i>)> = (0..parsed.symbols.len() as u32)
            .filter_map(|at| Definition::new(self.index, found.file, at))
            .filter(|definition| {
                found.lines.encloses(definition.symbol.lines) && definition.is_sayable()
            })
            .map(|definition| (self.closeness(&definition), definition))
            .filter(|(closeness, _)| *closeness > 0.0)
            .collect();
        inside.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.at.cmp(&b.1.at)));
        let mut definitions: Vec<Definition<'i>> = inside
            .into_iter()
            .map(|(_, definition)| definition)
            .collect();
        if let Some(own) = own.filter(|own| definitions.iter().all(|known| !known.is(own))) {
            definitions.push(own);
        }
        definitions
    }

    /// How much a symbol of a chunk with several shares with the question: its name most, then its
    /// documentation, then, for what is no container, its body.
    fn closeness(&self, definition: &Definition<'i>) -> f32 {
        let symbol = definition.symbol;
        let body = match (definition.is_container(), self.index.file(definition.file)) {
            (false, Some((file, _))) => LineIndex::new(&file.text)
                .slice(&file.text, symbol.lines)
                .map_or(0.0, |body| self.asked.overlap(body)),
            _ => 0.0,
        };
        self.asked.overlap(&symbol.name) + 0.5 * self.asked.overlap(&symbol.doc) + 0.25 * body
    }

    fn is_said(&self, definition: &Definition<'_>) -> bool {
        self.said.iter().any(|said| {
            let is_twin = said.symbol.doc == definition.symbol.doc
                && (said.symbol.name == definition.symbol.name || !said.symbol.doc.is_empty());
            said.is(definition) || is_twin
        })
    }

    /// The statement about one definition.
    fn define(&mut self, definition: &Definition<'i>, chunk: ChunkId) -> bool {
        // A definition that follows a called one may be its caller: one sentence says both.
        let related = self
            .said
            .iter()
            .rev()
            .find_map(|said| relation::between(self.index, definition, said));
        if related.is_some_and(|related| self.say_caller(definition, &related)) {
            return true;
        }
        let calls = relation::telling_calls(self.index, definition, self.asked);
        let mut spans = subject(definition, self.last_file);
        let mut words = Vec::new();
        if let Some(value) = definition.value() {
            spans.extend([text(" is set to "), code(value)]);
        } else if let Some((says, quoted)) = definition.says() {
            words = quoted;
            spans.extend(says.after_subject());
        } else {
            words.extend(definition.parameters().into_iter().take(5));
            if words.is_empty() && calls.is_empty() {
                return false;
            }
            spans.extend(undocumented(definition, &[]));
        }
        let Some(source) = definition.source(self.notes, &words, "definition") else {
            return false;
        };
        let mut sources = vec![source];
        if definition.says().is_none() && !calls.is_empty() {
            let names: Vec<String> = calls.iter().map(|call| call.name.clone()).collect();
            let parameters = &words;
            let mut with_calls = subject(definition, self.last_file);
            with_calls.extend(undocumented(definition, &names));
            let lines = calls.iter().map(|call| call.line);
            if let (Some(first), Some(last)) = (lines.clone().min(), lines.max())
                && let Some(mut inside) = definition.source(self.notes, parameters, "definition")
                && definition.value().is_none()
            {
                spans = with_calls;
                if inside.lines.contains(first) && inside.lines.contains(last) {
                    inside.quotes.extend(names);
                    sources = vec![inside];
                } else {
                    sources = vec![
                        inside,
                        relation::call_source(
                            definition,
                            LineRange::new(first, last),
                            names,
                            "calls",
                        ),
                    ];
                }
            }
        }
        if let Some(part) = self.matching_part(definition, chunk, &sources) {
            sources.push(part);
        }
        self.finish(spans, &sources, definition)
    }

    /// The part of a long definition that the question matched, if it is not cited already.
    fn matching_part(
        &self,
        definition: &Definition<'i>,
        chunk: ChunkId,
        sources: &[Source],
    ) -> Option<Source> {
        let found = self.index.chunk(chunk)?;
        let is_cited = sources
            .iter()
            .any(|source| source.lines.overlaps(found.lines));
        (found.kind == ChunkKind::Part && !is_cited).then(|| Source {
            file: definition.file,
            lines: found.lines,
            quotes: Vec::new(),
            why: "best matching part".to_owned(),
        })
    }

    /// `It calls X, which …`: of what the definition calls, a further hit or else what the question
    /// names.
    fn callee(&mut self, definition: &Definition<'i>, candidates: &[Candidate<'i>]) {
        if self.room() == 0 || definition.is_container() {
            return;
        }
        let wanted: Vec<Definition<'i>> = candidates
            .iter()
            .map(|candidate| candidate.definition)
            .collect();
        let Some(related) = relation::best_callee(self.index, definition, &wanted, self.asked)
        else {
            return;
        };
        let Related {
            definition: called,
            calls,
        } = related;
        if self.is_said(&called) || called.is(definition) {
            return;
        }
        let Some((says, words)) = called.says() else {
            return;
        };
        let mut spans = vec![text("It calls "), code(called.symbol.name.clone())];
        if called.file != definition.file {
            spans.extend([text(" of "), code(called.path)]);
        }
        spans.extend(says.after_object());
        let Some(source) = called.source(self.notes, &words, "definition") else {
            return;
        };
        let call =
            relation::call_source(definition, calls, vec![called.symbol.name.clone()], "call");
        self.finish(spans, &[call, source], &called);
    }

    /// `Y calls X …`, where X was said before.
    fn say_caller(&mut self, caller: &Definition<'i>, related: &Related<'i>) -> bool {
        let Some((says, words)) = caller.says() else {
            return false;
        };
        let called = related.definition.symbol.name.clone();
        let mut spans = vec![
            code(called.clone()),
            text(relation::passive(self.index, related, caller)),
            code(caller.symbol.qualified.clone()),
        ];
        if self.last_file != Some(caller.file) {
            spans.extend([text(" in "), code(caller.path)]);
        }
        spans.extend(says.after_object());
        let Some(source) = caller.source(self.notes, &words, "definition") else {
            return false;
        };
        let call = relation::call_source(caller, related.calls, vec![called], "call");
        self.finish(spans, &[call, source], caller)
    }

    /// Who calls the first definition: where a behaviour starts is often asked by what it does, and
    /// found in the part that does it. `about_question` asks for a caller whose own name or
    /// documentation shares words with the question.
    fn caller(&mut self, about_question: bool) {
        let Some(first) = self.said.first().copied().filter(|_| self.room() > 0) else {
            return;
        };
        let found = relation::caller_of(self.index, &first, self.asked);
        let Some((caller, calls, overlap)) = found else {
            return;
        };
        // Not `is_said`: a caller whose documentation begins like that of another is none the less it.
        let is_known = self.said.iter().any(|said| said.is(&caller));
        if is_known || (about_question && overlap <= 0.0) {
            return;
        }
        let related = Related {
            definition: first,
            calls,
        };
        if self.say_caller(&caller, &related) {
            return;
        }
        let name = first.symbol.name.clone();
        let mut spans = vec![
            code(name.clone()),
            text(relation::passive(self.index, &related, &caller)),
            code(caller.symbol.qualified.clone()),
        ];
        if caller.file != first.file {
            spans.extend([text(" in "), code(caller.path)]);
        }
        let Some(source) = caller.source(self.notes, &[], "definition") else {
            return;
        };
        let call = relation::call_source(&caller, related.calls, vec![name], "call");
        self.finish(spans, &[call, source], &caller);
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

    /// What is left to say of hits that are no definitions: where the words of the question stand.
    fn remaining(&mut self, hits: &[Hit]) {
        for hit in hits {
            if self.notes.statements.len() >= 2 {
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

    fn finish(&mut self, mut spans: Vec<Span>, sources: &[Source], about: &Definition<'i>) -> bool {
        spans.push(text("."));
        let spans = tidy(spans);
        let stated = self.notes.state(spans, sources);
        if stated {
            self.said.push(*about);
            self.last_file = Some(about.file);
        }
        stated
    }
}
