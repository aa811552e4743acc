//! One question answered by several pipelines: in columns, with adjustable settings, as one file,
//! and the same on the command line.

use std::path::Path;
use std::process::Command;

use footnote_core::pipeline::PRESETS;
use footnote_tests::browser::Page;
use footnote_tests::connecting::{connect, written};
use footnote_tests::services::faulty::FaultyServer;
use footnote_tests::services::script::{Reply, Script};
use serde_json::{Value, json};

use crate::story::{ask, downloaded, downloads_of, open_sample, ready, sample_archive};

const QUESTION: &str = "how is a message delivered to its handler";

/// What each column shows: its pipeline, its places by rank, the lines that would be shown.
const COLUMNS: &str = "
    const columns = document.querySelector('.columns[aria-busy=false]');
    if (!columns) return null;
    const places = (column, list) => [...column.querySelectorAll(list + ' .path')].map((it) => it.textContent);
    return [...columns.querySelectorAll('.column[aria-busy=false]')].map((column) => ({
        pipeline: column.dataset.pipeline,
        ranks: places(column, '.ranks'),
        shown: places(column, '.shown'),
        said: [...column.querySelectorAll('.sentence, .nothing')].length,
        moved: column.querySelectorAll('.up, .down, .new').length,
    }))";

#[tokio::test]
async fn each_pipeline_answers_and_two_are_saved_as_one_file_that_opens() {
    let page = Page::open().await;
    let folder = downloads_of(&page).await;
    open_sample(&page).await;
    ask(&page, QUESTION).await;
    page.button("Compare").await.click().await.unwrap();
    for preset in PRESETS {
        choose_pipeline(&page, 0, preset.name).await;
        let column = column(&page, 0, preset.name).await;
        assert_ne!(column["said"], 0, "{column}");
        let shows_nothing = column["shown"].as_array().unwrap().is_empty();
        assert_eq!(shows_nothing, preset.name == "no-evidence", "{column}");
    }
    choose_pipeline(&page, 0, "footnote").await;
    column(&page, 0, "footnote").await;
    let before = column(&page, 1, "grounded").await;
    same_as_on_the_command_line(&page, folder.path(), "").await;
    slide(&page, 1, "alpha", "1").await;
    let after = page
        .wait_for("other ranks", async || {
            let column = columns(&page).await?.get(1)?.clone();
            (column["ranks"] != before["ranks"]).then_some(column)
        })
        .await;
    assert_ne!(after["moved"], 0, "{after}");
    same_as_on_the_command_line(&page, folder.path(), "α=1").await;
    page.button("Save as HTML").await.click().await.unwrap();
    let saved = downloaded(&page, folder.path(), "html").await;
    let address = format!("file://{}", saved.display());
    page.driver.goto(&address).await.unwrap();
    let sides = "return [...document.querySelectorAll('.column')].map((it) => \
                 it.querySelectorAll('.ranks > li').length)";
    assert_eq!(page.script(sides).await, json!([10, 10]));
    let asked = "return performance.getEntriesByType('resource').map((entry) => entry.name)";
    assert_eq!(page.script(asked).await, json!([]));
    page.close().await;
}

#[tokio::test]
async fn columns_are_added_removed_and_fit_a_phone() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    ask(&page, QUESTION).await;
    page.button("Compare").await.click().await.unwrap();
    column(&page, 1, "grounded").await;
    let add = "const list = document.querySelector('.compare-dialog .trace-choice label select'); \
               list.value = 'whole-files'; list.dispatchEvent(new Event('change', { bubbles: true }))";
    page.script(add).await;
    column(&page, 2, "whole-files").await;
    page.script(
        "document.querySelectorAll('.column')[0].querySelector('.column-head button').click()",
    )
    .await;
    column(&page, 0, "grounded").await;
    assert_eq!(columns_when_made(&page).await.len(), 2);
    page.driver.set_window_rect(0, 0, 400, 800).await.unwrap();
    let overflow = "const dialog = document.querySelector('.compare-dialog'); \
                    return dialog.scrollWidth > dialog.clientWidth + 1";
    assert_eq!(page.script(overflow).await, json!(false));
    let place = "document.querySelector('.column .ranks button.path').click()";
    page.script(place).await;
    crate::story::marked_lines(&page).await;
    page.close().await;
}

