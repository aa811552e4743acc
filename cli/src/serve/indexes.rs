//! `/indexes.json` and `/indexes/NAME`: the list of index files that the user may read, and each of
//! them, whole or in ranges.

use std::ops::Range;
use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::{Value, json};

use super::api;
use super::app::App;
use super::reply::{self, is_known};
use super::source::{IndexFile, Repository, Trouble, User};
use crate::index::listing::VERSION;

/// Bytes that are read at once.
const PIECE: u64 = 256 * 1024;

/// Where questions over all repositories go, below the page's own address.
const API: &str = "api";

/// `/indexes.json`: of each entry that `footnote index` would write, the part that the page reads.
/// `api` says that all of them can be searched here, `tokens` that others may read more or less.
pub async fn list(State(app): State<Arc<App>>, Extension(user): Extension<User>) -> Response {
    let all = app.catalogue.repositories(&user).await;
    let entry = |it: Repository| {
        json!({
            "name": it.repository,
            "file": it.index,
            "bytes": it.size,
            "files": it.files,
            "chunks": it.chunks,
            "has_text": true,
        })
    };
    let tokens = app.tells_users_apart();
    api::json(all.map(|repositories| {
        let indexes: Vec<Value> = repositories.into_iter().map(entry).collect();
        json!({ "version": VERSION, "api": API, "tokens": tokens, "indexes": indexes })
    }))
}

/// `/indexes/NAME`.
pub async fn one(
    State(app): State<Arc<App>>,
    Extension(user): Extension<User>,
    name: Result<Path<String>, PathRejection>,
    asked: HeaderMap,
) -> Response {
    // What cannot be decoded is the name of no file.
    let name = name.map_or_else(|_| String::new(), |Path(name)| name);
    match app.catalogue.index_file(&user, &name).await {
        Ok(file) => answer(file, &asked),
        Err(trouble) => trouble.into_response(),
    }
}

fn answer(file: IndexFile, asked: &HeaderMap) -> Response {
    let size = file.size;
    let tag = file.tag.clone();
    let mut response = if is_known(asked, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match wanted(asked, &tag, size) {
            Wanted::All => whole(file),
            Wanted::Part(range) => part(file, range),
            Wanted::Nothing => {
                let sentence = format!("the file has {size} bytes; ask for a range inside it");
                let mut response = reply::error(StatusCode::RANGE_NOT_SATISFIABLE, &sentence);
                set(
                    response.headers_mut(),
                    header::CONTENT_RANGE,
                    &format!("bytes */{size}"),
                );
                response
            }
        }
    };
    let headers = response.headers_mut();
    // Kept by browsers, which ask each time whether they still may read it.
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-cache"),
    );
    headers.insert(header::VARY, HeaderValue::from_static("Authorization"));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    reply::tag(headers, &tag);
    response
}

fn whole(file: IndexFile) -> Response {
    let range = 0..file.size;
    (StatusCode::OK, body(file, range)).into_response()
}

fn part(file: IndexFile, range: Range<u64>) -> Response {
    let (first, last) = (range.start, range.end.saturating_sub(1));
    let said = format!("bytes {first}-{last}/{}", file.size);
    let mut response = (StatusCode::PARTIAL_CONTENT, body(file, range)).into_response();
    set(response.headers_mut(), header::CONTENT_RANGE, &said);
    response
}

/// The bytes of a range, read piece by piece while they are sent.
fn body(file: IndexFile, range: Range<u64>) -> impl IntoResponse {
    let length = range.end - range.start;
    let pieces = stream::try_unfold((file, range), |(file, range)| async move {
        if range.is_empty() {
            return Ok::<_, Trouble>(None);
        }
        let end = range.end.min(range.start + PIECE);
        let piece = file.bytes.read(range.start..end).await?;
        Ok(Some((piece, (file, end..range.end))))
    });
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/octet-stream"),
        ),
        (header::CONTENT_LENGTH, HeaderValue::from(length)),
    ];
    (headers, Body::from_stream(pieces))
}

#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    All,
    Part(Range<u64>),
    /// A range outside the file.
    Nothing,
}

/// What a request wants of a file. Several ranges at once, or a value that is not a range, count as
/// the whole file, as the standard allows.
fn wanted(asked: &HeaderMap, tag: &str, size: u64) -> Wanted {
    let text = |name: header::HeaderName| asked.get(name).and_then(|it| it.to_str().ok());
    // The rest of a file that has changed since is not the rest of what the client has.
    let is_same = text(header::IF_RANGE).is_none_or(|it| it == format!("\"{tag}\""));
    let range = text(header::RANGE).filter(|_| is_same);
    let Some(range) = range.and_then(|it| it.strip_prefix("bytes=")) else {
        return Wanted::All;
    };
    let Some((first, last)) = range.split_once('-') else {
        return Wanted::All;
    };
    let number = |text: &str| text.trim().parse::<u64>();
    let (start, end) = match (first.trim(), last.trim()) {
        ("", last) => match number(last) {
            Ok(count) => (size.saturating_sub(count), size),
            Err(_) => return Wanted::All,
        },
        (first, "") => match number(first) {
            Ok(first) => (first, size),
            Err(_) => return Wanted::All,
        },
        (first, last) => match (number(first), number(last)) {
            (Ok(first), Ok(last)) if first <= last => (first, size.min(last.saturating_add(1))),
            _ => return Wanted::All,
        },
    };
    match start < end {
        true => Wanted::Part(start..end),
        false => Wanted::Nothing,
    }
}

fn set(headers: &mut HeaderMap, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::{prop_assert, proptest};

    use super::*;

    #[test]
    fn ranges_are_read_as_the_standard_says() {
        for (range, expected) in [
            ("bytes=0-9", Wanted::Part(0..10)),
            ("bytes=90-", Wanted::Part(90..100)),
            ("bytes=-10", Wanted::Part(90..100)),
            ("bytes=-1000", Wanted::Part(0..100)),
            ("bytes=95-1000", Wanted::Part(95..100)),
            ("bytes=0-18446744073709551615", Wanted::Part(0..100)),
            ("bytes=100-", Wanted::Nothing),
            ("bytes=-0", Wanted::Nothing),
            ("bytes=9-0", Wanted::All),
            ("bytes=0-1,5-6", Wanted::All),
            ("bytes=x-", Wanted::All),
            ("lines=0-9", Wanted::All),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::RANGE, HeaderValue::from_static(range));
            assert_eq!(wanted(&headers, "t", 100), expected, "{range}");
        }
    }

    proptest! {
        #[test]
        fn no_range_reaches_outside_the_file(range in "(bytes=)?[ 0-9,-]{0,24}", size: u64) {
            let mut headers = HeaderMap::new();
            headers.insert(header::RANGE, HeaderValue::from_str(&range).unwrap());
            if let Wanted::Part(part) = wanted(&headers, "t", size) {
                prop_assert!(part.start < part.end && part.end <= size);
            }
        }
    }

    #[test]
    fn a_range_of_a_file_that_has_changed_is_the_whole_file() {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_static("bytes=5-"));
        headers.insert(header::IF_RANGE, HeaderValue::from_static("\"old\""));
        assert_eq!(wanted(&headers, "new", 10), Wanted::All);
        assert_eq!(wanted(&headers, "old", 10), Wanted::Part(5..10));
    }
}
