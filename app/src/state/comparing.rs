//! One question answered by several pipelines: which ones, with which settings changed, and the
//! result of each.

use super::writing::Draft;
use super::{Effect, Panel, Purpose, Shared, State, TurnId};
use crate::worker::protocol::{
    ColumnView, CompareEvent, CompareRequest, LabGoldView, Notice, Part, StrategyView, WayView,
    WrittenView,
};

/// The most columns: more cannot be read side by side.
pub const MOST: usize = 4;
/// The pipelines compared at first.
const FIRST: [&str; 2] = ["footnote", "grounded"];

/// The comparison that is shown or due.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparing {
    pub turn: Option<TurnId>,
    pub question: String,
    /// The gold lines, if the question comes from the laboratory; closing the panel then leads back
    /// there.
    pub of_lab: Option<Vec<LabGoldView>>,
    /// The pipelines with their changed settings; at least one.
    pub ways: Vec<WayView>,
    /// One column per pipeline; `None` while it is due.
    pub columns: Vec<Option<Shared<ColumnView>>>,
    /// All pipelines that can be chosen.
    pub options: Shared<Vec<StrategyView>>,
    pub trouble: Option<Notice>,
    pub is_waiting: bool,
    /// The pipeline whose lines the model was last asked with.
    asking: Option<WayView>,
    /// What the model wrote for each pipeline.
    written: Vec<(WayView, Shared<WrittenView>)>,
}

impl Default for Comparing {
    fn default() -> Self {
        Self {
            turn: None,
            question: String::new(),
            of_lab: None,
            ways: FIRST.map(way).to_vec(),
            columns: vec![None; FIRST.len()],
            options: Shared::new(Vec::new()),
            trouble: None,
            is_waiting: false,
            asking: None,
            written: Vec::new(),
        }
    }
}

/// The parameter names of the question and of each pipeline in a link.
const QUESTION: &str = "question";
const WAY: &str = "way";
/// Separates a pipeline from its settings in a link.
const BETWEEN: char = ';';

fn way(preset: &str) -> WayView {
    WayView {
        preset: preset.to_owned(),
        changes: Vec::new(),
    }
}

impl Comparing {
    pub fn failed(&mut self, notice: Notice) {
        self.is_waiting = false;
        self.trouble = Some(notice);
    }

