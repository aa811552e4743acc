//! Names in the source pane: their definitions and references, with mouse and keyboard.

use footnote_tests::archive::{save, zip};
use footnote_tests::browser::Page;
use thirtyfour::prelude::*;

use crate::story::{ask, last_answer, marked_lines, read};

const FILES: [(&str, &str); 3] = [
    (
        "shop-1/lib/slug.py",
        "\"\"\"Names.\"\"\"\n\n\ndef slug(text):\n    return text.lower()\n",
    ),
    (
        "shop-1/shop/cart.py",
        "from lib.slug import slug\n\n\ndef add(it):\n    return slug(it)\n\n\n\
         def wrap(box):\n    return box.fold()\n",
    ),
    (
        "shop-1/shop/boxes.py",
        "class Crate:\n    def fold(self):\n        return 1\n\n\n\
         class Carton:\n    def fold(self):\n        return 2\n",
    ),
];

/// A page that shows `shop/cart.py`.
async fn cart() -> Page {
    let files = FILES.map(|(path, text)| (path, text.as_bytes()));
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    read(&page, &save(folder.path(), "shop-1.zip", &zip(&files))).await;
    ask(&page, "Where is add defined?").await;
    is_shown(&page, "shop/cart.py").await;
    page
}

async fn is_shown(page: &Page, path: &str) {
    page.wait_for(&format!("{path} in the source pane"), async || {
        let head = "return document.querySelector('.file-head .path')?.innerText ?? ''";
        let is_here = page.script(head).await == path;
        let lines = page.elements(".code .line").await.len();
        (is_here && lines > 0).then_some(())
    })
    .await;
}

/// The element of a name on a line, if it leads somewhere.
async fn name(page: &Page, line: u32, text: &str) -> WebElement {
    let css = format!(".code .line[data-line='{line}'] .name-ref");
    page.wait_for(&format!("the name {text} in line {line}"), async || {
        for element in page.elements(&css).await {
            if element.text().await.ok()? == text {
                return Some(element);
            }
        }
        None
    })
    .await
}

async fn line_is_marked(page: &Page, line: u32) {
    page.wait_for(&format!("line {line} to be marked"), async || {
        (marked_lines(page).await == [line]).then_some(())
    })
    .await;
}

/// The line and text of the name that the keyboard is at.
async fn chosen(page: &Page) -> String {
    let script = "const name = document.getElementById('chosen-name'); \
        return name ? name.closest('.line').dataset.line + ' ' + name.innerText : ''";
    let chosen = page.script(script).await;
    chosen.as_str().unwrap_or_default().to_owned()
}

async fn is_chosen(page: &Page, wanted: &str) {
    page.wait_for(&format!("the chosen name {wanted}"), async || {
        (chosen(page).await == wanted).then_some(())
    })
    .await;
}

/// Types wherever the keyboard is.
async fn press(page: &Page, keys: impl Into<TypingData>) {
    let focused = page.driver.active_element().await.unwrap();
    focused.send_keys(keys).await.unwrap();
}

async fn has_focus(page: &Page, css: &str) {
    let script = format!("return document.activeElement?.matches('{css}') ?? false");
    page.wait_for(&format!("the keyboard at {css}"), async || {
        page.script(&script).await.as_bool()?.then_some(())
    })
    .await;
}

/// The references of `slug` are answered as a question, after `turns` earlier ones.
async fn references_are_answered(page: &Page, turns: usize) {
    page.wait_for("the answer that lists the references", async || {
        let answers = page.elements(".turn .answer[data-refined=true]").await;
        (answers.len() > turns).then_some(())
    })
    .await;
    let question = page.elements(".turn .question").await;
    let question = question.last().unwrap().text().await.unwrap();
    assert_eq!(question, "where is `slug` in `lib/slug.py` used?");
    let shown = last_answer(page).await;
    assert!(shown.text.contains("is used at 2 places"), "{}", shown.text);
    assert_eq!(shown.footnotes.len(), 2, "{:?}", shown.footnotes);
}

