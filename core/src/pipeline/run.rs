//! Question → hits, context and answer, by a pipeline.

use std::future::Future;

use super::choose::{self, Chosen};
use super::keep::{self, Found, Kept};
use super::query::{self, Rewritten};
use super::{Keep, Pipeline};
use crate::answer::{self, Answer, Fit, Outcome};
use crate::chunk::ChunkId;
use crate::compress::Pass;
use crate::compress::score::ami::Ami;
use crate::embed::{Embedding, LineVectors};
use crate::index::{Index, Vectors};
use crate::model::prompt::Block;
use crate::model::protocol::Chat;
use crate::search::late;
use crate::search::{
    BertScore, Context, Hit, LateScores, Question, Strategy, candidates_to_compare,
};
use crate::source::FileId;

/// Runs encoders and the code model for a pipeline, in workers or in this thread. If it cannot do
/// something, it leaves it out, and the pipeline goes on with what is known.
pub trait Reader {
    /// Gives access to the existing vectors of the chunks of the pipeline's index.
    fn with_vectors<T>(&self, look: impl FnOnce(&Vectors) -> T) -> T;

    /// The question's vector, once these chunks have theirs; `None` if no encoder can be used.
    fn compare(
        &self,
        question: &Question,
        chunks: &[ChunkId],
    ) -> impl Future<Output = Option<Embedding>>;

    /// The line vectors of each pass; `None` where the encoder fails.
    fn line_vectors(&self, passes: &[Pass]) -> impl Future<Output = Vec<Option<LineVectors>>>;

    /// The id of the code model, or why there is none.
    fn code_model(&self) -> impl Future<Output = Result<String, String>>;

    /// The code model's perplexity of each line of each text.
    fn perplexities(&self, texts: &[String])
    -> impl Future<Output = Result<Vec<Vec<f32>>, String>>;

    /// How much each block of each piece lowers the code model's surprise at the question.
    fn ami(
        &self,
        question: &str,
        blocks: &[Vec<String>],
    ) -> impl Future<Output = Result<Vec<Vec<Ami>>, String>>;

    /// BERTScore of the question with each text; `None` if no encoder can compute it.
    fn bert_scores(
        &self,
        question: &str,
        texts: &[String],
    ) -> impl Future<Output = Option<Vec<BertScore>>>;

    /// The files that a model chooses from, if the best that this run found are `files`. A caller
    /// that has shown the user a list already returns that one.
    fn shortlist(&self, files: Vec<FileId>) -> Vec<FileId> {
        files
    }

    /// The connected language model's answer, or why there is none. The request leaves the model's
    /// name open.
    fn write(&self, chat: Chat) -> impl Future<Output = Result<String, String>>;

    /// A clock in milliseconds, with any origin.
    fn now_ms(&self) -> f64;
}

/// A stage of the pipeline, and how long it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// `query`, `meaning`, `search`, `choose`, `context`, `answer`.
    pub name: &'static str,
    /// Including the time spent waiting for encoders.
    pub milliseconds: f64,
}

/// A pipeline's result for a question.
#[derive(Clone, Debug)]
pub struct Made {
    /// The text that was searched for in place of the question, if a model was asked for it.
    pub rewritten: Option<Rewritten>,
    /// What a model chose among the files of the hits, if one was asked.
    pub chosen: Option<Chosen>,
    /// Best first.
    pub hits: Vec<Hit>,
    /// Number of chunks that have a vector.
    pub compared: usize,
    /// Whether chunks were found by words alone because no encoder can be used.
    pub by_words: bool,
    /// The context for a model.
    pub kept: Kept,
    /// The answer, made without a language model.
    pub answer: Answer,
    /// In order.
    pub stages: Vec<Stage>,
}

impl Made {
    /// The blocks that a model is shown, best first.
    pub fn context(&self) -> &[Block] {
        &self.kept.blocks
    }

    /// What was done differently from what the pipeline specifies, and why; `None` if nothing was.
    pub fn instead(&self) -> Option<String> {
        let found = "No encoder can be used, so chunks were found by words.";
        let found = self.by_words.then(|| found.to_owned());
        let why = self
            .rewritten
            .as_ref()
            .and_then(|it| it.text.as_ref().err());
        let query = why.map(|why| format!("The question itself was searched for, because {why}."));
        let why = self.chosen.as_ref().and_then(|it| it.files.as_ref().err());
        let files = why.map(|why| format!("The search alone chose the files, because {why}."));
        let searched = answer::joined(query, answer::joined(found, files));
        answer::joined(searched, self.kept.instead())
    }

    /// Tokens of the context.
    pub fn tokens(&self) -> usize {
        self.kept.blocks.iter().map(|block| block.tokens).sum()
    }
}

