//! The current question: its wording, its gold lines, and its review.

use std::time::Duration;

use footnote_core::lab::agreement::{RATING, SCORES, Scale};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::Hands;
use crate::state::{GoldLines, Mark, Shared, Wording};
use crate::ui::desk;
use crate::ui::format::count;
use crate::ui::lab::questions::place;
use crate::ui::peek::code_with;
use crate::worker::protocol::{LabItemView, LabSaidView};

/// How long a question must be current before its lines are requested, so that walking through the
/// list does not wait for those in between.
const AFTER: Duration = Duration::from_millis(120);

#[component]
pub fn Question(hands: Hands) -> impl IntoView {
    let store = desk().store;
    let item = store.select(|state| {
        let current = state.lab.review.current.as_ref()?;
        let mut items = state.lab.set.as_ref()?.items.iter();
        items.find(|item| item.id == *current).cloned()
    });
    // The lines that are not here yet.
    let missing = store.select(|state| {
        let review = &state.lab.review;
        let is_here = review.lines.as_ref().map(|lines| &lines.id) == review.current.as_ref();
        review.current.clone().filter(|_| !is_here)
    });
    Effect::new(move |_| {
        if let Some(id) = missing.get() {
            set_timeout(move || store.act(|state| state.look_at_gold(&id)), AFTER);
        }
    });
    let shown = move || match item.get() {
        Some(item) => one(item, hands),
        None => view! { <p class="pane-hint">"No question is selected."</p> }.into_any(),
    };
    view! {
        <section class="review-question" aria-label="Selected question">{shown}</section>
    }
    .into_any()
}

fn one(item: LabItemView, hands: Hands) -> AnyView {
    let id = StoredValue::new(item.id.clone());
    let about = match item.kind.is_empty() {
        true => item.id.clone(),
        false => format!("{} · {}", item.kind, item.id),
    };
    view! {
        <p class="review-about">{about}</p>
        {words(item, hands)}
        {decision(id)}
        {rating()}
        {scores(id)}
        {tags(id, hands)}
        {note(id, hands)}
        {said(id)}
        {lines(id)}
    }
    .into_any()
}

/// The question and its answer, both editable.
fn words(item: LabItemView, hands: Hands) -> AnyView {
    let store = desk().store;
    let item = StoredValue::new(item);
    let worded = store.select(move |state| item.with_value(|it| state.lab.review.worded(it)));
    let is_edited = store.select(move |state| {
        let review = item.with_value(|it| state.lab.review.of(&it.id).cloned());
        review.is_some_and(|it| it.question.is_some() || it.answer.is_some())
    });
    // A field that is removed while it has the focus may still report what was typed.
    let reword = move |which: Wording, text: String| {
        if let Some(id) = item.try_with_value(|it| it.id.clone()) {
            store.act(|state| state.reword(&id, which, &text));
        }
    };
    let take_back = move |_| {
        let (question, answer) = item.with_value(|it| (it.question.clone(), it.answer.clone()));
        reword(Wording::Question, question);
        reword(Wording::Answer, answer);
    };
    // Esc discards what was typed; leaving the field any other way keeps it.
    let on_key = move |event: KeyboardEvent, put_back: &dyn Fn()| match (
        event.key().as_str(),
        event.ctrl_key() || event.meta_key(),
    ) {
        ("Enter", true) => hands.to_list(),
        ("Escape", _) => {
            put_back();
            hands.leave_on_escape(&event);
        }
        _ => {}
    };
    let answer = NodeRef::<leptos::html::Textarea>::new();
    view! {
        <label class="review-words">
            "Question"
            <textarea
                rows="2"
                maxlength="50000"
                aria-keyshortcuts="e"
                node_ref=hands.question
                prop:value=move || worded.get().0
                on:change=move |event| reword(Wording::Question, event_target_value(&event))
                on:keydown=move |event| on_key(event, &|| {
                    if let Some(field) = hands.question.get_untracked() {
                        field.set_value(&worded.get_untracked().0);
                    }
                })
            ></textarea>
        </label>
        <label class="review-words">
            "Answer"
            <textarea
                rows="3"
                maxlength="50000"
                node_ref=answer
                prop:value=move || worded.get().1
                on:change=move |event| reword(Wording::Answer, event_target_value(&event))
                on:keydown=move |event| on_key(event, &|| {
                    if let Some(field) = answer.get_untracked() {
                        field.set_value(&worded.get_untracked().1);
                    }
                })
            ></textarea>
        </label>
        <p class="review-edited" hidden=move || !is_edited.get()>
            "Edited. "
            <button class="quiet small" on:click=take_back>"Restore the original wording"</button>
        </p>
    }
    .into_any()
}

