//! The questions as a list. One element takes the focus; only the rows near the visible part exist
//! in the page, so that 5,000 questions scroll as smoothly as 50.

use std::collections::BTreeSet;
use std::ops::Range;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::Hands;
use crate::state::{Shared, State, Store, WHICH, Which};
use crate::ui::desk;
use crate::ui::format::{count, thousands};
use crate::ui::window;
use crate::worker::protocol::{LabItemView, LabSetView};

/// The height of a row in pixels; must match `review.css`.
const ROW_HEIGHT: f64 = 56.0;

#[component]
pub fn List(hands: Hands) -> impl IntoView {
    view! {
        <div class="review-side">
            <Filters hands/>
            <Many hands/>
            <Rows hands/>
        </div>
    }
    .into_any()
}

#[component]
fn Filters(hands: Hands) -> impl IntoView {
    let store = desk().store;
    let text = store.select(|state| state.lab.review.filter.text.clone());
    let which = store.select(|state| state.lab.review.filter.which);
    let listed = store.select(|state| state.lab.review.rows.as_ref().map_or(0, |it| it.len()));
    let on_key = move |event: KeyboardEvent| match event.key().as_str() {
        "Enter" => hands.to_list(),
        _ => hands.leave_on_escape(&event),
    };
    let options: Vec<_> = WHICH
        .iter()
        .enumerate()
        .map(|(at, (it, name))| {
            let it = *it;
            view! { <option value=at prop:selected=move || which.get() == it>{*name}</option> }
        })
        .collect();
    let choose = move |event| {
        let at = event_target_value(&event).parse().unwrap_or(0);
        let which = WHICH.get(at).map_or(Which::All, |(it, _)| *it);
        store.act(|state| state.filter_reviews(|filter| filter.which = which));
    };
    view! {
        <div class="review-filters" role="search">
            <input
                type="search"
                placeholder="Filter by word, kind or file"
                aria-label="Filter questions"
                aria-keyshortcuts="/"
                node_ref=hands.filter
                prop:value=move || text.get()
                on:input=move |event| {
                    let text = event_target_value(&event);
                    store.act(|state| state.filter_reviews(|filter| filter.text = text));
                }
                on:keydown=on_key
            />
            <select aria-label="Which questions" on:change=choose>{options}</select>
            <Kinds/>
            <Tags/>
            <small role="status">{move || count(listed.get() as u64, "row")}</small>
        </div>
    }
    .into_any()
}

#[component]
fn Kinds() -> impl IntoView {
    let store = desk().store;
    let set = store.select(|state| state.lab.set.clone());
    let kinds = Memo::new(move |_| {
        let set = set.get();
        let items = set.iter().flat_map(|set| &set.items);
        let kinds: BTreeSet<String> = items.map(|item| item.kind.clone()).collect();
        kinds.into_iter().filter(|it| !it.is_empty()).collect()
    });
    let chosen = store.select(|state| state.lab.review.filter.kind.clone());
    let choose = move |kind: String| {
        store.act(|state| state.filter_reviews(|filter| filter.kind = kind));
    };
    one_of("Kind of question", "all kinds", kinds, chosen, choose)
}

#[component]
fn Tags() -> impl IntoView {
    let store = desk().store;
    let tags = store.select(|state| state.lab.review.tags().into_iter().collect());
    let chosen = store.select(|state| state.lab.review.filter.tag.clone());
    let choose = move |tag: String| {
        store.act(|state| state.filter_reviews(|filter| filter.tag = tag));
    };
    one_of("Tag", "all tags", tags, chosen, choose)
}

/// A choice that may be empty; nothing while there is nothing to choose.
fn one_of(
    label: &'static str,
    all: &'static str,
    names: Memo<Vec<String>>,
    chosen: Memo<String>,
    choose: impl Fn(String) + Copy + 'static,
) -> AnyView {
    let option = move |name: String| {
        let value = name.clone();
        let is_chosen = move || chosen.with(|chosen| *chosen == value);
        view! { <option value=name.clone() prop:selected=is_chosen>{name.clone()}</option> }
    };
    let options = move || names.get().into_iter().map(option).collect::<Vec<_>>();
    view! {
        <select
            aria-label=label
            hidden=move || names.with(Vec::is_empty)
            on:change=move |event| choose(event_target_value(&event))
        >
            <option value="">{all}</option>
            {options}
        </select>
    }
    .into_any()
}

