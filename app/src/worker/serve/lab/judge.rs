//! The connected model as a judge of pairs of answers.

use footnote_core::lab::judge::{
    Comparison, Judge, Pair, REPETITIONS, Record, Report, Side, parse_verdict, plan,
};
use footnote_core::model::prompt::{self, chat_tokens};
use footnote_core::model::protocol::{Chat, ChatOption, Message};

use super::Laboratory;
use super::asking::{Asking, NotSaid};
use super::pairs::Pairs;
use super::write::{said, with_room};
use crate::worker::protocol::{
    JobId, LabBudgetView, LabEstimateView, LabEvent, LabFigureView, LabVerdictView, Notice,
};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::connect::Connection;
use crate::worker::serve::notices;

/// What these requests are for, as the ledger says it.
const PURPOSE: &str = "judgement of two answers";
/// What a judgement takes of these, for the estimate.
const USUAL_TOKENS: u32 = 200;
/// Failures in a row after which asking on is of no use.
const FAILURES: u32 = 3;

impl Laboratory {
    /// Has the connected model judge all pairs, in both orders, three times each.
    pub(super) async fn judge(
        &self,
        job: JobId,
        most: LabBudgetView,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        self.begin(job);
        let Some((open, connection)) = self.connected(job, cancel).await? else {
            return Ok(());
        };
        let pairs = self.bench.borrow().pairs.clone();
        let pairs = pairs.ok_or_else(notices::no_pairs)?;
        let judge = Judge::new(&connection.model, None);
        let requests = plan(&pairs.pairs, &judge, REPETITIONS, 1);
        let requests = requests.map_err(|error| notices::not_judged(&error))?;
        let run = (requests.len() as u32, most);
        let asking = Asking::new(self, (&open, &connection), (job, cancel), run);
        let mut records: Vec<Record> = Vec::new();
        let mut failures = 0;
        let mut is_partial = false;
        for request in &requests {
            let Some(pair) = pairs.pairs.get(request.index) else {
                continue;
            };
            let chat = chat(&connection, pair, request.first);
            match asking.said(&request.id, PURPOSE, chat).await {
                Ok(said) => {
                    failures = 0;
                    records.push(pair.record(request, parse_verdict(&said.text)));
                }
                Err(NotSaid::Over) => {
                    is_partial = true;
                    break;
                }
                Err(NotSaid::Failed(failure)) => {
                    failures += 1;
                    is_partial = true;
                    if failures == FAILURES {
                        self.services.warn(job, connection.notice(&failure));
                        break;
                    }
                }
            }
            asking.view.borrow_mut().done = records.len() as u32;
            asking.tell();
        }
        if self.working.get() != Some(job) {
            return Ok(());
        }
        self.working.set(None);
        // What was rated while the judge was at work counts too.
        let pairs = self.bench.borrow().pairs.clone().unwrap_or(pairs);
        let view = verdict(&judge, &pairs, requests.len(), &records, is_partial);
        let view = view.ok_or_else(notices::no_pairs)?;
        self.services.end(job, LabEvent::Judged(view));
        Ok(())
    }

    /// What it costs to have the pairs judged; none without a model or without pairs.
    pub(super) fn judging_estimate(&self, pairs: &Pairs) -> Option<LabEstimateView> {
        let connection = self.connector.connection()?;
        let judge = Judge::new(&connection.model, None);
        let requests = plan(&pairs.pairs, &judge, REPETITIONS, 1).ok()?;
        let chats = requests.iter().filter_map(|request| {
            let pair = pairs.pairs.get(request.index)?;
            Some(chat(&connection, pair, request.first))
        });
        let chats: Vec<Chat> = chats.collect();
        let n = requests.len() as u32;
        let sent: usize = chats.iter().map(chat_tokens).sum();
        let (sent, written) = (sent as u32, n * USUAL_TOKENS);
        Some(LabEstimateView {
            requests: n,
            sent_tokens: sent,
            written_tokens: written,
            model: connection.model.clone(),
            address: connection.service.base.clone(),
            first: chats.first().map_or_else(String::new, said),
            most: with_room(n, sent, written),
        })
    }
}

fn chat(connection: &Connection, pair: &Pair, first: Side) -> Chat {
    let prompt = pair.prompt(first);
    let mut chat = Chat::new(&connection.model, prompt.system);
    chat.messages = vec![Message::User(prompt.user)];
    // A few sentences and the verdict; models that think count their thoughts too.
    chat.max_tokens = prompt::answer_tokens(connection.window);
    // A judge is described by its temperature. The service's own is never refused, and then another.
    chat.omitted
        .extend([ChatOption::Temperature, ChatOption::TopP]);
    chat
}

fn verdict(
    judge: &Judge,
    pairs: &Pairs,
    planned: usize,
    records: &[Record],
    is_partial: bool,
) -> Option<LabVerdictView> {
    let report = Report::new(&Comparison {
        judge,
        sides: pairs.sides.as_ref()?,
        planned,
        records,
        ratings: &pairs.ratings,
    });
    let counts = report.counts();
    let counts = counts
        .into_iter()
        .map(|(label, text)| (label.to_owned(), text));
    let figures = report
        .figures()
        .into_iter()
        .map(|(label, it)| LabFigureView {
            label,
            value: it.map(|it| it.value),
            interval: it.map(|it| (it.interval.low, it.interval.high)),
        });
    Some(LabVerdictView {
        sentence: report.conclusion.sentence.clone(),
        warnings: report.warnings.clone(),
        counts: counts.collect(),
        figures: figures.collect(),
        is_partial,
    })
}
