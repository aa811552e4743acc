//! Teaching the open repository: what it learns from, the learning curve, and whether it was worth
//! it.

use leptos::ev::Event;
use leptos::prelude::*;

use crate::state::{Shared, State};
use crate::ui::desk;
use crate::ui::format::{bytes, count, duration, thousands};
use crate::ui::icons::{Draw, Icon};
use crate::ui::pick::PickFile;
use crate::worker::protocol::{
    LabCurriculumView, LabLearningView, LabMarksView, LabPointView, LabTaughtView,
};

/// The most questions that code makes, unless the user chooses another number.
const MADE: u32 = 2_000;
/// The area that holds the curve, in drawing units.
const WIDTH: f32 = 320.0;
const HEIGHT: f32 = 120.0;

#[component]
pub fn Teach() -> impl IntoView {
    let store = desk().store;
    let learning = store.select(|state| state.lab.teaching.learning.clone());
    let taught = store.select(|state| state.lab.teaching.taught.clone());
    let result = move || match (learning.with(Option::is_some), taught.get()) {
        (true, _) | (_, None) => ().into_any(),
        (_, Some(None)) => view! {
            <p class="nothing-yet">"This repository has not been taught yet."</p>
        }
        .into_any(),
        (_, Some(Some(view))) => result(&view),
    };
    view! {
        <p class="quiet-line">
            "Footnote can learn which files answer which questions about this repository. It trains a \
             small table of numbers in this page, within seconds. No language model is changed, and \
             nothing is sent. Answers then weigh what was found against what was learnt. (The paper \
             PathFinder fine-tunes a large model for this.)"
        </p>
        <Curriculum/>
        {move || learning.get().map(|learning| progress(&learning))}
        {result}
    }
    .into_any()
}

/// What the repository learns from.
#[component]
fn Curriculum() -> impl IntoView {
    let store = desk().store;
    let wanted = store.select(|state| state.lab.teaching.curriculum);
    let in_set = store.select(|state| state.lab.kept());
    let is_busy = store.select(|state| state.lab.is_waiting);
    let has_source = store.select(|state| state.lab.teaching.has_source());
    let set_made = move |event: Event| {
        let made = event_target_value(&event).parse().unwrap_or(MADE);
        store.change(|state| state.lab.teaching.curriculum.made = u32::min(made, 20_000));
    };
    let set_label = move || match in_set.get() {
        0 => "the laboratory’s set (empty)".to_owned(),
        n => format!("the laboratory’s set ({})", count(n as u64, "question")),
    };
    view! {
        <form
            class="lab-order"
            on:submit=move |event| {
                event.prevent_default();
                store.act(State::begin_teaching);
            }
        >
            <fieldset class="chips">
                <legend>"Learn from"</legend>
                {source(
                    "questions made by code".into_any(),
                    |it| it.made > 0,
                    |it, is_on| it.made = if is_on { MADE } else { 0 },
                )}
                {source(set_label.into_any(), |it| it.set, |it, is_on| it.set = is_on)}
                {source(
                    "answers you rated good".into_any(),
                    |it| it.rated,
                    |it, is_on| it.rated = is_on,
                )}
            </fieldset>
            <label hidden=move || wanted.get().made == 0>
                "Maximum number of questions "
                <input
                    type="number"
                    min="10"
                    max="20000"
                    // While the field is hidden, its 0 must not block the form.
                    disabled=move || wanted.get().made == 0
                    prop:value=move || wanted.get().made.to_string()
                    on:change=set_made
                />
            </label>
            <button class="go" type="submit" disabled=move || is_busy.get() || !has_source.get()>
                "Teach"
            </button>
            <Bring/>
        </form>
    }
    .into_any()
}

/// A source of questions, with a checkbox.
fn source(
    label: AnyView,
    is_on: fn(&LabCurriculumView) -> bool,
    turn: fn(&mut LabCurriculumView, bool),
) -> AnyView {
    let store = desk().store;
    let is_on = store.select(move |state| is_on(&state.lab.teaching.curriculum));
    view! {
        <label class="chip" class:on=move || is_on.get()>
            <input
                type="checkbox"
                prop:checked=move || is_on.get()
                on:change=move |event| {
                    let is_on = event_target_checked(&event);
                    store.change(|state| turn(&mut state.lab.teaching.curriculum, is_on));
                }
            />
            {label}
        </label>
    }
    .into_any()
}

/// Opens a file that was taught elsewhere.
#[component]
fn Bring() -> impl IntoView {
    let intake = desk().intake;
    view! {
        <PickFile
            label="Open a teaching file"
            title="A file saved here or written by “footnote teach”"
            accept=".footnote-taught"
            class="taught-file"
            pick=move |input| intake.pick_teaching(input)
        />
    }
    .into_any()
}

