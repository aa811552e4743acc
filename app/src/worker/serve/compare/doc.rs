//! A comparison as shown and exported: with paths and lines instead of ids.

use std::collections::BTreeMap;

use footnote_core::answer::{Fit, Outcome};
use footnote_core::index::Index;
use footnote_core::pipeline::{Keep, LAMBDA_NAME, Made, Pipeline, preset};
use footnote_core::search::{Params, Slider};
use serde::Serialize;

use super::html;
use crate::worker::protocol::{ColumnView, OfferedView, PlaceView, SliderView};
use crate::worker::serve::document::{Place, Target};

/// Number of hits whose ranks are shown.
const RANKS: usize = 10;

/// A question and the result of each pipeline.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CompareDoc {
    pub repository: String,
    pub question: String,
    /// `None` for columns that are not computed yet.
    pub columns: Vec<Option<ColumnDoc>>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ColumnDoc {
    /// With all of its settings.
    pub pipeline: Pipeline,
    pub title: &'static str,
    pub about: &'static str,
    /// Deviations from the paper, with reasons.
    pub deviations: Vec<(&'static str, &'static str)>,
    /// Whether the answer may miss the question.
    pub is_closest: bool,
    pub note: Option<String>,
    /// Why there is no answer.
    pub nothing: Option<String>,
    pub statements: Vec<StatementDoc>,
    pub footnotes: Vec<NoteDoc>,
    /// The best hits.
    pub ranks: Vec<RankDoc>,
    /// What would be shown to a model.
    pub context: Vec<ShownDoc>,
    pub tokens: usize,
    pub files: usize,
    pub chunks: usize,
    pub compared: usize,
    /// Which other way was used to choose the lines, and why.
    pub instead: Option<String>,
    pub stages: Vec<(&'static str, f64)>,
}

#[derive(Clone, Debug, Serialize)]
pub struct StatementDoc {
    pub text: String,
    pub footnotes: Vec<u32>,
}

#[derive(Clone, Debug, Serialize)]
pub struct NoteDoc {
    pub number: u32,
    pub place: Place,
    pub why: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct RankDoc {
    pub place: Place,
    pub title: String,
    pub score: f32,
    /// Ranks gained since the last run of its column, negative for ranks lost; `None` if the hit is
    /// new or there was no earlier run.
    pub rose: Option<i64>,
    pub is_new: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct ShownDoc {
    pub place: Place,
    pub left_out: Vec<(u32, u32)>,
    pub tokens: usize,
    /// Exactly what a model is shown, byte for byte.
    pub sent: String,
}

impl CompareDoc {
    pub fn is_empty(&self) -> bool {
        self.columns.iter().all(Option::is_none)
    }

    /// Starts a comparison with `total` columns; the columns of another question are dropped.
    pub fn begin(&mut self, repository: &str, question: &str, total: usize) {
        if self.question != question || self.repository != repository {
            *self = Self {
                repository: repository.to_owned(),
                question: question.to_owned(),
                columns: Vec::new(),
            };
        }
        self.columns.resize_with(total, || None);
    }

    /// Stores a column at its place, and notes how its ranks moved if it replaces an earlier run.
    pub fn put(&mut self, at: usize, mut column: ColumnDoc) -> ColumnView {
        let slot = self.columns.get_mut(at);
        if let Some(Some(before)) = slot.as_deref()
            && before.pipeline.name == column.pipeline.name
        {
            column.moved_since(before);
        }
        let view = column.view(&self.question);
        if let Some(slot) = slot {
            *slot = Some(column);
        }
        view
    }
}

impl ColumnDoc {
    pub fn new(pipeline: &Pipeline, index: &Index, made: &Made) -> Self {
        let known = preset(&pipeline.name);
        let deviations = known.map_or(&[][..], |known| known.deviations);
        let (nothing, statements, footnotes) = match &made.answer.outcome {
            Outcome::Nothing { why } => (Some(why.clone()), &[][..], &[][..]),
            Outcome::Found {
                statements,
                footnotes,
            } => (None, statements.as_slice(), footnotes.as_slice()),
        };
        let statement = |it: &footnote_core::answer::Statement| StatementDoc {
            text: it.plain(),
            footnotes: it.footnotes.clone(),
        };
        let note = |it: &footnote_core::answer::Footnote| NoteDoc {
            number: it.number,
            place: Place::new(path(index, it.source.file()), it.source.lines()),
            why: it.why.clone(),
        };
        Self {
            pipeline: pipeline.clone(),
            title: known.map_or("", |known| known.title),
            about: known.map_or("", |known| known.about),
            deviations: deviations.iter().map(|it| (it.what, it.why)).collect(),
            is_closest: made.answer.fit == Fit::Closest,
            note: made.answer.note.clone(),
            nothing,
            statements: statements.iter().map(statement).collect(),
            footnotes: footnotes.iter().map(note).collect(),
            ranks: ranks(index, made),
            context: made.context().iter().map(shown).collect(),
            tokens: made.tokens(),
            files: files(made),
            chunks: index.chunks.len(),
            compared: made.compared,
            instead: made.instead(),
            stages: made
                .stages
                .iter()
                .map(|it| (it.name, it.milliseconds))
                .collect(),
        }
    }

    fn moved_since(&mut self, before: &Self) {
        let old: BTreeMap<&Place, usize> =
            before.ranks.iter().map(|it| &it.place).zip(0..).collect();
        for (new, rank) in self.ranks.iter_mut().enumerate() {
            let known = old.get(&rank.place);
            rank.rose = known.map(|&old| old as i64 - new as i64);
            rank.is_new = known.is_none();
        }
    }

    fn view(&self, question: &str) -> ColumnView {
        let context = self.context.iter();
        ColumnView {
            title: self.title.to_owned(),
            html: html::column(self, Target::Page).into_string(),
            offered: context.map(offered).collect(),
            tokens: self.tokens as u32,
            sliders: sliders(&self.pipeline),
            milliseconds: self.milliseconds(),
            command: command(&self.pipeline, question),
        }
    }

    pub fn milliseconds(&self) -> f64 {
        self.stages
            .iter()
            .map(|(_, milliseconds)| milliseconds)
            .sum()
    }
}

fn path(index: &Index, file: footnote_core::source::FileId) -> &str {
    index.repo.file(file).map_or("", |file| &file.path)
}

fn ranks(index: &Index, made: &Made) -> Vec<RankDoc> {
    let rank = |hit: &footnote_core::search::Hit| {
        Some(RankDoc {
            place: Place::new(index.path_of(hit.chunk)?, index.trimmed_lines(hit.chunk)?),
            title: index.title(hit.chunk),
            score: hit.score,
            rose: None,
            is_new: false,
        })
    };
    made.hits.iter().take(RANKS).filter_map(rank).collect()
}

fn shown(block: &footnote_core::model::prompt::Block) -> ShownDoc {
    ShownDoc {
        place: Place::new(&block.path, block.lines),
        left_out: block
            .left_out
            .iter()
            .map(|run| (run.start().0, run.end().0))
            .collect(),
        tokens: block.tokens,
        sent: block.quoted(),
    }
}

fn files(made: &Made) -> usize {
    let files = made.context().iter().map(|block| block.file);
    files.collect::<std::collections::BTreeSet<_>>().len()
}

fn offered(shown: &ShownDoc) -> OfferedView {
    OfferedView {
        place: PlaceView {
            path: shown.place.path.clone(),
            start: shown.place.start,
            end: shown.place.end,
        },
        left_out: shown.left_out.clone(),
    }
}

/// The numeric settings of the pipeline's search.
fn sliders(pipeline: &Pipeline) -> Vec<SliderView> {
    let used = pipeline.search.params();
    let slider = |(name, slider): (&'static str, Slider)| {
        used.contains(&name).then(|| SliderView {
            name: name.to_owned(),
            symbol: slider.symbol.to_owned(),
            about: slider.about.to_owned(),
            value: pipeline.numbers.value(name).unwrap_or_default(),
            from: slider.from,
            to: slider.to,
            step: slider.step,
        })
    };
    let mut sliders: Vec<SliderView> = Params::sliders().filter_map(slider).collect();
    if let Keep::Lines {
        compressor, lambda, ..
    } = pipeline.keep
        && compressor.name() == "ami-mmr"
    {
        sliders.push(SliderView {
            name: LAMBDA_NAME.to_owned(),
            symbol: "λ of MMR".to_owned(),
            about: "How much relevance counts against what was chosen before.".to_owned(),
            value: lambda,
            from: 0.0,
            to: 1.0,
            step: 0.05,
        });
    }
    sliders
}

/// The command line with the same result.
fn command(pipeline: &Pipeline, question: &str) -> String {
    let question = question.replace('\'', "'\\''");
    let mut command = format!(
        "footnote ask ARCHIVE '{question}' --pipeline {}",
        pipeline.name
    );
    let changed = preset(&pipeline.name).map(|known| pipeline.changes_from(&(known.make)()));
    let changed = changed.unwrap_or_default();
    if !changed.is_empty() {
        let pairs: Vec<String> = changed
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        command.push_str(&format!(" --set {}", pairs.join(",")));
    }
    command
}
