//! Who calls X.

use super::Kind;
use super::say::Say;
use super::teller::Teller;
use super::wording::Read;

pub(super) const KIND: Kind = Kind {
    name: "callers",
    wordings: &[
        "what|who|which functions|methods|code|places|parts? calls|call|invokes|invoke|triggers X",
        "where|from_where is|are X called|invoked from?",
        "ASK? callers|callsites|call_sites REL X",
        "ASK? functions|methods|places|code that|which? call|calls|invoke|invokes X",
        "who|what else? is calling X",
        "what|which functions|methods X is called by|from",
        "X is called by who|what|whom",
        "by what|whom is X called",
        "X callers",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(x) = teller.symbols_subject(&read.x) else {
        return false;
    };
    let mut say = Say::new(teller);
    say.callers(&x);
    say.is_said()
}
