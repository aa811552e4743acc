use super::*;

/// The encoder that comes with the page.
pub(crate) fn encoder() -> TableEncoder {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../public/models/footnote-code-table-1/"
    );
    let read = |name: &str| std::fs::read(format!("{folder}{name}")).unwrap();
    let (manifest, tokenizer) = (read("model.json"), read("tokenizer.json"));
    TableEncoder::new(ModelFiles {
        manifest: &manifest,
        onnx: read("model.onnx").into(),
        tokenizer: &tokenizer,
    })
    .unwrap()
}

/// The vectors that the recipe wrote, with onnxruntime.
fn stored() -> serde_json::Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/fixtures/embeddings/table.json"
    );
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn numbers(value: &serde_json::Value) -> Vec<f32> {
    let list = value.as_array().unwrap();
    list.iter().map(|it| it.as_f64().unwrap() as f32).collect()
}

#[test]
fn tokens_and_vectors_match_onnxruntime() {
    let encoder = encoder();
    let stored = stored();
    assert_eq!(stored["model"], encoder.id());
    let cases = stored["cases"].as_array().unwrap();
    assert!(cases.len() >= 15);
    for case in cases {
        let text = case["text"].as_str().unwrap();
        let (ids, weights): (Vec<f32>, Vec<f32>) = encoder
            .bag(text)
            .into_iter()
            .map(|(token, weight)| (token as f32, weight))
            .unzip();
        assert_eq!(ids, numbers(&case["ids"]), "{text}");
        for (own, stored) in weights.iter().zip(numbers(&case["weights"])) {
            assert!((own - stored).abs() < 1e-5, "{text}");
        }
        let (own, stored) = (encoder.vector(text), numbers(&case["vector"]));
        assert_eq!(own.values().len(), stored.len());
        for (own, stored) in own.values().iter().zip(stored) {
            assert!((own - stored).abs() < 1e-4, "{own} {stored} {text}");
        }
    }
}

#[test]
fn names_are_near_what_they_mean() {
    let encoder = encoder();
    let cosine = |a: &str, b: &str| encoder.vector(a).cosine(&encoder.vector(b));
    let code =
        "def get_or_create(self, key):\n    return self.cache.setdefault(key, self.make(key))";
    assert!(
        cosine("look up a value in the cache", code) > cosine("draw a circle on the screen", code)
    );
}

#[test]
fn a_text_without_a_token_has_a_zero_vector() {
    let encoder = encoder();
    assert!(encoder.bag("!?").is_empty());
    assert!(
        encoder
            .vector("!?")
            .values()
            .iter()
            .all(|&value| value == 0.0)
    );
}

#[test]
fn files_that_do_not_fit_together_are_refused() {
    let manifest = br#"{"id": "t", "dimension": 1, "max_characters": 4000, "max_word": 40,
        "files": {"model.onnx": {"bytes": 0, "sha256": ""}, "tokenizer.json": {"bytes": 2, "sha256": ""}}}"#;
    let error = TableEncoder::new(ModelFiles {
        manifest,
        onnx: Vec::new().into(),
        tokenizer: b"{}",
    });
    assert!(matches!(error, Err(EmbedError::Model(_))));
}
