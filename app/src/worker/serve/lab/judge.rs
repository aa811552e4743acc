//! The connected model as a judge of pairs of answers.

use std::rc::Rc;

use footnote_core::lab::judge::{
    Comparison, Judge, Pair, REPETITIONS, Record, Report, Side, parse_verdict, plan,
};
use footnote_core::model::prompt;
use footnote_core::model::protocol::{Chat, ChatOption, Message};

use super::Laboratory;
use super::asking::{Asking, FAILURES, NotSaid};
use super::pairs::Pairs;
use super::task::Outlook;
use crate::worker::protocol::{
    JobId, LabBudgetView, LabEvent, LabFigureView, LabVerdictView, Notice,
};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::connect::Connection;
use crate::worker::serve::notices;
use crate::worker::serve::repo::OpenRepo;

/// The purpose of these requests, as shown in the ledger.
const PURPOSE: &str = "judgement of two answers";
/// Tokens of a typical judgement, for the estimate.
const USUAL_TOKENS: u64 = 200;

impl Laboratory {
    pub(super) fn outlook_of_judging(&self, connection: &Connection) -> Result<Outlook, Notice> {
        let bench = self.bench.borrow();
        let pairs = bench.pairs.as_ref().ok_or_else(notices::no_pairs)?;
        let judge = Judge::new(&connection.model, None);
        let requests = plan(&pairs.pairs, &judge, REPETITIONS, 1);
        let requests = requests.map_err(|error| notices::not_judged(&error))?;
        let chats = requests.iter().filter_map(|request| {
            let pair = pairs.pairs.get(request.index)?;
            Some(chat(connection, pair, request.first))
        });
        Ok(Outlook::of(&chats.collect::<Vec<_>>(), USUAL_TOKENS))
    }

    /// Asks the connected model to judge all pairs, in both orders, three times each.
    pub(super) async fn judge(
        &self,
        job: JobId,
        (open, connection): (&Rc<OpenRepo>, &Rc<Connection>),
        most: LabBudgetView,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        let pairs = self.bench.borrow().pairs.clone();
        let pairs = pairs.ok_or_else(notices::no_pairs)?;
        let judge = Judge::new(&connection.model, None);
        let requests = plan(&pairs.pairs, &judge, REPETITIONS, 1);
        let requests = requests.map_err(|error| notices::not_judged(&error))?;
        let run = (requests.len() as u32, most);
        let asking = Asking::new(self, (open, connection), (job, cancel), run);
        let mut records: Vec<Record> = Vec::new();
        let mut failures = 0;
        for request in &requests {
            let Some(pair) = pairs.pairs.get(request.index) else {
                continue;
            };
            let chat = chat(connection, pair, request.first);
            match asking.said(&request.id, PURPOSE, chat).await {
                Ok(said) => {
                    failures = 0;
                    records.push(pair.record(request, parse_verdict(&said.text)));
                }
                Err(NotSaid::Over) => break,
                Err(NotSaid::Failed(failure)) => {
                    failures += 1;
                    if failures == FAILURES {
                        self.services.warn(job, connection.notice(&failure));
                        break;
                    }
                }
            }
            asking.view.borrow_mut().done = records.len() as u32;
            asking.tell();
        }
        if !self.is_wanted(open, job) {
            return Ok(());
        }
        self.working.set(None);
        // Ratings that the user gave while the judge was at work count too.
        let pairs = self.bench.borrow().pairs.clone().unwrap_or(pairs);
        let partial = (records.len() < requests.len()).then(|| asking.kept());
        let view = verdict(&judge, &pairs, requests.len(), &records, partial);
        let view = view.ok_or_else(notices::no_pairs)?;
        self.bench.borrow_mut().judged = records;
        self.services.end(job, LabEvent::Judged(view));
        Ok(())
    }
}

fn chat(connection: &Connection, pair: &Pair, first: Side) -> Chat {
    let prompt = pair.prompt(first);
    let mut chat = Chat::new(&connection.model, prompt.system);
    chat.messages = vec![Message::User(prompt.user)];
    // A few sentences and the verdict; with models that think, the thoughts count too.
    chat.max_tokens = prompt::answer_tokens(connection.window);
    // A judge is described by its temperature. The service's default is used, because it is never
    // refused and then replaced by another.
    chat.omitted
        .extend([ChatOption::Temperature, ChatOption::TopP]);
    chat
}

fn verdict(
    judge: &Judge,
    pairs: &Pairs,
    planned: usize,
    records: &[Record],
    partial: Option<String>,
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
        partial,
    })
}
