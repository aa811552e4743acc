//! Which files a commit changed, by its subject; only for an archive that includes its `.git`.

use std::collections::BTreeMap;

use super::Kind;
use crate::lab::questions::draft::{Drafts, Gold};
use crate::lab::questions::world::World;
use crate::lang::Role;
use crate::lines::LineIndex;
use crate::source::FileId;

pub(super) const KIND: Kind = Kind {
    name: "commits",
    title: "Which files did a commit change?",
    draft,
};

/// Most files that the commit may have changed.
const MOST: usize = 4;
/// Number of words in a subject.
const WORDS: std::ops::RangeInclusive<usize> = 4..=16;
/// Subjects that say nothing about the code.
const UNFIT: [&str; 8] = [
    "merge",
    "bump",
    "release",
    "version",
    "typo",
    "revert",
    "changelog",
    "wip",
];

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    let history = &world.index.repo.history;
    let mut touched: BTreeMap<u32, Vec<FileId>> = BTreeMap::new();
    for (file, commits) in &history.files {
        for commit in commits {
            touched.entry(*commit).or_default().push(*file);
        }
    }
    for (commit, files) in touched {
        let subject = history
            .subjects
            .get(commit as usize)
            .map_or("", |it| it.trim());
        let lower = subject.to_lowercase();
        let is_unfit = UNFIT.iter().any(|unfit| lower.contains(unfit));
        let fits = WORDS.contains(&subject.split_whitespace().count());
        if is_unfit || !fits {
            drafts.refuse("its subject says too little");
            continue;
        }
        let own = files
            .iter()
            .filter(|file| world.role(**file) == Role::Source);
        let own: Vec<FileId> = own.copied().collect();
        if own.is_empty() || files.len() > MOST {
            drafts.refuse("it changed no source, or too many files");
            continue;
        }
        let subject = subject.split(" (#").next().unwrap_or(subject);
        let wordings = [
            format!("Which source files were changed for “{subject}”?"),
            format!("Where was this done: {subject}?"),
        ];
        let gold: Vec<Gold> = own.iter().filter_map(|file| whole(world, *file)).collect();
        let paths: Vec<String> = own
            .iter()
            .map(|it| format!("`{}`", world.path(*it)))
            .collect();
        drafts.push(&wordings, gold, format!("It changed {}.", paths.join(", ")));
    }
}

fn whole(world: &World<'_>, file: FileId) -> Option<Gold> {
    let (source, _) = world.index.file(file)?;
    Some((file, LineIndex::new(&source.text).all()))
}
