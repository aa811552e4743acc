//! Wakes tasks that wait for a change in the engine's state.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::task::{Poll, Waker};

/// Any number of tasks can wait; each change wakes all of them.
#[derive(Debug, Default)]
pub struct Signal {
    changes: Cell<u64>,
    waiting: RefCell<Vec<Waker>>,
}

impl Signal {
    pub fn notify(&self) {
        self.changes.set(self.changes.get() + 1);
        for waker in self.waiting.take() {
            waker.wake();
        }
    }

    /// Completes at the next change after this call.
    pub fn changed(&self) -> impl Future<Output = ()> {
        let seen = self.changes.get();
        poll_fn(move |context| {
            if self.changes.get() != seen {
                return Poll::Ready(());
            }
            self.waiting.borrow_mut().push(context.waker().clone());
            Poll::Pending
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::Context;

    #[test]
    fn a_change_ends_all_waits_that_began_before_it() {
        let signal = Signal::default();
        let mut context = Context::from_waker(Waker::noop());
        let mut first = pin!(signal.changed());
        let mut second = pin!(signal.changed());
        assert!(first.as_mut().poll(&mut context).is_pending());
        signal.notify();
        let mut third = pin!(signal.changed());
        assert!(first.poll(&mut context).is_ready());
        assert!(second.as_mut().poll(&mut context).is_ready());
        assert!(third.as_mut().poll(&mut context).is_pending());
    }
}
