//! The sentences about a definition: what it is, what it calls, who calls it.

use super::Extract;
use super::candidates::Candidate;
use crate::answer::Span;
use crate::answer::definition::{Definition, subject, undocumented};
use crate::answer::notes::{Source, code, text, tidy};
use crate::answer::relation::{self, Related};
use crate::chunk::{ChunkId, ChunkKind};
use crate::lines::LineRange;

impl<'i> Extract<'_, 'i> {
    pub(super) fn is_said(&self, definition: &Definition<'_>) -> bool {
        self.said.iter().any(|said| {
            let is_twin = said.symbol.doc == definition.symbol.doc
                && (said.symbol.name == definition.symbol.name || !said.symbol.doc.is_empty());
            said.is(definition) || is_twin
        })
    }

    /// The statement about one definition.
    pub(super) fn define(&mut self, definition: &Definition<'i>, chunk: ChunkId) -> bool {
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
    pub(super) fn callee(&mut self, definition: &Definition<'i>, candidates: &[Candidate<'i>]) {
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
    pub(super) fn caller(&mut self, about_question: bool) {
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
