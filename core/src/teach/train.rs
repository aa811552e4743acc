//! Trains a [`Head`]: softmax over the files of a batch, the files that the search would take for
//! the answer, and some random ones; Adam for what all files share, Adagrad for each file's own
//! numbers.

use std::collections::BTreeMap;

use super::examples::Known;
use crate::index::taught::{Head, Meanings, add, dot, product, softmax};
use crate::random::Random;
use crate::source::FileId;

/// Questions per batch.
const BATCH: usize = 32;

/// Number of files from the search that each question has to be distinguished from.
const HARD: usize = 5;

/// Number of random files per batch.
const DRAWN: usize = 64;

/// What is learnt, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Rows of the low-rank map, and numbers per file.
    pub rank: usize,
    /// Number of passes over all questions.
    pub epochs: u32,
    /// Whether the map that all files share is learnt (candidate a).
    pub shared: bool,
    /// Whether each file's own numbers are learnt (candidate b).
    pub own: bool,
    /// The initial value of γ.
    pub scale: f32,
    /// Learning rate for what all files share.
    pub rate: f32,
    /// Learning rate for each file's own numbers.
    pub own_rate: f32,
    /// Weight decay per batch.
    pub decay: f32,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            rank: 48,
            epochs: 15,
            shared: true,
            own: true,
            scale: 12.0,
            rate: 0.005,
            own_rate: 0.1,
            decay: 1e-4,
        }
    }
}

/// Adam's state of one matrix (Kingma & Ba, 2015).
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(n: usize) -> Self {
        Self {
            mean: vec![0.0; n],
            square: vec![0.0; n],
            steps: 0,
        }
    }

    fn update(&mut self, values: &mut [f32], gradient: &[f32], rate: f32, decay: f32) {
        self.steps += 1;
        let by_mean = 1.0 - 0.9f32.powi(self.steps);
        let by_square = 1.0 - 0.999f32.powi(self.steps);
        let states = self.mean.iter_mut().zip(&mut self.square);
        for ((value, gradient), (mean, square)) in values.iter_mut().zip(gradient).zip(states) {
            *mean = 0.9 * *mean + 0.1 * gradient;
            *square = 0.999 * *square + 0.001 * gradient * gradient;
            let step = (*mean / by_mean) / ((*square / by_square).sqrt() + 1e-8);
            *value -= rate * (step + decay * *value);
        }
    }
}

/// The files that questions lead to, and their positions.
pub(super) struct Targets {
    /// In ascending order.
    pub files: Vec<FileId>,
    rows: BTreeMap<FileId, usize>,
}

impl Targets {
    pub(super) fn new(known: &[Known]) -> Self {
        let files = known.iter().flat_map(|known| &known.example.files);
        let mut files: Vec<FileId> = files.copied().collect();
        files.sort_unstable();
        files.dedup();
        let rows = files.iter().enumerate();
        Self {
            rows: rows.map(|(row, file)| (*file, row)).collect(),
            files,
        }
    }

    pub(super) fn row(&self, file: FileId) -> Option<usize> {
        self.rows.get(&file).copied()
    }
}

/// The training of one head, batch by batch.
pub(super) struct Training {
    shape: Shape,
    dimension: usize,
    /// The questions learnt from, each with the files it leads to in this training.
    questions: Vec<(usize, Vec<FileId>)>,
    order: Vec<usize>,
    next: usize,
    pub epoch: u32,
    random: Random,
    question: Vec<f32>,
    file: Vec<f32>,
    own: Vec<f32>,
    bias: Vec<f32>,
    adam: [Adam; 2],
    /// Sums of squared gradients of each file's own numbers.
    squares: Vec<f32>,
    /// Sum of the losses of this epoch, and of the last one.
    loss: f32,
    pub last_loss: f32,
}

/// A batch: questions with their right files, and the files they are distinguished from.
struct Batch {
    /// The question's index, and the positions of its right files in `files`.
    questions: Vec<(usize, Vec<usize>)>,
    files: Vec<FileId>,
}

