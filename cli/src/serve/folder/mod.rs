//! A folder of index files as a [`Catalogue`]: all of them are searched in memory.
//!
//! Each method first takes what the user may read and sees nothing else afterwards.

mod held;
mod load;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use footnote_core::embed::TableEncoder;
use footnote_core::search::Question;
use footnote_core::search::across::{self, Member};
use tokio::sync::Semaphore;

use super::access::Access;
use super::source::{
    Catalogue, Found, Hit, IndexFile, Kind, Place, Query, RankedRepository, Reply, Repository,
    SymbolQuery, Symbols, Trouble, User,
};
use crate::Result;
use held::{Held, Shelf};
pub use load::check;

/// The folder's repositories, as they were when it was last looked at.
pub struct Folder {
    path: PathBuf,
    encoder: Option<Arc<TableEncoder>>,
    access: Access,
    held: RwLock<Arc<Held>>,
    /// One look at a time.
    looking: Mutex<()>,
    /// As many searches at once as there are cores: more would only make all of them slow.
    searching: Arc<Semaphore>,
}

impl Folder {
    /// Reads all index files of a folder. Files that cannot be read are logged and left out.
    ///
    /// # Errors
    /// The folder or its `access.json` cannot be read.
    pub fn open(path: &Path, encoder: Option<Arc<TableEncoder>>) -> Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let folder = Self {
            path: path.to_owned(),
            encoder,
            access: Access::open(path)?,
            held: RwLock::default(),
            looking: Mutex::new(()),
            searching: Arc::new(Semaphore::new(cores)),
        };
        folder.look_again()?;
        Ok(folder)
    }

    /// Reads what was added or replaced and forgets what is gone. Who asks meanwhile gets the state
    /// before.
    ///
    /// # Errors
    /// The folder cannot be read; the state stays as it was.
    pub fn look_again(&self) -> Result<()> {
        let _one = self.looking.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.held();
        if let Some(now) = load::look(&self.path, &before)? {
            *self.held.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(now);
        }
        Ok(())
    }

    /// The number of repositories, and of files that could not be read.
    pub fn counts(&self) -> (usize, usize) {
        let held = self.held();
        (held.shelves.len(), held.refused.len())
    }

    fn held(&self) -> Arc<Held> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&held)
    }

    /// What the user may read, by name.
    fn readable(&self, user: &User) -> Vec<Arc<Shelf>> {
        let rules = self.access.rules();
        let held = self.held();
        let shelves = held.shelves.values();
        let readable = shelves.filter(|it| rules.allow(user, it.member.name(), &it.file));
        let mut readable: Vec<Arc<Shelf>> = readable.map(Arc::clone).collect();
        readable.sort_by(|a, b| (a.member.name(), &a.file).cmp(&(b.member.name(), &b.file)));
        readable
    }

    /// Runs work that takes a while where it does not hold up other requests.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> std::result::Result<T, Trouble> + Send + 'static,
    ) -> std::result::Result<T, Trouble> {
        let permit = Arc::clone(&self.searching).acquire_owned().await;
        let permit = permit.map_err(|_| Trouble::Busy("the server is stopping".to_owned()))?;
        let done = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even if nobody waits for it any more.
            let _permit = permit;
            work()
        });
        let done = done.await;
        done.unwrap_or_else(|error| Err(Trouble::Failed(error.to_string())))
    }
}

impl Catalogue for Folder {
    fn gauges(&self) -> Vec<(&'static str, &'static str, f64)> {
        let (repositories, left_out) = self.counts();
        let chunks = self.held().chunks() as f64;
        vec![
            (
                "footnote_repositories",
                "Repositories.",
                repositories as f64,
            ),
            ("footnote_chunks", "Parts of all repositories.", chunks),
            (
                "footnote_index_files_left_out",
                "Files that cannot be read.",
                left_out as f64,
            ),
        ]
    }

