//! Lets a lower owner notify higher ones that it does not know.

use std::cell::RefCell;
use std::rc::Rc;

/// Callbacks for an event; those of owners that no longer exist are skipped.
#[derive(Default)]
pub struct Hook(RefCell<Vec<Box<dyn Fn()>>>);

impl Hook {
    /// Calls `hear` on `owner` whenever the event happens.
    pub fn add<T: 'static>(&self, owner: &Rc<T>, hear: impl Fn(&T) + 'static) {
        let owner = Rc::downgrade(owner);
        let hear = move || {
            if let Some(owner) = owner.upgrade() {
                hear(&owner);
            }
        };
        self.0.borrow_mut().push(Box::new(hear));
    }

    /// Reports that the event happened.
    pub fn call(&self) {
        for hear in self.0.borrow().iter() {
            hear();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn an_added_listener_hears_each_call_as_long_as_it_exists() {
        let (hook, stays, goes) = (Hook::default(), Rc::new(Cell::new(0)), Rc::new(()));
        let heard = Rc::clone(&stays);
        hook.add(&stays, |count| count.set(count.get() + 1));
        hook.add(&goes, move |()| heard.set(heard.get() + 10));
        hook.call();
        assert_eq!(stays.get(), 11);
        drop(goes);
        hook.call();
        assert_eq!(stays.get(), 12);
    }
}
