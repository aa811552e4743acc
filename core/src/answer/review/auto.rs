//! Finds lines for statements that the model left without a source.

use std::collections::{BTreeMap, HashMap};

use crate::cite::attributed::Item;
use crate::cite::held::{Area, is_known};
use crate::cite::words::{Match, Words, best, without_claims};
use crate::cite::{Citation, Evidence, Verdict, verify};
use crate::index::Index;
use crate::index::tokens::code_tokens;
use crate::lines::{Line, LineIndex, LineRange};
use crate::search::stem::stem;
use crate::source::FileId;

/// Share of a statement's words, weighted by rarity, that the lines must contain. Measured on the
/// statements of the corpus: see `core/benches/runs/2026-11-citation`.
pub(super) const ENOUGH_SHARE: f32 = 0.6;
/// Number of different words that they must contain.
const ENOUGH_WORDS: usize = 3;
/// Maximum number of lines in an auto-citation.
const WINDOW: usize = 8;
/// Number of chunks examined if the evidence is the whole repository.
const CHUNKS: usize = 20;
/// Maximum number of evidence lines whose words are kept.
const MOST_LINES: usize = 50_000;

/// Finds the lines that match a statement best; keeps the words of the evidence between statements.
#[derive(Clone, Default)]
pub(super) struct Matcher {
    ids: HashMap<String, u32>,
    /// The stems of each line of a range.
    ranges: BTreeMap<(FileId, LineRange), Vec<Vec<u32>>>,
    n_lines: usize,
}

impl Matcher {
    /// Returns lines of the evidence that contain `enough_share` of the statement's words and
    /// everything that it names, and why.
    pub(crate) fn attach(
        &mut self,
        index: &Index,
        evidence: &Evidence,
        statement: &str,
        items: &[Item],
        enough_share: f32,
    ) -> Option<(Verdict, String)> {
        let (file, lines, found) = self.best(index, evidence, statement)?;
        if found.share < enough_share || found.count < ENOUGH_WORDS {
            return None;
        }
        let area = Area::new(index, file, lines)?;
        let counts = |item: &&Item| !item.is_doubtful || is_known(index, item);
        if !items.iter().filter(counts).all(|item| area.holds(item)) {
            return None;
        }
        let percent = (found.share * 100.0).round();
        let why = format!(
            "Attached by Footnote: the model gave no source, and these lines contain {percent} % \
             of what the statement says, weighted by how rare its words are."
        );
        let path = index.repo.file(file)?.path.clone();
        let source = verify(
            &index.repo,
            &Citation {
                path,
                lines,
                quotes: Vec::new(),
            },
        )
        .ok()?;
        Some((Verdict::LinesExist(source), why))
    }

    /// Returns the best matching lines, however weak the match.
    pub(crate) fn best(
        &mut self,
        index: &Index,
        evidence: &Evidence,
        statement: &str,
    ) -> Option<(FileId, LineRange, Match)> {
        let words = Words::new(index, &without_claims(statement));
        let candidates: Vec<(FileId, LineRange)> = match evidence.is_everything() {
            false => evidence.ranges().collect(),
            true => {
                let tokens: Vec<&str> = words.iter().map(|(stem, _)| stem).collect();
                let tokens: Vec<String> = code_tokens(&without_claims(statement))
                    .into_iter()
                    .filter(|token| tokens.contains(&stem(token).as_str()))
                    .collect();
                let hits = index.bm25.search(&tokens, CHUNKS);
                hits.iter()
                    .filter_map(|(id, _)| index.chunk(*id))
                    .map(|chunk| (chunk.file, chunk.lines))
                    .collect()
            }
        };
        let mut found: Option<(FileId, LineRange, Match)> = None;
        for (file, lines) in candidates {
            self.prepare(index, file, lines);
            let weights: HashMap<u32, f32> = words
                .iter()
                .filter_map(|(stem, weight)| Some((*self.ids.get(stem)?, weight)))
                .collect();
            let Some(of_lines) = self.ranges.get(&(file, lines)) else {
                continue;
            };
            let held: Vec<Vec<u32>> = of_lines
                .iter()
                .map(|ids| {
                    ids.iter()
                        .copied()
                        .filter(|id| weights.contains_key(id))
                        .collect()
                })
                .collect();
            let weight = |id: u32| weights.get(&id).copied().unwrap_or_default();
            let Some(here) = best(&held, WINDOW, words.total(), weight) else {
                continue;
            };
            if found
                .as_ref()
                .is_none_or(|(_, _, known)| here.share > known.share + 1e-6)
            {
                let first = lines.start().0 + here.first as u32;
                let last = lines.start().0 + here.last as u32;
                found = Some((file, LineRange::new(Line(first), Line(last)), here));
            }
        }
        found
    }

    fn prepare(&mut self, index: &Index, file: FileId, lines: LineRange) {
        if self.ranges.contains_key(&(file, lines)) {
            return;
        }
        if self.n_lines > MOST_LINES {
            self.ranges.clear();
            self.n_lines = 0;
        }
        let Some(source) = index.repo.file(file) else {
            return;
        };
        let numbered = LineIndex::new(&source.text);
        let last = Line(lines.end().0.min(numbered.line_count()));
        let text = match lines.start() <= last {
            true => numbered
                .slice(&source.text, LineRange::new(lines.start(), last))
                .unwrap_or_default(),
            false => "",
        };
        let of_lines: Vec<Vec<u32>> = text
            .lines()
            .map(|line| {
                code_tokens(line)
                    .iter()
                    .map(|token| self.id(token))
                    .collect()
            })
            .collect();
        self.n_lines += of_lines.len();
        self.ranges.insert((file, lines), of_lines);
    }

    fn id(&mut self, token: &str) -> u32 {
        let next = self.ids.len() as u32;
        *self.ids.entry(stem(token)).or_insert(next)
    }
}
