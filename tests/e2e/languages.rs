//! All languages parse in the browser with the same result as natively.

use footnote_core::chunk::Chunking;
use footnote_core::index::IndexBuilder;
use footnote_core::job::run_to_end;
use footnote_core::lang::Language;
use footnote_core::source::ArchiveReader;
use footnote_tests::archive::{files_below, save, zip};
use footnote_tests::browser::Page;
use xtask::paths;

use crate::story::read;

#[tokio::test]
async fn all_languages_parse_in_the_browser_as_they_do_natively() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fixture_archive();
    let reader = ArchiveReader::open("languages.zip", bytes.clone()).unwrap();
    let index = run_to_end(IndexBuilder::new(
        run_to_end(reader).unwrap(),
        Chunking::FUNCTION,
    ))
    .unwrap();

    let page = Page::open_without_transformer().await;
    read(&page, &save(folder.path(), "languages.zip", &bytes)).await;
    for language in Language::ALL_CODE {
        let parsed = index
            .parsed
            .iter()
            .find(|file| file.language == language && !file.symbols.is_empty());
        let parsed = parsed.unwrap_or_else(|| panic!("no fixture of {language:?} has symbols"));
        let symbol = parsed
            .symbols
            .iter()
            .max_by_key(|symbol| symbol.qualified.len())
            .unwrap();
        let filter = page
            .element("input[aria-label='Filter files and symbols']")
            .await;
        filter.clear().await.unwrap();
        filter.send_keys(&symbol.name).await.unwrap();
        page.wait_for(
            &format!("{} of {language:?} among the symbols", symbol.qualified),
            async || {
                let outline = page
                    .script("return document.querySelector('nav.outline').innerText")
                    .await;
                outline.as_str()?.contains(&symbol.name).then_some(())
            },
        )
        .await;
    }

    let symbols: usize = index.parsed.iter().map(|file| file.symbols.len()).sum();
    let welcome = page.text().await.replace(',', "");
    assert!(
        welcome.contains(&format!("{symbols} symbols")),
        "{symbols} symbols natively, but:\n{welcome}"
    );
    page.close().await;
}

/// The fixture repositories of all languages as one zip.
fn fixture_archive() -> Vec<u8> {
    let mut files = files_below(&paths::root().join("tests/fixtures/languages"));
    files.retain(|(path, _)| path.rsplit('/').next() != Some("expected.txt"));
    let entries: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
        .collect();
    zip(&entries)
}
