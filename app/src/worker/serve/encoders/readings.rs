//! The vectors of the tokens or lines of texts, computed by the encoders for comparisons more
//! precise than one vector per text.

use std::rc::Rc;

use footnote_core::embed::{Embedding, LineVectors, TokenVectors};
use footnote_core::search::{BertScore, bert_score};

use super::Encoders;
use crate::worker::encoder_protocol::Detail;
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::repo::{OpenRepo, Work};

impl Encoders {
    /// BERTScore of a question with each text; `None` if the model cannot be used.
    pub async fn bert_scores(
        &self,
        open: &Rc<OpenRepo>,
        question: &str,
        texts: &[String],
        cancel: &Cancel,
    ) -> Option<Vec<BertScore>> {
        let all = std::iter::once(question.to_owned()).chain(texts.iter().cloned());
        let all: Vec<String> = all.collect();
        let tokens = self.token_vectors(open, &all, cancel).await?;
        let (own, others) = tokens.split_first()?;
        Some(others.iter().map(|it| bert_score(own, it)).collect())
    }

    /// Returns the vectors of each text's tokens, in order; `None` if any of them is unavailable.
    async fn token_vectors(
        &self,
        open: &Rc<OpenRepo>,
        texts: &[String],
        cancel: &Cancel,
    ) -> Option<Vec<TokenVectors>> {
        let read = self.readings(open, texts, Detail::Tokens, cancel).await;
        let read = read.into_iter();
        read.map(|bytes| TokenVectors::from_bytes(&bytes?))
            .collect()
    }

    /// Returns the vectors of each text's lines, in order; `None` for each text where they are
    /// unavailable.
    pub async fn line_vectors(
        &self,
        open: &Rc<OpenRepo>,
        texts: &[String],
        cancel: &Cancel,
    ) -> Vec<Option<LineVectors>> {
        let read = self.readings(open, texts, Detail::Lines, cancel).await;
        let read = read.into_iter();
        read.map(|bytes| LineVectors::from_bytes(&bytes?)).collect()
    }

    /// Returns the vector of each text, in order; `None` for each one that is unavailable.
    pub async fn embed(
        &self,
        open: &Rc<OpenRepo>,
        texts: &[String],
        cancel: &Cancel,
    ) -> Vec<Option<Embedding>> {
        let numbers: Vec<u32> = {
            let mut work = open.work.borrow_mut();
            texts.iter().map(|text| work.ask(text)).collect()
        };
        self.until(open, cancel, |work| {
            numbers.iter().all(|&n| work.questions.is_settled(n))
        })
        .await;
        let mut work = open.work.borrow_mut();
        numbers.iter().map(|&n| work.take_embedding(n)).collect()
    }

    /// Has the encoders read each text. Each text is a piece of work of its own, so that all
    /// encoders take part. The result is `None` if the model cannot be used here or fails on the
    /// text, if `cancel` was requested, or if another repository was opened.
    async fn readings(
        &self,
        open: &Rc<OpenRepo>,
        texts: &[String],
        detail: Detail,
        cancel: &Cancel,
    ) -> Vec<Option<Vec<u8>>> {
        let numbers: Vec<u32> = {
            let mut work = open.work.borrow_mut();
            let numbers: Vec<u32> = texts.iter().map(|text| work.readings.add(text)).collect();
            numbers
                .iter()
                .for_each(|&n| work.queue.ask_reading(n, detail));
            numbers
        };
        self.until(open, cancel, |work| {
            numbers.iter().all(|&n| work.readings.is_settled(n))
        })
        .await;
        let mut work = open.work.borrow_mut();
        numbers.iter().for_each(|&n| work.queue.forget_reading(n));
        numbers.iter().map(|&n| work.readings.take(n)).collect()
    }

    /// Waits until the work `is_settled`, or until nothing more can come of it.
    async fn until(&self, open: &OpenRepo, cancel: &Cancel, is_settled: impl Fn(&Work) -> bool) {
        self.feed();
        loop {
            let change = self.services.changed.changed();
            let is_over = {
                let work = open.work.borrow();
                is_settled(&work) || work.failed.is_some()
            };
            if is_over || cancel.asked() || !self.shelf.is_current(open) {
                return;
            }
            change.await;
        }
    }
}
