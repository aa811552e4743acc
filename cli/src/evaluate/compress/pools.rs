//! The pieces of a question: its gold functions, alone or among distractors.

use std::collections::BTreeSet;

use footnote_core::chunk::{Chunk, ChunkId, ChunkKind};
use footnote_core::compress::Piece;
use footnote_core::eval::Item;
use footnote_core::index::{Index, Vectors};
use footnote_core::lines::Line;
use footnote_core::search::retrieve::terms;
use footnote_core::search::{Question, Strategy, search};
use footnote_core::source::FileId;

/// The number of functions in a pool; more if the gold ones need as many distractors.
const POOL: usize = 12;

/// How many hits of the retrieval have known scores.
const RANKED: usize = 200;

/// What surrounds the gold functions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pool {
    /// Other functions that contain words of the question, best first.
    Bm25,
    /// Other functions of the repository, drawn at random.
    Random,
    /// Nothing: each gold function has a budget of its own.
    Inside,
}

impl Pool {
    pub const ALL: [Pool; 3] = [Pool::Bm25, Pool::Random, Pool::Inside];

    pub fn name(self) -> &'static str {
        match self {
            Pool::Bm25 => "bm25",
            Pool::Random => "random",
            Pool::Inside => "inside",
        }
    }
}

/// A question's gold lines in code, and the functions that contain them.
pub struct Gold {
    pub lines: BTreeSet<(FileId, u32)>,
    pub chunks: Vec<ChunkId>,
}

impl Gold {
    /// Blank lines do not count as gold: they say nothing.
    pub fn new(index: &Index, item: &Item) -> Self {
        let mut gold = Self {
            lines: BTreeSet::new(),
            chunks: Vec::new(),
        };
        for span in &item.gold_spans {
            let Some(file) = index.repo.find(&span.file) else {
                continue;
            };
            let is_code = index
                .file(file)
                .is_some_and(|(_, parsed)| parsed.language.is_code());
            let Some((source, _)) = index.file(file).filter(|_| is_code) else {
                continue;
            };
            let rows: Vec<&str> = source.text.lines().collect();
            for line in span.start..=span.end {
                if rows
                    .get(line as usize - 1)
                    .is_some_and(|row| !row.trim().is_empty())
                {
                    gold.lines.insert((file, line));
                    gold.chunks.extend(index.chunk_at(file, Line(line)));
                }
            }
        }
        gold.chunks.sort();
        gold.chunks.dedup();
        gold
    }
}

/// The pieces of a pool, in the order and with the scores of the retrieval (words and rules, as in
/// the app before its vectors are there), so that nothing reveals which are gold. What the
/// retrieval does not find scores 0.
pub fn pieces(
    index: &Index,
    question: &Question,
    item: &Item,
    gold: &Gold,
    pool: Pool,
) -> Vec<Piece> {
    let hits = index.bm25.search(&terms(index, question), usize::MAX);
    let is_function = |id: ChunkId| {
        index
            .chunk(id)
            .is_some_and(|chunk| is_function(index, chunk))
    };
    let is_other = |id: &ChunkId| is_function(*id) && !gold.chunks.contains(id);
    let n = POOL
        .saturating_sub(gold.chunks.len())
        .max(gold.chunks.len());
    let mut chunks = gold.chunks.clone();
    match pool {
        Pool::Bm25 => chunks.extend(hits.iter().map(|hit| hit.0).filter(is_other).take(n)),
        Pool::Random => {
            let all: Vec<ChunkId> = index
                .chunk_ids()
                .map(|(id, _)| id)
                .filter(is_other)
                .collect();
            chunks.extend(drawn(&all, n, &item.id));
        }
        Pool::Inside => {}
    }
    let vectors = Vectors::new(1, 0);
    let ranked = search(
        index,
        &vectors,
        question,
        None,
        &Strategy::default(),
        RANKED,
    );
    let score = |chunk: ChunkId| {
        let hit = ranked.iter().find(|hit| hit.chunk == chunk);
        hit.map_or(0.0, |hit| hit.score)
    };
    let mut pieces: Vec<Piece> = chunks
        .into_iter()
        .filter_map(|chunk| Piece::of_chunk(index, chunk, score(chunk)))
        .collect();
    pieces.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
    pieces
}

fn is_function(index: &Index, chunk: &Chunk) -> bool {
    let is_code = index
        .file(chunk.file)
        .is_some_and(|(_, parsed)| parsed.language.is_code());
    is_code
        && matches!(
            chunk.kind,
            ChunkKind::Symbol | ChunkKind::Head | ChunkKind::Part
        )
}

/// Draws `n` of `all`; the same draw for the same question.
fn drawn(all: &[ChunkId], n: usize, id: &str) -> BTreeSet<ChunkId> {
    let mut state = id
        .bytes()
        .fold(1u64, |state, byte| next(state ^ u64::from(byte)));
    let mut chosen = BTreeSet::new();
    while chosen.len() < n.min(all.len()) {
        state = next(state);
        chosen.extend(all.get((state >> 33) as usize % all.len()));
    }
    chosen
}

/// A linear congruential generator (Knuth's MMIX).
pub fn next(state: u64) -> u64 {
    state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407)
}
