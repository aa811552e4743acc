//! The review of the question set: which questions are listed, which one is current, how this
//! page's annotator rates them, and how far others agree.

mod list;

use std::collections::{BTreeMap, BTreeSet};

pub use list::{Filter, WHICH, Which};

use super::Lab;
use crate::state::peek::Peeked;
use crate::state::{Effect, Purpose, Shared, State};
use crate::worker::protocol::{
    LabAgreementView, LabGoldView, LabHeldView, LabItemView, LabLinesView, LabRequest,
    LabRevealedView, LabReviewEvent, LabReviewRequest, LabReviewView, LabSaidView, LabSetView,
    Notice,
};

/// The most tags per question, and the most characters per tag, as in review files.
const MAX_TAGS: usize = 50;
const MAX_TAG: usize = 100;

/// What is shown beside the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beside {
    /// The current question.
    #[default]
    Question,
    /// How far the annotators agree.
    Agreement,
    /// Answers rated without knowing who made them.
    Blind,
}

/// The gold lines of a question, ready to be shown.
#[derive(Debug)]
pub struct GoldLines {
    pub id: String,
    /// The gold places; without lines where the repository does not have them.
    pub places: Vec<(LabGoldView, Option<Peeked>)>,
    /// How many further places there are.
    pub more: u32,
}

impl From<LabLinesView> for GoldLines {
    fn from(view: LabLinesView) -> Self {
        let places = view.places.into_iter();
        Self {
            id: view.id,
            places: places
                .map(|place| (place.gold, place.lines.map(Peeked::from)))
                .collect(),
            more: view.more,
        }
    }
}

/// One of the two texts of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    Question,
    Answer,
}

/// How many questions were reviewed, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub rated: usize,
    pub dropped: usize,
    /// Questions with any review at all.
    pub reviewed: usize,
}

/// What the review shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reviewing {
    /// The annotator's name, as typed.
    pub annotator: String,
    /// This annotator's reviews, by question id.
    reviews: BTreeMap<String, LabReviewView>,
    pub filter: Filter,
    /// The questions listed, as positions in the set.
    pub rows: Option<Shared<Vec<usize>>>,
    /// The id of the current question.
    pub current: Option<String>,
    /// The ids of the selected questions.
    pub chosen: BTreeSet<String>,
    pub beside: Beside,
    pub agreement: Option<Shared<LabAgreementView>>,
    /// Whether reviews have changed since the agreement was computed.
    pub is_stale: bool,
    pub lines: Option<Shared<GoldLines>>,
    /// What came of the files opened last.
    pub told: Vec<String>,
    pub has_key: bool,
    pub is_covering: bool,
    pub revealed: Option<Shared<Vec<LabRevealedView>>>,
    pub trouble: Option<Notice>,
}

impl Reviewing {
    /// This annotator's review of a question.
    pub fn of(&self, id: &str) -> Option<&LabReviewView> {
        self.reviews.get(id)
    }

    pub fn tally(&self) -> Tally {
        let all = self.reviews.values();
        all.fold(Tally::default(), |tally, it| Tally {
            rated: tally.rated + usize::from(it.rating.is_some()),
            dropped: tally.dropped + usize::from(it.keep == Some(false)),
            reviewed: tally.reviewed + 1,
        })
    }

    /// All tags given, each once.
    pub fn tags(&self) -> BTreeSet<String> {
        let all = self.reviews.values().flat_map(|it| &it.tags);
        all.cloned().collect()
    }

    /// A question and its answer in their current wording.
    pub fn worded(&self, item: &LabItemView) -> (String, String) {
        let review = self.reviews.get(&item.id);
        let question = review.and_then(|it| it.question.clone());
        let answer = review.and_then(|it| it.answer.clone());
        (
            question.unwrap_or_else(|| item.question.clone()),
            answer.unwrap_or_else(|| item.answer.clone()),
        )
    }

