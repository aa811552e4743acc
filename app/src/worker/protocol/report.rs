//! The models' report card on the wire: the verdicts of each model's answers. Page and CSV both
//! take their columns from here, so that they show the same.

use serde::{Deserialize, Serialize};

use super::{CountsView, VERDICTS, VerdictView};

/// Which answers are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReportScope {
    /// Those about the open repository.
    #[default]
    This,
    /// Those about all saved repositories.
    All,
}

/// A request about the models. Ends with a [`ReportView`], or as stated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReportRequest {
    Make(ReportScope),
    /// Export in the named format. Ends with `Exported`.
    Export {
        scope: ReportScope,
        format: String,
    },
}

/// The results of the models.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportView {
    pub scope: ReportScope,
    /// Ordered by model, then by address, then by repository.
    pub rows: Vec<ReportRow>,
    pub left_out: LeftOut,
}

/// A model at an address, asked about a repository.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportRow {
    pub model: String,
    /// Scheme, host and port of the service.
    pub origin: String,
    pub repository: String,
    pub answers: u32,
    /// Those of them that the reader, a limit or a failure ended.
    pub unfinished: u32,
    /// The verdicts of their statements.
    pub counts: CountsView,
    /// An estimate over all requests.
    pub sent_tokens: u64,
    /// As counted by the services, over the answers that have a count.
    pub written_tokens: u64,
    /// Answers whose written tokens were counted.
    pub written_answers: u32,
    pub milliseconds: f64,
}

/// Answers that are not in any row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Imported from a file: it is unknown who wrote them and what was sent.
    pub imported: u32,
    /// Saved by an earlier version, which checked less.
    pub earlier: u32,
    /// Saved by a later version.
    pub later: u32,
    /// Ended before the first word arrived.
    pub empty: u32,
}

/// The value of a row in a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(String),
    Number(u64),
    /// Shown to a tenth.
    Seconds(f64),
    Unknown,
}

/// A column of the report card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Model,
    Address,
    Repository,
    Answers,
    Unfinished,
    Statements,
    /// Statements for which the model cited a source itself.
    Cited,
    Verdict(VerdictView),
    TokensSent,
    TokensWritten,
    /// Answers whose written tokens were counted.
    AnswersCounted,
    Seconds,
}

impl Column {
    /// All columns, in order: first those that identify the row, then the numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        let keys = [Self::Model, Self::Address, Self::Repository];
        keys.into_iter().chain(Self::numbers())
    }

    /// The columns that hold numbers.
    pub fn numbers() -> impl Iterator<Item = Self> {
        let before = [
            Self::Answers,
            Self::Unfinished,
            Self::Statements,
            Self::Cited,
        ];
        let after = [
            Self::TokensSent,
            Self::TokensWritten,
            Self::AnswersCounted,
            Self::Seconds,
        ];
        let verdicts = VERDICTS.iter().map(|spec| Self::Verdict(spec.verdict));
        before.into_iter().chain(verdicts).chain(after)
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Address => "address",
            Self::Repository => "repository",
            Self::Answers => "answers",
            Self::Unfinished => "unfinished",
            Self::Statements => "statements",
            Self::Cited => "self-cited",
            Self::Verdict(verdict) => verdict.spec().name,
            Self::TokensSent => "tokens-sent",
            Self::TokensWritten => "tokens-written",
            Self::AnswersCounted => "answers-with-tokens-written",
            Self::Seconds => "seconds",
        }
    }

    /// Its label on the page.
    pub fn label(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Address => "address",
            Self::Repository => "repository",
            Self::Answers => "answers",
            Self::Unfinished => "not finished",
            Self::Statements => "statements",
            Self::Cited => "cited by the model",
            Self::Verdict(verdict) => verdict.spec().label,
            Self::TokensSent => "tokens sent",
            Self::TokensWritten => "tokens written",
            Self::AnswersCounted => "answers counted",
            Self::Seconds => "seconds",
        }
    }

    /// Returns the row's value in this column.
    pub fn cell(self, row: &ReportRow) -> Cell {
        match self {
            Self::Model => text(&row.model),
            Self::Address => text(&row.origin),
            Self::Repository => text(&row.repository),
            Self::Answers => Cell::Number(row.answers.into()),
            Self::Unfinished => Cell::Number(row.unfinished.into()),
            Self::Statements => Cell::Number(row.counts.statements().into()),
            Self::Cited => Cell::Number(row.cited().into()),
            Self::Verdict(verdict) => Cell::Number(row.counts.count(verdict).into()),
            Self::TokensSent => Cell::Number(row.sent_tokens),
            Self::TokensWritten if row.written_answers == 0 => Cell::Unknown,
            Self::TokensWritten => Cell::Number(row.written_tokens),
            Self::AnswersCounted => Cell::Number(row.written_answers.into()),
            Self::Seconds => Cell::Seconds(row.milliseconds / 1000.0),
        }
    }
}

