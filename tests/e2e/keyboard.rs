//! Everything with the keys alone: each view is opened, walked and left without a pointer, and what
//! Footnote is for is done from the first view to a cited line.

use footnote_tests::browser::Page;
use serde_json::Value;
use thirtyfour::{Key, TypingData};

use crate::accessibility::OVER;
use crate::laboratory::listed;
use crate::story::{last_answer, marked_lines};

/// Most presses of Tab until something is found: more than any view has stops.
const MAX_STOPS: usize = 700;

/// WebDriver's code for Tab, ten times: one request instead of ten.
const TEN_TABS: &str =
    "\u{E004}\u{E004}\u{E004}\u{E004}\u{E004}\u{E004}\u{E004}\u{E004}\u{E004}\u{E004}";

/// Keeps what has had the focus, and tells what `Tab` should reach in the view on top: each visible
/// control. Parts of a widget that moves its own focus with arrows count as reached with any of
/// them, the radio buttons of a group likewise. Controls are identified by their names, because a
/// view may draw them again while it is walked.
const WALK: &str = r#"
window.walk = {
    reached: new Set(),
    top() {
        const open = [...document.querySelectorAll('dialog[open]')];
        return open.at(-1) ?? document.body;
    },
    own(it) {
        if (it.type === 'radio') return `radio ${it.name}`;
        const widget = it.closest(
            '[role=tree], [role=listbox], [role=tablist], [role=grid], [role=menu], [role=toolbar], ' +
            '[role=application]');
        const of = widget ?? it;
        const name = of.getAttribute('aria-label') ?? (widget ? '' : of.innerText) ?? '';
        return `${of.tagName} ${of.classList[0] ?? ''} ${name || of.title || of.name || ''}`;
    },
    controls() {
        const all = walk.top().querySelectorAll(
            'a[href], button, input, select, textarea, summary, [tabindex], [role=button]');
        const isShown = (it) => it.checkVisibility({ visibilityProperty: true }) &&
            !it.matches(':disabled') && it.closest('[inert], [aria-hidden=true]') === null &&
            it.getClientRects().length > 0;
        // What only takes the focus from a script: headings, panels.
        const isControl = (it) => it.tabIndex >= 0 || it.matches('a, button, input, select, textarea');
        return [...all].filter((it) => isShown(it) && isControl(it));
    },
    left() {
        const left = walk.controls().map(walk.own).filter((it) => !walk.reached.has(it));
        return left.map((it) => it.replace(/\s+/g, ' ').slice(0, 80));
    },
};
addEventListener('focusin', (event) => walk.reached.add(walk.own(event.target)));
"#;

/// The name by which a user knows what has the focus.
const FOCUSED: &str = "
    const it = document.activeElement;
    if (it === null || it === document.body) return '';
    const labelled = it.labels?.[0]?.innerText;
    return (it.getAttribute('aria-label') ?? labelled ?? (it.innerText || it.title || ''))
        .slice(0, 60);";

async fn press(page: &Page, keys: impl Into<TypingData>) {
    let chain = page.driver.action_chain().send_keys(keys);
    chain.perform().await.unwrap();
}

/// Presses a key while another is held.
async fn press_with(page: &Page, held: Key, key: char) {
    let chain = page
        .driver
        .action_chain()
        .key_down(held.clone())
        .send_keys(key);
    chain.key_up(held).perform().await.unwrap();
}

async fn focused(page: &Page) -> String {
    let name = page.script(FOCUSED).await;
    name.as_str().unwrap_or_default().trim().to_owned()
}

/// Presses Tab until something of this name has the focus.
async fn tab_to(page: &Page, name: &str) {
    let mut passed = Vec::new();
    for _ in 0..MAX_STOPS {
        press(page, Key::Tab).await;
        let now = focused(page).await;
        if now.starts_with(name) {
            return;
        }
        passed.push(now);
    }
    panic!("Tab never comes to “{name}”, only to {passed:?}");
}

/// Walks the view on top with Tab and returns the controls that it never comes to.
async fn unreachable(page: &Page) -> Vec<String> {
    page.script("walk.reached.clear()").await;
    let mut left = Vec::new();
    for _ in 0..MAX_STOPS / 10 {
        press(page, TEN_TABS).await;
        let now = page.script("return walk.left()").await;
        left = serde_json::from_value(now).unwrap();
        if left.is_empty() {
            break;
        }
    }
    left
}

