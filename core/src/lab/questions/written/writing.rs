//! A run: requests out, replies in.

use std::sync::Arc;

use super::desk::Desk;
use super::end::{End, short};
use super::estimate::estimate;
use super::kept::{Keep, Kept};
use super::talk::{After, Talk, Written};
use super::turns::{self, Turn, tally};
use super::{
    Ask, Budget, Estimate, Reply, STRATEGIES, Spent, Strategy, WrittenCount, WrittenMade,
    WrittenOrder,
};
use crate::hash::fingerprint;
use crate::index::Index;
use crate::model::prompt::{chat_tokens, estimate_tokens, fence};
use crate::model::protocol::{Chat, Message};

/// Bytes of a reply that are read.
const MAX_REPLY: usize = 200_000;

/// Characters of a bad reply that the model is shown when it is asked again.
const MAX_REPEATED: usize = 1_200;

/// Number of failed requests in a row that ends a run.
const MAX_FAILURES: u32 = 3;

/// Why a unit gave no question, other than a bad reply.
const TOO_LARGE: &str = "the prompt does not fit into the window";
const NOT_ANSWERED: &str = "the request failed";

/// A run: returns requests one by one and takes their outcomes. See the [module](super).
pub struct Writing {
    desk: Desk,
    order: WrittenOrder,
    turns: Vec<Turn>,
    kept: Kept,
    open: Option<Open>,
    spent: Spent,
    /// What counts against the budget, as if no reply had come from a cache.
    used: Budget,
    /// Number of failed requests in a row.
    failures: u32,
    /// The model of the last request.
    model: String,
    end: Option<End>,
}

/// The request that is currently open.
struct Open {
    turn: usize,
    talk: Talk,
    /// The start of the reply that could not be read, and why.
    again: Option<(String, &'static str)>,
    /// Tokens of the prompt.
    tokens: u64,
}

impl Writing {
    /// Plans what to show to the model. Sends nothing.
    pub fn new(index: Arc<Index>, order: WrittenOrder) -> Self {
        let is_wanted = |it: &&Strategy| {
            order.strategies.is_empty() || order.strategies.iter().any(|name| name == it.name)
        };
        let desk = Desk::new(index, &order);
        let wanted = STRATEGIES.iter().copied().filter(is_wanted);
        let turns = wanted.map(|strategy| Turn::new(strategy, &desk)).collect();
        Self {
            turns,
            kept: Kept::new(order.near),
            desk,
            order,
            open: None,
            spent: Spent::default(),
            used: Budget {
                requests: 0,
                tokens: 0,
            },
            failures: 0,
            model: String::new(),
            end: None,
        }
    }

    /// An estimate of what it takes to get the ordered number of questions, to show before anything
    /// is sent. It may be more than the budget.
    pub fn estimate(&self) -> Estimate {
        estimate(&self.desk, &self.order, &self.turns)
    }

    /// Limits the requests and tokens of the run.
    pub fn allow(&mut self, budget: Budget) {
        self.order.budget = budget;
    }

    /// Whether a new run with the same order, this run's replies and perhaps a larger budget could
    /// give more: this one did not reach its end, its budget is used up, or requests failed.
    pub fn can_go_on(&self) -> bool {
        !matches!(self.end, Some(End::Enough | End::Rest))
    }

    /// Whether the budget ended the run.
    pub fn is_spent(&self) -> bool {
        matches!(self.end, Some(End::Requests | End::Tokens))
    }

    /// The next request; the same one until its outcome is passed in. `None` at the end: there are
    /// enough questions, there is nothing more to ask, the budget is used up, or several requests
    /// in a row failed.
    pub fn request(&mut self, model: &str) -> Option<Ask> {
        self.model = model.to_owned();
        loop {
            if self.end.is_some() {
                return None;
            }
            let Some(mut open) = self.open.take().or_else(|| self.begin()) else {
                continue;
            };
            let chat = self.chat(model, &open);
            open.tokens = chat_tokens(&chat) as u64;
            if open.tokens > self.desk.window as u64 {
                self.lose(open, TOO_LARGE);
                continue;
            }
            let strategy = self.turns.get(open.turn)?.strategy.name;
            let needed = open.tokens + u64::from(chat.max_tokens);
            if let Some(end) = self.beyond(needed) {
                // The open request stays open, and is not lost.
                self.open = Some(open);
                self.end = Some(end);
                return None;
            }
            self.open = Some(open);
            return Some(Ask {
                key: key(&chat),
                chat,
                strategy,
            });
        }
    }

    /// Opens the next unit; sets the end if there is none.
    fn begin(&mut self) -> Option<Open> {
        if self.kept.len() >= self.order.count {
            self.end = Some(End::Enough);
            return None;
        }
        let Some(at) = turns::next(&self.turns) else {
            self.end = Some(End::Rest);
            return None;
        };
        let kept: Vec<_> = self.kept.of(at).collect();
        let talk = self.turns.get_mut(at)?.begin(&self.desk, &kept)?;
        Some(Open {
            turn: at,
            talk,
            again: None,
            tokens: 0,
        })
    }

    /// The messages to send: the request, with the bad reply if both fit into the window.
    fn chat(&self, model: &str, open: &Open) -> Chat {
        let talk = &open.talk;
        let mut chat = Chat::new(model, talk.system.as_str());
        chat.max_tokens = talk.max_tokens;
        chat.sampling.temperature = talk.temperature;
        chat.window = Some((self.desk.window as u32).saturating_add(talk.max_tokens));
        let Some((reply, why)) = &open.again else {
            chat.messages.push(Message::User(talk.user.clone()));
            return chat;
        };
        let again = format!(
            "Your last reply cannot be used: {why}. Reply again, in exactly the form that was \
             described, and with nothing else."
        );
        let text = fence::clean(reply.trim());
        let mut repeated = chat.clone();
        repeated.messages = vec![
            Message::User(talk.user.clone()),
            Message::Assistant {
                text: text.clone(),
                calls: Vec::new(),
            },
            Message::User(again.clone()),
        ];
        // Some services refuse an empty message.
        if !text.is_empty() && chat_tokens(&repeated) <= self.desk.window {
            return repeated;
        }
        let once = format!("{}\n\n{again}", talk.user);
        chat.messages.push(Message::User(once));
        chat
    }

