//! The context inspector: which lines of what was found a model is shown, chosen in one way or in two side by
//! side, with a slider for each snippet. What is shown as kept is byte for byte what is sent.
//!
//! As in the trace, the engine writes lines as HTML in which all text is escaped (`worker/serve/context/html.rs`).

use leptos::ev::Event;
use leptos::prelude::*;

use super::dialog::Dialog;
use super::format::{lines, thousands};
use super::icons::{Draw, Icon};
use super::later::growing;
use super::notices::Card;
use super::{Desk, desk};
use crate::state::context::{BUDGETS, Choosing, Side};
use crate::state::{Mark, Panel, Shared, Stage, State};
use crate::worker::protocol::{ExportFormat, SnippetAt, SnippetView, StrategyView};

/// How fine a slider is, in percent.
const STEP: u32 = 5;

#[component]
pub fn Context() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Context label="What a model would be shown" class="dialog trace-dialog">
            <Body/>
        </Dialog>
    }
}

#[component]
fn Body() -> impl IntoView {
    let store = desk().store;
    let question = store.select(|state| state.choosing.question.clone());
    let trouble = store.select(|state| state.choosing.trouble.clone());
    let is_waiting = store.select(|state| state.choosing.is_waiting);
    let sides = store.select(|state| state.choosing.sides.len());
    let trouble = move || trouble.get().map(|notice| view! { <Card notice/> });
    view! {
        <p class="trace-question">{move || question.get()}</p>
        <Choice/>
        <CodeModel/>
        {trouble}
        <p class="pane-hint" hidden=move || { sides.get() > 0 || !is_waiting.get() }>
            "Finding and reading the lines…"
        </p>
        <div class="contexts" aria-busy=move || is_waiting.get().to_string()>
            <For each=move || 0..sides.get() key=|at| *at let:at>
                <OneSide at/>
            </For>
        </div>
        <Send/>
    }
    .into_any()
}

/// Which strategies, how many tokens, and the result as a file.
#[component]
fn Choice() -> impl IntoView {
    let store = desk().store;
    let options = store.select(|state| state.choosing.options.clone());
    let left = store.select(|state| state.choosing.left.clone());
    let right = store.select(|state| state.choosing.right.clone().unwrap_or_default());
    let tokens = store.select(|state| state.choosing.tokens);
    let policies = store.select(|state| state.choosing.policies.clone());
    let policy = store.select(|state| state.choosing.policy.clone());
    let listed = move |options: Memo<Shared<Vec<StrategyView>>>,
                       nothing: Option<&'static str>,
                       chosen: Memo<String>| {
        let known = options.get();
        let nothing = nothing.map(|title| (String::new(), title.to_owned()));
        let known = known
            .iter()
            .map(|option| (option.name.clone(), option.title.clone()));
        let all: Vec<_> = nothing.into_iter().chain(known).collect();
        all.into_iter()
            .map(|(name, title)| {
                let value = name.clone();
                view! {
                    <option value=value selected=move || chosen.with(|chosen| *chosen == name)>
                        {title}
                    </option>
                }
            })
            .collect::<Vec<_>>()
    };
    let change = move |change: &dyn Fn(&mut Choosing)| {
        store.act(|state| state.choose_context(|choosing| change(choosing)));
    };
    let choose_left = move |event: Event| {
        let name = event_target_value(&event);
        change(&|choosing| choosing.left.clone_from(&name));
    };
    let choose_right = move |event: Event| {
        let name = event_target_value(&event);
        change(&|choosing| choosing.right = Some(name.clone()).filter(|name| !name.is_empty()));
    };
    let choose_tokens = move |event: Event| {
        if let Ok(number) = event_target_value(&event).parse() {
            change(&|choosing| choosing.tokens = number);
        }
    };
    let choose_policy = move |event: Event| {
        let name = event_target_value(&event);
        change(&|choosing| choosing.policy.clone_from(&name));
    };
    let budgets = BUDGETS.map(|budget| {
        view! {
            <option value=budget.to_string() selected=move || tokens.get() == budget>
                {thousands(budget.into())}
            </option>
        }
    });
    let export = move |format| store.act(|state: &mut State| state.export_context(format));
    view! {
        <div class="trace-choice">
            <label>
                "Chosen by "
                <select on:change=choose_left>{move || listed(options, None, left)}</select>
            </label>
            <label>
                "beside "
                <select on:change=choose_right>
                    {move || listed(options, Some("nothing"), right)}
                </select>
            </label>
            <label>
                "within " <select on:change=choose_tokens>{budgets.to_vec()}</select> " tokens"
            </label>
            <label>
                "of each snippet "
                <select on:change=choose_policy>
                    {move || listed(policies, Some("what competes best"), policy)}
                </select>
            </label>
            <span class="spacer"></span>
            <button class="quiet small" on:click=move |_| export(ExportFormat::Html)>
                <Draw icon=Icon::Save/>
                "Save as HTML"
            </button>
            <button class="quiet small" on:click=move |_| export(ExportFormat::Json)>
                <Draw icon=Icon::Save/>
                "Save as JSON"
            </button>
        </div>
    }
    .into_any()
}