#[tokio::test]
async fn a_name_is_clicked_for_its_definition_and_its_references() {
    let page = cart().await;
    name(&page, 5, "slug").await.click().await.unwrap();
    has_focus(&page, ".name-menu[role=menu] [role=menuitem]").await;
    page.button("Go to definition").await.click().await.unwrap();
    is_shown(&page, "lib/slug.py").await;
    line_is_marked(&page, 4).await;

    let back = page.button("Back to shop/cart.py:5").await;
    back.click().await.unwrap();
    is_shown(&page, "shop/cart.py").await;
    is_chosen(&page, "5 slug").await;

    let slug = name(&page, 5, "slug").await;
    let keys = page.driver.action_chain().key_down(Key::Control);
    let keys = keys.click_element(&slug).key_up(Key::Control);
    keys.perform().await.unwrap();
    is_shown(&page, "lib/slug.py").await;

    name(&page, 4, "slug").await.click().await.unwrap();
    page.button("Find references").await.click().await.unwrap();
    references_are_answered(&page, 1).await;
    page.close().await;
}

#[tokio::test]
async fn a_name_is_reached_by_keyboard_for_its_definition_and_its_references() {
    let page = cart().await;
    page.script("document.querySelector('.code').focus()").await;
    has_focus(&page, ".code").await;
    // From the marked lines on; the first visible name is in line 1 at the latest.
    for _ in 0..20 {
        if chosen(&page).await == "5 slug" {
            break;
        }
        press(&page, "n").await;
    }
    is_chosen(&page, "5 slug").await;

    press(&page, Key::Enter + "").await;
    has_focus(&page, ".name-menu [role=menuitem]").await;
    press(&page, Key::Down + "").await;
    press(&page, Key::Escape + "").await;
    has_focus(&page, ".code").await;
    assert!(page.elements(".name-menu").await.is_empty());

    press(&page, Key::F12 + "").await;
    is_shown(&page, "lib/slug.py").await;
    line_is_marked(&page, 4).await;
    has_focus(&page, ".code").await;
    press(&page, "b").await;
    is_shown(&page, "shop/cart.py").await;
    is_chosen(&page, "5 slug").await;
    has_focus(&page, ".code").await;
    press(&page, "r").await;
    references_are_answered(&page, 1).await;
    page.close().await;
}

#[tokio::test]
async fn one_of_several_definitions_is_chosen_by_keyboard() {
    let page = cart().await;
    name(&page, 9, "fold").await.click().await.unwrap();
    page.button("Go to definition").await.click().await.unwrap();
    page.wait_for("both definitions", async || {
        let items = page.elements(".name-menu [role=menuitem] small").await;
        (items.len() == 2).then_some(())
    })
    .await;
    has_focus(&page, ".name-menu [role=menuitem]").await;
    press(&page, Key::Down + "").await;
    press(&page, Key::Enter + "").await;
    is_shown(&page, "shop/boxes.py").await;
    line_is_marked(&page, 7).await;
    page.close().await;
}

#[tokio::test]
async fn a_file_of_thousands_of_lines_shows_only_the_names_of_visible_lines() {
    let long: String = (0..6_000)
        .map(|at| format!("def step_{at}():\n    return step_{}()\n\n\n", at / 2))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    let bytes = zip(&[("long-1/long.py", long.as_bytes())]);
    read(&page, &save(folder.path(), "long-1.zip", &bytes)).await;
    ask(&page, "Where is step_5000 defined?").await;
    is_shown(&page, "long.py").await;
    let names = page.elements(".code .name-ref").await.len();
    assert!((1..400).contains(&names), "{names} names are in the page");
    name(&page, 20_002, "step_2500")
        .await
        .click()
        .await
        .unwrap();
    page.button("Go to definition").await.click().await.unwrap();
    line_is_marked(&page, 10_001).await;
    page.close().await;
}
