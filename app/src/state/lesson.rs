//! A lesson: ways of searching side by side, the numbers that the class has moved, and the step
//! that the teacher has reached.

use footnote_core::lesson::{Lesson, Numbers, ROWS, Way};

use super::{Effect, Panel, Purpose, Shared, State, TurnId};
use crate::worker::protocol::{LessonRequest, Notice};

/// How many steps there are: the ways, and what a model is shown.
pub const STEPS: usize = Way::ALL.len() + 1;

/// The lesson that is shown or due.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Teaching {
    pub question: String,
    /// The lesson with its current numbers and marks.
    pub lesson: Option<Shared<Lesson>>,
    /// The numbers it came with.
    first: Option<Numbers>,
    /// The best passages of each way before the last number was moved.
    before: Option<Vec<Vec<usize>>>,
    /// The step being explained.
    pub step: usize,
    /// Whether it is shown for a projector: large type, and nothing of the steps to come.
    pub is_projected: bool,
    /// The passage being read.
    pub chosen: Option<usize>,
    pub trouble: Option<Notice>,
    pub is_waiting: bool,
}

/// A passage in the column of one way.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub passage: usize,
    /// Counts from 1.
    pub rank: usize,
    /// File and lines.
    pub place: String,
    /// What the passage defines, with its path in full.
    pub title: String,
    /// The parts of its score.
    pub parts: String,
    pub is_marked: bool,
    pub moved: Moved,
    /// Its position in the column to the left, from 0.
    pub from: Option<usize>,
}

/// How a passage moved when a number was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    No,
    Up(usize),
    Down(usize),
    New,
}

impl Teaching {
    /// One column per way.
    pub fn columns(&self) -> Vec<Vec<Row>> {
        let Some(lesson) = &self.lesson else {
            return Vec::new();
        };
        let mut columns: Vec<Vec<Row>> = Vec::new();
        for (at, way) in Way::ALL.into_iter().enumerate() {
            let before = self.before.as_ref().and_then(|before| before.get(at));
            let column = column(lesson, way, before.map(Vec::as_slice), columns.last());
            columns.push(column);
        }
        columns
    }

    /// Whether any number differs from the ones the lesson came with.
    pub fn is_moved(&self) -> bool {
        let now = self.lesson.as_ref().map(|lesson| lesson.numbers);
        now != self.first
    }

    fn best(&self) -> Option<Vec<Vec<usize>>> {
        let lesson = self.lesson.as_ref()?;
        let best = |way| {
            let ranked = lesson.rank(way).into_iter().take(ROWS);
            ranked.map(|it| it.passage).collect()
        };
        Some(Way::ALL.into_iter().map(best).collect())
    }

    fn change(&mut self, change: impl FnOnce(&mut Lesson)) {
        if let Some(lesson) = &self.lesson {
            let mut changed = Lesson::clone(lesson);
            change(&mut changed);
            self.lesson = Some(Shared::new(changed));
        }
    }
}

fn column(
    lesson: &Lesson,
    way: Way,
    before: Option<&[usize]>,
    left: Option<&Vec<Row>>,
) -> Vec<Row> {
    let ranked = lesson.rank(way).into_iter().take(ROWS).enumerate();
    let row = |(at, it): (usize, footnote_core::lesson::Ranked)| {
        let passage = lesson.passages.get(it.passage)?;
        let (path, name) = (lesson.path(passage.file), lesson.file_name(passage.file));
        let lines = match passage.start == passage.end {
            true => passage.start.to_string(),
            false => format!("{}–{}", passage.start, passage.end),
        };
        let was = before.map(|before| before.iter().position(|known| *known == it.passage));
        let moved = match was {
            None => Moved::No,
            Some(None) => Moved::New,
            Some(Some(was)) if was > at => Moved::Up(was - at),
            Some(Some(was)) if was < at => Moved::Down(at - was),
            Some(Some(_)) => Moved::No,
        };
        let mut left = left.into_iter().flatten();
        Some(Row {
            passage: it.passage,
            rank: at + 1,
            place: format!("{name}:{lines}"),
            title: format!("{}, {path}:{lines}", passage.title),
            parts: it.shown(way, passage),
            is_marked: passage.marked,
            moved,
            from: left.position(|row| row.passage == it.passage),
        })
    };
    ranked.filter_map(row).collect()
}

