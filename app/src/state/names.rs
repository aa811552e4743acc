//! Names in the open file: which one is chosen, what it means, and the way back from its
//! definition.

use super::{Effect, Mark, Purpose, Shared, State, Tab};
use crate::worker::protocol::{MeantPlaceView, MeantView, SourceRequest};

/// How many places one can go back to.
const MAX_BACK: usize = 50;

/// A name and its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameAt {
    pub name: String,
    pub line: u32,
    /// How many characters of the line come before it.
    pub column: u32,
}

/// What the user wants to see of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Definition,
    References,
}

/// The menu beside the chosen name.
#[derive(Clone, Debug, PartialEq)]
pub enum Menu {
    /// What can be done with the name.
    Wishes,
    /// The places that the name can mean, to choose from; the menu says so if there are none.
    Places(Wish, Shared<MeantView>),
}

/// See the [module](self).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    /// The chosen name.
    pub at: Option<NameAt>,
    pub menu: Option<Menu>,
    /// Whether the code takes the keyboard as soon as it is shown.
    pub takes_keyboard: bool,
    /// The last request.
    wish: Option<Wish>,
    /// Where names were followed from: path and name, latest last.
    back: Vec<(String, NameAt)>,
}

impl Names {
    /// Another file or other lines are shown: no name is chosen.
    pub(super) fn leave(&mut self) {
        self.at = None;
        self.menu = None;
        self.wish = None;
    }

    /// Where going back leads: a path and a line.
    pub fn back(&self) -> Option<(&str, u32)> {
        let (path, at) = self.back.last()?;
        Some((path, at.line))
    }
}

impl State {
    /// The user points at a name: shows what can be done with it.
    pub fn point_at_name(&mut self, at: NameAt) {
        self.reader.names.at = Some(at);
        self.reader.names.menu = Some(Menu::Wishes);
    }

    /// Moves to the next name of the open file, or with `is_back` to the previous one; if no name
    /// is chosen, starts at line `from`. Returns whether there is one.
    pub fn step_name(&mut self, is_back: bool, from: u32) -> bool {
        let Some(file) = &self.reader.file else {
            return false;
        };
        let names = &self.reader.names;
        let start = names.at.as_ref().map(|at| (at.line, at.column));
        let found = match is_back {
            true => file.name_before(start.unwrap_or((from, 0))),
            false => file.name_after(start, from),
        };
        let is_found = found.is_some();
        if let Some(at) = found {
            self.reader.names.at = Some(at);
            self.reader.names.menu = None;
        }
        is_found
    }

    /// Shows the code, gives it the keyboard, and chooses the first name from the marked lines on.
    pub fn walk_names(&mut self) {
        let from = self.reader.mark.map_or(1, |mark| mark.start);
        self.reader.tab = Tab::Source;
        self.reader.is_sheet_open = true;
        self.reader.names.takes_keyboard = true;
        self.step_name(false, from);
    }

    /// Opens the menu of the chosen name.
    pub fn open_name_menu(&mut self) {
        if self.reader.names.at.is_some() {
            self.reader.names.menu = Some(Menu::Wishes);
        }
    }

    /// Deselects the chosen name.
    pub fn leave_name(&mut self) {
        self.reader.names.leave();
    }

    pub fn close_name_menu(&mut self) {
        self.reader.names.menu = None;
        self.reader.names.takes_keyboard = true;
    }

    /// Requests the definition of the chosen name, or its references.
    pub fn want_of_name(&mut self, wish: Wish) -> Vec<Effect> {
        let path = self.reader.path.clone();
        let Some(at) = self.reader.names.at.clone() else {
            return Vec::new();
        };
        self.reader.names.menu = None;
        self.reader.names.takes_keyboard = true;
        self.reader.names.wish = Some(wish);
        let NameAt { name, line, .. } = at;
        let request = SourceRequest::Meant { path, line, name };
        vec![Effect::send(Purpose::Meant, request)]
    }

    /// Handles the engine's answer on what the chosen name means.
    pub(super) fn meant_arrived(&mut self, view: MeantView) -> Vec<Effect> {
        let names = &mut self.reader.names;
        let is_wanted = names.at.as_ref().is_some_and(|at| at.name == view.name);
        let Some(wish) = names.wish.take().filter(|_| is_wanted) else {
            return Vec::new();
        };
        match view.places.as_slice() {
            [only] => self.follow(wish, &only.clone()),
            [] if wish == Wish::References => {
                let question = match &view.library {
                    Some(library) => format!("who imports `{library}`?"),
                    None => format!("where is `{}` used?", view.name),
                };
                self.ask(&question)
            }
            _ => {
                names.menu = Some(Menu::Places(wish, Shared::new(view)));
                Vec::new()
            }
        }
    }

    /// Follows one of the places that the name can mean.
    pub fn choose_meant(&mut self, number: usize) -> Vec<Effect> {
        let Some(Menu::Places(wish, view)) = self.reader.names.menu.clone() else {
            return Vec::new();
        };
        match view.places.get(number) {
            Some(place) => self.follow(wish, place),
            None => Vec::new(),
        }
    }