impl Training {
    /// `questions` holds indices of known questions, with the files they lead to.
    pub(super) fn new(
        shape: Shape,
        dimension: usize,
        targets: &Targets,
        questions: Vec<(usize, Vec<FileId>)>,
        seed: u64,
    ) -> Self {
        let n = shape.rank * dimension;
        let mut random = Random::new(seed);
        let spread = (3.0 / dimension as f32).sqrt();
        let mut draw = || (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0) * spread;
        let question = (0..n).map(|_| draw()).collect();
        let mut training = Self {
            shape,
            dimension,
            order: (0..questions.len()).collect(),
            questions,
            next: 0,
            epoch: 0,
            random,
            question,
            file: vec![0.0; n],
            own: vec![0.0; targets.files.len() * shape.rank],
            bias: vec![0.0; targets.files.len()],
            adam: [Adam::new(n), Adam::new(n)],
            squares: vec![0.0; targets.files.len() * (shape.rank + 1)],
            loss: 0.0,
            last_loss: 0.0,
        };
        training.random.shuffle(&mut training.order);
        training
    }

    /// Number of batches in the whole training.
    pub(super) fn batches(shape: Shape, questions: usize) -> usize {
        questions.div_ceil(BATCH) * shape.epochs as usize
    }

    /// Whether all epochs are finished.
    pub(super) fn is_done(&self) -> bool {
        self.epoch >= self.shape.epochs || self.questions.is_empty()
    }

    /// Learns from the next batch; returns whether an epoch ended with it.
    pub(super) fn step(&mut self, known: &[Known], meanings: &Meanings, targets: &Targets) -> bool {
        let batch = self.batch(known, meanings.files());
        self.learn(&batch, known, meanings, targets);
        self.next += BATCH;
        if self.next < self.order.len() {
            return false;
        }
        self.next = 0;
        self.epoch += 1;
        self.last_loss = self.loss / self.questions.len().max(1) as f32;
        self.loss = 0.0;
        self.random.shuffle(&mut self.order);
        true
    }

    /// The questions that it learns from, with their files.
    pub(super) fn questions(&self) -> &[(usize, Vec<FileId>)] {
        &self.questions
    }

    /// The current head; `None` only if its numbers are not finite any more.
    pub(super) fn head(&self) -> Option<Head> {
        Head::new(
            (self.dimension, self.shape.rank),
            self.shape.scale,
            [self.question.clone(), self.file.clone()],
            self.own.clone(),
            self.bias.clone(),
        )
    }

    fn batch(&mut self, known: &[Known], files: usize) -> Batch {
        let end = self.order.len().min(self.next + BATCH);
        let places = self.order.get(self.next..end).unwrap_or_default();
        let mut places_of: BTreeMap<FileId, usize> = BTreeMap::new();
        let mut chosen: Vec<FileId> = Vec::new();
        let mut place = |file: FileId| {
            *places_of.entry(file).or_insert_with(|| {
                chosen.push(file);
                chosen.len() - 1
            })
        };
        let mut questions = Vec::new();
        for (at, right) in places.iter().filter_map(|at| self.questions.get(*at)) {
            let right = right.iter().map(|file| place(*file)).collect();
            questions.push((*at, right));
            let found = known.get(*at).and_then(|it| it.found.as_ref());
            let found = found.into_iter().flat_map(|it| &it.files);
            for (file, _) in found.take(HARD) {
                place(*file);
            }
        }
        for _ in 0..DRAWN.min(files) {
            place(FileId(self.random.below(files) as u32));
        }
        Batch {
            questions,
            files: chosen,
        }
    }

    fn learn(&mut self, batch: &Batch, known: &[Known], meanings: &Meanings, targets: &Targets) {
        let (rank, dimension) = (self.shape.rank, self.dimension);
        let rows: Vec<Option<usize>> = batch.files.iter().map(|file| targets.row(*file)).collect();
        let codes = self.codes(batch, meanings, &rows);
        let mut of_question = vec![0.0; rank * dimension];
        // For each file of the batch: the gradient of its code.
        let mut of_codes = vec![0.0; batch.files.len() * rank];
        let mut of_bias = vec![0.0; batch.files.len()];
        let share = 1.0 / batch.questions.len().max(1) as f32;
        for (at, right) in &batch.questions {
            let Some(q) = known.get(*at).map(|known| known.vector.values()) else {
                continue;
            };
            let code = product(&self.question, dimension, q);
            let errors = self.errors(batch, meanings, &rows, (q, &code, &codes), right);
            let mut pull = vec![0.0; rank];
            let of_codes = of_codes.chunks_exact_mut(rank).zip(&mut of_bias);
            let files = codes.chunks_exact(rank).zip(of_codes);
            for (error, (file_code, (of_code, of_bias))) in errors.iter().zip(files) {
                let error = error * share;
                add(&mut pull, error, file_code);
                add(of_code, error, &code);
                *of_bias += error;
            }
            for (row, pull) in of_question.chunks_exact_mut(dimension).zip(&pull) {
                add(row, *pull, q);
            }
        }
        if self.shape.shared {
            self.update_shared(batch, meanings, &of_question, &of_codes);
        }
        if self.shape.own {
            self.update_own(&rows, &of_codes, &of_bias);
        }
    }

