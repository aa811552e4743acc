//! Trains the heads one after the other, and fits the gate on their answers.

use std::collections::BTreeMap;

use super::examples::Known;
use super::folds::{FOLDS, Folds};
use super::measure::{self, Case, Tally};
use super::train::{Shape, Targets, Training};
use super::{Made, Point};
use crate::embed::Quantised;
use crate::index::Index;
use crate::index::taught::{
    Head, Meanings, Memory, Remembered, Report, Rows, TaughtFile, Teaching, opinions,
};
use crate::random::Random;
use crate::search::taught::{Candidates, candidates, names};
use crate::source::FileId;

/// Gives the control another random draw than the folds.
const CONTROL: u64 = 0x5348_5546;

/// Most questions in the curve, for those learnt from and for those left out.
const CURVE: usize = 100;

/// The head that is trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The head of a fold, trained on all other questions.
    Fold(usize),
    /// The control: the head of the first fold, trained on shuffled files.
    Control,
    /// The head that is kept, trained on all questions.
    Whole,
}

impl Part {
    fn next(self) -> Option<Self> {
        match self {
            Self::Fold(fold) if fold + 1 < FOLDS => Some(Self::Fold(fold + 1)),
            Self::Fold(_) => Some(Self::Control),
            Self::Control => Some(Self::Whole),
            Self::Whole => None,
        }
    }

    /// The questions that it learns from.
    fn learns(self, folds: &Folds) -> Vec<usize> {
        match self {
            Self::Fold(fold) => folds.without(fold),
            Self::Control => folds.without(0),
            Self::Whole => folds.all(),
        }
    }

    /// The questions that it then answers.
    fn answers(self, folds: &Folds) -> Vec<usize> {
        match self {
            Self::Fold(fold) => folds.within(fold),
            Self::Control => folds.within(0),
            Self::Whole => Vec::new(),
        }
    }
}

/// A trained head, which then answers its questions one per step.
struct Trained {
    head: Head,
    memory: Memory,
    /// Questions that are still to be answered.
    left: Vec<usize>,
}

/// The training of all heads for one set of questions.
pub(super) struct Course {
    shape: Shape,
    seed: u64,
    folds: Folds,
    targets: Targets,
    rows: Rows,
    /// The files of each question, shuffled among the questions.
    wrong: Vec<Vec<FileId>>,
    part: Part,
    training: Training,
    trained: Option<Trained>,
    /// By question: the candidates of the head that was trained without the question's fold.
    judged: BTreeMap<usize, Candidates>,
    /// The same for the control, on the first fold.
    control: BTreeMap<usize, Candidates>,
    curve: Vec<Point>,
}

impl Course {
    pub(super) fn new(known: &[Known], meanings: &Meanings, shape: Shape, seed: u64) -> Self {
        let targets = Targets::new(known);
        let ids: Vec<Option<FileId>> = targets.files.iter().copied().map(Some).collect();
        let mut wrong: Vec<Vec<FileId>> = known.iter().map(|it| it.example.files.clone()).collect();
        Random::new(seed ^ CONTROL).shuffle(&mut wrong);
        let folds = Folds::new(known, seed);
        let part = Part::Fold(0);
        let mut course = Self {
            shape,
            seed,
            rows: Rows::new(&ids, meanings.files()),
            training: Training::new(shape, meanings.dimension(), &targets, Vec::new(), seed),
            folds,
            targets,
            wrong,
            part,
            trained: None,
            judged: BTreeMap::new(),
            control: BTreeMap::new(),
            curve: Vec::new(),
        };
        course.begin(part, known, meanings);
        course
    }

    /// Approximate number of steps in a course with that many questions.
    pub(super) fn steps(shape: Shape, questions: usize) -> usize {
        Training::batches(shape, questions) * (FOLDS + 2) + questions * 5 / 4
    }

    pub(super) fn curve(&self) -> &[Point] {
        &self.curve
    }

    /// Does the next part of the work; returns whether there is more.
    pub(super) fn step(&mut self, known: &[Known], meanings: &Meanings) -> bool {
        if self.trained.is_some() {
            return self.answer_next(known, meanings);
        }
        if self.training.is_done() {
            return self.end_training(known);
        }
        let ended = self.training.step(known, meanings, &self.targets);
        if ended && self.part == Part::Fold(0) {
            self.add_point(known, meanings);
        }
        true
    }

    fn begin(&mut self, part: Part, known: &[Known], meanings: &Meanings) {
        let files = |at: usize| match part {
            Part::Control => self.wrong.get(at).cloned(),
            _ => known.get(at).map(|it| it.example.files.clone()),
        };
        let learns = part.learns(&self.folds).into_iter();
        let questions = learns.filter_map(|at| Some((at, files(at)?))).collect();
        let dimension = meanings.dimension();
        self.part = part;
        self.training = Training::new(self.shape, dimension, &self.targets, questions, self.seed);
    }