fn decision(id: StoredValue<String>) -> AnyView {
    let store = desk().store;
    let keep = store.select(move |state| {
        let review = id.with_value(|id| state.lab.review.of(id).cloned());
        review.and_then(|it| it.keep)
    });
    let button = move |is_keep: bool, label: &'static str, key: &'static str| {
        let is_on = move || keep.get() == Some(is_keep);
        view! {
            <button
                class="quiet small"
                class:on=is_on
                aria-pressed=move || is_on().to_string()
                aria-keyshortcuts=key
                on:click=move |_| {
                    let ids = [id.get_value()];
                    store.act(|state| state.decide_on(&ids, is_keep));
                }
            >
                {label}
            </button>
        }
    };
    view! {
        <div class="review-decision" role="group" aria-label="Keep or drop">
            {button(true, "Keep", "v")}
            {button(false, "Drop", "x")}
        </div>
    }
    .into_any()
}

/// The rating from 1 to 10, with its meaning.
fn rating() -> AnyView {
    let store = desk().store;
    let given = store.select(|state| {
        let review = &state.lab.review;
        review.of(review.current.as_ref()?)?.rating
    });
    let choice = move |value: u8| {
        view! {
            <label class="chip" class:on=move || given.get() == Some(value)>
                <input
                    type="radio"
                    name="review-rating"
                    prop:checked=move || given.get() == Some(value)
                    on:change=move |_| store.act(|state| state.give_rating(value))
                />
                {value}
            </label>
        }
    };
    let choices: Vec<_> = (RATING.low()..=RATING.high()).map(choice).collect();
    let take_back = move |_| {
        if let Some(value) = given.get_untracked() {
            store.act(|state| state.give_rating(value));
        }
    };
    view! {
        <fieldset class="chips review-rating">
            <legend>{RATING.title}</legend>
            {choices}
            <button
                class="quiet small"
                hidden=move || given.get().is_none()
                on:click=take_back
            >
                "Clear"
            </button>
        </fieldset>
        {meaning(&RATING, given, scale_of(&RATING))}
    }
    .into_any()
}

/// `From 1 to 10 (RepoQA-SA, section 3.1).`
fn scale_of(scale: &Scale) -> String {
    let (low, high, source) = (scale.low(), scale.high(), scale.source);
    format!("From {low} to {high} ({source}).")
}

/// What a value means, or `otherwise` while there is none.
fn meaning(scale: &'static Scale, given: Memo<Option<u8>>, otherwise: String) -> AnyView {
    let told = move || match given.get().and_then(|value| scale.meaning(value)) {
        Some(meaning) => meaning.to_owned(),
        None => otherwise.clone(),
    };
    view! { <small class="review-meaning" role="status">{told}</small> }.into_any()
}

/// The five scores, each with its meaning.
fn scores(id: StoredValue<String>) -> AnyView {
    let store = desk().store;
    let score = move |(at, scale): (usize, &'static Scale)| {
        let given = store.select(move |state| {
            let review = id.with_value(|id| state.lab.review.of(id).cloned());
            review.and_then(|it| it.scores.get(at).copied().flatten())
        });
        let choose = move |event| {
            let value = event_target_value(&event).parse().ok();
            store.act(|state| id.with_value(|id| state.give_score(id, at, value)));
        };
        let values = (scale.low()..=scale.high()).rev().map(move |value| {
            view! {
                <option value=value prop:selected=move || given.get() == Some(value)>{value}</option>
            }
        });
        let values: Vec<_> = values.collect();
        view! {
            <div class="review-score">
                <label>
                    {scale.title}
                    <select on:change=choose>
                        <option value="" prop:selected=move || given.get().is_none()>"–"</option>
                        {values}
                    </select>
                </label>
                {meaning(scale, given, String::new())}
            </div>
        }
    };
    let all: Vec<_> = SCORES.iter().enumerate().map(score).collect();
    let scale = SCORES.first().map(scale_of);
    view! {
        <small class="review-meaning">{scale}</small>
        <div class="review-scores" role="group" aria-label="Scores">{all}</div>
    }
    .into_any()
}

fn tags(id: StoredValue<String>, hands: Hands) -> AnyView {
    let store = desk().store;
    let tags = store.select(move |state| {
        let review = id.with_value(|id| state.lab.review.of(id).cloned());
        review.map(|it| it.tags).unwrap_or_default()
    });
    let known = store.select(|state| state.lab.review.tags());
    let chip = move |tag: String| {
        let label = format!("Remove the tag {tag}");
        let name = tag.clone();
        view! {
            <span class="review-tag">
                {name}
                <button
                    class="plain small"
                    aria-label=label
                    on:click=move |_| {
                        store.act(|state| id.with_value(|id| state.remove_tag(id, &tag)));
                    }
                >
                    "×"
                </button>
            </span>
        }
    };
    let chips = move || tags.get().into_iter().map(chip).collect::<Vec<_>>();
    let options = move || {
        let known = known.get().into_iter();
        known
            .map(|tag| view! { <option value=tag></option> })
            .collect::<Vec<_>>()
    };
    let on_key = move |event: KeyboardEvent| {
        if event.key() != "Enter" {
            return hands.leave_on_escape(&event);
        }
        event.prevent_default();
        if let Some(field) = hands.tag.get_untracked() {
            let written = field.value();
            field.set_value("");
            let ids = [id.get_value()];
            store.act(|state| state.add_tags(&ids, &written));
            hands.to_list();
        }
    };
    view! {
        <div class="review-tags">
            {chips}
            <input
                type="text"
                placeholder="Add a tag"
                aria-label="Add a tag"
                aria-keyshortcuts="t"
                list="review-tags"
                autocomplete="off"
                node_ref=hands.tag
                on:keydown=on_key
            />
            <datalist id="review-tags">{options}</datalist>
        </div>
    }
    .into_any()
}

