//! Tells the page that it comes from a server with index files. A page on any other host does not
//! look for them: a missing list is an error in the console of every visitor.

use std::collections::BTreeMap;

use axum::body::Bytes;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

const PAGE: &str = "index.html";
/// Stores the page for use without a network, and knows the hash of each of its files.
const WORKER: &str = "offline.js";
/// What the page looks for.
const MARK: &str = "\n  <meta name=\"footnote-indexes\">";

/// Adds the mark to `index.html`, behind its first `meta`; and its new hash to `offline.js`, which
/// would otherwise store nothing. Leaves a page without `meta` as it is.
pub fn mark(files: &mut BTreeMap<String, Bytes>) {
    let Some(page) = files.get(PAGE).and_then(|it| std::str::from_utf8(it).ok()) else {
        return;
    };
    let first = page.find("<meta ");
    let end = first.and_then(|at| Some(at + page.get(at..)?.find('>')? + 1));
    let Some((before, after)) = end.and_then(|end| page.split_at_checked(end)) else {
        return;
    };
    let marked = format!("{before}{MARK}{after}");
    let (old, new) = (integrity(page.as_bytes()), integrity(marked.as_bytes()));
    let worker = files
        .get(WORKER)
        .and_then(|it| std::str::from_utf8(it).ok());
    let worker = worker.map(|text| text.replace(&old, &new));
    for (name, text) in [(PAGE, Some(marked)), (WORKER, worker)] {
        if let Some(text) = text {
            files.insert(name.to_owned(), Bytes::from(text));
            // A compressed copy holds the old text.
            files.remove(&format!("{name}.br"));
        }
    }
}

/// A hash in the form of subresource integrity.
fn integrity(bytes: &[u8]) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(page: &str) -> BTreeMap<String, Bytes> {
        let worker = format!(
            "const FILES = {{\"index.html\": \"{}\"}};",
            integrity(page.as_bytes())
        );
        [
            (PAGE, page.to_owned()),
            ("index.html.br", "packed".to_owned()),
            (WORKER, worker),
        ]
        .map(|(name, text)| (name.to_owned(), Bytes::from(text)))
        .into()
    }

    #[test]
    fn the_page_says_that_there_are_index_files_and_its_worker_knows_the_new_hash() {
        let mut files = files("<head><meta charset=\"utf-8\"><title>F</title>");
        mark(&mut files);
        let page = files.get(PAGE).map_or(&[][..], |it| it);
        let expected = "<head><meta charset=\"utf-8\">\n  <meta name=\"footnote-indexes\">\
                        <title>F</title>";
        assert_eq!(page, expected.as_bytes());
        let worker = files.get(WORKER).map_or(&[][..], |it| it);
        let worker = String::from_utf8_lossy(worker);
        assert!(worker.contains(&integrity(page)), "{worker}");
        assert!(!files.contains_key("index.html.br"));
    }

    #[test]
    fn a_page_without_meta_stays_as_it_is() {
        let mut marked = files("<p>page");
        mark(&mut marked);
        assert_eq!(marked, files("<p>page"));
    }
}