impl State {
    /// Makes a lesson from the question of a turn.
    pub fn show_lesson(&mut self, id: TurnId) -> Vec<Effect> {
        let Some(turn) = self.conversation.get(id) else {
            return Vec::new();
        };
        let question = turn.searched().to_owned();
        self.panel = Some(Panel::Lesson);
        if self.teaching.question == question && self.teaching.lesson.is_some() {
            return Vec::new();
        }
        self.teaching = Teaching {
            question: question.clone(),
            is_waiting: true,
            ..Teaching::default()
        };
        vec![Effect::send(
            Purpose::Lesson,
            LessonRequest::Make { question },
        )]
    }

    pub(super) fn lesson_event(&mut self, purpose: Purpose, lesson: Lesson) {
        if purpose != Purpose::Lesson {
            return;
        }
        // A requested lesson shows in its panel if that is still open; a saved one opens the panel.
        if !self.teaching.is_waiting {
            self.panel = Some(Panel::Lesson);
        }
        self.teaching = Teaching {
            question: lesson.question.clone(),
            first: Some(lesson.numbers),
            step: STEPS - 1,
            lesson: Some(Shared::new(lesson)),
            ..Teaching::default()
        };
    }

    /// A saved lesson that cannot be read was not requested in the panel, so the page itself
    /// reports it.
    pub(super) fn lesson_failed(&mut self, notice: Notice) {
        self.teaching.is_waiting = false;
        match self.panel {
            Some(Panel::Lesson) => self.teaching.trouble = Some(notice),
            _ => self.post(notice),
        }
    }

    /// Moves a number; all ranks are computed again at once.
    pub fn move_number(&mut self, name: &str, value: f64) {
        self.teaching.before = self.teaching.best();
        self.teaching.change(|lesson| {
            lesson.numbers.set(name, value);
        });
    }

    pub fn reset_numbers(&mut self) {
        let first = self.teaching.first;
        self.teaching.before = None;
        self.teaching.change(|lesson| {
            lesson.numbers = first.unwrap_or(lesson.numbers);
        });
    }

    /// Marks the passage being read as an answer, or removes the mark.
    pub fn mark_passage(&mut self) {
        let Some(chosen) = self.teaching.chosen else {
            return;
        };
        self.teaching.change(|lesson| {
            if let Some(passage) = lesson.passages.get_mut(chosen) {
                passage.marked = !passage.marked;
            }
        });
    }

    /// Goes one step forward or back.
    pub fn teach(&mut self, forward: bool) {
        let step = &mut self.teaching.step;
        *step = match forward {
            true => (*step + 1).min(STEPS - 1),
            false => step.saturating_sub(1),
        };
    }

    /// Turns projection on or off. On, the lesson starts at its first step; off, all of it is
    /// visible.
    pub fn project(&mut self) {
        let is_on = !self.teaching.is_projected;
        self.teaching.is_projected = is_on;
        self.teaching.step = if is_on { 0 } else { STEPS - 1 };
    }

    pub fn export_lesson(&mut self, format: &str) -> Vec<Effect> {
        let Some(lesson) = &self.teaching.lesson else {
            return Vec::new();
        };
        let export = LessonRequest::Export {
            format: format.to_owned(),
            numbers: lesson.numbers,
            marked: lesson.passages.iter().map(|it| it.marked).collect(),
        };
        vec![Effect::send(Purpose::Export, export)]
    }
}

#[cfg(test)]
mod tests {
    use footnote_core::lesson::{FORMAT, Passage, Term};

    use super::*;
    use crate::state::tests::{Page, notice};
    use crate::worker::protocol::{NoticeKind, Request};

    fn passage(file: usize, title: &str, count: f64, meaning: f64) -> Passage {
        Passage {
            file,
            start: 1,
            end: 9,
            title: title.into(),
            code: "x".into(),
            length: 1.0,
            terms: vec![Term {
                word: "redirect".into(),
                weight: 2.0,
                count,
                elsewhere: 0.0,
            }],
            meaning: Some(meaning),
            nearness: meaning,
            marked: title == "two",
        }
    }

