//! Index files: opened by drop and from the page's own site, saved, and refused if damaged.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use footnote_core::answer::{self, Outcome, Statement};
use footnote_core::chunk::Chunking;
use footnote_core::embed::{ModelFiles, TableEncoder};
use footnote_core::index::file::{Contents, Encoded, IndexFile, encode};
use footnote_core::index::{Index, IndexBuilder, TableJob, Vectors, format};
use footnote_core::job::run_to_end;
use footnote_core::lang::Parsed;
use footnote_core::search::Question;
use footnote_core::source::ArchiveReader;
use footnote_tests::archive::save;
use footnote_tests::browser::{Page, Setup, archive};
use footnote_tests::served::run;
use serde_json::json;
use xtask::paths;

use crate::story::{
    ask, close, copy, downloaded, marked_lines, notice, open_sample, read, ready, sample_archive,
    with_downloads,
};

const QUESTION: &str = "where are redirects followed and how is the method changed";

/// The file that `footnote index` makes of an archive, without the archive's hash.
fn written(archive: &Path) -> Encoded {
    let name = archive.file_name().unwrap().to_string_lossy();
    let bytes = std::fs::read(archive).unwrap();
    let repo = run_to_end(ArchiveReader::open(&name, bytes).unwrap()).unwrap();
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    let index = Arc::new(index);
    let Ok(table) = run_to_end(TableJob::new(Arc::clone(&index), Arc::new(encoder())));
    index.set_table(table);
    encode(Contents {
        index: &index,
        model: None,
        archive: None,
        made_by: env!("CARGO_PKG_VERSION"),
        with_text: true,
    })
}

fn encoder() -> TableEncoder {
    let folder = paths::root().join("public/models/footnote-code-table-1");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let (manifest, tokenizer) = (read("model.json"), read("tokenizer.json"));
    let onnx = read("model.onnx").into();
    TableEncoder::new(ModelFiles {
        manifest: &manifest,
        onnx,
        tokenizer: &tokenizer,
    })
    .unwrap()
}

const LIE: &str = "who calls Queue.revive";
/// What only an answer from the lying file says.
const SAID: &str = "places";

/// The index file of the sample as somebody would make it who wants to be believed: it says that
/// the methods of `Queue` call `revive`, which none of them does. All digests are right.
fn lying() -> Vec<u8> {
    let bytes = std::fs::read(sample_archive()).unwrap();
    let repo = run_to_end(ArchiveReader::open("courier.zip", bytes).unwrap()).unwrap();
    let Ok(honest) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    let mut parsed = (*honest.parsed).clone();
    let files = honest.repo.files.iter().zip(&mut parsed);
    for (_, parsed) in files.filter(|(file, _)| file.path.ends_with("queue.py")) {
        for call in &mut parsed.calls {
            call.name = "revive".to_owned();
            call.receiver = Some("self".to_owned());
        }
    }
    let lying = with_parsed(honest, parsed);
    assert!(
        told(&lying).contains(SAID),
        "the lie convinces: {}",
        told(&lying)
    );
    let encoded = encode(Contents {
        index: &lying,
        model: None,
        archive: None,
        made_by: env!("CARGO_PKG_VERSION"),
        with_text: true,
    });
    encoded.into_pieces().flatten().collect()
}

/// An index that says this of its files, with the graph that follows from it.
fn with_parsed(mut index: Index, parsed: Vec<Parsed>) -> Index {
    index.parsed = Arc::new(parsed);
    let saved: Vec<_> = format::encode(&index)
        .map(|section| (section.name.to_owned(), section.into_bytes()))
        .collect();
    format::decode(saved).unwrap()
}

/// What an index answers to the question about the lie.
fn told(index: &Index) -> String {
    let question = Question::new(LIE).unwrap();
    let asked = answer::ask(index, &Vectors::new(1, 0), &question, None);
    match asked.answer.outcome {
        Outcome::Found { statements, .. } => statements.iter().map(Statement::plain).collect(),
        Outcome::Nothing { why, .. } => why,
    }
}

/// Writes the index file of an archive into a folder.
fn index(archive: &Path, folder: &Path) -> PathBuf {
    let encoded = written(archive);
    let name = encoded.about.file_name();
    let bytes: Vec<u8> = encoded.into_pieces().flatten().collect();
    save(folder, &name, &bytes)
}

/// Drops a file on the page.
async fn drop_file(page: &Page, name: &str, bytes: &[u8]) {
    let bytes = serde_json::to_string(bytes).unwrap();
    let script = format!(
        "const data = new DataTransfer(); \
         data.items.add(new File([new Uint8Array({bytes})], '{name}')); \
         document.querySelector('.shell').dispatchEvent(new DragEvent('drop', \
         {{ dataTransfer: data, bubbles: true, cancelable: true }}));"
    );
    page.script(&script).await;
}

