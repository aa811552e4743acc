//! Go: an import path below a module path of `go.mod` is a folder of the repository (Go modules
//! reference, "Module paths").

use super::{Found, Place, named, used_files};
use crate::index::graph::Binds;
use crate::index::graph::facts::World;
use crate::index::graph::names::{file_name, folder, shared_folders};
use crate::lang::Language;
use crate::parse::Import;
use crate::source::{FileId, Repo};

/// The modules of the repository.
#[derive(Default)]
pub(in crate::index::graph) struct Modules {
    /// Module path and folder, longest path first.
    modules: Vec<(String, String)>,
}

impl Modules {
    pub fn new(repo: &Repo) -> Self {
        let files = repo
            .files
            .iter()
            .filter(|file| file_name(&file.path) == "go.mod");
        let mut modules: Vec<(String, String)> = files
            .filter_map(|file| {
                let mut lines = file.text.lines();
                let name = lines.find_map(|line| line.trim().strip_prefix("module "))?;
                let name = name
                    .split("//")
                    .next()
                    .unwrap_or(name)
                    .trim()
                    .trim_matches('"');
                Some((name.to_owned(), folder(&file.path).to_owned()))
            })
            .collect();
        modules.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Self { modules }
    }

    /// The folder of a package, whether or not it is there.
    fn folder(&self, path: &str) -> Option<String> {
        self.modules.iter().find_map(|(name, folder)| {
            let rest = path.strip_prefix(name.as_str())?;
            let rest = match rest.strip_prefix('/') {
                Some(rest) => rest,
                None if rest.is_empty() => "",
                None => return None,
            };
            Some(match (folder.is_empty(), rest.is_empty()) {
                (true, _) => rest.to_owned(),
                (_, true) => folder.clone(),
                _ => format!("{folder}/{rest}"),
            })
        })
    }
}

pub(in crate::index::graph) fn follow(
    world: World<'_>,
    from: FileId,
    import: &Import,
) -> Vec<Found> {
    let path = import.module.as_str();
    let places: Vec<Place> = match world.facts.go.folder(path) {
        Some(folder) => {
            let files = package_files(world, from, &folder);
            match files.is_empty() {
                true => vec![Place::Missing],
                false => files.into_iter().map(Place::File).collect(),
            }
        }
        None if path.starts_with('.') => vec![Place::Missing],
        None => vec![Place::Library(path.to_owned())],
    };
    let name = named(import).next();
    let binds = match name {
        Some((_, name)) if name.alias.is_none() => Binds::All,
        _ => Binds::Module,
    };
    let at = name.and_then(|(at, _)| at);
    let found = places.into_iter().map(|place| Found::new(at, place, binds));
    found.collect()
}

fn package_files(world: World<'_>, from: FileId, folder: &str) -> Vec<FileId> {
    let files = world
        .facts
        .folders
        .get(folder)
        .into_iter()
        .flatten()
        .copied();
    let is_part = |file: &FileId| {
        let is_go = world
            .parsed(*file)
            .is_some_and(|parsed| parsed.language == Language::Go);
        is_go && !world.path(*file).ends_with("_test.go")
    };
    let mut files: Vec<FileId> = files.filter(is_part).collect();
    files
        .sort_by_key(|file| std::cmp::Reverse(shared_folders(world.path(*file), world.path(from))));
    used_files(world, from, &files)
}
