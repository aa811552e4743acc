//! Progress by stage: counts, rate, time left.

use leptos::prelude::*;

use super::desk;
use super::format::{count, duration, rate, thousands, with_thousands};
use super::icons::{Draw, Icon};
use super::saved::close;
use super::scope::{Choose, LeaveOut};
use crate::state::loading::STAGE_COUNT;
use crate::state::{Loading, Phase, StageRow, StageState};
use crate::worker::protocol::{Stage, VectorsView};

/// The page while a repository is being read, or waits for a choice of folders.
#[component]
pub fn Preparing() -> impl IntoView {
    let store = desk().store;
    let is_choosing =
        store.select(|state| state.choice().is_some_and(|choice| choice.view.is_waiting));
    let body = move || match is_choosing.get() {
        true => view! { <Choose/> }.into_any(),
        false => view! { <Progress/> }.into_any(),
    };
    view! { <div class="empty">{body}</div> }.into_any()
}

#[component]
fn Progress() -> impl IntoView {
    let store = desk().store;
    let loading = store.select(|state| match &state.phase {
        Phase::Loading(loading) => Some(loading.clone()),
        _ => None,
    });
    let name =
        Memo::new(move |_| loading.with(|loading| loading.as_ref().map(|it| it.name.clone())));
    // The elements stay while their numbers change.
    let lines: Vec<_> = (0..STAGE_COUNT)
        .map(|at| {
            let line = Memo::new(move |_| {
                loading.with(|loading| loading.as_ref()?.stages.get(at).map(stage_line))
            });
            view! { <Line line/> }
        })
        .collect();
    view! {
        <div class="card">
            <h1>"Reading "{move || name.get()}</h1>
            <p class="lead">
                "Ask below at any time: Footnote answers as soon as the words are indexed."
            </p>
            <ol class="stages" aria-label="Progress">{lines}</ol>
            <div class="promise">
                <button class="quiet" on:click=move |_| close(store)>
                    "Cancel"
                </button>
            </div>
            <LeaveOut/>
        </div>
    }
    .into_any()
}

/// What a line of the list shows.
#[derive(Clone, Debug, PartialEq)]
pub struct LineView {
    name: &'static str,
    state: StageState,
    /// 0 to 1; `None` while unknown.
    fraction: Option<f64>,
    counts: String,
}

/// The stages of a finished reading, as list items.
pub fn stage_list(loading: &Loading) -> AnyView {
    let lines: Vec<_> = loading
        .stages
        .iter()
        .map(|row| {
            let line = Some(stage_line(row));
            view! { <Line line=Memo::new(move |_| line.clone())/> }
        })
        .collect();
    lines.into_any()
}

fn stage_line(row: &StageRow) -> LineView {
    LineView {
        name: stage_name(row.stage),
        state: row.state,
        fraction: row.fraction(),
        counts: stage_counts(row),
    }
}

/// The making of vectors, as the last stage.
pub fn meaning_line(vectors: &VectorsView) -> LineView {
    let state = match &vectors.failed {
        _ if vectors.table_ms.is_some() || vectors.done >= vectors.total => StageState::Done,
        Some(_) => StageState::Waiting,
        None => StageState::Running,
    };
    LineView {
        name: "Meaning",
        state,
        fraction: Some(match vectors.table_ms {
            Some(_) => 1.0,
            None => meaning_fraction(vectors),
        }),
        counts: meaning_counts(vectors),
    }
}

/// The share of the chunks that the transformer has read, 0 to 1.
pub fn meaning_fraction(vectors: &VectorsView) -> f64 {
    if vectors.total == 0 {
        return 1.0;
    }
    f64::from(vectors.done) / f64::from(vectors.total)
}

