//! `--compress`: how many gold lines each strategy keeps within a given share of the tokens
//! (RepoDistill, section 2.2), in pools of functions and inside the gold functions, and in the
//! final context with and without compression.

mod context;
mod fit;
mod pools;
mod table;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use footnote_core::compress::{
    Boundaries, Budget, Compressor, Counting, Piece, Scored, Snippet, SnippetBlock,
};
use footnote_core::eval::Item;
use footnote_core::index::Index;
use footnote_core::search::Question;
use footnote_core::source::FileId;

use super::{Settings, folds, indexes};
use crate::Result;
use crate::reading::{Code, Lines};
use pools::{Gold, Pool};
pub use table::Row;

/// What is measured.
pub struct Options {
    pub compressors: Vec<Compressor>,
    /// The shares of tokens to keep.
    pub keep: Vec<f32>,
    pub boundaries: Boundaries,
}

impl Options {
    /// Parses `names`: strategies joined by commas, or `all`.
    pub fn new(names: &str) -> Result<Self> {
        let known = || {
            let names: Vec<&str> = Compressor::all().map(Compressor::name).collect();
            names.join(", ")
        };
        let parse = |name: &str| {
            let compressor = Compressor::from_name(name.trim());
            compressor.ok_or_else(|| {
                format!(
                    "there is no strategy {name}; the strategies are {}",
                    known()
                )
            })
        };
        let compressors = match names {
            "all" => Compressor::all().collect(),
            names => names
                .split(',')
                .map(parse)
                .collect::<std::result::Result<_, _>>()?,
        };
        Ok(Self {
            compressors,
            keep: vec![0.1, 0.2, 0.3, 0.5],
            boundaries: Boundaries::default(),
        })
    }
}

/// Measures all questions that have gold lines in code.
pub fn run(
    settings: &Settings,
    options: &Options,
    archives: impl IntoIterator<Item = (PathBuf, Vec<(usize, Item)>)>,
) -> Result<()> {
    let mut rows = Vec::new();
    let mut blocks = Vec::new();
    let mut held = Vec::new();
    for (archive, items) in archives {
        let mut items = items;
        items.retain(|(_, item)| !item.gold_spans.is_empty());
        if !items.is_empty() {
            let mut out = Out {
                rows: &mut rows,
                blocks: &mut blocks,
                held: &mut held,
            };
            evaluate(settings, options, &archive, &items, &mut out)?;
        }
    }
    if let Some(path) = &settings.per_query {
        let lines: Vec<String> = blocks.iter().map(|block| format!("{block}\n")).collect();
        std::fs::write(path, lines.concat())?;
    }
    fit::left_out(&held, &mut rows)?;
    table::print(settings, &rows)
}

/// Where the results go.
struct Out<'a> {
    rows: &'a mut Vec<Row>,
    /// All blocks with their scores, for exploring.
    blocks: &'a mut Vec<serde_json::Value>,
    held: &'a mut Vec<fit::Held>,
}

fn evaluate(
    settings: &Settings,
    options: &Options,
    archive: &Path,
    items: &[(usize, Item)],
    out: &mut Out<'_>,
) -> Result<()> {
    let index = indexes::open(archive, settings.indexes.as_deref(), settings.chunking)?;
    writeln!(
        std::io::stderr(),
        "{}: {} questions",
        index.repo.name,
        items.len()
    )?;
    let folder = &settings.folder;
    let mut tools = Tools {
        lines: match !settings.transformer {
            true => None,
            false => Some(Lines::open(Some(folder))?),
        },
        reader: match options.compressors.iter().any(|known| known.uses_model()) {
            true => Some(Code::open(Some(folder), settings.gpu)?),
            false => None,
        },
    };
    for (set, item) in items {
        let question = Question::new(&item.query)?;
        let gold = Rc::new(Gold::new(&index, item));
        if gold.lines.is_empty() {
            continue;
        }
        let case = Case {
            set: *set,
            item,
            index: &index,
            gold: &gold,
        };
        for pool in Pool::ALL {
            let pieces = pools::pieces(&index, &question, item, &gold, pool);
            let scored = tools.scored(&index, &question, &pieces, options.boundaries)?;
            if settings.per_query.is_some() {
                let scored = scored.clone().counting(Counting::Lines);
                out.blocks.push(case.blocks(&scored, pool.name()));
            }
            case.measure(options, &scored, pool, out);
        }
        let is_explored = settings.per_query.is_some();
        context::measure(&case, options, &question, &mut tools, out, is_explored)?;
    }
    Ok(())
}

