//! Tests of the trace of a small repository, as HTML and JSON.

use footnote_core::chunk::Chunking;
use footnote_core::embed::Embedding;
use footnote_core::index::{Index, IndexBuilder, Vectors};
use footnote_core::job::run_to_end;
use footnote_core::search::presets::preset;
use footnote_core::search::{Context, Question};
use footnote_core::source::{Repo, SourceFile};

use super::doc::{RunDoc, TraceDoc};
use super::{exported, html};

fn index() -> Index {
    let files = [
        (
            "shop/cookies.py",
            "def merge_cookies(jar, cookies):\n    return jar  # <b>&\n",
        ),
        (
            "shop/sessions.py",
            "def send(request):\n    return merge_cookies(request.jar, {})\n",
        ),
        (
            "tests/test_shop.py",
            "def test_merge_cookies():\n    assert merge_cookies(1, 2)\n",
        ),
    ];
    let repo = Repo {
        name: "<shop>".to_owned(),
        files: files
            .map(|(path, text)| SourceFile {
                path: path.to_owned(),
                text: text.to_owned(),
            })
            .into(),
        ..Repo::default()
    };
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    index
}

fn doc(question: &str, names: &[&str]) -> TraceDoc {
    let index = index();
    let vectors = Vectors::new(1, 0);
    let question = Question::new(question).unwrap();
    let context = Context::new(&index, &vectors, &question, None::<&Embedding>);
    let mut doc = TraceDoc::new(&context, 0.0);
    for name in names {
        let preset = preset(name).unwrap();
        let trace = context.trace(&preset.strategy().unwrap(), 10, || 0.0);
        doc.strategies.push(RunDoc::new(&context, preset, &trace));
    }
    doc
}

/// Everything that the page shows.
fn on_page(doc: &TraceDoc) -> String {
    let runs = html::runs(doc).into_iter().flat_map(|run| run.parts);
    std::iter::once(html::reading(doc).into_string())
        .chain(runs)
        .collect()
}

#[test]
fn two_strategies_stand_side_by_side_with_the_rank_under_the_other() {
    let doc = doc("how does merge_cookies work", &["default", "bm25"]);
    let file = html::file(&doc);
    assert_eq!(file.matches("<article").count(), 2);
    let shown = on_page(&doc);
    assert!(shown.contains("data-path=\"shop/cookies.py\" data-start=\"1\" data-end=\"2\""));
    assert!(shown.contains(" in the other</small>") || shown.contains("same rank"));
    assert!(
        shown.contains("rank-chart"),
        "a strategy with steps is drawn"
    );
}

#[test]
fn text_of_the_repository_is_never_markup() {
    let doc = doc("merge_cookies <script>alert(1)</script>", &["default"]);
    for shown in [on_page(&doc), html::file(&doc)] {
        assert!(!shown.contains("<script"), "{shown}");
        assert!(!shown.contains("<b>&\n") && !shown.contains("<shop>"));
        assert!(shown.contains("&lt;b&gt;&amp;"));
    }
}

#[test]
fn the_exported_file_needs_nothing_else() {
    let file = exported(&doc("how does merge_cookies work", &["default"]), "html").unwrap();
    assert_eq!(file.file_name, "trace-how-does-merge-cookies-work.html");
    for outside in ["src=", "href=", "url(", "@import", "<button"] {
        assert!(!file.text().contains(outside), "{outside}");
    }
}

#[test]
fn the_exported_json_holds_every_step_and_rank() {
    let file = exported(&doc("how does merge_cookies work", &["default"]), "json").unwrap();
    let json: serde_json::Value = serde_json::from_str(&file.text()).unwrap();
    let run = &json["strategies"][0];
    assert_eq!(run["name"], "default");
    assert_eq!(run["lines"][0]["place"]["path"], "shop/cookies.py");
    let steps = run["steps"].as_array().unwrap().len();
    assert_eq!(run["lines"][0]["ranks"].as_array().unwrap().len(), steps);
}

#[test]
fn a_trace_names_the_encoder_that_read_passages() {
    let mut doc = doc("how does merge_cookies work", &["default"]);
    assert!(!on_page(&doc).contains("read closely"));
    doc.encoder = Some("mine.onnx 01234567".into());
    assert!(on_page(&doc).contains("chunks, by mine.onnx 01234567"));
}