    /// The changed value of a setting, if it was changed.
    pub fn changed(&self, at: usize, name: &str) -> Option<&str> {
        let changes = &self.ways.get(at)?.changes;
        let found = changes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Forgets all results; the chosen pipelines stay.
    pub(super) fn forget(&mut self) {
        let ways = std::mem::take(&mut self.ways);
        *self = Self {
            columns: vec![None; ways.len()],
            ways,
            ..Self::default()
        };
    }

    /// What the model wrote with the pipeline of a column.
    pub fn written(&self, at: usize) -> Option<Shared<WrittenView>> {
        let way = self.ways.get(at)?;
        let found = self.written.iter().find(|(known, _)| known == way);
        found.map(|(_, written)| written.clone())
    }

    /// The model has answered a turn. If it was asked from a column, the answer is kept for that
    /// column's pipeline.
    pub(super) fn wrote(&mut self, turn: TurnId, written: &Shared<WrittenView>) {
        if self.turn != Some(turn) {
            return;
        }
        if let Some(way) = self.asking.take() {
            self.written.retain(|(known, _)| *known != way);
            self.written.push((way, written.clone()));
        }
    }

    /// The link parameters of this comparison: the question, and each pipeline with its changed
    /// settings.
    pub fn linked(&self) -> Vec<(String, String)> {
        let ways = self.ways.iter().map(|way| {
            let changes = way.changes.iter();
            let changes = changes.map(|(name, value)| format!("{BETWEEN}{name}={value}"));
            let text = way.preset.clone() + &changes.collect::<String>();
            (WAY.to_owned(), text)
        });
        let question = (QUESTION.to_owned(), self.question.clone());
        std::iter::once(question).chain(ways).collect()
    }

    /// Takes pipelines and settings from a link. The engine checks their names and values.
    fn take_linked(&mut self, values: &[(String, String)]) {
        let ways = values.iter().filter(|(name, _)| name == WAY).take(MOST);
        let ways = ways.map(|(_, text)| {
            let mut parts = text.split(BETWEEN);
            let preset = parts.next().unwrap_or_default();
            let changes = parts.filter_map(|part| part.split_once('='));
            WayView {
                preset: preset.to_owned(),
                changes: changes
                    .map(|(name, value)| (name.to_owned(), value.to_owned()))
                    .collect(),
            }
        });
        let ways: Vec<WayView> = ways.collect();
        if !ways.is_empty() {
            self.columns = vec![None; ways.len()];
            self.ways = ways;
        }
    }

    fn arrived(&mut self, at: u32, view: ColumnView, part: Part) {
        self.trouble = None;
        if let Some(column) = self.columns.get_mut(at as usize) {
            *column = Some(Shared::new(view));
        }
        if part == Part::Last {
            self.is_waiting = false;
        }
    }

    /// Requests the missing columns, and the column at `moved`.
    fn ask(&mut self, moved: Option<usize>) -> Vec<Effect> {
        self.is_waiting = true;
        self.trouble = None;
        let is_wanted = |at: usize| {
            let is_missing = self.columns.get(at).is_none_or(Option::is_none);
            is_missing || moved == Some(at)
        };
        let ways = self.ways.iter().enumerate();
        let wanted = ways.filter(|(at, _)| is_wanted(*at));
        let wanted: Vec<(u32, WayView)> =
            wanted.map(|(at, way)| (at as u32, way.clone())).collect();
        if wanted.is_empty() {
            self.is_waiting = false;
            return Vec::new();
        }
        let request = CompareRequest::Make {
            question: self.question.clone(),
            total: self.ways.len() as u32,
            ways: wanted,
        };
        vec![Effect::send(Purpose::Compare, request)]
    }

    /// Shows another question, or the same one again.
    fn turn_to(&mut self, question: String) -> Vec<Effect> {
        if self.question == question {
            return self.ask(None);
        }
        self.question = question;
        self.asking = None;
        self.written.clear();
        self.ask_all()
    }

    /// Requests all columns again.
    fn ask_all(&mut self) -> Vec<Effect> {
        self.columns = vec![None; self.ways.len()];
        self.ask(None)
    }
}

impl State {
    /// Takes over the pipelines of a link and returns its question, for the question box. The
    /// question is not asked: a link may come from anyone, and asking it would send code to a
    /// connected model.
    pub fn follow_link(&mut self, values: &[(String, String)]) -> Option<String> {
        self.comparing.take_linked(values);
        let question = values.iter().find(|(name, _)| name == QUESTION);
        question.map(|(_, text)| text.clone())
    }

    /// Answers the question of a turn by several pipelines; the pipelines chosen before stay.
    pub fn show_comparison(&mut self, id: TurnId) -> Vec<Effect> {
        let Some(turn) = self.conversation.get(id) else {
            return Vec::new();
        };
        let question = turn.searched().to_owned();
        self.panel = Some(Panel::Compare);
        self.comparing.turn = Some(id);
        self.comparing.of_lab = None;
        self.comparing.turn_to(question)
    }

    /// Answers a question of the laboratory by the pipelines that were evaluated on it.
    pub fn compare_question(&mut self, id: &str) -> Vec<Effect> {
        let lab = &self.lab;
        let set = lab.set.as_ref().map(|set| set.items.iter());
        let item = set.into_iter().flatten().find(|item| item.id == id);
        let (Some(item), Some(evaluated)) = (item, &lab.comparison) else {
            return Vec::new();
        };
        let names = evaluated.columns.iter().map(|column| way(&column.name));
        let ways: Vec<WayView> = names.take(MOST).collect();
        let comparing = &mut self.comparing;
        (comparing.turn, comparing.of_lab) = (None, Some(item.gold.clone()));
        let question = item.question.clone();
        if comparing.ways != ways {
            // The engine identifies columns by position.
            comparing.columns = vec![None; ways.len()];
            comparing.ways = ways;
        }
        self.panel = Some(Panel::Compare);
        comparing.turn_to(question)
    }

    /// Puts a pipeline into a column, or into a new last column. An empty name removes the column.
    pub fn compare_with(&mut self, at: usize, preset: &str) -> Vec<Effect> {
        let comparing = &mut self.comparing;
        match (preset, at < comparing.ways.len()) {
            ("", true) if comparing.ways.len() > 1 => {
                comparing.ways.remove(at);
                // The engine identifies columns by position.
                return comparing.ask_all();
            }
            ("", _) => return Vec::new(),
            (preset, true) => {
                if let (Some(known), Some(column)) =
                    (comparing.ways.get_mut(at), comparing.columns.get_mut(at))
                {
                    *known = way(preset);
                    *column = None;
                }
            }
            (preset, false) if comparing.ways.len() < MOST => {
                comparing.ways.push(way(preset));
                comparing.columns.push(None);
            }
            _ => return Vec::new(),
        }
        comparing.ask(None)
    }

