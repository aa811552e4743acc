//! Whether the project needs anything at run time, from its manifest.

use super::Kind;
use super::subject;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::facts;
use crate::lang::manifest::FactKind;

/// What a project can need.
macro_rules! needs {
    () => {
        "any|other|no? runtime|run-time|run_time|external|third_party|third-party|hard|mandatory|required|python|npm? runtime|run-time|run_time? dependencies|dependency|requirements|packages|package|libraries|library|crates"
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
        concat!(
            "does|do|will|has X have|has|need|require|pull_in|bring ",
            needs!(),
            " at runtime|run_time ANY"
        ),
        "what does|do X need|needs|require|depend_on|pull_in at runtime|run_time ANY",
        "what does|do X need|needs|require|depend_on|pull_in",
        "what does|do X need|needs|require|depend_on|pull_in from pypi|npm|crates.io|packagist|rubygems ANY",
        "ASK? runtime|run-time|production dependencies|requirements|packages|libraries not|without|excluding|no|besides|only ANY",
        concat!("is|are there ", needs!()),
        concat!("is|are there ", needs!(), " of|in|for X"),
        concat!("is|are there ", needs!(), " that|which|to|when ANY"),
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    if !subject::is_project(teller.index, &read.x) {
        return false;
    }
    let asked = teller.question.text().trim_start().to_lowercase();
    // Wordings do not see “at runtime” at the end of a question.
    let says_when = [
        "runtime",
        "run time",
        "run-time",
        "dependenc",
        "third",
        "requirements",
    ];
    let says_where = ["pypi", "npm", "crates.io", "packag", "librar", "crate"];
    let mut said = says_when.iter().chain(&says_where);
    if !said.any(|word| asked.contains(word)) {
        return false;
    }
    let is_list = ["what", "which", "list", "runtime", "run-time", "production"];
    if is_list.iter().any(|begin| asked.starts_with(begin)) {
        facts::state_one(teller.index, FactKind::Dependency, teller.notes);
        if !teller.notes.statements.is_empty() {
            return true;
        }
    }
    facts::state_any_dependency(teller.index, teller.notes)
}