    /// `V m + δ` of each file of the batch.
    fn codes(&self, batch: &Batch, meanings: &Meanings, rows: &[Option<usize>]) -> Vec<f32> {
        let rank = self.shape.rank;
        let mut codes = Vec::with_capacity(batch.files.len() * rank);
        for (file, row) in batch.files.iter().zip(rows) {
            let mut code = product(&self.file, self.dimension, meanings.row(file.0 as usize));
            let own = row.and_then(|row| self.own.get(row * rank..(row + 1) * rank));
            add(&mut code, 1.0, own.unwrap_or_default());
            codes.extend(code);
        }
        codes
    }

    /// For each file of the batch: its probability minus the target.
    fn errors(
        &mut self,
        batch: &Batch,
        meanings: &Meanings,
        rows: &[Option<usize>],
        (q, code, codes): (&[f32], &[f32], &[f32]),
        right: &[usize],
    ) -> Vec<f32> {
        let files = batch.files.iter().zip(rows);
        let files = files.zip(codes.chunks_exact(self.shape.rank));
        let scores = files.map(|((file, row), file_code)| {
            let bias = row.and_then(|row| self.bias.get(row)).copied();
            let alike = dot(q, meanings.row(file.0 as usize));
            self.shape.scale * alike + dot(code, file_code) + bias.unwrap_or_default()
        });
        let mut errors = softmax(scores.collect());
        let wanted = 1.0 / right.len().max(1) as f32;
        for at in right {
            if let Some(error) = errors.get_mut(*at) {
                self.loss -= wanted * error.max(1e-9).ln();
                *error -= wanted;
            }
        }
        errors
    }

    fn update_shared(
        &mut self,
        batch: &Batch,
        meanings: &Meanings,
        of_question: &[f32],
        of_codes: &[f32],
    ) {
        let mut of_file = vec![0.0; self.file.len()];
        for (file, of_code) in batch
            .files
            .iter()
            .zip(of_codes.chunks_exact(self.shape.rank))
        {
            let meaning = meanings.row(file.0 as usize);
            for (row, of_code) in of_file.chunks_exact_mut(self.dimension).zip(of_code) {
                add(row, *of_code, meaning);
            }
        }
        let Shape { rate, decay, .. } = self.shape;
        let [of_questions, of_files] = &mut self.adam;
        of_questions.update(&mut self.question, of_question, rate, decay);
        of_files.update(&mut self.file, &of_file, rate, decay);
    }

    fn update_own(&mut self, rows: &[Option<usize>], of_codes: &[f32], of_bias: &[f32]) {
        let rank = self.shape.rank;
        let Shape {
            own_rate, decay, ..
        } = self.shape;
        let gradients = of_codes.chunks_exact(rank).zip(of_bias);
        for (row, (of_code, of_bias)) in rows.iter().zip(gradients) {
            let Some(row) = *row else { continue };
            let own = self.own.get_mut(row * rank..(row + 1) * rank);
            let squares = self
                .squares
                .get_mut(row * (rank + 1)..(row + 1) * (rank + 1));
            let (Some(own), Some(squares), Some(bias)) = (own, squares, self.bias.get_mut(row))
            else {
                continue;
            };
            let values = own.iter_mut().chain(std::iter::once(bias));
            let gradients = of_code.iter().chain(std::iter::once(of_bias));
            for ((value, gradient), square) in values.zip(gradients).zip(squares) {
                *square += gradient * gradient;
                let step = gradient / (square.sqrt() + 1e-6);
                *value -= own_rate * (step + decay * *value);
            }
        }
    }
}
