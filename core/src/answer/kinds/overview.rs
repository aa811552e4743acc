//! What a repository is, how its code is organised, and where to start: from manifest, README,
//! folder tree and graph.

use std::collections::BTreeMap;

use super::Kind;
use super::built;
use super::sections::sections;
use super::subject;
use super::teller::{Teller, counted};
use super::wording::Read;
use crate::answer::facts;
use crate::answer::notes::{Entry, QUOTED, Source, code, text};
use crate::answer::prose::{quote, sentences};
use crate::lang::manifest::FactKind;
use crate::lang::{Language, Role};
use crate::lines::Line;
use crate::source::FileId;

pub(super) const KIND: Kind = Kind {
    name: "overview",
    wordings: &[
        "what is X for and ANY",
        "what is X and what|where|how|why|who ANY",
        "what is X good|used|useful|meant|made|intended|suited for|to? ANY",
        "what|which problem|problems does|can X solve|address ANY",
        "what is X for",
        "what is X about?",
        "what does|can X do",
        "what is the? purpose|goal|aim|point|use of X",
        "why would|should|do i|we|you|one|people|someone use X",
        "how is|are X organised|organized|structured|laid_out|built_up|arranged and ANY",
        "ASK? overview|summary|description REL? X?",
        "summarise|summarize|describe|explain|introduce X",
        "explain|describe|show the? overall? architecture|structure|layout|organisation|organization REL? X?",
        "ASK? architecture|structure|layout|organisation|organization|big_picture REL? X?",
        "how is|are X organised|organized|structured|laid_out|built_up|arranged",
        "i am new here how|what|where ANY",
        "where should|do|can|to i|we|one? @start|begin ANY",
        "how does|do X work",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    // “how is the source tree under src/ organised”
    if !subject::is_project(teller.index, &read.x) {
        return match folder(teller, &read.x).filter(|_| names_folder(&read.x)) {
            Some(folder) => teller.say_modules(&folder),
            None => false,
        };
    }
    let is_start = !read.word.is_empty();
    if is_start {
        entry_points(teller);
    }
    facts::state_one(teller.index, FactKind::Description, teller.notes);
    readme(teller);
    if !is_start {
        facts::state_one(teller.index, FactKind::Dependency, teller.notes);
    }
    tree(teller);
    let own = teller.own_files("");
    let folder = teller.common_folder(&own);
    let has_modules = teller.say_modules("");
    if !is_start {
        entry_points(teller);
    }
    if !has_modules && !folder.is_empty() {
        say_files(teller, &own, &folder);
    }
    !teller.notes.statements.is_empty()
}

/// Whether the words are just a name, or say that they name a folder: “`app` good for” does not
/// mean the folder `app`.
pub(super) fn names_folder(words: &str) -> bool {
    let (name, hints) = subject::bare(words);
    let says_so = |hint: &String| matches!(hint.as_str(), "folder" | "directory" | "dir");
    name.contains('/') || !name.contains(' ') || hints.iter().any(says_so)
}

fn entry_points(teller: &mut Teller<'_, '_>) {
    let entries = teller.entry_points();
    if !entries.is_empty() {
        let lead = "To start reading, these are the entry points: ";
        teller.list(vec![text(lead)], entries.clone());
        teller.passed_on(&entries);
    }
}

/// Returns the folder that the words name, with a trailing slash; one that a build did not write,
/// if there is one.
pub(super) fn folder(teller: &Teller<'_, '_>, words: &str) -> Option<String> {
    let (name, _) = subject::bare(words);
    let named = name
        .split_whitespace()
        .map(|word| word.trim_matches('/'))
        .filter(|word| word.len() > 1);
    let mut found = named.filter_map(|word| {
        let inside = format!("{word}/");
        let place = |path: &str| match path.starts_with(&inside) {
            true => Some(0),
            false => Some(path.find(&format!("/{inside}"))? + 1),
        };
        let files = (0..).map(FileId).zip(&teller.index.repo.files);
        let all: Vec<(FileId, &str, usize)> = files
            .filter_map(|(id, file)| Some((id, file.path.as_str(), place(&file.path)?)))
            .collect();
        let is_own = |(id, ..): &&(FileId, &str, usize)| !built::is_built(teller.index, *id);
        let (_, path, at) = all.iter().find(is_own).or(all.first())?;
        path.get(..at + inside.len()).map(str::to_owned)
    });
    found.next()
}

/// States the first sentence of the README, quoted.
fn readme(teller: &mut Teller<'_, '_>) {
    let first = sections(teller.index).into_iter().find(|section| {
        let name = section.path.to_lowercase();
        name.starts_with("readme")
    });
    let Some(section) = first else {
        return;
    };
    let text_of = teller.file_text(section.file);
    let all = sentences(text_of, Line(1));
    let begin = all
        .iter()
        .position(|it| it.text.split(' ').count() > 4 && !it.text.ends_with('?'));
    let Some(found) = begin.and_then(|at| quote(&all, at)) else {
        return;
    };
    let mut spans = vec![code(section.path), text(" says: ")];
    spans.extend(found.in_quotes());
    let source = Source {
        file: section.file,
        lines: found.lines,
        quotes: found.words(),
        why: QUOTED.to_owned(),
    };
    teller.say(spans, &[source]);
}

/// States the folders at the root with their numbers of files, and how many files are in the main
/// language.
fn tree(teller: &mut Teller<'_, '_>) {
    let mut folders: BTreeMap<String, (usize, FileId, Role)> = BTreeMap::new();
    let mut languages: BTreeMap<Language, usize> = BTreeMap::new();
    for (id, (file, parsed)) in (0..).map(FileId).zip(
        teller
            .index
            .repo
            .files
            .iter()
            .zip(teller.index.parsed.iter()),
    ) {
        let top = match file.path.split('/').collect::<Vec<_>>().as_slice() {
            [first, second, _, ..] if matches!(*first, "src" | "packages" | "crates" | "lib") => {
                format!("{first}/{second}/")
            }
            [first, _, ..] => format!("{first}/"),
            _ => continue,
        };
        let entry = folders.entry(top).or_insert((0, id, Role::of(&file.path)));
        entry.0 += 1;
        if parsed.language.is_code() {
            *languages.entry(parsed.language).or_default() += 1;
        }
    }
    let mut folders: Vec<_> = folders.into_iter().collect();
    folders.sort_by_key(|(_, (n, _, role))| (*role != Role::Source, std::cmp::Reverse(*n)));
    let entries: Vec<Entry> = folders
        .into_iter()
        .filter_map(|(name, (n, file, _))| {
            Some(Entry {
                name,
                detail: counted(n, "file", "files"),
                source: teller.first_line(file)?,
            })
        })
        .collect();
    if entries.len() < 2 {
        return;
    }
    let main = languages.into_iter().max_by_key(|(_, n)| *n);
    let lead = match main {
        Some((language, n)) => format!(
            "The repository has {} of {} and these folders: ",
            counted(n, "file", "files"),
            language.name()
        ),
        None => "The repository has these folders: ".to_owned(),
    };
    teller.list(vec![text(lead)], entries);
}

fn say_files(teller: &mut Teller<'_, '_>, files: &[FileId], folder: &str) {
    let entries = files.iter().filter_map(|file| {
        Some(Entry {
            name: teller.path(*file).to_owned(),
            detail: String::new(),
            source: teller.first_line(*file)?,
        })
    });
    let entries: Vec<Entry> = entries.collect();
    teller.list(vec![code(folder), text(" contains ")], entries);
}
