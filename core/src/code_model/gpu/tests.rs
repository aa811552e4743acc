//! Run on any Vulkan adapter; without a GPU that is Mesa's lavapipe.

use pollster::block_on;
use prost::Message;
use tract_onnx::pb;

use super::super::conformance::compare;
use super::super::tests::{FILES, ONNX, STORED, TOKENIZER};
use super::*;
use crate::code_model::LanguageModel;
use crate::compress::score::ami::{Ami, ami_of, model_inputs};
use crate::gpu::tests::device::device;

fn open(tier: Tier) -> GpuCodeModel {
    let (device, queue) = device(tier);
    let model = block_on(GpuCodeModel::new(&device, &queue, tier, FILES)).unwrap();
    assert_eq!(model.tier(), tier, "the self-test failed on the tier");
    model
}

/// Runs every `nth` case of the suite, because a CPU that emulates a GPU is slow; returns the
/// largest error of a log-probability.
fn conforms(tier: Tier, nth: usize) -> f32 {
    let model = open(tier);
    let mut stored = Stored::read(STORED).unwrap();
    let all = stored.cases.len();
    stored.cases = stored.cases.into_iter().step_by(nth).collect();
    let read = block_on(run(&model.program, &model.network, &stored.rows())).unwrap();
    let found = compare(&stored, &read, &model.rows).unwrap();
    assert_eq!((found.cases, found.other_tokens), (all.div_ceil(nth), 0));
    assert!(found.perplexity < PERPLEXITY_TOLERANCE, "{found:?}");
    found.worst
}

#[test]
fn the_basic_gpu_backend_conforms_as_the_processor_does() {
    let worst = conforms(Tier::Basic, 4);
    assert!(worst < super::super::conformance::TOLERANCE, "{worst}");
}

#[test]
fn the_gpu_backend_in_half_precision_conforms() {
    conforms(Tier::F16, 8);
}

#[test]
fn the_gpu_backend_with_subgroups_conforms() {
    conforms(Tier::Subgroups, 8);
}

#[test]
#[ignore = "a processor that plays a GPU takes minutes for the whole suite"]
fn each_tier_conforms_on_the_whole_suite() {
    for tier in [Tier::Basic, Tier::F16, Tier::Subgroups] {
        conforms(tier, 1);
    }
}

#[test]
fn windows_that_are_full_read_as_on_the_processor() {
    // Two rows of at least 512 tokens: many blocks of attention, and all distances.
    let source = include_str!("../run.rs");
    let inputs = [
        ModelInput::Text(source.get(..4_000).unwrap()),
        ModelInput::Text(""),
        ModelInput::About {
            block: source,
            question: "which models can be read and who runs them?",
        },
    ];
    let expected = CodeModel::new(FILES).unwrap().read(&inputs).unwrap();
    let own = block_on(open(Tier::Basic).read(&inputs)).unwrap();
    assert_eq!(own.len(), expected.len());
    for (own, expected) in own.iter().zip(&expected) {
        let bytes = |read: &[TokenProbability]| -> Vec<_> {
            read.iter().map(|token| token.bytes.clone()).collect()
        };
        assert_eq!(bytes(own), bytes(expected));
        for (own, expected) in own.iter().zip(expected) {
            assert!((own.ln - expected.ln).abs() < 2e-3, "{own:?} {expected:?}");
        }
    }
    assert!(expected[0].len() > 700 && expected[1].is_empty());
}

#[test]
fn a_network_that_the_kernels_do_not_know_is_refused_with_what_it_has() {
    let encoder = include_bytes!("../../../../public/models/all-MiniLM-L6-v2-int8/model.onnx");
    let refused = |onnx: &[u8]| Weights::read(onnx.into()).err().unwrap().to_string();
    let told = refused(encoder);
    assert!(
        told.contains("its inputs are input_ids, attention_mask"),
        "{told}"
    );
    assert!(refused(&ONNX[..1000]).contains("not an ONNX file"));
    // Each of these would run, and compute something else.
    let change = |change: &dyn Fn(&mut pb::GraphProto)| {
        let mut model = pb::ModelProto::decode(ONNX).unwrap();
        change(model.graph.as_mut().unwrap());
        refused(&model.encode_to_vec())
    };
    let node = |graph: &mut pb::GraphProto, name: &str, change: &dyn Fn(&mut pb::NodeProto)| {
        let found = graph.node.iter_mut().find(|node| node.name == name);
        change(found.unwrap());
    };
    let name = "layers.1.feed_forward.relu";
    let told = change(&|graph| node(graph, name, &|it| it.op_type = "Sigmoid".into()));
    assert!(told.contains("comes from Sigmoid, not from Relu"), "{told}");
    let name = "layers.2.attention.key.transposed";
    let told = change(&|graph| node(graph, name, &|it| it.attribute[0].ints = vec![0, 1, 2, 3]));
    assert!(told.contains("in the order [0, 1, 2, 3]"), "{told}");
    let name = "hash.scaled";
    let told = change(&|graph| node(graph, name, &|it| it.input[1] = "i-1".into()));
    assert!(told.contains("pairs are made with [-1]"), "{told}");
    let narrow = |graph: &mut pb::GraphProto| {
        let taps = "layers.0.attention.convolution.tap1";
        let found = graph.initializer.iter_mut().find(|it| it.name == taps);
        found.unwrap().raw_data.truncate(8);
    };
    assert!(change(&narrow).contains("a convolution or gains of another width"));
}

