//! The GPU's own tests run on any Vulkan adapter; without a GPU that is Mesa's lavapipe.

use std::borrow::Cow;

use pollster::block_on;

use super::super::conformance::{self, Stored};
use super::super::{Embedder, TokenVectors};
use super::*;
use crate::gpu::tests::device::device;

const MANIFEST: &[u8] =
    include_bytes!("../../../../public/models/all-MiniLM-L6-v2-int8/model.json");
const ONNX: &[u8] = include_bytes!("../../../../public/models/all-MiniLM-L6-v2-int8/model.onnx");
const TOKENIZER: &[u8] =
    include_bytes!("../../../../public/models/all-MiniLM-L6-v2-int8/tokenizer.json");
const STORED: &[u8] = include_bytes!("../../../../tests/fixtures/embeddings/vectors.json");

const FILES: ModelFiles = ModelFiles {
    manifest: MANIFEST,
    onnx: Cow::Borrowed(ONNX),
    tokenizer: TOKENIZER,
};

/// The GPU as the suite expects it: asynchronous results are waited for.
struct Waiting(GpuEmbedder);

impl Waiting {
    fn new(tier: Tier) -> Self {
        let (device, queue) = device(tier);
        let embedder = block_on(GpuEmbedder::new(&device, &queue, tier, FILES)).unwrap();
        assert_eq!(embedder.tier(), tier, "the self-test failed on the tier");
        Self(embedder)
    }
}

impl Embedder for Waiting {
    fn model_id(&self) -> &str {
        self.0.model_id()
    }

    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError> {
        Ok(block_on(self.0.encode(texts))?.embeddings)
    }

    fn token_vectors(&mut self, _: &[&str]) -> Result<Vec<TokenVectors>, EmbedError> {
        Err(EmbedError::Run("not on the GPU".to_owned()))
    }
}

/// Runs the suite on every `nth` of the texts of at most `longest` tokens, because a CPU that
/// emulates a GPU is slow. All texts are compared with the processor's vectors below.
fn conforms(tier: Tier, longest: usize, nth: usize) {
    let mut stored = Stored::read(STORED).unwrap();
    stored.cases.retain(|case| case.ids.len() <= longest);
    stored.cases = stored.cases.into_iter().step_by(nth).collect();
    assert!(stored.cases.len() > 2);
    let problems = conformance::check(&mut Waiting::new(tier), &stored).unwrap();
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn the_basic_gpu_backend_conforms() {
    conforms(Tier::Basic, 40, 3);
}

#[test]
fn the_gpu_backend_in_half_precision_conforms() {
    conforms(Tier::F16, 40, 3);
}

#[test]
fn the_gpu_backend_with_subgroups_conforms() {
    conforms(Tier::Subgroups, 40, 3);
}

#[test]
#[ignore = "a processor that plays a GPU takes minutes for the whole suite"]
fn each_tier_conforms_on_long_texts() {
    for tier in [Tier::Basic, Tier::F16, Tier::Subgroups] {
        conforms(tier, 256, 1);
    }
}

#[test]
fn the_gpu_gives_the_cpus_vectors_and_counts_the_same_tokens() {
    let stored = Stored::read(STORED).unwrap();
    let texts: Vec<&str> = stored.cases.iter().map(|case| case.text.as_str()).collect();
    let mut cpu = crate::embed::CpuEmbedder::new(FILES).unwrap();
    let mut gpu = Waiting::new(Tier::Basic).0;
    let (own, expected) = (
        block_on(gpu.encode(&texts)).unwrap(),
        cpu.encode(&texts).unwrap(),
    );
    assert_eq!(own.tokens, expected.tokens);
    assert_eq!(own.embeddings.len(), texts.len());
    for ((own, expected), text) in own.embeddings.iter().zip(&expected.embeddings).zip(texts) {
        let cosine = own.cosine(expected);
        assert!(cosine > conformance::LEAST_COSINE, "{cosine} for {text:?}");
    }
    assert_eq!(block_on(gpu.encode(&[])).unwrap().embeddings, vec![]);
}

#[test]
fn a_lost_device_is_an_error_that_says_so() {
    let (device, queue) = device(Tier::Basic);
    let mut gpu = block_on(GpuEmbedder::new(&device, &queue, Tier::Basic, FILES)).unwrap();
    device.destroy();
    match block_on(gpu.encode(&["a text"])) {
        Err(EmbedError::Device(_)) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_self_tests_vectors_are_the_stored_ones() {
    let stored = Stored::read(STORED).unwrap();
    let own = Stored::read(SELF_TEST).unwrap();
    assert_eq!((&own.model, own.cases.len()), (&stored.model, 4));
    for case in &own.cases {
        let same = stored
            .cases
            .iter()
            .find(|other| other.text == case.text)
            .unwrap();
        assert_eq!(case.vector, same.vector, "{:?}", case.text);
    }
}

#[test]
fn a_device_that_computes_wrongly_is_refused_with_the_reason() {
    let mut network = Network::read(FILES.onnx).unwrap();
    network
        .norm
        .shift
        .iter_mut()
        .for_each(|shift| *shift += 1.0);
    let (device, queue) = device(Tier::Basic);
    let tokenizer = Tokenizer::new(TOKENIZER, 256).unwrap();
    let tried = GpuEmbedder::first_that_works(&device, &queue, Tier::F16, &network, &tokenizer);
    let why = block_on(tried).err().unwrap();
    assert!(why.contains("basic: its results are wrong"), "{why}");
    // The device was opened without half precision.
    assert!(why.starts_with("f16: "), "{why}");
}

#[test]
fn a_graph_of_another_network_is_refused_with_what_it_has_instead() {
    let code_model = include_bytes!("../../../../public/models/footnote-code-lm-1/model.onnx");
    let error = Network::read(Cow::Borrowed(code_model)).err().unwrap();
    let error = error.to_string();
    assert!(error.contains("LayerNormalization"), "{error}");
    let error = Network::read(Cow::Borrowed(&ONNX[..1000])).err().unwrap();
    assert!(error.to_string().contains("model.onnx"), "{error}");
}

#[test]
fn batches_keep_the_order_and_the_limit() {
    let texts: Vec<Vec<u32>> = (0..100).map(|at| vec![at; 256]).collect();
    let all = batches(&texts);
    assert_eq!(
        all.iter().map(Vec::len).collect::<Vec<_>>(),
        [16, 16, 16, 16, 16, 16, 4]
    );
    assert_eq!(
        all.concat(),
        texts.iter().map(Vec::as_slice).collect::<Vec<_>>()
    );
    assert!(batches(&[]).is_empty());
}