    /// Changes a setting of one pipeline.
    pub fn change_way(&mut self, at: usize, name: &str, value: &str) -> Vec<Effect> {
        let Some(way) = self.comparing.ways.get_mut(at) else {
            return Vec::new();
        };
        way.changes.retain(|(known, _)| known != name);
        way.changes.push((name.to_owned(), value.to_owned()));
        self.comparing.ask(Some(at))
    }

    /// Resets the settings of one pipeline.
    pub fn reset_way(&mut self, at: usize) -> Vec<Effect> {
        let Some(way) = self.comparing.ways.get_mut(at) else {
            return Vec::new();
        };
        way.changes.clear();
        self.comparing.ask(Some(at))
    }

    pub fn export_comparison(&mut self, format: &str) -> Vec<Effect> {
        let format = format.to_owned();
        let request = CompareRequest::Export { format };
        vec![Effect::send(Purpose::Export, request)]
    }

    /// Asks the connected model with the lines of one column, as its pipeline prescribes.
    pub fn write_with_column(&mut self, at: usize) -> Vec<Effect> {
        let column = self.comparing.columns.get(at).cloned().flatten();
        let way = self.comparing.ways.get(at).cloned();
        let (Some(turn), Some(column), Some(way)) = (self.comparing.turn, column, way) else {
            return Vec::new();
        };
        if let Some(hint) = self.connection_hint() {
            self.hint = Some(hint);
            return Vec::new();
        }
        self.hide(Panel::Compare);
        self.comparing.asking = Some(way.clone());
        let draft = Draft {
            offered: Some(column.offered.clone()),
            pipeline: Some(way.preset),
            ..Draft::default()
        };
        self.write(turn, draft, self.connection.permission())
    }

