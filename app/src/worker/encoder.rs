//! The encoder's side: loads the model once, then turns batches of texts into vectors, one after the
//! other. Which texts come when is the pool's business.

use std::cell::RefCell;
use std::rc::Rc;

use footnote_core::embed::{CpuEmbedder, EmbedError, Embedder, LineVectors, TokenVectors};
use footnote_core::index::Quantised;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::encoder_protocol::{
    BatchId, Detail, EncodedBatch, EncoderEvent, EncoderRequest, ModelView,
};
use super::model_files::Fetched;
use super::wire;
use crate::platform::clock;

/// Starts the encoder in this worker: it listens and says so.
pub fn run() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let encoder = Rc::new(Encoder {
        scope: scope.clone(),
        model: RefCell::default(),
    });
    let listener = Rc::clone(&encoder);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        Encoder::hear(&listener, &message.data());
    });
    scope.set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
    wire::post(&encoder.scope, &EncoderEvent::Listening);
}

struct Encoder {
    scope: DedicatedWorkerGlobalScope,
    /// Empty until it is loaded.
    model: RefCell<Option<CpuEmbedder>>,
}

impl Encoder {
    fn hear(this: &Rc<Self>, message: &JsValue) {
        let request = message
            .dyn_ref::<Uint8Array>()
            .ok_or_else(|| "not bytes".to_owned())
            .and_then(|bytes| wire::decode(&bytes.to_vec()).map_err(|error| error.to_string()));
        match request {
            Ok(EncoderRequest::Load { folder }) => {
                let this = Rc::clone(this);
                spawn_local(async move { wire::post(&this.scope, &this.load(&folder).await) });
            }
            Ok(EncoderRequest::Encode { id, texts }) => {
                wire::post(&this.scope, &this.encode(id, &texts));
            }
            Ok(EncoderRequest::Read { id, detail, texts }) => {
                wire::post(&this.scope, &this.read(id, detail, &texts));
            }
            Err(what) => {
                let what = format!("the encoder did not understand a request: {what}");
                wire::post(&this.scope, &EncoderEvent::Failed { batch: None, what });
            }
        }
    }

    async fn load(&self, folder: &str) -> EncoderEvent {
        let start = clock::now_ms();
        let loaded = Fetched::new(folder).await;
        match loaded.and_then(|files| files.load(CpuEmbedder::new)) {
            Ok(model) => {
                let view = ModelView {
                    id: model.model_id().to_owned(),
                    dimension: model.dimension() as u32,
                    max_tokens: model.max_tokens() as u32,
                    load_ms: clock::now_ms() - start,
                };
                self.model.replace(Some(model));
                EncoderEvent::Ready(view)
            }
            Err(what) => EncoderEvent::Failed { batch: None, what },
        }
    }

    fn encode(&self, id: BatchId, texts: &[String]) -> EncoderEvent {
        let start = clock::now_ms();
        self.with_model(id, texts, |model, texts| {
            let encoded = model.encode(texts)?;
            let embeddings = encoded.embeddings.iter();
            Ok(EncoderEvent::Encoded(EncodedBatch {
                id,
                vectors: embeddings
                    .map(|embedding| Quantised::new(embedding).to_bytes())
                    .collect(),
                tokens: encoded.tokens as u32,
                milliseconds: clock::now_ms() - start,
            }))
        })
    }

    fn read(&self, id: BatchId, detail: Detail, texts: &[String]) -> EncoderEvent {
        self.with_model(id, texts, |model, texts| {
            let texts = match detail {
                Detail::Tokens => {
                    let vectors = model.token_vectors(texts)?;
                    vectors.iter().map(TokenVectors::to_bytes).collect()
                }
                Detail::Lines => {
                    let vectors = model.line_vectors(texts)?;
                    vectors.iter().map(LineVectors::to_bytes).collect()
                }
            };
            Ok(EncoderEvent::Read { id, texts })
        })
    }

    fn with_model(
        &self,
        id: BatchId,
        texts: &[String],
        work: impl FnOnce(&mut CpuEmbedder, &[&str]) -> Result<EncoderEvent, EmbedError>,
    ) -> EncoderEvent {
        let failed = |what: String| EncoderEvent::Failed {
            batch: Some(id),
            what,
        };
        // No other call can hold it: this one never waits.
        let Ok(mut model) = self.model.try_borrow_mut() else {
            return failed("the encoder is busy".to_owned());
        };
        let Some(model) = model.as_mut() else {
            return failed("the encoder has no model yet".to_owned());
        };
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        work(model, &texts).unwrap_or_else(|error| failed(error.to_string()))
    }
}
