//! A lesson: one question, what four ways of searching find for it, and what a model is shown.
//!
//! For each passage, a [`Lesson`] holds the data that the ways use: the question's words in it, its
//! similarity in meaning, and the files that import its file. [`Lesson::rank`] ranks the passages
//! from that alone (Grounded, section 3), so a lesson can be stored as a file and its numbers
//! changed without the repository. With the pipeline's own numbers, the ranks are those of the
//! search; with others, they are ranks among the passages that the lesson holds.

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

/// One question, with everything needed to teach it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// [`FORMAT`]; in a later format fields may mean something else.
    pub format: u32,
    /// The repository's name and version.
    pub repository: String,
    /// The question that was asked.
    pub question: String,
    /// Number of chunks in the repository.
    pub chunks: usize,
    /// Number of chunks that were compared by meaning.
    pub compared: usize,
    /// Paths of all files; other fields refer to them by position.
    pub files: Vec<String>,
    /// For each file, its neighbours along imports, by position, the nearest to the question first.
    pub neighbours: Vec<Vec<usize>>,
    /// In the order of the index, which decides between equal scores.
    pub passages: Vec<Passage>,
    /// What a model is shown, best first.
    pub shown: Vec<Shown>,
    /// The numbers that the ways use.
    pub numbers: Numbers,
}

/// A chunk that at least one of the ways can find.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Position of its file.
    pub file: usize,
    /// First line, from 1.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// The name of what it defines, or its path.
    pub title: String,
    /// Its first lines.
    pub code: String,
    /// Number of its words, relative to the mean of all chunks.
    pub length: f64,
    /// The question's words in it.
    pub terms: Vec<Term>,
    /// Cosine with the question; `None` if it was not compared.
    pub meaning: Option<f64>,
    /// Its similarity to the question, compared or not; decides which passages of a neighbour come
    /// first.
    pub nearness: f64,
    /// Whether it holds lines that answer the question.
    pub marked: bool,
}

/// A word of the question in a passage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The word as it is indexed.
    pub word: String,
    /// Its rarity: the inverse document frequency.
    pub weight: f64,
    /// How often it occurs in the text.
    pub count: f64,
    /// How often it occurs in path and names, weighted and normalised by their lengths.
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
    /// Number of lines that are left out between them.
    pub left_out: u32,
    /// Tokens of the remaining lines.
    pub tokens: usize,
}

/// The numbers that can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// k₁: how soon repetitions of a word stop counting.
    pub k1: f64,
    /// b: how strongly long texts are penalised.
    pub b: f64,
    /// k: how many passages words and meaning contribute each.
    pub k: usize,
    /// β: the weight of meaning; words have the rest.
    pub share: f64,
    /// Number of best files whose imports are followed.
    pub seeds: usize,
    /// γ: the gain of a neighbour, as a share of the best score.
    pub gamma: f64,
}

/// The format that this version writes and reads.
pub const FORMAT: u32 = 1;
/// Most neighbours of a file that gain (Grounded, section 5.2.2).
pub const NEIGHBOURS: usize = 8;
/// Number of passages that a neighbour brings in if none of it was found.
pub const NEW_PASSAGES: usize = 2;
/// Number of passages that are shown for each way.
pub const ROWS: usize = 8;
/// The largest number of passages that words and meaning contribute each.
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

    /// Total tokens of what a model is shown.
    pub fn tokens(&self) -> usize {
        self.shown.iter().map(|shown| shown.tokens).sum()
    }
}

impl Passage {
    /// The last part of the name of what it defines.
    pub fn name(&self) -> &str {
        let is_path = self.title.contains('/') || self.title.contains(' ');
        let name = self.title.rsplit_once('.').filter(|_| !is_path);
        name.map_or(&self.title, |(_, name)| name)
    }
}

impl Numbers {
    /// Sets a number by name; an unknown name changes nothing.
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

    /// The value of a number, by name.
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
