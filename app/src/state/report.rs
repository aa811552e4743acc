//! The report card of the models: whose answers are counted, and how they fared.

use super::{Effect, Panel, Purpose, Shared, State};
use crate::worker::protocol::{Notice, ReportRequest, ReportScope, ReportView};

/// The report card that is shown or due.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    pub scope: ReportScope,
    pub view: Option<Shared<ReportView>>,
    pub trouble: Option<Notice>,
}

impl Report {
    pub(super) fn failed(&mut self, notice: Notice) {
        self.trouble = Some(notice);
    }
}

impl State {
    /// Requests the report card again, since answers may have been added. Without an open
    /// repository it covers all of them.
    pub fn show_report(&mut self) -> Vec<Effect> {
        self.panel = Some(Panel::Report);
        let scope = match self.summary() {
            Some(_) => self.report.scope,
            None => ReportScope::All,
        };
        self.report_of(scope)
    }

    pub fn report_of(&mut self, scope: ReportScope) -> Vec<Effect> {
        self.report.scope = scope;
        self.report.trouble = None;
        if let Some(view) = &self.report.view
            && view.scope != scope
        {
            self.report.view = None;
        }
        let request = ReportRequest::Make(scope);
        vec![Effect::send(Purpose::Report, request)]
    }

    /// Exports the report card shown as a file.
    pub fn export_report(&mut self, format: &str) -> Vec<Effect> {
        let scope = self.report.scope;
        let format = format.to_owned();
        let export = ReportRequest::Export { scope, format };
        vec![Effect::send(Purpose::Export, export)]
    }

    pub(super) fn report_event(&mut self, purpose: Purpose, view: ReportView) {
        if purpose == Purpose::Report {
            self.report.view = Some(Shared::new(view));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{Event, Part, ReportRow, Request, Told};

    fn asked(effects: &[Effect]) -> ReportScope {
        match effects {
            [Effect::Send(Purpose::Report, Request::Report(ReportRequest::Make(scope)))] => *scope,
            other => panic!("{other:?}"),
        }
    }

    fn told(state: &mut State, scope: ReportScope) {
        let view = ReportView {
            scope,
            rows: vec![ReportRow::default()],
            ..ReportView::default()
        };
        let request = ReportRequest::Make(scope).into();
        let told = Told {
            job: state.begin(Purpose::Report, &request),
            part: Part::Last,
            event: Event::Report(view),
        };
        state.receive(told, 0.0);
    }

    #[test]
    fn without_a_repository_all_answers_are_counted() {
        let mut state = State::default();
        assert_eq!(asked(&state.show(Panel::Report)), ReportScope::All);
        assert_eq!(state.panel, Some(Panel::Report));
    }

    #[test]
    fn numbers_of_another_choice_do_not_stay() {
        let mut state = State::default();
        told(&mut state, ReportScope::All);
        assert!(state.report.view.is_some());
        assert_eq!(
            asked(&state.report_of(ReportScope::All)),
            ReportScope::All,
            "made anew"
        );
        assert!(state.report.view.is_some(), "and shown until then");
        state.report_of(ReportScope::This);
        assert_eq!(state.report.view, None);
    }
}
