//! An encoder that users bring: it makes the vectors, is stored, and gives way to Footnote's own
//! again.

use footnote_tests::browser::Page;
use xtask::paths;

use crate::story::{all_vectors, ask, bring, open_sample, ready};

const MODEL: &str = "models/all-MiniLM-L6-v2-int8";
/// The input for an encoder's files.
const ENCODER: &str = ".encoder input[type=file]";
const QUESTION: &str = "how is a message delivered to its handler";

#[tokio::test]
async fn an_encoder_that_was_brought_makes_the_vectors_until_footnotes_own_does_again() {
    let page = Page::open().await;
    open_sample(&page).await;
    all_vectors(&page).await;
    compared_by(&page, "by all-MiniLM-L6-v2-int8").await;

    settings(&page).await;
    page.wait_for_text("which comes with the page").await;
    page.element(".encoder label:last-of-type input[type=checkbox]")
        .await
        .click()
        .await
        .unwrap();
    let own = paths::root().join("public").join(MODEL);
    bring(
        &page,
        ENCODER,
        &[own.join("model.onnx"), own.join("tokenizer.json")],
    )
    .await;
    page.wait_for_text("model.onnx (yours, saved in this browser)")
        .await;
    page.screenshot("own-encoder").await;
    let other = paths::root().join("public/models/footnote-code-lm-1/model.onnx");
    bring(&page, ENCODER, &[other, own.join("tokenizer.json")]).await;
    page.wait_for_text("This encoder cannot be used").await;
    page.wait_for_text("model.onnx (yours, saved in this browser)")
        .await;
    close_panel(&page).await;
    all_vectors(&page).await;
    compared_by(&page, "by model.onnx ").await;

    page.driver.refresh().await.unwrap();
    ready(&page).await;
    all_vectors(&page).await;
    compared_by(&page, "by model.onnx ").await;

    settings(&page).await;
    let own = page.button("Use Footnote’s own").await;
    own.click().await.unwrap();
    page.wait_for_text("which comes with the page").await;
    close_panel(&page).await;
    all_vectors(&page).await;
    compared_by(&page, "by all-MiniLM-L6-v2-int8").await;
    page.close().await;
}

#[tokio::test]
async fn an_encoder_that_cannot_be_used_leaves_the_one_before() {
    let page = Page::open().await;
    open_sample(&page).await;
    all_vectors(&page).await;
    settings(&page).await;
    let own = paths::root().join("public").join(MODEL);
    let code = paths::root().join("public/models/footnote-code-lm-1");
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.onnx");
    let onnx = std::fs::read(own.join("model.onnx")).unwrap();
    std::fs::write(&cut, &onnx[..onnx.len() / 2]).unwrap();
    let tokenizer = own.join("tokenizer.json");
    for (files, told) in [
        (vec![cut, tokenizer.clone()], "it is not an ONNX file"),
        (vec![tokenizer.clone()], "its tokenizer.json together"),
        (
            vec![code.join("model.onnx"), tokenizer.clone()],
            "it has the unknown input",
        ),
    ] {
        bring(&page, ENCODER, &files).await;
        page.wait_for("the trouble", async || {
            let said = page
                .script("return document.querySelector('.encoder .trouble')?.textContent")
                .await;
            said.as_str()?.contains(told).then_some(())
        })
        .await;
        page.wait_for_text("which comes with the page").await;
    }
    close_panel(&page).await;
    all_vectors(&page).await;
    compared_by(&page, "by all-MiniLM-L6-v2-int8").await;
    page.close().await;
}

async fn settings(page: &Page) {
    page.button("Settings").await.click().await.unwrap();
    page.element(".encoder").await;
}

async fn close_panel(page: &Page) {
    page.button("Close").await.click().await.unwrap();
    page.wait_for("the panel to close", async || {
        page.elements(".encoder").await.is_empty().then_some(())
    })
    .await;
}

/// Asks, and waits until the trace says which encoder read passages.
async fn compared_by(page: &Page, told: &str) {
    ask(page, QUESTION).await;
    let buttons = page.elements(".turn:last-child button").await;
    for button in buttons {
        if button.text().await.unwrap() == "How it was found" {
            button.click().await.unwrap();
        }
    }
    page.wait_for(&format!("“{told}”"), async || {
        let reading = page
            .script("return document.querySelector('dl.reading')?.textContent")
            .await;
        reading.as_str()?.contains(told).then_some(())
    })
    .await;
    page.button("Close").await.click().await.unwrap();
}
