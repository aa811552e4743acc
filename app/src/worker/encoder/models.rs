//! The encoder, on the GPU if one may be used, and on the processor as soon as it is needed.

use footnote_core::embed::cpu::Encoded;
use footnote_core::embed::{
    CpuEmbedder, EmbedError, Embedder, GpuEmbedder, LineVectors, Pooling, Quantised, TokenVectors,
};
use wasm_bindgen::JsValue;

use crate::platform::{clock, gpu};
use crate::worker::answering::Answers;
use crate::worker::encoder_protocol::{
    Backend, BatchId, Detail, EncodedBatch, EncoderEvent, EncoderRequest, GpuUse, ModelView,
    PoolingView,
};
use crate::worker::model_files::{self, Fetched};

/// What an encoder computes with. At least one of the two is present once the model is loaded.
pub struct Models {
    folder: String,
    gpu: Option<GpuEmbedder>,
    cpu: Option<CpuEmbedder>,
    /// Sends events that come before an answer.
    tell: Box<dyn Fn(EncoderEvent)>,
}

impl Answers for Models {
    type Request = EncoderRequest;
    type Event = EncoderEvent;

    /// Creates the worker's state; nothing is loaded yet.
    fn new(tell: Box<dyn Fn(EncoderEvent)>) -> Self {
        Self {
            folder: String::new(),
            gpu: None,
            cpu: None,
            tell,
        }
    }

    fn listening() -> EncoderEvent {
        EncoderEvent::Listening
    }

    fn not_understood(why: &str) -> EncoderEvent {
        let what = format!("the encoder did not understand a request: {why}");
        EncoderEvent::Failed { batch: None, what }
    }

    async fn answer(&mut self, request: EncoderRequest, files: &JsValue) -> EncoderEvent {
        let (batch, answered) = match request {
            EncoderRequest::Load { folder, gpu } => (None, self.load(folder, gpu).await),
            EncoderRequest::LoadBrought { name, pooling } => {
                (None, self.load_brought(&name, files, pooling).await)
            }
            EncoderRequest::Encode { id, texts } => (Some(id), self.encode(id, &texts).await),
            EncoderRequest::Read { id, detail, texts } => {
                (Some(id), self.read(id, detail, &texts).await)
            }
        };
        answered.unwrap_or_else(|what| EncoderEvent::Failed { batch, what })
    }
}

impl Models {
    async fn load(&mut self, folder: String, wanted: GpuUse) -> Result<EncoderEvent, String> {
        let start = clock::now_ms();
        self.folder = folder;
        let backend = match wanted {
            GpuUse::Never => Backend::Cpu { refused: None },
            GpuUse::Real | GpuUse::Emulated => self
                .open_gpu(wanted == GpuUse::Emulated)
                .await
                .unwrap_or_else(|why| Backend::Cpu { refused: Some(why) }),
        };
        if let Some(model) = &self.gpu {
            let tokens = model.max_tokens();
            return Ok(ready(
                model.model_id(),
                model.dimension(),
                tokens,
                start,
                backend,
            ));
        }
        let model = self.on_cpu().await?;
        let tokens = model.max_tokens();
        Ok(ready(
            model.model_id(),
            model.dimension(),
            tokens,
            start,
            backend,
        ))
    }

    async fn load_brought(
        &mut self,
        name: &str,
        files: &JsValue,
        pooling: PoolingView,
    ) -> Result<EncoderEvent, String> {
        let start = clock::now_ms();
        let check = |bytes| CpuEmbedder::check_size(name, bytes);
        let (onnx, tokenizer) = model_files::brought(files, check).await?;
        let pooling = match pooling {
            PoolingView::Mean => Pooling::Mean,
            PoolingView::First => Pooling::First,
        };
        let model = CpuEmbedder::brought(name, onnx.into(), &tokenizer, pooling);
        let model = model.map_err(|error| error.to_string())?;
        let (id, backend) = (model.model_id(), Backend::default());
        let ready = ready(id, model.dimension(), model.max_tokens(), start, backend);
        self.cpu = Some(model);
        Ok(ready)
    }

    /// Loads the model on a GPU, or says why none is used.
    async fn open_gpu(&mut self, may_be_emulated: bool) -> Result<Backend, String> {
        let opened = gpu::open(may_be_emulated).await;
        let gpu::Opened {
            name,
            tier,
            device,
            queue,
        } = opened.map_err(|error| error.to_string())?;
        let mut fetched = Fetched::new(&self.folder).await?;
        let files = fetched.files();
        let model = GpuEmbedder::new(&device, &queue, tier, files).await;
        let model = model.map_err(|error| error.to_string())?;
        let tier = model.tier().name().to_owned();
        self.gpu = Some(model);
        Ok(Backend::Gpu { name, tier })
    }

    /// Returns the model on the processor, loading it on first use.
    async fn on_cpu(&mut self) -> Result<&mut CpuEmbedder, String> {
        if self.cpu.is_none() {
            let files = Fetched::new(&self.folder).await?;
            self.cpu = Some(files.load(CpuEmbedder::new)?);
        }
        self.cpu
            .as_mut()
            .ok_or_else(|| "the encoder has no model yet".to_owned())
    }

    async fn encode(&mut self, id: BatchId, texts: &[String]) -> Result<EncoderEvent, String> {
        let start = clock::now_ms();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let encoded = match self.encode_on_gpu(&texts).await {
            Some(encoded) => encoded,
            None => self.on_cpu().await?.encode(&texts),
        };
        let encoded = encoded.map_err(|error| error.to_string())?;
        let vectors = encoded.embeddings.iter();
        Ok(EncoderEvent::Encoded(EncodedBatch {
            id,
            vectors: vectors
                .map(|embedding| Quantised::new(embedding).to_bytes())
                .collect(),
            tokens: encoded.tokens as u32,
            milliseconds: clock::now_ms() - start,
        }))
    }

    /// Returns `None` if there is no GPU, or if it has been lost.
    async fn encode_on_gpu(&mut self, texts: &[&str]) -> Option<Result<Encoded, EmbedError>> {
        let encoded = self.gpu.as_mut()?.encode(texts).await;
        let Err(EmbedError::Device(why)) = encoded else {
            return Some(encoded);
        };
        self.gpu = None;
        (self.tell)(EncoderEvent::GpuLost { why });
        None
    }

    /// Vectors of tokens and lines are computed on the processor: there are few of them.
    async fn read(
        &mut self,
        id: BatchId,
        detail: Detail,
        texts: &[String],
    ) -> Result<EncoderEvent, String> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let model = self.on_cpu().await?;
        let read = match detail {
            Detail::Tokens => model
                .token_vectors(&texts)
                .map(|vectors| vectors.iter().map(TokenVectors::to_bytes).collect()),
            Detail::Lines => model
                .line_vectors(&texts)
                .map(|vectors| vectors.iter().map(LineVectors::to_bytes).collect()),
        };
        let texts = read.map_err(|error| error.to_string())?;
        Ok(EncoderEvent::Read { id, texts })
    }
}

fn ready(id: &str, dimension: usize, tokens: usize, start: f64, backend: Backend) -> EncoderEvent {
    EncoderEvent::Ready(ModelView {
        id: id.to_owned(),
        dimension: dimension as u32,
        max_tokens: tokens as u32,
        load_ms: clock::now_ms() - start,
        backend,
    })
}