fn progress(learning: &LabLearningView) -> AnyView {
    let store = desk().store;
    let told = match learning.questions {
        0 => "Making questions…".to_owned(),
        n => format!("Learning from {}…", count(n.into(), "question")),
    };
    view! {
        <div class="lab-progress" role="status">
            <progress
                max=learning.total.max(1).to_string()
                value=learning.done.to_string()
            ></progress>
            <span>{told}</span>
            <button class="quiet small" on:click=move |_| store.act(State::stop_lab)>
                "Stop"
            </button>
        </div>
        {curve(&learning.curve)}
    }
    .into_any()
}

fn result(view: &Shared<LabTaughtView>) -> AnyView {
    let store = desk().store;
    let how_long = view
        .seconds
        .map(|seconds| format!(" in {}", duration(seconds)));
    let told = format!(
        "Learnt from {}{}. They lead to {}. Size: {}.",
        count(view.questions.into(), "question"),
        how_long.unwrap_or_default(),
        count(view.files.into(), "file"),
        bytes(view.bytes.into()),
    );
    let unsaved = view.unsaved.as_ref();
    let unsaved = unsaved.map(|why| format!("It is lost when you leave this page, because {why}."));
    view! {
        <section class="taught" aria-label="What was taught">
            <h3>{verdict(view)}</h3>
            <p>{told}</p>
            {view.note.clone().map(|note| view! { <p class="quiet-line">{note}</p> })}
            {unsaved.map(|why| view! { <p class="warn">{why}</p> })}
            {stale(view)}
            {marks(view)}
            {curve(&view.curve)}
            <Threshold percent=view.threshold/>
            <div class="lab-about">
                <button
                    // Offered, but not emphasised, if it does not help.
                    class=if view.is_worth_it { "go" } else { "quiet small" }
                    on:click=move |_| { store.change(State::answer_as_taught); }
                >
                    "Answer with what was learnt"
                </button>
                <button class="quiet small" on:click=move |_| store.act(State::export_taught)>
                    <Draw icon=Icon::Save/>
                    "Save as a file"
                </button>
                <button class="quiet small" on:click=move |_| store.act(State::forget_taught)>
                    "Forget it"
                </button>
            </div>
        </section>
    }
    .into_any()
}

/// What the figures mean, in a sentence.
fn verdict(view: &LabTaughtView) -> String {
    let points = |marks: &LabMarksView| (100.0 * (marks.exact - view.untaught.exact)).round();
    let (gain, by_chance) = (points(&view.taught), points(&view.shuffled));
    match (view.is_worth_it, gain > 0.0) {
        (true, _) => {
            format!("It helps: {gain:.0} more of every 100 questions get exactly the right files.")
        }
        (false, true) => format!(
            "The gain is not real: it is {gain:.0} of every 100 questions, and teaching shuffled answers gains {by_chance:.0}."
        ),
        (false, false) => {
            "It does not help: no more questions get exactly the right files.".to_owned()
        }
    }
}

/// Which files have changed since.
fn stale(view: &LabTaughtView) -> Option<AnyView> {
    let store = desk().store;
    let list = |what: &str, paths: &[String]| {
        (!paths.is_empty()).then(|| {
            let told = format!("{} {what} since", count(paths.len() as u64, "file"));
            let paths: Vec<_> = paths
                .iter()
                .cloned()
                .map(|path| view! { <li>{path}</li> })
                .collect();
            view! {
                <details>
                    <summary>{told}</summary>
                    <ul class="taught-paths">{paths}</ul>
                </details>
            }
        })
    };
    if view.changed.is_empty() && view.gone.is_empty() {
        return None;
    }
    Some(
        view! {
            <p class="warn">
                "It was taught on another version of this repository. Learning again keeps the \
                 questions that still hold, and makes new ones about files that changed or are new."
            </p>
            {list("changed", &view.changed)}
            {list("removed", &view.gone)}
            <p>
                <button
                    class="quiet small"
                    on:click=move |_| store.act(State::renew_teaching)
                >
                    "Learn again"
                </button>
            </p>
        }
        .into_any(),
    )
}

