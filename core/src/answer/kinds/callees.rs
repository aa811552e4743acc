//! What X calls.

use super::Kind;
use super::say::Say;
use super::teller::Teller;
use super::wording::Read;

pub(super) const KIND: Kind = Kind {
    name: "callees",
    wordings: &[
        "what|which functions|methods|else? does X call|invoke",
        "what|which functions|methods? are|is called|invoked by|from|in|inside X",
        "ASK? callees REL X",
        "ASK? functions|methods that? X calls|invokes",
        "ASK? functions|methods called|invoked by|from|in|inside X",
        "ASK? calls made|in by|in? X",
        "X callees",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(x) = teller.symbols_subject(&read.x) else {
        return false;
    };
    let mut say = Say::new(teller);
    say.callees(&x);
    say.is_said()
}
