//! A lesson: one question, what four ways of searching find for it, and what a model is shown of
//! it.
//!
//! A [`Lesson`] holds, for each passage, what the ways count: the question's words in it, how near
//! it is in meaning, which files import its file. [`Lesson::rank`] ranks the passages from that
//! alone (Grounded, section 3), so a lesson can be kept as a file, and its numbers moved, without
//! the repository. With the numbers of the pipeline it gives the ranks of the search itself; with
//! others the ranks among the passages that it holds.

mod make;
mod rank;
mod record;
mod say;
#[cfg(test)]
mod tests;

pub use make::make;
pub use rank::{Ranked, Way};
pub use record::{LessonError, MAX_BYTES};
pub use say::Slider;

use serde::{Deserialize, Serialize};

/// One question and all that is taught on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// [`FORMAT`]; a later one may mean other things.
    pub format: u32,
    /// The repository's name and version.
    pub repository: String,
    /// What was asked.
    pub question: String,
    /// Chunks of the repository.
    pub chunks: usize,
    /// Chunks that were compared by meaning.
    pub compared: usize,
    /// Paths of all files that are named by position.
    pub files: Vec<String>,
    /// The neighbours of each file along imports, nearest to the question first, by position.
    pub neighbours: Vec<Vec<usize>>,
    /// In the order of the index, which decides between equal scores.
    pub passages: Vec<Passage>,
    /// What a model is shown, in order of its worth.
    pub shown: Vec<Shown>,
    /// What the ways are made with.
    pub numbers: Numbers,
}

/// A chunk that one of the ways can find.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Position of its file.
    pub file: usize,
    /// First line, from 1.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// What it defines, or its path.
    pub title: String,
    /// Its first lines.
    pub code: String,
    /// Words of its text, as a share of the mean of all chunks.
    pub length: f64,
    /// The question's words in it.
    pub terms: Vec<Term>,
    /// Cosine to the question; none if it was not compared.
    pub meaning: Option<f64>,
    /// How near it is to the question, compared or not: which passages of a neighbour come first.
    pub nearness: f64,
    /// Whether it holds lines that answer the question.
    pub marked: bool,
}

/// A word of the question in a passage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// As it is indexed.
    pub word: String,
    /// How rare it is: its inverse document frequency.
    pub weight: f64,
    /// How often the text has it.
    pub count: f64,
    /// How often path and names have it, weighed and evened out by their lengths.
    pub elsewhere: f64,
}

/// Lines that a model is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Position of the file.
    pub file: usize,
    /// First line, from 1.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// Lines that are left out between them.
    pub left_out: u32,
    /// Tokens of what is left.
    pub tokens: usize,
}

/// What can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// k₁: how soon more of the same word stops to count.
    pub k1: f64,
    /// b: how much long texts are held back.
    pub b: f64,
    /// k: how many passages words and meaning give each.
    pub k: usize,
    /// β: the share of meaning; words have the rest.
    pub share: f64,
    /// How many of the best files have their imports followed.
    pub seeds: usize,
    /// γ: what a neighbour gains, as a share of the best score.
    pub gamma: f64,
}

/// The format that this version writes and reads.
pub const FORMAT: u32 = 1;
/// Neighbours of a file that gain (Grounded, section 5.2.2).
pub const NEIGHBOURS: usize = 8;
/// Passages of a neighbour that come in if none of it was found.
pub const NEW_PASSAGES: usize = 2;
/// Passages of each way that are shown.
pub const ROWS: usize = 8;
/// The most that words and meaning give each.
pub const MOST: usize = 40;

impl Lesson {
    /// The path of a passage's file.
    pub fn path(&self, file: usize) -> &str {
        self.files.get(file).map_or("", String::as_str)
    }

    /// The name of a file, without its folders.
    pub fn file_name(&self, file: usize) -> &str {
        let path = self.path(file);
        path.rsplit_once('/').map_or(path, |(_, name)| name)
    }

    /// Tokens of what a model is shown.
    pub fn tokens(&self) -> usize {
        self.shown.iter().map(|shown| shown.tokens).sum()
    }
}

impl Passage {
    /// The last name of what it defines.
    pub fn name(&self) -> &str {
        let is_path = self.title.contains('/') || self.title.contains(' ');
        let name = self.title.rsplit_once('.').filter(|_| !is_path);
        name.map_or(&self.title, |(_, name)| name)
    }
}

impl Numbers {
    /// Sets a number by its name; one that there is not stays unset.
    pub fn set(&mut self, name: &str, value: f64) {
        let whole = value.clamp(0.0, MOST as f64) as usize;
        match name {
            "k1" => self.k1 = value,
            "b" => self.b = value,
            "k" => self.k = whole,
            "share" => self.share = value,
            "seeds" => self.seeds = whole,
            "gamma" => self.gamma = value,
            _ => {}
        }
    }

    /// The value of a number by its name.
    pub fn get(&self, name: &str) -> Option<f64> {
        match name {
            "k1" => Some(self.k1),
            "b" => Some(self.b),
            "k" => Some(self.k as f64),
            "share" => Some(self.share),
            "seeds" => Some(self.seeds as f64),
            "gamma" => Some(self.gamma),
            _ => None,
        }
    }
}