    fn repositories<'a>(&'a self, user: &'a User) -> Reply<'a, Vec<Repository>> {
        let shelves = self.readable(user);
        let all = shelves.iter().map(|it| it.repository()).collect();
        Box::pin(std::future::ready(Ok(all)))
    }

    fn search<'a>(&'a self, user: &'a User, query: &'a Query) -> Reply<'a, Found> {
        Box::pin(async move {
            let question = Question::new(&query.question)
                .map_err(|error| Trouble::Question(error.to_string()))?;
            let shelves = self.readable(user);
            let encoder = self.encoder.clone();
            let limit = query.limit;
            self.work(move || Ok(found(&shelves, &question, encoder.as_deref(), limit)))
                .await
        })
    }

    fn symbols<'a>(&'a self, user: &'a User, query: &'a SymbolQuery) -> Reply<'a, Symbols> {
        Box::pin(async move {
            let shelves = self.readable(user);
            let query = query.clone();
            self.work(move || Ok(symbols(&shelves, &query))).await
        })
    }

    fn index_file<'a>(&'a self, user: &'a User, name: &'a str) -> Reply<'a, IndexFile> {
        Box::pin(async move {
            // Looked up among the names of what is held; `name` never becomes part of a path.
            let (rules, held) = (self.access.rules(), self.held());
            let shelf = held.shelves.get(name).map(Arc::clone);
            let shelf = shelf.filter(|it| rules.allow(user, it.member.name(), &it.file));
            let shelf = shelf.ok_or_else(|| {
                let hint = "/indexes.json lists those that you may read";
                Trouble::Absent(format!("there is no such index file. {hint}"))
            })?;
            let opened = tokio::task::spawn_blocking(move || shelf.open());
            let opened = opened.await;
            opened.unwrap_or_else(|error| Err(Trouble::Failed(error.to_string())))
        })
    }
}

fn found(
    shelves: &[Arc<Shelf>],
    question: &Question,
    encoder: Option<&TableEncoder>,
    limit: usize,
) -> Found {
    let members: Vec<&Member> = shelves.iter().map(|it| &it.member).collect();
    let found = across::search(&members, question, encoder, limit);
    let ranked = |&(at, score): &(usize, f32)| {
        let shelf = shelves.get(at)?;
        Some(RankedRepository {
            repository: shelf.member.name().to_owned(),
            index: shelf.file.clone(),
            score,
        })
    };
    let hit = |hit: &across::AcrossHit| {
        let shelf = shelves.get(hit.member)?;
        let place = shelf.member.place(hit.chunk)?;
        Some(Hit {
            repository: shelf.member.name().to_owned(),
            index: shelf.file.clone(),
            path: place.path.to_owned(),
            first: place.lines.start().0,
            last: place.lines.end().0,
            symbol: place.symbol.map(str::to_owned),
            score: hit.score,
        })
    };
    Found {
        searched: shelves.len(),
        repositories: found
            .members
            .iter()
            .filter_map(ranked)
            .take(limit)
            .collect(),
        hits: found.hits.iter().filter_map(hit).collect(),
    }
}

fn symbols(shelves: &[Arc<Shelf>], query: &SymbolQuery) -> Symbols {
    let mut places = Vec::new();
    for shelf in shelves {
        let place = |place: across::Place<'_>| Place {
            repository: shelf.member.name().to_owned(),
            index: shelf.file.clone(),
            path: place.path.to_owned(),
            first: place.lines.start().0,
            last: place.lines.end().0,
            kind: place.kind,
            symbol: place.symbol.unwrap_or_default().to_owned(),
        };
        match query.of {
            Kind::Definitions => places.extend(shelf.member.definitions(&query.name).map(place)),
            Kind::Imports => places.extend(shelf.member.imports(&query.name).map(place)),
        }
    }
    let total = places.len();
    places.sort();
    places.truncate(query.limit);
    Symbols { total, places }
}
