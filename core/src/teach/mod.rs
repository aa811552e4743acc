//! Questions whose files are known → what a repository was taught ([`Teaching`]): PathFinder's idea
//! (section 3) without its fine-tuned model. A browser trains a small head on frozen vectors in
//! seconds.
//!
//! [`Teach`] reads the questions (`examples`), then goes through a course (`course`): it trains a
//! head for each of four folds without that fold's questions, one with shuffled files as a control,
//! and the one that is kept on all questions; the gate is fitted on what the heads say of questions
//! that they have not seen. Every measure of [`crate::index::taught::Report`] is of questions that
//! had no part in what answered them.

mod course;
mod examples;
mod fit;
mod folds;
mod measure;
#[cfg(test)]
mod tests;
mod train;

pub use examples::{Example, Examples};
pub use train::Shape;

use std::sync::Arc;

use crate::index::Index;
use crate::index::taught::{Meanings, Teaching};
use crate::job::{Job, Progress, Step};
use crate::random::Random;
use course::Course;
use examples::Reading;

/// Fewer questions are too few to learn from.
pub const LEAST: usize = 10;

/// Why a repository cannot be taught.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TeachError {
    /// The questions are compared by the static encoder.
    #[error("The repository's meaning is not read yet. Wait until it is, then teach it")]
    NoVectors,
    /// Nothing would be learnt.
    #[error(
        "{0} questions lead to files of this repository; at least {LEAST} are needed. Make more questions in the laboratory"
    )]
    TooFew(usize),
    /// Nothing has to be told apart.
    #[error("All questions lead to the same files. Use questions about more files")]
    OneAnswer,
    /// The training went astray.
    #[error("The training came to no result. Try again with other questions")]
    NoNumbers,
}

/// A point of the learning curve, on the questions of the first fold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Times that all questions were gone through.
    pub epoch: u32,
    /// Mean cross-entropy of the questions that are learnt from.
    pub loss: f32,
    /// EM of the questions learnt from, by the head alone.
    pub learnt: f32,
    /// The same of the questions that were left out.
    pub left_out: f32,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Made {
    /// What is kept.
    pub teaching: Teaching,
    /// How the first fold was learnt.
    pub curve: Vec<Point>,
    /// The gate's coefficients by the names of their features.
    pub weights: Vec<(&'static str, f32)>,
}

/// Teaches a repository; counts its smallest parts of work.
pub struct Teach {
    index: Arc<Index>,
    shape: Shape,
    seed: u64,
    meanings: Meanings,
    reading: Reading,
    /// Made when all questions were read.
    course: Option<Course>,
    progress: Progress,
}

impl Teach {
    /// Learns from `examples` on an index whose chunks have their vectors by the static encoder.
    ///
    /// # Errors
    /// Why nothing can be learnt.
    pub fn new(
        index: Arc<Index>,
        mut examples: Vec<Example>,
        shape: Shape,
        seed: u64,
    ) -> Result<Self, TeachError> {
        let meanings = Meanings::of(&index).ok_or(TeachError::NoVectors)?;
        if examples.len() < LEAST {
            return Err(TeachError::TooFew(examples.len()));
        }
        let first = examples.first().map(|it| &it.files);
        if examples.iter().all(|it| Some(&it.files) == first) {
            return Err(TeachError::OneAnswer);
        }
        // Sets come kind by kind; what is searched should be some of each.
        Random::new(seed).shuffle(&mut examples);
        let total = examples.len() + Course::steps(shape, examples.len());
        Ok(Self {
            index,
            shape,
            seed,
            meanings,
            reading: Reading::new(examples),
            course: None,
            progress: Progress {
                done: 0,
                total: total as u64,
            },
        })
    }

    /// How the first fold is learnt, as far as it was.
    pub fn curve(&self) -> &[Point] {
        self.course.as_ref().map_or(&[], |course| course.curve())
    }
}

impl Job for Teach {
    type Output = Made;
    type Error = TeachError;

    fn step(&mut self) -> Result<Step<Made>, TeachError> {
        self.progress.done = (self.progress.done + 1).min(self.progress.total);
        if self.reading.next(&self.index) {
            return Ok(Step::Working(self.progress));
        }
        let known = self.reading.known();
        let course = match &mut self.course {
            Some(course) => course,
            None if known.len() < LEAST => return Err(TeachError::TooFew(known.len())),
            None => {
                let course = Course::new(known, &self.meanings, self.shape, self.seed);
                self.course.insert(course)
            }
        };
        if course.step(known, &self.meanings) {
            return Ok(Step::Working(self.progress));
        }
        let made = course.finish(&self.index, known);
        made.map(Step::Done).ok_or(TeachError::NoNumbers)
    }
}
