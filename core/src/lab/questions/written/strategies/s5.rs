//! The tree and the summary of one file, for questions that span files (PathFinder, strategy 5).

use std::collections::BTreeSet;

use super::{Gives, Strategy};
use crate::lab::questions::written::desk::{Desk, Unit, spread};
use crate::lab::questions::written::listing;
use crate::lab::questions::written::pathfinder::Frame;
use crate::lab::questions::written::talk::{Found, Talk};
use crate::source::FileId;

pub(super) const STRATEGY: Strategy = Strategy {
    name: "s5",
    title: "The tree and the summary of one file",
    plan,
    begin,
    gives: Gives {
        questions: 2.5,
        requests: 1,
        answer_tokens: 400,
    },
};

const FRAME: Frame = Frame {
    given: "You are shown the paths of its files, and the summary of one of them: its classes, \
            functions and methods with their documentation.",
    task: "- Each must need at least two files: how parts depend on each other, and how something \
           goes through several of them from its start to its end.",
    wanted: 4,
    least: 2,
};

/// Most files from other parts of the tree that are listed.
const MAX_FAR: usize = 10;

/// Tokens for the tree, and as many for the summary; a tenth is for the files listed beside them.
fn room(desk: &Desk) -> usize {
    desk.room(&FRAME.system()) * 9 / 20
}

/// One file each, with a part of the tree.
fn plan(desk: &Desk) -> Vec<Unit> {
    if desk.sources.len() < FRAME.least {
        return Vec::new();
    }
    let world = desk.world();
    let speaks = |file: &FileId| !listing::signatures(&world, *file).is_empty();
    let files: Vec<FileId> = desk.sources.iter().copied().filter(speaks).collect();
    let files = spread(&mut desk.random("s5"), files, |file| desk.folder(*file));
    files
        .into_iter()
        .map(|file| Unit::Batch(vec![file]))
        .collect()
}

fn begin(desk: &Desk, unit: &Unit, _: &[&Found]) -> Option<Talk> {
    let Unit::Batch(files) = unit else {
        return None;
    };
    let file = *files.first()?;
    let summary = listing::pack_one(desk, file, listing::signatures, room(desk))?;
    let trees = listing::pack(desk, listing::paths, room(desk));
    let mut trees = trees.into_iter();
    let mut listed = trees.find(|part| part.iter().any(|(it, _)| *it == file))?;
    // In a large tree, related files may be in another part.
    let mut far = desk.neighbours(file);
    far.retain(|it| listed.iter().all(|(listed, _)| listed != it));
    listed.extend(far.into_iter().take(MAX_FAR).map(|file| (file, 0..0)));
    let shown = format!(
        "Files of the repository:\n{}\nSummary of one file:\n{}",
        listing::text(desk, listing::paths, &listed),
        listing::text(desk, listing::signatures, &[summary])
    );
    let allowed: BTreeSet<FileId> = listed.into_iter().map(|(file, _)| file).collect();
    Some(FRAME.talk(&shown, allowed, None))
}
