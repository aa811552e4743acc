//! The files of the page, held in memory: those of a folder, or those that were built into the
//! program. A path is looked up among them and never becomes a path on the disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use footnote_core::embed::{ModelFiles, TableEncoder};
use sha2::{Digest, Sha256};

use super::marked;
use super::reply::{self, is_known};
use crate::hex::hex;
use crate::{Result, archive, model};

/// Where `cargo xtask build` puts the page.
#[cfg(not(feature = "page"))]
const DIST: &str = "dist";
/// What a compressed copy of a file is called.
const BROTLI: &str = ".br";

#[cfg(feature = "page")]
static EMBEDDED: include_dir::Dir<'_> = include_dir::include_dir!("$CARGO_MANIFEST_DIR/../dist");

/// The page.
#[derive(Default)]
pub struct Page {
    files: BTreeMap<String, PageFile>,
}

struct PageFile {
    bytes: Bytes,
    /// Compressed with brotli, if there is such a copy.
    brotli: Option<Bytes>,
    /// A digest of the bytes.
    tag: String,
}

impl Page {
    /// The page of a folder; without one, the page in the program, or else the one in `dist`.
    ///
    /// # Errors
    /// There is no page: says how to get one.
    pub fn open(folder: Option<&Path>) -> Result<Self> {
        if let Some(folder) = folder {
            return Self::of_folder(folder);
        }
        #[cfg(feature = "page")]
        {
            let mut files = BTreeMap::new();
            embedded(&EMBEDDED, &mut files);
            return Ok(Self::new(files));
        }
        #[cfg(not(feature = "page"))]
        Self::of_folder(Path::new(DIST))
    }

    fn of_folder(folder: &Path) -> Result<Self> {
        if !folder.join("index.html").is_file() {
            return Err(format!(
                "there is no page in {}: name its folder with --page, or build it with `cargo \
                 xtask build`, or serve without a page with --no-page",
                folder.display()
            )
            .into());
        }
        let mut files = BTreeMap::new();
        let mut waiting = vec![(String::new(), folder.to_owned())];
        while let Some((prefix, folder)) = waiting.pop() {
            for (name, path) in entries(&folder)? {
                let name = format!("{prefix}{name}");
                match path.is_dir() {
                    true => waiting.push((format!("{name}/"), path)),
                    false => {
                        files.insert(name, Bytes::from(archive::read(&path)?));
                    }
                }
            }
        }
        Ok(Self::new(files))
    }

    fn new(mut files: BTreeMap<String, Bytes>) -> Self {
        marked::mark(&mut files);
        let file = |(name, bytes): (&String, &Bytes)| {
            let file = PageFile {
                bytes: bytes.clone(),
                brotli: files.get(&format!("{name}{BROTLI}")).cloned(),
                tag: hex(&Sha256::digest(bytes)),
            };
            (name.clone(), file)
        };
        Self {
            files: files.iter().map(file).collect(),
        }
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// The static encoder of the page, with which index files were made; `None` if the page has
    /// none.
    ///
    /// # Errors
    /// Its files are damaged.
    pub fn encoder(&self) -> Result<Option<Arc<TableEncoder>>> {
        let file = |name: &str| {
            let path = format!("models/{}/{name}", model::TABLE);
            self.files.get(&path).map(|file| file.bytes.clone())
        };
        let names = ["model.json", "model.onnx", "tokenizer.json"].map(file);
        let [Some(manifest), Some(onnx), Some(tokenizer)] = names else {
            return Ok(None);
        };
        let encoder = TableEncoder::new(ModelFiles {
            manifest: &manifest,
            onnx: onnx.to_vec().into(),
            tokenizer: &tokenizer,
        });
        Ok(Some(Arc::new(encoder?)))
    }

    /// The file at an address's path, as percent-encoded there: the names of the page's files need
    /// no encoding.
    pub fn answer(&self, path: &str, asked: &HeaderMap) -> Response {
        let name = path.strip_prefix('/').unwrap_or(path);
        let name = if name.is_empty() { "index.html" } else { name };
        let Some(file) = self.files.get(name) else {
            return reply::error(
                StatusCode::NOT_FOUND,
                "there is nothing at this address. The page is at /",
            );
        };
        let brotli = file.brotli.as_ref().filter(|_| takes_brotli(asked));
        // Different bytes have different tags.
        let tag = match brotli {
            Some(_) => format!("{}-br", file.tag),
            None => file.tag.clone(),
        };
        let mut response = match is_known(asked, &tag) {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => brotli.unwrap_or(&file.bytes).clone().into_response(),
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
        // Files keep their names from version to version, so browsers ask whether one is newer.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        reply::tag(headers, &tag);
        if file.brotli.is_some() {
            headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        }
        if brotli.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
        }
        response
    }
}

fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let failed = |error| format!("cannot read {}: {error}", folder.display());
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if let Ok(name) = entry.file_name().into_string() {
            entries.push((name, entry.path()));
        }
    }
    Ok(entries)
}

#[cfg(feature = "page")]
fn embedded(folder: &'static include_dir::Dir<'static>, files: &mut BTreeMap<String, Bytes>) {
    for file in folder.files() {
        if let Some(path) = file.path().to_str() {
            let name = path.replace('\\', "/");
            files.insert(name, Bytes::from_static(file.contents()));
        }
    }
    folder.dirs().for_each(|folder| embedded(folder, files));
}

/// Whether the client reads brotli: named without `q=0`.
fn takes_brotli(asked: &HeaderMap) -> bool {
    let accepted = asked.get(header::ACCEPT_ENCODING);
    let accepted = accepted.and_then(|it| it.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        parts.next() == Some("br") && !parts.any(|it| matches!(it, "q=0" | "q=0.0"))
    })
}

/// The type of a file by its name; browsers compile WebAssembly while it arrives only if it has its
/// own.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("zip") => "application/zip",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_a_page_says_how_to_get_one() {
        let folder = tempfile::tempdir().unwrap();
        let Err(error) = Page::open(Some(folder.path())) else {
            panic!("there is no page");
        };
        let error = error.to_string();
        assert!(
            error.contains("--page") && error.contains("xtask build"),
            "{error}"
        );
    }

    #[test]
    fn types_follow_the_name() {
        for (name, expected) in [
            ("index.html", "text/html; charset=utf-8"),
            ("engine_bg.wasm", "application/wasm"),
            ("models/m/model.json", "application/json"),
            ("models/m/model.onnx", "application/octet-stream"),
            ("LICENSE", "application/octet-stream"),
        ] {
            assert_eq!(kind(name), expected, "{name}");
        }
    }

    #[test]
    fn brotli_is_sent_to_those_who_read_it() {
        for (accepted, expected) in [
            ("gzip, br", true),
            ("br;q=0.5", true),
            ("br;q=0", false),
            ("gzip", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
            assert_eq!(takes_brotli(&headers), expected, "{accepted}");
        }
    }
}
