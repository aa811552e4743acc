//! The preview of a footnote's cited lines while the pointer rests on it, and the previews kept.

use super::conversation::By;
use super::{CodeText, Effect, Purpose, Shared, State, TurnId};
use crate::worker::protocol::{FileView, FootnoteView, PeekView, PlaceView, SourceRequest};

/// How many places are kept, so that going back and forth between footnotes loads nothing.
const KEPT: usize = 32;

/// The lines of a place, ready to be shown.
#[derive(Debug)]
pub struct Peeked {
    pub place: PlaceView,
    pub text: CodeText,
    /// How many lines of the place are not in `text`.
    pub more: u32,
}

impl From<PeekView> for Peeked {
    fn from(view: PeekView) -> Self {
        let PeekView {
            place,
            text,
            highlights,
            more,
        } = view;
        let text = CodeText::new(FileView {
            path: place.path.clone(),
            text,
            highlights,
            ..FileView::default()
        });
        Self { place, text, more }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Peek {
    /// The footnote being previewed, if any.
    pub note: Option<FootnoteView>,
    /// Its lines, if it leads anywhere.
    pub place: Option<PlaceView>,
    kept: Vec<Shared<Peeked>>,
}

impl Peek {
    pub fn hide(&mut self) {
        self.note = None;
        self.place = None;
    }

    pub fn arrived(&mut self, view: PeekView) {
        self.kept.insert(0, Shared::new(view.into()));
        self.kept.truncate(KEPT);
    }

    /// The previewed lines, once they have arrived.
    pub fn shown(&self) -> Option<Shared<Peeked>> {
        self.kept_at(self.place.as_ref()?)
    }

    fn kept_at(&self, place: &PlaceView) -> Option<Shared<Peeked>> {
        self.kept.iter().find(|kept| kept.place == *place).cloned()
    }
}

impl State {
    /// The pointer or the keyboard focus rests on a footnote of a turn.
    pub fn look_at(&mut self, turn: TurnId, by: By, number: u32) -> Vec<Effect> {
        let note = self.conversation.get(turn).and_then(|turn| {
            let mut notes = turn.footnotes(by).iter();
            notes.find(|note| note.number == number).cloned()
        });
        let place = note
            .as_ref()
            .filter(|note| note.check.leads_somewhere())
            .map(place_of);
        self.peek.note = note;
        self.peek.place.clone_from(&place);
        match place {
            Some(place) if self.peek.kept_at(&place).is_none() => {
                vec![Effect::send(Purpose::Peek, SourceRequest::Peek(place))]
            }
            _ => Vec::new(),
        }
    }
}

fn place_of(note: &FootnoteView) -> PlaceView {
    PlaceView {
        path: note.path.clone(),
        start: note.start,
        end: note.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::conversation::tests::answer;
    use crate::state::tests::Page;
    use crate::worker::protocol::{CheckView, Highlights, Request, SourceEvent};

    fn page() -> (Page, TurnId) {
        let mut page = Page::new();
        page.ready("a");
        let job = page.ask("where?");
        let mut answer = answer("where?", true, &["a.py", "b.py"]);
        answer.footnotes[1].check = CheckView::Rejected {
            original: "b.py:1".into(),
            why: "there is no such file".into(),
        };
        page.event(job, answer);
        let turn = page.state.conversation.turns[0].id;
        (page, turn)
    }

    #[test]
    fn lines_are_loaded_once_and_shown_while_they_are_looked_at() {
        let (mut page, turn) = page();
        let is_peek =
            |request: &Request| matches!(request, Request::Source(SourceRequest::Peek(_)));
        for _ in 0..2 {
            let effects = page.state.look_at(turn, By::Extract, 1);
            page.run(effects);
            let place = page.state.peek.place.clone().unwrap();
            assert_eq!((place.path.as_str(), place.start), ("a.py", 10));
            let view = PeekView {
                place,
                text: "x = 1\n".into(),
                highlights: Highlights::default(),
                more: 5,
            };
            page.event(page.last(is_peek), SourceEvent::Peek(view));
            let shown = page.state.peek.shown().unwrap();
            assert_eq!((shown.text.line_count(), shown.more), (1, 5));
            page.state.peek.hide();
            assert_eq!(page.state.peek.shown(), None);
        }
        assert_eq!(page.requests(is_peek), 1);
    }

    #[test]
    fn a_footnote_that_leads_nowhere_shows_its_verdict_and_no_lines() {
        let (mut page, turn) = page();
        assert_eq!(page.state.look_at(turn, By::Extract, 2), []);
        assert_eq!(page.state.peek.place, None);
        let note = page.state.peek.note.as_ref().unwrap();
        assert_eq!(note.check.verdict().spec().label, "rejected");
        page.state.peek.hide();
        assert_eq!(page.state.peek.note, None);
    }
}
