//! Pairs of answers of two pipelines: made, shown in an order that was drawn, rated by the user.

use std::collections::BTreeSet;
use std::rc::Rc;

use footnote_core::eval::Item;
use footnote_core::lab::judge::{Answerer, Pair, Preference, Ratings, sample_to_rate};
use footnote_core::lab::questions::key;
use footnote_core::model::prompt;
use footnote_core::pipeline::{PRESETS, Pipeline};
use footnote_core::search::Question;

use super::asking::{Asking, NotSaid};
use super::evaluate::{Telling, pipeline};
use super::{Laboratory, kept};
use crate::worker::protocol::{
    Event, JobId, LabBudgetView, LabChoice, LabEvent, LabPairView, LabPairingView, LabPairsView,
    Notice,
};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::connect::Connection;
use crate::worker::serve::notices;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::runner::Ran;
use crate::worker::serve::slices;

/// What these requests are for, as the ledger says it.
const PURPOSE: &str = "answer to be judged";

/// Pairs of answers, and what the user says of them.
#[derive(Clone, Default)]
pub struct Pairs {
    pub pairs: Vec<Pair>,
    /// Ids of those whose second answer is shown first.
    pub turned: BTreeSet<String>,
    pub sides: Option<[Answerer; 2]>,
    pub ratings: Ratings,
    pub note: Option<String>,
}

impl Laboratory {
    /// Has two pipelines answer questions of the set.
    pub(super) async fn pair(
        &self,
        job: JobId,
        wanted: LabPairingView,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        self.begin(job);
        let [one, two] = &wanted.pipelines;
        let pipelines = [pipeline(one)?, pipeline(two)?];
        if one == two {
            return Err(notices::two_pipelines_wanted());
        }
        let items = self.drawn(&wanted);
        if items.is_empty() {
            return Err(notices::nothing_to_evaluate());
        }
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return Ok(());
        };
        let connection = match wanted.by_model {
            Some(_) => Some(
                self.connector
                    .connection()
                    .ok_or_else(notices::no_connection)?,
            ),
            None => None,
        };
        let model = connection
            .as_ref()
            .map(|connection| connection.model.clone());
        let answers = match (&connection, wanted.by_model) {
            (Some(connection), Some(most)) => {
                let way = (connection, most);
                self.written(job, &open, &pipelines, &items, way, cancel)
                    .await?
            }
            _ => self.answered(job, &open, &pipelines, &items, cancel).await,
        };
        if !self.shelf.is_current(&open) || self.working.get() != Some(job) {
            return Ok(());
        }
        self.working.set(None);
        let made = paired(&items, answers, wanted.seed);
        let sides = pipelines.map(|pipeline| Answerer {
            name: title(&pipeline.name),
            model: model.clone(),
        });
        let pairs = Pairs {
            sides: Some(sides),
            ..made
        };
        let view = self.pairs_view(&pairs);
        kept::keep_pairs(&self.services.storage, &open, &pairs).await;
        self.bench.borrow_mut().pairs = Some(pairs);
        self.services.end(job, LabEvent::Paired(view));
        Ok(())
    }

    /// Questions of the set, drawn with the seed.
    fn drawn(&self, wanted: &LabPairingView) -> Vec<Item> {
        let items = self.bench.borrow().kept();
        let pairs: Vec<Pair> = items.iter().map(empty).collect();
        let ids = sample_to_rate(&pairs, wanted.count as usize, wanted.seed.into());
        let ids: BTreeSet<&String> = ids.iter().collect();
        let drawn = items.into_iter().filter(|item| ids.contains(&item.id));
        drawn.collect()
    }

    /// Both answers to each question, made by code. As many as there are if it is stopped.
    async fn answered(
        &self,
        job: JobId,
        open: &Rc<OpenRepo>,
        pipelines: &[Pipeline; 2],
        items: &[Item],
        cancel: &Cancel,
    ) -> Vec<[String; 2]> {
        let mut tell = Telling::new(self, job, items.len() * 2);
        let mut slice = slices::Slice::default();
        let mut all = Vec::new();
        for item in items {
            let mut both: [String; 2] = Default::default();
            for (pipeline, answer) in pipelines.iter().zip(&mut both) {
                tell.next(&pipeline.name);
                let Some(ran) = self.ran(open, pipeline, item, cancel).await else {
                    return all;
                };
                *answer = ran.map_or_else(
                    |why| why,
                    |Ran { made, other }| made.answer.cited(&other.index(open).repo),
                );
                slice.pause().await;
            }
            all.push(both);
        }
        all
    }

    /// The same, written by the connected model from what each pipeline shows it.
    async fn written(
        &self,
        job: JobId,
        open: &Rc<OpenRepo>,
        pipelines: &[Pipeline; 2],
        items: &[Item],
        (connection, most): (&Rc<Connection>, LabBudgetView),
        cancel: &Cancel,
    ) -> Result<Vec<[String; 2]>, Notice> {
        let run = (items.len() as u32 * 2, most);
        let asking = Asking::new(self, (open, connection), (job, cancel), run);
        let mut all = Vec::new();
        for item in items {
            let mut both: [String; 2] = Default::default();
            for (pipeline, answer) in pipelines.iter().zip(&mut both) {
                let Some(ran) = self.ran(open, pipeline, item, cancel).await else {
                    return Ok(all);
                };
                let ran = ran.map_err(|why| notices::internal(&why))?;
                let built = prompt::build(&item.query, ran.made.context(), &[], connection.window);
                let chat = built.chat(&connection.model, Vec::new());
                match asking.said(&key(&chat), PURPOSE, chat).await {
                    Ok(said) => *answer = said.text,
                    Err(NotSaid::Over) => return Ok(all),
                    Err(NotSaid::Failed(failure)) => return Err(connection.notice(&failure)),
                }
                asking.view.borrow_mut().done += 1;
                asking.tell();
            }
            all.push(both);
        }
        Ok(all)
    }

    /// What a pipeline makes of a question by words and the static encoder; why there is nothing if
    /// the question is none; nothing at all if it was stopped.
    async fn ran(
        &self,
        open: &Rc<OpenRepo>,
        pipeline: &Pipeline,
        item: &Item,
        cancel: &Cancel,
    ) -> Option<Result<Ran, String>> {
        match Question::new(&item.query) {
            Ok(question) => {
                let runner = &self.runner;
                let ran = runner.run_by_table(open, pipeline, &question, cancel).await;
                ran.map(Ok)
            }
            Err(error) => Some(Err(error.to_string())),
        }
    }

    /// The user's own word on a pair.
    pub(super) async fn rate(&self, job: JobId, id: &str, choice: LabChoice) -> Result<(), Notice> {
        let pairs = {
            let mut bench = self.bench.borrow_mut();
            let pairs = bench.pairs.as_mut().ok_or_else(notices::no_pairs)?;
            let preference = pairs.preference(id, choice);
            pairs.ratings.insert(id.to_owned(), preference);
            pairs.clone()
        };
        if let Some(open) = self.shelf.current() {
            kept::keep_pairs(&self.services.storage, &open, &pairs).await;
        }
        self.services.end(job, Event::Done);
        Ok(())
    }

    pub(super) fn pairs_view(&self, pairs: &Pairs) -> LabPairsView {
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
        let sides = pairs.sides.as_ref();
        LabPairsView {
            pairs: shown.collect(),
            sides: sides.map_or_else(Default::default, |[one, two]| {
                [one.name.clone(), two.name.clone()]
            }),
            written_by: sides.and_then(|[one, _]| one.model.clone()),
            note: pairs.note.clone(),
            estimate: self.judging_estimate(pairs),
        }
    }
}

