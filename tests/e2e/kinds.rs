//! Kinds of questions: long lists, follow-ups without a language model, and answers that may miss
//! the question.

use footnote_tests::archive::{save, zip};
use footnote_tests::browser::{Page, archive};

use crate::story::{Shown, ask, last_answer, read, ready};

const SHOP: &str = "class Session:\n    \"\"\"Sends parcels to a shop.\"\"\"\n\n    \
    def send(self, parcel):\n        \"\"\"Sends one parcel.\"\"\"\n        \
    return self.pack(slug(parcel))\n\n    \
    def pack(self, parcel):\n        \"\"\"Packs one parcel.\"\"\"\n        return [parcel]\n\n\n\
def slug(text):\n    \"\"\"Makes a name of a text.\"\"\"\n    return text.lower()\n\n\n\
def deliver(session: Session, parcel):\n    \"\"\"Delivers one parcel.\"\"\"\n    \
    return session.send(parcel)\n\n\n\
def run():\n    return deliver(Session(), \"book\")\n";

/// A shop whose `slug` is called in 251 places.
async fn shop() -> Page {
    let uses = (0..250).map(|at| format!("\n\ndef use_{at:03}():\n    return slug(\"{at}\")\n"));
    let uses = format!("from shop import slug\n{}", uses.collect::<String>());
    let files: [(&str, &[u8]); 2] = [
        ("shop-1/shop.py", SHOP.as_bytes()),
        ("shop-1/users.py", uses.as_bytes()),
    ];
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    read(&page, &save(folder.path(), "shop-1.zip", &zip(&files))).await;
    page
}

async fn number(page: &Page, script: &str) -> i64 {
    page.script(script).await.as_i64().unwrap_or(-1)
}

/// The list entries shown.
async fn entries(page: &Page) -> i64 {
    number(page, "return document.querySelectorAll('.items li').length").await
}

/// The footnotes listed under the answer.
async fn rows(page: &Page) -> i64 {
    number(
        page,
        "return document.querySelectorAll('.notes li[data-note]').length",
    )
    .await
}

async fn wait_for_entries(page: &Page, count: i64) {
    page.wait_for(&format!("{count} entries"), async || {
        (entries(page).await == count).then_some(())
    })
    .await;
}

/// The text of the last turn, except for the time it took.
async fn seen(page: &Page) -> String {
    let script = "const turn = [...document.querySelectorAll('.turn')].at(-1); \
        const texts = [...turn.querySelectorAll('.closest, .note-line, .answer, .notes')]; \
        const first = turn.querySelector('.tally > span'); \
        return [first, ...texts].map(e => e.innerText).join('\\n')";
    page.script(script)
        .await
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

async fn reload(page: &Page) {
    page.driver.refresh().await.unwrap();
    ready(page).await;
    page.wait_for("the saved answer", async || {
        (!page.elements(".turn .answer").await.is_empty()).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_list_of_more_than_a_hundred_entries_is_opened_in_parts_and_closed() {
    let page = shop().await;
    let shown = ask(&page, "Who calls slug?").await;
    assert!(shown.text.contains("251 places"), "{}", shown.text);
    assert_eq!((shown.footnotes.len(), entries(&page).await), (12, 0));
    assert_eq!(rows(&page).await, 12, "only those of the sentence");
    let before = seen(&page).await;

    let button = page.button("Show all 251").await;
    assert_eq!(
        button.attr("aria-expanded").await.unwrap().as_deref(),
        Some("false")
    );
    button.click().await.unwrap();
    wait_for_entries(&page, 200).await;
    let button = page.button("Hide the list").await;
    assert_eq!(
        button.attr("aria-expanded").await.unwrap().as_deref(),
        Some("true")
    );
    page.wait_for("the footnotes of the entries", async || {
        (rows(&page).await > 12).then_some(())
    })
    .await;
    let more = page.element(".items > div > button").await;
    assert_eq!(more.text().await.unwrap(), "Show 51 more");
    more.click().await.unwrap();
    wait_for_entries(&page, 251).await;
    let last = page.elements(".items button.note-ref").await;
    last.last().unwrap().click().await.unwrap();
    page.wait_for("the last call in the source", async || {
        let cited = "return document.querySelector('.code .line.cited')?.innerText ?? ''";
        let cited = page.script(cited).await;
        cited.as_str()?.contains("slug(\"249\")").then_some(())
    })
    .await;

    page.button("Hide the list").await.click().await.unwrap();
    wait_for_entries(&page, 0).await;
    page.wait_for("the footnotes of the sentence alone", async || {
        (rows(&page).await == 12).then_some(())
    })
    .await;
    reload(&page).await;
    assert_eq!(seen(&page).await, before, "it looks the same");
    page.button("Show all 251").await.click().await.unwrap();
    wait_for_entries(&page, 200).await;
    page.close().await;
}

#[tokio::test]
async fn a_list_is_opened_by_keyboard_alone() {
    let page = shop().await;
    ask(&page, "Who calls slug?").await;
    let button = page.button("Show all 251").await;
    page.script("document.querySelector('.items button').focus()")
        .await;
    button.send_keys(thirtyfour::Key::Enter + "").await.unwrap();
    wait_for_entries(&page, 200).await;
    let focused = "return document.activeElement.getAttribute('aria-expanded')";
    assert_eq!(
        page.script(focused).await,
        "true",
        "the keyboard stays on the button"
    );
    page.close().await;
}

#[tokio::test]
async fn follow_ups_are_understood_without_a_language_model() {
    let page = shop().await;
    let first = ask(&page, "Who calls deliver?").await;
    assert!(first.text.contains("run"), "{}", first.text);
    for (question, asked_as, said) in [
        (
            "and what does it call?",
            "what does deliver call?",
            "Session.send",
        ),
        ("what about slug?", "what does slug call?", "slug"),
        ("and who calls it?", "who calls slug?", "251 places"),
    ] {
        let Shown { text, .. } = ask(&page, question).await;
        assert!(text.contains(said), "{question}: {text}");
        let seen = seen(&page).await;
        assert!(
            seen.contains(&format!("Asked as: “{asked_as}”")),
            "{question}: {seen}"
        );
        let headings = page.elements(".turn .question").await;
        let heading = headings.last().unwrap().text().await.unwrap();
        assert_eq!(heading, question, "it is shown as it was typed");
    }
    let before = seen(&page).await;
    reload(&page).await;
    assert_eq!(page.elements(".turn").await.len(), 4);
    assert_eq!(seen(&page).await, before, "it looks the same");
    page.close().await;
}

#[tokio::test]
async fn the_closest_that_was_found_has_no_tick_and_says_so() {
    let page = Page::open_without_transformer().await;
    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    let shown = ask(&page, "how are kangaroo cookies merged into the session").await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    for is_reloaded in [false, true] {
        if is_reloaded {
            reload(&page).await;
            assert_eq!(last_answer(&page).await.footnotes, shown.footnotes);
        }
        let seen = seen(&page).await;
        assert!(seen.contains("Closest I found"), "{seen}");
        assert!(seen.contains("may not answer the question"), "{seen}");
        let ticks = "return document.querySelectorAll('.tally svg, .tally .proven').length";
        assert_eq!(number(&page, ticks).await, 0);
    }
    page.button("What do these words mean?")
        .await
        .click()
        .await
        .unwrap();
    page.wait_for_text("this comes closest").await;
    page.close().await;
}
