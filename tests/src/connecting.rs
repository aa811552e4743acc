//! How a person connects a language model, step by step, and reads what it wrote.

use thirtyfour::prelude::*;

use crate::browser::{AccessibleName, Page};

/// Opens the connection dialog.
pub async fn show_connection(page: &Page) {
    page.element(".bar .seal")
        .await
        .click()
        .await
        .expect("it works");
    page.wait_for("the button to the connection", async || {
        for button in page.elements("dialog[open] button").await {
            let name = button.accessible_name().await;
            if name == "Connect a language model" || name == "Connection settings" {
                return button.click().await.ok();
            }
        }
        None
    })
    .await;
    page.element(".connect[open]").await;
}

/// Enters an OpenAI-compatible address and lets the page reach it; ends at the reopened dialog.
pub async fn allow(page: &Page, address: &str) {
    show_connection(page).await;
    for label in page.elements(".connect .chip").await {
        if label.text().await.expect("it works").contains("Other") {
            label.click().await.expect("it works");
        }
    }
    let field = page.element(".connect .field input").await;
    field.send_keys(address).await.expect("it works");
    page.button("Allow and reload")
        .await
        .click()
        .await
        .expect("it works");
    page.element(".connect[open] .chosen").await;
}

/// Enters the key, if there is one, and tests the connection.
pub async fn test(page: &Page, key: Option<&str>) {
    if let Some(key) = key {
        let field = page.element(".connect input[type=password]").await;
        field.send_keys(key).await.expect("it works");
    }
    page.button("Test connection")
        .await
        .click()
        .await
        .expect("it works");
}

/// Chooses a model by its name.
pub async fn use_model(page: &Page, model: &str) {
    let field = page.element(".connect input[name=model]").await;
    if !model.is_empty() {
        field.send_keys(Key::Control + "a").await.expect("it works");
        field.send_keys(model).await.expect("it works");
    }
    page.button("Use this model")
        .await
        .click()
        .await
        .expect("it works");
}

/// All of these steps; with an empty `model`, takes the only one on offer.
pub async fn connect(page: &Page, address: &str, key: Option<&str>, model: &str) {
    allow(page, address).await;
    test(page, key).await;
    page.wait_for_text("The service answers").await;
    use_model(page, model).await;
    connection_made(page).await;
}

/// Waits until the dialog has closed because the connection works.
pub async fn connection_made(page: &Page) {
    page.wait_for("the connection to be made", async || {
        page.elements(".connect[open]")
            .await
            .is_empty()
            .then_some(())
    })
    .await;
}

/// Waits until the newest written answer is finished; returns its text.
pub async fn written(page: &Page) -> String {
    page.element(".written[data-written=over]").await;
    page.element(".written")
        .await
        .text()
        .await
        .expect("it works")
}