/// The models that read pieces; `None` if not needed.
struct Tools {
    lines: Option<Lines>,
    reader: Option<Code>,
}

impl Tools {
    /// The pieces with all available scores.
    fn scored(
        &mut self,
        index: &Index,
        question: &Question,
        pieces: &[Piece],
        boundaries: Boundaries,
    ) -> Result<Scored> {
        let mut scored = match &mut self.reader {
            Some(reader) => reader.scored(index, question, pieces, boundaries)?,
            None => Scored::new(index, question, pieces, boundaries),
        };
        if let Some(lines) = &mut self.lines {
            lines.score(&mut scored, question.text())?;
        }
        Ok(scored)
    }
}

/// A question with its gold lines.
struct Case<'a> {
    set: usize,
    item: &'a Item,
    index: &'a Index,
    gold: &'a Rc<Gold>,
}

impl Case<'_> {
    fn measure(&self, options: &Options, scored: &Scored, pool: Pool, out: &mut Out<'_>) {
        for (counting, rule) in [(Counting::Lines, "lines"), (Counting::Sent, "sent")] {
            let scored = scored.clone().counting(counting);
            let whole = scored.compress(Compressor::NONE, &Budget::Share(1.0));
            let names = self.identifiers(&whole.snippets);
            let mut budgets = Vec::new();
            for &keep in &options.keep {
                let budget = match pool {
                    Pool::Inside => Budget::Rates {
                        rates: vec![keep; whole.snippets.len()],
                        total: None,
                    },
                    _ => Budget::Share(keep),
                };
                budgets.push((keep, budget.clone()));
                for (name, snippets) in self.choices(options, &scored, &budget) {
                    let n_gold = self.gold.lines.len();
                    out.rows.push(Row {
                        set: self.set,
                        strategy: name,
                        pool: format!("{} ({rule})", pool.name()),
                        keep,
                        gold_lines: kept(self.gold, &snippets) as f64 / n_gold as f64,
                        names: share_kept(&names, &snippets),
                    });
                }
            }
            let pool_name = format!("{} ({rule})", pool.name());
            let is_example = counting == Counting::Lines && pool != Pool::Inside;
            let held = self.held(pool_name, "", scored, budgets, names, is_example);
            out.held.push(held);
        }
    }

    fn held(
        &self,
        pool: String,
        suffix: &str,
        scored: Scored,
        budgets: Vec<(f32, Budget)>,
        names: BTreeSet<String>,
        is_example: bool,
    ) -> fit::Held {
        fit::Held {
            set: self.set,
            repository: folds::repository(&self.item.archive),
            gold: self.gold.clone(),
            pool,
            suffix: suffix.to_owned(),
            scored,
            budgets,
            names,
            is_example,
        }
    }

    /// Every strategy, and for comparison one that guesses and one that knows.
    fn choices(
        &self,
        options: &Options,
        scored: &Scored,
        budget: &Budget,
    ) -> Vec<(String, Vec<Snippet>)> {
        let compressors = options.compressors.iter();
        let mut all: Vec<(String, Vec<Snippet>)> = compressors
            .map(|compressor| {
                let compressed = scored.compress(*compressor, budget);
                (compressor.name().to_owned(), compressed.snippets)
            })
            .collect();
        let guessed = scored.compress_by(&self.guesses(scored), budget);
        all.push(("random".to_owned(), guessed));
        let known = [false, true]
            .map(|by_length| scored.compress_by(&self.knowledge(scored, by_length), budget));
        let best = known
            .into_iter()
            .max_by_key(|snippets| kept(self.gold, snippets));
        all.extend(best.map(|best| ("best possible".to_owned(), best)));
        all
    }

    fn guesses(&self, scored: &Scored) -> Vec<Vec<f32>> {
        let mut state = self
            .item
            .id
            .bytes()
            .fold(7, |state, byte| pools::next(state ^ u64::from(byte)));
        let mut guess = || {
            state = pools::next(state);
            (state >> 40) as f32
        };
        let pieces = scored.block_lines();
        pieces
            .iter()
            .map(|blocks| blocks.iter().map(|_| guess()).collect())
            .collect()
    }

    /// The number of gold lines in each block, divided by its tokens if `by_length`.
    fn knowledge(&self, scored: &Scored, by_length: bool) -> Vec<Vec<f32>> {
        let all = scored.compress(Compressor::NONE, &Budget::Share(1.0));
        let value = |file: FileId, block: &SnippetBlock| {
            let lines = block.lines.start().0..=block.lines.end().0;
            let gold = lines
                .filter(|line| self.gold.lines.contains(&(file, *line)))
                .count();
            gold as f32
                / if by_length {
                    block.tokens.max(1) as f32
                } else {
                    1.0
                }
        };
        let pieces = all.snippets.iter();
        pieces
            .map(|snippet| {
                snippet
                    .blocks
                    .iter()
                    .map(|block| value(snippet.file, block))
                    .collect()
            })
            .collect()
    }

    /// The identifiers that the reference answer has in backticks and the gold functions contain.
    fn identifiers(&self, whole: &[Snippet]) -> BTreeSet<String> {
        let answer = self.item.reference_answer.as_deref().unwrap_or_default();
        let is_gold = |chunk| self.gold.chunks.contains(&chunk);
        let gold = whole
            .iter()
            .filter(|snippet| snippet.chunk.is_some_and(is_gold));
        let text: String = gold.map(|snippet| snippet.text.as_str()).collect();
        let known: BTreeSet<&str> = words(&text).collect();
        let quoted = answer
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|quoted| !quoted.contains('\n'));
        quoted
            .flat_map(words)
            .filter(|word| word.len() > 2 && known.contains(word))
            .map(str::to_owned)
            .collect()
    }

    /// Each block with its scores, for exploring.
    fn blocks(&self, scored: &Scored, pool: &str) -> serde_json::Value {
        let all = scored.compress(Compressor::default(), &Budget::Share(1.0));
        let features = scored.features();
        let pieces = all.snippets.iter().zip(&features).map(|(snippet, features)| {
            let blocks = snippet.blocks.iter().zip(features).map(|(block, features)| {
                let lines = block.lines.start().0..=block.lines.end().0;
                let gold = lines.filter(|line| self.gold.lines.contains(&(snippet.file, *line))).count();
                let scores = block.scores.iter().map(|(name, value)| ((*name).to_owned(), (*value).into()));
                let scores: serde_json::Map<String, serde_json::Value> = scores.collect();
                serde_json::json!({
                    "start": block.lines.start().0, "end": block.lines.end().0, "tokens": block.tokens,
                    "gold": gold, "scores": scores, "features": features.to_vec(),
                })
            });
            serde_json::json!({
                "path": snippet.path, "start": snippet.lines.start().0, "end": snippet.lines.end().0,
                "blocks": blocks.collect::<Vec<_>>(),
            })
        });
        serde_json::json!({
            "set": self.set, "id": self.item.id, "archive": self.item.archive, "query": self.item.query, "pool": pool,
            "gold": self.gold.lines.len(), "pieces": pieces.collect::<Vec<_>>(),
        })
    }
}

/// How many gold lines are kept.
fn kept(gold: &Gold, snippets: &[Snippet]) -> usize {
    let kept: BTreeSet<(FileId, u32)> = snippets
        .iter()
        .flat_map(|snippet| {
            let runs = snippet.kept().into_iter();
            runs.flat_map(|run| run.start().0..=run.end().0)
                .map(|line| (snippet.file, line))
        })
        .collect();
    gold.lines.intersection(&kept).count()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c| !is_name(c))
        .filter(|word| !word.is_empty())
}

/// The share of `names` that kept lines contain; `None` without names.
fn share_kept(names: &BTreeSet<String>, snippets: &[Snippet]) -> Option<f64> {
    let mut kept: BTreeSet<&str> = BTreeSet::new();
    for snippet in snippets {
        let first = snippet.lines.start().0;
        for (line, text) in (first..).zip(snippet.text.lines()) {
            let line = footnote_core::lines::Line(line);
            if !snippet.dropped.iter().any(|run| run.contains(line)) {
                kept.extend(words(text));
            }
        }
    }
    let n = names
        .iter()
        .filter(|name| kept.contains(name.as_str()))
        .count();
    (!names.is_empty()).then(|| n as f64 / names.len() as f64)
}
