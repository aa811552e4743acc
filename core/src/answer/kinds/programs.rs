//! Whether a package installs programs to run.

use super::Kind;
use super::subject;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::facts;

/// Words for programs.
macro_rules! programs {
    () => {
        "binary|binaries|executable|executables|tool|tools|program|programs|command|commands|cli|interface|script|scripts"
    };
}

/// Words before them that say they are run in a terminal.
macro_rules! terminal {
    () => {
        "command_line|command-line|commandline|console|cli|terminal|executable"
    };
}

pub(super) const KIND: Kind = Kind {
    name: "programs",
    wordings: &[
        concat!(
            "does|do X install|have|has|provide|ship|ships|include|contain|offer|bring|come with? a|an|any ",
            terminal!(),
            " ",
            programs!()
        ),
        concat!(
            "does|do X install|have|has|provide|ship|ships|include|contain|offer|bring|come with? a|an|any ",
            "binary|binaries|executable|executables|cli"
        ),
        concat!(
            "is|are there a|an|any? ",
            terminal!(),
            " ",
            programs!(),
            " REL? X?"
        ),
        "is|are there a|an|any? binary|binaries|executable|executables|cli REL? X?",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    subject::is_project(teller.index, &read.x) && facts::state_programs(teller.index, teller.notes)
}
