//! The evidence of an answer: files, then ranked line ranges with the parts of their scores.

use leptos::prelude::*;

use super::desk;
use super::format::{lines, split_path, spoken_lines};
use crate::state::Mark;
use crate::worker::protocol::{AnswerFileView, EvidenceView, PartView};

/// The evidence of the current answer.
#[component]
pub fn Evidence() -> impl IntoView {
    let store = desk().store;
    let answer = store.select(|state| {
        let turn = state.conversation.current()?;
        turn.answer().cloned()
    });
    let body = move || {
        match answer.get() {
        None => view! {
            <p class="pane-hint">"Ask a question. The evidence for its answer appears here, best first."</p>
        }
        .into_any(),
        Some(answer) => {
            let best = answer.evidence.first().map_or(1.0, |first| first.score);
            let files: Vec<_> = surest_first(&answer.files).into_iter().map(file).collect();
            let items: Vec<_> = answer
                .evidence
                .iter()
                .enumerate()
                .map(|(at, evidence)| view! { <Item rank=at + 1 evidence=evidence.clone() best/> })
                .collect();
            view! {
                <p class="evidence-question">{answer.question.clone()}</p>
                <h3>"Files that answer it, most certain first"</h3>
                <ul class="files">{files}</ul>
                <h3>"Lines, best first"</h3>
                <ol class="ranked">{items}</ol>
            }
            .into_any()
        }
    }
    };
    view! { <div class="evidence">{body}</div> }.into_any()
}

/// Sorted by the numbers shown beside them.
fn surest_first(files: &[AnswerFileView]) -> Vec<&AnswerFileView> {
    let mut sorted: Vec<_> = files.iter().collect();
    sorted.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    sorted
}

fn file(file: &AnswerFileView) -> AnyView {
    let store = desk().store;
    let (folder, name) = split_path(&file.path);
    let target = file.path.clone();
    let confidence = format!("{:.0} % sure", file.confidence * 100.0);
    view! {
        <li>
            <button class="path" on:click=move |_| store.act(|state| state.open_file(&target, None))>
                <span class="folder">{folder.to_owned()}</span>
                {name.to_owned()}
            </button>
            " "
            <small>{confidence}</small>
        </li>
    }
    .into_any()
}

#[component]
fn Item(rank: usize, evidence: EvidenceView, best: f32) -> impl IntoView {
    let store = desk().store;
    let EvidenceView {
        path, start, end, ..
    } = evidence.clone();
    let label = format!("Open {path} {}", spoken_lines(start, end));
    let (folder, name) = split_path(&evidence.path);
    let place = format!("{name}:{}", lines(start, end));
    let mark = Mark { start, end };
    let share = (evidence.score / best.max(f32::EPSILON)).clamp(0.0, 1.0) * 100.0;
    let parts: Vec<_> = evidence.parts.iter().map(part).collect();
    view! {
        <li>
            <button
                class="range"
                title=label
                on:click=move |_| store.act(|state| state.open_file(&path, Some(mark)))
            >
                <span class="rank">{rank}" "</span>
                <span class="path"><span class="folder">{folder.to_owned()}</span>{place}</span>
                <span class="score" aria-hidden="true">
                    <i style:width=format!("{share:.0}%")></i>
                </span>
            </button>
            <p class="title">{evidence.title}</p>
            <pre tabindex="0" aria-label="Excerpt">{evidence.excerpt}</pre>
            <details>
                <summary>{format!("Score {:.3}: why it ranks here", evidence.score)}</summary>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"Part"</th>
                            <th scope="col">"Raw"</th>
                            <th scope="col">"Weighted"</th>
                        </tr>
                    </thead>
                    <tbody>{parts}</tbody>
                </table>
            </details>
        </li>
    }
    .into_any()
}

fn part(part: &PartView) -> AnyView {
    view! {
        <tr>
            <th scope="row">{part.name.clone()}</th>
            <td>{format!("{:.3}", part.raw)}</td>
            <td>{format!("{:.3}", part.weighted)}</td>
        </tr>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_in_the_order_of_their_percentages() {
        let file = |path: &str, confidence| AnswerFileView {
            path: path.into(),
            confidence,
        };
        let files = [
            file("a", 0.4),
            file("b", 0.9),
            file("c", 0.4),
            file("d", 1.0),
        ];
        let paths: Vec<_> = surest_first(&files)
            .into_iter()
            .map(|file| file.path.as_str())
            .collect();
        assert_eq!(paths, ["d", "b", "a", "c"]);
    }
}
