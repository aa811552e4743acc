//! The tree of folders and files (PathFinder, strategy 2).

use super::{Gives, Strategy, begin_listing, plan_listing};
use crate::lab::questions::written::listing;
use crate::lab::questions::written::pathfinder::Frame;

pub(super) const STRATEGY: Strategy = Strategy {
    name: "s2",
    title: "The tree of folders and files",
    plan: |desk| plan_listing(desk, "s2", listing::paths, desk.room(&FRAME.system())),
    begin: |desk, unit, _| begin_listing(desk, &FRAME, listing::paths, unit),
    gives: Gives {
        questions: 3.5,
        requests: 1,
        answer_tokens: 500,
    },
};

const FRAME: Frame = Frame {
    given: "You are shown the paths of its files.",
    task: "- Ask about what the parts are for and how they work together; several files should be \
           needed where that is natural.",
    wanted: 6,
    least: 1,
};
