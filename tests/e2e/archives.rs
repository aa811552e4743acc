//! Bad archives: the page says clearly what is wrong and what to do next, and nothing saved before
//! is lost.

use std::io::{Cursor, Write};

use footnote_tests::archive::{save, tar_gz, zip};
use footnote_tests::browser::{Page, archive};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::story::{
    ask, notice, read, ready, sample_saved_before, sample_still_answers, still_saved,
};

const GOOD: (&str, &[u8]) = (
    "project/good.py",
    b"def greet(name):\n    \"\"\"Return a friendly greeting for a guest.\"\"\"\n    return 'hello ' + name\n",
);

/// What the page says before it reads, as soon as that contains `text`.
async fn costs(page: &Page, text: &str) {
    page.wait_for(text, async || {
        let told = page
            .script("return document.querySelector('.scope .costs')?.innerText ?? ''")
            .await;
        told.as_str()?.contains(text).then_some(())
    })
    .await;
}

#[tokio::test]
async fn folders_are_left_out_before_anything_is_indexed() {
    let page = Page::open_without_transformer().await;
    page.element("[data-phase=empty]").await;
    page.element(".choose-first input")
        .await
        .click()
        .await
        .unwrap();
    page.choose_file(&archive("requests-2.32.5.tar.gz")).await;
    costs(&page, "on this machine").await;
    costs(&page, "of memory").await;
    let before = page.element(".scope .go").await.text().await.unwrap();
    page.screenshot("scope").await;
    let tests = "return [...document.querySelectorAll('.folders label')].find(row => row.innerText.startsWith('tests/')).click()";
    page.script(tests).await;
    page.wait_for("fewer files", async || {
        let now = page.element(".scope .go").await.text().await.ok()?;
        (now != before).then_some(())
    })
    .await;
    page.element(".scope .go").await.click().await.unwrap();
    ready(&page).await;
    let shown = ask(&page, "how are redirects followed").await;
    assert!(!shown.footnotes.is_empty());
    assert!(
        !shown.footnotes.iter().any(|name| name.contains("tests/")),
        "{:?}",
        shown.footnotes
    );
    let skipped = "[...document.querySelectorAll('button')].find(b => /skipped files?$/.test(b.innerText)).click()";
    page.script(skipped).await;
    page.wait_for_text("left out by you").await;
    page.close().await;
}

/// An archive, and what the page says of it.
struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    says: &'static str,
}

#[tokio::test]
async fn an_unusable_archive_is_refused_and_nothing_saved_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    sample_saved_before(&page).await;
    for Case { name, bytes, says } in unusable() {
        page.choose_file(&save(folder.path(), name, &bytes)).await;
        notice(&page, says).await;
        sample_still_answers(&page).await;
        crate::story::close(&page).await;
    }
    page.close().await;
}

fn unusable() -> [Case; 7] {
    let case = |name, bytes, says| Case { name, bytes, says };
    let words = b"not an archive at all, just words. ".repeat(99);
    let picture: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0";
    let pictures = zip(&[("pictures/a.png", picture), ("pictures/b.png", picture)]);
    [
        case("holiday.zip", words, "not an archive"),
        case("cut.zip", truncated(), "ends too early"),
        case("secret.zip", encrypted(), "password"),
        case("bomb.zip", bomb(), "zip bomb"),
        case("empty.zip", zip(&[]), "no files"),
        case("pictures.zip", pictures, "is text that can be read"),
        case("many.zip", of_many_files(), "250000 entries"),
    ]
}

fn truncated() -> Vec<u8> {
    let noise: Vec<u8> = (0..20_000u32)
        .flat_map(|n| format!("value_{} = {n}\n", n * 7919).into_bytes())
        .collect();
    let mut bytes = zip(&[GOOD, ("project/long.py", &noise)]);
    bytes.truncate(bytes.len() / 2);
    bytes
}

fn encrypted() -> Vec<u8> {
    let mut bytes = zip(&[GOOD]);
    // Bit 0 of the flags, in the local and in the central header.
    for (signature, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let at = bytes
            .windows(4)
            .position(|window| window == signature)
            .unwrap();
        bytes[at + flags] |= 1;
    }
    bytes
}

fn bomb() -> Vec<u8> {
    let bytes = zip(&[GOOD, ("project/zeros.txt", &vec![b' '; 400 << 20])]);
    assert!(bytes.len() < 1 << 20, "a bomb is small");
    bytes
}

