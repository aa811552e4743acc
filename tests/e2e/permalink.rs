//! A footnote leads to its lines at the repository's host, where the archive says which commit it
//! was made from; the address is shown in full, and nothing is asked of the host. It also opens in
//! the editor that the user chose.

use footnote_tests::browser::{Page, archive};
use thirtyfour::prelude::*;

use crate::story::{ask, open_sample, read};

#[tokio::test]
async fn a_footnote_shows_the_address_of_its_lines_at_the_commit_that_the_crate_names() {
    let page = Page::open_without_transformer().await;
    read(&page, &archive("axum-0.8.8.crate")).await;
    let question = "how does the Json extractor deserialize a request body";
    let shown = ask(&page, question).await;
    let first = shown.footnotes.first().expect("a footnote");
    let button = page.element(".notes [aria-haspopup=dialog]").await;
    let label = button.attr("aria-label").await.unwrap().unwrap();
    assert!(
        label.starts_with("Show this place at github.com, commit "),
        "{label}"
    );
    button.click().await.unwrap();
    let address = page.element(".whole-address").await.text().await.unwrap();
    let rest = address.strip_prefix("https://github.com/tokio-rs/axum/blob/");
    let (commit, path) = rest.and_then(|rest| rest.split_once('/')).expect(&address);
    assert_eq!(commit.len(), 40, "{address}");
    let (path, lines) = path.split_once("#L").expect(&address);
    let path = path.strip_prefix("axum/").expect(&address);
    assert!(first.contains(path), "{address} and {first}");
    let line = lines.split('-').next().unwrap();
    assert!(first.contains(line), "{address} and {first}");
    page.close().await;
}

#[tokio::test]
async fn a_footnote_opens_in_the_editor_that_was_chosen_at_the_folder_that_was_given() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    let shown = ask(&page, "how is a message delivered to its handler").await;
    assert!(page.elements(".notes a.cite").await.is_empty(), "none yet");
    page.element("[aria-label=Settings]")
        .await
        .click()
        .await
        .unwrap();
    let choice = page.element("select[aria-label=Editor]").await;
    choice.send_keys("VS Code").await.unwrap();
    let folder = page.element(".editor input").await;
    folder.send_keys("/home/ann/my code").await.unwrap();
    folder.send_keys(Key::Enter + Key::Escape).await.unwrap();
    let first = shown.footnotes.first().expect("a footnote");
    for _ in 0..2 {
        let link = page.element(".notes a.cite").await;
        let address = link.attr("href").await.unwrap().unwrap();
        let rest = address.strip_prefix("vscode://file/home/ann/my%20code/");
        let (path, line) = rest.and_then(|rest| rest.rsplit_once(':')).expect(&address);
        assert!(
            first.contains(path) && first.contains(line),
            "{address} and {first}"
        );
        // It is remembered.
        page.driver.refresh().await.unwrap();
        page.element(".turn .notes").await;
    }
    page.close().await;
}
