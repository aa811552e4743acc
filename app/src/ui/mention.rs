//! `@` in the question box: a list of the files and folders that match the text after it. Choosing
//! one limits the question to it.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::format::split_path;
use super::{Desk, desk};

/// The most paths offered at once.
const MAX_PATHS: u32 = 8;

/// The id of the list; its rows append their number.
const LIST: &str = "question-paths";

/// A partly typed path, and its place in the question, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mention {
    start: usize,
    end: usize,
    written: String,
}

/// The mention that the caret is in or right behind, if any; `caret` counts UTF-16 units, as
/// browsers do.
fn at_caret(text: &str, caret: usize) -> Option<Mention> {
    let mut units = 0;
    let here = text.char_indices().find(|(_, sign)| {
        let is_here = units >= caret;
        units += sign.len_utf16();
        is_here
    });
    let end = here.map_or(text.len(), |(at, _)| at);
    let before = text.get(..end)?;
    let start = before
        .char_indices()
        .rev()
        .find(|(_, sign)| sign.is_whitespace())
        .map_or(0, |(at, sign)| at + sign.len_utf8());
    let written = before.get(start..)?.strip_prefix('@')?;
    Some(Mention {
        start,
        end,
        written: written.to_owned(),
    })
}

/// The question with the path in place of the typed text, and the caret position behind it.
fn with_path(text: &str, mention: &Mention, path: &str, is_done: bool) -> (String, usize) {
    let before = text.get(..mention.start).unwrap_or_default();
    let behind = text.get(mention.end..).unwrap_or_default();
    let space = match is_done && !behind.starts_with(char::is_whitespace) {
        true => " ",
        false => "",
    };
    let head = format!("{before}@{path}{space}");
    let caret = head.encode_utf16().count();
    (head + behind, caret)
}

/// The list above the question box, and its cursor.
#[derive(Clone, Copy)]
pub struct Mentions {
    desk: Desk,
    mention: RwSignal<Option<Mention>>,
    paths: Memo<Vec<String>>,
    cursor: RwSignal<usize>,
}

impl Mentions {
    pub fn new() -> Self {
        let desk = desk();
        let mention = RwSignal::new(None::<Mention>);
        let found = desk.store.select(|state| state.paths.clone());
        // The old paths stay until the new ones arrive, so that nothing flickers.
        let paths = Memo::new(move |_| match (mention.get(), found.get()) {
            (Some(_), Some(found)) => found.paths.clone(),
            _ => Vec::new(),
        });
        Self {
            desk,
            mention,
            paths,
            cursor: RwSignal::new(0),
        }
    }

    pub fn is_open(self) -> bool {
        self.paths.with(|paths| !paths.is_empty())
    }

    /// The id of the row under the cursor.
    pub fn active(self) -> Option<String> {
        self.is_open().then(|| row_id(self.cursor.get()))
    }

    /// The text or the caret has changed.
    pub fn look(self) {
        let caret = self.desk.question.get_untracked().and_then(|question| {
            let caret = question.selection_start().ok().flatten();
            caret.map(|caret| caret as usize)
        });
        let text = self.desk.draft.get_untracked();
        let mention = caret.and_then(|caret| at_caret(&text, caret));
        if self.mention.with_untracked(|known| *known == mention) {
            return;
        }
        let written = mention.as_ref().map(|mention| mention.written.clone());
        self.mention.set(mention);
        self.cursor.set(0);
        let store = self.desk.store;
        store.act(|state| state.find_paths(written.as_deref(), MAX_PATHS));
    }

    pub fn close(self) {
        if self.mention.with_untracked(Option::is_some) {
            self.mention.set(None);
            self.desk
                .store
                .act(|state| state.find_paths(None, MAX_PATHS));
        }
    }

    /// Handles a key while the list is open; returns whether it did.
    pub fn on_key(self, event: &KeyboardEvent) -> bool {
        let count = self.paths.with_untracked(Vec::len);
        if count == 0 || event.is_composing() {
            return false;
        }
        let at = self.cursor.get_untracked().min(count - 1);
        match event.key().as_str() {
            "ArrowDown" => self.cursor.set((at + 1) % count),
            "ArrowUp" => self.cursor.set((at + count - 1) % count),
            "Enter" if !event.shift_key() => self.choose(at, true),
            "Tab" if !event.shift_key() => self.choose(at, false),
            "Escape" => self.close(),
            _ => return false,
        }
        event.prevent_default();
        event.stop_propagation();
        true
    }

