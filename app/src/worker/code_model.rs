//! The code language model's side: loads the model once, then reads texts, one request after the other. On what they are
//! computed is the business of [`models`].

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
use super::code_model_protocol::{ModelEvent, ModelRequest};
use super::wire;

/// Starts the model's side in this worker: it listens and says so.
pub fn run() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let teller = scope.clone();
    let models = Models::new(move |event: ModelEvent| wire::post(&teller, &event));
    let reader = Rc::new(Reader {
        scope: scope.clone(),
        waiting: RefCell::default(),
        models: RefCell::new(Some(models)),
    });
    let listener = Rc::clone(&reader);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        listener.hear(&message.data());
    });
    scope.set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
    wire::post(&reader.scope, &ModelEvent::Listening);
}

struct Reader {
    scope: DedicatedWorkerGlobalScope,
    /// With what came beside them.
    waiting: RefCell<VecDeque<(ModelRequest, JsValue)>>,
    /// Taken by whoever is at work.
    models: RefCell<Option<Models>>,
}

impl Reader {
    fn hear(self: &Rc<Self>, message: &JsValue) {
        match request(message) {
            Ok(heard) => {
                self.waiting.borrow_mut().push_back(heard);
                self.work();
            }
            Err(what) => {
                let what = format!("the code model did not understand a request: {what}");
                wire::post(&self.scope, &ModelEvent::Failed { work: None, what });
            }
        }
    }

    /// Answers what waits, in order; a GPU answers in its own time.
    fn work(self: &Rc<Self>) {
        let Some(mut models) = self.models.take() else {
            return;
        };
        let this = Rc::clone(self);
        spawn_local(async move {
            while let Some((request, body)) = this.next() {
                let event = models.answer(request, &body).await;
                wire::post(&this.scope, &event);
            }
            this.models.replace(Some(models));
        });
    }

    fn next(&self) -> Option<(ModelRequest, JsValue)> {
        self.waiting.borrow_mut().pop_front()
    }
}

fn request(message: &JsValue) -> Result<(ModelRequest, JsValue), String> {
    let parts: &Array = message.dyn_ref().ok_or("not a list")?;
    let bytes: Uint8Array = parts.get(0).dyn_into().map_err(|_| "no bytes")?;
    let request = wire::decode(&bytes.to_vec()).map_err(|error| error.to_string())?;
    Ok((request, parts.get(1)))
}
