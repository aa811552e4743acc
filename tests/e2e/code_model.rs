//! The language model that reads code: its probabilities in the browser, what it chooses, models
//! that users bring, and damaged ones.

use footnote_app::worker::code_model_protocol::{
    ModelEvent, ModelInputView, ModelRequest, WorkId, tokens,
};
use footnote_app::worker::encoder_protocol::{Backend, GpuUse};
use footnote_app::worker::wire;
use footnote_core::code_model::conformance::{Stored, TOLERANCE};
use footnote_tests::browser::{Page, Setup};
use tempfile::TempDir;
use xtask::paths;

use crate::encoder::{PROGRAMS, converse};
use crate::story::{ask, bring, choose, copy, open_sample, ready};

const MODEL: &str = "models/footnote-code-lm-1";
/// The input for a language model's files.
const BRING: &str = ".code-model input[type=file]";
const QUESTION: &str = "how is a message delivered to its handler";

/// How many cases of the conformance suite are read at once.
const BATCH: usize = 10;

#[tokio::test]
async fn the_browsers_probabilities_match_onnxruntime() {
    let path = paths::root().join("tests/fixtures/code-lm/conformance.json");
    let stored = Stored::read(&std::fs::read(path).unwrap()).unwrap();
    let page = Page::open().await;
    for program in PROGRAMS {
        let (backend, worst) = reads_as_stored(&page, program, &stored, GpuUse::Never).await;
        assert_eq!(backend, Backend::default());
        assert!(worst.token < TOLERANCE, "{program}: {worst:?}");
    }
    page.close().await;
}

/// The largest differences from the stored values.
#[derive(Debug, Default)]
pub struct Worst {
    /// In the logarithm of a token's probability, in nats.
    pub token: f32,
    /// In a text's perplexity, as a share of it.
    pub perplexity: f32,
}

/// Has a build of the worker read all stored texts; returns where it computed, and how far off it
/// is.
pub async fn reads_as_stored(
    page: &Page,
    program: &str,
    stored: &Stored,
    gpu: GpuUse,
) -> (Backend, Worst) {
    let folder = format!("{}/{MODEL}/", page.url().trim_end_matches('/'));
    let mut requests = vec![ModelRequest::LoadOwn { folder, gpu }];
    for cases in stored.cases.chunks(BATCH) {
        requests.push(ModelRequest::Read {
            work: WorkId(requests.len() as u32),
            inputs: cases
                .iter()
                .map(|case| ModelInputView::from(&case.input()))
                .collect(),
        });
    }
    let requests: Vec<Vec<u8>> = requests
        .iter()
        .map(|request| wire::encode(request).unwrap())
        .collect();
    let said = converse(page, program, "code-model", &requests).await;
    let mut said = said.iter().map(|bytes| wire::decode(bytes).unwrap());
    assert_eq!(said.next(), Some(ModelEvent::Listening));
    let Some(ModelEvent::Ready { model, backend }) = said.next() else {
        panic!("{program} is not ready");
    };
    assert_eq!(model, stored.model);
    let (mut read, mut worst) = (0, Worst::default());
    for (event, cases) in said.zip(stored.cases.chunks(BATCH)) {
        let ModelEvent::Read {
            tokens: read_of, ..
        } = event
        else {
            panic!("{program}: {event:?}");
        };
        assert_eq!(read_of.len(), cases.len());
        for (views, case) in read_of.iter().zip(cases) {
            let own: Vec<f32> = tokens(views).iter().map(|token| token.ln).collect();
            worst.token = worst.token.max(case.worst(&own));
            worst.perplexity = worst.perplexity.max(case.relative(&own));
            read += 1;
        }
    }
    assert_eq!(read, 100);
    (backend, worst)
}

#[tokio::test]
async fn the_code_model_chooses_lines_and_one_that_was_brought_takes_its_place() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    inspect_by_model(&page).await;
    read_by(&page, "Read by footnote-code-lm-1.").await;
    let scores = page
        .script("return document.querySelector('.cut .block > small').textContent")
        .await;
    assert!(scores.as_str().unwrap().contains("code model"), "{scores}");
    assert!(page.elements(".context .instead").await.is_empty());
    page.element(".code-model input[type=checkbox]")
        .await
        .click()
        .await
        .unwrap();
    let own = paths::root().join("public").join(MODEL);
    bring(
        &page,
        BRING,
        &[own.join("model.onnx"), own.join("tokenizer.json")],
    )
    .await;
    read_by(&page, "Read by model.onnx ").await;
    page.wait_for_text("(yours, saved in this browser)").await;

    page.driver.refresh().await.unwrap();
    ready(&page).await;
    inspect_by_model(&page).await;
    read_by(&page, "Read by model.onnx ").await;
    let own = page.button("Use Footnote’s own").await;
    own.click().await.unwrap();
    read_by(&page, "Read by footnote-code-lm-1.").await;
    page.close().await;
}

