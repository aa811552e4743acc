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

/// Drops an unusable archive, and checks the message and that the saved sample is still there.
async fn refused(name: &str, bytes: &[u8], sentence: &str) {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    sample_saved_before(&page).await;
    page.choose_file(&save(folder.path(), name, bytes)).await;
    notice(&page, sentence).await;
    sample_still_answers(&page).await;
    page.close().await;
}

/// Drops a partly usable archive: bad entries are skipped with `reason`, the rest answers
/// questions.
async fn accepted(name: &str, bytes: &[u8], skipped: &str, reason: &str) {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    sample_saved_before(&page).await;
    read(&page, &save(folder.path(), name, bytes)).await;
    page.button("1 skipped file").await.click().await.unwrap();
    page.wait_for_text(skipped).await;
    page.wait_for_text(reason).await;
    page.driver.refresh().await.unwrap();
    ready(&page).await;
    crate::story::close(&page).await;
    still_saved(&page).await;
    page.close().await;
}

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

#[tokio::test]
async fn what_is_not_an_archive_is_refused() {
    refused(
        "holiday.zip",
        &b"not an archive at all, just words. ".repeat(99),
        "not an archive",
    )
    .await;
}

#[tokio::test]
async fn a_truncated_zip_is_refused() {
    let noise: Vec<u8> = (0..20_000u32)
        .flat_map(|n| format!("value_{} = {n}\n", n * 7919).into_bytes())
        .collect();
    let whole = zip(&[GOOD, ("project/long.py", &noise)]);
    refused("cut.zip", &whole[..whole.len() / 2], "ends too early").await;
}

#[tokio::test]
async fn a_password_protected_zip_is_refused() {
    let mut bytes = zip(&[GOOD]);
    // Bit 0 of the flags, in the local and in the central header.
    for (signature, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let at = bytes
            .windows(4)
            .position(|window| window == signature)
            .unwrap();
        bytes[at + flags] |= 1;
    }
    refused("secret.zip", &bytes, "password").await;
}

#[tokio::test]
async fn a_zip_bomb_is_refused() {
    let bytes = zip(&[GOOD, ("project/zeros.txt", &vec![b' '; 400 << 20])]);
    assert!(bytes.len() < 1 << 20, "a bomb is small");
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    sample_saved_before(&page).await;
    page.choose_file(&save(folder.path(), "bomb.zip", &bytes))
        .await;
    notice(&page, "zip bomb").await;
    sample_still_answers(&page).await;
    page.close().await;
}

#[tokio::test]
async fn paths_that_leave_the_archive_are_skipped() {
    let evil = ("project/../../../etc/evil.py", &b"evil = 1\n"[..]);
    accepted(
        "climb.zip",
        &zip(&[GOOD, evil]),
        "evil.py",
        "leaves the archive",
    )
    .await;
}

#[tokio::test]
async fn absolute_paths_are_skipped() {
    let evil = ("/etc/evil.py", &b"evil = 1\n"[..]);
    accepted(
        "absolute.zip",
        &zip(&[GOOD, evil]),
        "evil.py",
        "leaves the archive",
    )
    .await;
}

#[tokio::test]
async fn links_are_skipped() {
    let encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut builder = tar::Builder::new(encoder);
    let mut header = tar::Header::new_gnu();
    header.set_size(GOOD.1.len() as u64);
    header.set_mode(0o644);
    builder.append_data(&mut header, GOOD.0, GOOD.1).unwrap();
    let mut link = tar::Header::new_gnu();
    link.set_entry_type(tar::EntryType::Symlink);
    link.set_size(0);
    builder
        .append_link(&mut link, "project/passwords.py", "/etc/passwd")
        .unwrap();
    let bytes = builder.into_inner().unwrap().finish().unwrap();
    accepted("links.tar.gz", &bytes, "passwords.py", "link").await;
}

#[tokio::test]
async fn an_archive_without_files_is_refused() {
    refused("empty.zip", &zip(&[]), "no files").await;
}

#[tokio::test]
async fn an_archive_without_source_files_is_refused() {
    let bytes = zip(&[
        ("pictures/a.png", b"\x89PNG\r\n\x1a\n\0\0\0"),
        ("pictures/b.png", b"\x89PNG\r\n\x1a\n\0\0\0"),
    ]);
    refused("pictures.zip", &bytes, "is text that can be read").await;
}

#[tokio::test]
async fn an_archive_of_300_000_tiny_files_is_refused() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for number in 0..300_000 {
        writer
            .start_file(format!("d{}/f{number}.py", number % 1000), stored)
            .unwrap();
    }
    refused(
        "many.zip",
        &writer.finish().unwrap().into_inner(),
        "250000 entries",
    )
    .await;
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
async fn a_single_file_of_200_megabytes_is_skipped() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    writer.start_file(GOOD.0, stored).unwrap();
    writer.write_all(GOOD.1).unwrap();
    writer.start_file("project/huge.py", stored).unwrap();
    let line = b"value = 'sixty-four bytes of python source in each line of this' \n";
    let block = line.repeat(16_000);
    for _ in 0..200 {
        writer.write_all(&block).unwrap();
    }
    accepted(
        "huge.zip",
        &writer.finish().unwrap().into_inner(),
        "huge.py",
        "larger than",
    )
    .await;
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

#[tokio::test]
async fn a_file_of_one_line_of_5_megabytes_is_skipped() {
    let line: Vec<u8> = (0..700_000u32)
        .flat_map(|n| format!("f({n});").into_bytes())
        .collect();
    assert!(line.len() > 5 << 20);
    accepted(
        "line.zip",
        &zip(&[GOOD, ("project/line.js", &line)]),
        "line.js",
        "larger than",
    )
    .await;
}