    /// What every annotator says about a question, with this page's current review first; empty if
    /// there are no other annotators.
    pub fn said(&self, id: &str) -> Vec<(String, Option<LabSaidView>)> {
        let Some(agreement) = &self.agreement else {
            return Vec::new();
        };
        let judged = agreement.questions.iter().find(|it| it.id == id);
        let judged = judged.map_or(&[][..], |it| &it.said);
        let own = self.of(id).map(|it| LabSaidView {
            keep: it.keep,
            rating: it.rating,
            scores: it.scores,
        });
        let skipped = usize::from(agreement.has_own);
        let others = agreement.annotators.iter().enumerate().skip(skipped);
        let others: Vec<_> = others
            .map(|(at, name)| (name.clone(), judged.get(at).copied().flatten()))
            .collect();
        if others.is_empty() {
            return others;
        }
        let you = ("You".to_owned(), own);
        std::iter::once(you).chain(others).collect()
    }

    pub(in crate::state) fn failed(&mut self, notice: Notice) {
        self.trouble = Some(notice);
    }

    /// Takes a set, whether new or changed.
    pub(super) fn begin(&mut self, set: &LabSetView) {
        let begun = &set.begun;
        let reviews = begun.reviews.iter();
        *self = Self {
            annotator: match begun.annotator.is_empty() {
                true => std::mem::take(&mut self.annotator),
                false => begun.annotator.clone(),
            },
            reviews: reviews.map(|it| (it.id.clone(), it.clone())).collect(),
            current: self.current.take(),
            has_key: begun.has_key,
            is_covering: begun.is_covering,
            is_stale: begun.has_others,
            ..Self::default()
        };
        let is_there = |id: &String| set.items.iter().any(|item| item.id == *id);
        if !self.current.as_ref().is_some_and(is_there) {
            self.current = set.items.first().map(|item| item.id.clone());
        }
        self.settle(&set.items);
    }

    /// Removes questions that are no longer in the set.
    pub(super) fn without(&mut self, ids: &[String], items: &[LabItemView]) {
        for id in ids {
            self.reviews.remove(id);
            self.chosen.remove(id);
        }
        if self.current.as_ref().is_some_and(|it| ids.contains(it)) {
            self.current = items.first().map(|item| item.id.clone());
        }
        // Positions in the set have shifted.
        self.rows = None;
        self.settle(items);
    }

    /// The questions that a key press applies to: the selected ones, else the current one.
    fn meant(&self) -> Vec<String> {
        match self.chosen.is_empty() {
            true => self.current.iter().cloned().collect(),
            false => self.chosen.iter().cloned().collect(),
        }
    }

    /// Changes the reviews of some questions.
    fn say(&mut self, ids: &[String], change: impl Fn(&mut LabReviewView)) -> Vec<Effect> {
        let mut changed = Vec::new();
        for id in ids {
            let blank = LabReviewView {
                id: id.clone(),
                ..LabReviewView::default()
            };
            let before = self.reviews.get(id).unwrap_or(&blank);
            let mut review = before.clone();
            change(&mut review);
            if review == *before {
                continue;
            }
            match review == blank {
                true => self.reviews.remove(id),
                false => self.reviews.insert(id.clone(), review.clone()),
            };
            changed.push(review);
        }
        if changed.is_empty() {
            return Vec::new();
        }
        self.is_stale = true;
        self.trouble = None;
        vec![ask(Purpose::Rate, LabReviewRequest::Put(changed))]
    }
}

fn ask(purpose: Purpose, request: LabReviewRequest) -> Effect {
    Effect::send(purpose, LabRequest::Review(request))
}

impl Lab {
    /// How many questions are evaluated and exported.
    pub fn kept(&self) -> usize {
        let all = self.set.as_ref().map_or(0, |set| set.items.len());
        all.saturating_sub(self.review.tally().dropped)
    }
}

/// What this page's annotator says.
impl State {
    pub fn name_annotator(&mut self, name: &str) -> Vec<Effect> {
        let review = &mut self.lab.review;
        review.annotator = name.trim().to_owned();
        let request = LabReviewRequest::Name(review.annotator.clone());
        vec![ask(Purpose::Review, request)]
    }

