//! Sends one chat at a time: takes the stored reply, or sends it, sends it again where that may
//! help, and stores the reply.

use footnote_core::lab::questions::{self, Budget, Estimate};
use footnote_core::model::prompt::{answer_tokens, chat_tokens, estimate_tokens};
use footnote_core::model::protocol::{Backoff, Chat, ChatOption, Failure, FinishReason, Listener};

use super::http::{Fault, Line};
use super::kept::{Kept, KeptReply};
use super::limits::Limits;
use super::progress::Progress;
use super::{Args, Outlook, advice, consent, wait};
use crate::Result;

/// A run ends after this many requests in a row without a reply.
const MAX_FAILURES: u32 = 3;
/// The most bytes read of an answer; a model that writes more has lost its way.
const MAX_ANSWER_BYTES: usize = 1 << 20;
/// Windows grow in steps of this many tokens, since Ollama reloads a model for each size.
const WINDOW_STEP: u32 = 4_096;

/// What a model said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub text: String,
    /// As counted by the service.
    pub answer_tokens: Option<u32>,
    /// Whether nothing was sent for it.
    pub from_cache: bool,
}

impl Reply {
    /// The reply as core's runs read it.
    pub fn read(&self) -> questions::Reply<'_> {
        questions::Reply {
            text: &self.text,
            answer_tokens: self.answer_tokens,
            from_cache: self.from_cache,
        }
    }
}

