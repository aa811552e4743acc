//! The code language model, on the GPU if one may be used and supports the model's network, and on
//! the processor.

use footnote_core::code_model::gpu::{GpuCodeModel, Weights};
use footnote_core::code_model::{
    CodeModel, LanguageModel, ModelError, ModelInput, TokenProbability,
};
use wasm_bindgen::JsValue;

use crate::platform::gpu::{self, Opened};
use crate::worker::answering::Answers;
use crate::worker::code_model_protocol::{
    ModelEvent, ModelInputView, ModelRequest, WorkId, token_views,
};
use crate::worker::encoder_protocol::{Backend, GpuUse};
use crate::worker::model_files::{self, Fetched};

/// The token probabilities of each text.
type Read = Result<Vec<Vec<TokenProbability>>, ModelError>;

/// What reads the code. At least one of the two is present once a model is loaded.
pub struct Models {
    /// The folder of Footnote's own model.
    folder: String,
    gpu: Option<GpuCodeModel>,
    /// Footnote's own model is loaded here when it is first needed; a user's model is always here.
    cpu: Option<CodeModel>,
    /// Sends events that come before an answer.
    tell: Box<dyn Fn(ModelEvent)>,
}

impl Answers for Models {
    type Request = ModelRequest;
    type Event = ModelEvent;

    /// Creates the worker's state; nothing is loaded yet.
    fn new(tell: Box<dyn Fn(ModelEvent)>) -> Self {
        Self {
            folder: String::new(),
            gpu: None,
            cpu: None,
            tell,
        }
    }

    fn listening() -> ModelEvent {
        ModelEvent::Listening
    }

    fn not_understood(why: &str) -> ModelEvent {
        let what = format!("the code model did not understand a request: {why}");
        ModelEvent::Failed { work: None, what }
    }

    async fn answer(&mut self, request: ModelRequest, body: &JsValue) -> ModelEvent {
        let (work, answered) = match request {
            ModelRequest::LoadOwn { folder, gpu } => (None, self.load_own(folder, gpu).await),
            ModelRequest::LoadBrought { name, gpu } => {
                (None, self.load_brought(&name, body, gpu).await)
            }
            ModelRequest::Read { work, inputs } => (Some(work), self.read(work, &inputs).await),
        };
        answered.unwrap_or_else(|what| ModelEvent::Failed { work, what })
    }
}

impl Models {
    async fn load_own(&mut self, folder: String, wanted: GpuUse) -> Result<ModelEvent, String> {
        self.folder = folder;
        let backend = match wanted {
            GpuUse::Never => Backend::default(),
            GpuUse::Real | GpuUse::Emulated => {
                self.own_on_gpu(wanted).await.unwrap_or_else(refused)
            }
        };
        let model = match &self.gpu {
            Some(model) => model.model_id().to_owned(),
            None => self.on_cpu().await?.model_id().to_owned(),
        };
        Ok(ModelEvent::Ready { model, backend })
    }

    async fn own_on_gpu(&mut self, wanted: GpuUse) -> Result<Backend, String> {
        let opened = open(wanted).await?;
        let mut fetched = Fetched::new(&self.folder).await?;
        let (device, queue) = (&opened.device, &opened.queue);
        let model = GpuCodeModel::new(device, queue, opened.tier, fetched.files()).await;
        self.use_gpu(opened.name, model)
    }

    async fn load_brought(
        &mut self,
        name: &str,
        body: &JsValue,
        wanted: GpuUse,
    ) -> Result<ModelEvent, String> {
        let check = |bytes| CodeModel::check_size(name, bytes);
        let (onnx, tokenizer) = model_files::brought(body, check).await?;
        let brought = CodeModel::brought_with_weights(name, onnx.into(), &tokenizer);
        let (cpu, weights) = brought.map_err(|error| error.to_string())?;
        let backend = match (wanted, weights) {
            (GpuUse::Never, _) => Backend::default(),
            // Most models that users add end up here; the processor runs any operators.
            (_, Err(why)) => refused(format!("the GPU cannot run this model's network, {why}")),
            (_, Ok(weights)) => {
                let on_gpu = self.brought_on_gpu(wanted, weights, &cpu).await;
                on_gpu.unwrap_or_else(refused)
            }
        };
        let model = cpu.model_id().to_owned();
        self.cpu = Some(cpu);
        Ok(ModelEvent::Ready { model, backend })
    }

    async fn brought_on_gpu(
        &mut self,
        wanted: GpuUse,
        weights: Weights,
        cpu: &CodeModel,
    ) -> Result<Backend, String> {
        let opened = open(wanted).await?;
        let (device, queue) = (&opened.device, &opened.queue);
        let model = GpuCodeModel::brought(device, queue, opened.tier, weights, cpu).await;
        self.use_gpu(opened.name, model)
    }

    fn use_gpu(
        &mut self,
        name: String,
        model: Result<GpuCodeModel, ModelError>,
    ) -> Result<Backend, String> {
        let model = model.map_err(|error| error.to_string())?;
        let tier = model.tier().name().to_owned();
        self.gpu = Some(model);
        Ok(Backend::Gpu { name, tier })
    }

    async fn on_cpu(&mut self) -> Result<&mut CodeModel, String> {
        if self.cpu.is_none() {
            if self.folder.is_empty() {
                return Err("the code model is not loaded yet".to_owned());
            }
            let files = Fetched::new(&self.folder).await?;
            self.cpu = Some(files.load(CodeModel::new)?);
        }
        self.cpu
            .as_mut()
            .ok_or_else(|| "the code model is not loaded yet".to_owned())
    }

    async fn read(
        &mut self,
        work: WorkId,
        inputs: &[ModelInputView],
    ) -> Result<ModelEvent, String> {
        let inputs: Vec<ModelInput> = inputs.iter().map(ModelInputView::input).collect();
        let read = match self.read_on_gpu(&inputs).await {
            Some(read) => read,
            None => self.on_cpu().await?.read(&inputs),
        };
        let read = read.map_err(|error| error.to_string())?;
        let tokens = read.iter().map(|tokens| token_views(tokens)).collect();
        Ok(ModelEvent::Read { work, tokens })
    }

    /// Returns `None` if there is no GPU, or if it has been lost.
    async fn read_on_gpu(&mut self, inputs: &[ModelInput<'_>]) -> Option<Read> {
        let read = self.gpu.as_mut()?.read(inputs).await;
        let Err(ModelError::Device(why)) = read else {
            return Some(read);
        };
        self.gpu = None;
        (self.tell)(ModelEvent::GpuLost { why });
        None
    }
}

async fn open(wanted: GpuUse) -> Result<Opened, String> {
    let opened = gpu::open(wanted == GpuUse::Emulated).await;
    opened.map_err(|error| error.to_string())
}

fn refused(why: String) -> Backend {
    Backend::Cpu { refused: Some(why) }
}
