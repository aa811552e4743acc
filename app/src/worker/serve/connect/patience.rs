//! When to say that nothing arrives from the service, and that data arrives again.

use std::rc::Rc;

/// Reports for how many seconds nothing has arrived, or that data arrives again. Clones report to
/// the same receiver.
#[derive(Clone)]
pub struct Patience {
    after_s: u32,
    say: Rc<dyn Fn(Option<u32>)>,
}

impl Patience {
    pub fn new(after_s: u32, say: impl Fn(Option<u32>) + 'static) -> Self {
        Self {
            after_s: after_s.max(1),
            say: Rc::new(say),
        }
    }

    pub fn milliseconds(&self) -> f64 {
        f64::from(self.after_s) * 1_000.0
    }

    /// Called after some milliseconds of silence. `times` is how often the silence was reported
    /// before; reports it again if the time has run out since, and returns the new count.
    pub fn heed(&self, silent_ms: f64, times: u32) -> u32 {
        let now = (silent_ms / self.milliseconds()) as u32;
        if now != times {
            (self.say)((now > 0).then(|| now * self.after_s));
        }
        now
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn silence_is_reported_whenever_patience_ends_and_withdrawn_when_data_arrives() {
        let told = Rc::new(RefCell::new(Vec::new()));
        let heard = Rc::clone(&told);
        let patience = Patience::new(30, move |seconds| heard.borrow_mut().push(seconds));
        let mut times = 0;
        for silent_s in [0.0, 29.9, 30.0, 31.0, 59.0, 60.5, 0.05, 12.0, 30.1] {
            times = patience.heed(silent_s * 1_000.0, times);
        }
        assert_eq!(*told.borrow(), [Some(30), Some(60), None, Some(30)]);
    }
}