/// The result of a request.
pub enum Came<'r> {
    /// The model said something.
    Said(&'r Reply),
    /// It said nothing, for this reason.
    Failed(&'static str),
}

/// Why there is no reply. The user already knows of a failure.
#[derive(Debug)]
pub enum NoReply {
    /// The next request may do better.
    Failed,
    /// A limit that the user set is reached; a sentence.
    Spent(String),
    /// The run cannot go on; sentences.
    Over(String),
}

/// Asks one service, and remembers what it learns about it on the way.
pub struct Asker {
    line: Line,
    limits: Limits,
    kept: Option<Kept>,
    progress: Progress,
    answer_tokens: Option<u32>,
    /// The options that the service refused.
    omitted: Vec<ChatOption>,
    /// The options that the user asked for, which are never left out.
    fixed: Vec<ChatOption>,
    window: u32,
    /// Whether the service has answered at all.
    has_answered: bool,
    failures_in_row: u32,
    /// How many answers ended at the token limit.
    cut: u32,
}

impl Asker {
    pub(super) fn new(
        line: Line,
        limits: Limits,
        kept: Option<Kept>,
        answer_tokens: Option<u32>,
    ) -> Self {
        Self {
            line,
            limits,
            kept,
            progress: Progress::default(),
            answer_tokens,
            omitted: Vec::new(),
            fixed: Vec::new(),
            window: 0,
            has_answered: false,
            failures_in_row: 0,
            cut: 0,
        }
    }

    /// Makes an option of a chat stay even if the service refuses it.
    pub fn fix(&mut self, option: ChatOption) {
        self.fixed.push(option);
    }

    /// The most tokens of a prompt, if nothing is known about the model.
    pub fn assumed_window(&self) -> u32 {
        self.line.service.assumed_window()
    }

    /// The most tokens of one answer.
    pub fn answer_tokens(&self) -> u32 {
        let usual = || answer_tokens(self.assumed_window());
        self.answer_tokens.unwrap_or_else(usual)
    }

    /// Says what will be sent, and asks the user to agree.
    pub fn confirm(&mut self, args: &Args, outlook: Outlook) -> Result<()> {
        self.progress.expect(outlook.requests);
        let model = args.model.as_deref().unwrap_or_default();
        let has_key = self.line.key.is_some();
        let asks = args.wants_to_be_asked();
        consent::confirm(&self.line.service, has_key, model, outlook, asks)
    }

    /// The reply to `chat` stored under `key`, or else the service's, which is then stored.
    pub fn ask(&mut self, chat: &Chat, key: &str) -> std::result::Result<Reply, NoReply> {
        if let Some(kept) = self.kept.as_ref().and_then(|kept| kept.get(key)) {
            return Ok(Reply {
                text: kept.output.clone(),
                answer_tokens: kept.tokens,
                from_cache: true,
            });
        }
        let mut chat = self.adapted(chat);
        self.limits.check(&chat).map_err(NoReply::Spent)?;
        let reply = match self.with_retries(&mut chat) {
            Ok(reply) => reply,
            Err(fault) => return Err(self.failed(fault)),
        };
        self.has_answered = true;
        self.failures_in_row = 0;
        if let Some(kept) = &mut self.kept {
            let kept_reply = KeptReply {
                output: reply.text.clone(),
                tokens: reply.answer_tokens,
            };
            let result = kept.keep(key, kept_reply);
            result.map_err(|error| NoReply::Over(error.to_string()))?;
        }
        self.progress.step(&self.limits.used);
        Ok(reply)
    }

    /// Says what a run with this estimate will send and may use, and asks the user to agree. Stored
    /// replies count too, so that a repeated command ends where it ended before.
    pub fn confirm_run(&mut self, args: &Args, estimate: &Estimate) -> Result<Budget> {
        let usual = estimate.with_room();
        let most = Budget {
            requests: args.max_requests.unwrap_or(usual.requests),
            tokens: args.max_tokens.unwrap_or(usual.tokens),
        };
        let outlook = Outlook {
            requests: estimate.requests as usize,
            prompt_tokens: estimate.prompt_tokens,
            answer_tokens: estimate.answer_tokens,
            most: Some((most.requests, most.tokens)),
        };
        self.confirm(args, outlook)?;
        Ok(most)
    }

    /// Asks what `next` returns, a key and a chat, until it returns nothing or a limit is reached.
    /// `next` is first given the result of its last request.
    ///
    /// # Errors
    /// Returns why the run cannot go on.
    pub fn ask_all(
        &mut self,
        mut next: impl FnMut(Option<Came<'_>>) -> Option<(String, Chat)>,
    ) -> Result<()> {
        let mut asked = next(None);
        while let Some((key, chat)) = asked {
            asked = match self.ask(&chat, &key) {
                Ok(reply) => next(Some(Came::Said(&reply))),
                Err(NoReply::Failed) => next(Some(Came::Failed("the service did not answer"))),
                Err(NoReply::Spent(why)) => {
                    self.say(&why);
                    None
                }
                Err(NoReply::Over(why)) => {
                    self.finish();
                    return Err(why.into());
                }
            };
        }
        self.finish();
        Ok(())
    }

    /// Prints a sentence beside the progress.
    pub fn say(&mut self, sentence: &str) {
        self.progress.say(sentence);
    }

    /// Prints what the run has used.
    pub fn finish(&mut self) {
        self.progress.end();
        let used = self.limits.used;
        if used.requests > 0 {
            self.progress.say(&format!(
                "Requests sent: {}; tokens read: about {}, written: {}.",
                used.requests, used.prompt_tokens, used.answer_tokens
            ));
        }
        if self.cut > 0 {
            let (cut, most) = (self.cut, self.answer_tokens());
            self.progress.say(&format!(
                "Answers cut at {most} tokens: {cut}; --answer-tokens allows more."
            ));
        }
    }

    fn adapted(&mut self, chat: &Chat) -> Chat {
        let mut chat = chat.clone();
        chat.max_tokens = self.answer_tokens.unwrap_or(chat.max_tokens);
        chat.omitted.extend(&self.omitted);
        let needed = chat_tokens(&chat) as u64 + u64::from(chat.max_tokens);
        let needed = u32::try_from(needed).unwrap_or(u32::MAX);
        self.window = self
            .window
            .max(needed.div_ceil(WINDOW_STEP).saturating_mul(WINDOW_STEP));
        chat.window = chat.window.or(Some(self.window));
        chat
    }

    fn with_retries(&mut self, chat: &mut Chat) -> std::result::Result<Reply, Fault> {
        let mut backoff = Backoff::default();
        loop {
            let fault = match self.send(chat) {
                Ok(reply) => return Ok(reply),
                Err(fault) => fault,
            };
            if self.limits.check(chat).is_err() {
                return Err(fault);
            }
            if let Some(other) = self.instead(chat, &fault.failure) {
                *chat = other;
                continue;
            }
            let wait = self
                .may_help(&fault.failure)
                .then(|| wait::before_next(&mut backoff, &fault.failure));
            let Some(wait) = wait.flatten() else {
                return Err(fault);
            };
            let seconds = wait.as_secs_f32();
            self.tell(&format!("{} Sent again in {seconds:.1} s.", fault.what()));
            std::thread::sleep(wait);
        }
    }

    /// The chat without the option that the service refuses, if it can do without; later chats
    /// leave it out too.
    fn instead(&mut self, chat: &Chat, failure: &Failure) -> Option<Chat> {
        let option = failure.unsupported()?;
        if self.fixed.contains(&option) {
            return None;
        }
        let other = chat.instead(failure)?;
        self.omitted.push(option);
        self.tell(&format!(
            "{} The option is left out from now on.",
            failure.what()
        ));
        Some(other)
    }

    /// Whether sending again at once may help. A request that took too long will do so again; and
    /// if nothing has answered yet, a wrong address is more likely than an absent service.
    fn may_help(&self, failure: &Failure) -> bool {
        match failure {
            Failure::Timeout => false,
            Failure::Unreachable(_) => self.has_answered,
            _ => true,
        }
    }

    /// Whether every other request would fail in the same way.
    fn is_hopeless(&self, failure: &Failure) -> bool {
        match failure {
            Failure::BadKey { .. } | Failure::OutOfCredit { .. } | Failure::UnknownModel { .. } => {
                true
            }
            Failure::WrongRequest {
                unsupported: Some(option),
                ..
            } => self.fixed.contains(option),
            Failure::Unreachable(_)
            | Failure::Forbidden { .. }
            | Failure::WrongAddress { .. }
            | Failure::NotAService { .. } => !self.has_answered,
            _ => false,
        }
    }

    fn failed(&mut self, fault: Fault) -> NoReply {
        self.failures_in_row += 1;
        let next = advice::next(&fault.failure, &self.line.service);
        let sentences = format!("{} {next}", fault.what());
        if self.is_hopeless(&fault.failure) {
            return NoReply::Over(sentences);
        }
        if self.failures_in_row >= MAX_FAILURES {
            return NoReply::Over(format!(
                "{MAX_FAILURES} requests in a row failed, the last one like this: {sentences}"
            ));
        }
        self.tell(&sentences);
        self.progress.step(&self.limits.used);
        NoReply::Failed
    }

    fn send(&mut self, chat: &Chat) -> std::result::Result<Reply, Fault> {
        self.send_and_count(chat).map_err(|fault| Fault {
            failure: self.line.without_key(fault.failure),
            ..fault
        })
    }

    /// One request and its streamed answer.
    fn send_and_count(&mut self, chat: &Chat) -> std::result::Result<Reply, Fault> {
        let mut listener = Listener::new(self.line.service.kind, MAX_ANSWER_BYTES);
        self.limits.used.requests += 1;
        let sent = self.line.send(chat, |piece| listener.hear(piece));
        let outcome = sent.as_ref().ok().map(|_| listener.end());
        let is_slow = matches!(&sent, Err(fault) if fault.failure == Failure::Timeout);
        // The model did not read what was refused.
        if sent.is_ok() || listener.has_begun || is_slow {
            let used = &mut self.limits.used;
            let prompt = listener.prompt_tokens.map(u64::from);
            let answer = listener.answer_tokens.map(u64::from);
            used.prompt_tokens += prompt.unwrap_or(chat_tokens(chat) as u64);
            used.answer_tokens += answer.unwrap_or(estimate_tokens(&listener.text) as u64);
        }
        sent?;
        match outcome.unwrap_or(Err(Failure::CutOff))? {
            FinishReason::Length => self.cut += 1,
            FinishReason::Refused { why } => {
                self.tell(&format!("The service refused to answer: {why}."));
            }
            _ => {}
        }
        Ok(Reply {
            text: listener.text,
            answer_tokens: listener.answer_tokens,
            from_cache: false,
        })
    }

    fn tell(&mut self, sentences: &str) {
        let current = self.progress.current();
        self.progress
            .say(&format!("Request {current}: {}", sentences.trim_end()));
    }
}
