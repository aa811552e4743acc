//! The files and folders that a name can mean.

use super::built;
use super::subject::{Subject, bare};
use super::teller::Teller;
use crate::index::Index;
use crate::lang::Role;
use crate::lang::resolve::names::file_name;
use crate::source::FileId;

/// What a name means among files.
enum Named {
    One(FileId),
    /// Several files equally near to the root.
    Several(Vec<FileId>),
}

/// Returns the files that the words can mean if nothing decides between them: files with the same
/// name, equally near to the root of the repository.
pub(super) fn ambiguous(index: &Index, words: &str) -> Vec<FileId> {
    match named(index, &bare(words).0) {
        Some(Named::Several(files)) => files,
        _ => Vec::new(),
    }
}

/// Notes which other files have the same name as the one that was taken, if the words name no
/// folder.
pub(super) fn note_namesakes(teller: &mut Teller<'_, '_>, words: &str) {
    const MOST: usize = 4;
    let (name, _) = bare(words);
    let is_plain = name.contains('.') && !name.contains(['/', ' ']);
    let Some(Named::One(meant)) = named(teller.index, &name).filter(|_| is_plain) else {
        return;
    };
    let others = ending(teller.index, &name)
        .filter(|&(id, _)| id != meant && !built::is_built(teller.index, id));
    let others: Vec<String> = others.map(|(_, path)| format!("`{path}`")).collect();
    // A name that many files share, such as `mod.rs` or `__init__.py`, says nothing about any of
    // them.
    if (1..=MOST).contains(&others.len()) {
        let have = if others.len() == 1 { "has" } else { "have" };
        teller.note = Some(format!("{} {have} the same name.", others.join(", ")));
    }
}

/// Finds files by a path, the end of one, a dotted module name, a stem, or a folder.
pub(super) fn files(index: &Index, name: &str) -> Option<Subject> {
    match named(index, name) {
        Some(Named::One(file)) => {
            let path = index.repo.file(file)?.path.clone();
            Some(Subject::Files(vec![file], path))
        }
        Some(Named::Several(_)) => None,
        None if name.contains(char::is_whitespace) => None,
        None => package(index, name).or_else(|| code_folder(index, name)),
    }
}

fn named(index: &Index, name: &str) -> Option<Named> {
    if let Some(file) = index.repo.find(name) {
        return Some(Named::One(file));
    }
    let by_end = ending(index, name).map(|(id, _)| id).collect();
    let found = nearest(index, name, by_end);
    if found.is_some() || name.contains(char::is_whitespace) {
        return found;
    }
    let path = name.trim_matches('.').replace("::", "/").replace('.', "/");
    let is_code = |id: FileId| {
        let parsed = index.parsed.get(id.0 as usize);
        parsed.is_some_and(|parsed| parsed.language.is_code())
    };
    let by_stem = index.paths().with_stem(file_name(&path));
    let by_stem = by_stem.filter(|&id| {
        let whole = index.repo.file(id).map_or("", |file| file.path.as_str());
        let stem = whole.rsplit_once('.').map_or(whole, |(stem, _)| stem);
        is_code(id) && ends(stem, &path)
    });
    nearest(index, &path, by_stem.collect())
}

/// Returns the files whose path is `end` or ends with `/` and `end`, with their paths.
fn ending<'i>(index: &'i Index, end: &str) -> impl Iterator<Item = (FileId, &'i str)> {
    let named = index.paths().named(file_name(end));
    let all = named.filter_map(|id| Some((id, index.repo.file(id)?.path.as_str())));
    all.filter(move |(_, path)| ends(path, end))
}

/// Finds a package's code by its dotted name, which can lie in several folders: `org.example.util`
/// in `main/java` and in `test/java`.
fn package(index: &Index, name: &str) -> Option<Subject> {
    if !name.contains('.') || name.contains('/') {
        return None;
    }
    let inside = format!("/{}/", name.replace('.', "/"));
    let all = (0..)
        .map(FileId)
        .zip(index.repo.files.iter().zip(index.parsed.iter()));
    let found = all.filter(|(_, (file, parsed))| {
        parsed.language.is_code() && format!("/{}", file.path).contains(&inside)
    });
    let found: Vec<FileId> = found.map(|(id, _)| id).collect();
    (!found.is_empty()).then(|| Subject::Files(found, name.to_owned()))
}

