//! A worker that parses beside the engine: files in, their parsed contents out. It is the engine's
//! own program in another role, so its code is already compiled, and it ends when the repository
//! has been read.
//!
//! A request is a list of paths and texts, encoded with postcard; the answer is [`format::carry`]'s
//! bytes, in the order of requests. An empty message says that the worker listens. Anything sent
//! before that is lost.

use footnote_core::chunk::Chunking;
use footnote_core::index::{ReadFile, format};
use footnote_core::source::SourceFile;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::wire;

/// Starts the parser in this worker: installs the listener and announces it.
pub fn run() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let teller = scope.clone();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        let request = message.data();
        let bytes = request.dyn_ref().map(Uint8Array::to_vec);
        post(&teller, &answer(&bytes.unwrap_or_default()));
    });
    scope.set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
    post(&scope, &[]);
}

/// Returns what was parsed of each requested file. If the request is not understood, returns
/// nothing for any file, so that the engine parses them itself.
fn answer(request: &[u8]) -> Vec<u8> {
    let files: Vec<(String, String)> = wire::decode(request).unwrap_or_default();
    let read = files.into_iter().map(|(path, text)| {
        let file = SourceFile { path, text };
        ReadFile::of(&file, Chunking::FUNCTION).ok()
    });
    format::carry(&read.collect::<Vec<_>>())
}

fn post(scope: &DedicatedWorkerGlobalScope, bytes: &[u8]) {
    let bytes = Uint8Array::from(bytes);
    // If a message cannot be sent, there is no one to receive it.
    let _ = scope.post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer()));
}
