//! A question with its answer, as saved and exported.

use serde::{Deserialize, Serialize};

use super::all;
use super::file::FileRecord;
use super::verdict::CheckRecord;
use super::written::WrittenRecord;
use crate::worker::protocol::{
    AnswerView, EvidenceView, FitView, FootnoteView, ItemView, PartView, Rating, SpanView,
    StatementView, TurnView,
};

/// A turn of an exported conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    pub answer: AnswerRecord,
    #[serde(default)]
    pub rating: Option<RatingRecord>,
}

/// The reader's rating of an answer; in storage, the record is just this word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RatingRecord {
    Good,
    Bad,
}

/// An answer: the part made without a language model, and the part that one wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerRecord {
    pub question: String,
    /// Milliseconds since 1970; the first answers ever saved have it only in their key.
    #[serde(default)]
    pub asked_at: f64,
    pub refined: bool,
    /// The searched question, if it is not the question itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_as: Option<String>,
    /// Missing in records from before there were kinds of questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Missing like `kind`.
    #[serde(default, skip_serializing_if = "FitRecord::is_likely")]
    pub fit: FitRecord,
    pub nothing: Option<String>,
    pub note: Option<String>,
    pub statements: Vec<StatementRecord>,
    pub footnotes: Vec<FootnoteRecord>,
    pub evidence: Vec<EvidenceRecord>,
    pub files: Vec<FileRecord>,
    pub milliseconds: f64,
    pub chunks: u32,
    pub compared_by_meaning: u32,
    /// Missing in records from before language models could be connected.
    #[serde(default)]
    pub written: Option<WrittenRecord>,
    /// It was imported. Missing in records from before this was noted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_imported: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatementRecord {
    pub spans: Vec<SpanRecord>,
    pub footnotes: Vec<u32>,
    /// Missing in records from before lists could be expanded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ItemRecord>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ItemRecord {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    pub footnote: u32,
}

/// How well an answer fits its question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FitRecord {
    Exact,
    #[default]
    Likely,
    Closest,
}