    fn follow(&mut self, wish: Wish, place: &MeantPlaceView) -> Vec<Effect> {
        if wish == Wish::References {
            self.reader.names.menu = None;
            return self.ask(&place.uses);
        }
        let from = self.reader.path.clone();
        let at = self.reader.names.at.clone();
        let is_here = from == place.path && at.as_ref().is_some_and(|at| at.line == place.line);
        let effects = self.show_line(&place.path, place.line);
        if let Some(at) = at.filter(|_| !is_here) {
            let back = &mut self.reader.names.back;
            back.push((from, at));
            let left_out = back.len().saturating_sub(MAX_BACK);
            back.drain(..left_out);
        }
        effects
    }

    /// Goes back to the name that was followed last.
    pub fn back_from_name(&mut self) -> Vec<Effect> {
        let Some((path, at)) = self.reader.names.back.pop() else {
            return Vec::new();
        };
        let effects = self.show_line(&path, at.line);
        self.reader.names.at = Some(at);
        effects
    }

    fn show_line(&mut self, path: &str, line: u32) -> Vec<Effect> {
        let mark = Mark {
            start: line,
            end: line,
        };
        let effects = self.open_file(path, Some(mark));
        self.reader.names.takes_keyboard = true;
        effects
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::Page;
    use crate::worker::protocol::{FileView, Request, SourceEvent};

    fn is_meant(request: &Request) -> bool {
        matches!(request, Request::Source(SourceRequest::Meant { .. }))
    }

    fn place(path: &str, line: u32) -> MeantPlaceView {
        MeantPlaceView {
            title: "function fold".into(),
            path: path.into(),
            line,
            uses: format!("where is `fold` in `{path}` used?"),
        }
    }

    fn meant(places: Vec<MeantPlaceView>) -> SourceEvent {
        SourceEvent::Meant(MeantView {
            name: "fold".into(),
            places,
            library: None,
        })
    }

    /// A page that shows `a.py`, with `fold` chosen on its second line.
    fn page() -> Page {
        let mut page = Page::new();
        page.ready("a");
        let effects = page.state.open_file("a.py", None);
        page.run(effects);
        let file = FileView {
            path: "a.py".into(),
            text: "x = 1\ny = fold(fold(x))\n".into(),
            names: vec!["fold".into()],
            ..FileView::default()
        };
        let job = page.last(|it| matches!(it, Request::Source(SourceRequest::File { .. })));
        page.event(job, SourceEvent::File(file));
        assert!(page.state.step_name(false, 1));
        page
    }

    fn at(page: &Page) -> Option<(u32, u32)> {
        let at = page.state.reader.names.at.as_ref()?;
        Some((at.line, at.column))
    }

    fn want(page: &mut Page, wish: Wish, places: Vec<MeantPlaceView>) {
        let effects = page.state.want_of_name(wish);
        page.run(effects);
        page.event(page.last(is_meant), meant(places));
    }

    #[test]
    fn names_are_walked_through_to_the_ends_of_the_file() {
        let mut page = page();
        assert_eq!(at(&page), Some((2, 4)));
        assert!(page.state.step_name(false, 1));
        assert_eq!(at(&page), Some((2, 9)));
        assert!(!page.state.step_name(false, 1));
        assert!(page.state.step_name(true, 1));
        assert!(!page.state.step_name(true, 1));
        assert_eq!(at(&page), Some((2, 4)));
    }

    #[test]
    fn a_definition_is_opened_and_the_way_back_leads_to_the_name() {
        let mut page = page();
        want(&mut page, Wish::Definition, vec![place("b.py", 7)]);
        let reader = &page.state.reader;
        assert_eq!((reader.path.as_str(), at(&page)), ("b.py", None));
        assert_eq!(reader.mark, Some(Mark { start: 7, end: 7 }));
        assert_eq!(reader.names.back(), Some(("a.py", 2)));
        let effects = page.state.back_from_name();
        page.run(effects);
        assert_eq!(page.state.reader.path, "a.py");
        assert_eq!(at(&page), Some((2, 4)));
        assert_eq!(page.state.reader.names.back(), None);
    }

    #[test]
    fn one_of_several_definitions_is_chosen() {
        let mut page = page();
        let places = vec![place("b.py", 7), place("c.py", 1)];
        want(&mut page, Wish::Definition, places);
        assert_eq!(page.state.reader.path, "a.py");
        let effects = page.state.choose_meant(1);
        page.run(effects);
        assert_eq!(page.state.reader.path, "c.py");
        assert_eq!(page.state.reader.names.menu, None);
    }

    #[test]
    fn references_are_asked_for_as_a_question() {
        let mut page = page();
        for (places, question) in [
            (vec![place("b.py", 7)], "where is `fold` in `b.py` used?"),
            (Vec::new(), "where is `fold` used?"),
        ] {
            want(&mut page, Wish::References, places);
            let last = page.state.conversation.turns.last().unwrap();
            assert_eq!(last.question, question);
        }
    }

    #[test]
    fn a_definition_that_arrives_after_another_file_was_opened_leads_nowhere() {
        let mut page = page();
        let effects = page.state.want_of_name(Wish::Definition);
        page.run(effects);
        let effects = page.state.open_file("c.py", None);
        page.run(effects);
        page.event(page.last(is_meant), meant(vec![place("b.py", 7)]));
        assert_eq!(page.state.reader.path, "c.py");
    }
}
