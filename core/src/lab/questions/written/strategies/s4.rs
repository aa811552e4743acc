//! Signatures and first sentences of documentation, in batches with a manifest (PathFinder,
//! strategy 4).

use std::collections::BTreeSet;

use super::{Gives, Strategy};
use crate::lab::questions::written::desk::{Desk, Unit, spread};
use crate::lab::questions::written::listing;
use crate::lab::questions::written::pathfinder::{Frame, manifest};
use crate::lab::questions::written::talk::{Found, Talk};
use crate::source::FileId;

pub(super) const STRATEGY: Strategy = Strategy {
    name: "s4",
    title: "Signatures and documentation, in batches",
    plan,
    begin,
    gives: Gives {
        questions: 3.5,
        requests: 1,
        answer_tokens: 400,
    },
};

const FRAME: Frame = Frame {
    given: "You are shown a manifest, which is the list of the files of this batch, and a summary: \
            the signatures of their classes, functions and methods, each with the first sentence \
            of its documentation. A long file may stand in several batches.",
    task: "- Ask about what certain functions and methods do and how: parameters, results, errors, \
           conditions. Several files only where that is natural.",
    wanted: 5,
    least: 1,
};

/// Tokens of one batch: if there are more, the model asks only about the first files.
const BATCH_TOKENS: usize = 4_000;

fn plan(desk: &Desk) -> Vec<Unit> {
    // Each path occurs twice.
    let room = desk.room(&FRAME.system()) / 2;
    let parts = listing::pack(desk, listing::signatures, room.min(BATCH_TOKENS));
    let says_something =
        |parts: &Vec<listing::Part>| parts.iter().any(|(_, rows)| !rows.is_empty());
    let parts = parts.into_iter().filter(says_something).collect();
    let parts = spread(&mut desk.random("s4"), parts, |parts| {
        let first = parts.first().map(|(file, _)| *file);
        first.map_or("", |file| desk.folder(file))
    });
    let parts = parts.into_iter();
    parts.map(|parts| Unit::Listing(parts, None)).collect()
}

fn begin(desk: &Desk, unit: &Unit, _: &[&Found]) -> Option<Talk> {
    let Unit::Listing(parts, _) = unit else {
        return None;
    };
    let files: BTreeSet<FileId> = parts.iter().map(|(file, _)| *file).collect();
    let listed: Vec<FileId> = files.iter().copied().collect();
    let shown = format!(
        "MANIFEST:\n{}\nSUMMARY:\n{}",
        manifest(desk, &listed),
        listing::text(desk, listing::signatures, parts)
    );
    Some(FRAME.talk(&shown, files, None))
}
