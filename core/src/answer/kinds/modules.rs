//! The main modules of the project or a folder, and how they depend on each other, from the import graph.

use super::Kind;
use super::overview::folder;
use super::subject;
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
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    if subject::is_project(teller.index, &read.x) {
        return teller.say_modules("");
    }
    match folder(teller, &read.x) {
        Some(folder) => teller.say_modules(&folder),
        None => false,
    }
}
