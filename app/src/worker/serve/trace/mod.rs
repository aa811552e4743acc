//! How a question was searched: each step of a strategy with what it moved, two strategies side by
//! side, and the same as a file. [`doc`] is the content, [`html`] and [`chart`] are its layout.

mod chart;
mod doc;
pub(super) mod formats;
mod html;
mod json;

use std::cell::RefCell;
use std::rc::Rc;

use footnote_core::answer::{self, HITS};
use footnote_core::chunk::ChunkId;
use footnote_core::embed::Embedding;
use footnote_core::search::presets::{PRESETS, Preset, preset};
use footnote_core::search::{Context, LateScores, Question, Strategy, late};

use doc::{RunDoc, TraceDoc};

use super::cancel::Cancel;
use super::described;
use super::encoders::Encoders;
use super::export::{self, ExportError};
use super::notices;
use super::repo::OpenRepo;
use super::services::Services;
use super::shelf::Shelf;
use crate::platform::clock::now_ms;
use crate::worker::protocol::{Event, ExportView, JobId, StrategyView, TraceRequest, TraceView};

/// Traces questions and keeps the last trace.
pub struct Tracer {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    encoders: Rc<Encoders>,
    /// The last trace, for its export.
    last: RefCell<Option<TraceDoc>>,
}

impl Tracer {
    pub fn new(services: &Rc<Services>, shelf: &Rc<Shelf>, encoders: &Rc<Encoders>) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            encoders: Rc::clone(encoders),
            last: RefCell::default(),
        })
    }

    pub async fn serve(&self, job: JobId, request: TraceRequest, cancel: &Cancel) {
        match request {
            TraceRequest::Make {
                question,
                strategies,
            } => self.trace(job, &question, &strategies, cancel).await,
            TraceRequest::Export { format } => self.export_trace(job, &format),
        }
    }

    async fn trace(&self, job: JobId, text: &str, strategies: &[String], cancel: &Cancel) {
        let question = match Question::new(text) {
            Ok(question) => question,
            Err(error) => return self.services.fail(job, notices::bad_question(&error)),
        };
        let chosen = strategies.iter().filter_map(|name| {
            let preset = preset(name)?;
            Some((preset, preset.strategy()?))
        });
        let chosen: Vec<(&'static Preset, Strategy)> = chosen.collect();
        if chosen.is_empty() {
            return self
                .services
                .fail(job, notices::no_such_strategy(strategies));
        }
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return;
        };
        let question = answer::scoped(&open.index, question);
        if chosen.iter().any(|(_, strategy)| strategy.uses_texts()) {
            described::settle(&self.services.storage, &open, cancel).await;
        }
        let embedding = self.encoders.compare(&open, &question, cancel).await;
        if cancel.asked() {
            return;
        }
        let asked = Asked {
            open: &open,
            question: &question,
            embedding: embedding.as_ref(),
            chosen: &chosen,
        };
        let mut late = Vec::new();
        for (_, strategy) in &chosen {
            late.push(self.late_scores(&asked, strategy, cancel).await);
        }
        if cancel.asked() {
            return;
        }
        let doc = traced(&asked, late);
        let view = TraceView {
            question: question.written(),
            chosen: chosen.iter().map(|(it, _)| it.name.to_owned()).collect(),
            options: PRESETS.iter().map(option).collect(),
            reading: html::reading(&doc).into_string(),
            runs: html::runs(&doc),
        };
        *self.last.borrow_mut() = Some(doc);
        self.services.end(job, view);
    }

    /// Returns the token-by-token scores of the chunks that a strategy compares this way, and the
    /// milliseconds spent on computing them; empty if the strategy needs none or the model cannot
    /// be used.
    async fn late_scores(&self, asked: &Asked<'_>, strategy: &Strategy, cancel: &Cancel) -> Late {
        let Some(side) = strategy.compares() else {
            return Late::default();
        };
        let started = now_ms();
        let chunks = late_candidates(asked, strategy);
        if chunks.is_empty() {
            return Late::default();
        }
        let index = &asked.open.index;
        let texts = chunks.iter().map(|&chunk| side.text(index, chunk));
        let texts: Vec<String> = texts.collect();
        let question = asked.question.text();
        let scores = self
            .encoders
            .bert_scores(asked.open, question, &texts, cancel)
            .await;
        Late {
            scores: chunks.into_iter().zip(scores.unwrap_or_default()).collect(),
            milliseconds: now_ms() - started,
        }
    }

    fn export_trace(&self, job: JobId, format: &str) {
        let last = self.last.borrow();
        let Some(doc) = last.as_ref() else {
            return self.services.fail(job, notices::no_trace());
        };
        match exported(doc, format) {
            Ok(view) => self.services.end(job, Event::Exported(view)),
            Err(error) => self.services.fail(job, notices::not_exported(&error)),
        }
    }
}

/// A question with what is known about it, and the strategies to show.
struct Asked<'a> {
    open: &'a Rc<OpenRepo>,
    question: &'a Question,
    embedding: Option<&'a Embedding>,
    chosen: &'a [(&'static Preset, Strategy)],
}

#[derive(Default)]
struct Late {
    scores: LateScores,
    milliseconds: f64,
}

/// The chunks that a strategy compares token by token.
fn late_candidates(asked: &Asked<'_>, strategy: &Strategy) -> Vec<ChunkId> {
    let vectors = asked.open.vectors.borrow();
    let context = Context::new(&asked.open.index, &vectors, asked.question, asked.embedding);
    late::candidates(&context, strategy)
}

/// `late` holds the scores of each chosen strategy.
fn traced(asked: &Asked<'_>, late: Vec<Late>) -> TraceDoc {
    let index = &asked.open.index;
    let vectors = asked.open.vectors.borrow();
    let started = now_ms();
    let mut context = Context::new(index, &vectors, asked.question, asked.embedding);
    let mut doc = TraceDoc::new(&context, now_ms() - started);
    doc.encoder = asked.open.work.borrow().model.clone().map(|model| model.id);
    for ((preset, strategy), late) in asked.chosen.iter().zip(late) {
        context.late = late.scores;
        let trace = context.trace(strategy, HITS, now_ms);
        let mut run = RunDoc::new(&context, preset, &trace);
        if strategy.uses_token_vectors() {
            run.token_milliseconds = late.milliseconds;
        }
        doc.strategies.push(run);
    }
    doc
}

fn option(preset: &Preset) -> StrategyView {
    StrategyView {
        name: preset.name.to_owned(),
        title: preset.title.to_owned(),
    }
}

fn exported(doc: &TraceDoc, format: &str) -> Result<ExportView, ExportError> {
    let stem = export::stem("trace", &doc.question);
    export::file(&formats::ALL, format, &stem, |write| write(doc))
}

#[cfg(test)]
mod tests;
