//! The code language model's side: loads the model once, then reads texts, one request after the other.

use std::cell::RefCell;
use std::rc::Rc;

use footnote_core::compress::CodeModel;
use footnote_core::compress::score::ami::{LanguageModel, ModelInput};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::code_model_protocol::{ModelEvent, ModelInputView, ModelRequest, WorkId, token_views};
use super::model_files::{self, Fetched};
use super::wire;

/// Starts the model's side in this worker: it listens and says so.
pub fn run() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let reader = Rc::new(Reader {
        scope: scope.clone(),
        model: RefCell::default(),
    });
    let listener = Rc::clone(&reader);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        Reader::hear(&listener, &message.data());
    });
    scope.set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
    wire::post(&reader.scope, &ModelEvent::Listening);
}

struct Reader {
    scope: DedicatedWorkerGlobalScope,
    /// Empty until it is loaded.
    model: RefCell<Option<CodeModel>>,
}

impl Reader {
    fn hear(this: &Rc<Self>, message: &JsValue) {
        let (request, body) = match request(message) {
            Ok(heard) => heard,
            Err(what) => {
                let what = format!("the code model did not understand a request: {what}");
                return wire::post(&this.scope, &ModelEvent::Failed { work: None, what });
            }
        };
        match request {
            ModelRequest::LoadOwn { folder } => {
                let this = Rc::clone(this);
                spawn_local(async move {
                    let loaded = Fetched::new(&folder).await;
                    this.loaded(loaded.and_then(|files| files.load(CodeModel::new)));
                });
            }
            ModelRequest::LoadBrought { name } => {
                let this = Rc::clone(this);
                spawn_local(async move { this.loaded(brought(&name, &body).await) });
            }
            ModelRequest::Read { work, inputs } => {
                wire::post(&this.scope, &this.read(work, &inputs));
            }
        }
    }

    fn loaded(&self, loaded: Result<CodeModel, String>) {
        let event = match loaded {
            Ok(model) => {
                let id = model.model_id().to_owned();
                self.model.replace(Some(model));
                ModelEvent::Ready { model: id }
            }
            Err(what) => ModelEvent::Failed { work: None, what },
        };
        wire::post(&self.scope, &event);
    }

    fn read(&self, work: WorkId, inputs: &[ModelInputView]) -> ModelEvent {
        // No other call can hold it: this one never waits.
        let read = match self.model.borrow_mut().as_mut() {
            Some(model) => {
                let inputs: Vec<ModelInput> = inputs.iter().map(ModelInputView::input).collect();
                model.read(&inputs).map_err(|error| error.to_string())
            }
            None => Err("the code model is not loaded yet".to_owned()),
        };
        match read {
            Ok(read) => ModelEvent::Read {
                work,
                tokens: read.iter().map(|tokens| token_views(tokens)).collect(),
            },
            Err(what) => ModelEvent::Failed {
                work: Some(work),
                what,
            },
        }
    }
}

fn request(message: &JsValue) -> Result<(ModelRequest, JsValue), String> {
    let parts: &Array = message.dyn_ref().ok_or("not a list")?;
    let bytes: Uint8Array = parts.get(0).dyn_into().map_err(|_| "no bytes")?;
    let request = wire::decode(&bytes.to_vec()).map_err(|error| error.to_string())?;
    Ok((request, parts.get(1)))
}

async fn brought(name: &str, body: &JsValue) -> Result<CodeModel, String> {
    let check = |bytes| CodeModel::check_size(name, bytes);
    let (onnx, tokenizer) = model_files::brought(body, check).await?;
    CodeModel::brought(name, onnx.into(), &tokenizer).map_err(|error| error.to_string())
}
