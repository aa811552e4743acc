//! `screenshots [FOLDER]`: the page as a person sees it, wide and on a phone, light and dark:
//! empty, reading, answer, code. They are for looking at, not for automatic comparison.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};

use footnote_tests::browser::{Page, Setup, archive};
use serde_json::json;
use xtask::paths;

const QUESTION: &str = "where are redirects followed and how is the method changed";

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let folder = std::env::args().nth(1).map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| paths::root().join("target/screenshots"));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (size, width, height) in [("wide", 1280, 860), ("phone", 390, 844)] {
        for scheme in ["light", "dark"] {
            let name = |view: &str| folder.join(format!("{view}-{size}-{scheme}.png"));
            views(width, height, scheme, &name).await;
            println!("{size}, {scheme}: {}", folder.display());
        }
    }
}

async fn views(width: u32, height: u32, scheme: &str, name: &dyn Fn(&str) -> PathBuf) {
    let page = Page::blank(Setup {
        window: Some((width.max(500), height)),
        ..Setup::default()
    })
    .await;
    let size =
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
    page.devtools("Emulation.setDeviceMetricsOverride", size)
        .await;
    let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
    page.devtools("Emulation.setEmulatedMedia", media).await;
    page.driver.goto(page.url()).await.expect("the page opens");
    page.element("[data-phase=empty]").await;
    save(&page, &name("empty")).await;
    page.choose_file(&archive("django-5.2.4.tar.gz")).await;
    page.wait_for_text(" symbols").await;
    save(&page, &name("reading")).await;
    page.button("Cancel").await.click().await.unwrap();
    page.element("[data-phase=empty]").await;
    page.choose_file(&archive("requests-2.32.5.tar.gz")).await;
    page.element("[data-phase=ready]").await;
    save(&page, &name("ready")).await;
    page.ask(QUESTION).await;
    page.element(".answer[data-refined=true]").await;
    save(&page, &name("answer")).await;
    page.elements(".answer button.note-ref").await[0]
        .click()
        .await
        .unwrap();
    page.element(".code .line.cited").await;
    save(&page, &name("code")).await;
    page.close().await;
}

async fn save(page: &Page, path: &Path) {
    page.driver.screenshot(path).await.expect("a screenshot");
}
