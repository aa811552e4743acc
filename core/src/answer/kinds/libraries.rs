//! Which libraries X imports (RepoQA-SA, dependency questions).

use super::Kind;
use super::say::Say;
use super::teller::Teller;
use super::wording::Read;

pub(super) const KIND: Kind = Kind {
    name: "libraries",
    wordings: &[
        "ASK external|third-party|third_party|outside? libraries|library|packages|dependencies|modules does|do X import|use|need|require|depend_on|rely_on",
        "ASK external|third-party|third_party? libraries|packages|dependencies are|is imported|used|needed|required by|in X",
        "ASK? external|third-party|third_party? libraries|packages that? X imports|uses|needs|requires",
        "ASK? external|third-party|third_party? libraries|packages used|imported|needed|required by|in X",
        "ASK external|third-party|third_party libraries|packages|dependencies REL? X",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(x) = teller.subject(&read.x) else {
        return false;
    };
    let mut say = Say::new(teller);
    say.libraries(&x);
    say.is_said()
}
