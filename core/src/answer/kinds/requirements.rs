//! Whether the project needs anything at run time, from its manifest.

use super::Kind;
use super::subject;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::facts;

/// What a project can need.
macro_rules! needs {
    () => {
        "any|other|no? runtime|run-time|run_time|external|third_party|third-party|hard|mandatory|required|python|npm? dependencies|requirements"
    };
}

pub(super) const KIND: Kind = Kind {
    name: "dependencies",
    wordings: &[
        concat!(
            "does|do|will|has X have|has|need|require|pull_in|bring ",
            needs!()
        ),
        concat!(
            "does|do|will|has X have|has|need|require|pull_in|bring ",
            needs!(),
            " that|which|to|when|besides ANY"
        ),
        concat!("is|are there ", needs!()),
        concat!("is|are there ", needs!(), " of|in|for X"),
        concat!("is|are there ", needs!(), " that|which|to|when ANY"),
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    subject::is_project(teller.index, &read.x)
        && facts::state_any_dependency(teller.index, teller.notes)
}
