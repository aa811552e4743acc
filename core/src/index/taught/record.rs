//! Converts a [`Teaching`] to bytes and back: a magic, a version, a checksum, then postcard. The
//! files' parameters take one byte each.

use serde::{Deserialize, Serialize};

use super::{Gate, Head, Marks, Memory, Remembered, Report, TaughtFile, Teaching};
use crate::embed::Embedding;
use crate::embed::Quantised;
use crate::index::format::checksum;

/// First bytes of the file.
const MAGIC: &[u8; 8] = b"fn-teach";

/// The version that is written, and the only one that is read.
const VERSION: u32 = 1;

/// Why bytes cannot be used as a teaching.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaughtError {
    /// They are something else.
    #[error("This file does not contain what a repository was taught")]
    Foreign,
    /// They were written by another Footnote.
    #[error(
        "This teaching has format version {0}, but this Footnote reads version {VERSION}: teach the repository again"
    )]
    OtherVersion(u32),
    /// They do not match their checksum or one another.
    #[error("This teaching is damaged: teach the repository again")]
    Damaged,
}

#[derive(Serialize, Deserialize)]
struct Record {
    encoder: String,
    files: Vec<(String, [u8; 16])>,
    dimension: u32,
    rank: u32,
    scale: f32,
    question: Vec<f32>,
    file: Vec<f32>,
    own: Vec<u8>,
    own_scale: f32,
    bias: Vec<f32>,
    memory: Vec<QuestionRecord>,
    coefficients: Vec<f32>,
    threshold: f32,
    near: [f32; 2],
    report: ReportRecord,
}

#[derive(Serialize, Deserialize)]
struct QuestionRecord {
    question: String,
    vector: Vec<u8>,
    files: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct ReportRecord {
    questions: u32,
    measured: u32,
    untaught: [f32; 3],
    calibrated: [f32; 3],
    taught: [f32; 3],
    shuffled: [f32; 3],
    seed: u64,
}

impl Teaching {
    /// Returns its identifier: 16 hexadecimal digits.
    pub fn digest(&self) -> String {
        let hash = blake3::hash(&self.to_bytes()).to_hex();
        hash.get(..16).unwrap_or_default().to_owned()
    }

    /// Returns the bytes that [`Teaching::from_bytes`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = postcard::to_allocvec(&Record::of(self)).unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads a teaching.
    ///
    /// # Errors
    /// What is wrong with the bytes, and what to do.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TaughtError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(TaughtError::Foreign)?;
        let (version, rest) = rest.split_first_chunk::<4>().ok_or(TaughtError::Damaged)?;
        match u32::from_le_bytes(*version) {
            VERSION => {}
            other => return Err(TaughtError::OtherVersion(other)),
        }
        let (sum, body) = rest.split_first_chunk::<8>().ok_or(TaughtError::Damaged)?;
        if u64::from_le_bytes(*sum) != checksum(body) {
            return Err(TaughtError::Damaged);
        }
        let record: Record = postcard::from_bytes(body).map_err(|_| TaughtError::Damaged)?;
        record.read().ok_or(TaughtError::Damaged)
    }
}

impl Record {
    fn of(teaching: &Teaching) -> Self {
        let head = &teaching.head;
        let (own, own_scale) = rounded(&head.own);
        let files = teaching.files.iter();
        let memory = teaching.memory.questions.iter();
        Self {
            encoder: teaching.encoder.clone(),
            files: files.map(|it| (it.path.clone(), it.content)).collect(),
            dimension: head.dimension as u32,
            rank: head.rank as u32,
            scale: head.scale,
            question: head.question.clone(),
            file: head.file.clone(),
            own,
            own_scale,
            bias: head.bias.clone(),
            memory: memory
                .map(|it| QuestionRecord {
                    question: it.question.clone(),
                    vector: it.vector.to_bytes(),
                    files: it.files.clone(),
                })
                .collect(),
            coefficients: teaching.gate.coefficients.clone(),
            threshold: teaching.gate.threshold,
            near: teaching.gate.near,
            report: ReportRecord::of(&teaching.report),
        }
    }

    /// Returns `None` if the parts do not match.
    fn read(self) -> Option<Teaching> {
        let own = self.own.iter();
        let own = own.map(|&byte| f32::from(i8::from_le_bytes([byte])) * self.own_scale);
        let head = Head::new(
            (self.dimension as usize, self.rank as usize),
            self.scale,
            [self.question, self.file],
            own.collect(),
            self.bias,
        )?;
        let n = self.files.len();
        let question = |it: QuestionRecord| {
            let vector = Quantised::from_bytes(&it.vector)?;
            let fits = vector.dimension() == head.dimension
                && it.files.iter().all(|&file| (file as usize) < n);
            fits.then_some(Remembered {
                question: it.question,
                vector,
                files: it.files,
            })
        };
        let memory: Option<Vec<Remembered>> = self.memory.into_iter().map(question).collect();
        let gate = Gate {
            coefficients: self.coefficients,
            threshold: self.threshold,
            near: self.near,
        };
        let numbers = gate.coefficients.iter().chain(&gate.near);
        let is_finite = numbers.copied().all(f32::is_finite);
        let fits = head.files() == n && is_finite && (0.0..=1.0).contains(&gate.threshold);
        let files = self.files.into_iter();
        let files = files.map(|(path, content)| TaughtFile { path, content });
        fits.then_some(Teaching {
            encoder: self.encoder,
            files: files.collect(),
            head,
            memory: Memory::new(memory?, n),
            gate,
            report: self.report.read(),
        })
    }
}

impl ReportRecord {
    fn of(report: &Report) -> Self {
        let marks = |it: &Marks| [it.exact, it.recall, it.first];
        Self {
            questions: report.questions,
            measured: report.measured,
            untaught: marks(&report.untaught),
            calibrated: marks(&report.calibrated),
            taught: marks(&report.taught),
            shuffled: marks(&report.shuffled),
            seed: report.seed,
        }
    }

    fn read(self) -> Report {
        let marks = |[exact, recall, first]: [f32; 3]| Marks {
            exact,
            recall,
            first,
        };
        Report {
            questions: self.questions,
            measured: self.measured,
            untaught: marks(self.untaught),
            calibrated: marks(self.calibrated),
            taught: marks(self.taught),
            shuffled: marks(self.shuffled),
            seed: self.seed,
        }
    }
}

/// Returns the values as one byte each, and their factor.
fn rounded(values: &[f32]) -> (Vec<u8>, f32) {
    let vector = Quantised::new(&Embedding::from_raw(values.to_vec()));
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    let bytes = vector.to_bytes();
    let (scale, values) = bytes.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
    (values.to_vec(), f32::from_le_bytes(*scale) * length)
}