/// The built page in a folder with index files beside it, and their list.
fn site(archive: &Path) -> tempfile::TempDir {
    let host = tempfile::tempdir().unwrap();
    copy(&paths::dist(), host.path());
    let folder = host.path().join("indexes");
    std::fs::create_dir_all(&folder).unwrap();
    let file = index(archive, &folder);
    let bytes = std::fs::read(&file).unwrap();
    let about = IndexFile::open(&bytes).unwrap().about().clone();
    let list = json!({ "version": 1, "indexes": [{
        "name": about.name,
        "file": about.file_name(),
        "bytes": bytes.len(),
        "files": about.files,
    }] });
    save(&folder, "indexes.json", list.to_string().as_bytes());
    host
}

async fn on_site(host: &Path) -> Page {
    Page::blank(Setup {
        folder: Some(host.to_owned()),
        without_transformer: true,
        ..Setup::default()
    })
    .await
}

#[tokio::test]
async fn an_index_file_answers_like_its_archive_and_footnotes_open_the_code() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive("requests-2.32.5.tar.gz");
    let page = Page::open().await;
    read(&page, &archive).await;
    let of_archive = ask(&page, QUESTION).await;
    page.close().await;

    let page = Page::open().await;
    read(&page, &index(&archive, folder.path())).await;
    let shown = ask(&page, QUESTION).await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    assert_eq!(shown.footnotes, of_archive.footnotes);
    let note = page.element(".answer button.note-ref").await;
    note.click().await.unwrap();
    assert!(!marked_lines(&page).await.is_empty());
    page.close().await;
}

/// The seconds after which a repository could be asked, as the page says.
async fn ready_after(page: &Page) -> f64 {
    let lead = page.element(".welcome .lead").await.text().await.unwrap();
    let (_, time) = lead.rsplit_once("ready after ").unwrap();
    let (number, unit) = time.split_once('\u{a0}').or(time.split_once(' ')).unwrap();
    let number: f64 = number.parse().unwrap();
    if unit.starts_with("ms") {
        number / 1_000.0
    } else {
        number
    }
}

#[tokio::test]
async fn django_opens_from_its_index_file_in_a_fraction_of_the_time_and_answers_the_same() {
    const QUESTION: &str = "where is the session cookie set in the response";
    let folder = tempfile::tempdir().unwrap();
    let archive = archive("django-5.2.4.tar.gz");
    run([
        "index".as_ref(),
        archive.as_os_str(),
        "--out".as_ref(),
        folder.path().as_os_str(),
    ]);
    let mut files = std::fs::read_dir(folder.path()).unwrap();
    let file = files.find_map(|file| {
        let path = file.unwrap().path();
        path.extension()
            .is_some_and(|it| it == "footnote")
            .then_some(path)
    });
    let mut seen = Vec::new();
    for path in [archive, file.unwrap()] {
        let page = Page::open_without_transformer().await;
        read(&page, &path).await;
        let seconds = ready_after(&page).await;
        seen.push((seconds, ask(&page, QUESTION).await.footnotes));
        page.close().await;
    }
    let [(of_archive, expected), (of_index, footnotes)] = &seen[..] else {
        panic!("{seen:?}");
    };
    assert!(
        footnotes
            .iter()
            .any(|it| it.contains("sessions/middleware.py")),
        "{footnotes:?}"
    );
    assert_eq!(footnotes, expected);
    // Side by side, because how long a second is depends on what else this machine does.
    assert!(
        of_index * 2.0 < *of_archive,
        "{of_index} s, {of_archive} s from the archive"
    );
}

#[tokio::test]
async fn a_dropped_index_file_is_recognised_by_its_bytes_and_stays_saved() {
    let encoded = written(&sample_archive());
    let bytes: Vec<u8> = encoded.into_pieces().flatten().collect();
    let page = Page::open_without_transformer().await;
    page.element("[data-phase=empty]").await;
    drop_file(&page, "handout.bin", &bytes).await;
    ready(&page).await;
    let shown = ask(&page, "how is a message delivered to its handler").await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    page.wait_for("the saved repository", async || {
        let script = "const done = arguments[arguments.length - 1]; \
            const open = indexedDB.open('footnote'); open.onerror = () => done(0); \
            open.onsuccess = () => { \
              const count = open.result.transaction('repos').objectStore('repos').count(); \
              const end = n => { open.result.close(); done(n); }; \
              count.onerror = () => end(0); count.onsuccess = () => end(count.result); };";
        let count = page.driver.execute_async(script, Vec::new()).await;
        (count.ok()?.json().as_u64()? == 1).then_some(())
    })
    .await;
    page.driver.refresh().await.unwrap();
    ready(&page).await;
    let again = ask(&page, "how is a message delivered to its handler").await;
    assert_eq!(again.footnotes, shown.footnotes);
    page.close().await;
}