impl FitRecord {
    /// Whether the field can be omitted. By reference, as serde requires.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    fn is_likely(&self) -> bool {
        *self == Self::Likely
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SpanRecord {
    Text(String),
    Code(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FootnoteRecord {
    pub number: u32,
    pub path: String,
    pub start: u32,
    pub end: u32,
    pub why: String,
    /// Missing in records from before there was more than one verdict.
    #[serde(default)]
    pub check: CheckRecord,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_imported: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceRecord {
    pub path: String,
    pub start: u32,
    pub end: u32,
    pub title: String,
    pub score: f32,
    pub parts: Vec<PartRecord>,
    pub excerpt: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartRecord {
    pub name: String,
    pub raw: f32,
    pub weighted: f32,
}

impl From<TurnView> for TurnRecord {
    fn from(TurnView { answer, rating }: TurnView) -> Self {
        Self {
            answer: answer.into(),
            rating: rating.map(Into::into),
        }
    }
}

impl From<TurnRecord> for TurnView {
    fn from(TurnRecord { answer, rating }: TurnRecord) -> Self {
        Self {
            answer: answer.into(),
            rating: rating.map(Into::into),
        }
    }
}

impl From<Rating> for RatingRecord {
    fn from(rating: Rating) -> Self {
        match rating {
            Rating::Good => Self::Good,
            Rating::Bad => Self::Bad,
        }
    }
}

impl From<RatingRecord> for Rating {
    fn from(rating: RatingRecord) -> Self {
        match rating {
            RatingRecord::Good => Self::Good,
            RatingRecord::Bad => Self::Bad,
        }
    }
}

impl From<AnswerView> for AnswerRecord {
    fn from(from: AnswerView) -> Self {
        let AnswerView {
            question,
            asked_at,
            refined,
            asked_as,
            kind,
            fit,
            nothing,
            note,
            statements,
            footnotes,
            evidence,
            files,
            milliseconds,
            chunks,
            compared_by_meaning,
            written,
            is_imported,
            // The note says it; the offered lines belong to the index that was open.
            by: _,
            asks_first: _,
        } = from;
        Self {
            question,
            asked_at,
            refined,
            asked_as,
            kind,
            fit: fit.into(),
            nothing,
            note,
            statements: all(statements),
            footnotes: all(footnotes),
            evidence: all(evidence),
            files: all(files),
            milliseconds,
            chunks,
            compared_by_meaning,
            written: written.map(Into::into),
            is_imported,
        }
    }
}

impl From<AnswerRecord> for AnswerView {
    fn from(from: AnswerRecord) -> Self {
        let AnswerRecord {
            question,
            asked_at,
            refined,
            asked_as,
            kind,
            fit,
            nothing,
            note,
            statements,
            footnotes,
            evidence,
            files,
            milliseconds,
            chunks,
            compared_by_meaning,
            written,
            is_imported,
        } = from;
        Self {
            question,
            asked_at,
            refined,
            asked_as,
            kind,
            fit: fit.into(),
            nothing,
            note,
            statements: all(statements),
            footnotes: all(footnotes),
            evidence: all(evidence),
            files: all(files),
            milliseconds,
            chunks,
            compared_by_meaning,
            written: written.map(Into::into),
            is_imported,
            by: None,
            asks_first: None,
        }
    }
}

impl From<StatementView> for StatementRecord {
    fn from(from: StatementView) -> Self {
        let StatementView {
            spans,
            footnotes,
            items,
        } = from;
        Self {
            spans: all(spans),
            footnotes,
            items: all(items),
        }
    }
}

impl From<StatementRecord> for StatementView {
    fn from(from: StatementRecord) -> Self {
        let StatementRecord {
            spans,
            footnotes,
            items,
        } = from;
        Self {
            spans: all(spans),
            footnotes,
            items: all(items),
        }
    }
}

impl From<ItemView> for ItemRecord {
    fn from(from: ItemView) -> Self {
        let ItemView {
            name,
            detail,
            footnote,
        } = from;
        Self {
            name,
            detail,
            footnote,
        }
    }
}

impl From<ItemRecord> for ItemView {
    fn from(from: ItemRecord) -> Self {
        let ItemRecord {
            name,
            detail,
            footnote,
        } = from;
        Self {
            name,
            detail,
            footnote,
        }
    }
}

impl From<FitView> for FitRecord {
    fn from(from: FitView) -> Self {
        match from {
            FitView::Exact => Self::Exact,
            FitView::Likely => Self::Likely,
            FitView::Closest => Self::Closest,
        }
    }
}

impl From<FitRecord> for FitView {
    fn from(from: FitRecord) -> Self {
        match from {
            FitRecord::Exact => Self::Exact,
            FitRecord::Likely => Self::Likely,
            FitRecord::Closest => Self::Closest,
        }
    }
}

impl From<SpanView> for SpanRecord {
    fn from(from: SpanView) -> Self {
        match from {
            SpanView::Text(text) => Self::Text(text),
            SpanView::Code(code) => Self::Code(code),
        }
    }
}

impl From<SpanRecord> for SpanView {
    fn from(from: SpanRecord) -> Self {
        match from {
            SpanRecord::Text(text) => Self::Text(text),
            SpanRecord::Code(code) => Self::Code(code),
        }
    }
}

impl From<FootnoteView> for FootnoteRecord {
    fn from(from: FootnoteView) -> Self {
        let FootnoteView {
            number,
            path,
            start,
            end,
            why,
            check,
            is_imported,
        } = from;
        Self {
            number,
            path,
            start,
            end,
            why,
            check: check.into(),
            is_imported,
        }
    }
}

impl From<FootnoteRecord> for FootnoteView {
    fn from(from: FootnoteRecord) -> Self {
        let FootnoteRecord {
            number,
            path,
            start,
            end,
            why,
            check,
            is_imported,
        } = from;
        Self {
            number,
            path,
            start,
            end,
            why,
            check: check.into(),
            is_imported,
        }
    }
}

impl From<EvidenceView> for EvidenceRecord {
    fn from(from: EvidenceView) -> Self {
        let EvidenceView {
            path,
            start,
            end,
            title,
            score,
            parts,
            excerpt,
        } = from;
        Self {
            path,
            start,
            end,
            title,
            score,
            parts: all(parts),
            excerpt,
        }
    }
}

impl From<EvidenceRecord> for EvidenceView {
    fn from(from: EvidenceRecord) -> Self {
        let EvidenceRecord {
            path,
            start,
            end,
            title,
            score,
            parts,
            excerpt,
        } = from;
        Self {
            path,
            start,
            end,
            title,
            score,
            parts: all(parts),
            excerpt,
        }
    }
}

impl From<PartView> for PartRecord {
    fn from(from: PartView) -> Self {
        let PartView {
            name,
            raw,
            weighted,
        } = from;
        Self {
            name,
            raw,
            weighted,
        }
    }
}

impl From<PartRecord> for PartView {
    fn from(from: PartRecord) -> Self {
        let PartRecord {
            name,
            raw,
            weighted,
        } = from;
        Self {
            name,
            raw,
            weighted,
        }
    }
}
