//! Readers that ask a server while it, its database and the workers are killed, and check that
//! each answer belongs wholly to one version of each repository.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use footnote_core::index::file::IndexFile;
use serde_json::Value;

use super::all::{Random, files_of, version_in};
use super::serving::Address;

const SEARCH: &str = "/api/search?q=who+follows+the+redirect+of+a+session&limit=100";
/// Each file of interest has one such import, so that this lists all of them.
const IMPORTS: &str = "/api/symbols?name=requests.sessions&of=imports&limit=100";
const LIST: &str = "/api/repositories";

/// How the requests of a reader ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub searches: usize,
    pub imports: usize,
    pub files: usize,
    /// Index files that were replaced between the list and the request.
    pub replaced: usize,
    /// Answered that the database is not available right now.
    pub refused: usize,
    /// Not answered, or not to the end.
    pub cut: usize,
}

pub struct Reader {
    address: Address,
    random: Random,
    /// A repository that was there once stays.
    names: BTreeSet<String>,
    /// The version that each index file has been seen to be, by its rows or by its text.
    versions: BTreeMap<String, usize>,
    seen: Seen,
}

impl Reader {
    /// Asks in a thread until it is over.
    pub fn start(address: &Address, random: Random, is_over: &Arc<AtomicBool>) -> JoinHandle<Seen> {
        let mut reader = Self {
            address: address.clone(),
            random,
            names: BTreeSet::new(),
            versions: BTreeMap::new(),
            seen: Seen::default(),
        };
        let is_over = Arc::clone(is_over);
        std::thread::spawn(move || {
            while !is_over.load(Ordering::SeqCst) {
                reader.look();
            }
            reader.seen
        })
    }

    fn look(&mut self) {
        match self.random.below(3) {
            0 => self.search(),
            1 => self.imports(),
            _ => self.file(),
        }
    }

    /// An answer, unless there is none just now.
    fn ask(&mut self, target: &str) -> Option<(u16, Vec<u8>)> {
        let answer = self.address.ask(target);
        match &answer {
            None => self.seen.cut += 1,
            Some((503, _)) => self.seen.refused += 1,
            Some(_) => return answer,
        }
        // Whoever comes back soon; the cores are for those who start again.
        std::thread::sleep(Duration::from_millis(5));
        None
    }

    fn json(&mut self, target: &str) -> Option<Value> {
        let (status, body) = self.ask(target)?;
        let said = String::from_utf8_lossy(&body);
        assert_eq!(status, 200, "{target}: {said}");
        Some(serde_json::from_slice(&body).unwrap())
    }

    fn search(&mut self) {
        let Some(found) = self.json(SEARCH) else {
            return;
        };
        self.group(&found["hits"]);
        let searched = found["searched"].as_u64().unwrap();
        assert!(searched >= self.names.len() as u64, "{found}");
        self.seen.searches += 1;
    }

    fn imports(&mut self) {
        let Some(found) = self.json(IMPORTS) else {
            return;
        };
        let groups = self.group(&found["places"]);
        for (name, (version, paths)) in &groups {
            let whole: BTreeSet<&str> = paths.iter().map(String::as_str).collect();
            let expected = files_of(name, *version);
            assert_eq!((paths.len(), whole.len()), (expected, expected), "{found}");
        }
        let all: usize = groups.values().map(|(_, paths)| paths.len()).sum();
        assert_eq!(found["total"], all);
        self.keep(groups.into_keys().collect());
        self.seen.imports += 1;
    }

    /// The version and the paths of each repository in an answer.
    fn group(&mut self, places: &Value) -> BTreeMap<String, (usize, Vec<String>)> {
        let mut groups = BTreeMap::new();
        let text = |place: &Value, key: &str| place[key].as_str().unwrap().to_owned();
        for place in places.as_array().unwrap() {
            let (name, path) = (text(place, "repository"), text(place, "path"));
            let version = version_in(&path);
            self.agree(&text(place, "index"), version);
            let group = groups.entry(name).or_insert((version, Vec::new()));
            assert_eq!(group.0, version, "two versions at once: {places}");
            group.1.push(path);
        }
        groups
    }

    /// An index file is of the same version in each answer, and in its text.
    fn agree(&mut self, index: &str, version: usize) {
        let known = self.versions.entry(index.to_owned()).or_insert(version);
        assert_eq!(*known, version, "{index}");
    }

    /// Nothing disappears while it is replaced.
    fn keep(&mut self, names: BTreeSet<String>) {
        assert!(self.names.is_subset(&names), "{:?} {names:?}", self.names);
        self.names = names;
    }

    fn list(&mut self) -> Option<Vec<Value>> {
        let list = self.json(LIST)?;
        let all = list["repositories"].as_array().unwrap().clone();
        let names = all.iter().map(|it| it["repository"].as_str().unwrap());
        self.keep(names.map(str::to_owned).collect());
        Some(all)
    }

    /// Loads the index file of some repository.
    fn file(&mut self) {
        let Some(all) = self.list().filter(|all| !all.is_empty()) else {
            return;
        };
        let listed = &all[self.random.below(all.len())];
        let target = format!("/indexes/{}", listed["index"].as_str().unwrap());
        match self.ask(&target) {
            Some((200, body)) => self.check(listed, body),
            Some((404, _)) => self.was_replaced(listed),
            other => assert_eq!(other, None, "{target}"),
        }
    }

    /// An index file that is listed and then absent is no longer listed.
    fn was_replaced(&mut self, listed: &Value) {
        self.seen.replaced += 1;
        if let Some(all) = self.list() {
            assert!(!all.contains(listed), "it is listed, and absent: {listed}");
        }
    }

    fn check(&mut self, listed: &Value, body: Vec<u8>) {
        assert_eq!(listed["size"], body.len());
        let decoded = IndexFile::open(body).unwrap().decode().unwrap();
        let files = &decoded.index.repo.files;
        let version = version_in(&files[0].path);
        assert!(files.iter().all(|file| version_in(&file.path) == version));
        // One more has text without an import.
        let expected = files_of(listed["repository"].as_str().unwrap(), version) + 1;
        assert_eq!(
            (files.len(), &listed["files"]),
            (expected, &expected.into())
        );
        assert_eq!(listed["chunks"], decoded.about.chunks);
        self.agree(listed["index"].as_str().unwrap(), version);
        self.seen.files += 1;
    }
}