#[tokio::test]
async fn a_saved_index_opens_in_another_profile_and_is_the_one_that_the_program_makes() {
    let (page, folder) = with_downloads().await;
    open_sample(&page).await;
    page.element(".bar .repo").await.click().await.unwrap();
    page.button("Save index").await.click().await.unwrap();
    let saved = downloaded(&page, folder.path(), "footnote").await;
    page.close().await;
    let native = written(&sample_archive()).about;
    let name = saved.file_name().unwrap().to_string_lossy();
    let bytes = std::fs::read(&saved).unwrap();
    let decoded = IndexFile::open(bytes).unwrap().decode().unwrap();
    assert!(decoded.table.is_some());
    // With the transformer's vectors of all chunks, which may have arrived, it holds more.
    if decoded.model.is_none() {
        assert_eq!(name, native.file_name());
    }

    let page = Page::open_without_transformer().await;
    read(&page, &saved).await;
    let shown = ask(&page, "how is a message delivered to its handler").await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    page.close().await;
}

#[tokio::test]
async fn a_damaged_index_file_is_refused_and_the_open_repository_stays() {
    let encoded = written(&sample_archive());
    let bytes: Vec<u8> = encoded.into_pieces().flatten().collect();
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    ask(&page, "how is a message delivered to its handler").await;
    drop_file(&page, "cut.footnote", &bytes[..bytes.len() - 9]).await;
    notice(&page, "is cut").await;
    ready(&page).await;
    let mut flipped = bytes.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    drop_file(&page, "flipped.footnote", &flipped).await;
    notice(&page, "flipped.footnote was not opened").await;
    ready(&page).await;
    assert_eq!(page.elements(".turn").await.len(), 1, "the answer is there");
    let shown = ask(&page, "how is a message delivered to its handler").await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    page.close().await;
}

#[tokio::test]
async fn an_address_names_an_index_file_of_the_site_and_the_first_view_lists_them() {
    let host = site(&sample_archive());
    let page = on_site(host.path()).await;
    let address = format!("{}/?index=courier-1.4.0", page.url());
    page.driver.goto(&address).await.unwrap();
    ready(&page).await;
    let shown = ask(&page, "how is a message delivered to its handler").await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    close(&page).await;
    let list = format!("{}/?index", page.url());
    page.driver.goto(&list).await.unwrap();
    page.wait_for_text("On this site").await;
    page.button("courier-1.4.0").await.click().await.unwrap();
    ready(&page).await;
    page.close().await;
}

#[tokio::test]
async fn an_address_with_the_name_of_no_index_file_says_what_to_check() {
    let host = site(&sample_archive());
    let page = on_site(host.path()).await;
    let address = format!("{}/?index=somewhere-else", page.url());
    page.driver.goto(&address).await.unwrap();
    page.element("[data-phase=failed]").await;
    page.wait_for_text("no index file of a repository called somewhere-else")
        .await;
    // The address cannot lead to another host or out of the folder either.
    let address = format!("{}/?index=..%2Findex.footnote", page.url());
    page.driver.goto(&address).await.unwrap();
    page.element("[data-phase=failed]").await;
    page.close().await;
}

#[tokio::test]
async fn a_page_that_was_not_asked_looks_for_no_index_files() {
    let page = Page::open_without_transformer().await;
    page.element("[data-phase=empty]").await;
    open_sample(&page).await;
    let script = "return performance.getEntriesByType('resource').map(entry => entry.name)";
    let asked = page.script(script).await.to_string();
    assert!(!asked.contains("indexes"), "{asked}");
    page.close().await;
}

#[tokio::test]
async fn an_index_file_that_lies_about_its_text_is_found_out_and_not_saved() {
    let page = Page::open_without_transformer().await;
    page.element("[data-phase=empty]").await;
    drop_file(&page, "handout.footnote", &lying()).await;
    notice(&page, "does not match its own text").await;
    ready(&page).await;
    for _ in 0..2 {
        let shown = ask(&page, LIE).await;
        assert!(!shown.text.contains(SAID), "{}", shown.text);
        // The saved repository holds no lie either.
        page.driver.refresh().await.unwrap();
        ready(&page).await;
    }
    // Nor does the archive with the same text inherit anything.
    close(&page).await;
    read(&page, &sample_archive()).await;
    let shown = ask(&page, LIE).await;
    assert!(!shown.text.contains(SAID), "{}", shown.text);
    page.close().await;
}
