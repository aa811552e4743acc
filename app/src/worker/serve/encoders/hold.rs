//! Pauses the vectors that no question is waiting for while something else needs the cores.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::Encoders;
use crate::platform::clock::sleep;

/// Milliseconds without a question before such vectors are computed: the first answers have the
/// cores to themselves.
const QUIET_MS: u32 = 5_000;

impl Encoders {
    /// Computes no such vectors until the result is dropped, because they would take a core away
    /// from what is on screen.
    pub fn hold(self: &Rc<Self>) -> Hold {
        self.holds.set(self.holds.get() + 1);
        Hold(Rc::clone(self))
    }

    /// Pauses them until no question has come for some time; each question starts the pause again.
    pub(super) fn keep_quiet(self: &Rc<Self>) {
        let hold = self.hold();
        spawn_local(async move {
            sleep(QUIET_MS).await;
            drop(hold);
        });
    }
}

/// Pauses background vectors while it exists.
pub struct Hold(Rc<Encoders>);

impl Drop for Hold {
    fn drop(&mut self) {
        let Self(encoders) = self;
        encoders.holds.set(encoders.holds.get() - 1);
        encoders.feed();
    }
}
