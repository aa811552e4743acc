//! Questions whose files are known → what a repository was taught ([`Teaching`]): PathFinder's idea
//! (section 3) without its fine-tuned model. A browser trains a small head on frozen vectors in
//! seconds.
//!
//! [`Teach`] reads the questions (`examples`), then runs a course (`course`): it trains a head for
//! each of four folds without that fold's questions, one with shuffled files as a control, and the
//! one that is kept on all questions. The gate is fitted on the heads' results for questions they
//! have not seen. Every measure in [`crate::index::taught::Report`] is over questions that took no
//! part in what answered them.

mod course;
mod examples;
mod fit;
mod folds;
mod measure;
mod renew;
#[cfg(test)]
mod tests;
mod train;

pub use examples::{Example, Examples};
pub use renew::{Renewed, renewed};
pub use train::Shape;

use std::sync::Arc;

use crate::index::Index;
use crate::index::taught::{Meanings, Teaching};
use crate::job::{Job, Progress, Step};
use crate::random::Random;
use course::Course;
use examples::Reading;

/// With fewer questions there is too little to learn from.
pub const LEAST: usize = 10;

/// Why a repository cannot be taught.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TeachError {
    /// There are no vectors of the static encoder, by which questions are compared.
    #[error(
        "Footnote has not added meaning to this repository yet. Wait until it has, then teach it"
    )]
    NoVectors,
    /// There are too few questions to learn from.
    #[error(
        "Teaching needs at least {LEAST} questions that lead to files of this repository, not {0}. \
         Make more questions in the laboratory"
    )]
    TooFew(usize),
    /// All questions have the same answer, so there is nothing to distinguish.
    #[error("All questions lead to the same files. Use questions about more files")]
    OneAnswer,
    /// The training diverged.
    #[error("The training gave no result. Try again with other questions")]
    NoNumbers,
}

/// A point of the learning curve, for the questions of the first fold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Number of passes over all questions.
    pub epoch: u32,
    /// Mean cross-entropy over the questions that are learnt from.
    pub loss: f32,
    /// EM on the questions learnt from, by the head alone.
    pub learnt: f32,
    /// EM on the questions left out, by the head alone.
    pub left_out: f32,
}

/// The result of teaching.
#[derive(Clone, Debug)]
pub struct Made {
    /// The part that is stored.
    pub teaching: Teaching,
    /// The learning curve of the first fold.
    pub curve: Vec<Point>,
    /// The gate's coefficients, by the names of their features.
    pub weights: Vec<(&'static str, f32)>,
}

/// The job that teaches a repository; progress counts its smallest parts.
pub struct Teach {
    index: Arc<Index>,
    shape: Shape,
    seed: u64,
    meanings: Meanings,
    reading: Reading,
    /// Made once all questions are read.
    course: Option<Course>,
    progress: Progress,
}

impl Teach {
    /// Learns from `examples` on an index whose chunks have vectors by the static encoder.
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
        // Sets are sorted by kind; the searched part should have some of each.
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

    /// The learning curve of the first fold so far.
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
