//! Which lines a model is shown of what was found: [`Engine::chosen`] retrieves, reads and compresses; the rest is
//! the inspector, where people see and change the choice. [`doc`] is what is told, [`html`] how it looks.

mod doc;
pub(super) mod formats;
mod html;
mod json;
mod judge;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use footnote_core::compress::policy::Local;
use footnote_core::compress::{Boundaries, Budget, Compressed, Compressor, Piece, Scored};
use footnote_core::embed::{Embedding, LineVectors};
use footnote_core::index::ContentKey;
use footnote_core::search::{Question, Strategy, search};
use wasm_bindgen_futures::spawn_local;

use super::ask::HITS;
use super::cancel::Cancel;
use super::export::{self, ExportError};
use super::repo::OpenRepo;
use super::{Engine, notices};
use crate::worker::pool::MODEL;
use crate::worker::protocol::{
    ContextEvent, ContextRequest, Event, ExportView, JobId, Notice, SnippetAt,
};
use doc::ContextDoc;

/// Tokens of a context as the inspector shows it at first.
const TOKENS_AHEAD: usize = 4_000;

/// The context that the inspector shows.
pub(super) struct Inspected {
    open: Rc<OpenRepo>,
    question: String,
    tokens: usize,
    sides: Vec<Side>,
}

/// What one strategy chose, and of what.
struct Side {
    scored: Rc<Scored>,
    compressed: Compressed,
    /// The code model that read the lines, or why it did not; none where none was wanted.
    model: Option<Result<String, String>>,
    /// The connected model, where it said how much of each snippet is kept.
    judged_by: Option<String>,
}

/// How much is kept.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    tokens: usize,
    /// Of each piece; all blocks compete without.
    policy: Option<Local>,
}

impl Limits {
    /// Of all pieces so many tokens, of each what the policy of this name says.
    pub fn new(tokens: u32, policy: &str) -> Self {
        Self {
            tokens: tokens as usize,
            policy: Local::from_name(policy),
        }
    }

    fn budget(&self, scored: &Scored) -> Budget {
        match self.policy {
            Some(policy) => Budget::Rates {
                rates: policy.rates(scored),
                total: Some(self.tokens),
            },
            None => Budget::Tokens(self.tokens),
        }
    }
}

/// What was found for a question: several times more than what is to be sent.
struct Found {
    question: Question,
    embedding: Option<Embedding>,
    pieces: Vec<Piece>,
}

/// Pieces with their scores, each kind made when it is first wanted.
struct Scorings {
    found: Found,
    /// By words and, where an encoder can be used, by meaning.
    plain: Option<Rc<Scored>>,
    /// By the code model too, cut where it is surprised.
    read: Option<(Rc<Scored>, Result<String, String>)>,
}

impl Engine {
    pub(super) async fn context(
        self: &Rc<Self>,
        job: JobId,
        request: ContextRequest,
        cancel: &Cancel,
    ) {
        match request {
            ContextRequest::Make {
                question,
                strategies,
                tokens,
                policy,
            } => {
                self.inspect_next(job, cancel);
                let limits = Limits::new(tokens, &policy);
                self.make_context(job, &question, &strategies, limits, cancel)
                    .await;
            }
            ContextRequest::Judge => {
                self.inspect_next(job, cancel);
                self.judge_context(job, cancel).await;
            }
            ContextRequest::Recut { at, percent } => self.recut(job, at, percent),
            ContextRequest::Export { format } => self.export_context(job, &format),
        }
    }

    /// From now on `job` makes the context: what an earlier one still does is of no use, and would be what sliders and
    /// exports act on.
    fn inspect_next(&self, job: JobId, cancel: &Cancel) {
        self.stop_inspecting();
        *self.inspecting.borrow_mut() = Some((job, cancel.clone()));
    }

    /// Stops what makes a context: the repository or the connected model is another from now on.
    pub(super) fn stop_inspecting(&self) {
        if let Some((job, cancel)) = self.inspecting.take()
            && self.cancels.borrow_mut().remove(&job).is_some()
        {
            cancel.ask();
            self.end(job, Event::Cancelled);
            self.changed.notify();
        }
    }

