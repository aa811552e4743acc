//! Vectors that no one waits for are held back where something else needs the cores.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::Encoders;
use crate::platform::clock::sleep;

/// How long no question comes before vectors that no one waits for are computed, in milliseconds:
/// the first answers have the cores for themselves.
const QUIET_MS: u32 = 5_000;

impl Encoders {
    /// Computes no vectors that no one waits for until the result is dropped: what is on screen
    /// while they are computed beside gets a core less.
    pub fn hold(self: &Rc<Self>) -> Hold {
        self.holds.set(self.holds.get() + 1);
        Hold(Rc::clone(self))
    }

    /// Holds them until no question came for some time: each question holds them anew.
    pub(super) fn keep_quiet(self: &Rc<Self>) {
        let hold = self.hold();
        spawn_local(async move {
            sleep(QUIET_MS).await;
            drop(hold);
        });
    }
}

/// Holds background vectors back.
pub struct Hold(Rc<Encoders>);

impl Drop for Hold {
    fn drop(&mut self) {
        let Self(encoders) = self;
        encoders.holds.set(encoders.holds.get() - 1);
        encoders.feed();
    }
}
