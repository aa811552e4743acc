//! What X imports: files of the repository, then libraries (RepoQA-SA, dependency questions).

use super::Kind;
use super::say::Say;
use super::teller::Teller;
use super::wording::Read;

pub(super) const KIND: Kind = Kind {
    name: "imports",
    wordings: &[
        "what|which .cpp|.c|.h|header|source? files? modules? else? does|do X import|depend_on|require|include",
        "ASK? imports|dependencies does|do X have|make",
        "ASK files|modules are|is imported|required by|in X",
        "ASK? imports|dependencies REL X",
        "what is X dependent on",
        "X imports|dependencies",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(x) = teller.subject(&read.x) else {
        return false;
    };
    let mut say = Say::new(teller);
    say.imports(&x);
    say.is_said()
}
