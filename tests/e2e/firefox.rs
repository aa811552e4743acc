//! The main job in Firefox: the packed page below a folder of its host, from an archive to cited
//! lines and back after a reload. `docs/contributing.md` lists what differs there.

use footnote_tests::browser::archive;
use footnote_tests::firefox::Firefox;
use serde_json::Value;

use crate::package::unpacked;

const QUESTION: &str = "how does the Json extractor deserialize a request body";
/// WebDriver's code for Enter.
const ENTER: &str = "\u{E007}";

/// The accessible names of the footnotes of the last final answer; null before it is there.
const FOOTNOTES: &str = "
    const answers = document.querySelectorAll('.turn .answer[data-refined=true]');
    const notes = [...(answers.item(answers.length - 1)?.querySelectorAll('button.note-ref') ?? [])];
    return notes.length > 0 ? notes.map((it) => it.getAttribute('aria-label')) : null;";

const MARKED: &str = "
    const lines = [...document.querySelectorAll('.code .line.cited')].map((it) => it.innerText);
    return lines.length > 0 ? lines.join('\\n') : null;";

#[test]
fn the_package_does_the_main_job_in_firefox() {
    let host = tempfile::tempdir().unwrap();
    unpacked(host.path(), "footnote");
    let mut page = Firefox::open(host.path().to_owned(), "/footnote/");
    page.wait_for(
        "the first view",
        "return !!document.querySelector('[data-phase=empty]')",
    );
    page.choose_file(
        "input[type=file]:not([webkitdirectory])",
        &archive("axum-0.8.8.crate"),
    );
    let notes = asked(&mut page);
    let at = notes
        .iter()
        .position(|it| it.contains(": src/json.rs line"));
    let at = at.unwrap_or_else(|| panic!("no footnote into src/json.rs: {notes:?}"));
    page.script(&format!(
        "document.querySelectorAll('.answer button.note-ref')[{at}].click()"
    ));
    let marked = page.wait_for("the cited lines", MARKED);
    assert!(marked.as_str().unwrap().contains("Json"), "{marked}");

    page.reload();
    let again = page.wait_for("the saved answer", FOOTNOTES);
    assert_eq!(names(&again), notes);
    sealed(&mut page);
}

/// Asks, once the repository is read; returns the names of the footnotes.
fn asked(page: &mut Firefox) -> Vec<String> {
    page.wait_for(
        "the repository",
        "return !!document.querySelector('[data-phase=ready]')",
    );
    page.script("document.querySelector('[aria-label=Question]').focus()");
    page.press(QUESTION);
    page.press(ENTER);
    page.wait_for("the answer", FOOTNOTES);
    // If it took so long that the first answer counts as read, the better one is only offered.
    page.script("document.querySelector('.better button')?.click()");
    page.wait_for(
        "one answer",
        "return document.querySelector('.better') === null",
    );
    names(&page.wait_for("the answer", FOOTNOTES))
}

fn names(found: &Value) -> Vec<String> {
    serde_json::from_value(found.clone()).unwrap()
}

/// The policy holds here too: no other origin can be asked for anything.
fn sealed(page: &mut Firefox) {
    let told = page.script(
        "const refused = new Promise((found) => document.addEventListener(
             'securitypolicyviolation', (event) => found(event.effectiveDirective)));
         await fetch('https://footnote.invalid/').catch(() => null);
         return await refused;",
    );
    assert_eq!(told, "connect-src");
}