/// Shows nothing while there is no line.
#[component]
pub fn Line(line: Memo<Option<LineView>>) -> impl IntoView {
    let state = Memo::new(move |_| line.with(|line| line.as_ref().map(|line| line.state)));
    let name = Memo::new(move |_| line.with(|line| line.as_ref().map(|line| line.name)));
    let counts = move || line.with(|line| line.as_ref().map(|line| line.counts.clone()));
    let fraction = Memo::new(move |_| line.with(|line| line.as_ref()?.fraction));
    let word = move || match state.get() {
        Some(StageState::Done) => "done",
        Some(StageState::Running) => "running",
        _ => "waiting",
    };
    let mark =
        move || (state.get() == Some(StageState::Done)).then(|| view! { <Draw icon=Icon::Check/> });
    let body = move || {
        let name = name.get()?;
        Some(view! {
            <li class=word>
                <span class="state">
                    {mark}
                    <span class="visually-hidden">{word}</span>
                </span>
                <span class="name">{name}</span>
                <Meter name fraction/>
                <small>{counts}</small>
            </li>
        })
    };
    view! { {body} }.into_any()
}

/// A thin bar; `fraction` is 0 to 1, `None` while unknown.
#[component]
pub fn Meter(name: &'static str, fraction: Memo<Option<f64>>) -> impl IntoView {
    let percent = move || {
        let fraction = fraction.get()?;
        Some((fraction.clamp(0.0, 1.0) * 100.0).round())
    };
    view! {
        <span
            class="meter"
            class:unknown=move || percent().is_none()
            role="progressbar"
            aria-label=name
            aria-valuemin="0"
            aria-valuemax="100"
            aria-valuenow=percent
        >
            <i style:width=move || percent().map(|percent| format!("{percent}%"))></i>
        </span>
    }
    .into_any()
}

pub fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Unpack => "Unpack",
        Stage::Parse => "Parse",
        Stage::Words => "Words, graph",
        Stage::Save => "Save",
    }
}

/// For example `1,204 of 6,871 files · 850/s · 7 s left`.
fn stage_counts(row: &StageRow) -> String {
    let mut parts = Vec::new();
    match row.state {
        StageState::Waiting => return String::new(),
        StageState::Running if row.total > 0 => {
            parts.push(format!(
                "{} of {} {}",
                thousands(row.done),
                thousands(row.total),
                row.unit
            ));
            parts.extend(row.rate().map(rate));
            parts.extend(
                row.seconds_left()
                    .map(|left| format!("{} left", duration(left))),
            );
        }
        StageState::Running => {
            parts.push(format!("{} {}", thousands(row.done), row.unit));
            parts.extend(row.rate().map(rate));
        }
        StageState::Done if row.done > 0 => {
            parts.push(format!("{} {}", thousands(row.done), row.unit));
        }
        StageState::Done => {}
    }
    if !row.note.is_empty() {
        parts.push(with_thousands(&row.note));
    }
    parts.join(" · ")
}

/// For example `11,120 of 30,004 · 85/s · 4 min left`; once the static encoder has read everything,
/// how long that took and how far the transformer is, as in `30,004 chunks in 1.2 s · the best are
/// read closely for each question`.
pub fn meaning_counts(vectors: &VectorsView) -> String {
    let by_table = vectors.table_ms.map(|milliseconds| {
        let chunks = count(vectors.total.into(), "chunk");
        format!("{chunks} in {}", duration(milliseconds / 1_000.0))
    });
    let closely = match (&vectors.failed, &by_table) {
        (Some(reason), _) => vec![reason.clone()],
        (None, Some(_)) if vectors.on_demand && vectors.paused => {
            vec!["the best are read closely for each question".to_owned()]
        }
        (None, _) => read_by_transformer(vectors),
    };
    let parts: Vec<String> = by_table.into_iter().chain(closely).collect();
    parts.join(" · ")
}

fn read_by_transformer(vectors: &VectorsView) -> Vec<String> {
    let has_table = vectors.table_ms.is_some();
    if vectors.done >= vectors.total {
        let mut parts = vec![match has_table {
            true => "all read closely".to_owned(),
            false => count(vectors.total.into(), "chunk"),
        }];
        let found = (vectors.reused > 0).then(|| thousands(vectors.reused.into()));
        parts.extend(found.map(|reused| format!("{reused} reused")));
        parts.extend(on_gpu(vectors));
        return parts;
    }
    let mut parts = vec![match has_table {
        true => format!("{} read closely", thousands(vectors.done.into())),
        false => format!(
            "{} of {}",
            thousands(vectors.done.into()),
            thousands(vectors.total.into())
        ),
    }];
    if vectors.paused {
        parts.push("paused".into());
    } else if vectors.per_second > 0.0 {
        parts.push(rate(vectors.per_second));
        let left = vectors.seconds_left;
        parts.extend(left.map(|left| format!("{} left", duration(left))));
        parts.extend(on_gpu(vectors));
    }
    parts
}

