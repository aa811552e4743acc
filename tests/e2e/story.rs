//! Steps that several stories share.

use std::path::{Path, PathBuf};

use footnote_tests::browser::{AccessibleName, Page, Setup};
use serde_json::json;
use tempfile::TempDir;
use thirtyfour::By;
use xtask::paths;

/// The bundled sample's name, as the page shows it.
pub const SAMPLE: &str = "courier";

/// The bundled sample's file.
pub fn sample_archive() -> PathBuf {
    paths::root()
        .join("public/samples")
        .join(SAMPLE)
        .with_extension("zip")
}

/// An answer as the page shows it.
pub struct Shown {
    pub text: String,
    /// Accessible names of its footnotes: `Footnote 1: path lines 3 to 9`.
    pub footnotes: Vec<String>,
}

/// Waits until a repository is open and can be asked.
pub async fn ready(page: &Page) {
    page.element("[data-phase=ready]").await;
}

/// Drops an archive and waits until it can be asked.
pub async fn read(page: &Page, path: &Path) {
    page.choose_file(path).await;
    ready(page).await;
}

/// Opens the sample from the first view.
pub async fn open_sample(page: &Page) {
    let button = page.button("Try a sample repository").await;
    button.click().await.unwrap();
    ready(page).await;
}

/// Opens the sample and closes it again, so that one repository is saved already.
pub async fn sample_saved_before(page: &Page) {
    open_sample(page).await;
    close(page).await;
    still_saved(page).await;
}

/// Closes the open repository through the dialog, back to the first view.
pub async fn close(page: &Page) {
    page.element(".bar .repo").await.click().await.unwrap();
    page.button("Close repository").await.click().await.unwrap();
    page.element("[data-phase=empty]").await;
    // The page shows the first view at once. If it were reloaded before the engine has noted that
    // nothing is open, it would open the repository again.
    page.wait_for("a note that nothing is open", async || {
        let noted = page.driver.execute_async(OPEN_NEXT, Vec::new()).await;
        noted.ok()?.json().is_null().then_some(())
    })
    .await;
}

/// Returns the repository that the next start opens, `null` if there is none.
const OPEN_NEXT: &str = "
const done = arguments[arguments.length - 1];
const open = indexedDB.open('footnote');
open.onerror = () => done(null);
open.onsuccess = () => {
    const last = open.result.transaction('settings').objectStore('settings').get('last');
    const end = value => { open.result.close(); done(value); };
    last.onerror = () => end('unread');
    last.onsuccess = () => end(last.result ?? null);
};";

/// Checks that the sample is listed on the first view, opens, and answers.
pub async fn still_saved(page: &Page) {
    page.wait_for("the sample among the saved repositories", async || {
        let list = page
            .script("return document.querySelector('.saved')?.innerText ?? ''")
            .await;
        list.as_str()?.contains(SAMPLE).then_some(())
    })
    .await;
}

/// Opens the saved sample and asks it something that it can answer.
pub async fn sample_still_answers(page: &Page) {
    still_saved(page).await;
    page.button(SAMPLE).await.click().await.unwrap();
    ready(page).await;
    let shown = ask(page, "how is a message delivered to its handler").await;
    assert!(
        !shown.footnotes.is_empty(),
        "the sample answers: {}",
        shown.text
    );
}

/// Asks, and waits for the answer that was compared by meaning, or cannot be. If it arrives so late
/// that the first one counts as read, shows the better one.
pub async fn ask(page: &Page, question: &str) -> Shown {
    let before = page.elements(".turn").await.len();
    page.ask(question).await;
    page.wait_for(
        &format!("the final answer to “{question}”"),
        async || {
            let turns = page
                .elements(".turn .answer[data-refined=true]")
                .await
                .len();
            (turns > before).then_some(())
        },
    )
    .await;
    show_better(page).await;
    last_answer(page).await
}

/// Shows the better answer if one is waiting.
async fn show_better(page: &Page) {
    if let Some(button) = page.elements(".better button").await.last() {
        button.click().await.unwrap();
        page.wait_for("the better answer", async || {
            page.elements(".better").await.is_empty().then_some(())
        })
        .await;
    }
}

/// The newest answer.
pub async fn last_answer(page: &Page) -> Shown {
    let turns = page.elements(".turn").await;
    let turn = turns.last().expect("a turn");
    let answer = turn.find(By::Css(".answer")).await.expect("an answer");
    let mut footnotes = Vec::new();
    for button in answer.find_all(By::Css("button.note-ref")).await.unwrap() {
        footnotes.push(button.accessible_name().await);
    }
    Shown {
        text: answer.text().await.unwrap(),
        footnotes,
    }
}

/// The marked lines in the source pane, once there are some.
pub async fn marked_lines(page: &Page) -> Vec<u32> {
    page.wait_for("marked lines in the source", async || {
        let script =
            "return [...document.querySelectorAll('.code .line.cited')].map(l => +l.dataset.line)";
        let lines: Vec<u32> = serde_json::from_value(page.script(script).await).ok()?;
        (!lines.is_empty()).then_some(lines)
    })
    .await
}

