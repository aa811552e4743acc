//! Batches of two to five whole files (PathFinder, strategy 6).

use std::collections::BTreeSet;

use super::{Gives, Strategy};
use crate::lab::questions::written::desk::{Desk, Unit, spread};
use crate::lab::questions::written::excerpt::{excerpt, planned};
use crate::lab::questions::written::pathfinder::{Frame, manifest};
use crate::lab::questions::written::talk::{Found, Talk};
use crate::model::prompt::estimate_tokens;
use crate::source::FileId;

pub(super) const STRATEGY: Strategy = Strategy {
    name: "s6",
    title: "Batches of two to five whole files",
    plan,
    begin,
    gives: Gives {
        questions: 3.0,
        requests: 1,
        answer_tokens: 400,
    },
};

const FRAME: Frame = Frame {
    given: "You are shown the content of a few files, and the list of their paths.",
    task: "- Ask about what these files do, and where it is natural about how they work together.",
    wanted: 5,
    least: 1,
};

/// Number of files in a batch.
const FILES: std::ops::RangeInclusive<usize> = 2..=5;

/// Tokens that are filled with files; the rest is for the list.
fn room(desk: &Desk) -> usize {
    desk.room(&FRAME.system()) * 9 / 10
}

/// Neighbouring files of a folder that fit together.
fn plan(desk: &Desk) -> Vec<Unit> {
    let room = room(desk);
    let mut batches: Vec<Vec<FileId>> = Vec::new();
    let (mut batch, mut used) = (Vec::new(), 0);
    for file in &desk.sources {
        let size = planned(desk, *file);
        // A file that leaves no room for a second one is left to the first strategy.
        if size > room * 2 / 3 {
            continue;
        }
        if batch.len() == *FILES.end() || used + size > room {
            batches.push(std::mem::take(&mut batch));
            used = 0;
        }
        used += size;
        batch.push(*file);
    }
    batches.push(batch);
    batches.retain(|batch| FILES.contains(&batch.len()));
    let batches = spread(&mut desk.random("s6"), batches, |batch| {
        batch.first().map_or("", |file| desk.folder(*file))
    });
    batches.into_iter().map(Unit::Batch).collect()
}

fn begin(desk: &Desk, unit: &Unit, _: &[&Found]) -> Option<Talk> {
    let Unit::Batch(files) = unit else {
        return None;
    };
    let mut left = room(desk);
    let mut quoted = String::new();
    let mut shown: Vec<FileId> = Vec::new();
    for file in files {
        let Some(lines) = desk.index.lines(*file).map(|lines| lines.all()) else {
            continue;
        };
        let Some((text, fitting)) = excerpt(desk, *file, lines, left) else {
            continue;
        };
        // Only whole files: the model would ask about a cut file as if it were complete.
        if fitting == lines {
            left = left.saturating_sub(estimate_tokens(&text));
            quoted += &format!("{text}\n");
            shown.push(*file);
        }
    }
    if !FILES.contains(&shown.len()) {
        return None;
    }
    let body = format!(
        "The files:\n{quoted}\nTheir paths:\n{}",
        manifest(desk, &shown)
    );
    let allowed: BTreeSet<FileId> = shown.into_iter().collect();
    Some(FRAME.talk(&body, allowed, None))
}