/// Opens the palette and picks a command.
async fn command(page: &Page, name: &str) {
    press_with(page, Key::Control, 'k').await;
    page.element("dialog.commands[open] input").await;
    press(page, name).await;
    let chosen = "return document.querySelector('dialog.commands [aria-selected=true]')?.innerText";
    page.wait_for(name, async || {
        let chosen = page.script(chosen).await;
        chosen.as_str()?.contains(name).then_some(())
    })
    .await;
    press(page, Key::Enter).await;
}

/// Closes the view on top with Escape, and holds that the keyboard is not lost.
async fn escape(page: &Page, from: &str) {
    press(page, Key::Escape).await;
    page.wait_for(&format!("“{from}” to close"), async || {
        page.elements("dialog[open]").await.is_empty().then_some(())
    })
    .await;
    let is_somewhere = "return document.activeElement !== null";
    assert_eq!(page.script(is_somewhere).await, Value::Bool(true), "{from}");
}

/// The sample, opened with the keys alone.
async fn sample() -> Page {
    let page = Page::open_without_transformer().await;
    page.element("[data-phase=empty]").await;
    page.script(WALK).await;
    tab_to(&page, "Try a sample repository").await;
    press(&page, Key::Enter).await;
    page.element("[data-phase=ready]").await;
    page
}

/// Asks in the box that has the focus.
async fn ask(page: &Page, question: &str) {
    press(page, question).await;
    press(page, Key::Enter).await;
    page.element(".turn .answer[data-refined=true]").await;
}

#[tokio::test]
async fn a_question_is_asked_and_its_footnotes_are_read_with_the_keys_alone() {
    let page = sample().await;
    tab_to(&page, "Question").await;
    ask(&page, "how is a message delivered to its handler").await;
    let shown = last_answer(&page).await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    // From the question, the footnotes of the answer come by Tab; Enter opens one.
    tab_to(&page, "Footnote 1").await;
    press(&page, Key::Enter).await;
    let first = marked_lines(&page).await;
    press(&page, "]").await;
    page.wait_for("the second footnote", async || {
        let pressed = "return document.querySelector('.answer .note-ref.on')?.dataset.number";
        (page.script(pressed).await == "2").then_some(())
    })
    .await;
    assert!(!first.is_empty());
    page.close().await;
}

#[tokio::test]
async fn every_control_of_every_view_is_reached_with_tab_and_left_with_escape() {
    let page = sample().await;
    tab_to(&page, "Question").await;
    ask(&page, "how is a message delivered to its handler").await;
    let mut found: Vec<String> = Vec::new();
    let mut note = |view: &str, left: Vec<String>| {
        found.extend(left.into_iter().map(|it| format!("{view}: {it}")));
    };
    note("answer", unreachable(&page).await);
    for tab in ["Show evidence", "Show graph"] {
        command(&page, tab).await;
        note(tab, unreachable(&page).await);
    }
    for (name, part) in OVER {
        command(&page, name).await;
        page.element(part).await;
        note(name, unreachable(&page).await);
        escape(&page, name).await;
    }
    assert!(
        found.is_empty(),
        "{} controls:\n{}",
        found.len(),
        found.join("\n")
    );
    page.close().await;
}

#[tokio::test]
async fn the_laboratory_is_worked_with_the_keys_alone() {
    let page = sample().await;
    command(&page, "Laboratory").await;
    page.element(".lab-dialog").await;
    tab_to(&page, "Questions").await;
    press_with(&page, Key::Control, 'a').await;
    press(&page, "6").await;
    tab_to(&page, "Make questions").await;
    press(&page, Key::Enter).await;
    listed(&page, 6).await;
    let mut found = Vec::new();
    for step in [
        "1 Questions",
        "2 Review",
        "3 Evaluate",
        "4 Judge",
        "5 Export",
        "6 Teach",
        "7 Describe",
    ] {
        tab_to(&page, step).await;
        press(&page, Key::Enter).await;
        let left = unreachable(&page).await;
        found.extend(left.into_iter().map(|it| format!("{step}: {it}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    tab_to(&page, "2 Review").await;
    press(&page, Key::Enter).await;
    page.element(".lab-review").await;
    escape(&page, "Laboratory").await;
    page.close().await;
}