/// Actions on all selected questions.
#[component]
fn Many(hands: Hands) -> impl IntoView {
    let store = desk().store;
    let n = store.select(|state| state.lab.review.chosen.len());
    let tag = move |event: KeyboardEvent| {
        if event.key() != "Enter" {
            return hands.leave_on_escape(&event);
        }
        event.prevent_default();
        if let Some(field) = hands.tag_chosen.get_untracked() {
            let written = field.value();
            field.set_value("");
            store.act(|state| state.tag_chosen(&written));
            hands.to_list();
        }
    };
    let all = move |_| {
        store.change(State::choose_all_reviews);
    };
    view! {
        <div class="review-many">
            <button class="quiet small" on:click=all>"Select all or none"</button>
            <span role="status">
                {move || (n.get() > 0).then(|| format!("{} selected", thousands(n.get() as u64)))}
            </span>
            <span class="review-bulk" hidden=move || n.get() == 0>
                <button
                    class="quiet small"
                    aria-keyshortcuts="v"
                    on:click=move |_| store.act(|state| state.decide(true))
                >
                    "Keep them"
                </button>
                <button
                    class="quiet small"
                    aria-keyshortcuts="x"
                    on:click=move |_| store.act(|state| state.decide(false))
                >
                    "Drop them"
                </button>
                <input
                    type="text"
                    placeholder="Tag them"
                    aria-label="Tags for all selected questions"
                    node_ref=hands.tag_chosen
                    on:keydown=tag
                />
            </span>
        </div>
    }
    .into_any()
}

#[component]
fn Rows(hands: Hands) -> impl IntoView {
    let store = desk().store;
    let seen = Seen::new(store, hands);
    view! {
        <div
            class="review-list"
            role="listbox"
            tabindex="0"
            aria-multiselectable="true"
            aria-label="Questions"
            aria-activedescendant=move || seen.current.get().map(|at| format!("question-{at}"))
            node_ref=hands.list
            on:scroll=move |_| seen.measure()
        >
            <div
                class="review-all"
                role="presentation"
                style:height=move || format!("{}px", seen.len() as f64 * ROW_HEIGHT)
            >
                <div
                    class="review-rows"
                    role="presentation"
                    style:transform=move || {
                        format!("translateY({}px)", seen.window.get().start as f64 * ROW_HEIGHT)
                    }
                >
                    {move || seen.rows()}
                </div>
            </div>
        </div>
        <p class="nothing-yet" hidden=move || { seen.len() > 0 }>
            "No question matches the filter."
        </p>
    }
    .into_any()
}

/// The rows that are rendered, given the scroll position.
#[derive(Clone, Copy)]
struct Seen {
    hands: Hands,
    set: Memo<Option<Shared<LabSetView>>>,
    rows: Memo<Option<Shared<Vec<usize>>>>,
    /// The position of the current question in the set.
    current: Memo<Option<usize>>,
    /// The pixels above the visible part, and its height.
    scroll: RwSignal<(f64, f64)>,
    window: Memo<Range<usize>>,
}

impl Seen {
    fn new(store: Store, hands: Hands) -> Self {
        let scroll = RwSignal::new((0.0, 0.0));
        let rows = store.select(|state| state.lab.review.rows.clone());
        let seen = Self {
            hands,
            set: store.select(|state| state.lab.set.clone()),
            rows,
            current: store.select(|state| {
                let items = &state.lab.set.as_ref()?.items;
                let row = state.lab.review.row_of_current(items)?;
                state.lab.review.rows.as_ref()?.get(row).copied()
            }),
            scroll,
            window: Memo::new(move |_| {
                let (top, height) = scroll.get();
                let total = rows.with(|rows| rows.as_ref().map_or(0, |rows| rows.len()));
                window::rows(top, height, ROW_HEIGHT, total)
            }),
        };
        // The keyboard starts in the list.
        Effect::new(move |_| {
            if hands.list.get().is_some() {
                hands.to_list();
                seen.measure();
            }
        });
        Effect::new(move |_| {
            rows.track();
            seen.bring_into_view(seen.current.get());
        });
        let resized = window_event_listener(leptos::ev::resize, move |_| seen.measure());
        on_cleanup(move || resized.remove());
        seen
    }

    fn len(self) -> usize {
        self.rows
            .with(|rows| rows.as_ref().map_or(0, |rows| rows.len()))
    }

