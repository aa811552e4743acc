//! Sends questions to the connected model whose answer is not shown as it arrives. A question is
//! repeated if the service refuses for now or does not support something in the request, and cut
//! off if the answer does not end.

use footnote_core::model::protocol::{Backoff, Chat, Failure, FinishReason, Listener};

use super::{Connection, Connector, Letter, Patience, Whole, counted};
use crate::platform::clock::sleep;
use crate::worker::serve::cancel::Cancel;

/// Most bytes of an answer to read: no question asked this way needs a tenth of it.
const MAX_BYTES: usize = 4 << 20;
/// Milliseconds between two checks of a wait for cancellation.
const WAIT_SLICE_MS: u32 = 100;

/// Receives the progress of an exchange; all methods can do nothing.
pub trait Watching {
    /// Whether a request may be sent; if not, the answer is no longer needed.
    fn may_send(&self, letter: &Letter) -> bool;
    /// Nothing is sent for this many seconds, because the service refused for now.
    fn waits(&self, seconds: u32, why: &str);
}

impl Watching for () {
    fn may_send(&self, _letter: &Letter) -> bool {
        true
    }

    fn waits(&self, _seconds: u32, _why: &str) {}
}

impl Connector {
    /// Asks until there is an answer, or until there is no hope of one.
    pub async fn ask(
        &self,
        connection: &Connection,
        purpose: &'static str,
        chat: Chat,
        cancel: &Cancel,
        watching: &impl Watching,
    ) -> Result<Whole, Failure> {
        let mut backoff = Backoff::default();
        let mut chat = connection.adapted(chat);
        loop {
            let letter = Letter::chat(purpose, connection, &chat);
            if !watching.may_send(&letter) {
                return Err(Failure::Stopped);
            }
            let failure = match self.one_answer(connection, &letter, cancel, None).await {
                Ok(whole) => return Ok(whole),
                Err(failure) => failure,
            };
            if let Some(other) = chat.instead(&failure) {
                connection.learn(&other);
                chat = other;
                continue;
            }
            let wait = backoff.wait_ms(&failure, js_sys::Math::random() as f32);
            // An address that does not answer is not tried again.
            let wait = wait.filter(|_| !matches!(failure, Failure::Unreachable(_)));
            let Some(wait_ms) = wait else {
                return Err(failure);
            };
            watching.waits(wait_ms.div_ceil(1_000) as u32, &failure.what());
            pause(wait_ms, cancel).await?;
        }
    }

    /// Asks once, and returns the whole answer.
    pub async fn one_answer(
        &self,
        connection: &Connection,
        letter: &Letter,
        cancel: &Cancel,
        patience: Option<&Patience>,
    ) -> Result<Whole, Failure> {
        let mut listener = Listener::new(connection.service.kind, MAX_BYTES);
        let hear = |piece: &[u8]| listener.hear(piece);
        self.exchange(connection.target(), letter, cancel, patience, hear)
            .await?;
        let reason = listener.end()?;
        Ok(Whole {
            text: listener.text,
            tokens: counted(listener.answer_tokens),
            is_cut: reason == FinishReason::Length,
        })
    }
}

/// Waits unless it is stopped.
pub async fn pause(wait_ms: u64, cancel: &Cancel) -> Result<(), Failure> {
    let mut left = u32::try_from(wait_ms).unwrap_or(u32::MAX);
    while left > 0 {
        if cancel.asked() {
            return Err(Failure::Stopped);
        }
        let slice = left.min(WAIT_SLICE_MS);
        sleep(slice).await;
        left -= slice;
    }
    Ok(())
}