fn of_many_files() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for number in 0..300_000 {
        writer
            .start_file(format!("d{}/f{number}.py", number % 1000), stored)
            .unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// An archive with a bad file beside [`GOOD`].
struct Partly {
    archive: Case,
    /// The bad file, which is skipped for the reason that the page says.
    skipped: &'static str,
}

#[tokio::test]
async fn bad_files_of_an_archive_are_skipped_with_the_reason_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    sample_saved_before(&page).await;
    for Partly { archive, skipped } in partly_usable() {
        read(&page, &save(folder.path(), archive.name, &archive.bytes)).await;
        page.button("1 skipped file").await.click().await.unwrap();
        page.wait_for_text(skipped).await;
        page.wait_for_text(archive.says).await;
        page.driver.refresh().await.unwrap();
        ready(&page).await;
        crate::story::close(&page).await;
        still_saved(&page).await;
    }
    page.close().await;
}

fn partly_usable() -> [Partly; 5] {
    let case = |name, bytes, skipped, says| Partly {
        archive: Case { name, bytes, says },
        skipped,
    };
    // Each good file has a path of its own: what is saved already would be opened instead.
    let evil: &[u8] = b"evil = 1\n";
    let climbs = zip(&[
        ("project/climb.py", GOOD.1),
        ("project/../../../etc/evil.py", evil),
    ]);
    let absolute = zip(&[("project/absolute.py", GOOD.1), ("/etc/evil.py", evil)]);
    [
        case("climb.zip", climbs, "evil.py", "leaves the archive"),
        case("absolute.zip", absolute, "evil.py", "leaves the archive"),
        case("links.tar.gz", with_a_link(), "passwords.py", "link"),
        case("huge.zip", with_a_huge_file(), "huge.py", "larger than"),
        case("line.zip", with_a_long_line(), "line.js", "larger than"),
    ]
}

fn with_a_link() -> Vec<u8> {
    let encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut builder = tar::Builder::new(encoder);
    let mut header = tar::Header::new_gnu();
    header.set_size(GOOD.1.len() as u64);
    header.set_mode(0o644);
    builder
        .append_data(&mut header, "project/links.py", GOOD.1)
        .unwrap();
    let mut link = tar::Header::new_gnu();
    link.set_entry_type(tar::EntryType::Symlink);
    link.set_size(0);
    builder
        .append_link(&mut link, "project/passwords.py", "/etc/passwd")
        .unwrap();
    builder.into_inner().unwrap().finish().unwrap()
}

/// One file of 200 MB.
fn with_a_huge_file() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    writer.start_file("project/small.py", stored).unwrap();
    writer.write_all(GOOD.1).unwrap();
    writer.start_file("project/huge.py", stored).unwrap();
    let line = b"value = 'sixty-four bytes of python source in each line of this' \n";
    let block = line.repeat(16_000);
    for _ in 0..200 {
        writer.write_all(&block).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// One file of 5 MB in a single line.
fn with_a_long_line() -> Vec<u8> {
    let line: Vec<u8> = (0..700_000u32)
        .flat_map(|n| format!("f({n});").into_bytes())
        .collect();
    assert!(line.len() > 5 << 20);
    zip(&[("project/short.py", GOOD.1), ("project/line.js", &line)])
}

#[tokio::test]
async fn invalid_utf_8_is_read_as_latin_1() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    sample_saved_before(&page).await;
    let latin = b"def caf\xe9_price():\n    \"\"\"Return the price of a coffee in the caf\xe9.\"\"\"\n    return 3\n";
    let bytes = tar_gz(&[GOOD, ("project/latin.py", latin)]);
    read(&page, &save(folder.path(), "latin.tar.gz", &bytes)).await;
    let shown = ask(&page, "what is the price of a coffee").await;
    assert!(
        shown.footnotes.iter().any(|name| name.contains("latin.py")),
        "{:?}",
        shown.footnotes
    );
    crate::story::close(&page).await;
    still_saved(&page).await;
    page.close().await;
}

#[tokio::test]
async fn files_with_syntax_errors_are_read_as_far_as_they_go() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    sample_saved_before(&page).await;
    let broken = b"def broken(:\n    return ((\n\ndef count_the_sheep(flock):\n    \"\"\"Count the sheep of a flock.\"\"\"\n    return len(flock)\n\nclass {{{\n";
    read(
        &page,
        &save(
            folder.path(),
            "broken.zip",
            &zip(&[GOOD, ("project/broken.py", broken)]),
        ),
    )
    .await;
    let shown = ask(&page, "how are the sheep of a flock counted").await;
    assert!(
        shown
            .footnotes
            .iter()
            .any(|name| name.contains("broken.py")),
        "{:?}",
        shown.footnotes
    );
    crate::story::close(&page).await;
    still_saved(&page).await;
    page.close().await;
}
