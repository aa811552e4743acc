//! An encoder that a user brought. What its two files do not say is found out by trying it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::graph::{Graph, States};
use super::{CpuEmbedder, Kernel, pooled};
use crate::embed::batch::Batch;
use crate::embed::tokenizer::Tokenizer;
use crate::embed::{EmbedError, Embedding, Manifest, Pooling};
use crate::onnx;

/// Largest ONNX file, in bytes: a tab has no room for more beside everything else.
const MAX_BYTES: f64 = 200e6;

/// Window sizes to try, in tokens, the largest first: not every model has that many positions.
const WINDOWS: [usize; 2] = [256, 128];

/// From this cosine on, two ways to compute a text's vector count as the same.
const SAME: f32 = 0.999;

const TRIAL: &str = "def add(a, b):\n    \"\"\"Adds two numbers.\"\"\"\n    return a + b\n";

impl CpuEmbedder {
    /// Checks whether an encoder of this size can be loaded at all; called before its bytes are
    /// read.
    pub fn check_size(name: &str, bytes: f64) -> Result<(), EmbedError> {
        onnx::check_size(name, bytes, MAX_BYTES).map_err(EmbedError::Model)
    }

    /// Loads an encoder that returns one vector per token, in one ONNX file, with its
    /// `tokenizer.json`; `name` is the file's name. `pooling` is used unless the graph shows its
    /// own by an output `sentence_embedding`.
    pub fn brought(
        name: &str,
        onnx: Cow<[u8]>,
        tokenizer: &[u8],
        pooling: Pooling,
    ) -> Result<Self, EmbedError> {
        Self::check_size(name, onnx.len() as f64)?;
        let id = onnx::brought_id(name, &onnx, tokenizer);
        // The tokeniser first: it is small, and often the file that was forgotten.
        let trial = Tokenizer::new(tokenizer, WINDOWS[0])?.encode(TRIAL)?;
        let graph = Graph::new(onnx, Kernel::fastest())
            .map_err(|error| EmbedError::Model(format!("{name}: {error:#}")))?;
        let states = run(&graph, trial.clone())?;
        let pooling = told(&states, trial.len(), graph.dimension)?.unwrap_or(pooling);
        let (max_tokens, tokenizer) = window(&graph, tokenizer)?;
        let as_it_pools = match pooling {
            Pooling::Mean => "",
            Pooling::First => " first token",
        };
        Ok(Self {
            manifest: Manifest {
                // Part of the vectors' keys: another pooling gives other vectors.
                id: format!("{id}{as_it_pools}"),
                dimension: graph.dimension,
                max_tokens,
                pooling,
                files: BTreeMap::new(),
            },
            tokenizer,
            graph,
        })
    }
}

fn run(graph: &Graph, ids: Vec<u32>) -> Result<States, EmbedError> {
    let batch = Batch {
        texts: vec![0],
        length: ids.len(),
    };
    let states = graph.run(&[ids], &batch);
    states.map_err(|error| EmbedError::Model(format!("it does not run: {error:#}")))
}

/// How the graph itself computes a text's vector, if it does.
fn told(states: &States, length: usize, dimension: usize) -> Result<Option<Pooling>, EmbedError> {
    let Some(text) = &states.texts else {
        return Ok(None);
    };
    let text = Embedding::from_raw(text.clone());
    let is_it = |pooling: &Pooling| {
        let made = pooled(*pooling, &states.tokens, dimension, length);
        made.values().len() == text.values().len() && made.cosine(&text) > SAME
    };
    match [Pooling::Mean, Pooling::First].into_iter().find(is_it) {
        Some(pooling) => Ok(Some(pooling)),
        None => Err(EmbedError::Model(
            "its vector of a text is neither the mean of its tokens' vectors nor the first of them; \
             such encoders are not supported"
                .to_owned(),
        )),
    }
}

/// The largest window that the graph can read, and a tokeniser that cuts there.
fn window(graph: &Graph, tokenizer: &[u8]) -> Result<(usize, Tokenizer), EmbedError> {
    let long = TRIAL.repeat(WINDOWS[0]);
    let mut why = None;
    for most in WINDOWS {
        let tokenizer = Tokenizer::new(tokenizer, most)?;
        match run(graph, tokenizer.encode(&long)?) {
            Ok(_) => return Ok((most, tokenizer)),
            Err(error) => why = Some(error),
        }
    }
    Err(why.unwrap_or_else(|| EmbedError::Model("it cannot read any text".to_owned())))
}

