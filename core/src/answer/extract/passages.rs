//! The lines that are closest in meaning to an open question, wherever they stand: in the body of a
//! function, between functions or in a document. They are what a reader wants to see first.

use super::Extract;
use super::asking::{asks_how_to, weight_of_documents};
use super::shown::comment;
use crate::chunk::{ChunkId, ChunkKind};
use crate::embed::Embedding;
use crate::index::TableVectors;
use crate::lang::Role;
use crate::lines::{Line, LineRange};
use crate::search::{Hit, table};
use crate::source::FileId;

/// Longest passage, in lines.
pub(super) const LINES: usize = 15;
/// Number of lines between the starts of two passages that are compared.
const STEP: usize = 3;
/// Number of document sections whose lines are compared, for a question that they may answer.
const DOCUMENTS: usize = 60;
/// Weight of the words that such a section shares with the question.
const WORDS: f32 = 0.5;
/// How much closer lines of code are that decide something: an open question asks how, when or
/// where something happens, and a branch tells more about it than names and signatures do. Measured
/// with [`HEAD`] on 98 questions over 15 repositories: the right lines come first for 49 instead of
/// 35, and among the first two for 64 instead of 55 (48 and 62 with weights that are fitted on the
/// other repositories). From .2 to .4, it makes little difference.
const DECIDES: f32 = 0.25;
/// How much less close the head of a class is: it lists what happens elsewhere.
const HEAD: f32 = 0.25;
/// Words that begin a branch in the languages that are parsed.
const BRANCHES: [&str; 9] = [
    "if", "elif", "else", "match", "switch", "case", "when", "unless", "cond",
];
/// The best passage stands out if it is this much better than the one at [`OTHER`]. Measured on
/// the questions of [`DECIDES`]: 16 of the 18 that reach it lead to the right lines, and 48 of the
/// other 80. At .35, five of 33 that reach it do not.
const STANDS_OUT: f32 = 0.45;
/// Position of the passage that the best one is compared with.
const OTHER: usize = 4;

/// Some lines of a hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    pub chunk: ChunkId,
    pub lines: LineRange,
    /// The hit's share of the best hit's score plus how close the lines are to the question.
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

    /// Returns the rows of the part of a text that is closest to the question, and how close it is.
    fn closest(&self, text: &str, is_code: bool) -> Option<(usize, usize, f32)> {
        let lines: Vec<&str> = text.lines().collect();
        let last = lines.len().saturating_sub(LINES);
        let starts = (0..=last).step_by(STEP);
        let parts = starts.filter_map(|start| {
            let end = lines.len().min(start + LINES);
            let part = lines.get(start..end)?;
            let decides = if is_code && decides(part) {
                DECIDES
            } else {
                0.0
            };
            let value = self.cosine(&part.join("\n")) + decides;
            Some((start, end.checked_sub(1)?, value))
        });
        parts.reduce(|best, part| if part.2 > best.2 { part } else { best })
    }
}

/// Whether lines of code hold a branch.
fn decides(lines: &[&str]) -> bool {
    let code = lines.iter().filter(|line| comment(line).is_none());
    let mut words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.any(|word| BRANCHES.contains(&word))
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

    /// Returns the closest passage of each hit, best first. If documents may answer the question,
    /// all of them are compared, because search ranks them below code.
    pub(super) fn passages(&self, meant: &Meant<'i>, hits: &[Hit]) -> Vec<Passage> {
        let best = hits.first().map_or(1.0, |hit| hit.score);
        let is_usage = asks_how_to(self.question.text());
        let documents = weight_of_documents(self.question.text());
        let mut passages: Vec<Passage> = Vec::new();
        for hit in hits.iter().filter(|hit| self.is_wanted(hit.chunk)) {
            let is_document = self.is_document(hit.chunk);
            if is_document && documents.is_some() {
                continue;
            }
            let share = hit.score / best.max(f32::MIN_POSITIVE);
            passages.extend(self.passage(meant, hit.chunk, share, !is_usage && !is_document));
        }
        if let Some(weight) = documents {
            passages.extend(self.documents_by_meaning(meant, weight));
        }
        passages.sort_by(|a, b| b.value.total_cmp(&a.value));
        passages
    }

    /// Returns the closest passages of the documents that are closest to the question.
    fn documents_by_meaning(&self, meant: &Meant<'i>, weight: f32) -> Vec<Passage> {
        let vectors = meant.table.vectors();
        let files = (0..).map(FileId).zip(&self.index.repo.files);
        let documents = files.filter(|(_, file)| Role::of(&file.path) == Role::Docs);
        let mut sections: Vec<(f32, ChunkId)> = documents
            .flat_map(|(file, _)| self.index.chunks_of(file))
            .filter_map(|(chunk, _)| Some((vectors.cosine(&meant.question, chunk)?, chunk)))
            .collect();
        sections.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let wanted = sections.into_iter().map(|(_, chunk)| chunk);
        wanted
            .filter(|chunk| self.is_wanted(*chunk))
            .take(DOCUMENTS)
            .filter_map(|chunk| {
                let words = self.asked.share(self.index.text_of(chunk)?);
                self.passage(meant, chunk, weight + WORDS * words, false)
            })
            .collect()
    }

    /// Returns the passage of a chunk that is closest to the question; `share` is what the chunk is
    /// worth as a whole, and `is_code` whether lines that decide something count more.
    fn passage(
        &self,
        meant: &Meant<'i>,
        id: ChunkId,
        share: f32,
        is_code: bool,
    ) -> Option<Passage> {
        let (chunk, text) = (self.index.chunk(id)?, self.index.text_of(id)?);
        let (first, last, closeness) = meant.closest(text, is_code)?;
        let is_head = is_code && chunk.kind == ChunkKind::Head;
        let start = chunk.lines.start().0;
        Some(Passage {
            chunk: id,
            lines: LineRange::new(Line(start + first as u32), Line(start + last as u32)),
            value: share + closeness - if is_head { HEAD } else { 0.0 },
        })
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
    fn lines_decide_something_if_their_code_branches() {
        assert!(decides(&[
            "total = 0",
            "    if total > most:",
            "        return"
        ]));
        assert!(decides(&["} else {"]));
        assert!(!decides(&["// What happens if it fails.", "call();"]));
        assert!(!decides(&["notify(modifier, if_none)"]));
    }

    #[test]
    fn the_best_passage_stands_out_if_the_others_are_far_behind() {
        assert!(stands_out(&passages(&[1.5, 1.4, 1.2, 1.0, 0.9])));
        assert!(!stands_out(&passages(&[1.5, 1.4, 1.4, 1.3, 1.3, 0.2])));
        assert!(stands_out(&passages(&[0.4])));
        assert!(!stands_out(&passages(&[])));
    }
}