/// Waits until all vectors of the open repository are there.
pub async fn all_vectors(page: &Page) {
    page.wait_for_long("all vectors", async || {
        let script = "const s = document.querySelector('[data-vectors-total]'); \
                      return s !== null && +s.dataset.vectorsTotal > 0 && s.dataset.vectorsDone === s.dataset.vectorsTotal";
        page.script(script).await.as_bool()?.then_some(())
    })
    .await;
}

/// Keeps the page's workers within a test's reach.
const KEEP_WORKERS: &str = "\
    window.workers = [];\
    const Original = window.Worker;\
    window.Worker = class extends Original {\
        constructor(url, options) { super(url, options); window.workers.push(this); }\
    };";

/// A page whose workers are in `window.workers`, the engine last once it has started.
pub async fn with_workers() -> Page {
    let setup = Setup {
        before_page: Some(KEEP_WORKERS.to_owned()),
        ..Setup::default()
    };
    Page::open_with(setup).await
}

/// A page without the transformer whose downloads go to a folder.
pub async fn with_downloads() -> (Page, TempDir) {
    let page = Page::open_without_transformer().await;
    let folder = downloads_of(&page).await;
    (page, folder)
}

/// The folder that the page's downloads go to from now on.
pub async fn downloads_of(page: &Page) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let to = json!({ "behavior": "allow", "downloadPath": folder.path() });
    page.devtools("Browser.setDownloadBehavior", to).await;
    folder
}

/// Waits until a conversation with `text` is saved. The page may show it a moment earlier.
pub async fn kept(page: &Page, text: &str) {
    let script = "const [text, done] = arguments;
        const open = indexedDB.open('footnote');
        open.onsuccess = () => {
            const all = open.result.transaction('conversations').objectStore('conversations').getAll();
            all.onsuccess = () => {
                open.result.close();
                done(all.result.some((value) => String(value).includes(text)));
            };
        };";
    page.wait_for(&format!("“{text}” to be saved"), async || {
        let ran = page
            .driver
            .execute_async(script, vec![text.into()])
            .await
            .ok()?;
        ran.json().as_bool()?.then_some(())
    })
    .await;
}

/// Waits for a notice that contains `text`.
pub async fn notice(page: &Page, text: &str) {
    page.wait_for(&format!("the notice “{text}”"), || {
        has_notice(page, text)
    })
    .await;
}

/// Like [`notice`], for what takes minutes on two slow cores.
pub async fn late_notice(page: &Page, text: &str) {
    page.wait_for_long(&format!("the notice “{text}”"), || {
        has_notice(page, text)
    })
    .await;
}

async fn has_notice(page: &Page, text: &str) -> Option<()> {
    let script =
        "return [...document.querySelectorAll('.notice, .hint')].map(n => n.innerText).join('\\n')";
    let shown = page.script(script).await;
    shown.as_str()?.contains(text).then_some(())
}

/// Chooses a value in the list with that label.
pub async fn choose(page: &Page, label: &str, value: &str) {
    let script = format!(
        "const label = [...document.querySelectorAll('label')].find(l => l.innerText.startsWith('{label}')); \
         const list = label.querySelector('select'); list.value = '{value}'; \
         list.dispatchEvent(new Event('change', {{ bubbles: true }})); return list.value"
    );
    assert_eq!(page.script(&script).await, value);
}

/// The downloaded file with that ending, once it is complete.
pub async fn downloaded(page: &Page, folder: &Path, ending: &str) -> PathBuf {
    page.wait_for(&format!("a downloaded {ending} file"), async || {
        let files = std::fs::read_dir(folder).ok()?.flatten();
        // The browser first makes an empty file of that name, and replaces it when it has all.
        files
            .filter(|file| file.metadata().is_ok_and(|about| about.len() > 0))
            .map(|file| file.path())
            .find(|path| path.extension().is_some_and(|found| found == ending))
    })
    .await
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Chooses the files of a model in the `input type=file` that `css` selects.
pub async fn bring(page: &Page, css: &str, files: &[PathBuf]) {
    let files: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let input = page.driver.find(By::Css(css)).await.unwrap();
    input.send_keys(files.join("\n")).await.unwrap();
}

/// Presses the button with this name.
pub async fn press(page: &Page, name: &str) {
    page.button(name).await.click().await.unwrap();
}

/// What a pipeline would send before the search, as the last question shows it.
pub async fn sent_first(page: &Page) -> String {
    let summary = page.element(".asks-first summary").await;
    summary.click().await.unwrap();
    page.element(".asks-first pre").await.text().await.unwrap()
}

/// Waits until the browser refuses to store more: it remembers for a while how much room there was.
pub async fn full(page: &Page) {
    let put = "
        const done = arguments[arguments.length - 1];
        const open = indexedDB.open('probe');
        open.onupgradeneeded = () => open.result.createObjectStore('probe');
        open.onerror = () => done('refused');
        open.onsuccess = () => {
            const change = open.result.transaction('probe', 'readwrite');
            const end = (how) => { open.result.close(); done(how); };
            change.oncomplete = () => end('stored');
            change.onabort = () => end('refused');
            change.objectStore('probe').put('x'.repeat(1 << 20), 'x');
        };";
    page.wait_for("a full storage", async || {
        let ran = page.driver.execute_async(put, Vec::new()).await.unwrap();
        (ran.json().as_str() == Some("refused")).then_some(())
    })
    .await;
}
