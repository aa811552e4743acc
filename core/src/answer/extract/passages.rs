//! The lines that are closest in meaning to an open question, wherever they stand: in the body of a
//! function, between functions or in a document. They are what a reader wants to see first.

use super::Extract;
use super::asking::asks_how_to;
use crate::chunk::ChunkId;
use crate::embed::Embedding;
use crate::index::TableVectors;
use crate::lang::Role;
use crate::lines::{Line, LineRange};
use crate::search::steps::role_of;
use crate::search::{Hit, table};

/// Longest passage, in lines.
pub(super) const LINES: usize = 15;
/// Number of lines between the starts of two passages that are compared.
const STEP: usize = 3;
/// How many times more a document counts for somebody who asks how to use something.
const USAGE: f32 = 2.5;
/// Most that the score of such a document can be, relative to the best hit's.
const MOST_OF_USAGE: f32 = 1.2;
/// The best passage stands out if it is this much better than the one at [`OTHER`]. Measured on
/// 61 questions over nine repositories: 11 of the 13 that reach it lead to the right lines, and
/// 21 of the other 48. At 0.32, a quarter of those that reached it did not.
const STANDS_OUT: f32 = 0.45;
/// Position of the passage that the best one is compared with.
const OTHER: usize = 4;

/// Some lines of a hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    pub chunk: ChunkId,
    pub lines: LineRange,
    /// The hit's share of the best hit's score, and the cosine of the lines and the question.
    pub value: f32,
}

/// Compares lines with a question by the static encoder.
pub(in crate::answer) struct Meant<'i> {
    table: &'i TableVectors,
    question: Embedding,
}

impl Meant<'_> {
    /// Returns the cosine of a text and the question; 0 for a text without a known word.
    pub(in crate::answer) fn cosine(&self, text: &str) -> f32 {
        let vector = self.table.embed(text);
        vector.map_or(0.0, |vector| vector.cosine(&self.question))
    }

    /// Returns the rows of the part of a text that is closest to the question, and its cosine.
    fn closest(&self, text: &str) -> Option<(usize, usize, f32)> {
        let lines: Vec<&str> = text.lines().collect();
        let last = lines.len().saturating_sub(LINES);
        let starts = (0..=last).step_by(STEP);
        let parts = starts.filter_map(|start| {
            let end = lines.len().min(start + LINES);
            let part = lines.get(start..end)?.join("\n");
            Some((start, end.checked_sub(1)?, self.cosine(&part)))
        });
        parts.reduce(|best, part| if part.2 > best.2 { part } else { best })
    }
}

/// Whether the best passage is clearly closer to the question than others.
pub(super) fn stands_out(passages: &[Passage]) -> bool {
    let other = passages.get(OTHER).or(passages.last());
    match (passages.first(), other) {
        (Some(best), Some(other)) if passages.len() > 1 => best.value - other.value >= STANDS_OUT,
        (best, _) => best.is_some(),
    }
}

impl<'i> Extract<'_, 'i> {
    /// Returns what compares lines with the question; `None` until the static encoder has read the
    /// repository.
    pub(super) fn meant(&self) -> Option<Meant<'i>> {
        let table = self.index.table()?;
        let question = table::embed(table, self.question.text())?;
        Some(Meant { table, question })
    }

    /// Returns the closest passage of each hit, best first.
    pub(super) fn passages(&self, meant: &Meant<'i>, hits: &[Hit]) -> Vec<Passage> {
        let best = hits.first().map_or(1.0, |hit| hit.score);
        let is_usage = asks_how_to(self.question.text());
        let mut passages: Vec<Passage> = Vec::new();
        for hit in hits.iter().filter(|hit| self.is_wanted(hit.chunk)) {
            let (Some(chunk), Some(text)) =
                (self.index.chunk(hit.chunk), self.index.text_of(hit.chunk))
            else {
                continue;
            };
            let Some((first, last, cosine)) = meant.closest(text) else {
                continue;
            };
            let share = hit.score / best.max(f32::MIN_POSITIVE);
            let share = match is_usage && role_of(self.index, hit.chunk) == Some(Role::Docs) {
                true => (USAGE * share).min(MOST_OF_USAGE),
                false => share,
            };
            let start = chunk.lines.start().0;
            passages.push(Passage {
                chunk: hit.chunk,
                lines: LineRange::new(Line(start + first as u32), Line(start + last as u32)),
                value: share + cosine,
            });
        }
        passages.sort_by(|a, b| b.value.total_cmp(&a.value));
        passages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passages(values: &[f32]) -> Vec<Passage> {
        let of = |value: &f32| Passage {
            chunk: ChunkId(0),
            lines: LineRange::new(Line(1), Line(1)),
            value: *value,
        };
        values.iter().map(of).collect()
    }

    #[test]
    fn the_best_passage_stands_out_if_the_others_are_far_behind() {
        assert!(stands_out(&passages(&[1.5, 1.4, 1.2, 1.0, 0.9])));
        assert!(!stands_out(&passages(&[1.5, 1.4, 1.4, 1.3, 1.3, 0.2])));
        assert!(stands_out(&passages(&[0.4])));
        assert!(!stands_out(&passages(&[])));
    }
}
