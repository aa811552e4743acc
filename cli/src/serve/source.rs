//! What the server asks of the place that holds the repositories: a folder of index files, or a
//! database.
//!
//! Access control is inside each method. A repository that the user may not read changes no rank,
//! no count and no error of the user's answers, and as far as possible no time: an implementation
//! leaves it out before it counts, scores or looks anything up, not afterwards.

use std::collections::BTreeSet;
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;

use serde::Serialize;

/// An answer that arrives later.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, Trouble>> + Send + 'a>>;

/// SHA-256 of a token. Tokens are long and random, so that a slow hash would gain nothing.
pub type TokenHash = [u8; 32];

/// Repositories, and who may read them.
pub trait Catalogue: Send + Sync {
    /// The user whose token has this hash, if the place knows users of its own. It is asked on each
    /// request, so that a token can be revoked between two requests.
    fn user(&self, token: TokenHash) -> Reply<'_, Option<User>> {
        let _ = token;
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Whether the place knows users of its own, so that not everyone who asks is equal.
    fn has_users(&self) -> bool {
        false
    }

    /// The repositories that the user may read, by name.
    fn repositories<'a>(&'a self, user: &'a User) -> Reply<'a, Vec<Repository>>;

    /// The parts of these repositories that answer a question best.
    fn search<'a>(&'a self, user: &'a User, query: &'a Query) -> Reply<'a, Found>;

    /// Definitions or imports by their exact name.
    fn symbols<'a>(&'a self, user: &'a User, query: &'a SymbolQuery) -> Reply<'a, Symbols>;

    /// The index file with this name; [`Trouble::Absent`] if there is none, and in the same words
    /// if the user may not read it.
    fn index_file<'a>(&'a self, user: &'a User, name: &'a str) -> Reply<'a, IndexFile>;

    /// What `/metrics` says about the place, to operators only: names, explanations and values.
    fn gauges(&self) -> Vec<(&'static str, &'static str, f64)> {
        Vec::new()
    }

    /// Whether the place can be asked at all, for `/healthz`; says nothing about what it holds.
    fn is_well(&self) -> Reply<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Who asks. Without a token: nobody, in no group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    /// The name that the token was made for.
    pub name: Option<String>,
    /// The groups whose repositories the user may read, besides the public ones.
    pub groups: BTreeSet<String>,
}

/// A question over all repositories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub question: String,
    /// The most parts to return.
    pub limit: usize,
}

/// A question for an exact name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolQuery {
    /// `Session`, `Session.send`; for imports a module: `requests.sessions`.
    pub name: String,
    pub of: Kind,
    /// The most places to return.
    pub limit: usize,
}

/// What an exact name is looked up in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    #[default]
    Definitions,
    Imports,
}

/// A repository that the user may read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Repository {
    /// Such as `requests-2.32.5`.
    pub repository: String,
    /// The name of its index file below `/indexes/`.
    pub index: String,
    /// The index file's size in bytes.
    pub size: u64,
    pub files: usize,
    pub chunks: usize,
}

/// What a question found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Found {
    /// The number of repositories that were searched: all that the user may read.
    pub searched: usize,
    /// The repositories of the hits, best first.
    pub repositories: Vec<RankedRepository>,
    /// Best first.
    pub hits: Vec<Hit>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedRepository {
    pub repository: String,
    /// The name of its index file below `/indexes/`.
    pub index: String,
    /// Comparable within one answer only.
    pub score: f32,
}

/// Lines that may answer a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    pub repository: String,
    /// The name of the repository's index file below `/indexes/`.
    pub index: String,
    pub path: String,
    /// Counted from 1.
    pub first: u32,
    /// The last line, included.
    pub last: u32,
    /// The definition that the lines belong to, with its owners.
    pub symbol: Option<String>,
    /// Comparable within one answer only.
    pub score: f32,
}

/// Where an exact name stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Symbols {
    /// How many places there are; `places` may hold fewer.
    pub total: usize,
    /// By repository, path and line.
    pub places: Vec<Place>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    pub repository: String,
    pub path: String,
    pub first: u32,
    pub last: u32,
    /// `class`, `function`, …; `import` for an import.
    pub kind: &'static str,
    /// The definition with its owners, or the module as it is imported.
    pub symbol: String,
    /// The name of the repository's index file below `/indexes/`.
    pub index: String,
}

/// An index file, opened for one request: it stays the same while it is read.
pub struct IndexFile {
    pub size: u64,
    /// Changes whenever the bytes do; letters and digits.
    pub tag: String,
    pub bytes: Box<dyn Bytes>,
}

/// Bytes that can be read in pieces.
pub trait Bytes: Send + Sync {
    /// Exactly these bytes, which lie inside the file.
    fn read(&self, range: Range<u64>) -> Reply<'_, Vec<u8>>;
}

/// Why there is no answer. The sentences are for the user, except that of `Failed`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The question cannot be answered as it is.
    #[error("{0}")]
    Question(String),
    /// It is not there, or the user may not know whether it is.
    #[error("{0}")]
    Absent(String),
    /// Too much is asked at once, or the place cannot be reached just now.
    #[error("{0}")]
    Busy(String),
    /// Something is broken. It is logged; the user only learns that it happened.
    #[error("{0}")]
    Failed(String),
}
