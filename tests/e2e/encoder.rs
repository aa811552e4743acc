//! Both builds of the encoder, each in a worker started as the page starts it, whichever of the two
//! the page would choose.

use std::collections::VecDeque;

use footnote_app::worker::encoder_protocol::{BatchId, EncoderEvent, EncoderRequest, GpuUse};
use footnote_app::worker::wire;
use footnote_core::embed::Quantised;
use footnote_core::embed::conformance::{self, Stored};
use footnote_core::embed::{EmbedError, Embedder, Embedding, TokenVectors};
use footnote_tests::browser::{PATIENCE, Page};
use serde_json::json;
use xtask::paths;

/// The builds without and with relaxed vector instructions.
pub const PROGRAMS: [&str; 2] = ["encoder", "encoder_relaxed"];

const MODEL: &str = "models/all-MiniLM-L6-v2-int8";

/// Starts a worker as the page does, and sends it one request after each of its messages; returns
/// all its messages.
const CONVERSE: &str = "
    const [program, role, requests, done] = arguments;
    const base = new URL('.', document.baseURI).href;
    const body = `self.footnoteBase = '${base}'; self.footnoteRole = '${role}';
        self.trustedTypes?.createPolicy('default', { createScriptURL: (address) => address });
        importScripts('${base}${program}.js'); wasm_bindgen({ module_or_path: '${base}${program}_bg.wasm' });`;
    const worker = new Worker(URL.createObjectURL(new Blob([body], { type: 'text/javascript' })));
    const said = [];
    worker.onerror = (event) => done([event.message]);
    worker.onmessage = (event) => {
        said.push([...event.data]);
        const next = requests[said.length - 1];
        const bytes = next && new Uint8Array(next);
        if (next) worker.postMessage(role === 'encoder' ? bytes : [bytes, undefined]);
        else { worker.terminate(); done(said); }
    };";

/// Sends requests to a worker of this program and role; returns its messages.
pub async fn converse(
    page: &Page,
    program: &str,
    role: &str,
    requests: &[Vec<u8>],
) -> Vec<Vec<u8>> {
    page.driver.set_script_timeout(PATIENCE).await.unwrap();
    let arguments = vec![json!(program), json!(role), json!(requests)];
    let ran = page
        .driver
        .execute_async(CONVERSE, arguments)
        .await
        .unwrap();
    serde_json::from_value(ran.json().clone())
        .unwrap_or_else(|_| panic!("{program}: {:?}", ran.json()))
}

/// Stands in for an encoder in another process: records what it is asked, and answers from what is
/// known by then.
#[derive(Default)]
struct Remote {
    model: String,
    asked: Vec<Vec<String>>,
    answers: VecDeque<Vec<Embedding>>,
}

impl Embedder for Remote {
    fn model_id(&self) -> &str {
        &self.model
    }

    fn dimension(&self) -> usize {
        384
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError> {
        self.asked
            .push(texts.iter().map(|&text| text.to_owned()).collect());
        let unknown = || vec![Embedding::from_raw(vec![0.0; 384]); texts.len()];
        Ok(self.answers.pop_front().unwrap_or_else(unknown))
    }

    fn token_vectors(&mut self, _: &[&str]) -> Result<Vec<TokenVectors>, EmbedError> {
        Ok(Vec::new())
    }
}

#[tokio::test]
async fn the_browsers_vectors_match_onnxruntime() {
    let path = paths::root().join("tests/fixtures/embeddings/vectors.json");
    let stored = Stored::read(&std::fs::read(path).unwrap()).unwrap();
    let mut questions = Remote::default();
    conformance::check(&mut questions, &stored).unwrap();
    let page = Page::open().await;
    for program in PROGRAMS {
        let mut remote = answered(&page, program, &questions.asked).await;
        let problems = conformance::check(&mut remote, &stored).unwrap();
        assert!(problems.is_empty(), "{program}: {problems:#?}");
        assert_eq!(remote.asked, questions.asked);
    }
    page.close().await;
}

/// Has a build of the encoder answer all questions.
async fn answered(page: &Page, program: &str, questions: &[Vec<String>]) -> Remote {
    let folder = format!("{}/{MODEL}/", page.url().trim_end_matches('/'));
    let batches = questions
        .iter()
        .enumerate()
        .map(|(id, texts)| EncoderRequest::Encode {
            id: BatchId(id as u32),
            texts: texts.clone(),
        });
    let gpu = GpuUse::Never;
    let requests: Vec<Vec<u8>> = std::iter::once(EncoderRequest::Load { folder, gpu })
        .chain(batches)
        .map(|request| wire::encode(&request).unwrap())
        .collect();
    let mut remote = Remote::default();
    for bytes in converse(page, program, "encoder", &requests).await {
        match wire::decode(&bytes).unwrap() {
            EncoderEvent::Listening => {}
            EncoderEvent::Ready(model) => remote.model = model.id,
            EncoderEvent::Encoded(batch) => remote
                .answers
                .push_back(batch.vectors.iter().map(|bytes| vector(bytes)).collect()),
            other => panic!("{program}: {other:?}"),
        }
    }
    remote
}

fn vector(bytes: &[u8]) -> Embedding {
    Quantised::from_bytes(bytes).unwrap().to_embedding()
}
