//! Pairs of answers: which are made, how the user rates them, and what a judge says.

use crate::state::{Effect, Lab, Purpose, Shared, State};
use crate::worker::protocol::{LabChoice, LabPairsView, LabRequest, LabVerdictView};

/// The answers to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Judging {
    /// The names of two pipelines.
    pub pipelines: [String; 2],
    /// How many questions to draw from the set.
    pub count: u32,
    /// Whether the connected model writes the answers.
    pub by_model: bool,
    pub pairs: Option<Shared<LabPairsView>>,
    /// The position of the pair shown.
    pub at: usize,
    pub verdict: Option<Shared<LabVerdictView>>,
}

impl Default for Judging {
    fn default() -> Self {
        Self {
            pipelines: ["footnote", "grounded"].map(str::to_owned),
            count: 30,
            by_model: false,
            pairs: None,
            at: 0,
            verdict: None,
        }
    }
}

impl Judging {
    /// How many pairs the user has rated.
    pub fn rated(&self) -> usize {
        let pairs = self.pairs.as_ref().map(|it| it.pairs.iter());
        let rated = pairs.into_iter().flatten().filter(|it| it.rated.is_some());
        rated.count()
    }

    /// The set has changed: drops the pairs.
    pub(super) fn forget(&mut self) {
        self.pairs = None;
        self.at = 0;
        self.verdict = None;
    }

    /// Moves by `steps` pairs, staying within the list.
    pub fn step(&mut self, steps: isize) {
        let n = self.pairs.as_ref().map_or(0, |it| it.pairs.len());
        self.at = self
            .at
            .saturating_add_signed(steps)
            .min(n.saturating_sub(1));
    }
}

impl Lab {
    pub(super) fn paired(&mut self, pairs: LabPairsView) {
        self.stopped();
        let judging = &mut self.judging;
        judging.verdict = None;
        judging.at = pairs
            .pairs
            .iter()
            .position(|it| it.rated.is_none())
            .unwrap_or(0);
        judging.pairs = Some(Shared::new(pairs));
    }

    pub(super) fn judged(&mut self, verdict: LabVerdictView) {
        self.stopped();
        self.judging.verdict = Some(Shared::new(verdict));
    }
}

impl State {
    /// Has two pipelines answer questions of the set. If the connected model is to write the
    /// answers, requests an estimate of the cost instead.
    pub fn make_pairs(&mut self) -> Vec<Effect> {
        if self.lab.judging.by_model {
            return self.estimate_answers();
        }
        let pairing = self.lab.pairing();
        self.lab.ask(LabRequest::Pair(pairing), |lab| {
            lab.progress = Some(Default::default());
        })
    }

    /// Records the user's choice for the pair shown, and shows the next one.
    pub fn rate_pair(&mut self, choice: LabChoice) -> Vec<Effect> {
        let judging = &mut self.lab.judging;
        let Some(known) = &judging.pairs else {
            return Vec::new();
        };
        let mut pairs = LabPairsView::clone(known);
        let Some(pair) = pairs.pairs.get_mut(judging.at) else {
            return Vec::new();
        };
        pair.rated = Some(choice);
        let id = pair.id.clone();
        judging.pairs = Some(Shared::new(pairs));
        judging.step(1);
        vec![Effect::send(
            Purpose::Other,
            LabRequest::Rate { id, choice },
        )]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{Event, LabEvent, LabPairView, Part, Request, Told};

    fn pair(id: &str, rated: Option<LabChoice>) -> LabPairView {
        LabPairView {
            id: id.to_owned(),
            question: "why?".to_owned(),
            reference: None,
            answers: ["one".to_owned(), "two".to_owned()],
            rated,
        }
    }

    fn with_pairs(pairs: Vec<LabPairView>) -> State {
        let mut state = State::default();
        let effects = state.make_pairs();
        let [Effect::Send(purpose, request)] = &effects[..] else {
            panic!("{effects:?}");
        };
        let job = state.begin(*purpose, request);
        let view = LabPairsView {
            pairs,
            ..LabPairsView::default()
        };
        let event = Event::Lab(LabEvent::Paired(view));
        let part = Part::Last;
        state.receive(Told { job, part, event }, 0.0);
        state
    }

    #[test]
    fn rating_a_pair_shows_the_next_one_and_the_first_that_is_not_rated_comes_first() {
        let rated = pair("a", Some(LabChoice::Draw));
        let mut state = with_pairs(vec![rated, pair("b", None), pair("c", None)]);
        assert!(!state.lab.is_waiting);
        assert_eq!((state.lab.judging.at, state.lab.judging.rated()), (1, 1));
        let effects = state.rate_pair(LabChoice::Second);
        let [Effect::Send(_, Request::Lab(LabRequest::Rate { id, choice }))] = &effects[..] else {
            panic!("{effects:?}");
        };
        assert_eq!((id.as_str(), *choice), ("b", LabChoice::Second));
        assert_eq!((state.lab.judging.at, state.lab.judging.rated()), (2, 2));
        state.rate_pair(LabChoice::First);
        assert_eq!((state.lab.judging.at, state.lab.judging.rated()), (2, 3));
        state.lab.judging.step(-9);
        assert_eq!(state.lab.judging.at, 0);
    }

    #[test]
    fn without_pairs_there_is_nothing_to_rate() {
        let mut state = with_pairs(Vec::new());
        assert!(state.rate_pair(LabChoice::Draw).is_empty());
        assert_eq!(state.lab.judging.at, 0);
    }
}
