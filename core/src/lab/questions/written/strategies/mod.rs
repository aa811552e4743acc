//! The strategies that have a model write questions, one file each.

mod alignment;
mod s1;
mod s2;
mod s3;
mod s4;
mod s5;
mod s6;

use std::collections::{BTreeMap, BTreeSet};

use super::desk::{Desk, Unit, spread};
use super::listing::{self, Part, Rows};
use super::pathfinder::Frame;
use super::talk::{Found, Talk};
use crate::lang::resolve::names::ancestors;
use crate::model::prompt::fence;

/// A way to have a model write questions.
pub struct Strategy {
    /// The `category` of its items.
    pub name: &'static str,
    /// What the model is shown, for people.
    pub title: &'static str,
    /// Returns everything it will show, in the order of asking.
    pub(super) plan: fn(&Desk) -> Vec<Unit>,
    /// Builds the request about one unit, which may use the questions that the strategy has kept so
    /// far. `None` if there is nothing to show.
    pub(super) begin: fn(&Desk, &Unit, &[&Found]) -> Option<Talk>,
    /// What one unit gives, approximately.
    pub(super) gives: Gives,
}

/// What a unit gives and costs, approximately, for an estimate.
pub(super) struct Gives {
    /// Number of questions that are kept.
    pub questions: f64,
    /// Number of requests.
    pub requests: u32,
    /// Tokens of all answers.
    pub answer_tokens: u32,
}

/// All strategies: PathFinder's six, then RepoQA-SA's.
pub const STRATEGIES: &[&Strategy] = &[
    &s1::STRATEGY,
    &s2::STRATEGY,
    &s3::STRATEGY,
    &s4::STRATEGY,
    &s5::STRATEGY,
    &s6::STRATEGY,
    &alignment::STRATEGY,
];

/// Most folders of one part that get a request of their own.
const MAX_FOCUS: usize = 8;

/// Plans each part of a listing as a whole, then folder by folder, because a list allows more
/// questions than one reply holds.
fn plan_listing(desk: &Desk, name: &str, rows: Rows, room: usize) -> Vec<Unit> {
    let mut random = desk.random(name);
    let parts = listing::pack(desk, rows, room);
    let mut whole = Vec::new();
    let mut apart = Vec::new();
    for part in parts {
        let folders = folders(desk, &part);
        if folders.len() > 1 {
            apart.extend(folders.into_iter().map(|it| (part.clone(), it)));
        }
        whole.push(Unit::Listing(part, None));
    }
    random.shuffle(&mut whole);
    let apart = spread(&mut random, apart, |(_, folder)| folder.clone());
    let apart = apart
        .into_iter()
        .map(|(part, folder)| Unit::Listing(part, Some(folder)));
    whole.into_iter().chain(apart).collect()
}

/// The folders of a part with the most files, in themselves or below.
fn folders(desk: &Desk, part: &[Part]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (file, _) in part {
        for folder in ancestors(desk.folder(*file)) {
            *counts.entry(folder).or_default() += 1;
        }
    }
    counts.retain(|folder, n| !folder.is_empty() && *n > 1 && *n < part.len());
    let mut folders: Vec<(&str, usize)> = counts.into_iter().collect();
    folders.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let folders = folders.into_iter().take(MAX_FOCUS);
    folders.map(|(folder, _)| folder.to_owned()).collect()
}

/// Builds the request about a part of a listing.
fn begin_listing(desk: &Desk, frame: &Frame, rows: Rows, unit: &Unit) -> Option<Talk> {
    let Unit::Listing(part, focus) = unit else {
        return None;
    };
    let mut shown = format!(
        "Files of the repository:\n{}",
        listing::text(desk, rows, part)
    );
    if let Some(folder) = focus {
        let folder = fence::name(folder);
        shown += &format!("\nThis time, ask about what lies below `{folder}/`.\n");
    }
    let allowed: BTreeSet<_> = part.iter().map(|(file, _)| *file).collect();
    Some(frame.talk(&shown, allowed, None))
}