    /// What would end the run if one more request of `tokens` were made.
    fn beyond(&self, tokens: u64) -> Option<End> {
        let Budget {
            requests: most_requests,
            tokens: most_tokens,
        } = self.order.budget;
        if self.used.requests >= most_requests {
            return Some(End::Requests);
        }
        (self.used.tokens.saturating_add(tokens) > most_tokens).then_some(End::Tokens)
    }

    /// Takes the model's reply to the last request.
    pub fn answer(&mut self, reply: Reply<'_>) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        let end = reply.text.floor_char_boundary(MAX_REPLY);
        let text = reply.text.get(..end).unwrap_or_default();
        let tokens = reply.answer_tokens.unwrap_or_else(|| {
            // The estimate is rather too high; no service answers with more than it was asked for.
            (estimate_tokens(text) as u32).min(open.talk.max_tokens)
        });
        self.count(&open, u64::from(tokens), reply.from_cache);
        self.failures = 0;
        match open.talk.read(&self.desk, text) {
            Ok(After::Questions(written, paths)) => self.take(open.turn, written, &paths),
            Ok(After::Next(talk)) => {
                self.open = Some(Open {
                    talk,
                    again: None,
                    ..open
                });
            }
            Err(why) if open.again.is_none() => {
                open.again = Some((text.chars().take(MAX_REPEATED).collect(), why));
                self.open = Some(open);
            }
            Err(why) => self.lose(open, why),
        }
    }

    /// Takes a failure of the service or the network. One failure loses what was being asked about;
    /// several in a row end the run.
    pub fn fail(&mut self, why: &str) {
        let Some(open) = self.open.take() else {
            return;
        };
        self.count(&open, 0, false);
        self.failures += 1;
        if self.failures >= MAX_FAILURES {
            self.end = Some(End::Failed(why.to_owned()));
        }
        self.lose(open, NOT_ANSWERED);
    }

    fn count(&mut self, open: &Open, answer_tokens: u64, is_cached: bool) {
        self.used.requests += 1;
        self.used.tokens += open.tokens + answer_tokens;
        if !is_cached {
            self.spent.requests += 1;
            self.spent.prompt_tokens += open.tokens;
            self.spent.answer_tokens += answer_tokens;
        }
        if let Some(turn) = self.turns.get_mut(open.turn) {
            turn.count.asked += 1;
        }
    }

    /// Gives up what was being asked about.
    fn lose(&mut self, open: Open, why: &'static str) {
        let Some(turn) = self.turns.get_mut(open.turn) else {
            return;
        };
        tally(&mut turn.count.failed, why);
        match open.talk.holds_question() {
            true => self.take(open.turn, vec![Err("the model gave it no grade")], &[]),
            false if matches!(why, NOT_ANSWERED | TOO_LARGE) => turn.skip(),
            false => turn.end(0),
        }
    }

    /// Takes the questions of a reply.
    fn take(&mut self, at: usize, written: Vec<Written>, paths: &[&'static str]) {
        let Some(turn) = self.turns.get_mut(at) else {
            return;
        };
        let mut n_new = 0;
        for written in written {
            let taken = written.and_then(|found| {
                let keep = Keep {
                    turn: at,
                    strategy: turn.strategy,
                    found,
                    model: self.model.clone(),
                };
                self.kept.take(&self.desk.index, keep)
            });
            turn.count.made += 1;
            match taken {
                Ok(()) => n_new += 1,
                Err(why) => tally(&mut turn.count.dropped, why),
            }
        }
        turn.count.kept += n_new;
        for why in paths {
            tally(&mut turn.count.paths, why);
        }
        turn.end(n_new);
    }

    /// The counts of each strategy so far.
    pub fn counts(&self) -> Vec<WrittenCount> {
        self.turns.iter().map(|turn| turn.count.clone()).collect()
    }

    /// What was actually sent so far.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// The set of questions so far, even if the run has not ended: without duplicates and near
    /// duplicates, at most as many as ordered, balanced over strategies, folders and numbers of
    /// files. A question always has the same id.
    pub fn made(&self) -> WrittenMade {
        let drawn = self.kept.draw(&self.order);
        let mut counts = self.counts();
        for (at, count) in counts.iter_mut().enumerate() {
            let n_drawn = drawn.iter().filter(|(turn, _)| *turn == at).count();
            let n_left = count.kept.saturating_sub(n_drawn);
            count.kept = n_drawn;
            if n_left > 0 {
                count.dropped.insert("there are enough without it", n_left);
            }
        }
        let is_short = drawn.len() < self.order.count;
        let short =
            is_short.then(|| short(drawn.len(), &self.order, self.end.as_ref(), &self.turns));
        WrittenMade {
            items: drawn.into_iter().map(|(_, item)| item).collect(),
            counts,
            short,
        }
    }
}

/// The key of a request: a digest of everything that is sent to the model.
pub fn key(chat: &Chat) -> String {
    let said = chat.messages.iter().flat_map(|message| match message {
        Message::User(text) => ["user", text],
        Message::Assistant { text, .. } => ["assistant", text],
        Message::ToolResult { text, .. } => ["tool", text],
    });
    let parts = [chat.model.as_str(), &chat.system];
    fingerprint(parts.into_iter().chain(said), 32)
}
