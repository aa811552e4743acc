use std::borrow::Cow;

use super::conformance::{Stored, TOLERANCE, check};
use super::*;
use crate::compress::score::ami::{ami, line_perplexities};
use crate::embed::ModelFiles;
use prost::Message;
use tract_onnx::pb;

const MANIFEST: &[u8] = include_bytes!("../../../public/models/footnote-code-lm-1/model.json");
pub(super) const ONNX: &[u8] =
    include_bytes!("../../../public/models/footnote-code-lm-1/model.onnx");
pub(super) const TOKENIZER: &[u8] =
    include_bytes!("../../../public/models/footnote-code-lm-1/tokenizer.json");
pub(super) const STORED: &[u8] = include_bytes!("../../../tests/fixtures/code-lm/conformance.json");

pub(super) const FILES: ModelFiles = ModelFiles {
    manifest: MANIFEST,
    onnx: Cow::Borrowed(ONNX),
    tokenizer: TOKENIZER,
};

fn own() -> CodeModel {
    CodeModel::new(FILES).unwrap()
}

#[test]
fn log_probabilities_match_onnxruntime() {
    let stored = Stored::read(STORED).unwrap();
    let found = check(&own(), &stored).unwrap();
    assert_eq!(found.cases, 100);
    assert!(found.tokens > 3_000, "{found:?}");
    assert!(found.worst < TOLERANCE, "{found:?}");
    assert_eq!(found.other_tokens, 0);
}

#[test]
fn another_models_probabilities_do_not_conform() {
    let mut stored = Stored::read(STORED).unwrap();
    stored.cases.truncate(8);
    stored.cases[7].log_probabilities[1] -= 0.01;
    stored.texts[3].ids.pop();
    let found = check(&own(), &stored).unwrap();
    assert!(
        found.worst > TOLERANCE && found.other_tokens == 1,
        "{found:?}"
    );
    stored.cases[7].log_probabilities[1] = f32::NAN;
    assert_eq!(check(&own(), &stored).unwrap().worst, f32::INFINITY);
}

#[test]
fn a_block_that_answers_the_question_makes_it_less_surprising() {
    let blocks = [
        "def set_cookie(self, name, value):\n    self.cookies[name] = value\n",
        "def area(width, height):\n    return width * height\n",
    ];
    let scores = ami(&mut own(), "Where is the cookie set?", &blocks).unwrap();
    assert!(scores[0].content > scores[1].content, "{scores:?}");
    assert!(scores[0].whole > scores[1].whole, "{scores:?}");
}

#[test]
fn a_score_does_not_depend_on_the_blocks_beside_it() {
    let long = "cookie = jar.take()\n".repeat(60);
    let blocks = [
        "a = 1",
        long.as_str(),
        "",
        "def take(self):\n    return self.jar.pop()",
    ];
    let together = ami(&mut own(), "take a cookie", &blocks).unwrap();
    for (block, score) in blocks.iter().zip(&together) {
        let alone = ami(&mut own(), "take a cookie", &[*block]).unwrap();
        assert!((alone[0].whole - score.whole).abs() < 0.05 * (1.0 + score.whole.abs()));
    }
}

#[test]
fn every_line_of_a_long_text_has_a_perplexity_up_to_a_limit() {
    let text = "    total += values[at] * weights[at]\n".repeat(300);
    let texts = [text.as_str(), "", "x", "\n\n"];
    let lines = line_perplexities(&mut own(), &texts).unwrap();
    assert_eq!(lines[0].len(), 300);
    assert!(lines[0].iter().all(|line| line.is_finite() && *line >= 1.0));
    // Repeated text is not surprising; each window sees half of the one before.
    let late = lines[0][100..].iter().copied().fold(0.0, f32::max);
    assert!(lines[0][0] > 10.0 * late, "{} {late}", lines[0][0]);
    assert_eq!((lines[1].len(), lines[2].len(), lines[3].len()), (0, 1, 1));
    let minified = "var a=1;".repeat(200_000);
    let lines = line_perplexities(&mut own(), &[&minified]).unwrap();
    assert_eq!(lines[0].len(), 1);
}