    async fn make_context(
        self: &Rc<Self>,
        job: JobId,
        text: &str,
        strategies: &[String],
        limits: Limits,
        cancel: &Cancel,
    ) {
        let chosen: Vec<Compressor> = strategies
            .iter()
            .filter_map(|name| Compressor::from_name(name))
            .collect();
        if chosen.is_empty() {
            return self.fail(job, notices::no_such_strategy(strategies));
        }
        let Some(open) = self.when_open(job, cancel).await else {
            return;
        };
        let mut scorings = match self.found(&open, text, limits.tokens, cancel).await {
            Ok(found) => Scorings::new(found),
            Err(notice) => return self.fail(job, notice),
        };
        let mut sides = Vec::new();
        for compressor in chosen {
            let (scored, model) = self.scored(&open, &mut scorings, compressor, cancel).await;
            if cancel.asked() || !self.is_current(&open) {
                return;
            }
            sides.push(Side {
                compressed: scored.compress(compressor, &limits.budget(&scored)),
                scored,
                model,
                judged_by: None,
            });
        }
        let inspected = Inspected {
            question: text.to_owned(),
            tokens: limits.tokens,
            sides,
            open,
        };
        let view = doc::view(&inspected, self.code_model_view());
        self.end(job, ContextEvent::Made(view));
        *self.inspected.borrow_mut() = Some(inspected);
    }

    /// The pieces that are found for a question.
    async fn found(
        self: &Rc<Self>,
        open: &Rc<OpenRepo>,
        text: &str,
        tokens: usize,
        cancel: &Cancel,
    ) -> Result<Found, Notice> {
        let question = Question::new(text).map_err(|error| notices::bad_question(&error))?;
        let embedding = self.compare(open, &question, cancel).await;
        let index = &open.index;
        let hits = search(
            index,
            &open.vectors.borrow(),
            &question,
            embedding.as_ref(),
            &Strategy::default(),
            HITS,
        );
        Ok(Found {
            pieces: Piece::of_hits(index, &hits, tokens),
            question,
            embedding,
        })
    }

    /// What was found, scored by all that a compressor looks at, and the code model if it is one of them.
    async fn scored(
        self: &Rc<Self>,
        open: &Rc<OpenRepo>,
        scorings: &mut Scorings,
        compressor: Compressor,
        cancel: &Cancel,
    ) -> (Rc<Scored>, Option<Result<String, String>>) {
        if !compressor.uses_model() {
            return (self.plain(open, scorings, cancel).await, None);
        }
        if let Some((scored, model)) = &scorings.read {
            return (Rc::clone(scored), Some(model.clone()));
        }
        let read = self.read_by_model(open, &scorings.found, cancel).await;
        let (scored, model) = match read {
            Ok((scored, id)) => {
                self.read_ahead(open);
                (Rc::new(scored), Ok(id))
            }
            Err(why) => (self.plain(open, scorings, cancel).await, Err(why)),
        };
        scorings.read = Some((Rc::clone(&scored), model.clone()));
        (scored, Some(model))
    }

    async fn plain(
        self: &Rc<Self>,
        open: &Rc<OpenRepo>,
        scorings: &mut Scorings,
        cancel: &Cancel,
    ) -> Rc<Scored> {
        if let Some(scored) = &scorings.plain {
            return Rc::clone(scored);
        }
        let Found {
            question,
            embedding,
            pieces,
        } = &scorings.found;
        let mut scored = Scored::new(&open.index, question, pieces, Boundaries::default());
        if let Some(embedding) = embedding {
            self.read_lines(open, &mut scored, embedding, cancel).await;
        }
        let scored = Rc::new(scored);
        scorings.plain = Some(Rc::clone(&scored));
        scored
    }

    /// Cut where the code model is surprised, scored by what blocks do to its surprise at the question (RepoDistill,
    /// section 2.2); and the model's id.
    async fn read_by_model(
        self: &Rc<Self>,
        open: &Rc<OpenRepo>,
        found: &Found,
        cancel: &Cancel,
    ) -> Result<(Scored, String), String> {
        let id = self.code_model(cancel).await?;
        let texts = found.pieces.iter().map(|piece| piece.text(&open.index));
        let texts: Vec<String> = texts.map(Option::unwrap_or_default).collect();
        let perplexities = self.perplexities(open, &texts, cancel).await?;
        let mut scored = Scored::with_perplexities(
            &open.index,
            &found.question,
            &found.pieces,
            Boundaries::Perplexity,
            &perplexities,
        );
        if let Some(embedding) = &found.embedding {
            self.read_lines(open, &mut scored, embedding, cancel).await;
        }
        let blocks = scored.block_texts();
        let scores = self.ami(found.question.text(), &blocks, cancel).await?;
        scored.set_ami(&scores);
        Ok((scored, id))
    }

