//! Questions that the connected model writes: what is wanted, what it will cost, how far it is.

use crate::state::{Effect, Lab, Shared, State};
use crate::worker::protocol::{
    LabBudgetView, LabEstimateView, LabOrderView, LabRequest, LabSetView, StrategyView,
};

/// Who makes questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Maker {
    /// Code, from what the index knows.
    #[default]
    Code,
    /// The connected language model.
    Model,
}

/// What the model is to write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Order {
    /// What it will cost; none before it was asked for, or after what is wanted changed.
    pub estimate: Option<LabEstimateView>,
    /// What it may cost, as the user set it.
    pub most: LabBudgetView,
}

impl Lab {
    /// The names of `all` that are wanted.
    pub(super) fn wanted<'a>(&self, all: impl Iterator<Item = &'a StrategyView>) -> Vec<String> {
        let names = all.map(|it| it.name.clone());
        names.filter(|name| !self.unwanted.contains(name)).collect()
    }

    /// What is wanted changed, so that the estimate holds no longer.
    pub fn order_changed(&mut self) {
        self.order.estimate = None;
    }

    pub(super) fn estimated(&mut self, estimate: LabEstimateView) {
        self.stopped();
        self.order.most = estimate.most;
        self.order.estimate = Some(estimate);
    }

    /// A new set, or the one that was there before the page was left.
    pub(super) fn set_told(&mut self, set: LabSetView) {
        self.stopped();
        if let Some(order) = &set.order {
            self.maker = Maker::Model;
            (self.count, self.seed) = (order.count, order.seed);
            self.order.most = order.most.unwrap_or_default();
        }
        self.review.begin(&set);
        self.set = Some(Shared::new(set));
    }

    fn order(&self, most: Option<LabBudgetView>) -> LabOrderView {
        let offered = self.offer.as_ref().map(|offer| offer.strategies.iter());
        LabOrderView {
            count: self.count,
            seed: self.seed,
            strategies: self.wanted(offered.into_iter().flatten()),
            most,
        }
    }
}

impl State {
    /// Asks what it costs to have the connected model write questions.
    pub fn estimate_questions(&mut self) -> Vec<Effect> {
        let order = self.lab.order(None);
        self.lab.ask(LabRequest::Estimate(order))
    }

    /// Has the connected model write questions, within what the user allows.
    pub fn write_questions(&mut self) -> Vec<Effect> {
        let order = self.lab.order(Some(self.lab.order.most));
        self.lab.order_changed();
        self.lab.comparison = None;
        self.lab.spending = Some(Default::default());
        self.lab.ask(LabRequest::Write(order))
    }

    /// Goes on with what a model was asked before; what it said then is not asked again. The budget
    /// is what it was, for as much again.
    pub fn go_on_writing(&mut self) -> Vec<Effect> {
        let set = self.lab.set.as_ref();
        let Some(order) = set.and_then(|set| set.order.clone()) else {
            return Vec::new();
        };
        self.lab.spending = Some(Default::default());
        self.lab.ask(LabRequest::Write(order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Purpose;
    use crate::worker::protocol::{Event, LabEvent, LabOfferView, Part, Request, Told};

    fn told(state: &mut State, request: LabRequest, part: Part, event: LabEvent) {
        let job = state.begin(Purpose::Lab, &request.into());
        let event = Event::Lab(event);
        state.receive(Told { job, part, event }, 0.0);
    }

    fn written(effects: &[Effect]) -> &LabOrderView {
        match effects {
            [Effect::Send(Purpose::Lab, Request::Lab(LabRequest::Write(order)))] => order,
            other => panic!("{other:?}"),
        }
    }

    fn offering() -> State {
        let strategy = |name: &str| StrategyView {
            name: name.to_owned(),
            title: String::new(),
        };
        let offer = LabOfferView {
            strategies: vec![strategy("s1"), strategy("s2")],
            ..LabOfferView::default()
        };
        let mut state = State::default();
        let event = LabEvent::Offered(offer);
        told(&mut state, LabRequest::Offer, Part::Last, event);
        state
    }

    #[test]
    fn what_may_be_spent_is_what_the_estimate_says_until_the_user_changes_it() {
        let mut state = offering();
        state.lab.unwanted.insert("s1".to_owned());
        let effects = state.estimate_questions();
        let [Effect::Send(_, Request::Lab(LabRequest::Estimate(order)))] = &effects[..] else {
            panic!("{effects:?}");
        };
        assert_eq!(
            (&order.strategies[..], order.most),
            (&["s2".to_owned()][..], None)
        );
        let most = LabBudgetView {
            requests: 30,
            tokens: 9_000,
        };
        let estimate = LabEstimateView {
            most,
            ..LabEstimateView::default()
        };
        let event = LabEvent::Estimated(estimate);
        told(&mut state, LabRequest::Offer, Part::Last, event);
        assert!(!state.lab.is_waiting);
        state.lab.order.most.requests = 12;
        let effects = state.write_questions();
        let expected = LabBudgetView {
            requests: 12,
            ..most
        };
        assert_eq!(written(&effects).most, Some(expected));
        assert!(state.lab.order.estimate.is_none() && state.lab.spending.is_some());
    }

    #[test]
    fn a_run_that_was_paused_goes_on_with_its_own_order_after_a_reload_too() {
        let mut state = offering();
        let order = LabOrderView {
            count: 40,
            seed: 7,
            strategies: vec!["s2".to_owned()],
            most: Some(LabBudgetView::default()),
        };
        let set = LabSetView {
            order: Some(order.clone()),
            is_partial: true,
            ..LabSetView::default()
        };
        told(
            &mut state,
            LabRequest::Offer,
            Part::More,
            LabEvent::Set(set),
        );
        assert_eq!((state.lab.maker, state.lab.count), (Maker::Model, 40));
        assert_eq!(written(&state.go_on_writing()), &order);
    }
}
