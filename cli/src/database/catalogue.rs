//! The database as the server asks it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use footnote_core::embed::TableEncoder;
use footnote_core::index::question_tokens;
use footnote_core::lang::SymbolKind;
use pgvector::HalfVector;

use super::search::{Place, Wanted};
use super::{Database, Error, Options, Result};
use crate::hex::hex;
use crate::serve::source::{
    Bytes, Catalogue, Found, Hit, IndexFile, Kind, Place as Shown, Query, RankedRepository, Reply,
    Repository, SymbolQuery, Symbols, TokenHash, Trouble, User,
};

/// A database, and the encoder of questions; without one, words alone are compared.
pub struct Repositories {
    database: Database,
    encoder: Option<Arc<TableEncoder>>,
}

impl Repositories {
    /// Connects to a database for a server whose answers may take so long.
    ///
    /// # Errors
    /// If it cannot be reached, or its tables or vectors do not fit.
    pub async fn open(
        address: &str,
        encoder: Option<Arc<TableEncoder>>,
        time: Duration,
    ) -> Result<Self> {
        let options = Options {
            statement: time,
            ..Options::default()
        };
        Self::new(Database::open(address, options).await?, encoder).await
    }

    /// Asks a database whose vectors are of this encoder.
    ///
    /// # Errors
    /// If they are of another one.
    pub async fn new(database: Database, encoder: Option<Arc<TableEncoder>>) -> Result<Self> {
        let given = encoder.as_ref().map(|it| it.id().to_owned());
        match (database.encoder().await?, given) {
            (Some(found), Some(given)) if found != given => {
                Err(Error::OtherEncoder { found, given })
            }
            _ => Ok(Self { database, encoder }),
        }
    }

    fn wanted(&self, query: &Query) -> Wanted {
        let embedding = self.encoder.as_ref().map(|it| it.vector(&query.question));
        // A question without a word that the encoder knows has no direction.
        let known = embedding.filter(|it| it.values().iter().any(|&value| value != 0.0));
        Wanted {
            words: question_tokens(&query.question),
            vector: known.map(|it| HalfVector::from_f32_slice(it.values())),
            limit: query.limit,
        }
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        match error {
            Error::Slow => Self::Busy(error.to_string()),
            // What the database says of itself is for the log of whoever runs it.
            Error::Busy(_) | Error::Unreachable(_) => {
                tracing::warn!("no answer: {error}");
                let sentence = "The database is not available right now. Try again in a moment";
                Self::Busy(sentence.to_owned())
            }
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl Catalogue for Repositories {
    fn user(&self, token: TokenHash) -> Reply<'_, Option<User>> {
        Box::pin(async move { self.database.user(token).await.map_err(Trouble::from) })
    }

    fn has_users(&self) -> bool {
        true
    }

    fn repositories<'a>(&'a self, user: &'a User) -> Reply<'a, Vec<Repository>> {
        Box::pin(async move {
            let listed = self.database.list(&user.groups).await?;
            let shown = listed.into_iter().map(|it| Repository {
                index: it.file_name,
                repository: it.name,
                size: it.size,
                files: it.files,
                chunks: it.chunks,
            });
            Ok(shown.collect())
        })
    }

    fn search<'a>(&'a self, user: &'a User, query: &'a Query) -> Reply<'a, Found> {
        Box::pin(async move {
            let answer = self
                .database
                .search(&user.groups, &self.wanted(query))
                .await?;
            let ranked = answer.repositories.into_iter();
            Ok(Found {
                searched: answer.searched,
                repositories: ranked
                    .map(|it| RankedRepository {
                        repository: it.repository,
                        index: it.index,
                        score: it.score as f32,
                    })
                    .collect(),
                hits: answer.places.into_iter().map(hit).collect(),
            })
        })
    }

    fn symbols<'a>(&'a self, user: &'a User, query: &'a SymbolQuery) -> Reply<'a, Symbols> {
        Box::pin(async move {
            let (groups, name, limit) = (&user.groups, query.name.as_str(), query.limit);
            let (total, places) = match query.of {
                Kind::Definitions => self.database.definitions(groups, name, limit).await?,
                Kind::Imports => self.database.imports(groups, name, limit).await?,
            };
            Ok(Symbols {
                total,
                places: places.into_iter().map(shown).collect(),
            })
        })
    }

    fn index_file<'a>(&'a self, user: &'a User, name: &'a str) -> Reply<'a, IndexFile> {
        Box::pin(async move {
            let found = self.database.index_file(&user.groups, name).await?;
            let (size, content) = found.ok_or_else(|| absent(name))?;
            let tag = hex(&content);
            let bytes = Stored {
                database: self.database.clone(),
                groups: user.groups.clone(),
                name: name.to_owned(),
                content,
            };
            Ok(IndexFile {
                size,
                tag,
                bytes: Box::new(bytes),
            })
        })
    }

    fn is_well(&self) -> Reply<'_, ()> {
        Box::pin(async move {
            let client = self.database.client().await?;
            super::migrate::check(&**client).await?;
            Ok(())
        })
    }
}

/// The index file of one version of a repository.
struct Stored {
    database: Database,
    groups: BTreeSet<String>,
    name: String,
    content: Vec<u8>,
}

impl Bytes for Stored {
    fn read(&self, range: Range<u64>) -> Reply<'_, Vec<u8>> {
        Box::pin(async move {
            let Self {
                database,
                groups,
                name,
                content,
            } = self;
            let read = database.read_file(groups, name, content, range).await?;
            read.ok_or_else(|| {
                Trouble::Busy(
                    "A newer version replaced this file while it was being read. Load it again"
                        .to_owned(),
                )
            })
        })
    }
}

fn absent(name: &str) -> Trouble {
    Trouble::Absent(format!("There is no index file {name}"))
}

fn hit(place: Place) -> Hit {
    Hit {
        index: place.index,
        repository: place.repository,
        path: place.path,
        first: place.first,
        last: place.last,
        symbol: place.symbol,
        score: place.score as f32,
    }
}

fn shown(place: Place) -> Shown {
    Shown {
        index: place.index,
        repository: place.repository,
        path: place.path,
        first: place.first,
        last: place.last,
        kind: kind(&place.kind),
        symbol: place.symbol.unwrap_or_default(),
    }
}

/// The kind as the engine names it.
fn kind(stored: &str) -> &'static str {
    let mut names = KINDS.iter().map(|kind| kind.name());
    names.find(|name| *name == stored).unwrap_or("import")
}

/// The kinds of definitions.
const KINDS: [SymbolKind; 13] = [
    SymbolKind::Module,
    SymbolKind::Class,
    SymbolKind::Interface,
    SymbolKind::Trait,
    SymbolKind::Struct,
    SymbolKind::Enum,
    SymbolKind::Union,
    SymbolKind::Type,
    SymbolKind::Function,
    SymbolKind::Method,
    SymbolKind::Macro,
    SymbolKind::Constant,
    SymbolKind::Variable,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::rows::is_definition;

    /// A kind that is not listed would be shown as an import.
    #[test]
    fn every_kind_of_definition_is_listed_in_the_order_of_the_engine() {
        for (at, kind) in KINDS.into_iter().enumerate() {
            assert!(is_definition(kind));
            assert_eq!((kind as usize, super::kind(kind.name())), (at, kind.name()));
        }
        assert_eq!(KINDS.len(), SymbolKind::Section as usize);
    }
}
