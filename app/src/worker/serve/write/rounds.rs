//! The exchange with the service for one answer: the question is sent, repeated if the service
//! refuses for now, and followed by the results of tool calls, until the answer is complete.

use std::rc::Rc;

use footnote_core::model::protocol::{
    Backoff, Chat, Failure, FinishReason, Message, StreamEvent, StreamReader, Thoughts, ToolCall,
};
use footnote_core::model::tools;

use super::progress::Progress;
use crate::worker::protocol::{StepView, WritingState};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::connect::{Connection, Connector, Letter, Patience, counted, pause};
use crate::worker::serve::draft::place;
use crate::worker::serve::repo::OpenRepo;

/// The outcome of one request.
struct Round {
    /// Whether any of it has arrived.
    has_begun: bool,
    /// Tokens that the model wrote, if the service counted them.
    tokens: Option<u32>,
    calls: Vec<ToolCall>,
    finish_reason: FinishReason,
    thoughts: Thoughts,
}

/// Reports a temporarily failed attempt to the reader of the answer: all of it is sent again.
fn failed(attempt: u32, failure: &Failure) -> StepView {
    StepView {
        summary: format!("Attempt {attempt} failed, retrying: {}", failure.what()),
        places: Vec::new(),
    }
}

/// One answer that is being written.
pub struct Rounds<'a> {
    pub connector: &'a Connector,
    pub open: &'a Rc<OpenRepo>,
    pub connection: &'a Connection,
    pub progress: &'a Progress,
    pub cancel: &'a Cancel,
    /// Decides when to say that nothing arrives.
    pub patience: &'a Patience,
}

