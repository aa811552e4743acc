//! The source pane: which file it shows, which lines are marked, and walking through footnotes.

use footnote_core::source::SourceError;

use super::conversation::{By, Focus, TurnId};
use super::{CodeText, Effect, Names, Purpose, Shared, State};
use crate::worker::protocol::{FootnoteView, GraphRequest, Notice, NoticeKind, SourceRequest};

/// How many files are kept, so that walking back through footnotes does not load them again.
const KEPT_FILES: usize = 8;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    #[default]
    Source,
    Evidence,
    Graph,
}

/// Marked lines, 1-based, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub start: u32,
    pub end: u32,
}

impl Mark {
    pub fn contains(self, line: usize) -> bool {
        (self.start as usize..=self.end as usize).contains(&line)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reader {
    pub tab: Tab,
    /// The path of the file to show; empty if none.
    pub path: String,
    pub mark: Option<Mark>,
    /// Counts up each time the view should scroll to the mark.
    pub jumps: u32,
    /// The file, once it has arrived.
    pub file: Option<Shared<CodeText>>,
    pub trouble: Option<Notice>,
    /// Whether the pane covers the conversation, on screens with no room beside it.
    pub is_sheet_open: bool,
    pub names: Names,
    kept: Vec<Shared<CodeText>>,
}

impl Reader {
    /// Shows `path`; returns the requests for whatever is missing.
    fn open(&mut self, path: &str, mark: Option<Mark>) -> Vec<Effect> {
        self.mark = mark;
        self.names.leave();
        self.jumps += 1;
        self.tab = Tab::Source;
        let is_shown = self.path == path && self.trouble.is_none();
        if is_shown {
            return Vec::new();
        }
        self.path = path.to_owned();
        self.trouble = None;
        self.file = self.kept.iter().find(|file| file.path() == path).cloned();
        let path = path.to_owned();
        let mut effects = Vec::new();
        if self.file.is_none() {
            let path = path.clone();
            effects.push(Effect::send(Purpose::File, SourceRequest::File { path }));
        }
        effects.push(Effect::send(Purpose::Uses, GraphRequest::Uses { path }));
        effects
    }

    /// Shows no file.
    fn clear(&mut self) {
        self.path.clear();
        self.names.leave();
        self.mark = None;
        self.file = None;
        self.trouble = None;
    }

    /// Keeps a file that has arrived, and shows it if it is still wanted.
    pub fn loaded(&mut self, file: Shared<CodeText>) {
        self.kept.retain(|kept| kept.path() != file.path());
        self.kept.insert(0, file.clone());
        self.kept.truncate(KEPT_FILES);
        if file.path() == self.path {
            self.file = Some(file);
            self.trouble = None;
            self.jumps += 1;
        }
    }

    pub fn failed(&mut self, notice: Notice) {
        self.trouble = Some(notice);
    }
}

impl State {
    /// Opens a file, with `mark` marked.
    pub fn open_file(&mut self, path: &str, mark: Option<Mark>) -> Vec<Effect> {
        let is_focused = self
            .conversation
            .focused()
            .is_some_and(|note| note.path == path && Some(mark_of(note)) == mark);
        if !is_focused {
            self.conversation.focus = None;
        }
        self.reader.is_sheet_open = true;
        if self.panel == Some(super::Panel::Outline) {
            self.panel = None;
        }
        self.reader.open(path, mark)
    }

    /// Chooses a footnote.
    pub fn choose_footnote(&mut self, turn: TurnId, by: By, number: u32) -> Vec<Effect> {
        self.reader.is_sheet_open = true;
        self.focus_on(Focus {
            turn,
            by,
            number,
            automatic: false,
        })
    }

    /// Moves to the next (1) or the previous (-1) footnote.
    pub fn step_footnote(&mut self, by: i32) -> Vec<Effect> {
        match self.conversation.step(by) {
            Some(focus) => self.focus_on(focus),
            None => Vec::new(),
        }
    }

    pub fn show_tab(&mut self, tab: Tab) -> Vec<Effect> {
        self.reader.tab = tab;
        self.refresh_graph()
    }

    /// Shows the evidence of a turn, even if it is not the current one.
    pub fn show_evidence(&mut self, turn: TurnId) {
        let other = self
            .conversation
            .focus
            .is_none_or(|focus| focus.turn != turn);
        if other {
            let first = self.conversation.get(turn).and_then(|turn| {
                let by = turn.voice();
                Some(Focus {
                    turn: turn.id,
                    by,
                    number: turn.footnotes(by).first()?.number,
                    automatic: false,
                })
            });
            self.conversation.focus = first;
        }
        self.reader.tab = Tab::Evidence;
        self.reader.is_sheet_open = true;
    }

    pub fn close_sheet(&mut self) {
        self.reader.is_sheet_open = false;
    }

    /// Shows a footnote of the page's own choice.
    pub(super) fn focus_automatically(&mut self, turn: TurnId, by: By, number: u32) -> Vec<Effect> {
        let tab = self.reader.tab;
        let effects = self.focus_on(Focus {
            turn,
            by,
            number,
            automatic: true,
        });
        self.reader.tab = tab;
        effects
    }

    fn focus_on(&mut self, focus: Focus) -> Vec<Effect> {
        self.conversation.focus = Some(focus);
        let target = self
            .conversation
            .focused()
            .filter(|note| note.check.leads_somewhere())
            .map(|note| (note.path.clone(), mark_of(note)));
        match target {
            Some((path, mark)) => self.reader.open(&path, Some(mark)),
            None => Vec::new(),
        }
    }

    /// An answer has arrived: shows its first footnote, unless the user has chosen one of this
    /// turn. The better answer may number the same lines differently; the user's choice follows the
    /// lines.
    pub(super) fn show_first_footnote(&mut self, turn: TurnId) -> Vec<Effect> {
        let Some(answer) = self
            .conversation
            .get(turn)
            .and_then(|turn| turn.answer().cloned())
        else {
            return Vec::new();
        };
        let chosen = self
            .conversation
            .focus
            .is_some_and(|focus| focus.turn == turn && !focus.automatic);
        if chosen {
            let (path, mark) = (&self.reader.path, self.reader.mark);
            let same = |note: &&FootnoteView| note.path == *path && Some(mark_of(note)) == mark;
            let number = answer.footnotes.iter().find(same).map(|note| note.number);
            self.conversation.focus = number.map(|number| Focus {
                turn,
                by: By::Extract,
                number,
                automatic: false,
            });
            return Vec::new();
        }
        if self.reader.tab == Tab::Evidence && self.reader.is_sheet_open {
            return Vec::new();
        }
        let tab = self.reader.tab;
        let effects = match answer.footnotes.first() {
            Some(first) => self.focus_on(Focus {
                turn,
                by: By::Extract,
                number: first.number,
                automatic: true,
            }),
            None => {
                // The pane shows lines of another answer.
                if self.conversation.focus.take().is_some() {
                    self.reader.clear();
                }
                Vec::new()
            }
        };
        if tab == Tab::Graph {
            self.reader.tab = tab; // it follows the answer by itself
        }
        effects
    }

    /// The notice for a file that is not an archive.
    pub fn not_an_archive(name: String) -> Notice {
        Notice {
            what: SourceError::NotAnArchive { name }.to_string(),
            next: "Your saved repositories are still there.".into(),
            kind: NoticeKind::BadInput,
        }
    }

    /// The notice for files that could not be passed to the engine.
    pub fn bad_input(what: String) -> Notice {
        Notice {
            what,
            next: "Choose another file, or try the sample repository.".into(),
            kind: NoticeKind::BadInput,
        }
    }
}

fn mark_of(note: &FootnoteView) -> Mark {
    Mark {
        start: note.start,
        end: note.end,
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
