//! What a path says: the file's own name, its folders, a "subsystem:" prefix, paths in the
//! question.

use std::collections::BTreeMap;

use super::names::overlap;
use super::with_gains;
use super::{Group, StepSpec};
use crate::lang::Language;
use crate::search::params::Param;
use crate::search::{Context, Hit};
use crate::source::FileId;

/// Stems that do not describe the content; the folder does instead.
pub(super) const ENTRY_STEMS: [&str; 6] = ["__init__", "__main__", "index", "mod", "lib", "main"];

/// Gain for the file's own name.
static OWN_NAME: Param = Param::new("stem", 0.25);

pub(super) static STEM: StepSpec = StepSpec {
    name: "stem",
    about: "The file's name contains rare words of the question.",
    why: |_, _| "the file's name shares rare words with the question".to_owned(),
    group: Group::Rule,
    compares: None,
    params: &[&OWN_NAME],
    apply: stem,
};

/// The file's name without its extension.
fn stem(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    by_file(context, "stem", hits, |context, path, _| {
        let overlap = overlap(&context.analysis, own_name(path), |word| word.in_paths);
        context.params.get(&OWN_NAME) * overlap
    })
}

/// Gain for the folders' names.
static FOLDERS: Param = Param::new("path", 0.1);
/// Gain of a file whose path is in the question.
static NAMED_PATH: Param = Param::new("named_path", 0.6);
/// Gain for a "subsystem:" prefix that is a folder or a file.
static SUBSYSTEM: Param = Param::new("subsystem", 0.4);
/// Gain for the language that the question names.
static LANGUAGE: Param = Param::new("language", 0.1);

pub(super) static PATH: StepSpec = StepSpec {
    name: "path",
    about: "The question names the folder, the path or the language.",
    why: |_, _| "the question names its folder, path or language".to_owned(),
    group: Group::Rule,
    compares: None,
    params: &[&FOLDERS, &NAMED_PATH, &SUBSYSTEM, &LANGUAGE],
    apply: path,
};

/// Folders, and everything else that the question says about places.
fn path(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    by_file(context, "path", hits, |context, path, file| {
        let (analysis, params) = (&context.analysis, &context.params);
        let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
        let overlaps = folders
            .split('/')
            .map(|folder| overlap(analysis, folder, |word| word.in_paths));
        let mut gain = params.get(&FOLDERS) * overlaps.fold(0.0, f32::max);
        if analysis.files.contains(&file) {
            gain += params.get(&NAMED_PATH);
        }
        if is_in_subsystem(path, &analysis.subsystem) {
            gain += params.get(&SUBSYSTEM);
        }
        if analysis.language.is_some() && analysis.language == language(context, file) {
            gain += params.get(&LANGUAGE);
        }
        gain
    })
}

fn by_file(
    context: &Context<'_>,
    name: &'static str,
    hits: Vec<Hit>,
    gain: impl Fn(&Context<'_>, &str, FileId) -> f32,
) -> Vec<Hit> {
    let mut gains: BTreeMap<FileId, f32> = BTreeMap::new();
    for hit in &hits {
        if let (Some(chunk), Some(path)) = (
            context.index.chunk(hit.chunk),
            context.index.path_of(hit.chunk),
        ) {
            let of_file = || gain(context, path, chunk.file);
            gains.entry(chunk.file).or_insert_with(of_file);
        }
    }
    with_gains(name, hits, |hit| {
        gains.get(&context.index.chunk(hit.chunk)?.file).copied()
    })
}

/// Returns a file's own name: `redirect` of `src/redirect.py`, `routing` of `src/routing/mod.rs`.
fn own_name(path: &str) -> &str {
    let mut names = path.rsplit('/');
    let name = names.next().unwrap_or(path);
    let stem = name
        .trim_start_matches('.')
        .split('.')
        .next()
        .unwrap_or(name);
    match names.next() {
        Some(folder) if ENTRY_STEMS.contains(&stem) => folder,
        _ => stem,
    }
}

/// Whether the prefix names, in order, folders of the path or its file.
fn is_in_subsystem(path: &str, subsystem: &[String]) -> bool {
    let mut names = path.split('/').map(|name| {
        let name = name.to_lowercase();
        name.split('.').next().unwrap_or_default().to_owned()
    });
    !subsystem.is_empty()
        && subsystem.iter().all(|wanted| {
            let wanted = wanted.split('.').next().unwrap_or(wanted);
            names.any(|name| name.trim_matches('_') == wanted.trim_matches('_'))
        })
}

fn language(context: &Context<'_>, file: FileId) -> Option<Language> {
    Some(context.index.file(file)?.1.language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_its_stem_or_its_folder() {
        for (path, name) in [
            ("src/redirect.py", "redirect"),
            ("src/routing/mod.rs", "routing"),
            ("a/b/__init__.py", "b"),
            ("main.rs", "main"),
            ("lib/app.test.js", "app"),
        ] {
            assert_eq!(own_name(path), name, "{path}");
        }
    }

    #[test]
    fn a_subsystem_is_a_folder_or_a_file_of_the_path() {
        let is_in = |path, names: &[&str]| {
            is_in_subsystem(path, &names.iter().map(|&n| n.into()).collect::<Vec<_>>())
        };
        assert!(is_in("docs/user/quick.rst", &["docs"]));
        assert!(is_in("src/click/_parser.py", &["parser"]));
        assert!(is_in("src/click/parser.py", &["click", "parser"]));
        assert!(!is_in("src/click/core.py", &["parser"]));
        assert!(!is_in("src/click/core.py", &[]));
    }
}
