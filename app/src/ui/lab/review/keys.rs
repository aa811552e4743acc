//! The keys of the review. They work wherever the focus is, but not while typing.

use leptos::ev::{self, KeyboardEvent};
use leptos::prelude::*;

use super::Hands;
use crate::platform::focus;
use crate::state::{Beside, Panel, Store};

/// The rows per page.
const PAGE: isize = 10;

/// The help above the table.
pub const HELP: [(&str, &str); 8] = [
    ("j k", "next, previous"),
    ("1–9 0", "rate, 0 is 10"),
    ("v", "keep"),
    ("x", "drop"),
    ("e", "edit"),
    ("t", "tag"),
    ("/", "filter"),
    ("Space", "select"),
];

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Moves this many rows down.
    Step(isize),
    Rate(u8),
    /// Keeps or drops.
    Decide(bool),
    Choose,
    Edit,
    Tag,
    Filter,
}

/// `is_taken` means that the focused element uses the movement keys itself.
fn meaning(key: &str, is_taken: bool) -> Option<Meaning> {
    let moving = match key {
        "ArrowDown" => Some(Meaning::Step(1)),
        "ArrowUp" => Some(Meaning::Step(-1)),
        "PageDown" => Some(Meaning::Step(PAGE)),
        "PageUp" => Some(Meaning::Step(-PAGE)),
        "Home" => Some(Meaning::Step(isize::MIN)),
        "End" => Some(Meaning::Step(isize::MAX)),
        " " => Some(Meaning::Choose),
        _ => None,
    };
    if moving.is_some() {
        return moving.filter(|_| !is_taken);
    }
    Some(match key {
        "j" => Meaning::Step(1),
        "k" => Meaning::Step(-1),
        "v" => Meaning::Decide(true),
        "x" => Meaning::Decide(false),
        "e" => Meaning::Edit,
        "t" => Meaning::Tag,
        "/" => Meaning::Filter,
        "0" => Meaning::Rate(10),
        digit => Meaning::Rate(digit.parse().ok().filter(|it| (1..=9).contains(it))?),
    })
}

/// Whether a key writes a character other than a space.
fn is_character(key: &str) -> bool {
    key != " " && key.chars().count() == 1
}

/// Listens while the review is shown.
pub fn listen(store: Store, hands: Hands) {
    let keys = window_event_listener(ev::keydown, move |event| on_key(store, hands, &event));
    on_cleanup(move || keys.remove());
}

fn on_key(store: Store, hands: Hands, event: &KeyboardEvent) {
    let with_modifier = event.ctrl_key() || event.meta_key() || event.alt_key();
    let is_covered = store.peek(|state| state.panel != Some(Panel::Lab));
    if with_modifier || is_covered || focus::is_in_text_field() {
        return;
    }
    let key = event.key();
    if is_character(&key) && store.peek(|state| state.without_character_keys) {
        return;
    }
    let Some(meaning) = meaning(&key, focus::is_on_control()) else {
        return;
    };
    event.prevent_default();
    match meaning {
        Meaning::Step(by) => {
            store.change(|state| state.step_review(by));
            hands.to_list();
        }
        Meaning::Choose => {
            store.change(|state| {
                if let Some(id) = state.lab.review.current.clone() {
                    state.choose_review(&id);
                }
            });
        }
        Meaning::Decide(keep) => store.act(|state| state.decide(keep)),
        Meaning::Rate(rating) => {
            show_question(store);
            store.act(|state| state.give_rating(rating));
        }
        Meaning::Edit => {
            show_question(store);
            request_animation_frame(move || hands.to_question());
        }
        Meaning::Tag => {
            let has_chosen = store.peek(|state| !state.lab.review.chosen.is_empty());
            if !has_chosen {
                show_question(store);
            }
            request_animation_frame(move || hands.to_tags(has_chosen));
        }
        Meaning::Filter => hands.to_filter(),
    }
}

/// Shows the question, so that the user sees what is being rated.
fn show_question(store: Store) {
    if store.peek(|state| state.lab.review.beside != Beside::Question) {
        store.act(|state| state.show_beside(Beside::Question));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_rate_and_naught_is_ten() {
        for (key, expected) in [("1", 1), ("9", 9), ("0", 10)] {
            assert_eq!(meaning(key, true), Some(Meaning::Rate(expected)));
        }
        for key in ["10", "00", "-1", "Enter", "J", "é", ""] {
            assert_eq!(meaning(key, false), None, "{key}");
        }
    }

    #[test]
    fn keys_that_move_belong_to_what_has_the_focus() {
        for key in [
            "ArrowDown",
            "ArrowUp",
            "PageDown",
            "PageUp",
            "Home",
            "End",
            " ",
        ] {
            assert!(meaning(key, false).is_some(), "{key}");
            assert_eq!(meaning(key, true), None, "{key}");
        }
        for key in ["j", "k", "v", "x", "e", "t", "/"] {
            assert_eq!(meaning(key, true), meaning(key, false), "{key}");
            assert!(meaning(key, true).is_some(), "{key}");
        }
    }
}