    pub(super) fn compare_event(&mut self, purpose: Purpose, part: Part, event: CompareEvent) {
        if purpose != Purpose::Compare {
            return;
        }
        match event {
            CompareEvent::Offered(options) => self.comparing.options = Shared::new(options),
            CompareEvent::Made(at, view) => self.comparing.arrived(at, view, part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{Event, Request, Told};

    fn asked(effects: &[Effect]) -> (u32, Vec<(u32, String)>) {
        match effects {
            [
                Effect::Send(
                    Purpose::Compare,
                    Request::Compare(CompareRequest::Make { total, ways, .. }),
                ),
            ] => {
                let ways = ways.iter().map(|(at, way)| {
                    let changes = way.changes.iter();
                    let changes: Vec<String> = changes
                        .map(|(name, value)| format!(" {name}={value}"))
                        .collect();
                    (*at, format!("{}{}", way.preset, changes.concat()))
                });
                (*total, ways.collect())
            }
            other => panic!("{other:?}"),
        }
    }

    fn column(title: &str) -> ColumnView {
        ColumnView {
            title: title.to_owned(),
            html: String::new(),
            offered: Vec::new(),
            tokens: 0,
            sliders: Vec::new(),
            milliseconds: 0.0,
            command: String::new(),
        }
    }

    /// Answers every request among the effects.
    fn answer(state: &mut State, effects: &[Effect]) {
        let [Effect::Send(purpose, request)] = effects else {
            panic!("{effects:?}");
        };
        let job = state.begin(*purpose, request);
        let (_, ways) = asked(effects);
        let n = ways.len();
        for (nth, (at, title)) in ways.into_iter().enumerate() {
            let part = if nth + 1 == n { Part::Last } else { Part::More };
            let event = Event::Compare(CompareEvent::Made(at, column(&title)));
            state.receive(Told { job, part, event }, 0.0);
        }
    }

    fn titles(state: &State) -> Vec<String> {
        let columns = state.comparing.columns.iter();
        let title = |it: &Option<Shared<ColumnView>>| {
            it.as_ref().map_or("–".to_owned(), |it| it.title.clone())
        };
        columns.map(title).collect()
    }

    #[test]
    fn only_missing_and_changed_columns_are_requested() {
        let mut state = State::default();
        let turn = state.conversation.push("one");
        let effects = state.show_comparison(turn);
        let both = vec![(0, "footnote".to_owned()), (1, "grounded".to_owned())];
        assert_eq!(asked(&effects), (2, both));
        assert!(state.comparing.is_waiting);
        answer(&mut state, &effects);
        assert!(!state.comparing.is_waiting);
        assert_eq!(titles(&state), ["footnote", "grounded"]);
        let effects = state.change_way(1, "alpha", "0.2");
        let moved = vec![(1, "grounded alpha=0.2".to_owned())];
        assert_eq!(asked(&effects), (2, moved));
        assert_eq!(
            titles(&state),
            ["footnote", "grounded"],
            "the old one stays"
        );
        answer(&mut state, &effects);
        let effects = state.compare_with(2, "repoqa-sa");
        assert_eq!(asked(&effects), (3, vec![(2, "repoqa-sa".to_owned())]));
        answer(&mut state, &effects);
        assert_eq!(state.show_comparison(turn), [], "all of it is there");
        assert!(!state.comparing.is_waiting);
    }

    #[test]
    fn pipelines_are_added_and_removed_and_stay_for_the_next_question() {
        let mut state = State::default();
        let (first, second) = (
            state.conversation.push("one"),
            state.conversation.push("two"),
        );
        let effects = state.show_comparison(first);
        answer(&mut state, &effects);
        let effects = state.compare_with(0, "whole-files");
        assert_eq!(asked(&effects), (2, vec![(0, "whole-files".to_owned())]));
        answer(&mut state, &effects);
        let effects = state.compare_with(1, "");
        assert_eq!(asked(&effects), (1, vec![(0, "whole-files".to_owned())]));
        answer(&mut state, &effects);
        assert_eq!(state.compare_with(0, ""), [], "one is left");
        for n in 1..MOST {
            let effects = state.compare_with(n, "footnote");
            answer(&mut state, &effects);
        }
        assert_eq!(state.compare_with(MOST, "footnote"), [], "no room");
        let effects = state.show_comparison(second);
        assert_eq!(asked(&effects).0, MOST as u32);
        assert_eq!(titles(&state), ["–", "–", "–", "–"]);
    }

    #[test]
    fn a_link_brings_back_the_pipelines_their_numbers_and_the_question() {
        let mut state = State::default();
        let turn = state.conversation.push("who calls a=b & c;d?");
        state.show_comparison(turn);
        state.change_way(1, "alpha", "0.2");
        state.change_way(1, "budget", "4000");
        state.compare_with(2, "whole-files");
        let linked = state.comparing.linked();
        let mut other = State::default();
        let question = other.follow_link(&linked);
        assert_eq!(question.as_deref(), Some("who calls a=b & c;d?"));
        assert_eq!(other.comparing.ways, state.comparing.ways);
        assert_eq!(other.conversation.turns.len(), 0, "nothing is asked");
        let mut plain = State::default();
        assert_eq!(plain.follow_link(&[("x".into(), "y".into())]), None);
        assert_eq!(plain.comparing.ways, Comparing::default().ways);
    }

    #[test]
    fn a_models_answer_stands_under_the_pipeline_that_it_was_asked_with() {
        let mut state = State::default();
        let turn = state.conversation.push("one");
        let effects = state.show_comparison(turn);
        answer(&mut state, &effects);
        let text = |state: &State, at| state.comparing.written(at).map(|it| it.text.clone());
        for (at, said) in [(0, "first"), (1, "second")] {
            state.comparing.asking = state.comparing.ways.get(at).cloned();
            let written = Shared::new(WrittenView {
                text: said.to_owned(),
                ..WrittenView::default()
            });
            state.comparing.wrote(turn, &written);
            state
                .comparing
                .wrote(turn, &Shared::new(WrittenView::default()));
        }
        let both = [text(&state, 0), text(&state, 1)];
        assert_eq!(both, [Some("first".into()), Some("second".into())]);
        state.change_way(1, "alpha", "0.2");
        assert_eq!(text(&state, 1), None, "other numbers were not asked with");
        let next = state.conversation.push("two");
        state.show_comparison(next);
        assert_eq!(text(&state, 0), None);
    }

    #[test]
    fn a_changed_number_is_kept_once_and_forgotten_on_reset() {
        let mut state = State::default();
        let turn = state.conversation.push("one");
        state.show_comparison(turn);
        state.change_way(1, "alpha", "0.2");
        state.change_way(1, "gamma", "0.5");
        state.change_way(1, "alpha", "0.3");
        assert_eq!(state.comparing.changed(1, "alpha"), Some("0.3"));
        assert_eq!(state.comparing.ways[1].changes.len(), 2);
        state.reset_way(1);
        assert_eq!(state.comparing.changed(1, "alpha"), None);
        assert_eq!(state.change_way(7, "alpha", "0.2"), []);
    }
}
