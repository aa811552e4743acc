//! The list of the index files that lie beside the page: `indexes/indexes.json`, as `footnote
//! index` writes it. Only a page that was asked to looks for it, because a missing file is an error
//! in the console of every visitor.

use footnote_core::index::file::EXTENSION;
use serde::Deserialize;

use super::server::{FOLDER, Server};
use crate::worker::protocol::{HostedView, ServerView};

/// The list in that folder.
const LIST: &str = "indexes.json";

/// Where `footnote serve` answers questions over all repositories.
const API: &str = "api";

/// Most files that are listed.
const MAX_LISTED: usize = 10_000;

#[derive(Deserialize)]
struct List {
    indexes: Vec<Entry>,
    /// Where questions over all of them go; only a server has it.
    #[serde(default)]
    api: Option<String>,
    /// Whether what is listed depends on who asks.
    #[serde(default)]
    tokens: bool,
}

/// What lies beside the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hosted {
    pub files: Vec<HostedView>,
    /// Set if the site is a server that searches them.
    pub server: Option<ServerView>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    file: String,
    #[serde(default)]
    bytes: f64,
    #[serde(default)]
    files: u32,
}

/// Loads the list. Entries whose files could lie elsewhere are left out.
pub async fn list(server: &Server) -> Result<Hosted, String> {
    let bytes = server.list(LIST).await;
    let mut hosted = read(&bytes.map_err(|error| error.to_string())?)?;
    if let Some(view) = &mut hosted.server {
        view.has_token = server.has_token();
    }
    Ok(hosted)
}

fn read(bytes: &[u8]) -> Result<Hosted, String> {
    let list: List = serde_json::from_slice(bytes)
        .map_err(|error| format!("{FOLDER}/{LIST} cannot be read: {error}"))?;
    let entries = list.indexes.into_iter().take(MAX_LISTED);
    let entries = entries.filter(|entry| is_file(&entry.file));
    let files = entries.map(|entry| HostedView {
        name: entry.name,
        file: entry.file,
        bytes: entry.bytes,
        files: entry.files,
    });
    Ok(Hosted {
        files: files.collect(),
        // Another address is one that this version does not know how to ask.
        server: list.api.filter(|api| api == API).map(|_| ServerView {
            takes_tokens: list.tokens,
            has_token: false,
        }),
    })
}

/// Whether a name is that of an index file in the folder or below it.
pub fn is_file(name: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_');
    let is_part =
        |part: &str| !part.is_empty() && !part.starts_with('.') && part.chars().all(is_plain);
    let stem = name.strip_suffix(EXTENSION);
    stem.is_some_and(|stem| stem.ends_with('.')) && name.split('/').all(is_part)
}

/// Whether a file is named after what it holds, as Footnote names it: another file of that name
/// holds the same.
pub fn names_content(file: &str) -> bool {
    let stem = file.strip_suffix(EXTENSION).unwrap_or_default();
    let hash = stem.trim_end_matches('.').rsplit('-').next();
    hash.is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|it| it.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_that_ends_in_a_hash_names_what_a_file_holds() {
        assert!(names_content("django-5.2.4-0123456789abcdef.footnote"));
        for name in [
            "docs.footnote",
            "django-5.2.4.footnote",
            "a-0123.footnote",
            "",
        ] {
            assert!(!names_content(name), "{name}");
        }
    }

    #[test]
    fn only_files_of_the_folder_are_loaded() {
        for name in ["django-5.2.4-0123456789abcdef.footnote", "a/b.footnote"] {
            assert!(is_file(name), "{name}");
        }
        for name in [
            "",
            ".footnote",
            "footnote",
            "django",
            "a.zip",
            "../a.footnote",
            "a/../b.footnote",
            "/a.footnote",
            "//evil.example/a.footnote",
            "https://evil.example/a.footnote",
            "a%2f..%2fb.footnote",
            "a.footnote?x=.footnote",
            "a#.footnote",
            "a\\b.footnote",
        ] {
            assert!(!is_file(name), "{name}");
        }
    }

    #[test]
    fn the_list_is_read_without_entries_that_lead_elsewhere() {
        let text = br#"{"version":1,"indexes":[
            {"name":"a","file":"a-1.footnote","bytes":12,"files":3,"languages":{"Rust":3}},
            {"name":"b","file":"../b.footnote"}]}"#;
        let Hosted { files, server } = read(text).unwrap();
        assert_eq!(files.len(), 1);
        let first = &files[0];
        assert_eq!((&*first.name, first.bytes, first.files), ("a", 12.0, 3));
        assert_eq!(server, None);
        for (list, expected) in [
            (r#"{"indexes":[],"api":"api"}"#, Some(false)),
            (r#"{"indexes":[],"api":"api","tokens":true}"#, Some(true)),
            (r#"{"indexes":[],"api":"https://evil.example/api"}"#, None),
        ] {
            let server = read(list.as_bytes()).unwrap().server;
            assert_eq!(server.map(|it| it.takes_tokens), expected, "{list}");
        }
        for damaged in [&b""[..], b"{}", b"<html>"] {
            assert!(read(damaged).unwrap_err().contains("indexes/indexes.json"));
        }
    }
}
