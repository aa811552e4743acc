//! Pairs of answers of two pipelines: made, shown in random order, rated by the user.

use std::collections::BTreeSet;
use std::rc::Rc;

use footnote_core::eval::Item;
use footnote_core::lab::agreement::draw;
use footnote_core::lab::judge::{Answerer, Pair, Preference, Ratings, sample_to_rate};
use footnote_core::lab::questions::key;
use footnote_core::model::prompt;
use footnote_core::model::protocol::Chat;
use footnote_core::pipeline::Pipeline;
use footnote_core::search::Question;

use super::asking::{Asking, FAILURES, NotSaid};
use super::evaluate::{Telling, pipeline};
use super::task::Outlook;
use super::{Laboratory, kept, views};
use crate::words::count;
use crate::worker::protocol::{
    Event, JobId, LabBudgetView, LabChoice, LabEvent, LabPairView, LabPairingView, LabPairsView,
    Notice,
};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::connect::Connection;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::runner::Ran;
use crate::worker::serve::{notices, slices};

/// The purpose of these requests, as shown in the ledger.
const PURPOSE: &str = "answer to be judged";
/// Tokens of a typical answer, for the estimate.
const USUAL_TOKENS: u64 = 350;

/// Pairs of answers, and the user's choices.
#[derive(Clone, Default)]
pub struct Pairs {
    pub pairs: Vec<Pair>,
    /// Ids of the pairs whose second answer is shown first.
    pub turned: BTreeSet<String>,
    pub sides: Option<[Answerer; 2]>,
    pub ratings: Ratings,
    pub note: Option<String>,
}

/// The answers to one question, in the order of the pipelines.
type Both = [String; 2];

impl Laboratory {
    /// Lets two pipelines answer questions of the set.
    pub(super) async fn pair(
        &self,
        job: JobId,
        wanted: LabPairingView,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        self.begin(job);
        let (pipelines, items) = self.paired_with(&wanted)?;
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return Ok(());
        };
        let mut tell = Telling::new(self, job, items.len() * 2);
        let mut slice = slices::Slice::default();
        let mut all = Vec::new();
        for item in &items {
            let mut both = Both::default();
            for (pipeline, answer) in pipelines.iter().zip(&mut both) {
                tell.next(&pipeline.name);
                let Some(text) = self.answer(&open, pipeline, item, cancel).await else {
                    return Ok(());
                };
                *answer = text;
                slice.pause().await;
            }
            all.push((item, both));
        }
        let made = paired(all, items.len(), &wanted);
        self.take_pairs(job, &open, made, &pipelines, None).await;
        Ok(())
    }

    /// Estimates the cost of letting the connected model answer from the pipelines' contexts.
    pub(super) async fn outlook_of_answers(
        &self,
        open: &Rc<OpenRepo>,
        connection: &Connection,
        wanted: &LabPairingView,
        cancel: &Cancel,
    ) -> Result<Outlook, Notice> {
        let (pipelines, items) = self.paired_with(wanted)?;
        let mut chats = Vec::new();
        for item in &items {
            for pipeline in &pipelines {
                let chat = self.chat(open, connection, pipeline, item, cancel).await;
                chats.extend(chat.flatten());
            }
        }
        Ok(Outlook::of(&chats, USUAL_TOKENS))
    }

    /// Lets the connected model answer questions of the set, from the context of each of two
    /// pipelines.
    pub(super) async fn have_answered(
        &self,
        job: JobId,
        (open, connection): (&Rc<OpenRepo>, &Rc<Connection>),
        wanted: LabPairingView,
        most: LabBudgetView,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        let (pipelines, items) = self.paired_with(&wanted)?;
        let run = (items.len() as u32 * 2, most);
        let asking = Asking::new(self, (open, connection), (job, cancel), run);
        let mut all = Vec::new();
        let mut failures = 0;
        'all: for item in &items {
            let mut both = Both::default();
            for (pipeline, answer) in pipelines.iter().zip(&mut both) {
                let chat = self.chat(open, connection, pipeline, item, cancel).await;
                let Some(chat) = chat else { break 'all };
                // A question that cannot be asked is skipped.
                let Some(chat) = chat else { continue 'all };
                match asking.said(&key(&chat), PURPOSE, chat).await {
                    Ok(said) => *answer = said.text,
                    Err(NotSaid::Over) => break 'all,
                    Err(NotSaid::Failed(failure)) => {
                        failures += 1;
                        if failures == FAILURES {
                            self.services.warn(job, connection.notice(&failure));
                            break 'all;
                        }
                        continue 'all;
                    }
                }
                failures = 0;
                asking.view.borrow_mut().done += 1;
                asking.tell();
            }
            all.push((item, both));
        }
        let made = paired(all, items.len(), &wanted);
        let model = Some(connection.model.clone());
        self.take_pairs(job, open, made, &pipelines, model).await;
        Ok(())
    }

    /// Returns the pipelines, and the questions of the set that are drawn with the seed.
    fn paired_with(&self, wanted: &LabPairingView) -> Result<([Pipeline; 2], Vec<Item>), Notice> {
        let [one, two] = &wanted.pipelines;
        let pipelines = [pipeline(one)?, pipeline(two)?];
        if one == two {
            return Err(notices::two_pipelines_wanted());
        }
        let items = self.bench.borrow().kept();
        let items = draw(&items, wanted.count as usize, wanted.seed.into());
        match items.is_empty() {
            true => Err(notices::nothing_to_evaluate()),
            false => Ok((pipelines, items)),
        }
    }

    /// Makes these pairs the ones to rate and judge, and saves them.
    async fn take_pairs(
        &self,
        job: JobId,
        open: &OpenRepo,
        made: Pairs,
        pipelines: &[Pipeline; 2],
        model: Option<String>,
    ) {
        if !self.is_wanted(open, job) {
            return;
        }
        self.working.set(None);
        let side = |pipeline: &Pipeline| Answerer {
            name: views::title(&pipeline.name),
            model: model.clone(),
        };
        let pairs = Pairs {
            sides: Some(pipelines.each_ref().map(side)),
            ..made
        };
        let view = pairs_view(&pairs);
        let set = self.bench.borrow().reviewing.set().to_owned();
        kept::keep_pairs(&self.services.storage, open, &set, &pairs).await;
        {
            let mut bench = self.bench.borrow_mut();
            (bench.pairs, bench.judged) = (Some(pairs), Vec::new());
        }
        self.services.end(job, LabEvent::Paired(view));
    }

    /// Returns a pipeline's answer by words and the static encoder, or why there is none if the
    /// question cannot be asked; `None` if it was stopped.
    pub(super) async fn answer(
        &self,
        open: &Rc<OpenRepo>,
        pipeline: &Pipeline,
        item: &Item,
        cancel: &Cancel,
    ) -> Option<String> {
        let question = match Question::new(&item.query) {
            Ok(question) => question,
            Err(error) => return Some(error.to_string()),
        };
        let ran = self.runner.run_by_table(open, pipeline, &question, cancel);
        let Ran { made, other } = ran.await?;
        Some(made.answer.cited(&other.index(open).repo))
    }

    /// Returns the chat request with a pipeline's context; nothing if the question cannot be asked;
    /// `None` if it was stopped.
    async fn chat(
        &self,
        open: &Rc<OpenRepo>,
        connection: &Connection,
        pipeline: &Pipeline,
        item: &Item,
        cancel: &Cancel,
    ) -> Option<Option<Chat>> {
        let Ok(question) = Question::new(&item.query) else {
            return Some(None);
        };
        let ran = self.runner.run_by_table(open, pipeline, &question, cancel);
        let Ran { made, .. } = ran.await?;
        let built = prompt::build(&item.query, made.context(), &[], connection.window);
        Some(Some(built.chat(&connection.model, Vec::new())))
    }

    /// Stores the user's choice for a pair.
    pub(super) async fn rate(&self, job: JobId, id: &str, choice: LabChoice) -> Result<(), Notice> {
        let pairs = {
            let mut bench = self.bench.borrow_mut();
            let pairs = bench.pairs.as_mut().ok_or_else(notices::no_pairs)?;
            let preference = pairs.preference(id, choice);
            pairs.ratings.insert(id.to_owned(), preference);
            pairs.clone()
        };
        if let Some(open) = self.shelf.current() {
            let set = self.bench.borrow().reviewing.set().to_owned();
            kept::keep_pairs(&self.services.storage, &open, &set, &pairs).await;
        }
        self.services.end(job, Event::Done);
        Ok(())
    }
}