/// How well it does on questions that it did not learn from.
fn marks(view: &LabTaughtView) -> AnyView {
    let row = |name: &'static str, about: &'static str, marks: &LabMarksView| {
        let share = |value: f32| format!("{:.1} %", 100.0 * value);
        view! {
            <tr>
                <th scope="row">{name}<small>{about}</small></th>
                <td>{share(marks.exact)}</td>
                <td>{share(marks.recall)}</td>
                <td>{share(marks.first)}</td>
            </tr>
        }
    };
    let caption = format!(
        "Measured on {}, each answered by a table that had not learnt from it",
        count(view.measured.into(), "question")
    );
    view! {
        <div class="lab-table" tabindex="0" role="region" aria-label="How well it was learnt">
            <table>
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        <th></th>
                        <th>"exactly the right files (EM)"</th>
                        <th>"right files named (micro-recall)"</th>
                        <th>"best file right"</th>
                    </tr>
                </thead>
                <tbody>
                    {row("Untaught", "Footnote’s own search", &view.untaught)}
                    {row("Counting only", "knows how many files such questions have", &view.calibrated)}
                    {row("Taught", "", &view.taught)}
                    {row("Control", "taught shuffled answers", &view.shuffled)}
                </tbody>
            </table>
        </div>
    }
    .into_any()
}

/// Exact match by epoch, on the training questions and on those held out.
fn curve(points: &[LabPointView]) -> Option<AnyView> {
    let last = points.last()?;
    let steps = (points.len().max(2) - 1) as f32;
    let line = |of: fn(&LabPointView) -> f32| {
        let points = points.iter().enumerate();
        let points = points.map(|(at, point)| {
            let (x, y) = (at as f32 / steps * WIDTH, (1.0 - of(point)) * HEIGHT);
            format!("{x:.1},{y:.1}")
        });
        points.collect::<Vec<String>>().join(" ")
    };
    let percent = |value: f32| format!("{:.0} %", 100.0 * value);
    let label = format!(
        "After {} epochs, {} of the questions learnt from and {} of those left out get the right files",
        last.epoch,
        percent(last.learnt),
        percent(last.left_out)
    );
    Some(
        view! {
            <figure class="lab-curves taught-curve">
                <svg viewBox="-26 -6 360 150" role="img" aria-label=label>
                    <path class="axis" d=format!("M0 0V{HEIGHT}H{WIDTH}")/>
                    <polyline points=line(|it| it.learnt)/>
                    <polyline points=line(|it| it.left_out)/>
                    <text x="-4" y="6" text-anchor="end">"1"</text>
                    <text x="-4" y=HEIGHT text-anchor="end">"0"</text>
                    <text x=WIDTH y="134" text-anchor="end">
                        {format!("epoch {}", thousands(last.epoch.into()))}
                    </text>
                </svg>
                <figcaption>
                    "Questions with exactly the right files, by what was learnt alone"
                    <ul>
                        <li><i></i>{format!("learnt from: {}", percent(last.learnt))}</li>
                        <li><i></i>{format!("left out: {}", percent(last.left_out))}</li>
                    </ul>
                </figcaption>
            </figure>
        }
        .into_any(),
    )
}

/// How certain a file must be to count.
#[component]
fn Threshold(percent: u32) -> impl IntoView {
    let store = desk().store;
    let shown = RwSignal::new(percent);
    let is_busy = store.select(|state| state.lab.is_waiting);
    let read = |event: &Event| event_target_value(event).parse::<u32>().ok();
    view! {
        <label class="taught-threshold">
            "Name files with at least this confidence: "
            <output>{move || format!("{} %", shown.get())}</output>
            <input
                type="range"
                min="5"
                max="95"
                step="5"
                disabled=move || is_busy.get()
                prop:value=move || shown.get().to_string()
                on:input=move |event| {
                    if let Some(percent) = read(&event) {
                        shown.set(percent);
                    }
                }
                on:change=move |event| {
                    if let Some(percent) = read(&event) {
                        store.act(|state: &mut State| state.set_taught_threshold(percent));
                    }
                }
            />
        </label>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_that_shuffled_answers_also_have_is_not_called_real() {
        let marks = |exact: f32| LabMarksView {
            exact,
            ..LabMarksView::default()
        };
        for (untaught, taught, shuffled, is_worth_it, expected) in [
            (
                0.5,
                0.7,
                0.2,
                true,
                "It helps: 20 more of every 100 questions",
            ),
            (0.5, 0.6, 0.6, false, "The gain is not real"),
            (0.5, 0.5, 0.1, false, "It does not help"),
            (0.5, 0.4, 0.1, false, "It does not help"),
        ] {
            let view = LabTaughtView {
                untaught: marks(untaught),
                taught: marks(taught),
                shuffled: marks(shuffled),
                is_worth_it,
                ..LabTaughtView::default()
            };
            let told = verdict(&view);
            assert!(told.starts_with(expected), "{told}");
        }
    }
}