    /// Ends the training of a head; false if its numbers are not finite.
    fn end_training(&mut self, known: &[Known]) -> bool {
        let Some(head) = self.training.head() else {
            return false;
        };
        self.trained = Some(Trained {
            head,
            memory: self.memory(known),
            left: self.part.answers(&self.folds),
        });
        self.part != Part::Whole
    }

    /// The questions that the part learnt from, with the files it was given.
    fn memory(&self, known: &[Known]) -> Memory {
        let learnt = self.training.questions().iter();
        let remembered = learnt.filter_map(|(at, files)| {
            let known = known.get(*at)?;
            let rows = files.iter().filter_map(|file| self.targets.row(*file));
            Some(Remembered {
                question: known.example.question.clone(),
                vector: Quantised::new(&known.vector),
                files: rows.map(|row| row as u32).collect(),
            })
        });
        Memory::new(remembered.collect(), self.targets.files.len())
    }

    /// Lets the trained head answer its next question, or goes on to the next part.
    fn answer_next(&mut self, known: &[Known], meanings: &Meanings) -> bool {
        let Some(trained) = &mut self.trained else {
            return true;
        };
        let Some(at) = trained.left.pop() else {
            self.trained = None;
            if let Some(part) = self.part.next() {
                self.begin(part, known, meanings);
            }
            return true;
        };
        let Some(it) = known.get(at) else {
            return true;
        };
        let (head, memory) = (&trained.head, &trained.memory);
        if let Some(found) = &it.found {
            let opinions = opinions(head, memory, meanings, &self.rows, &it.vector);
            let candidates = candidates(found, &opinions);
            match self.part {
                Part::Control => self.control.insert(at, candidates),
                _ => self.judged.insert(at, candidates),
            };
        }
        true
    }

    fn add_point(&mut self, known: &[Known], meanings: &Meanings) {
        let Some(head) = self.training.head() else {
            return;
        };
        let exact = |places: Vec<usize>| {
            let mut tally = Tally::default();
            for known in places.iter().take(CURVE).filter_map(|at| known.get(*at)) {
                let all = head.probabilities(meanings, &self.rows, &known.vector);
                tally.add(&known.example.files, &measure::likeliest(&all));
            }
            tally.marks().exact
        };
        self.curve.push(Point {
            epoch: self.training.epoch,
            loss: self.training.last_loss,
            learnt: exact(self.part.learns(&self.folds)),
            left_out: exact(self.part.answers(&self.folds)),
        });
    }

    /// The result; `None` if the training did not give finite numbers.
    pub(super) fn finish(&mut self, index: &Index, known: &[Known]) -> Option<Made> {
        let Trained { head, memory, .. } = self.trained.take()?;
        let cases = cases(known, &self.judged);
        let control: Vec<Case<'_>> = cases_of(known, &self.control, |at| self.wrong.get(at));
        let gate = measure::fitted(&cases);
        let report = Report {
            questions: known.len() as u32,
            measured: cases.len() as u32,
            untaught: measure::untaught(&cases),
            calibrated: measure::calibrated(&cases, &self.folds),
            taught: measure::taught(&cases, &self.folds),
            shuffled: measure::control(&control),
            seed: self.seed,
        };
        let files = self.targets.files.iter();
        let files = files.filter_map(|file| TaughtFile::of(&index.repo, *file));
        let teaching = Teaching {
            encoder: index.table()?.id().to_owned(),
            files: files.collect(),
            head,
            memory,
            report,
            gate,
        };
        // Encoded and decoded, so that it gives the same answers before and after a reload.
        let teaching = Teaching::from_bytes(&teaching.to_bytes()).ok()?;
        let weights = names().zip(teaching.gate.coefficients.iter().copied());
        Some(Made {
            weights: weights.collect(),
            teaching,
            curve: std::mem::take(&mut self.curve),
        })
    }
}

/// The answered questions, each with its right files.
fn cases<'k>(known: &'k [Known], judged: &'k BTreeMap<usize, Candidates>) -> Vec<Case<'k>> {
    cases_of(known, judged, |at| {
        known.get(at).map(|it| &it.example.files)
    })
}

/// The same, with the files that they were taught with.
fn cases_of<'k>(
    known: &'k [Known],
    judged: &'k BTreeMap<usize, Candidates>,
    taught: impl Fn(usize) -> Option<&'k Vec<FileId>>,
) -> Vec<Case<'k>> {
    let case = |(&at, candidates): (&usize, &'k Candidates)| {
        let known = known.get(at)?;
        Some(Case {
            at,
            found: known.found.as_ref()?,
            right: &known.example.files,
            taught: taught(at)?,
            candidates,
        })
    };
    judged.iter().filter_map(case).collect()
}