#[tokio::test]
async fn a_damaged_model_is_refused_and_the_earlier_one_stays_in_use() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    inspect_by_model(&page).await;
    read_by(&page, "Read by footnote-code-lm-1.").await;
    let folder = tempfile::tempdir().unwrap();
    let own = paths::root().join("public").join(MODEL);
    let onnx = std::fs::read(own.join("model.onnx")).unwrap();
    let cut = folder.path().join("cut.onnx");
    std::fs::write(&cut, &onnx[..onnx.len() / 2]).unwrap();
    let tokenizer = own.join("tokenizer.json");
    for (files, told) in [
        (
            vec![cut, tokenizer.clone()],
            "it is not an ONNX file, or only part of one",
        ),
        (
            vec![tokenizer.clone()],
            "the model’s .onnx file and its tokenizer.json together",
        ),
        (
            vec![own.join("model.onnx"), own.join("model.json")],
            "tokenizer.json: ",
        ),
    ] {
        bring(&page, BRING, &files).await;
        page.wait_for_text(told).await;
        assert!(!page.elements(".context .snippets > li").await.is_empty());
    }
    choose(&page, "within", "2000").await;
    page.wait_for("the notice to go", async || {
        let told = page
            .script("return document.querySelector('.contexts').parentElement.innerText")
            .await;
        (!told.as_str()?.contains("tokenizer.json: ")).then_some(())
    })
    .await;
    read_by(&page, "Read by footnote-code-lm-1.").await;
    page.close().await;
}

#[tokio::test]
async fn without_its_file_the_code_model_is_replaced_and_all_else_works() {
    for (what, told) in [
        (None, "answered 404"),
        (Some(b"short".as_slice()), "has 5 bytes instead of"),
    ] {
        let folder = page_with_model_file(what);
        let page = Page::open_with(Setup {
            folder: Some(folder.path().to_owned()),
            ..Setup::default()
        })
        .await;
        open_sample(&page).await;
        let shown = inspect_by_model(&page).await;
        assert!(!shown.is_empty());
        let instead = page
            .element(".context .instead")
            .await
            .text()
            .await
            .unwrap();
        assert!(
            instead.contains("model.onnx") && instead.contains(told),
            "{instead}"
        );
        assert!(!page.elements(".context .kept").await.is_empty());
        page.close().await;
    }
}

/// The built page with another weights file for the code model, or with none.
fn page_with_model_file(bytes: Option<&[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&paths::dist(), folder.path());
    let file = folder.path().join(MODEL).join("model.onnx");
    std::fs::remove_file(&file).unwrap();
    if let Some(bytes) = bytes {
        std::fs::write(&file, bytes).unwrap();
    }
    folder
}

/// Asks, and has the inspector choose by the code model; returns the footnotes of the answer.
async fn inspect_by_model(page: &Page) -> Vec<String> {
    inspect(page, QUESTION).await
}

/// The same for another question.
pub async fn inspect(page: &Page, question: &str) -> Vec<String> {
    let shown = ask(page, question).await;
    let buttons = page.elements(".turn:last-child button").await;
    for button in buttons {
        if button.text().await.unwrap() == "What a model sees" {
            button.click().await.unwrap();
        }
    }
    page.element(".context .snippets > li").await;
    choose(page, "Chosen by", "ami-mmr").await;
    page.wait_for("lines chosen by the code model", async || {
        let about = page
            .script("return document.querySelector('.context h3')?.textContent")
            .await;
        about.as_str()?.contains("Code model").then_some(())
    })
    .await;
    shown.footnotes
}

pub async fn read_by(page: &Page, told: &str) {
    page.wait_for(&format!("“{told}”"), async || {
        let about = page
            .script("return document.querySelector('.context .about')?.textContent")
            .await;
        about.as_str()?.contains(told).then_some(())
    })
    .await;
}