#[test]
fn damaged_files_are_refused_with_the_reason() {
    let reason = |files: ModelFiles| CodeModel::new(files).err().unwrap().to_string();
    let cut = Cow::Borrowed(&ONNX[..ONNX.len() / 2]);
    for (files, what) in [
        (
            ModelFiles {
                manifest: b"{",
                ..FILES
            },
            "model.json: ",
        ),
        (
            ModelFiles {
                onnx: cut.clone(),
                ..FILES
            },
            "model.onnx has ",
        ),
        (
            ModelFiles {
                tokenizer: b"",
                ..FILES
            },
            "tokenizer.json has 0 bytes",
        ),
    ] {
        let reason = reason(files);
        assert!(reason.contains(what), "{reason}");
    }
    for (onnx, tokenizer, what) in [
        (cut, TOKENIZER, "not an ONNX file"),
        (Cow::Borrowed(&b"not a model"[..]), TOKENIZER, "model.onnx"),
        (Cow::Borrowed(&b""[..]), TOKENIZER, "it contains no graph"),
        (Cow::Borrowed(ONNX), &b"{}"[..], "tokenizer.json: "),
    ] {
        let error = CodeModel::brought("mine.onnx", onnx, tokenizer)
            .err()
            .unwrap();
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn a_model_that_was_brought_reads_as_it_does_elsewhere() {
    let mut brought = CodeModel::brought("mine.onnx", ONNX.into(), TOKENIZER).unwrap();
    assert!(brought.model_id().starts_with("mine.onnx "));
    assert_ne!(brought.model_id(), own().model_id());
    let lines = line_perplexities(&mut brought, &["a = 1\nb = 2\n"]).unwrap();
    assert_eq!(lines[0].len(), 2);
}

#[test]
fn a_model_that_does_not_fit_into_memory_is_refused_before_it_is_read() {
    let error = CodeModel::check_size("large.onnx", 1.2e9).err().unwrap();
    assert!(
        error.to_string().contains("large.onnx is 1200 MB"),
        "{error}"
    );
    assert!(CodeModel::check_size("small.onnx", 5e8).is_ok());
}

/// A model that predicts each token from the one before it alone, by a table.
fn table(inputs: &[&str], op: &str, outside: bool) -> Vec<u8> {
    let value = |name: &str, kind: i32| pb::ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(pb::TypeProto {
            value: Some(pb::type_proto::Value::TensorType(pb::type_proto::Tensor {
                elem_type: kind,
                shape: None,
            })),
            ..Default::default()
        }),
        ..Default::default()
    };
    let n = 8_192;
    let mut weights = vec![0f32; n * 4];
    weights[0] = 1.0;
    let first = pb::TensorProto {
        name: "embedding".to_owned(),
        dims: vec![n as i64, 4],
        data_type: 1,
        float_data: weights,
        data_location: outside.then_some(pb::tensor_proto::DataLocation::External as i32),
        ..Default::default()
    };
    let second = pb::TensorProto {
        name: "head".to_owned(),
        dims: vec![4, n as i64],
        data_type: 1,
        float_data: vec![0.0; n * 4],
        ..Default::default()
    };
    let node = |op: &str, inputs: [&str; 2], output: &str| pb::NodeProto {
        op_type: op.to_owned(),
        name: output.to_owned(),
        input: inputs.map(str::to_owned).to_vec(),
        output: vec![output.to_owned()],
        ..Default::default()
    };
    let ids = inputs.first().copied().unwrap_or_default();
    let graph = pb::GraphProto {
        node: vec![
            node("Gather", ["embedding", ids], "states"),
            node(op, ["states", "head"], "logits"),
        ],
        name: "table".to_owned(),
        initializer: vec![first, second],
        input: inputs.iter().map(|name| value(name, 7)).collect(),
        output: vec![value("logits", 1)],
        ..Default::default()
    };
    let model = pb::ModelProto {
        ir_version: 8,
        opset_import: vec![pb::OperatorSetIdProto {
            version: 17,
            ..Default::default()
        }],
        graph: Some(graph),
        ..Default::default()
    };
    model.encode_to_vec()
}

#[test]
fn a_decoder_with_logits_is_read_too() {
    let onnx = table(
        &["input_ids", "attention_mask", "position_ids"],
        "MatMul",
        false,
    );
    let mut model = CodeModel::brought("table.onnx", onnx.into(), TOKENIZER).unwrap();
    let inputs = [
        ModelInput::Text("a = b"),
        ModelInput::About {
            block: "x",
            question: "why",
        },
    ];
    let read = model.read(&inputs).unwrap();
    // All tokens are equally likely. The first of a text has nothing before it.
    let even = -(8_192f32.ln());
    let tokens: Vec<_> = read.iter().flatten().collect();
    assert!(tokens.len() >= 3, "{read:?}");
    assert!(
        tokens.iter().all(|token| (token.ln - even).abs() < 1e-3),
        "{read:?}"
    );
}

#[test]
fn a_decoder_that_cannot_be_run_is_refused_with_the_reason() {
    for (inputs, op, outside, reason) in [
        (
            &["input_ids"][..],
            "Conjure",
            false,
            "it uses the operator Conjure",
        ),
        (
            &["input_ids", "past_key_values.0.key"],
            "MatMul",
            false,
            "export it without a cache",
        ),
        (
            &["input_ids", "pixels"],
            "MatMul",
            false,
            "it has the unknown input pixels",
        ),
        (
            &["input_ids", "positions"],
            "MatMul",
            false,
            "no probabilities of places",
        ),
        (
            &["attention_mask"],
            "MatMul",
            false,
            "no input named input_ids",
        ),
        (&["input_ids"], "MatMul", true, "export it as one file"),
    ] {
        let onnx = table(inputs, op, outside);
        let error = CodeModel::brought("table.onnx", onnx.into(), TOKENIZER)
            .err()
            .unwrap();
        assert!(error.to_string().contains(reason), "{error}");
    }
}
