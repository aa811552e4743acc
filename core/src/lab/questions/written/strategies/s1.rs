//! One whole file, cut if it is long (PathFinder, strategy 1).

use super::{Gives, Strategy};
use crate::lab::questions::written::desk::{Desk, Unit, spread};
use crate::lab::questions::written::excerpt::{excerpt, pieces};
use crate::lab::questions::written::pathfinder::{Frame, manifest};
use crate::lab::questions::written::talk::{Found, Talk};

pub(super) const STRATEGY: Strategy = Strategy {
    name: "s1",
    title: "One whole file",
    plan,
    begin,
    gives: Gives {
        questions: 3.0,
        requests: 1,
        answer_tokens: 320,
    },
};

const FRAME: Frame = Frame {
    given: "You are shown the content of one file, and the list of files that it has to do with.",
    task: "- Each must need this file to be understood; others of the list only where that is \
           natural.",
    wanted: 4,
    least: 1,
};

/// Most neighbours that are listed.
const MAX_LISTED: usize = 30;

/// The list of neighbours takes at most one part in this many of the room.
const LISTED_SHARE: usize = 5;

fn room(desk: &Desk) -> usize {
    let room = desk.room(&FRAME.system());
    room - room / LISTED_SHARE
}

fn plan(desk: &Desk) -> Vec<Unit> {
    let room = room(desk);
    let units = desk.sources.iter().flat_map(|file| {
        let pieces = pieces(desk, *file, room).into_iter();
        pieces.map(|lines| (*file, lines))
    });
    let units = spread(&mut desk.random("s1"), units.collect(), |(file, _)| {
        desk.folder(*file)
    });
    let units = units.into_iter();
    units
        .map(|(file, lines)| Unit::Lines(file, lines))
        .collect()
}

fn begin(desk: &Desk, unit: &Unit, _: &[&Found]) -> Option<Talk> {
    let Unit::Lines(file, lines) = unit else {
        return None;
    };
    let (quoted, _) = excerpt(desk, *file, *lines, room(desk))?;
    let mut listed = vec![*file];
    listed.extend(desk.neighbours(*file).into_iter().take(MAX_LISTED));
    let shown = format!(
        "The file:\n{quoted}\nFiles that may answer a question, this one first:\n{}",
        manifest(desk, &listed)
    );
    Some(FRAME.talk(&shown, listed.into_iter().collect(), Some(*file)))
}
