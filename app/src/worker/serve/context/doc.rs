//! A context as shown and exported: with paths and lines instead of ids.

use footnote_core::compress::policy::Local;
use footnote_core::compress::{Compressor, Snippet, SnippetBlock};
use footnote_core::index::Index;
use footnote_core::lines::LineRange;
use serde::Serialize;

use super::{Inspected, Side, html};
use crate::worker::encoder_protocol::Backend;
use crate::worker::protocol::{
    CodeModelView, ContextView, OfferedView, PlaceView, SideView, SnippetView, StrategyView,
};

/// A question's context, chosen in one or two ways.
#[derive(Clone, Debug, Serialize)]
pub struct ContextDoc {
    pub repository: String,
    pub question: String,
    /// The most tokens that the context may have.
    pub token_budget: usize,
    pub strategies: Vec<SideDoc>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SideDoc {
    pub name: &'static str,
    pub about: String,
    /// What was used instead, and why; null if nothing is missing.
    pub instead: Option<String>,
    /// The language model that scored the lines; null if none did.
    pub code_model: Option<String>,
    /// Where it ran, in words.
    pub code_model_ran: Option<String>,
    /// The connected language model that decided how much of each snippet is kept; null if the
    /// scores did.
    pub judged_by: Option<String>,
    pub tokens_before: usize,
    pub tokens_after: usize,
    pub snippets: Vec<SnippetDoc>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SnippetDoc {
    pub path: String,
    pub start: u32,
    pub end: u32,
    pub tokens_before: usize,
    pub tokens_after: usize,
    /// First and last line of each run.
    pub kept: Vec<(u32, u32)>,
    pub blocks: Vec<BlockDoc>,
    /// Exactly what is sent, byte for byte; empty if nothing is.
    pub sent: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct BlockDoc {
    pub start: u32,
    pub end: u32,
    pub kept_lines: u32,
    pub tokens: usize,
    pub scores: Vec<(&'static str, f32)>,
}

impl ContextDoc {
    pub fn new(inspected: &Inspected) -> Self {
        let index = &inspected.open.index;
        Self {
            repository: index.repo.name.clone(),
            question: inspected.question.clone(),
            token_budget: inspected.tokens,
            strategies: inspected
                .sides
                .iter()
                .map(|side| SideDoc::new(index, side))
                .collect(),
        }
    }
}

impl SideDoc {
    fn new(index: &Index, side: &Side) -> Self {
        let compressed = &side.compressed;
        let snippets = compressed.snippets.iter();
        Self {
            name: compressed.asked.name(),
            about: about(compressed.asked),
            instead: instead(side),
            code_model: read_by(side),
            code_model_ran: ran(side),
            judged_by: side.judged_by.clone(),
            tokens_before: compressed.tokens_before(),
            tokens_after: compressed.tokens_after(),
            snippets: snippets.map(|it| SnippetDoc::new(index, it)).collect(),
        }
    }
}

impl SnippetDoc {
    fn new(index: &Index, snippet: &Snippet) -> Self {
        Self {
            path: snippet.path.clone(),
            start: snippet.lines.start().0,
            end: snippet.lines.end().0,
            tokens_before: snippet.tokens_before,
            tokens_after: snippet.tokens_after,
            kept: snippet.kept().into_iter().map(ends).collect(),
            blocks: snippet.blocks.iter().map(BlockDoc::from).collect(),
            sent: sent(index, snippet),
        }
    }
}

impl From<&SnippetBlock> for BlockDoc {
    fn from(block: &SnippetBlock) -> Self {
        let (start, end) = ends(block.lines);
        Self {
            start,
            end,
            kept_lines: block.kept_lines,
            tokens: block.tokens,
            scores: block.scores.clone(),
        }
    }
}

/// The context as the page shows it.
pub fn view(inspected: &Inspected, code_model: CodeModelView) -> ContextView {
    let index = &inspected.open.index;
    let side = |side: &Side| SideView {
        title: title(side.compressed.asked),
        about: about(side.compressed.asked),
        instead: instead(side),
        read_by: read_by(side),
        ran: ran(side),
        judged_by: side.judged_by.clone(),
        snippets: side
            .compressed
            .snippets
            .iter()
            .map(|it| snippet(index, it))
            .collect(),
    };
    ContextView {
        question: inspected.question.clone(),
        options: Compressor::all().map(option).collect(),
        policies: Local::all().map(policy).collect(),
        sides: inspected.sides.iter().map(side).collect(),
        code_model,
    }
}

pub fn snippet(index: &Index, snippet: &Snippet) -> SnippetView {
    let (start, end) = ends(snippet.lines);
    SnippetView {
        offered: OfferedView {
            place: PlaceView {
                path: snippet.path.clone(),
                start,
                end,
            },
            left_out: snippet.dropped.iter().copied().map(ends).collect(),
        },
        tokens_before: snippet.tokens_before as u32,
        tokens_after: snippet.tokens_after as u32,
        html: html::snippet(snippet, &sent(index, snippet)).into_string(),
    }
}

/// Exactly what is sent, byte for byte.
fn sent(index: &Index, snippet: &Snippet) -> String {
    let evidence = snippet.evidence(index);
    evidence.map(|block| block.quoted()).unwrap_or_default()
}

fn ends(lines: LineRange) -> (u32, u32) {
    (lines.start().0, lines.end().0)
}

fn option(compressor: Compressor) -> StrategyView {
    StrategyView {
        name: compressor.name().to_owned(),
        title: title(compressor),
    }
}

fn policy(policy: Local) -> StrategyView {
    StrategyView {
        name: policy.name().to_owned(),
        title: policy.title().to_owned(),
    }
}

/// What a compressor does, and how it performed.
fn about(compressor: Compressor) -> String {
    let does = compressor.about();
    let Some(reached) = compressor.reached() else {
        return does.to_owned();
    };
    let (kept, questions) = (reached.gold_lines * 100.0, reached.questions);
    format!(
        "{does} In tests on {questions} questions it kept {kept:.0} % of the lines that answer, within 4,000 tokens."
    )
}

/// The compressor's display name.
fn title(compressor: Compressor) -> String {
    let title = compressor.title();
    match compressor == Compressor::default() {
        true => format!("{title} (default)"),
        false => title.to_owned(),
    }
}

fn read_by(side: &Side) -> Option<String> {
    let read = side.model.as_ref()?.as_ref().ok()?;
    Some(read.model.clone())
}

/// Where the code language model ran.
fn ran(side: &Side) -> Option<String> {
    let read = side.model.as_ref()?.as_ref().ok()?;
    Some(match &read.backend {
        Backend::Gpu { name, tier } => format!("Code model on the GPU ({name}, {tier})."),
        Backend::Cpu { refused: None } => "Code model on the processor.".to_owned(),
        Backend::Cpu { refused: Some(why) } => format!("Code model on the processor: {why}."),
    })
}

fn instead(side: &Side) -> Option<String> {
    let missing = side.compressed.missing?;
    let used = title(side.compressed.used);
    let why = match &side.model {
        Some(Err(why)) => format!(" ({why})"),
        _ => String::new(),
    };
    Some(format!(
        "Not used: {missing}{why}. “{used}” chose these lines instead."
    ))
}