/// A value that a service or a file did not give is unknown.
fn text(text: &str) -> Cell {
    match text {
        "" => Cell::Unknown,
        text => Cell::Text(text.to_owned()),
    }
}

impl ReportRow {
    /// Number of statements for which the model cited a source itself, whatever the source's
    /// verdict.
    pub fn cited(&self) -> u32 {
        let others = [VerdictView::AutoCited, VerdictView::Uncited];
        let others = others.map(|verdict| self.counts.count(verdict));
        let others = others.into_iter().fold(0, u32::saturating_add);
        self.counts.statements().saturating_sub(others)
    }
}

impl LeftOut {
    /// Returns a sentence for each kind.
    pub fn told(self) -> Vec<String> {
        let of = |number: u32, why: &str| match number {
            0 => None,
            1 => Some(format!("1 answer is left out: {why}.")),
            many => Some(format!("{many} answers are left out: {why}.")),
        };
        let told = [
            of(
                self.imported,
                "imported, so the writer and what was sent are unknown",
            ),
            of(
                self.earlier,
                "saved by an earlier version of Footnote, which checked less",
            ),
            of(self.later, "saved by a later version of Footnote"),
            of(self.empty, "ended before the first word came"),
        ];
        told.into_iter().flatten().collect()
    }
}

impl std::ops::AddAssign for LeftOut {
    fn add_assign(&mut self, other: Self) {
        self.imported += other.imported;
        self.earlier += other.earlier;
        self.later += other.later;
        self.empty += other.empty;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_is_a_column_and_no_two_have_one_name() {
        let columns: Vec<Column> = Column::all().collect();
        for spec in VERDICTS {
            assert!(columns.contains(&Column::Verdict(spec.verdict)));
        }
        let mut names: Vec<_> = columns.iter().map(|column| column.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), columns.len());
    }

    #[test]
    fn an_unknown_count_is_not_zero() {
        let mut row = ReportRow {
            answers: 2,
            ..ReportRow::default()
        };
        assert_eq!(Column::TokensWritten.cell(&row), Cell::Unknown);
        assert_eq!(Column::Address.cell(&row), Cell::Unknown);
        row.written_answers = 1;
        row.written_tokens = 40;
        assert_eq!(Column::TokensWritten.cell(&row), Cell::Number(40));
        assert_eq!(Column::AnswersCounted.cell(&row), Cell::Number(1));
    }

    #[test]
    fn a_statement_that_the_model_left_without_a_source_did_not_cite_itself() {
        use VerdictView as V;
        for (verdicts, cited) in [
            (vec![], 0),
            (vec![V::Proven, V::Rejected, V::Repaired], 3),
            (vec![V::AutoCited, V::Uncited], 0),
            (vec![V::Contradicted, V::AutoCited], 1),
        ] {
            let row = ReportRow {
                counts: verdicts.into_iter().collect(),
                ..ReportRow::default()
            };
            assert_eq!(row.cited(), cited, "{}", row.counts.told());
        }
    }
}
