//! What X calls.

use super::Kind;
use super::say::Say;
use super::teller::Teller;
use super::wording::Read;

pub(super) const KIND: Kind = Kind {
    name: "callees",
    wordings: &[
        "what|which functions|methods|helpers|else? own|other? functions|methods? DO X CALL",
        "what|which helper|internal|own|other? functions|methods DO X CALL",
        "what|which helper|internal|own? functions|methods|helpers? DO CALL by|from|in|inside|within X",
        "ASK? callees|callee REL? X",
        "ASK? helper|internal? functions|methods REL? that|which? X CALL",
        "ASK? functions|methods CALL by|from|in|inside X",
        "ASK? calls made|in|by|from in|by? X",
        "X callees",
        "X what|which functions|methods|else? does|do it CALL",
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