fn note(id: StoredValue<String>, hands: Hands) -> AnyView {
    let store = desk().store;
    let note = store.select(move |state| {
        let review = id.with_value(|id| state.lab.review.of(id).cloned());
        review.map(|it| it.note).unwrap_or_default()
    });
    view! {
        <label class="review-words">
            "Note"
            <textarea
                rows="1"
                maxlength="50000"
                prop:value=move || note.get()
                on:change=move |event| {
                    let text = event_target_value(&event);
                    if let Some(id) = id.try_get_value() {
                        store.act(|state| state.write_note(&id, &text));
                    }
                }
                on:keydown=move |event| hands.leave_on_escape(&event)
            ></textarea>
        </label>
    }
    .into_any()
}

/// What every annotator says about the question, if there are others.
fn said(id: StoredValue<String>) -> AnyView {
    let store = desk().store;
    let all = store.select(move |state| id.with_value(|id| state.lab.review.said(id)));
    let table = move || {
        let all = all.get();
        (!all.is_empty()).then(|| {
            let rows: Vec<_> = all.iter().map(|(name, said)| row(name, *said)).collect();
            let heads = SCORES.iter().map(|scale| view! { <th scope="col">{scale.title}</th> });
            let heads: Vec<_> = heads.collect();
            view! {
                <div class="lab-table" tabindex="0" role="region" aria-label="What all reviewers say">
                    <table>
                        <thead>
                            <tr>
                                <th scope="col">"who"</th>
                                <th scope="col">"keep"</th>
                                <th scope="col">"rating"</th>
                                {heads}
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            }
        })
    };
    view! { {table} }.into_any()
}

fn row(name: &str, said: Option<LabSaidView>) -> AnyView {
    let said = said.unwrap_or_default();
    let number = |value: Option<u8>| value.map_or("–".to_owned(), |value| value.to_string());
    let scores: Vec<_> = said
        .scores
        .into_iter()
        .map(|score| view! { <td>{number(score)}</td> })
        .collect();
    view! {
        <tr>
            <th scope="row">{name.to_owned()}</th>
            <td>{kept(said.keep)}</td>
            <td>{number(said.rating)}</td>
            {scores}
        </tr>
    }
    .into_any()
}

/// The decision in one word.
pub fn kept(keep: Option<bool>) -> &'static str {
    match keep {
        Some(true) => "keep",
        Some(false) => "drop",
        None => "–",
    }
}

/// The gold lines, marked, with some lines around them.
fn lines(id: StoredValue<String>) -> AnyView {
    let store = desk().store;
    let lines = store.select(move |state| {
        let lines = state.lab.review.lines.clone();
        lines.filter(|lines| id.with_value(|id| lines.id == *id))
    });
    let shown = move || match lines.get() {
        Some(lines) => places(&lines),
        None => view! { <p class="quiet-line">"Fetching the lines…"</p> }.into_any(),
    };
    view! {
        <h3>"Lines that answer it"</h3>
        <div class="review-gold">{shown}</div>
    }
    .into_any()
}

fn places(lines: &Shared<GoldLines>) -> AnyView {
    let one = |at: usize| {
        let (gold, peeked) = lines.places.get(at)?;
        let mark = Mark {
            start: gold.start,
            end: gold.end.max(gold.start),
        };
        let text = match (peeked, gold.start) {
            (Some(peeked), _) => code_with(peeked, Some(mark)),
            (None, 0) => view! { <p class="quiet-line">"Only the file is known."</p> }.into_any(),
            (None, _) => {
                view! { <p class="quiet-line">"These lines are not in this repository."</p> }
                    .into_any()
            }
        };
        Some(view! { <div class="review-place">{place(gold)} {text}</div> })
    };
    let all: Vec<_> = (0..lines.places.len()).filter_map(one).collect();
    let more = (lines.more > 0).then(|| {
        let text = format!("and {}", count(lines.more.into(), "more place"));
        view! { <p class="quiet-line">{text}</p> }
    });
    view! { {all} {more} }.into_any()
}
