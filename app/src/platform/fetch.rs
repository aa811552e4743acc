//! Files that come with the page: models and samples. Addresses are relative to the page's folder,
//! so nothing else can be requested.

use js_sys::{ArrayBuffer, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Headers, Response};

use super::outside::{Outside, release};
use super::stream;
use super::workers::{base_url, describe};

/// Bytes read at a time: reading a whole file at once would hold it in memory twice.
const SLICE: f64 = (4 << 20) as f64;

/// Why a file of the page could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    #[error("{path} could not be loaded: {detail}")]
    Unreachable { path: String, detail: String },
    #[error("{path} could not be loaded: {said}")]
    Status {
        path: String,
        status: u16,
        /// What the server said, or its status.
        said: String,
    },
}

/// The file at `path` below the page's folder, not yet in this worker's memory.
pub async fn blob(path: &str) -> Result<Blob, FetchError> {
    let unreachable = |detail: String| FetchError::Unreachable {
        path: path.to_owned(),
        detail,
    };
    let response = answered(path, None).await?;
    let blob = match response.blob() {
        Ok(promise) => JsFuture::from(promise).await,
        Err(error) => Err(error),
    };
    blob.and_then(JsCast::dyn_into)
        .map_err(|error| unreachable(describe(&error)))
}

/// Returns the bytes of the file at `path` below the page's folder. They are read as they arrive: a
/// blob may be stored on disk, and a browser whose disk is full drops it silently.
pub async fn bytes(path: &str) -> Result<Vec<u8>, FetchError> {
    let response = answered(path, None).await?;
    let unreachable = |error: JsValue| FetchError::Unreachable {
        path: path.to_owned(),
        detail: describe(&error),
    };
    // The length is only a hint: it is wrong if the transfer was compressed.
    let length = response.headers().get("content-length").ok().flatten();
    let mut bytes = Vec::with_capacity(length.and_then(|text| text.parse().ok()).unwrap_or(0));
    if let Some(reader) = stream::reader(&response) {
        while let Some(piece) = stream::next(&reader).await.map_err(unreachable)? {
            append(&mut bytes, &piece);
        }
    }
    Ok(bytes)
}

/// Returns the bytes of the file at `path` below the page's folder, outside this program's memory;
/// `None` if `goes_on` returned false. It receives the number of bytes that have arrived and of all
/// bytes, 0 if that is not known. `authorization` is the header of that name.
pub async fn outside_file(
    path: &str,
    authorization: Option<&str>,
    mut goes_on: impl FnMut(u64, u64) -> bool,
) -> Result<Option<Outside>, FetchError> {
    let response = answered(path, authorization).await?;
    let unreachable = |error: JsValue| FetchError::Unreachable {
        path: path.to_owned(),
        detail: describe(&error),
    };
    let header = |name: &str| response.headers().get(name).ok().flatten();
    // Of a compressed transfer, the length says nothing about the file.
    let length = match header("content-encoding") {
        Some(_) => None,
        None => header("content-length").and_then(|text| text.parse().ok()),
    };
    let mut bytes = Outside::default();
    let mut done = 0;
    if let Some(reader) = stream::reader(&response) {
        while let Some(piece) = stream::next(&reader).await.map_err(unreachable)? {
            done += u64::from(piece.length());
            bytes.append(piece);
            if !goes_on(done, length.unwrap_or(0)) {
                // Nobody waits for the rest, whether or not the browser stops loading it.
                let _ = JsFuture::from(reader.cancel()).await;
                return Ok(None);
            }
        }
    }
    Ok(Some(bytes))
}

/// Copies a piece to the end of `bytes` and frees the piece's own memory.
fn append(bytes: &mut Vec<u8>, piece: &Uint8Array) {
    let at = bytes.len();
    bytes.resize(at + piece.length() as usize, 0);
    piece.copy_to(bytes.get_mut(at..).unwrap_or_default());
    release(piece);
}

/// Requests the file at `path` and returns the response once its head has arrived.
async fn answered(path: &str, authorization: Option<&str>) -> Result<Response, FetchError> {
    let unreachable = |detail: String| FetchError::Unreachable {
        path: path.to_owned(),
        detail,
    };
    let base = base_url().map_err(|error| unreachable(error.to_string()))?;
    let response = get(&format!("{base}{path}"), authorization)
        .await
        .map_err(|error| unreachable(describe(&error)))?;
    match response.ok() {
        true => Ok(response),
        false => Err(FetchError::Status {
            path: path.split('?').next().unwrap_or_default().to_owned(),
            status: response.status(),
            said: said(&response).await,
        }),
    }
}

/// Why a server refused: its own words, if it is `footnote serve`, or otherwise its status.
async fn said(response: &Response) -> String {
    let json = match response.json() {
        Ok(promise) => JsFuture::from(promise).await.ok(),
        Err(_) => None,
    };
    let error = json.and_then(|json| Reflect::get(&json, &"error".into()).ok());
    let error = error.and_then(|error| error.as_string());
    error.unwrap_or_else(|| format!("the server answered {}", response.status()))
}

/// Calls `fetch` of the page's or worker's global object.
async fn get(address: &str, authorization: Option<&str>) -> Result<Response, JsValue> {
    let global = js_sys::global();
    let fetch: js_sys::Function = Reflect::get(&global, &JsValue::from_str("fetch"))?.dyn_into()?;
    let init = Object::new();
    if let Some(value) = authorization {
        let headers = Headers::new()?;
        headers.set("authorization", value)?;
        Reflect::set(&init, &"headers".into(), &headers)?;
        // What is sent to this address must not be passed on to another.
        Reflect::set(&init, &"redirect".into(), &"error".into())?;
    }
    let promise: Promise = fetch
        .call2(&global, &JsValue::from_str(address), &init)?
        .dyn_into()?;
    JsFuture::from(promise).await?.dyn_into()
}

/// Reads the bytes of a file or blob. An error says why it cannot be read (moved, deleted, no
/// permission).
pub async fn read(blob: &Blob) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(blob.size() as usize);
    each_slice(blob, |slice| append(&mut bytes, &slice)).await?;
    Ok(bytes)
}

/// Like [`read`], but the bytes stay outside this program's memory.
pub async fn outside(blob: &Blob) -> Result<Outside, String> {
    let mut bytes = Outside::default();
    each_slice(blob, |slice| bytes.append(slice)).await?;
    Ok(bytes)
}

async fn each_slice(blob: &Blob, mut take: impl FnMut(Uint8Array)) -> Result<(), String> {
    let size = blob.size();
    let mut start = 0.0;
    while start < size {
        let end = size.min(start + SLICE);
        let slice = blob.slice_with_f64_and_f64(start, end);
        let slice = slice.map_err(|error| describe(&error))?;
        let buffer = JsFuture::from(slice.array_buffer())
            .await
            .map_err(|error| describe(&error))?;
        let buffer: ArrayBuffer = buffer.unchecked_into();
        take(Uint8Array::new(&buffer));
        start = end;
    }
    Ok(())
}