#[test]
fn a_brought_model_of_the_known_network_runs_there_too_under_its_own_name() {
    let (mut cpu, weights) =
        CodeModel::brought_with_weights("mine.onnx", ONNX.into(), TOKENIZER).unwrap();
    let (device, queue) = device(Tier::Basic);
    let made = GpuCodeModel::brought(&device, &queue, Tier::Basic, weights.unwrap(), &cpu);
    let mut gpu = block_on(made).unwrap();
    assert_eq!(gpu.model_id(), cpu.model_id());
    let inputs = [ModelInput::Text("a = 1\nb = 2\n")];
    let (own, expected) = (
        block_on(gpu.read(&inputs)).unwrap(),
        cpu.read(&inputs).unwrap(),
    );
    for (own, expected) in own[0].iter().zip(&expected[0]) {
        assert!((own.ln - expected.ln).abs() < 1e-3, "{own:?} {expected:?}");
    }
}

#[test]
fn a_device_that_computes_wrongly_is_refused_with_the_reason() {
    let mut weights = Weights::read(ONNX.into()).unwrap();
    weights.0.slopes[0] = 0.5;
    let (device, queue) = device(Tier::Basic);
    let known = Known::stored().unwrap();
    let tried = first_that_works(&device, &queue, Tier::F16, &weights.0, &known);
    let why = block_on(tried).err().unwrap();
    assert!(why.contains("basic: its results are wrong"), "{why}");
    // The device was opened without half precision.
    assert!(why.starts_with("f16: "), "{why}");
}

#[test]
fn a_lost_device_is_an_error_that_says_so() {
    let (device, queue) = device(Tier::Basic);
    let made = GpuCodeModel::new(&device, &queue, Tier::Basic, FILES);
    let mut model = block_on(made).unwrap();
    device.destroy();
    match block_on(model.read(&[ModelInput::Text("a text")])) {
        Err(ModelError::Device(_)) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_self_tests_rows_are_stored_ones() {
    let (stored, own) = (
        Stored::read(STORED).unwrap(),
        Stored::read(SELF_TEST).unwrap(),
    );
    assert_eq!((&own.model, own.cases.len()), (&stored.model, 4));
    for case in &own.cases {
        let mut all = stored.cases.iter();
        let same = all.find(|other| other.ids == case.ids).unwrap();
        assert_eq!(case.log_probabilities, same.log_probabilities);
    }
}

fn row(tokens: usize, scored: std::ops::Range<usize>) -> Row {
    Row {
        ids: (0..tokens as u32).collect(),
        scored,
        bytes: Vec::new(),
    }
}

#[test]
fn batches_keep_the_order_and_the_limit_and_leave_out_rows_without_a_score() {
    let rows: Vec<Row> = (0..20)
        .map(|at| row(500, 1..1 + usize::from(at != 3)))
        .collect();
    let sizes: Vec<usize> = batches(&rows).iter().map(Vec::len).collect();
    assert_eq!(sizes, [8, 8, 3]);
    assert!(batches(&[]).is_empty());
}

/// Questions about the blocks of [`same_best_blocks`].
const QUESTIONS: [&str; 3] = [
    "how is a message kept when the process ends?",
    "how long is waited before a job is tried again?",
    "when does a schedule run next",
];

#[test]
fn the_best_blocks_of_a_question_are_the_processors() {
    same_best_blocks(&QUESTIONS[..1]);
}

#[test]
#[ignore = "a processor that plays a GPU takes a minute for each question"]
fn the_best_blocks_of_other_questions_are_the_processors() {
    same_best_blocks(&QUESTIONS[1..]);
}

/// Scores the sample's blocks on both.
fn same_best_blocks(questions: &[&str]) {
    let sources = [
        include_str!("../../../../tests/fixtures/sample-repository/src/courier/store.py"),
        include_str!("../../../../tests/fixtures/sample-repository/src/courier/schedule.py"),
        include_str!("../../../../tests/fixtures/sample-repository/src/courier/backoff.py"),
    ];
    let blocks: Vec<&str> = sources
        .iter()
        .flat_map(|it| it.split("\n\n"))
        .filter(|block| !block.trim().is_empty())
        .collect();
    let (mut cpu, mut gpu) = (CodeModel::new(FILES).unwrap(), open(Tier::F16));
    for &question in questions {
        let inputs = model_inputs(question, &blocks);
        let expected = cpu.read(&inputs).unwrap();
        let own = block_on(gpu.read(&inputs)).unwrap();
        let alone: Vec<f32> = expected[0].iter().map(|token| token.ln).collect();
        let perplexity = (-alone.iter().sum::<f32>() / alone.len() as f32).exp();
        let (own, expected) = (ami_of(question, &own), ami_of(question, &expected));
        let best = |scores: &[Ami]| {
            let mut order: Vec<usize> = (0..scores.len()).collect();
            order.sort_by(|&a, &b| scores[b].whole.total_cmp(&scores[a].whole));
            order
        };
        for (own, other) in best(&own).iter().zip(best(&expected)) {
            // Only near ties change places.
            let off = (expected[*own].whole - expected[other].whole).abs() / perplexity;
            assert!(
                off < PERPLEXITY_TOLERANCE,
                "{question}: {own} for {other}, {off}"
            );
        }
        assert_eq!(best(&own)[0], best(&expected)[0], "{question}");
    }
}