/// Runs `pipeline` on an index that is cut as it requires.
pub async fn run<R: Reader>(
    pipeline: &Pipeline,
    index: &Index,
    question: &Question,
    reader: &R,
) -> Made {
    let mut clock = Clock::start(reader);
    let asked = question;
    let (rewritten, query) = rewritten(pipeline, index, asked, reader).await;
    if rewritten.is_some() {
        clock.stage("query");
    }
    let question = query.as_ref().unwrap_or(asked);
    let embedding = meaning(pipeline, index, question, reader).await;
    clock.stage("meaning");
    let by_words = match embedding {
        Some(_) => None,
        None => pipeline.search.by_words(),
    };
    let search = by_words.as_ref().unwrap_or(&pipeline.search);
    let searched = Searched {
        pipeline,
        search,
        index,
        question,
        embedding: embedding.as_ref(),
    };
    let late = late_scores(&searched, reader).await;
    let (hits, compared) = reader.with_vectors(|vectors| {
        let mut context = searched.context(vectors);
        context.late = late;
        let hits = context.run(search, pipeline.hits);
        (hits, embedding.as_ref().map_or(0, |_| vectors.count()))
    });
    clock.stage("search");
    let chosen = choose::choose(pipeline, index, asked, &hits, reader).await;
    let hits = match &chosen {
        Some(chosen) => reader.with_vectors(|vectors| {
            let context = searched.context(vectors);
            choose::applied(&context, hits, chosen)
        }),
        None => hits,
    };
    if chosen.is_some() {
        clock.stage("choose");
    }
    let found = Found {
        index,
        question: asked,
        embedding: embedding.as_ref(),
        hits: &hits,
    };
    let kept = keep::keep(pipeline, &found, reader).await;
    clock.stage("context");
    let answer = answered(pipeline, index, asked, &hits, &kept);
    clock.stage("answer");
    Made {
        rewritten,
        chosen,
        stages: clock.stages,
        hits,
        compared,
        by_words: by_words.is_some(),
        kept,
        answer,
    }
}

/// The model's rewriting of the question, and the question to search for then; both are `None` if
/// the question itself is searched for.
async fn rewritten<R: Reader>(
    pipeline: &Pipeline,
    index: &Index,
    question: &Question,
    reader: &R,
) -> (Option<Rewritten>, Option<Question>) {
    let Some(chat) = pipeline.query.chat(question, &index.repo.name) else {
        return (None, None);
    };
    let written = reader.write(chat).await;
    let read = written.and_then(|reply| query::read(question, &reply));
    let rewritten = Rewritten {
        query: pipeline.query,
        text: read
            .as_ref()
            .map(|it| it.text().to_owned())
            .map_err(Clone::clone),
    };
    (Some(rewritten), read.ok())
}

/// A search, before it is run.
struct Searched<'s> {
    pipeline: &'s Pipeline,
    search: &'s Strategy,
    index: &'s Index,
    question: &'s Question,
    embedding: Option<&'s Embedding>,
}

impl Searched<'_> {
    fn context<'c>(&'c self, vectors: &'c Vectors) -> Context<'c> {
        let mut context = Context::new(self.index, vectors, self.question, self.embedding);
        context.params = self.pipeline.numbers.clone();
        context
    }
}

/// Token-by-token scores of the best hits, if the pipeline ranks by them.
async fn late_scores<R: Reader>(searched: &Searched<'_>, reader: &R) -> LateScores {
    let Some(side) = searched.search.compares() else {
        return LateScores::new();
    };
    let chunks = reader.with_vectors(|vectors| {
        let context = searched.context(vectors);
        late::candidates(&context, searched.search)
    });
    let texts = chunks.iter().map(|&chunk| side.text(searched.index, chunk));
    let texts: Vec<String> = texts.collect();
    let question = searched.question.text();
    let scores = reader.bert_scores(question, &texts).await;
    chunks.into_iter().zip(scores.unwrap_or_default()).collect()
}

/// The question's vector, if the pipeline compares by meaning.
async fn meaning<R: Reader>(
    pipeline: &Pipeline,
    index: &Index,
    question: &Question,
    reader: &R,
) -> Option<Embedding> {
    let reads_lines = matches!(pipeline.keep, Keep::Lines { .. });
    if !pipeline.search.uses_vectors() && !reads_lines {
        return None;
    }
    let chunks = match pipeline.compare >= index.chunks.len() {
        true => index.chunk_ids().map(|(id, _)| id).collect(),
        false => candidates_to_compare(index, question, pipeline.compare),
    };
    reader.compare(question, &chunks).await
}

/// The answer, made without a language model.
fn answered(
    pipeline: &Pipeline,
    index: &Index,
    question: &Question,
    hits: &[Hit],
    kept: &Kept,
) -> Answer {
    if pipeline.keep == Keep::Nothing {
        return Answer {
            kind: None,
            fit: Fit::Closest,
            outcome: Outcome::Nothing {
                why: "This pipeline reads nothing of the repository: only a language model can answer."
                    .to_owned(),
            },
            files: Vec::new(),
            note: None,
        };
    }
    if pipeline.rules {
        return answer::answer(index, question, hits);
    }
    answer::answer_found(index, question, &kept_hits(index, hits, &kept.blocks))
}

/// The hits that have lines kept.
fn kept_hits(index: &Index, hits: &[Hit], blocks: &[Block]) -> Vec<Hit> {
    let is_kept = |hit: &&Hit| {
        index.chunk(hit.chunk).is_some_and(|chunk| {
            let mut own = blocks.iter().filter(|block| block.file == chunk.file);
            own.any(|block| block.lines.overlaps(chunk.lines))
        })
    };
    hits.iter().filter(is_kept).cloned().collect()
}

/// Measures the stages.
struct Clock<'r, R> {
    reader: &'r R,
    since: f64,
    stages: Vec<Stage>,
}

impl<'r, R: Reader> Clock<'r, R> {
    fn start(reader: &'r R) -> Self {
        Self {
            reader,
            since: reader.now_ms(),
            stages: Vec::new(),
        }
    }

    /// Ends a stage; the next one begins.
    fn stage(&mut self, name: &'static str) {
        let now = self.reader.now_ms();
        self.stages.push(Stage {
            name,
            milliseconds: now - self.since,
        });
        self.since = now;
    }
}