    fn measure(self) {
        if let Some(list) = self.hands.list.get_untracked() {
            let (top, height) = (list.scroll_top(), list.client_height());
            self.scroll.set((f64::from(top), f64::from(height)));
        }
    }

    fn bring_into_view(self, at: Option<usize>) {
        let rows = self.rows.get_untracked();
        let row = rows.and_then(|rows| rows.iter().position(|it| Some(*it) == at));
        let (Some(row), Some(list)) = (row, self.hands.list.get_untracked()) else {
            return;
        };
        let (top, height) = (list.scroll_top(), list.client_height());
        let target = window::scroll_to(row, row, top.into(), height.into(), ROW_HEIGHT);
        if let Some(target) = target {
            list.set_scroll_top(target as i32);
        }
    }

    fn rows(self) -> Option<Vec<AnyView>> {
        let (set, rows) = (self.set.get()?, self.rows.get()?);
        let made = self.window.get();
        let total = rows.len();
        let views = made.filter_map(|row| {
            let at = *rows.get(row)?;
            let place = Place { row, at, total };
            Some(row_view(set.items.get(at)?, place, self.hands))
        });
        Some(views.collect())
    }
}

/// Where a question is.
#[derive(Clone, Copy)]
struct Place {
    /// Its row in the list.
    row: usize,
    /// Its position in the set.
    at: usize,
    /// The number of rows in the list.
    total: usize,
}

/// What a row shows beside the question.
#[derive(Clone, Default, PartialEq)]
struct Badges {
    keep: Option<bool>,
    rating: Option<u8>,
    is_edited: bool,
    tags: Vec<String>,
}

fn badges(state: &State, id: &str) -> Badges {
    let review = state.lab.review.of(id);
    review.map_or_else(Badges::default, |it| Badges {
        keep: it.keep,
        rating: it.rating,
        is_edited: it.question.is_some() || it.answer.is_some(),
        tags: it.tags.clone(),
    })
}

fn row_view(item: &LabItemView, place: Place, hands: Hands) -> AnyView {
    let store = desk().store;
    let id = StoredValue::new(item.id.clone());
    let is_current = store.select(move |state| {
        let current = state.lab.review.current.as_deref();
        id.with_value(|id| current == Some(id))
    });
    let is_chosen =
        store.select(move |state| id.with_value(|id| state.lab.review.chosen.contains(id)));
    let badges = store.select(move |state| id.with_value(|id| badges(state, id)));
    let worded = {
        let item = item.clone();
        store.select(move |state| state.lab.review.worded(&item).0)
    };
    let on_click = move |event: leptos::ev::MouseEvent| {
        let (many, one) = (event.shift_key(), event.ctrl_key() || event.meta_key());
        store.change(|state| {
            id.with_value(|id| match (many, one) {
                (true, _) => state.choose_reviews_to(id),
                (false, true) => state.choose_review(id),
                (false, false) => state.look_at_question(id),
            });
        });
        hands.to_list();
    };
    let choose = move |event: leptos::ev::MouseEvent| {
        event.stop_propagation();
        store.change(|state| id.with_value(|id| state.choose_review(id)));
    };
    view! {
        <div
            id=format!("question-{}", place.at)
            class="review-row"
            class:cursor=move || is_current.get()
            class:chosen=move || is_chosen.get()
            class:dropped=move || badges.with(|it| it.keep == Some(false))
            role="option"
            aria-selected=move || is_chosen.get().to_string()
            aria-posinset=place.row + 1
            aria-setsize=place.total
            on:click=on_click
        >
            <span class="tick" aria-hidden="true" title="Select" on:click=choose></span>
            <span class="text">{move || worded.get()}</span>
            <span class="about">
                <span class="kind">{item.kind.clone()}</span>
                {move || shown(&badges.get())}
            </span>
        </div>
    }
    .into_any()
}

fn shown(badges: &Badges) -> AnyView {
    let rating = badges.rating.map(|rating| {
        view! { <span class="badge rating">"rated "{rating}</span> }
    });
    let keep = badges.keep.map(|keep| match keep {
        true => view! { <span class="badge kept">"kept"</span> }.into_any(),
        false => view! { <span class="badge left">"dropped"</span> }.into_any(),
    });
    let edited = badges
        .is_edited
        .then(|| view! { <span class="badge">"edited"</span> });
    let tags = (!badges.tags.is_empty()).then(|| {
        view! { <span class="badge tags">{badges.tags.join(", ")}</span> }
    });
    view! { {rating} {keep} {edited} {tags} }.into_any()
}
