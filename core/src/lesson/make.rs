//! An index and a question → a lesson.

use std::collections::{BTreeMap, BTreeSet};

use super::{FORMAT, Lesson, MOST, Numbers, Passage, Shown, Term};
use crate::answer::Outcome;
use crate::chunk::ChunkId;
use crate::embed::Embedding;
use crate::index::bm25::Counting;
use crate::index::{Index, Vectors};
use crate::lines::LineRange;
use crate::model::prompt::Block;
use crate::pipeline::{self, Made, Pipeline, Reader};
use crate::search::retrieve::terms;
use crate::search::steps::Around;
use crate::search::{Context, Lists, Params, Question, Strategy, candidates_to_compare};
use crate::source::FileId;

/// Most lines of a passage's code.
const CODE_LINES: usize = 40;

/// Makes a lesson about a question. `index` has to be cut as the page cuts it. The default pipeline
/// decides what a model is shown and which passages answer.
pub async fn make<R: Reader>(index: &Index, question: &Question, reader: &R) -> Lesson {
    let pipeline = Pipeline::default();
    let made = pipeline::run(&pipeline, index, question, reader).await;
    let wanted = candidates_to_compare(index, question, pipeline.compare);
    let embedding = reader.compare(question, &wanted).await;
    reader.with_vectors(|vectors| {
        let context = Context::new(index, vectors, question, embedding.as_ref());
        Maker::new(&context).lesson(&made)
    })
}

/// The pipeline's own values of the numbers that a lesson can change.
fn numbers() -> Numbers {
    let params = Params::default();
    let of = |name: &str| f64::from(params.value(name).unwrap_or_default());
    // Two digits are enough for all of them; further digits of an f32 would only confuse a class.
    let of = |name: &str| (of(name) * 100.0).round() / 100.0;
    Numbers {
        k1: of("k1"),
        b: of("b"),
        k: of("k") as usize,
        share: of("beta"),
        seeds: of("seeds") as usize,
        gamma: of("gamma"),
    }
}

struct Maker<'a> {
    context: &'a Context<'a>,
    around: Around<'a>,
    files: Vec<FileId>,
    positions: BTreeMap<FileId, usize>,
}

impl<'a> Maker<'a> {
    fn new(context: &'a Context<'a>) -> Self {
        Self {
            context,
            around: Around::new(context),
            files: Vec::new(),
            positions: BTreeMap::new(),
        }
    }

    fn lesson(mut self, made: &Made) -> Lesson {
        let index = self.context.index;
        let (chunks, neighbours) = self.passages();
        let answered = answered(made);
        let counting = Counting::new(&index.bm25, &self.context.bm25_params());
        let words = terms(index, self.context.question);
        let passages = chunks.into_iter();
        let passages = passages.filter_map(|id| self.passage(id, &counting, &words, &answered));
        let passages: Vec<Passage> = passages.collect();
        let shown = made.context().iter().map(|block| self.shown(block));
        let shown: Vec<Shown> = shown.collect();
        let mut around = vec![Vec::new(); self.files.len()];
        for (seed, files) in neighbours {
            if let Some(slot) = around.get_mut(seed) {
                *slot = files;
            }
        }
        let paths = self.files.iter();
        let paths = paths.map(|&file| index.repo.file(file).map_or("", |file| &file.path));
        Lesson {
            format: FORMAT,
            repository: index.repo.name.clone(),
            question: self.context.question.text().to_owned(),
            chunks: index.chunks.len(),
            compared: made.compared,
            files: paths.map(str::to_owned).collect(),
            neighbours: around,
            passages,
            shown,
            numbers: numbers(),
        }
    }

    /// The best passages by words and by meaning, and those that imports of their files can bring
    /// in.
    fn passages(&mut self) -> (BTreeSet<ChunkId>, Vec<(usize, Vec<usize>)>) {
        let mut chunks: BTreeSet<ChunkId> = BTreeSet::new();
        for list in ["bm25", "dense"] {
            let list = Lists::from_name(list).map(Strategy::plain);
            let hits = list.map(|list| self.context.run(&list, MOST));
            chunks.extend(hits.iter().flatten().map(|hit| hit.chunk));
        }
        let index = self.context.index;
        let files = chunks.iter().filter_map(|&id| Some(index.chunk(id)?.file));
        let files: BTreeSet<FileId> = files.collect();
        let mut neighbours = Vec::new();
        for &seed in &files {
            let around: Vec<FileId> = self
                .around
                .files(seed, 1)
                .into_iter()
                .map(|it| it.0)
                .collect();
            for &file in around.iter().take(super::NEIGHBOURS) {
                let new = self.around.new_chunks(file).into_iter();
                chunks.extend(new.filter(|_| !files.contains(&file)));
            }
            let seed = self.position(seed);
            let own = around.into_iter().take(super::NEIGHBOURS);
            let own = own.map(|file| self.position(file)).collect();
            neighbours.push((seed, own));
        }
        (chunks, neighbours)
    }

    fn position(&mut self, file: FileId) -> usize {
        let next = self.files.len();
        let position = *self.positions.entry(file).or_insert(next);
        if position == next {
            self.files.push(file);
        }
        position
    }

    fn passage(
        &mut self,
        id: ChunkId,
        counting: &Counting<'_>,
        words: &[String],
        answered: &[(FileId, LineRange)],
    ) -> Option<Passage> {
        let index = self.context.index;
        let (chunk, lines) = (index.chunk(id)?, index.trimmed_lines(id)?);
        let source = index.repo.file(chunk.file)?;
        let text = index.lines(chunk.file)?.slice(&source.text, lines)?;
        let code: Vec<&str> = text.lines().take(CODE_LINES).collect();
        let mut answers = answered.iter().filter(|(file, _)| *file == chunk.file);
        let of_term = |term: crate::index::bm25::TermCounts| Term {
            word: term.term,
            weight: rounded(term.weight),
            count: rounded(term.body),
            elsewhere: rounded(term.elsewhere),
        };
        Some(Passage {
            file: self.position(chunk.file),
            start: lines.start().0,
            end: lines.end().0,
            title: index.title(id),
            code: code.join("\n"),
            length: rounded(counting.length(id)),
            terms: counting.terms(words, id).into_iter().map(of_term).collect(),
            meaning: cosine(self.context.vectors, self.context.embedding, id),
            nearness: rounded(self.around.nearness_of(id)),
            marked: answers.any(|(_, range)| range.overlaps(lines)),
        })
    }

    fn shown(&mut self, block: &Block) -> Shown {
        let left_out = block.left_out.iter().map(|run| run.count());
        Shown {
            file: self.position(block.file),
            start: block.lines.start().0,
            end: block.lines.end().0,
            left_out: left_out.sum(),
            tokens: block.tokens,
        }
    }
}

/// Rounded to six digits, which are exact enough and survive a file unchanged.
fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e6).round() / 1e6
}

fn cosine(vectors: &Vectors, question: Option<&Embedding>, id: ChunkId) -> Option<f64> {
    vectors.cosine(question?, id).map(rounded)
}

/// The lines that the answer's sentences cite.
fn answered(made: &Made) -> Vec<(FileId, LineRange)> {
    let Outcome::Found {
        statements,
        footnotes,
    } = &made.answer.outcome
    else {
        return Vec::new();
    };
    let is_cited = |number: u32| {
        let mut statements = statements.iter();
        statements.any(|statement| statement.footnotes.contains(&number))
    };
    let cited = footnotes.iter().filter(|note| is_cited(note.number));
    cited
        .map(|note| (note.source.file(), note.source.lines()))
        .collect()
}
