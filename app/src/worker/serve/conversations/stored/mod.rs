//! The saved and exported form of an answer, as types of its own: the wire between page and engine
//! may change with every version of Footnote, while what is in storage or in somebody's file is
//! read for years.
//!
//! A record in storage is JSON with a field `version`; a record without it has version 1, as all
//! records saved before there was a number. An exported file states its version once, in
//! `footnote_conversation`. Readers skip unknown fields, so an optional field needs no new version.
//! A change that an earlier Footnote would misread, or must not overwrite, raises [`VERSION`]: such
//! a record is reported ([`Unread::Later`]) and left untouched.
//!
//! | version | what is new |
//! |---|---|
//! | 1 | |
//! | 2 | the verdicts by their names; what was called verified before is read as `lines-exist` ([`verdict`]) |
//!
//! Added to version 2 later, and unknown if missing: `sent_requests`, `written_tokens`, `cited`.

mod answer;
mod blocks;
mod file;
mod verdict;
mod written;

pub use answer::{AnswerRecord, FootnoteRecord, RatingRecord, TurnRecord};
pub use file::FileRecord;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of newly written records and files.
pub const VERSION: u32 = 2;

/// Why a record was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// A later Footnote wrote it; holds its version.
    Later(u32),
    Damaged(String),
}

#[derive(Serialize)]
struct Versioned<'a, T> {
    version: u32,
    #[serde(flatten)]
    record: &'a T,
}

#[derive(Deserialize)]
struct Head {
    #[serde(default = "first_version")]
    version: u32,
}

fn first_version() -> u32 {
    1
}

/// Serializes a record for storage.
pub fn write(record: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string(&Versioned {
        version: VERSION,
        record,
    })
}

/// Reads a record and its version. The version is checked first, so that a later one is reported as
/// such.
pub fn read_with_version<T: DeserializeOwned>(text: &str) -> Result<(T, u32), Unread> {
    let damaged = |error: serde_json::Error| Unread::Damaged(error.to_string());
    let Head { version } = serde_json::from_str(text).map_err(damaged)?;
    match version > VERSION {
        true => Err(Unread::Later(version)),
        false => Ok((serde_json::from_str(text).map_err(damaged)?, version)),
    }
}

fn all<A, B: From<A>>(from: Vec<A>) -> Vec<B> {
    from.into_iter().map(B::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Title {
        title: String,
    }

    #[test]
    fn a_record_is_read_by_its_version() {
        let mine = Title {
            title: "Mine".into(),
        };
        let (record, version) = read_with_version::<Title>(&write(&mine).unwrap()).unwrap();
        assert_eq!((&record, version), (&mine, VERSION));
        let first = r#"{"title":"Mine","new":1}"#;
        assert_eq!(read_with_version(first), Ok((mine, 1)));
        let later = format!(r#"{{"version":{},"title":["M"]}}"#, VERSION + 1);
        assert_eq!(
            read_with_version::<Title>(&later),
            Err(Unread::Later(VERSION + 1))
        );
        for damaged in ["{", "7", r#"{"title":7}"#, r#"{"version":"x"}"#] {
            let read = read_with_version::<Title>(damaged);
            assert!(matches!(read, Err(Unread::Damaged(_))), "{damaged}");
        }
    }
}