/// Whether `path` is `end` or ends with `/` and `end`.
fn ends(path: &str, end: &str) -> bool {
    let before = path.strip_suffix(end);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Narrows several files to the project's own code, replaces built files by their source, and keeps
/// those nearest to the root.
fn nearest(index: &Index, name: &str, found: Vec<FileId>) -> Option<Named> {
    let path = |file: &FileId| index.repo.file(*file).map_or("", |file| file.path.as_str());
    let is_source = |file: &FileId| Role::of(path(file)) == Role::Source;
    let mut found = found;
    if found.iter().any(is_source) {
        found.retain(is_source);
    }
    let mut own: Vec<FileId> = Vec::new();
    for file in found {
        let source = built::source_of(index, file, name).unwrap_or(file);
        if !own.contains(&source) {
            own.push(source);
        }
    }
    let depth = |file: &FileId| path(file).matches('/').count();
    let least = own.iter().map(depth).min()?;
    own.retain(|file| depth(file) == least);
    match own.as_slice() {
        [file] => Some(Named::One(*file)),
        _ => Some(Named::Several(own)),
    }
}

/// Returns the folder that the words name, with a trailing `/`: the one nearest to the root.
pub(super) fn folder(index: &Index, words: &str) -> Option<String> {
    folders(index, words).into_iter().next()
}

/// Returns the folders that the words can mean, each with a trailing `/`, the likeliest first.
fn folders(index: &Index, words: &str) -> Vec<String> {
    let (name, _) = bare(words);
    let plain = name.trim_start_matches("./").trim_matches('/').to_owned();
    if plain.is_empty() || plain.contains(char::is_whitespace) {
        return Vec::new();
    }
    let of = |name: &str| {
        let all = index.paths().folders(file_name(name));
        let folders = all.iter().map(String::as_str);
        let mut folders: Vec<&str> = folders.filter(|folder| ends(folder, name)).collect();
        folders.sort_by_key(|folder| {
            let is_source = Role::of(&format!("{folder}/a.py")) == Role::Source;
            let is_built = built::is_output(folder, all);
            (
                *folder != name,
                is_built,
                !is_source,
                folder.matches('/').count(),
            )
        });
        folders
            .into_iter()
            .map(|folder| format!("{folder}/"))
            .collect::<Vec<_>>()
    };
    let found = of(&plain);
    match found.is_empty() {
        true => of(&plain.replace("::", "/").replace('.', "/")),
        false => found,
    }
}

/// Returns the code below the likeliest folder that has some.
pub(super) fn code_folder(index: &Index, words: &str) -> Option<Subject> {
    let mut folders = folders(index, words).into_iter();
    folders.find_map(|folder| code_in(index, folder))
}

/// Returns the code files below a folder.
fn code_in(index: &Index, folder: String) -> Option<Subject> {
    let all = (0..)
        .map(FileId)
        .zip(index.repo.files.iter().zip(index.parsed.iter()));
    let inside = all
        .filter(|(_, (file, parsed))| file.path.starts_with(&folder) && parsed.language.is_code());
    let inside: Vec<FileId> = inside.map(|(id, _)| id).collect();
    (!inside.is_empty()).then_some(Subject::Files(inside, folder))
}

/// Returns the files of the place that the words name: one file, or all files of a folder.
pub(super) fn scope(index: &Index, words: &str) -> Option<Vec<FileId>> {
    if let Some(Named::One(file)) = named(index, &bare(words).0) {
        return Some(vec![file]);
    }
    let folder = folder(index, words)?;
    let all = (0..).map(FileId).zip(&index.repo.files);
    let inside = all.filter(|(_, file)| file.path.starts_with(&folder));
    Some(inside.map(|(id, _)| id).collect())
}