pub fn pairs_view(pairs: &Pairs) -> LabPairsView {
    let shown = pairs.pairs.iter().map(|pair| {
        let [one, two] = pair.answers.clone();
        let answers = match pairs.turned.contains(&pair.id) {
            true => [two, one],
            false => [one, two],
        };
        LabPairView {
            id: pair.id.clone(),
            question: pair.question.clone(),
            reference: pair.reference.clone(),
            answers,
            rated: pairs.choice(&pair.id),
        }
    });
    let side = pairs.sides.as_ref().map(|[one, _]| one);
    LabPairsView {
        pairs: shown.collect(),
        written_by: side.and_then(|it| it.model.clone()),
        note: pairs.note.clone(),
    }
}

impl Pairs {
    /// The side that a choice favours.
    fn preference(&self, id: &str, choice: LabChoice) -> Preference {
        match (choice, self.turned.contains(id)) {
            (LabChoice::Draw, _) => Preference::Draw,
            (LabChoice::First, false) | (LabChoice::Second, true) => Preference::One,
            (LabChoice::Second, false) | (LabChoice::First, true) => Preference::Two,
        }
    }

    /// The user's choice, in terms of the answers as shown.
    fn choice(&self, id: &str) -> Option<LabChoice> {
        let all = [LabChoice::First, LabChoice::Second, LabChoice::Draw];
        let rating = *self.ratings.get(id)?;
        all.into_iter()
            .find(|choice| self.preference(id, *choice) == rating)
    }
}

/// The answers to some of `n` drawn questions, as pairs. Identical answers are skipped, because
/// they reveal nothing.
fn paired(all: Vec<(&Item, Both)>, n: usize, wanted: &LabPairingView) -> Pairs {
    let missing = n - all.len();
    let answered = all.len();
    let pairs = all.into_iter().map(|(item, answers)| Pair {
        id: item.id.clone(),
        question: item.query.clone(),
        reference: item.reference_answer.clone(),
        answers,
    });
    let pairs: Vec<Pair> = pairs.filter(|it| it.answers[0] != it.answers[1]).collect();
    let half = sample_to_rate(&pairs, pairs.len() / 2, u64::from(wanted.seed) ^ 1);
    let same = answered - pairs.len();
    let mut notes = Vec::new();
    if same > 0 {
        let same = count(same as u64, "question");
        notes.push(format!("{same} left out: both answers are the same."));
    }
    if missing > 0 {
        let missing = count(missing as u64, "question");
        notes.push(format!(
            "{missing} not answered: the run ended first, or the service failed."
        ));
    }
    Pairs {
        pairs,
        turned: half.into_iter().collect(),
        note: (!notes.is_empty()).then(|| notes.join(" ")),
        ..Pairs::default()
    }
}
