//! The taught questions themselves: the nearest ones show which files answered similar questions,
//! and how far the question is from everything that was taught.

use crate::embed::{Embedding, Quantised, dot};

/// Number of nearest questions that are considered.
const NEIGHBOURS: usize = 8;

/// Exponent of a cosine: a question that is nearly the same outvotes several that are merely
/// similar.
const SHARPNESS: i32 = 6;

/// A taught question.
#[derive(Clone, Debug, PartialEq)]
pub struct Remembered {
    /// The question as asked.
    pub question: String,
    /// Its vector.
    pub vector: Quantised,
    /// The files that answer it, as indexes into the teaching's list of files.
    pub files: Vec<u32>,
}

/// All taught questions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// In the order in which they were taught.
    pub questions: Vec<Remembered>,
    /// For each file, how many questions it answers.
    counts: Vec<u32>,
}

/// What the memory knows about a question.
#[derive(Debug, Default)]
pub(super) struct Recalled {
    /// One per file: its share of the nearest questions, the cosine of the nearest that it answers,
    /// and how many it answers in total.
    pub files: Vec<(f32, f32, u32)>,
    /// The nearest question with its cosine.
    pub nearest: Option<(usize, f32)>,
}

impl Memory {
    /// `files` is the number of files; indexes beyond it are left out.
    pub fn new(questions: Vec<Remembered>, files: usize) -> Self {
        let mut counts = vec![0; files];
        for file in questions.iter().flat_map(|it| &it.files) {
            if let Some(count) = counts.get_mut(*file as usize) {
                *count += 1;
            }
        }
        Self { questions, counts }
    }

    /// Compares a question with all taught ones.
    pub(super) fn recall(&self, question: &Embedding) -> Recalled {
        let asked = Quantised::new(question);
        let of_asked = length(&asked);
        let cosine = |known: &Remembered| {
            let product = of_asked * length(&known.vector);
            match product > 0.0 {
                true => dot(asked.values(), known.vector.values()) as f32 / product,
                false => 0.0,
            }
        };
        let cosines = self.questions.iter().map(cosine).enumerate();
        let mut cosines: Vec<(usize, f32)> = cosines.collect();
        let mut files: Vec<(f32, f32, u32)> =
            self.counts.iter().map(|&count| (0.0, 0.0, count)).collect();
        for &(at, cosine) in &cosines {
            for file in self.questions.get(at).into_iter().flat_map(|it| &it.files) {
                if let Some((_, nearest, _)) = files.get_mut(*file as usize) {
                    *nearest = nearest.max(cosine);
                }
            }
        }
        cosines.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        cosines.truncate(NEIGHBOURS);
        let weight = |cosine: f32| cosine.max(0.0).powi(SHARPNESS);
        let total: f32 = cosines.iter().map(|&(_, cosine)| weight(cosine)).sum();
        for &(at, cosine) in &cosines {
            for file in self.questions.get(at).into_iter().flat_map(|it| &it.files) {
                if let Some((share, _, _)) = files.get_mut(*file as usize) {
                    *share += weight(cosine) / total.max(f32::MIN_POSITIVE);
                }
            }
        }
        Recalled {
            files,
            nearest: cosines.first().copied(),
        }
    }
}

fn length(vector: &Quantised) -> f32 {
    (dot(vector.values(), vector.values()) as f32).sqrt()
}
