//! The main modules of the project or a folder and how they depend on each other, from the import
//! graph.

use super::Kind;
use super::overview::folder;
use super::say::Say;
use super::subject::{self, Subject};
use super::teller::Teller;
use super::wording::Read;

pub(super) const KIND: Kind = Kind {
    name: "modules",
    wordings: &[
        "ASK? main|central|core|important|key|biggest|most_important|top-level|top_level modules|components|parts|packages|building_blocks REL? X? and how|their|what ANY",
        "ASK? main|central|core|important|key|biggest|most_important|top-level|top_level modules|components|parts|packages|building_blocks REL? X?",
        "how do|are the? main? modules|components|parts|packages REL X? depend|connected|linked|hang|relate|fit ANY",
        "how do|are the? main? modules|components|parts|packages depend|connected|linked|hang|relate|fit on|to|with|together? each_other|one_another?",
        "ASK? module|dependency|import graph|structure|map|dependencies REL? X?",
        "ASK modules|components|packages does X consist|have of?",
        "ASK modules|components are there",
        "how do|are the? X modules|folders|packages|files|components USE|hang|connected|linked|related|coupled ANY",
        "how do|are X USE each_other|one_another",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    if subject::is_project(teller.index, &read.x) {
        return teller.say_modules("");
    }
    let several = several(&read.x);
    if several.len() > 1 {
        return say_between(teller, &several);
    }
    match folder(teller, &read.x) {
        Some(folder) => teller.say_modules(&folder),
        None => false,
    }
}

/// Splits names that are listed together: `routing, handler and extract`.
fn several(words: &str) -> Vec<String> {
    let words = words.replace(" and ", ",").replace([' ', '`'], ",");
    let names = words
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty() && *word != "the");
    names.map(str::to_owned).collect()
}

/// States every way in which one of the modules imports another.
fn say_between(teller: &mut Teller<'_, '_>, names: &[String]) -> bool {
    let found: Option<Vec<Subject>> = names.iter().map(|name| teller.subject(name)).collect();
    let Some(found) = found else {
        return false;
    };
    for (at, x) in found.iter().enumerate() {
        for y in found.iter().skip(at + 1) {
            Say::new(teller).coupled(x, y, false);
        }
    }
    !teller.notes.statements.is_empty()
}
