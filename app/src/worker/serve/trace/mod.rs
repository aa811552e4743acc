//! How a question was searched: each step of a strategy with what it moved, two strategies side by
//! side, and the same as a file. [`doc`] is what is told, [`html`] and [`chart`] how it looks.

mod chart;
mod doc;
mod html;

use std::rc::Rc;

use footnote_core::search::presets::{PRESETS, Preset, preset};
use footnote_core::search::{Context, Question};

use doc::RunDoc;
pub(super) use doc::TraceDoc;

use super::ask::HITS;
use super::repo::OpenRepo;
use super::steps::Stop;
use super::{Engine, notices};
use crate::platform::clock::now_ms;
use crate::worker::protocol::{Event, ExportFormat, ExportView, JobId, StrategyView, TraceView};

/// Letters of the question in a file's name.
const NAME_LENGTH: usize = 48;

impl Engine {
    pub(super) async fn trace(
        self: &Rc<Self>,
        job: JobId,
        text: &str,
        strategies: &[String],
        stop: &Stop,
    ) {
        let question = match Question::new(text) {
            Ok(question) => question,
            Err(error) => return self.fail(job, notices::bad_question(&error)),
        };
        let chosen: Vec<&Preset> = strategies.iter().filter_map(|name| preset(name)).collect();
        if chosen.is_empty() {
            return self.fail(job, notices::no_such_strategy(strategies));
        }
        let Some(open) = self.when_open(job, stop).await else {
            return;
        };
        let embedding = self.compare(&open, &question, stop).await;
        if stop.asked() {
            return;
        }
        let doc = traced(&open, &question, embedding.as_ref(), &chosen);
        let view = TraceView {
            question: question.text().to_owned(),
            chosen: chosen.iter().map(|it| it.name.to_owned()).collect(),
            options: PRESETS.iter().map(option).collect(),
            html: html::fragment(&doc),
        };
        *self.last_trace.borrow_mut() = Some(doc);
        self.post(job, &Event::Trace(view));
    }

    pub(super) fn export_trace(&self, job: JobId, format: ExportFormat) {
        let last = self.last_trace.borrow();
        let Some(doc) = last.as_ref() else {
            return self.fail(job, notices::no_trace());
        };
        match export(doc, format) {
            Ok(view) => self.post(job, &Event::Exported(view)),
            Err(error) => self.fail(job, notices::internal(&error.to_string())),
        }
    }
}

fn traced(
    open: &OpenRepo,
    question: &Question,
    embedding: Option<&footnote_core::embed::Embedding>,
    chosen: &[&Preset],
) -> TraceDoc {
    let vectors = open.vectors.borrow();
    let started = now_ms();
    let context = Context::new(&open.index, &vectors, question, embedding);
    let mut doc = TraceDoc::new(&context, now_ms() - started);
    for preset in chosen {
        if let Some(strategy) = preset.strategy() {
            let trace = context.trace(&strategy, HITS, now_ms);
            doc.strategies
                .push(RunDoc::new(&open.index, preset, &trace));
        }
    }
    doc
}

fn option(preset: &Preset) -> StrategyView {
    StrategyView {
        name: preset.name.to_owned(),
        title: preset.title.to_owned(),
    }
}

fn export(doc: &TraceDoc, format: ExportFormat) -> Result<ExportView, serde_json::Error> {
    let (ending, media_type, text) = match format {
        ExportFormat::Html => ("html", "text/html", html::file(doc)),
        ExportFormat::Json => {
            let text = serde_json::to_string_pretty(doc)?;
            ("json", "application/json", text)
        }
    };
    Ok(ExportView {
        file_name: format!("{}.{ending}", file_stem(&doc.question)),
        media_type: media_type.to_owned(),
        text,
    })
}

/// `trace-where-are-redirects-followed`.
fn file_stem(question: &str) -> String {
    let words = question
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut stem = String::from("trace");
    for word in words {
        if stem.chars().count() + word.chars().count() > NAME_LENGTH {
            break;
        }
        stem.push('-');
        stem.push_str(&word.to_lowercase());
    }
    stem
}

#[cfg(test)]
mod tests;
