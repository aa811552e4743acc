//! Limited questions: searches with filters, and files and folders named with `@`.

use footnote_tests::archive::{save, zip};
use footnote_tests::browser::Page;
use thirtyfour::prelude::*;

use crate::story::{Shown, ask, last_answer, marked_lines, read};

const FILES: [(&str, &str); 4] = [
    (
        "shop-1/lib/slug.py",
        "def slug(text):\n    \"\"\"Makes a short name of a title.\"\"\"\n    return text.lower()\n",
    ),
    (
        "shop-1/shop/cart.py",
        "from lib.slug import slug\n\n\ndef add(it):\n    return slug(it)\n\n\n\
         def drop(it):\n    return slug(it)\n",
    ),
    (
        "shop-1/mail/parcel.py",
        "from lib.slug import slug\n\n\ndef label(it):\n    return slug(it)\n",
    ),
    ("shop-1/mail/notes.md", "# Notes\n\nA slug is short.\n"),
];

async fn shop() -> Page {
    let files = FILES.map(|(path, text)| (path, text.as_bytes()));
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    read(&page, &save(folder.path(), "shop-1.zip", &zip(&files))).await;
    page
}

/// The marked text in the source pane.
async fn marked(page: &Page) -> String {
    let script = "return [...document.querySelectorAll('.code .line.cited')].map(l => l.innerText).join('\\n')";
    let text = page.script(script).await;
    text.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_search_with_filters_is_typed_and_its_results_are_opened() {
    let page = shop().await;
    // A slash as the first character would open the commands.
    for (search, says, footnotes, holds) in [
        (
            "path:shop /def \\w+/",
            "matches 2 lines in 1 file",
            2,
            "def add",
        ),
        (
            "slug lang:markdown",
            "matches 1 line in 1 file",
            1,
            "A slug is short",
        ),
        (
            "\"slug(it)\" -path:shop",
            "matches 1 line in 1 file",
            1,
            "return slug(it)",
        ),
        ("symbol:slug", "1 definition of", 1, "def slug"),
    ] {
        let Shown {
            text,
            footnotes: cited,
        } = ask(&page, search).await;
        assert!(text.contains(says), "{search}: {text}");
        assert_eq!(cited.len(), footnotes, "{search}: {cited:?}");
        let turns = page.elements(".turn").await;
        let first = turns
            .last()
            .unwrap()
            .find(By::Css(".answer button.note-ref"));
        first.await.unwrap().click().await.unwrap();
        page.wait_for(
            &format!("“{holds}” among the marked lines"),
            async || {
                marked_lines(&page).await;
                marked(&page).await.contains(holds).then_some(())
            },
        )
        .await;
    }
    page.close().await;
}

/// The paths on offer, once there are some.
async fn offered(page: &Page) -> Vec<String> {
    page.wait_for("offered paths", async || {
        let script = "return [...document.querySelectorAll('.paths [role=option]')].map(row => row.innerText.trim())";
        let paths: Vec<String> = serde_json::from_value(page.script(script).await).ok()?;
        (!paths.is_empty()).then_some(paths)
    })
    .await
}

async fn value_is(page: &Page, wanted: &str) {
    let script = "return document.querySelector('[aria-label=Question]').value";
    page.wait_for(&format!("“{wanted}” in the question box"), async || {
        (page.script(script).await == wanted).then_some(())
    })
    .await;
}

/// The note on how the newest question was understood.
async fn note(page: &Page) -> String {
    let script = "const turn = [...document.querySelectorAll('.turn')].at(-1); \
        return [...turn.querySelectorAll('.note-line')].map(e => e.innerText).join(' ')";
    let note = page.script(script).await;
    note.as_str().unwrap_or_default().to_owned()
}

/// Completes and sends the question, and waits for the final answer.
async fn answered(page: &Page, rest: &str) -> Shown {
    let before = page.elements(".turn").await.len();
    let question = page.element("[aria-label=Question]").await;
    question.send_keys(rest).await.unwrap();
    question.send_keys(Key::Enter + "").await.unwrap();
    page.wait_for("the answer", async || {
        let answers = page.elements(".turn .answer[data-refined=true]").await;
        (answers.len() > before).then_some(())
    })
    .await;
    last_answer(page).await
}

#[tokio::test]
async fn a_folder_is_chosen_by_keyboard_and_limits_the_question() {
    let page = shop().await;
    let question = page.element("[aria-label=Question]").await;
    question.send_keys("@sho").await.unwrap();
    assert_eq!(offered(&page).await[0], "shop/");
    let box_says = |name: &str| format!("return document.querySelector('#question').{name}");
    assert_eq!(page.script(&box_says("role")).await, "combobox");
    question.send_keys(Key::Down + "").await.unwrap();
    question.send_keys(Key::Up + "").await.unwrap();
    question.send_keys(Key::Enter + "").await.unwrap();
    value_is(&page, "@shop/ ").await;
    assert!(page.elements(".paths").await.is_empty());

    let shown = answered(&page, "who calls slug?").await;
    assert!(shown.text.contains("2 of them in shop/"), "{}", shown.text);
    let outside = |name: &&String| !name.contains(": shop/cart.py line");
    assert_eq!(shown.footnotes.iter().find(outside), None);
    assert!(note(&page).await.contains("Only in shop/."));
    page.close().await;
}

#[tokio::test]
async fn a_file_is_chosen_by_mouse_and_an_unknown_one_is_reported() {
    let page = shop().await;
    let question = page.element("[aria-label=Question]").await;
    question.send_keys("@parc").await.unwrap();
    offered(&page).await;
    let row = page.element(".paths [role=option]").await;
    row.click().await.unwrap();
    value_is(&page, "@mail/parcel.py ").await;
    let shown = answered(&page, "who calls slug?").await;
    assert!(
        shown.text.contains("1 of them in mail/parcel.py"),
        "{}",
        shown.text
    );

    let question = page.element("[aria-label=Question]").await;
    question.send_keys("@mail/parcels.py ").await.unwrap();
    answered(&page, "who calls slug?").await;
    let told = note(&page).await;
    assert!(
        told.contains("This repository has no file or folder mail/parcels.py"),
        "{told}"
    );
    assert!(told.contains("The closest: mail/parcel.py"), "{told}");
    page.close().await;
}

#[tokio::test]
async fn escape_closes_the_offered_paths_and_keeps_what_is_written() {
    let page = shop().await;
    let question = page.element("[aria-label=Question]").await;
    question.send_keys("@").await.unwrap();
    let paths = offered(&page).await;
    assert!(paths.len() <= 8, "{paths:?}");
    question.send_keys(Key::Escape + "").await.unwrap();
    page.wait_for("no offered paths", async || {
        page.elements(".paths").await.is_empty().then_some(())
    })
    .await;
    value_is(&page, "@").await;
    page.close().await;
}
