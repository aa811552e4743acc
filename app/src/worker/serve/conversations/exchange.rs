//! The file format in which a conversation is exported as JSON and imported again.
//!
//! ```json
//! { "footnote_conversation": 2,
//!   "repository": { "name": "requests-2.32.5.tar.gz", "key": "…32 hex digits…", "files": 120 },
//!   "title": "", "exported_on": "2026-11-22",
//!   "turns": [ { "answer": { "question": "…", … }, "rating": "good" } ] }
//! ```
//!
//! The file's last field is its `signature`, if this browser could make one ([`super::signed`]).
//! `key` is the first half of the digest of all paths and texts, so that a file identifies the
//! version of the repository it is about. Fields that a later version adds are skipped; a version
//! that an earlier Footnote cannot read has a higher number.

use std::collections::BTreeSet;

use footnote_core::index::Index;
use serde::{Deserialize, Serialize};

use super::formats::Format;
use super::parts::Handout;
use super::stored::{FootnoteRecord, TurnRecord, VERSION};
use crate::worker::protocol::{ConversationId, ConversationView, FormatSpec, TurnView};

pub const FORMAT: Format = Format {
    spec: FormatSpec {
        about: "can be imported again",
        ..FormatSpec::JSON
    },
    write: |handout, index, key| {
        let repository = RepositoryOf {
            name: index.repo.name.clone(),
            key: key.to_owned(),
            files: index.repo.files.len() as u32,
        };
        ConversationFile::new(handout, repository).write()
    },
};

/// Most turns of a conversation to import.
const MAX_TURNS: usize = 1_000;
/// Most characters of a title.
const MAX_TITLE: usize = 200;
/// Times from here on do not fit into keys.
const MAX_TIME: f64 = 1e14;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConversationFile {
    footnote_conversation: u32,
    pub repository: RepositoryOf,
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub about: Option<String>,
    #[serde(default)]
    pub exported_on: String,
    pub turns: Vec<TurnRecord>,
}

/// The repository of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryOf {
    pub name: String,
    pub key: String,
    pub files: u32,
}

/// Why a file was not imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    #[error("This file is not a conversation exported by Footnote ({0}).")]
    NotOne(String),
    #[error("This conversation was exported by a later version of Footnote (format {0}).")]
    Later(u64),
    #[error("This conversation contains no answer.")]
    Empty,
    #[error(
        "This conversation is about another repository, {0}: none of the files it cites is here."
    )]
    OtherRepository(String),
}

impl ConversationFile {
    pub fn new(handout: &Handout<'_>, repository: RepositoryOf) -> Self {
        let ConversationView {
            title,
            about,
            turns,
            ..
        } = handout.conversation.clone();
        Self {
            footnote_conversation: VERSION,
            repository,
            title,
            about,
            exported_on: handout.day.to_owned(),
            turns: turns.into_iter().map(TurnRecord::from).collect(),
        }
    }

    pub fn write(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }

    /// Reads a file. Its version is checked first, so that a later one is reported as such.
    pub fn read(bytes: &[u8]) -> Result<Self, ImportError> {
        let not_one = |error: serde_json::Error| ImportError::NotOne(error.to_string());
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(not_one)?;
        let version = value.get("footnote_conversation");
        match version.and_then(serde_json::Value::as_u64) {
            None => {
                let detail = "the field footnote_conversation is missing".to_owned();
                return Err(ImportError::NotOne(detail));
            }
            Some(version) if version > u64::from(VERSION) => {
                return Err(ImportError::Later(version));
            }
            Some(_) => {}
        }
        let file: Self = serde_json::from_value(value).map_err(not_one)?;
        match file.turns.is_empty() {
            true => Err(ImportError::Empty),
            false => Ok(file),
        }
    }

    /// Refuses a conversation that cites only files that the repository does not have.
    pub fn belongs_to(&self, index: &Index, key: &str) -> Result<(), ImportError> {
        let notes = self.turns.iter().flat_map(notes);
        let mut paths = notes.map(|note| note.path.as_str()).peekable();
        let is_here = self.repository.key == key
            || paths.peek().is_none()
            || paths.any(|path| index.repo.find(path).is_some());
        match is_here {
            true => Ok(()),
            false => Err(ImportError::OtherRepository(self.repository.name.clone())),
        }
    }

    /// Converts the conversation as the file has it, under a new id. Every turn gets a time of its
    /// own, because times identify turns.
    pub fn into_view(self, id: ConversationId, today: f64) -> ConversationView {
        let mut taken = BTreeSet::new();
        let turns = self.turns.into_iter().take(MAX_TURNS);
        let mut turns: Vec<TurnView> = turns.map(TurnView::from).collect();
        for turn in &mut turns {
            let asked_at = turn.answer.asked_at;
            let is_time = asked_at.is_finite() && (1.0..MAX_TIME).contains(&asked_at);
            let mut at = if is_time { asked_at } else { today } as u64;
            while !taken.insert(at) {
                at += 1;
            }
            turn.answer.asked_at = at as f64;
        }
        turns.sort_by(|a, b| a.answer.asked_at.total_cmp(&b.answer.asked_at));
        ConversationView {
            id,
            title: self.title.trim().chars().take(MAX_TITLE).collect(),
            about: None,
            turns,
        }
    }
}

fn notes(turn: &TurnRecord) -> impl Iterator<Item = &FootnoteRecord> {
    let written = turn.answer.written.iter();
    let written = written.flat_map(|written| &written.footnotes);
    turn.answer.footnotes.iter().chain(written)
}