    /// Rates the current question; giving the same rating again removes it.
    pub fn give_rating(&mut self, rating: u8) -> Vec<Effect> {
        let review = &mut self.lab.review;
        let ids: Vec<String> = review.current.iter().cloned().collect();
        review.say(&ids, |it| {
            it.rating = (it.rating != Some(rating)).then_some(rating);
        })
    }

    /// Sets one of the five scores.
    pub fn give_score(&mut self, id: &str, at: usize, value: Option<u8>) -> Vec<Effect> {
        self.lab.review.say(&[id.to_owned()], |it| {
            if let Some(score) = it.scores.get_mut(at) {
                *score = value;
            }
        })
    }

    /// Keeps or drops the selected questions, or the current one.
    pub fn decide(&mut self, keep: bool) -> Vec<Effect> {
        let ids = self.lab.review.meant();
        self.decide_on(&ids, keep)
    }

    /// Keeps or drops questions. If all of them are already kept (or dropped), the decision is
    /// removed.
    pub fn decide_on(&mut self, ids: &[String], keep: bool) -> Vec<Effect> {
        let review = &mut self.lab.review;
        let is_said = |id: &String| review.of(id).and_then(|it| it.keep) == Some(keep);
        let is_again = ids.iter().all(is_said);
        review.say(ids, |it| it.keep = (!is_again).then_some(keep))
    }

    /// Adds comma-separated tags to all selected questions.
    pub fn tag_chosen(&mut self, written: &str) -> Vec<Effect> {
        let ids: Vec<String> = self.lab.review.chosen.iter().cloned().collect();
        self.add_tags(&ids, written)
    }

    /// Adds comma-separated tags.
    pub fn add_tags(&mut self, ids: &[String], written: &str) -> Vec<Effect> {
        let cut = |tag: &str| tag.trim().chars().take(MAX_TAG).collect::<String>();
        let tags = written.split(',').map(cut);
        let tags: Vec<String> = tags.filter(|tag| !tag.is_empty()).collect();
        self.lab.review.say(ids, |it| {
            for tag in &tags {
                if !it.tags.contains(tag) && it.tags.len() < MAX_TAGS {
                    it.tags.push(tag.clone());
                }
            }
        })
    }

    pub fn remove_tag(&mut self, id: &str, tag: &str) -> Vec<Effect> {
        let review = &mut self.lab.review;
        review.say(&[id.to_owned()], |it| it.tags.retain(|known| known != tag))
    }

    pub fn write_note(&mut self, id: &str, note: &str) -> Vec<Effect> {
        let review = &mut self.lab.review;
        review.say(&[id.to_owned()], |it| it.note = note.trim().to_owned())
    }

    /// Rewords a question or its answer. The original wording clears the change; so does an empty
    /// question.
    pub fn reword(&mut self, id: &str, which: Wording, text: &str) -> Vec<Effect> {
        let lab = &mut self.lab;
        let set = lab.set.as_ref();
        let item = set.and_then(|set| set.items.iter().find(|item| item.id == id));
        let Some(item) = item else {
            return Vec::new();
        };
        let text = text.trim();
        let first = match which {
            Wording::Question => &item.question,
            Wording::Answer => &item.answer,
        };
        let is_empty = which == Wording::Question && text.is_empty();
        let other = (text != first.trim() && !is_empty).then(|| text.to_owned());
        lab.review.say(&[id.to_owned()], |it| match which {
            Wording::Question => it.question.clone_from(&other),
            Wording::Answer => it.answer.clone_from(&other),
        })
    }
}

/// What the other annotators say.
impl State {
    /// Shows the question, the agreement, or the answers to rate blind.
    pub fn show_beside(&mut self, beside: Beside) -> Vec<Effect> {
        self.lab.review.beside = beside;
        let is_missing = self.lab.review.agreement.is_none();
        match beside == Beside::Agreement && (is_missing || self.lab.review.is_stale) {
            true => self.count_agreement(),
            false => Vec::new(),
        }
    }

