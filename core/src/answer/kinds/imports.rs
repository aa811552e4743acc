//! What X imports: files of the repository, then libraries (RepoQA-SA, dependency questions).

use super::Kind;
use super::say::Say;
use super::teller::Teller;
use super::wording::Read;

pub(super) const KIND: Kind = Kind {
    name: "imports",
    wordings: &[
        "what|which @files|modules|headers? else? DO X USE",
        "what|which source|header|local|own|internal|other|.cpp|.c|.h|.py|.js|.ts|.rs|.java @files|modules|headers DO X USE",
        "ASK? @imports|dependencies DO X have|make",
        "ASK? local|own|internal|other|repository? @files|modules|file|module DO? USE by|in|from X",
        "ASK? local|own|internal|other? @files|modules REL? that|which? X USE",
        "ASK @modules|files of|in|from this|the|our crate|package|project|repository that X USE",
        "ASK? @imports|dependencies REL X",
        "what is X USE",
        "X @imports|dependencies",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(x) = teller.subject(&read.x) else {
        return false;
    };
    let mut say = Say::new(teller);
    let files_only = matches!(
        read.word.as_str(),
        "files" | "file" | "modules" | "module" | "headers"
    );
    say.imports(&x, files_only);
    say.is_said()
}
