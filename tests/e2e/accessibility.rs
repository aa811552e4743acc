//! Every view without a violation that axe-core finds, light and dark; what it cannot find
//! (whether names make sense, whether the keyboard suffices) is left to people and other stories.

use footnote_tests::browser::{Page, Setup};
use serde_json::{Value, json};
use xtask::paths;

use crate::laboratory::{listed, type_number};
use crate::story::{ask, open_sample};

/// What the palette of commands calls each view that opens over the page, and a part of it.
pub const OVER: [(&str, &str); 13] = [
    ("Show how it was found", ".trace-dialog"),
    (
        "Compare ways to answer",
        ".compare-dialog .column[aria-busy=false]",
    ),
    ("Show what a model sees", ".trace-dialog"),
    ("Teach how it was found", ".lesson-dialog"),
    ("Unfinished code", "dialog.unfinished"),
    ("Connect a language model", "dialog.connect"),
    ("Model report card", ".report-dialog"),
    ("Settings", "dialog[open]"),
    ("What the verdicts mean", "dialog[open]"),
    ("What leaves this page", "dialog[open]"),
    ("Open another repository", "dialog[open]"),
    ("Conversations", "dialog[open]"),
    ("Laboratory", ".lab-dialog"),
];

#[tokio::test]
async fn no_view_has_a_violation_in_light() {
    every_view("light", 1280).await;
}

#[tokio::test]
async fn no_view_has_a_violation_in_dark() {
    every_view("dark", 1280).await;
}

#[tokio::test]
async fn no_view_has_a_violation_on_a_phone() {
    every_view("light", 500).await;
}

async fn every_view(scheme: &str, width: u32) {
    let page = Page::blank(Setup {
        window: Some((width, 860)),
        // What the transformer changes is looked at once.
        without_transformer: (scheme, width) != ("light", 1280),
        ..Setup::default()
    })
    .await;
    let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
    page.devtools("Emulation.setEmulatedMedia", media).await;
    page.driver.goto(page.url()).await.unwrap();
    page.element("[data-phase=empty]").await;
    let mut found = Vec::new();
    found.extend(violations(&page, "empty").await);
    open_sample(&page).await;
    found.extend(violations(&page, "ready").await);
    let shown = ask(&page, "how is a message delivered to its handler").await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    found.extend(violations(&page, "answer").await);
    let cited = "document.querySelector('.answer button.note-ref').click()";
    page.script(cited).await;
    page.element(".code .line.cited").await;
    found.extend(violations(&page, "code").await);
    for tab in ["Show evidence", "Show graph"] {
        command(&page, tab).await;
        found.extend(violations(&page, tab).await);
    }
    for (name, part) in OVER {
        command(&page, name).await;
        page.element(part).await;
        found.extend(violations(&page, name).await);
    }
    found.extend(laboratory(&page).await);
    assert!(
        found.is_empty(),
        "{} violations:\n{}",
        found.len(),
        found.join("\n")
    );
    page.close().await;
}

/// The steps of the laboratory, which is open.
async fn laboratory(page: &Page) -> Vec<String> {
    type_number(page, 6).await;
    press(page, "Make questions").await;
    listed(page, 6).await;
    let mut found = violations(page, "questions").await;
    for (step, button, part) in [
        ("2 Review", None, ".lab-review"),
        (
            "3 Evaluate",
            Some("Evaluate on 6 questions"),
            ".lab-table tbody tr",
        ),
        ("4 Judge", Some("Make answers"), ".lab-rate, .nothing-yet"),
        ("5 Export", None, ".lab-table"),
        ("6 Teach", None, ".lab-dialog"),
        ("7 Describe", None, ".lab-dialog"),
    ] {
        press(page, step).await;
        if let Some(button) = button {
            press(page, button).await;
        }
        page.element(part).await;
        found.extend(violations(page, step).await);
    }
    found
}

/// Presses a button wherever it is; on a phone some lie under others.
async fn press(page: &Page, name: &str) {
    let script = format!(
        "const found = [...document.querySelectorAll('.lab-dialog button')]
            .find((it) => it.innerText.trim() === {name:?});
         found?.click();
         return found != null;"
    );
    page.wait_for(name, async || {
        page.script(&script).await.as_bool()?.then_some(())
    })
    .await;
}

/// Closes what lies over the page and picks a command of the palette.
async fn command(page: &Page, name: &str) {
    let close = "document.querySelectorAll('dialog[open]').forEach((it) => it.close())";
    page.script(close).await;
    page.wait_for("no dialog", async || {
        page.elements("dialog[open]").await.is_empty().then_some(())
    })
    .await;
    let open = "document.querySelector('button[aria-label=\"Commands\"]').click()";
    page.script(open).await;
    let field = page.element("dialog.commands[open] input").await;
    field.send_keys(name).await.unwrap();
    let pick = format!(
        "const found = [...document.querySelectorAll('dialog.commands [role=option]')]
            .find((it) => it.innerText.includes({name:?}));
         found?.click();
         return found != null;"
    );
    page.wait_for(name, async || {
        page.script(&pick).await.as_bool()?.then_some(())
    })
    .await;
}

/// What axe finds in what is shown now, one line each.
async fn violations(page: &Page, view: &str) -> Vec<String> {
    let axe = paths::tools().join("npm/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(&axe).unwrap_or_else(|error| {
        panic!("{error}: {} (cargo xtask test installs it)", axe.display())
    });
    if page.script("return window.axe == null").await == Value::Bool(true) {
        page.script(&axe).await;
    }
    let run = "
        const done = arguments[arguments.length - 1];
        axe.run(document, { resultTypes: ['violations'] }).then((it) => done(
            it.violations.flatMap((rule) => rule.nodes.map((node) =>
                `${rule.id}: ${node.target.join(' ')} ${node.failureSummary}`))));";
    let ran = page.driver.execute_async(run, Vec::new()).await.unwrap();
    let found = ran.json().as_array().cloned().expect("axe's findings");
    let line = |it: &Value| format!("{view}: {}", it.as_str().unwrap_or_default());
    found.iter().map(line).collect()
}