#[tokio::test]
async fn a_model_is_asked_as_the_pipeline_of_a_column_says() {
    let script = Script::new().then(Reply::text("ready"));
    let service = FaultyServer::start(script.always(|_| Reply::text("It is told here.")));
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    connect(&page, &format!("{}/v1", service.url()), None, "").await;
    ready(&page).await;
    ask(&page, QUESTION).await;
    for (at, pipeline) in [(1, "grounded"), (0, "no-evidence")] {
        page.button("Compare").await.click().await.unwrap();
        choose_pipeline(&page, at, pipeline).await;
        let shown = column(&page, at, pipeline).await["shown"].clone();
        let script = format!(
            "document.querySelectorAll('.column')[{at}].querySelector('.actions button.go').click()"
        );
        let before = service.asked().len();
        page.script(&script).await;
        // The first request is reviewed; the second one is smaller and needs no review.
        if pipeline == "grounded" {
            page.button("Send").await.click().await.unwrap();
        }
        page.wait_for("another request", async || {
            (service.asked().len() > before).then_some(())
        })
        .await;
        written(&page).await;
        let body = service.asked().last().unwrap().request.body.clone();
        let body: Value = serde_json::from_slice(&body).unwrap();
        let last = body["messages"].as_array().unwrap().last().unwrap();
        let last = last["content"].as_str().unwrap();
        for place in shown.as_array().unwrap() {
            let place = place.as_str().unwrap().replace('–', "-");
            let path = place.rsplit_once(':').unwrap().0;
            assert!(last.contains(path), "{path} is not in {last}");
        }
        let is_alone = pipeline == "no-evidence";
        assert_eq!(last.contains("You are shown no file"), is_alone, "{last}");
        assert_eq!(body.get("tools").is_none(), is_alone, "{body}");
        assert_eq!(body["top_k"] == json!(40), !is_alone, "{body}");
    }
    // Both answers of the model are in their columns.
    page.button("Compare").await.click().await.unwrap();
    page.wait_for("two answers of the model", async || {
        let answers = page.elements(".column .by-model .said").await;
        (answers.len() == 2).then_some(())
    })
    .await;
    page.close().await;
}

#[tokio::test]
async fn the_pipeline_beside_ask_answers_and_chooses_what_a_model_is_sent() {
    let script = Script::new().then(Reply::text("ready"));
    let service = FaultyServer::start(script.always(|_| Reply::text("It is told here.")));
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    let choose = "const list = document.querySelector('.ask-pipeline select'); \
                  list.value = 'grounded'; list.dispatchEvent(new Event('change', { bubbles: true }))";
    page.script(choose).await;
    ask(&page, QUESTION).await;
    page.wait_for_text("Answered by “Hybrid search, imports, coverage (Grounded)”.")
        .await;
    connect(&page, &format!("{}/v1", service.url()), None, "").await;
    ready(&page).await;
    ask(&page, "where is a message sent").await;
    page.button("Send").await.click().await.unwrap();
    written(&page).await;
    let body = service.asked().last().unwrap().request.body.clone();
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["top_k"], 40, "{body}");
    page.close().await;
}

async fn columns(page: &Page) -> Option<Vec<Value>> {
    serde_json::from_value(page.script(COLUMNS).await).ok()
}

async fn columns_when_made(page: &Page) -> Vec<Value> {
    page.wait_for_long("all columns", async || columns(page).await)
        .await
}

/// The column at `at`, once that pipeline has filled it.
async fn column(page: &Page, at: usize, pipeline: &str) -> Value {
    page.wait_for_long(&format!("a column by {pipeline}"), async || {
        let column = columns(page).await?.get(at)?.clone();
        (column["pipeline"] == pipeline).then_some(column)
    })
    .await
}

async fn choose_pipeline(page: &Page, at: usize, name: &str) {
    page.wait_for("pipelines to choose from", async || {
        let script = format!(
            "const list = document.querySelectorAll('.column .column-head select')[{at}]; \
             if (![...(list?.options ?? [])].some((it) => it.value === '{name}')) return null; \
             list.value = '{name}'; list.dispatchEvent(new Event('change', {{ bubbles: true }})); return true"
        );
        page.script(&script).await.as_bool()
    })
    .await;
}

async fn slide(page: &Page, at: usize, name: &str, value: &str) {
    let script = format!(
        "const slider = document.querySelectorAll('.column')[{at}].querySelector('input[name={name}]'); \
         slider.value = {value}; slider.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    );
    page.script(&script).await;
}

/// What the second column would show a model is byte for byte what the program `footnote` prints.
async fn same_as_on_the_command_line(page: &Page, folder: &Path, set: &str) {
    columns_when_made(page).await;
    page.button("Save as JSON").await.click().await.unwrap();
    let saved = downloaded(page, folder, "json").await;
    let doc: Value = serde_json::from_slice(&std::fs::read(&saved).unwrap()).unwrap();
    std::fs::remove_file(saved).unwrap();
    let column = &doc["columns"][1];
    assert_eq!(column["pipeline"]["name"], "grounded");
    let own = std::env::current_exe().unwrap();
    let program = own.parent().unwrap().parent().unwrap().join("footnote");
    let mut command = Command::new(program);
    command.arg("ask").arg(sample_archive()).arg(QUESTION);
    command.args(["--pipeline", "grounded", "--json"]);
    if !set.is_empty() {
        command.args(["--set", set]);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let native: Value = serde_json::from_slice(&output.stdout).unwrap();
    let sent = |all: &Value| -> Vec<Value> {
        let all = all["context"].as_array().unwrap();
        all.iter().map(|it| it["sent"].clone()).collect()
    };
    assert!(!sent(&native).is_empty());
    assert_eq!(sent(column), sent(&native));
}
