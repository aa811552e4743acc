//! Texts → the vectors of their tokens, by the encoders, for strategies that compare token by token.

use std::rc::Rc;

use footnote_core::embed::TokenVectors;

use super::Engine;
use super::repo::OpenRepo;
use super::steps::Stop;

impl Engine {
    /// The vectors of the tokens of each text, in order. Each text is a piece of work of its own, so
    /// that all encoders take part. `None` if the model cannot be used here, fails on a text, `stop`
    /// was asked for, or another repository was opened.
    pub(super) async fn token_vectors(
        self: &Rc<Self>,
        open: &Rc<OpenRepo>,
        texts: &[String],
        stop: &Stop,
    ) -> Option<Vec<TokenVectors>> {
        let numbers: Vec<u32> = {
            let mut work = open.work.borrow_mut();
            let numbers: Vec<u32> = texts.iter().map(|text| work.tokens.add(text)).collect();
            numbers.iter().for_each(|&n| work.queue.ask_tokens(n));
            numbers
        };
        self.feed();
        loop {
            let change = self.changed.changed();
            {
                let mut work = open.work.borrow_mut();
                let settled = numbers.iter().all(|&n| work.tokens.is_settled(n));
                if settled || work.failed.is_some() || stop.asked() || !self.is_current(open) {
                    numbers.iter().for_each(|&n| work.queue.forget_tokens(n));
                    let taken: Vec<_> = numbers.iter().map(|&n| work.tokens.take(n)).collect();
                    return taken.into_iter().collect();
                }
            }
            change.await;
        }
    }
}