/// Where vectors are computed, if any were and not only by the processor.
fn on_gpu(vectors: &VectorsView) -> Option<String> {
    let name = vectors.gpu.as_ref().filter(|_| vectors.computed > 0)?;
    Some(format!("on the GPU ({name})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::ProgressView;

    fn counts(reports: &[(u64, u64, f64)]) -> String {
        let mut loading = Loading::new("a", 0.0);
        for (done, total, now) in reports {
            let report = ProgressView {
                stage: Stage::Parse,
                done: *done,
                total: *total,
                unit: "files".into(),
                note: "9 skipped".into(),
            };
            loading.advance(&report, *now);
        }
        stage_counts(&loading.stages[1])
    }

    #[test]
    fn a_running_stage_shows_counts_rate_and_time_left() {
        assert_eq!(
            counts(&[(0, 2000, 0.0), (500, 2000, 1000.0)]),
            "500 of 2,000 files · 500/s · 3.0 s left · 9 skipped"
        );
        assert_eq!(counts(&[(7, 0, 0.0)]), "7 files · 9 skipped");
        assert_eq!(counts(&[(2000, 2000, 9.0)]), "2,000 files · 9 skipped");
    }

    #[test]
    fn the_meaning_stage_says_why_it_stands_still() {
        let vectors = VectorsView {
            done: 1200,
            total: 4000,
            reused: 200,
            computed: 1000,
            per_second: 50.0,
            seconds_left: Some(56.0),
            paused: false,
            ..VectorsView::default()
        };
        assert_eq!(
            meaning_counts(&vectors),
            "1,200 of 4,000 · 50/s · 56 s left"
        );
        let on_gpu = VectorsView {
            gpu: Some("nvidia ampere, f16".into()),
            ..vectors.clone()
        };
        assert_eq!(
            meaning_counts(&on_gpu),
            "1,200 of 4,000 · 50/s · 56 s left · on the GPU (nvidia ampere, f16)"
        );
        let paused = VectorsView {
            paused: true,
            ..vectors.clone()
        };
        assert_eq!(meaning_counts(&paused), "1,200 of 4,000 · paused");
        let done = VectorsView {
            done: 4000,
            ..vectors.clone()
        };
        assert_eq!(meaning_counts(&done), "4,000 chunks · 200 reused");
        let failed = VectorsView {
            failed: Some("No model.".into()),
            ..vectors
        };
        assert_eq!(meaning_counts(&failed), "No model.");
    }

    #[test]
    fn once_the_static_encoder_has_read_all_the_meaning_is_there() {
        let read = VectorsView {
            table_ms: Some(1200.0),
            on_demand: true,
            paused: true,
            done: 50,
            total: 40_000,
            per_second: 40.0,
            ..VectorsView::default()
        };
        let line = meaning_line(&read);
        assert_eq!((line.state, line.fraction), (StageState::Done, Some(1.0)));
        assert_eq!(
            line.counts,
            "40,000 chunks in 1.2 s · the best are read closely for each question"
        );
        let reading = VectorsView {
            paused: false,
            ..read.clone()
        };
        assert_eq!(
            meaning_counts(&reading),
            "40,000 chunks in 1.2 s · 50 read closely · 40/s"
        );
        let all = VectorsView {
            done: 40_000,
            ..reading
        };
        assert_eq!(
            meaning_counts(&all),
            "40,000 chunks in 1.2 s · all read closely"
        );
        let failed = VectorsView {
            failed: Some("No model.".into()),
            ..read
        };
        assert_eq!(
            meaning_counts(&failed),
            "40,000 chunks in 1.2 s · No model."
        );
    }
}