    /// Has the encoders read the lines of an answered question's context, so that the inspector does not have to wait for
    /// them. It takes them seconds, before the vectors that no one waits for; the user who pauses those pauses this. With
    /// a model connected its question does that at once, and while another job waits for the encoders nothing does.
    pub(super) fn read_context_ahead(self: &Rc<Self>, open: &Rc<OpenRepo>, text: &str) {
        let can_read = {
            let work = open.work.borrow();
            !work.queue.paused && work.failed.is_none() && self.is_current(open)
        };
        // The answered question is still one of the jobs.
        let is_alone = self.cancels.borrow().len() <= 1;
        if !can_read || !is_alone || self.connection.borrow().is_some() {
            return;
        }
        let cancel = Cancel::default();
        self.reading_ahead.replace(cancel.clone()).ask();
        let (engine, open, text) = (Rc::clone(self), Rc::clone(open), text.to_owned());
        spawn_local(async move {
            let found = engine.found(&open, &text, TOKENS_AHEAD, &cancel).await;
            if let (Ok(found), false) = (found, cancel.asked()) {
                engine
                    .plain(&open, &mut Scorings::new(found), &cancel)
                    .await;
            }
        });
    }

    /// A job begins that may wait for the encoders. What was read ahead so far is kept before the job asks for it: the
    /// task that is woken here runs before the one of the job, which is spawned later.
    pub(super) fn stop_reading_ahead(&self) {
        self.reading_ahead.borrow().ask();
        self.changed.notify();
    }

    async fn read_lines(
        self: &Rc<Self>,
        open: &Rc<OpenRepo>,
        scored: &mut Scored,
        question: &Embedding,
        cancel: &Cancel,
    ) {
        let passes = scored.passes();
        let keys: Vec<ContentKey> = passes.iter().map(|pass| pass.key(MODEL)).collect();
        let mut vectors: Vec<Option<LineVectors>> = {
            let kept = open.lines.borrow();
            keys.iter().map(|key| kept.get(key)).collect()
        };
        let all = (0..).zip(&vectors);
        let missing = all.filter(|(_, kept)| kept.is_none()).map(|(at, _)| at);
        let missing: Vec<usize> = missing.collect();
        let texts = missing.iter().filter_map(|&at| passes.get(at));
        let texts: Vec<String> = texts.map(|pass| pass.text.clone()).collect();
        let read = self.line_vectors(open, &texts, cancel).await;
        for (at, read) in missing.into_iter().zip(read) {
            if let (Some(key), Some(read)) = (keys.get(at), &read) {
                open.lines.borrow_mut().keep(*key, read);
            }
            if let Some(slot) = vectors.get_mut(at) {
                *slot = read;
            }
        }
        if !cancel.asked() {
            scored.set_vectors(question, &vectors);
        }
    }

    /// The lines that tell most about a question within the limits.
    pub(super) async fn chosen(
        self: &Rc<Self>,
        open: &Rc<OpenRepo>,
        text: &str,
        compressor: Compressor,
        limits: Limits,
        cancel: &Cancel,
    ) -> Result<Compressed, Notice> {
        let found = self.found(open, text, limits.tokens, cancel).await?;
        let mut scorings = Scorings::new(found);
        let (scored, _) = self.scored(open, &mut scorings, compressor, cancel).await;
        Ok(scored.compress(compressor, &limits.budget(&scored)))
    }

    /// Chooses anew in one snippet.
    fn recut(&self, job: JobId, at: SnippetAt, percent: u32) {
        let mut inspected = self.inspected.borrow_mut();
        let recut = inspected.as_mut().and_then(|inspected| {
            let side = inspected.sides.get_mut(at.side as usize)?;
            let rate = percent.min(100) as f32 / 100.0;
            let at = at.snippet as usize;
            side.scored.reselect(&mut side.compressed, at, rate);
            let snippet = side.compressed.snippets.get(at)?;
            Some(doc::snippet(&inspected.open.index, snippet))
        });
        match recut {
            Some(snippet) => self.end(job, ContextEvent::Recut(at, snippet)),
            None => self.fail(job, notices::no_context()),
        }
    }

    fn export_context(&self, job: JobId, format: &str) {
        let inspected = self.inspected.borrow();
        let Some(inspected) = inspected.as_ref() else {
            return self.fail(job, notices::no_context());
        };
        match exported(inspected, format) {
            Ok(view) => self.end(job, Event::Exported(view)),
            Err(error) => self.fail(job, notices::not_exported(&error)),
        }
    }
}

impl Scorings {
    fn new(found: Found) -> Self {
        Self {
            found,
            plain: None,
            read: None,
        }
    }
}

fn exported(inspected: &Inspected, format: &str) -> Result<ExportView, ExportError> {
    let doc = ContextDoc::new(inspected);
    let stem = export::stem("context", &inspected.question);
    export::file(&formats::ALL, format, &stem, |write| write(&doc, inspected))
}