impl Rounds<'_> {
    /// Asks until the answer is complete; returns how it ended.
    pub async fn run(&self, mut chat: Chat) -> WritingState {
        let mut calls = 0;
        let mut was_refused = false;
        loop {
            let round = match self.round_with_retries(&mut chat).await {
                Ok(round) => round,
                Err(Failure::Stopped) => return WritingState::Stopped,
                Err(failure) => return WritingState::Failed(self.connection.notice(&failure)),
            };
            // If a model calls tools although it was told to answer now, it is not asked a third
            // time.
            if round.calls.is_empty() || was_refused {
                return match round.finish_reason {
                    FinishReason::Length | FinishReason::Tools => WritingState::CutOff,
                    _ => WritingState::Finished,
                };
            }
            was_refused = self.call_tools(&mut chat, round.calls, &mut calls);
        }
    }

    async fn round_with_retries(&self, chat: &mut Chat) -> Result<Round, Failure> {
        let mut backoff = Backoff::default();
        let mut attempt = 0;
        loop {
            attempt += 1;
            let failure = match self.round(chat).await {
                Ok(round) => return Ok(round),
                Err(failure) => failure,
            };
            if let Some(other) = chat.instead(&failure) {
                self.connection.learn(&other);
                *chat = other;
                continue;
            }
            // Text that was already shown is not thrown away for a second attempt, and an address
            // that does not answer is not tried again: the user knows better whether that helps.
            let is_hopeless =
                self.progress.has_text() || matches!(failure, Failure::Unreachable(_));
            let wait = backoff.wait_ms(&failure, js_sys::Math::random() as f32);
            match wait.filter(|_| !is_hopeless) {
                Some(wait_ms) => {
                    self.progress.step(failed(attempt, &failure));
                    self.wait(wait_ms, &failure).await?;
                }
                None => return Err(failure),
            }
        }
    }

    /// Shows the reason and the duration, and waits.
    async fn wait(&self, wait_ms: u64, failure: &Failure) -> Result<(), Failure> {
        let seconds = wait_ms.div_ceil(1000) as u32;
        let why = failure.what();
        self.progress
            .change(|draft| draft.view.state = WritingState::Waiting { seconds, why });
        pause(wait_ms, self.cancel).await?;
        self.progress
            .change(|draft| draft.view.state = WritingState::Sent);
        Ok(())
    }

    /// Sends one request and reads its streamed answer.
    async fn round(&self, chat: &Chat) -> Result<Round, Failure> {
        let letter = Letter::chat("answer", self.connection, chat);
        self.progress
            .change(|draft| draft.view.count(letter.tally()));
        let mut reader = StreamReader::new(self.connection.service.kind);
        let mut round = Round {
            has_begun: false,
            tokens: None,
            calls: Vec::new(),
            finish_reason: FinishReason::End,
            thoughts: Thoughts::default(),
        };
        let mut trouble = None;
        let telling = self.progress.keep_telling();
        let hear = |piece: &[u8]| self.take(reader.push(piece), &mut round, &mut trouble);
        let target = self.connection.target();
        let result = self
            .connector
            .exchange(target, &letter, self.cancel, Some(self.patience), hear)
            .await;
        drop(telling);
        let is_whole = result.is_ok() && !self.cancel.asked();
        if is_whole {
            self.take(reader.finish(), &mut round, &mut trouble);
        }
        // A refused request wrote nothing.
        if round.has_begun {
            self.progress.wrote(round.tokens);
        }
        if self.cancel.asked() {
            return Err(Failure::Stopped);
        }
        result?;
        let rest = round.thoughts.rest();
        if !rest.is_empty() {
            self.progress.write(&rest);
        }
        match trouble {
            Some(failure) => Err(failure),
            None => Ok(round),
        }
    }

    /// Handles events of the stream; returns false if nothing more is wanted.
    fn take(
        &self,
        events: Vec<StreamEvent>,
        round: &mut Round,
        trouble: &mut Option<Failure>,
    ) -> bool {
        for event in events {
            round.has_begun |= !matches!(event, StreamEvent::Failed(_));
            match event {
                StreamEvent::Text(text) => {
                    let text = round.thoughts.without(&text);
                    if !text.is_empty() && !self.progress.write(&text) {
                        round.finish_reason = FinishReason::Length;
                        return false;
                    }
                }
                StreamEvent::Call(call) => round.calls.push(call),
                StreamEvent::Done(finish_reason) => round.finish_reason = finish_reason,
                StreamEvent::Failed(failure) => {
                    // After the answer was cut off for its length, the rest no longer matters.
                    if round.finish_reason != FinishReason::Length {
                        *trouble = Some(failure);
                    }
                    return false;
                }
                StreamEvent::Usage { answer_tokens, .. } => {
                    round.tokens = counted(answer_tokens);
                }
                StreamEvent::Thinking(_) => {}
            }
        }
        true
    }

    /// Runs the tools that the model called; what they find becomes evidence and a visible step.
    /// What the model wrote before the call was not the answer yet. Returns true if it called tools
    /// too often.
    fn call_tools(&self, chat: &mut Chat, calls: Vec<ToolCall>, made: &mut usize) -> bool {
        let mut was_refused = false;
        let text = self.progress.read(|draft| draft.view.text.clone());
        chat.messages.push(Message::Assistant {
            text,
            calls: calls.clone(),
        });
        self.progress.change(|draft| draft.restart());
        let index = &self.open.index;
        for call in calls {
            let outcome = if tools::may_call(chat, *made) {
                *made += 1;
                tools::run(index, &self.open.vectors.borrow(), &call)
            } else {
                was_refused = true;
                tools::refuse_more(&call)
            };
            let places: Vec<_> = outcome
                .evidence
                .iter()
                .map(|(file, lines)| place(index, *file, *lines))
                .collect();
            self.progress.change(|draft| {
                for (file, lines) in &outcome.evidence {
                    draft.evidence.add(*file, *lines);
                }
                draft.view.sent.extend(places.iter().cloned());
            });
            self.progress.step(StepView {
                summary: outcome.summary,
                places,
            });
            chat.messages.push(Message::ToolResult {
                id: call.id,
                name: call.name,
                text: outcome.text,
            });
        }
        was_refused
    }
}