    pub fn count_agreement(&mut self) -> Vec<Effect> {
        self.lab.review.is_stale = false;
        vec![ask(Purpose::Agreement, LabReviewRequest::Agree)]
    }

    pub fn forget_annotator(&mut self, annotator: &str) -> Vec<Effect> {
        let annotator = annotator.to_owned();
        let request = LabReviewRequest::Forget { annotator };
        vec![ask(Purpose::Review, request)]
    }

    pub fn export_reviews(&mut self, format: &str) -> Vec<Effect> {
        let format = format.to_owned();
        vec![ask(Purpose::Export, LabReviewRequest::Export { format })]
    }

    pub fn export_agreement(&mut self, format: &str) -> Vec<Effect> {
        let format = format.to_owned();
        let request = LabReviewRequest::ExportAgreement { format };
        vec![ask(Purpose::Export, request)]
    }

    /// Requests a question's gold lines, if it is still the current one.
    pub fn look_at_gold(&mut self, id: &str) -> Vec<Effect> {
        let review = &self.lab.review;
        let is_here = review.lines.as_ref().is_some_and(|lines| lines.id == id);
        if is_here || review.current.as_deref() != Some(id) {
            return Vec::new();
        }
        let id = id.to_owned();
        vec![ask(Purpose::GoldLines, LabReviewRequest::Lines { id })]
    }

    /// Has the ticked pipelines make answers, to be rated without knowing whose they are.
    pub fn hide_makers(&mut self, count: u32) -> Vec<Effect> {
        let lab = &mut self.lab;
        let (pipelines, seed) = (lab.pipelines.clone(), lab.seed);
        let request = LabRequest::Review(LabReviewRequest::Hide {
            pipelines,
            count,
            seed,
        });
        lab.ask(request, |lab| lab.progress = Some(Default::default()))
    }

    /// Puts the questions back in place of the blind answers.
    pub fn unhide_questions(&mut self) -> Vec<Effect> {
        let request = LabRequest::Review(LabReviewRequest::Unhide);
        self.lab.ask(request, |_| {})
    }

    pub fn reveal(&mut self) -> Vec<Effect> {
        vec![ask(Purpose::Agreement, LabReviewRequest::Reveal)]
    }

    pub fn export_key(&mut self, format: &str) -> Vec<Effect> {
        let format = format.to_owned();
        vec![ask(Purpose::Export, LabReviewRequest::ExportKey { format })]
    }

    pub(super) fn review_event(&mut self, purpose: Purpose, event: LabReviewEvent) {
        let review = &mut self.lab.review;
        match (purpose, event) {
            (Purpose::Review, LabReviewEvent::Held(held)) => {
                let LabHeldView {
                    taken,
                    told,
                    agreement,
                } = held;
                for it in taken {
                    review.reviews.entry(it.id.clone()).or_insert(it);
                }
                review.told = told;
                self.agreed(agreement);
            }
            (Purpose::Agreement, LabReviewEvent::Agreement(agreement)) => self.agreed(agreement),
            (Purpose::Review | Purpose::Agreement, LabReviewEvent::Revealed(revealed)) => {
                review.has_key = true;
                review.trouble = None;
                review.revealed = Some(Shared::new(revealed));
            }
            (Purpose::GoldLines, LabReviewEvent::Lines(lines)) => {
                review.lines = Some(Shared::new(lines.into()));
            }
            // Out of date: something else has been asked for since.
            _ => {}
        }
    }

    fn agreed(&mut self, agreement: LabAgreementView) {
        let lab = &mut self.lab;
        lab.review.trouble = None;
        lab.review.agreement = Some(Shared::new(agreement));
        if let Some(set) = &lab.set {
            lab.review.settle(&set.items);
        }
        if lab.review.current.is_none() {
            self.look_at_row(0);
        }
    }
}

#[cfg(test)]
mod tests;
