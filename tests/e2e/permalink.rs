//! A footnote leads to its lines at the repository's host, where the archive says which commit it
//! was made from; the address is shown in full, and nothing is asked of the host.

use footnote_tests::browser::{Page, archive};

use crate::story::{ask, read};

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
