//! The encoder's side: loads the model once, then turns batches of texts into vectors, one after the
//! other. Which texts come when is the pool's business; on what they are computed is that of [`models`].

mod models;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use self::models::Models;
use super::encoder_protocol::{EncoderEvent, EncoderRequest};
use super::wire;

/// Starts the encoder in this worker: it listens and says so.
pub fn run() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let teller = scope.clone();
    let models = Models::new(move |event: EncoderEvent| wire::post(&teller, &event));
    let encoder = Rc::new(Encoder {
        scope: scope.clone(),
        waiting: RefCell::default(),
        models: RefCell::new(Some(models)),
    });
    let listener = Rc::clone(&encoder);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        listener.hear(&message.data());
    });
    scope.set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
    wire::post(&encoder.scope, &EncoderEvent::Listening);
}

struct Encoder {
    scope: DedicatedWorkerGlobalScope,
    /// With the files that came beside them.
    waiting: RefCell<VecDeque<(EncoderRequest, JsValue)>>,
    /// Taken by whoever is at work.
    models: RefCell<Option<Models>>,
}

impl Encoder {
    fn hear(self: &Rc<Self>, message: &JsValue) {
        match read(message) {
            Ok(request) => {
                self.waiting.borrow_mut().push_back(request);
                self.work();
            }
            Err(what) => {
                let what = format!("the encoder did not understand a request: {what}");
                wire::post(&self.scope, &EncoderEvent::Failed { batch: None, what });
            }
        }
    }

    /// Answers what waits, one request after the other; a GPU answers in its own time.
    fn work(self: &Rc<Self>) {
        let Some(mut models) = self.models.take() else {
            return;
        };
        let this = Rc::clone(self);
        spawn_local(async move {
            while let Some((request, files)) = this.next() {
                let event = models.answer(request, &files).await;
                wire::post(&this.scope, &event);
            }
            this.models.replace(Some(models));
        });
    }

    fn next(&self) -> Option<(EncoderRequest, JsValue)> {
        self.waiting.borrow_mut().pop_front()
    }
}

/// A request, alone or with files beside it.
fn read(message: &JsValue) -> Result<(EncoderRequest, JsValue), String> {
    let (request, files) = match message.dyn_ref::<Array>() {
        Some(parts) => (parts.get(0), parts.get(1)),
        None => (message.clone(), JsValue::UNDEFINED),
    };
    let bytes: &Uint8Array = request.dyn_ref().ok_or("not bytes")?;
    let request = wire::decode(&bytes.to_vec()).map_err(|error| error.to_string())?;
    Ok((request, files))
}
