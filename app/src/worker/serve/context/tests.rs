use footnote_core::answer::HITS;
use footnote_core::chunk::Chunking;
use footnote_core::compress::{Boundaries, Budget, Piece};
use footnote_core::index::IndexBuilder;
use footnote_core::job::run_to_end;
use footnote_core::search::{Question, Strategy, search};
use footnote_core::source::{Repo, SourceFile};

use super::choose::ReadBy;
use super::*;
use crate::worker::encoder_protocol::Backend;
use crate::worker::protocol::CodeModelView;

const QUESTION: &str = "where is the deadline of a job checked";

/// A function of three paragraphs, only one of which is about the question; small enough to be
/// found within the budget.
fn text() -> String {
    let filler = |name: &str| {
        (0..5)
            .map(|at| format!("    {name}_{at} = load(\"{name}\", {at})\n"))
            .collect::<String>()
    };
    format!(
        "def run(queue):\n{}\n    # <the deadline of a job is checked here>\n    if job.deadline < now():\n        raise Late(job)\n\n{}    return queue\n",
        filler("alpha"),
        filler("beta")
    )
}

fn inspected(tokens: u32) -> Inspected {
    let repo = Repo {
        name: "jobs".into(),
        files: vec![SourceFile {
            path: "jobs/run.py".into(),
            text: text(),
        }],
        ..Repo::default()
    };
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    let question = Question::new(QUESTION).unwrap();
    let vectors = footnote_core::index::Vectors::new(1, 0);
    let hits = search(
        &index,
        &vectors,
        &question,
        None,
        &Strategy::default(),
        HITS,
    );
    let pieces = Piece::of_hits(&index, &hits, tokens as usize);
    let scored = Scored::new(&index, &question, &pieces, Boundaries::default());
    let budget = Budget::Tokens(tokens as usize);
    let scored = Rc::new(scored);
    let side = |way: Compressor| Side {
        compressed: scored.compress(way, &budget),
        scored: Rc::clone(&scored),
        model: None,
        judged_by: None,
    };
    Inspected {
        question: QUESTION.into(),
        tokens: tokens as usize,
        sides: ["fused", "head"]
            .map(|name| side(Compressor::from_name(name).unwrap()))
            .into(),
        open: Rc::new(OpenRepo::new("jobs".into(), JobId(1), 0, index)),
    }
}

#[test]
fn the_view_distinguishes_kept_from_dropped_lines_and_escapes_markup() {
    let inspected = inspected(150);
    let view = doc::view(&inspected, CodeModelView::default());
    let snippet = &view.sides[0].snippets[0];
    assert!(!snippet.offered.left_out.is_empty());
    assert!(snippet.tokens_after <= 150 && snippet.tokens_after > 0);
    assert!(
        snippet.html.contains("&lt;the deadline"),
        "{}",
        snippet.html
    );
    let (gone, _) = snippet.offered.left_out[0];
    let gone = format!("<code class=\"gone\" data-line=\"{gone}\">");
    assert!(snippet.html.contains(&gone), "{}", snippet.html);
    let deadline = snippet.html.find("if job.deadline").unwrap();
    let before = &snippet.html[..deadline];
    assert!(before.ends_with("<code class=\"kept\" data-line=\"9\">    "));
    // Without an encoder, the words alone decide, and the page says so.
    let instead = view.sides[0].instead.as_deref().unwrap();
    assert!(instead.contains("encoder"), "{instead}");
    assert_eq!(view.sides[1].instead, None);
}

#[test]
fn the_exported_files_hold_the_text_that_is_sent() {
    let inspected = inspected(150);
    let sent = inspected.sides[0].compressed.snippets[0]
        .evidence(&inspected.open.index)
        .unwrap()
        .quoted();
    let json = exported(&inspected, "json").unwrap();
    let value: serde_json::Value = serde_json::from_str(&json.text()).unwrap();
    assert_eq!(value["strategies"][0]["snippets"][0]["sent"], *sent);
    assert_eq!(value["token_budget"], 150);
    let html = exported(&inspected, "html").unwrap();
    assert_eq!(
        html.file_name,
        "context-where-is-the-deadline-of-a-job-checked.html"
    );
    assert!(html.text().contains("&lt;the deadline"));
    assert!(!html.text().contains("<the deadline"));
}

#[test]
fn the_view_and_the_file_say_where_the_code_model_ran() {
    for (backend, told) in [
        (Backend::default(), "Code model on the processor."),
        (
            Backend::Gpu {
                name: "nvidia ampere".into(),
                tier: "f16".into(),
            },
            "Code model on the GPU (nvidia ampere, f16).",
        ),
        (
            Backend::Cpu {
                refused: Some("the GPU was lost (it is gone)".into()),
            },
            "Code model on the processor: the GPU was lost (it is gone).",
        ),
    ] {
        let mut inspected = inspected(150);
        let model = "footnote-code-lm-1".to_owned();
        inspected.sides[0].model = Some(Ok(ReadBy { model, backend }));
        let view = doc::view(&inspected, CodeModelView::default());
        assert_eq!(view.sides[0].read_by.as_deref(), Some("footnote-code-lm-1"));
        assert_eq!(view.sides[0].ran.as_deref(), Some(told));
        assert_eq!(view.sides[1].ran, None);
        let html = exported(&inspected, "html").unwrap();
        assert!(html.text().contains(told));
        let json = exported(&inspected, "json").unwrap();
        let value: serde_json::Value = serde_json::from_str(&json.text()).unwrap();
        assert_eq!(value["strategies"][0]["code_model_ran"], told);
    }
}