/// Which language model reads code, where a strategy needs one; the user may bring another.
#[component]
fn CodeModel() -> impl IntoView {
    let Desk { store, intake, .. } = desk();
    let is_wanted = store.select(|state| state.choosing.uses_model());
    let model = store.select(|state| state.choosing.code_model.clone());
    let input = NodeRef::<leptos::html::Input>::new();
    let keep = RwSignal::new(false);
    let pick = move |_| intake.pick_model(input, keep.get_untracked());
    let told = move || {
        model.with(|model| match (&model.brought, model.is_kept) {
            (Some(name), true) => format!("{name}, which you brought; it is kept in this browser"),
            (Some(name), false) => format!("{name}, which you brought, until the page is closed"),
            (None, _) => "Footnote's own model of 5.7 MB, which comes with the page".to_owned(),
        })
    };
    let back = move || {
        model.with(|model| model.brought.is_some()).then(|| {
            view! {
                <button class="quiet small" on:click=move |_| store.act(State::use_own_model)>
                    "Use Footnote's own"
                </button>
            }
        })
    };
    view! {
        <div class="code-model" hidden=move || !is_wanted.get()>
            <p>
                "Code is read by " <b>{told}</b> "."
            </p>
            <label class="picker quiet small">
                <input
                    type="file"
                    multiple
                    accept=".onnx,.json"
                    aria-label="Bring a language model"
                    title="A decoder in one ONNX file without cache, with logits as output, and its tokenizer.json"
                    node_ref=input
                    on:change=pick
                />
                "Bring another (.onnx and tokenizer.json)"
            </label>
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=move || keep.get()
                    on:change=move |event| keep.set(event_target_checked(&event))
                />
                " keep it in this browser"
            </label>
            {back}
        </div>
    }
    .into_any()
}

/// What one strategy chose.
#[component]
fn OneSide(at: usize) -> impl IntoView {
    let store = desk().store;
    let head = store.select(move |state| {
        let side = state.choosing.sides.get(at)?;
        let read_by = side
            .read_by
            .as_ref()
            .map(|model| format!(" Read by {model}."));
        let judged_by = side.judged_by.as_ref();
        let judged_by = judged_by.map(|model| format!(" How much of each: {model}."));
        let parts = [Some(side.about.clone()), read_by, judged_by];
        let about: String = parts.into_iter().flatten().collect();
        Some((side.title.clone(), about, side.instead.clone()))
    });
    let sum = store.select(move |state| state.choosing.sides.get(at).map(sum));
    let count = store.select(move |state| {
        let side = state.choosing.sides.get(at);
        side.map_or(0, |side| side.snippets.len())
    });
    let made = growing(move || (0, count.get()));
    let head = move || {
        let (title, about, instead) = head.get()?;
        let instead = instead.map(|text| view! { <p class="instead">{text}</p> });
        Some(view! {
            <h3>{title}</h3>
            <p class="about">{about}</p>
            {instead}
        })
    };
    view! {
        <section class="context">
            {head}
            <p class="sum" aria-live="polite">
                {move || sum.get()}
            </p>
            <ol class="snippets" aria-busy=move || (made.get() < count.get()).to_string()>
                <For each=move || 0..made.get() key=|snippet| *snippet let:snippet>
                    <Snippet at=SnippetAt { side: at as u32, snippet: snippet as u32 }/>
                </For>
            </ol>
        </section>
    }
    .into_any()
}