#[cfg(test)]
mod tests {
    use prost::Message;
    use tract_onnx::pb::attribute_proto::AttributeType;
    use tract_onnx::pb::tensor_proto::DataType;
    use tract_onnx::pb::tensor_shape_proto::Dimension;
    use tract_onnx::pb::tensor_shape_proto::dimension::Value as Size;
    use tract_onnx::pb::{
        AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
        TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
    };

    use super::*;
    use crate::embed::{Embedder, ModelFiles};

    const OWN: &[u8] = include_bytes!("../../../../public/models/all-MiniLM-L6-v2-int8/model.onnx");
    const OWN_MANIFEST: &[u8] =
        include_bytes!("../../../../public/models/all-MiniLM-L6-v2-int8/model.json");
    const TOKENIZER: &[u8] =
        include_bytes!("../../../../public/models/all-MiniLM-L6-v2-int8/tokenizer.json");
    const VOCABULARY: usize = 30_522;
    const WIDTH: usize = 3;

    fn value(name: &str) -> ValueInfoProto {
        let axis = |name: &str| Dimension {
            value: Some(Size::DimParam(name.to_owned())),
            ..Dimension::default()
        };
        let shape = TensorShapeProto {
            dim: vec![axis("texts"), axis("tokens")],
        };
        let tensor = type_proto::Tensor {
            elem_type: DataType::Int64 as i32,
            shape: Some(shape),
        };
        ValueInfoProto {
            name: name.to_owned(),
            r#type: Some(TypeProto {
                value: Some(type_proto::Value::TensorType(tensor)),
                ..TypeProto::default()
            }),
            ..ValueInfoProto::default()
        }
    }

    /// An output whose type tract infers.
    fn untyped(name: &str) -> ValueInfoProto {
        ValueInfoProto {
            name: name.to_owned(),
            ..ValueInfoProto::default()
        }
    }

    fn node(kind: &str, inputs: &[&str], output: &str, attributes: &[(&str, i64)]) -> NodeProto {
        let attribute = |&(name, i): &(&str, i64)| AttributeProto {
            name: name.to_owned(),
            r#type: AttributeType::Int as i32,
            i,
            ..AttributeProto::default()
        };
        NodeProto {
            op_type: kind.to_owned(),
            name: output.to_owned(),
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![output.to_owned()],
            attribute: attributes.iter().map(attribute).collect(),
            ..NodeProto::default()
        }
    }

    fn tensor(name: &str, dims: &[i64], kind: DataType, raw: Vec<u8>) -> TensorProto {
        TensorProto {
            name: name.to_owned(),
            dims: dims.to_vec(),
            data_type: kind as i32,
            raw_data: raw,
            ..TensorProto::default()
        }
    }

    /// A model with a row for each token, plus what `nodes` compute from them.
    fn tiny(input: &str, nodes: Vec<NodeProto>, outputs: &[&str]) -> Vec<u8> {
        let rows = (0..VOCABULARY * WIDTH).flat_map(|at| ((at * 7 % 11) as f32).to_le_bytes());
        let shape = [VOCABULARY as i64, WIDTH as i64];
        let mut all = vec![node("Gather", &["rows", input], "last_hidden_state", &[])];
        all.extend(nodes);
        let graph = GraphProto {
            node: all,
            input: vec![value(input)],
            output: outputs.iter().map(|name| untyped(name)).collect(),
            initializer: vec![
                tensor("rows", &shape, DataType::Float, rows.collect()),
                tensor("one", &[1], DataType::Int64, 1_i64.to_le_bytes().to_vec()),
                tensor("zero", &[], DataType::Int64, 0_i64.to_le_bytes().to_vec()),
            ],
            ..GraphProto::default()
        };
        let model = ModelProto {
            ir_version: 8,
            graph: Some(graph),
            opset_import: vec![OperatorSetIdProto {
                domain: String::new(),
                version: 18,
            }],
            ..ModelProto::default()
        };
        model.encode_to_vec()
    }

    fn bring(onnx: Vec<u8>, pooling: Pooling) -> Result<CpuEmbedder, EmbedError> {
        CpuEmbedder::brought("tiny.onnx", onnx.into(), TOKENIZER, pooling)
    }

    #[test]
    fn footnotes_own_encoder_gives_the_same_vectors_when_it_is_brought() {
        let files = ModelFiles {
            manifest: OWN_MANIFEST,
            onnx: OWN.into(),
            tokenizer: TOKENIZER,
        };
        let mut own = CpuEmbedder::new(files).unwrap();
        let brought = CpuEmbedder::brought("mine.onnx", OWN.into(), TOKENIZER, Pooling::Mean);
        let mut brought = brought.unwrap();
        assert!(brought.model_id().starts_with("mine.onnx "));
        assert_eq!((brought.dimension(), brought.max_tokens()), (384, 256));
        let texts = ["def add(a, b):\n    return a + b", "where are cookies kept"];
        assert!(own.embed(&texts).unwrap() == brought.embed(&texts).unwrap());
        let first = CpuEmbedder::brought("mine.onnx", OWN.into(), TOKENIZER, Pooling::First);
        let mut first = first.unwrap();
        assert_ne!(first.model_id(), brought.model_id());
        assert!(first.embed(&texts).unwrap() != brought.embed(&texts).unwrap());
    }

    #[test]
    fn the_graph_tells_how_it_makes_a_texts_vector() {
        let mean = node(
            "ReduceMean",
            &["last_hidden_state", "one"],
            "sentence_embedding",
            &[("keepdims", 0)],
        );
        let first = node(
            "Gather",
            &["last_hidden_state", "zero"],
            "sentence_embedding",
            &[("axis", 1)],
        );
        let both = ["sentence_embedding", "last_hidden_state"];
        for (made, asked, found) in [
            (vec![mean], Pooling::First, Pooling::Mean),
            (vec![first], Pooling::Mean, Pooling::First),
        ] {
            let encoder = bring(tiny("input_ids", made, &both), asked).unwrap();
            assert_eq!(encoder.manifest.pooling, found);
            assert_eq!(encoder.dimension(), WIDTH);
        }
        let silent = tiny("input_ids", Vec::new(), &["last_hidden_state"]);
        let encoder = bring(silent, Pooling::First).unwrap();
        assert_eq!(encoder.manifest.pooling, Pooling::First);
    }

    #[test]
    fn an_encoder_that_cannot_be_used_says_why() {
        let other = node("Neg", &["last_hidden_state"], "negative", &[]);
        let last = node(
            "Gather",
            &["negative", "zero"],
            "sentence_embedding",
            &[("axis", 1)],
        );
        let two = node(
            "Gather",
            &["last_hidden_state", "zero"],
            "text",
            &[("axis", 1)],
        );
        let cases = [
            (
                tiny(
                    "input_ids",
                    vec![other, last],
                    &["last_hidden_state", "sentence_embedding"],
                ),
                "neither the mean",
            ),
            (tiny("input_ids", vec![two], &["text"]), "2 dimensions"),
            (
                tiny("pixels", Vec::new(), &["last_hidden_state"]),
                "the unknown input pixels",
            ),
            (b"hello".to_vec(), "not an ONNX file"),
            (Vec::new(), "it contains no graph"),
        ];
        for (onnx, expected) in cases {
            let why = bring(onnx, Pooling::Mean).map(|_| ()).unwrap_err();
            assert!(why.to_string().contains(expected), "{why}");
        }
        let whole = tiny("input_ids", Vec::new(), &["last_hidden_state"]);
        let cut = whole.get(..whole.len() / 2).unwrap().to_vec();
        assert!(bring(cut, Pooling::Mean).is_err());
        let no_tokenizer = CpuEmbedder::brought("a", whole.into(), b"{}", Pooling::Mean);
        let why = no_tokenizer.map(|_| ()).unwrap_err();
        assert!(why.to_string().contains("tokenizer.json"), "{why}");
        assert!(CpuEmbedder::check_size("large.onnx", 201e6).is_err());
    }
}
