//! Vectors that no one waits for are held back where something else needs the cores.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::Encoders;
use crate::platform::clock::sleep;

/// How long no question comes before vectors that no one waits for are computed, in milliseconds: the first answers
/// have the cores for themselves.
const QUIET_MS: u32 = 5_000;

impl Encoders {
    /// Computes no vectors that no one waits for until the result is dropped: what is on screen while they are
    /// computed beside gets a core less.
    pub fn hold(self: &Rc<Self>) -> Hold {
        self.holds.set(self.holds.get() + 1);
        Hold(Rc::clone(self))
    }

    /// Begins anew to wait until no question comes any more.
    pub(super) fn keep_quiet(self: &Rc<Self>) {
        let stirred = self.stirred.get().wrapping_add(1);
        self.stirred.set(stirred);
        // The new one is there before the old one goes.
        drop(self.quiet.replace(Some(self.hold())));
        let encoders = Rc::clone(self);
        spawn_local(async move {
            sleep(QUIET_MS).await;
            if encoders.stirred.get() == stirred {
                drop(encoders.quiet.take());
            }
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
