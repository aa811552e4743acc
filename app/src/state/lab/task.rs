//! Work for the connected model: what is wanted, what it would cost, and whom the user lets the
//! page ask.

use crate::state::{Effect, Lab, State};
use crate::worker::protocol::{
    LabBudgetView, LabEstimateView, LabGrantView, LabOrderView, LabPairingView, LabRequest,
    LabTask, StrategyView,
};

/// Who makes the questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Maker {
    /// Code, from what the index knows.
    #[default]
    Code,
    /// The connected language model.
    Model,
}

/// Work whose cost is shown before it is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Costed {
    pub task: LabTask,
    /// `None` until it is known.
    pub estimate: Option<LabEstimateView>,
    /// The limit that the user sets.
    pub most: LabBudgetView,
}

impl Lab {
    /// The names among `all` that are wanted.
    pub(super) fn wanted<'a>(&self, all: impl Iterator<Item = &'a StrategyView>) -> Vec<String> {
        let names = all.map(|it| it.name.clone());
        names.filter(|name| !self.unwanted.contains(name)).collect()
    }

    /// The work or its recipient has changed: the estimate no longer holds.
    pub fn forget_cost(&mut self) {
        self.costed = None;
    }

    pub(super) fn estimated(&mut self, estimate: LabEstimateView) {
        self.stopped();
        if let Some(costed) = &mut self.costed {
            costed.most = estimate.grant.most;
            costed.estimate = Some(estimate);
        }
    }

    fn order(&self) -> LabOrderView {
        let offered = self.offer.as_ref().map(|offer| offer.strategies.iter());
        LabOrderView {
            count: self.count,
            seed: self.seed,
            strategies: self.wanted(offered.into_iter().flatten()),
        }
    }

    pub(super) fn pairing(&self) -> LabPairingView {
        LabPairingView {
            pipelines: self.judging.pipelines.clone(),
            count: self.judging.count,
            seed: self.seed,
        }
    }

    pub(super) fn estimate(&mut self, task: LabTask) -> Vec<Effect> {
        self.ask(LabRequest::Estimate(task.clone()), |lab| {
            lab.costed = Some(Costed {
                task,
                estimate: None,
                most: LabBudgetView::default(),
            });
        })
    }

    fn run(&mut self, task: LabTask, grant: LabGrantView) -> Vec<Effect> {
        self.ask(LabRequest::Run(task, grant), |lab| {
            lab.forget_cost();
            lab.spending = Some(Default::default());
        })
    }
}

impl State {
    /// Requests an estimate of what it costs to have the connected model write questions.
    pub fn estimate_questions(&mut self) -> Vec<Effect> {
        let order = self.lab.order();
        self.lab.estimate(LabTask::Write(order))
    }

    /// Requests an estimate for writing answers to questions of the set.
    pub fn estimate_answers(&mut self) -> Vec<Effect> {
        let pairing = self.lab.pairing();
        self.lab.estimate(LabTask::Answer(pairing))
    }

    /// Requests an estimate for judging the pairs.
    pub fn estimate_judging(&mut self) -> Vec<Effect> {
        self.lab.estimate(LabTask::Judge)
    }

    /// Has the connected model do the estimated work, within the user's limit.
    pub fn send_task(&mut self) -> Vec<Effect> {
        let Some(Costed {
            task,
            estimate: Some(estimate),
            most,
        }) = self.lab.costed.clone()
        else {
            return Vec::new();
        };
        let grant = LabGrantView {
            most,
            ..estimate.grant
        };
        self.lab.run(task, grant)
    }

    /// Continues writing questions where an earlier run ended; the model's earlier replies are not
    /// requested again.
    pub fn go_on_writing(&mut self) -> Vec<Effect> {
        let set = self.lab.set.as_ref();
        match set.and_then(|set| set.order.clone()) {
            Some((order, grant)) => self.lab.run(LabTask::Write(order), grant),
            None => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Purpose;
    use crate::worker::protocol::{Event, LabEvent, LabOfferView, LabSetView, Part, Request, Told};

    fn told(state: &mut State, request: LabRequest, part: Part, event: LabEvent) {
        let job = state.begin(Purpose::Lab, &request.into());
        let event = Event::Lab(event);
        state.receive(Told { job, part, event }, 0.0);
    }

    fn run(effects: &[Effect]) -> (&LabTask, &LabGrantView) {
        match effects {
            [Effect::Send(Purpose::Lab, Request::Lab(LabRequest::Run(task, grant)))] => {
                (task, grant)
            }
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

    fn granted() -> LabGrantView {
        LabGrantView {
            model: "m".to_owned(),
            address: "http://localhost:1".to_owned(),
            most: LabBudgetView {
                requests: 30,
                tokens: 9_000,
            },
        }
    }

    #[test]
    fn the_budget_is_the_estimate_until_the_user_changes_it() {
        let mut state = offering();
        state.lab.unwanted.insert("s1".to_owned());
        let effects = state.estimate_questions();
        let [Effect::Send(_, Request::Lab(LabRequest::Estimate(task)))] = &effects[..] else {
            panic!("{effects:?}");
        };
        let LabTask::Write(order) = task else {
            panic!("{task:?}");
        };
        assert_eq!(order.strategies, ["s2"]);
        assert!(state.send_task().is_empty(), "nothing is known yet");
        let estimate = LabEstimateView {
            grant: granted(),
            ..LabEstimateView::default()
        };
        let event = LabEvent::Estimated(estimate);
        told(&mut state, LabRequest::Offer, Part::Last, event);
        assert!(!state.lab.is_waiting);
        state.lab.costed.as_mut().unwrap().most.requests = 12;
        let effects = state.send_task();
        let (sent, grant) = run(&effects);
        assert_eq!(sent, task);
        let expected = LabBudgetView {
            requests: 12,
            tokens: 9_000,
        };
        assert_eq!((grant.most, grant.model.as_str()), (expected, "m"));
        assert!(state.lab.costed.is_none() && state.lab.spending.is_some());
        assert!(state.estimate_judging().is_empty(), "a run is under way");
    }

    #[test]
    fn an_estimate_for_one_model_does_not_hold_for_another() {
        let mut state = offering();
        state.estimate_judging();
        let event = LabEvent::Estimated(LabEstimateView::default());
        told(&mut state, LabRequest::Offer, Part::Last, event);
        assert!(state.lab.costed.is_some());
        state.tell_connection();
        assert!(state.lab.costed.is_none() && state.send_task().is_empty());
    }

    #[test]
    fn a_paused_run_continues_with_its_own_order_even_after_a_reload() {
        let mut state = offering();
        let order = LabOrderView {
            count: 40,
            seed: 7,
            strategies: vec!["s2".to_owned()],
        };
        let set = LabSetView {
            order: Some((order.clone(), granted())),
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
        let effects = state.go_on_writing();
        assert_eq!(run(&effects), (&LabTask::Write(order), &granted()));
    }
}
