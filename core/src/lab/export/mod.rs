//! Question sets to and from the formats of other tools. Only values: the caller writes the files,
//! or offers them as [`zipped()`].
//!
//! [`export()`] makes the files of one of the [`FORMATS`]; [`import()`] reads them back, and
//! [`merge()`] adds new questions to a set. [`reward`](mod@reward) holds RepoDistill's reward and
//! the preference pairs that follow from it.
//!
//! The rows of `train.jsonl` and `valid.jsonl` hold only what a trainer reads, because Together
//! refuses files that match two formats. Footnote's own data about a row is in `metadata.jsonl`, by
//! row number.

mod brought;
mod card;
mod formats;
mod import;
mod made;
mod merge;
mod modelfile;
mod of_pairs;
mod recipes;
mod repository;
pub mod reward;
mod rows;
#[cfg(test)]
mod tests;
mod text;
mod zipped;

use std::collections::BTreeMap;

use crate::eval::Item;
use crate::model::prompt::FILE_RULES;

pub use brought::{Brought, BroughtError, brought};
pub use formats::{FORMATS, Format, detect, format};
pub use import::{BadLine, Imported, import};
pub use made::how_made;
pub use merge::{Merged, merge, merge_preferences};
pub use of_pairs::of_pairs;
pub use repository::missing;
pub use zipped::zipped;

/// Name of the file with Footnote's own data about the rows.
pub const METADATA: &str = "metadata.jsonl";

/// A file to write, or one that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Without folders.
    pub name: String,
    /// The whole content, as UTF-8.
    pub text: String,
}

/// The two parts of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The part that a model learns from.
    Train,
    /// The part that shows whether it has learnt.
    Valid,
}

impl Part {
    /// Both parts, in the order they are written.
    pub const ALL: [Part; 2] = [Part::Train, Part::Valid];

    /// The name in `metadata.jsonl`.
    pub fn name(self) -> &'static str {
        match self {
            Part::Train => "train",
            Part::Valid => "valid",
        }
    }

    /// The name of its file; MLX requires exactly these.
    pub fn file(self) -> &'static str {
        match self {
            Part::Train => "train.jsonl",
            Part::Valid => "valid.jsonl",
        }
    }
}

/// Which question belongs to which part, by id. Questions in neither are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Ids of [`Part::Train`].
    pub train: Vec<String>,
    /// Ids of [`Part::Valid`].
    pub valid: Vec<String>,
}

/// The repository that the questions are about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    /// Its usual name.
    pub name: String,
    /// Its version, if known.
    pub version: Option<String>,
    /// Its licence, if known; an SPDX identifier if there is one.
    pub license: Option<String>,
    /// The archive's hash, in hexadecimal.
    pub archive_hash: String,
}

/// Why one text is preferred to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Why {
    /// A person's ratings; both on the same scale, chosen by the caller.
    Rating {
        /// Rating of the chosen text.
        chosen: f64,
        /// Rating of the rejected text.
        rejected: f64,
    },
    /// A judge's verdicts.
    Judge {
        /// Share of the verdicts that the chosen text won, 0 to 1.
        win_rate: f64,
    },
    /// The rewards of two decisions: [`reward::Reward::total`].
    Reward {
        /// Reward of the chosen decision.
        chosen: f64,
        /// Reward of the rejected decision.
        rejected: f64,
    },
    /// Not stated in the file it was read from.
    Unknown,
}

/// Two answers to one question, of which one is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Preference {
    /// The question's [`Item::id`], which decides the part.
    pub id: String,
    /// The input: the question, or the whole prompt of a decision.
    pub question: String,
    /// The better text.
    pub chosen: String,
    /// The worse text.
    pub rejected: String,
    /// The reason for the preference.
    pub why: Why,
}

/// What is known of a question besides its [`Item`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemFacts {
    /// How the question was made, such as `S1`; the card counts by it. [`Item::category`] is used
    /// if it is missing.
    pub strategy: Option<String>,
    /// A person's rating, 1 to 10.
    pub rating: Option<f64>,
    /// The person's tags.
    pub tags: Vec<String>,
}

/// The data to export.
#[derive(Clone, Copy, Debug)]
pub struct Set<'a> {
    /// The questions. The answer is [`Item::reference_answer`]; if that is missing or blank, it is
    /// the list of [`Item::gold_files`], sorted and without duplicates, as a JSON list
    /// (PathFinder's output form).
    pub items: &'a [Item],
    /// Which question belongs to which part.
    pub split: &'a Split,
    /// For the card.
    pub repository: &'a Repository,
    /// For the formats of pairs; may be empty for the others.
    pub preferences: &'a [Preference],
    /// Further facts by [`Item::id`].
    pub facts: &'a BTreeMap<String, ItemFacts>,
}

/// The user's choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The Hugging Face name of the model to tune; with `None`, each paper's own.
    pub base_model: Option<String>,
    /// System text of rows whose answer is a list of files; `None` for models whose chat template
    /// does not allow one.
    pub files_system: Option<String>,
    /// System text of rows whose answer is prose, and of pairs.
    pub answer_system: Option<String>,
    /// A sentence for the card: the generator, its model, its seed.
    pub how_made: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            base_model: None,
            files_system: Some(FILE_RULES.to_owned()),
            answer_system: None,
            how_made: None,
        }
    }
}

/// The files, and notes for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// With distinct names.
    pub files: Vec<File>,
    /// Sentences about what was left out and why, and about anything unusual.
    pub notes: Vec<String>,
}

/// Why nothing can be exported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// Neither part has a row.
    #[error(
        "there is nothing to export: no question of the set has an answer and a place in the split"
    )]
    Empty,
    /// Neither part has a pair.
    #[error("there is nothing to export: no pair of answers to a question of the split is rated")]
    NoPairs,
    /// There are only rows for validation; a trainer cannot start with those.
    #[error("the part for training is empty: all rows ({0}) are for validation")]
    NoTraining(usize),
    /// A question is in both parts; one to learn from must not be used for validation.
    #[error("question {0} is in both parts of the split")]
    InBothParts(String),
}

/// Makes the files of `format`: rows, metadata and card, and where the format allows it,
/// configurations and a Modelfile.
pub fn export(format: &Format, set: &Set, options: &Options) -> Result<Export, ExportError> {
    let mut notes = Vec::new();
    let rows = rows::collect(format, set, options, &mut notes)?;
    let mut files = rows::files(&rows);
    if let Some(info) = recipes::dataset_info(format, set.repository, &rows) {
        files.push(info);
    }
    files.extend(recipes::configurations(
        format,
        set.repository,
        options,
        &rows,
    ));
    if format.answers() {
        files.push(modelfile::modelfile(
            format,
            set.repository,
            options,
            &rows,
            &mut notes,
        ));
    }
    files.push(card::card(format, set, options, &rows, &notes));
    Ok(Export { files, notes })
}
