//! The tree with the names of classes, methods and functions (PathFinder, strategy 3).

use super::{Gives, Strategy, begin_listing, plan_listing};
use crate::lab::questions::written::listing;
use crate::lab::questions::written::pathfinder::Frame;

pub(super) const STRATEGY: Strategy = Strategy {
    name: "s3",
    title: "The tree with the names of classes and functions",
    plan: |desk| plan_listing(desk, "s3", listing::names, desk.room(&FRAME.system())),
    begin: |desk, unit, _| begin_listing(desk, &FRAME, listing::names, unit),
    gives: Gives {
        questions: 3.5,
        requests: 1,
        answer_tokens: 500,
    },
};

const FRAME: Frame = Frame {
    given: "You are shown the paths of its files, and below each the names of its classes, with \
            the classes that they inherit from and their methods, and of its functions.",
    task: "- Ask what certain classes and functions contribute to a feature, and how those of \
           different files work together; several files should be needed where that is natural.",
    wanted: 6,
    least: 1,
};