    /// Words rank `one` first, meaning ranks `two` first; `three` is found through imports.
    fn lesson() -> Lesson {
        Lesson {
            format: FORMAT,
            repository: "mail".into(),
            question: "where?".into(),
            chunks: 3,
            compared: 3,
            files: vec!["a.py".into(), "b.py".into(), "c.py".into()],
            neighbours: vec![vec![2], vec![], vec![]],
            passages: vec![
                passage(0, "one", 9.0, 0.1),
                passage(1, "two", 1.0, 0.9),
                passage(2, "three", 0.0, 0.0),
            ],
            shown: Vec::new(),
            numbers: Numbers {
                k1: 1.2,
                b: 0.75,
                k: 2,
                share: 0.0,
                seeds: 1,
                gamma: 0.25,
            },
        }
    }

    fn taught() -> (Page, TurnId) {
        let mut page = Page::new();
        page.ready("a");
        page.ask("where?");
        let turn = page.state.conversation.turns[0].id;
        let effects = page.state.show_lesson(turn);
        page.run(effects);
        let is_lesson = |request: &Request| matches!(request, Request::Lesson(_));
        page.event(page.last(is_lesson), lesson());
        (page, turn)
    }

    fn titles(page: &Page, way: usize) -> Vec<(String, Moved)> {
        let columns = page.state.teaching.columns();
        let rows = columns[way].iter();
        let title = |row: &Row| row.title.split(',').next().unwrap_or_default().to_owned();
        rows.map(|row| (title(row), row.moved)).collect()
    }

    #[test]
    fn a_moved_number_ranks_again_shows_what_moved_and_can_be_reset() {
        let (mut page, turn) = taught();
        assert_eq!(page.state.panel, Some(Panel::Lesson));
        assert_eq!(titles(&page, 2)[0], ("one".into(), Moved::No));
        page.state.move_number("share", 1.0);
        let expected = [("two".into(), Moved::Up(1)), ("one".into(), Moved::Down(1))];
        assert_eq!(titles(&page, 2), expected);
        assert!(page.state.teaching.is_moved());
        page.state.reset_numbers();
        assert!(!page.state.teaching.is_moved());
        assert_eq!(titles(&page, 2)[0], ("one".into(), Moved::No));
        assert_eq!(page.state.show_lesson(turn), [], "it is there");
    }

    #[test]
    fn each_row_knows_its_place_in_the_column_before() {
        let (page, _) = taught();
        let columns = page.state.teaching.columns();
        let from = |way: usize| columns[way].iter().map(|row| row.from).collect::<Vec<_>>();
        assert_eq!(from(0), [None, None]);
        assert_eq!(from(1)[..2], [Some(1), Some(0)]);
        let new = columns[3]
            .iter()
            .find(|row| row.title.starts_with("three,"));
        assert!(new.is_some_and(|row| row.from.is_none()), "{columns:?}");
    }

    #[test]
    fn the_projector_begins_at_the_first_step_and_stays_within_the_last() {
        let (mut page, _) = taught();
        assert_eq!(page.state.teaching.step, STEPS - 1);
        page.state.project();
        assert_eq!(page.state.teaching.step, 0);
        page.state.teach(false);
        assert_eq!(page.state.teaching.step, 0);
        for _ in 0..STEPS + 2 {
            page.state.teach(true);
        }
        assert_eq!(page.state.teaching.step, STEPS - 1);
    }

    #[test]
    fn a_passage_is_marked_and_saved_with_its_mark() {
        let (mut page, _) = taught();
        page.state.teaching.chosen = Some(0);
        page.state.mark_passage();
        let [Effect::Send(Purpose::Export, request)] = &page.state.export_lesson("html")[..] else {
            panic!("nothing is exported");
        };
        let expected = LessonRequest::Export {
            format: "html".into(),
            numbers: lesson().numbers,
            marked: vec![true, true, false],
        };
        assert_eq!(request, &Request::from(expected));
    }

    #[test]
    fn a_file_that_is_not_a_lesson_is_refused_on_the_page() {
        let mut page = Page::new();
        page.state.lesson_failed(notice(NoticeKind::BadInput));
        assert_eq!(page.state.notices.len(), 1);
        assert_eq!(page.state.teaching.trouble, None);
    }
}
