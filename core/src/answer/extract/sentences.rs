//! Sentences about a definition: what it is, what it calls, who calls it.

use super::Extract;
use super::candidates::Candidate;
use crate::answer::Span;
use crate::answer::definition::{Definition, introduced, subject, undocumented};
use crate::answer::documented;
use crate::answer::notes::{DEFINITION, DEFINITION_QUOTED, Source, code, text, tidy};
use crate::answer::prose::Quote;
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

    /// Makes the statement about one definition.
    pub(super) fn define(&mut self, definition: &Definition<'i>, chunk: ChunkId) -> bool {
        // The definition after a called one may be its caller; then one sentence says both.
        let related = self
            .said
            .iter()
            .rev()
            .find_map(|said| relation::between(self.index, definition, said));
        if related.is_some_and(|related| self.say_caller(definition, &related)) {
            return true;
        }
        let takes = definition.takes(&self.syntax.shape(definition));
        let stated = match (definition.value(), self.syntax.quote(definition)) {
            (None, Some(quote)) => self.say_quoted(definition, chunk, takes, &quote),
            (Some(value), quote) => self.say_value(definition, chunk, value, quote),
            (None, None) => self.say_undocumented(definition, chunk, takes),
        };
        if stated {
            self.differ(definition);
        }
        stated
    }

    /// States `X, a function in F that takes a, is documented as “…”`.
    fn say_quoted(
        &mut self,
        definition: &Definition<'i>,
        chunk: ChunkId,
        takes: (Vec<Span>, Vec<String>),
        quote: &Quote,
    ) -> bool {
        let (takes, names) = takes;
        let words = [names, quote.words()].concat();
        let Some(source) = definition.source(self.notes, &words, DEFINITION_QUOTED) else {
            return false;
        };
        let mut spans = introduced(definition, takes, self.last_file);
        spans.push(text(" is documented as "));
        spans.extend(quote.in_quotes());
        self.finish_with_part(spans, vec![source], definition, chunk)
    }

    /// States `X in F is set to 30`, and the documentation of the value.
    fn say_value(
        &mut self,
        definition: &Definition<'i>,
        chunk: ChunkId,
        value: String,
        quote: Option<Quote>,
    ) -> bool {
        let mut spans = subject(definition, self.last_file);
        spans.extend([text(" is set to "), code(value)]);
        let words = quote.as_ref().map(Quote::words).unwrap_or_default();
        let mut why = DEFINITION;
        if let Some(quote) = quote {
            spans.push(text(" and is documented as "));
            spans.extend(quote.in_quotes());
            why = DEFINITION_QUOTED;
        }
        match definition.source(self.notes, &words, why) {
            Some(source) => self.finish_with_part(spans, vec![source], definition, chunk),
            None => false,
        }
    }

    /// States `X in F is a function that takes a and calls b`.
    fn say_undocumented(
        &mut self,
        definition: &Definition<'i>,
        chunk: ChunkId,
        takes: (Vec<Span>, Vec<String>),
    ) -> bool {
        let calls = relation::telling_calls(self.index, definition, self.asked);
        let (takes, words) = takes;
        if takes.is_empty() && calls.is_empty() {
            return false;
        }
        let Some(mut source) = definition.source(self.notes, &words, DEFINITION) else {
            return false;
        };
        let names: Vec<String> = calls.iter().map(|call| call.name.clone()).collect();
        let mut spans = subject(definition, self.last_file);
        spans.extend(undocumented(definition, takes, &names));
        let lines = calls.iter().map(|call| call.line);
        let mut sources = Vec::new();
        if let (Some(first), Some(last)) = (lines.clone().min(), lines.max()) {
            if source.lines.contains(first) && source.lines.contains(last) {
                source.quotes.extend(names);
            } else {
                let lines = LineRange::new(first, last);
                sources.push(relation::call_source(definition, lines, names, "calls"));
            }
        }
        sources.insert(0, source);
        self.finish_with_part(spans, sources, definition, chunk)
    }

    /// States how a definition's code and documentation differ, if that can be seen.
    pub(super) fn differ(&mut self, definition: &Definition<'i>) {
        if self.syntax.quote(definition).is_none() {
            return;
        }
        let found = documented::differences(self.index, &self.syntax, definition);
        if let Some((spans, sources)) = found
            && self.notes.state(spans, &sources)
        {
            self.n_differences += 1;
        }
    }

    fn finish_with_part(
        &mut self,
        spans: Vec<Span>,
        mut sources: Vec<Source>,
        definition: &Definition<'i>,
        chunk: ChunkId,
    ) -> bool {
        sources.extend(self.matching_part(definition, chunk, &sources));
        self.finish(spans, &sources, definition)
    }

    /// Cites the part of a long definition that the question matched, unless it is cited already.
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

    /// States `It calls X, which is documented as “…”`, where X is a callee that is another hit, or
    /// else one that the question names.
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
        let Some(quote) = self.syntax.quote(&called) else {
            return;
        };
        let mut spans = vec![text("It calls "), code(called.symbol.name.clone())];
        if called.file != definition.file {
            spans.extend([text(" of "), code(called.path)]);
        }
        spans.push(text(", which is documented as "));
        spans.extend(quote.in_quotes());
        let Some(source) = called.source(self.notes, &quote.words(), DEFINITION_QUOTED) else {
            return;
        };
        let call =
            relation::call_source(definition, calls, vec![called.symbol.name.clone()], "call");
        if self.finish(spans, &[call, source], &called) {
            self.differ(&called);
        }
    }

    /// States `Y calls X …` for an X that already has a statement.
    fn say_caller(&mut self, caller: &Definition<'i>, related: &Related<'i>) -> bool {
        let Some(quote) = self.syntax.quote(caller) else {
            return false;
        };
        let called = related.definition.symbol.name.clone();
        let mut spans = vec![
            code(called.clone()),
            text(relation::passive(related, &self.syntax.shape(caller))),
            code(caller.symbol.qualified.clone()),
        ];
        if self.last_file != Some(caller.file) {
            spans.extend([text(" in "), code(caller.path)]);
        }
        spans.push(text(", which is documented as "));
        spans.extend(quote.in_quotes());
        let Some(source) = caller.source(self.notes, &quote.words(), DEFINITION_QUOTED) else {
            return false;
        };
        let call = relation::call_source(caller, related.calls, vec![called], "call");
        let stated = self.finish(spans, &[call, source], caller);
        if stated {
            self.differ(caller);
        }
        stated
    }

    /// States who calls one of the definitions. A question often asks where a behaviour starts by
    /// what it does, and search finds the part that does it. `about_question` requires a caller
    /// whose own name or documentation shares words with the question.
    pub(super) fn caller(&mut self, about_question: bool) {
        if self.room() == 0 {
            return;
        }
        // Not `is_said`: a caller counts even if its documentation begins like another
        // definition's.
        let is_known = |caller: &Definition<'i>| self.said.iter().any(|said| said.is(caller));
        let callers = self.said.iter().filter_map(|called| {
            let found = relation::caller_of(self.index, called, self.asked)?;
            (!is_known(&found.0)).then_some((*called, found))
        });
        let callers = callers.filter(|(_, found)| !about_question || found.2 > 0.0);
        // A caller that is called what was asked about comes first, then the one of what was said
        // first.
        let named = |caller: &Definition<'i>| self.asked.overlap(&caller.symbol.name);
        let best = callers.reduce(|best, next| {
            let is_better = named(&next.1.0) > named(&best.1.0);
            if is_better { next } else { best }
        });
        let Some((first, (caller, calls, _))) = best else {
            return;
        };
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
            text(relation::passive(&related, &self.syntax.shape(&caller))),
            code(caller.symbol.qualified.clone()),
        ];
        if caller.file != first.file {
            spans.extend([text(" in "), code(caller.path)]);
        }
        let Some(source) = caller.source(self.notes, &[], DEFINITION) else {
            return;
        };
        let call = relation::call_source(&caller, related.calls, vec![name], "call");
        self.finish(spans, &[call, source], &caller);
    }

    pub(super) fn finish(
        &mut self,
        mut spans: Vec<Span>,
        sources: &[Source],
        about: &Definition<'i>,
    ) -> bool {
        spans.push(text("."));
        let spans = tidy(spans);
        let stated = self.notes.state(spans, sources);
        self.note_said(stated, about)
    }

    /// Remembers a definition that has a statement now; returns whether it has.
    pub(super) fn note_said(&mut self, stated: bool, about: &Definition<'i>) -> bool {
        if stated {
            self.said.push(*about);
            self.last_file = Some(about.file);
        }
        stated
    }
}