    /// A key has moved the caret.
    pub fn on_key_up(self, event: &KeyboardEvent) {
        if matches!(
            event.key().as_str(),
            "ArrowLeft" | "ArrowRight" | "Home" | "End"
        ) {
            self.look();
        }
    }

    /// Writes a path into the question. A folder that is not done stays open for more typing.
    fn choose(self, at: usize, is_done: bool) {
        let path = self.paths.with_untracked(|paths| paths.get(at).cloned());
        let mention = self.mention.get_untracked();
        let (Some(path), Some(mention)) = (path, mention) else {
            return;
        };
        let is_done = is_done || !path.ends_with('/');
        let draft = self.desk.draft;
        let text = draft.get_untracked();
        let (text, caret) = with_path(&text, &mention, &path, is_done);
        if let Some(question) = self.desk.question.get_untracked() {
            question.set_value(&text);
            // If the caret cannot be placed, it stays at the end.
            let _ = question.set_selection_range(caret as u32, caret as u32);
            let _ = question.focus();
        }
        draft.set(text);
        match is_done {
            true => self.close(),
            false => self.look(),
        }
    }
}

fn row_id(at: usize) -> String {
    format!("{LIST}-{at}")
}

/// The id of the list while it is open, for the question box.
pub fn list_id(mentions: Mentions) -> Option<&'static str> {
    mentions.is_open().then_some(LIST)
}

#[component]
pub fn MentionList(mentions: Mentions) -> impl IntoView {
    let rows = move || {
        let paths = mentions.paths.get().into_iter().enumerate();
        let rows: Vec<_> = paths.map(|(at, path)| row(mentions, at, &path)).collect();
        rows
    };
    view! {
        <Show when=move || mentions.is_open()>
            <ul id=LIST class="paths" role="listbox" aria-label="Files and folders">
                {rows}
            </ul>
        </Show>
    }
    .into_any()
}

fn row(mentions: Mentions, at: usize, path: &str) -> AnyView {
    let plain = path.trim_end_matches('/');
    let (folder, name) = split_path(plain);
    let sign = path.get(plain.len()..).unwrap_or_default();
    let (folder, name) = (folder.to_owned(), format!("{name}{sign}"));
    view! {
        <li
            id=row_id(at)
            role="option"
            aria-selected=move || (mentions.cursor.get() == at).to_string()
            // The question box keeps the keyboard.
            on:mousedown=move |event| event.prevent_default()
            on:click=move |_| mentions.choose(at, true)
        >
            <span class="path"><span class="folder">{folder}</span>{name}</span>
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mention_is_the_word_with_its_sign_before_the_caret() {
        for (text, caret, expected) in [
            ("@", 1, Some((0, 1, ""))),
            ("@src/a", 6, Some((0, 6, "src/a"))),
            ("@src/a how", 6, Some((0, 6, "src/a"))),
            ("@src/a how", 10, None),
            ("who calls f in @li", 18, Some((15, 18, "li"))),
            ("a@b", 3, None),
            ("𝄞 @li", 6, Some((5, 8, "li"))),
            ("", 0, None),
        ] {
            let found = at_caret(text, caret);
            let found = found
                .as_ref()
                .map(|it| (it.start, it.end, it.written.as_str()));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_chosen_path_replaces_the_part_that_was_typed() {
        let text = "ü @li who calls f";
        let mention = at_caret(text, 5).unwrap();
        let (done, caret) = with_path(text, &mention, "lib/", true);
        assert_eq!((done.as_str(), caret), ("ü @lib/ who calls f", 7));
        let mention = at_caret("@li", 3).unwrap();
        assert_eq!(
            with_path("@li", &mention, "lib/", true),
            ("@lib/ ".into(), 6)
        );
        assert_eq!(
            with_path("@li", &mention, "lib/", false),
            ("@lib/".into(), 5)
        );
    }
}