impl Pairs {
    /// The side that a choice is for.
    fn preference(&self, id: &str, choice: LabChoice) -> Preference {
        match (choice, self.turned.contains(id)) {
            (LabChoice::Draw, _) => Preference::Draw,
            (LabChoice::First, false) | (LabChoice::Second, true) => Preference::One,
            (LabChoice::Second, false) | (LabChoice::First, true) => Preference::Two,
        }
    }

    /// What the user chose, as the answers are shown.
    fn choice(&self, id: &str) -> Option<LabChoice> {
        let all = [LabChoice::First, LabChoice::Second, LabChoice::Draw];
        let rating = *self.ratings.get(id)?;
        all.into_iter()
            .find(|choice| self.preference(id, *choice) == rating)
    }
}

/// The answers with their questions; those that are the same word for word tell nothing.
fn paired(items: &[Item], answers: Vec<[String; 2]>, seed: u32) -> Pairs {
    let all = items.iter().zip(answers);
    let pairs: Vec<Pair> = all
        .map(|(item, answers)| Pair {
            answers,
            ..empty(item)
        })
        .filter(|pair| pair.answers[0] != pair.answers[1])
        .collect();
    let half = sample_to_rate(&pairs, pairs.len() / 2, u64::from(seed) ^ 1);
    let same = items.len() - pairs.len();
    let note = (same > 0).then(|| {
        format!(
            "{same} of {} questions are left out: both pipelines answer them in the same words, or \
             they were not asked any more.",
            items.len()
        )
    });
    Pairs {
        pairs,
        turned: half.into_iter().collect(),
        note,
        ..Pairs::default()
    }
}

fn empty(item: &Item) -> Pair {
    Pair {
        id: item.id.clone(),
        question: item.query.clone(),
        answers: Default::default(),
        reference: item.reference_answer.clone(),
    }
}

fn title(name: &str) -> String {
    let preset = PRESETS.iter().find(|preset| preset.name == name);
    preset.map_or(name, |preset| preset.title).to_owned()
}
