use std::borrow::Cow;

use sha2::{Digest, Sha256};

use super::*;
use crate::embed::conformance::Stored;
use crate::embed::cpu::Kernel;
use crate::embed::tokenizer::Tokenizer;

const MANIFEST: &[u8] = include_bytes!("../../../public/models/all-MiniLM-L6-v2-int8/model.json");
const ONNX: &[u8] = include_bytes!("../../../public/models/all-MiniLM-L6-v2-int8/model.onnx");
const TOKENIZER: &[u8] =
    include_bytes!("../../../public/models/all-MiniLM-L6-v2-int8/tokenizer.json");
const STORED: &[u8] = include_bytes!("../../../tests/fixtures/embeddings/vectors.json");

const FILES: ModelFiles = ModelFiles {
    manifest: MANIFEST,
    onnx: Cow::Borrowed(ONNX),
    tokenizer: TOKENIZER,
};

#[test]
fn the_committed_files_match_the_manifest() {
    let manifest = Manifest::read(&FILES).unwrap();
    for (name, data) in [("model.onnx", ONNX), ("tokenizer.json", TOKENIZER)] {
        let digest: String = Sha256::digest(data)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(digest, manifest.files[name].sha256, "{name}");
    }
}

#[test]
fn the_tokeniser_gives_the_stored_ids() {
    let tokenizer = Tokenizer::new(TOKENIZER, 256).unwrap();
    let stored = Stored::read(STORED).unwrap();
    assert!(
        stored.cases.iter().any(|case| case.ids.len() == 256),
        "a text must be cut"
    );
    for case in stored.cases {
        assert_eq!(
            tokenizer.encode(&case.text).unwrap(),
            case.ids,
            "{:?}",
            case.text
        );
    }
}

#[test]
fn the_cpu_backend_conforms() {
    let mut embedder = CpuEmbedder::new(FILES).unwrap();
    let stored = Stored::read(STORED).unwrap();
    let problems = conformance::check(&mut embedder, &stored).unwrap();
    assert!(problems.is_empty(), "{problems:#?}");
}

/// If the processor lacks their instructions, these kernels fall back to that of words.
#[test]
fn kernels_for_wide_vectors_conform_and_give_the_bits_of_words() {
    let stored = Stored::read(STORED).unwrap();
    let texts: Vec<&str> = stored.cases.iter().map(|case| case.text.as_str()).collect();
    let vectors = |embedder: &mut CpuEmbedder| embedder.embed(&texts).unwrap();
    let mut words = CpuEmbedder::with_kernel(FILES, Kernel::Words).unwrap();
    let problems = conformance::check(&mut words, &stored).unwrap();
    assert!(problems.is_empty(), "{problems:#?}");
    for kernel in [Kernel::Avx2, Kernel::Avx512] {
        let mut embedder = CpuEmbedder::with_kernel(FILES, kernel).unwrap();
        let problems = conformance::check(&mut embedder, &stored).unwrap();
        assert!(problems.is_empty(), "{kernel:?}: {problems:#?}");
        assert!(vectors(&mut embedder) == vectors(&mut words), "{kernel:?}");
    }
}

#[test]
fn a_wrong_backend_does_not_conform() {
    struct Constant;
    impl Embedder for Constant {
        fn model_id(&self) -> &str {
            "constant"
        }
        fn dimension(&self) -> usize {
            384
        }
        fn embed(&mut self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError> {
            Ok(vec![Embedding::from_raw(vec![1.0; 384]); texts.len()])
        }
        fn token_vectors(&mut self, texts: &[&str]) -> Result<Vec<TokenVectors>, EmbedError> {
            Ok(vec![
                TokenVectors::from_raw(384, vec![1.0; 384]);
                texts.len()
            ])
        }
    }
    let stored = Stored::read(STORED).unwrap();
    let problems = conformance::check(&mut Constant, &stored).unwrap();
    assert!(problems.len() > stored.cases.len(), "{problems:#?}");
}

#[test]
fn a_file_that_was_cut_short_is_named() {
    let files = ModelFiles {
        onnx: Cow::Borrowed(&ONNX[..ONNX.len() / 2]),
        ..FILES
    };
    let error = CpuEmbedder::new(files).err().unwrap().to_string();
    assert!(
        error.contains("model.onnx has 11567478 bytes instead of 23134957"),
        "{error}"
    );
}

#[test]
fn no_texts_give_no_vectors() {
    let mut embedder = CpuEmbedder::new(FILES).unwrap();
    assert_eq!(embedder.embed(&[]).unwrap(), vec![]);
    assert_eq!(embedder.encode(&["a b", "c"]).unwrap().tokens, 4 + 3);
}

#[test]
fn each_token_but_the_models_own_has_a_vector_that_does_not_depend_on_the_batch() {
    let mut embedder = CpuEmbedder::new(FILES).unwrap();
    let long = "word ".repeat(400);
    let texts = ["send a request", "", "word", &long];
    let together = embedder.token_vectors(&texts).unwrap();
    let counts: Vec<usize> = together.iter().map(|text| text.rows().len()).collect();
    assert_eq!(counts, [3, 0, 1, embedder.max_tokens() - 2]);
    let alone = embedder.token_vectors(&texts[..1]).unwrap();
    for (a, b) in together[0].rows().zip(alone[0].rows()) {
        let cosine: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        assert!((cosine - 1.0).abs() < 1e-4, "{cosine}");
    }
}

#[test]
fn the_mean_of_all_lines_is_the_mean_of_the_texts_own_tokens() {
    let mut embedder = CpuEmbedder::new(FILES).unwrap();
    let text = "def send(request):\n\n    return adapter.send(request)\r\n# é done";
    let lines = embedder.line_vectors(&["", text]).unwrap();
    assert_eq!((lines[0].len(), lines[1].len()), (0, 4));
    let whole = lines[1].mean(0..4).unwrap();
    // The text's vector also includes the two tokens at its ends.
    let alone = embedder.embed(&[text]).unwrap();
    assert!(whole.cosine(&alone[0]) > 0.95);
    assert_eq!(lines[1].mean(1..2), None);
    assert!(lines[1].mean(0..1) != lines[1].mean(2..3));
    let long = "word\n".repeat(400);
    let cut = embedder.line_vectors(&[&long]).unwrap();
    assert_eq!(cut[0].len(), 400);
    assert!(cut[0].mean(250..254).is_some() && cut[0].mean(254..400).is_none());
}

#[test]
fn the_kernel_of_bytes_conforms() {
    let mut embedder = CpuEmbedder::with_kernel(FILES, Kernel::Bytes).unwrap();
    let mut stored = Stored::read(STORED).unwrap();
    // Slow without its instruction; the browser tests take all texts. Short ones are the least
    // exact.
    stored.cases.retain(|case| case.ids.len() < 24);
    assert!(stored.cases.len() > 4);
    let problems = conformance::check(&mut embedder, &stored).unwrap();
    assert!(problems.is_empty(), "{problems:#?}");
}
