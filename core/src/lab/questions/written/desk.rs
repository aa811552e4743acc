//! The data that every strategy works with: the repository, its source files, the size of a prompt.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::WrittenOrder;
use super::alignment::Chunk;
use super::listing::Part;
use crate::index::Index;
use crate::lab::questions::facts::Facts;
use crate::lab::questions::world::World;
use crate::lang::Role;
use crate::lang::resolve::names::folder;
use crate::lines::LineRange;
use crate::model::prompt::estimate_tokens;
use crate::random::Random;
use crate::source::FileId;

/// Least number of non-blank lines in a file that is asked about.
const MIN_LINES: usize = 5;

/// Most tokens of one prompt, whatever was ordered.
const MAX_WINDOW: usize = 1_000_000;

/// Tokens reserved for the sentences around what is shown, and for the one that asks again.
const FRAME_TOKENS: usize = 250;

/// What one request shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unit {
    /// Lines of a file.
    Lines(FileId, LineRange),
    /// Whole files, or the one file whose summary is shown.
    Batch(Vec<FileId>),
    /// A part of a listing, and the folder to ask about if it is not the whole part.
    Listing(Vec<Part>, Option<String>),
    /// A chunk to write a pair about.
    Chunk(Chunk),
}

pub(super) struct Desk {
    pub index: Arc<Index>,
    facts: Facts,
    seed: u64,
    /// Most tokens of one prompt.
    pub window: usize,
    /// The project's own code, sorted by folder, then by name.
    pub sources: Vec<FileId>,
    is_source: BTreeSet<FileId>,
}

impl Desk {
    pub(super) fn new(index: Arc<Index>, order: &WrittenOrder) -> Self {
        let facts = Facts::new(&index);
        let mut desk = Self {
            index,
            facts,
            seed: order.seed,
            window: order.window.min(MAX_WINDOW),
            sources: Vec::new(),
            is_source: BTreeSet::new(),
        };
        let mut sources: Vec<FileId> = desk.world().files(Role::Source).collect();
        sources.retain(|file| desk.is_worth_asking(*file));
        sources.sort_by_key(|file| (desk.folder(*file), desk.path(*file)));
        desk.is_source = sources.iter().copied().collect();
        desk.sources = sources;
        desk
    }

    pub(super) fn world(&self) -> World<'_> {
        World::new(&self.index, &self.facts, self.seed)
    }

    pub(super) fn path(&self, file: FileId) -> &str {
        self.index.repo.file(file).map_or("", |file| &file.path)
    }

    pub(super) fn folder(&self, file: FileId) -> &str {
        folder(self.path(file))
    }

    pub(super) fn text(&self, file: FileId) -> &str {
        self.index.repo.file(file).map_or("", |file| &file.text)
    }

    fn is_worth_asking(&self, file: FileId) -> bool {
        let is_code = self
            .index
            .file(file)
            .is_some_and(|(_, it)| it.language.is_code());
        let lines = self.text(file).lines().filter(|it| !it.trim().is_empty());
        is_code && lines.take(MIN_LINES).count() == MIN_LINES
    }

    /// Random numbers that are the same whenever `what` is planned with the same seed.
    pub(super) fn random(&self, what: &str) -> Random {
        let digest = crate::lang::resolve::names::digest(what);
        Random::new(self.seed ^ digest)
    }

    /// Tokens available for what is shown, beside these instructions.
    pub(super) fn room(&self, system: &str) -> usize {
        let taken = estimate_tokens(system) + FRAME_TOKENS;
        self.window.saturating_sub(taken)
    }

    /// The files that `file` imports or that import it, sorted by path.
    pub(super) fn neighbours(&self, file: FileId) -> Vec<FileId> {
        let near = self.index.graph.neighbours(file, 1);
        let mut near: Vec<FileId> = near.into_iter().map(|(file, _)| file).collect();
        near.retain(|it| *it != file && self.is_source.contains(it));
        near.sort_unstable();
        near
    }
}

/// Shuffles `all`, taking from each group in turn.
pub(super) fn spread<T, K: Ord>(
    random: &mut Random,
    all: Vec<T>,
    group: impl Fn(&T) -> K,
) -> Vec<T> {
    let mut groups: BTreeMap<K, Vec<T>> = BTreeMap::new();
    for it in all {
        groups.entry(group(&it)).or_default().push(it);
    }
    let mut groups: Vec<Vec<T>> = groups.into_values().collect();
    random.shuffle(&mut groups);
    for group in &mut groups {
        random.shuffle(group);
    }
    in_turn(groups)
}

/// The first of each group, then the second of each, and so on.
pub(super) fn in_turn<T>(groups: Vec<Vec<T>>) -> Vec<T> {
    let mut groups: Vec<_> = groups.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(groups.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return all;
        }
    }
}