/// `31,400 → 9,800 tokens, 69 % saved`.
fn sum(side: &Side) -> String {
    let (before, after) = side.tokens();
    let saved = 100
        - (u64::from(after) * 100)
            .div_ceil(u64::from(before.max(1)))
            .min(100);
    format!(
        "{} → {} tokens, {saved} % saved",
        thousands(before.into()),
        thousands(after.into())
    )
}

/// A snippet with its slider. The lines stand in their own element, so that the slider keeps the focus while
/// they change under it.
#[component]
fn Snippet(at: SnippetAt) -> impl IntoView {
    let store = desk().store;
    let snippet = store.select(move |state| snippet_at(state, at));
    let place = snippet.with_untracked(|snippet| {
        let snippet = snippet.as_ref()?;
        Some(snippet.offered.place.clone())
    });
    let place = place.unwrap_or_default();
    let shown = format!("{}:{}", place.path, lines(place.start, place.end));
    let label = format!("Share of {shown} that is sent");
    let percent = move || snippet.with(|it| it.as_ref().map_or(0, |it| it.percent()));
    let tokens = move || {
        snippet.with(|it| {
            let it = it.as_ref()?;
            Some(format!(
                "{} → {} tokens",
                thousands(it.tokens_before.into()),
                thousands(it.tokens_after.into())
            ))
        })
    };
    let html = move || snippet.with(|it| it.as_ref().map(|it| it.html.clone()));
    let open = move |_| {
        let mark = Mark {
            start: place.start,
            end: place.end,
        };
        store.act(|state| {
            state.hide(Panel::Context);
            state.open_file(&place.path, Some(mark))
        });
    };
    let slide = move |event: Event| {
        if let Ok(percent) = event_target_value(&event).parse() {
            store.act(|state| state.recut(at, percent));
        }
    };
    let is_empty = move || snippet.with(|it| it.as_ref().is_none_or(|it| it.tokens_after == 0));
    view! {
        <li class:none=is_empty>
            <div class="snippet-head">
                <button class="path" on:click=open>
                    {shown}
                </button>
                <small>{tokens}</small>
                <input
                    type="range"
                    min="0"
                    max="100"
                    step=STEP
                    aria-label=label
                    prop:value=move || percent().to_string()
                    on:input=slide
                />
            </div>
            <div inner_html=html></div>
        </li>
    }
    .into_any()
}

fn snippet_at(state: &State, at: SnippetAt) -> Option<Shared<SnippetView>> {
    let side = state.choosing.sides.get(at.side as usize)?;
    side.snippets.get(at.snippet as usize).cloned()
}

/// Asks the connected model with the lines of the first side, or how much of each snippet it needs.
#[component]
fn Send() -> impl IntoView {
    let store = desk().store;
    let stage = store.select(|state| state.connection.stage());
    let tokens = store.select(|state| {
        let side = state.choosing.sides.first();
        side.map_or((0, 0), Side::tokens)
    });
    let is_waiting = store.select(|state| state.choosing.is_waiting);
    let body = move || {
        let (before, after) = tokens.get();
        (stage.get() == Stage::Connected && after > 0).then(|| {
            let all = format!(
                "Let the model say how much of each (sends all {} tokens)",
                thousands(before.into())
            );
            view! {
                <div class="actions context-send">
                    <button
                        class="plain small"
                        disabled=move || is_waiting.get()
                        on:click=move |_| store.act(State::judge_context)
                    >
                        {all}
                    </button>
                    <button
                        class="go small"
                        on:click=move |_| store.act(State::write_with_context)
                    >
                        "Ask the model with these lines"
                    </button>
                </div>
            }
        })
    };
    view! { {body} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_says_what_is_saved() {
        let snippet = |before, after| {
            Shared::new(SnippetView {
                offered: crate::worker::protocol::OfferedView {
                    place: crate::worker::protocol::PlaceView::default(),
                    left_out: Vec::new(),
                },
                tokens_before: before,
                tokens_after: after,
                html: String::new(),
            })
        };
        let side = Side {
            title: String::new(),
            about: String::new(),
            instead: None,
            read_by: None,
            judged_by: None,
            snippets: vec![snippet(31_000, 9_800), snippet(400, 0)],
        };
        assert_eq!(sum(&side), "31,400 → 9,800 tokens, 68 % saved");
    }
}
