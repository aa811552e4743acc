//! Vectors and the code model's scores from a GPU, emulated by SwiftShader: the same ranking as
//! from the processor, perplexities as stored, and nothing lost when the GPU is lost.

use footnote_app::worker::encoder_protocol::{Backend, GpuUse};
use footnote_core::code_model::conformance::{PERPLEXITY_TOLERANCE, Stored};
use footnote_tests::archive;
use footnote_tests::browser::{Page, Setup, archive as published};
use xtask::paths;

use crate::code_model::{inspect, read_by, reads_as_stored};
use crate::encoder::PROGRAMS;
use crate::story::{all_vectors, ask, late_notice, read};

/// Small modules of requests: SwiftShader takes seconds for what a GPU does in milliseconds.
const MODULES: [&str; 3] = ["_internal_utils.py", "hooks.py", "structures.py"];

/// The questions about requests in the development sets.
const DEVELOPMENT: &str = include_str!("../fixtures/questions/requests.txt");

/// Chromium with an emulated WebGPU adapter.
fn with_adapter(before_page: Option<String>) -> Setup {
    let flags = [
        "--enable-unsafe-webgpu",
        "--use-webgpu-adapter=swiftshader",
        "--enable-features=Vulkan,WebGPU",
        "--ignore-gpu-blocklist",
    ];
    Setup {
        flags: flags.map(str::to_owned).into(),
        before_page,
        ..Setup::default()
    }
}

/// Opens the page with `query` after its address, and has it read an archive.
async fn open(setup: Setup, query: &str, archive: &std::path::Path) -> Page {
    let page = Page::blank(setup).await;
    let address = format!("{}/{query}", page.url().trim_end_matches('/'));
    page.driver.goto(address).await.unwrap();
    read(&page, archive).await;
    page
}

fn part_of_requests(folder: &std::path::Path, modules: &[&str]) -> std::path::PathBuf {
    let package = std::fs::File::open(published("requests-2.32.5.tar.gz")).unwrap();
    let mut package = tar::Archive::new(flate2::read::GzDecoder::new(package));
    let mut files = Vec::new();
    for entry in package.entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().to_string_lossy().into_owned();
        let is_wanted = |name: &str| path.ends_with(&format!("src/requests/{name}"));
        if modules.iter().any(|name| is_wanted(name)) {
            let mut text = Vec::new();
            std::io::Read::read_to_end(&mut entry, &mut text).unwrap();
            files.push((path, text));
        }
    }
    assert_eq!(files.len(), modules.len());
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_slice()))
        .collect();
    archive::save(folder, "part-of-requests.zip", &archive::zip(&files))
}

/// Presses the newest answer's button.
const SHOW_EVIDENCE: &str = "[...document.querySelectorAll('.turn button')] \
     .filter(button => button.innerText.startsWith('Evidence')).at(-1).click()";

/// The names of the ranked lines, for the answer to this question.
const RANKED: &str = "return document.querySelector('.evidence-question')?.innerText === arguments[0] ? \
     [...document.querySelectorAll('.evidence .ranked button.range')].map(button => button.title) : null";

/// The ranked lines for each question.
async fn rankings(page: &Page, questions: &[&str]) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for question in questions {
        ask(page, question).await;
        page.script(SHOW_EVIDENCE).await;
        let ranked = page
            .wait_for("the ranked lines", async || {
                let arguments = vec![serde_json::json!(question)];
                let names = page.driver.execute(RANKED, arguments).await.ok()?;
                names.convert::<Option<Vec<String>>>().ok()?
            })
            .await;
        all.push(ranked);
    }
    all
}

/// The rankings by vectors from a GPU, and by those from the processor.
async fn both_rankings(
    archive: &std::path::Path,
    questions: &[&str],
) -> (Vec<Vec<String>>, Vec<Vec<String>>) {
    let on_gpu = open(with_adapter(None), "?gpu=any", archive).await;
    every_vector(&on_gpu).await;
    on_gpu.wait_for_text("on the GPU (google swiftshader").await;
    let own = rankings(&on_gpu, questions).await;
    on_gpu.close().await;

    let on_cpu = open(with_adapter(None), "", archive).await;
    every_vector(&on_cpu).await;
    assert!(!on_cpu.text().await.contains("on the GPU"));
    let expected = rankings(&on_cpu, questions).await;
    on_cpu.close().await;
    (own, expected)
}

/// Waits until all vectors are there, as long as their number grows.
async fn every_vector(page: &Page) {
    let mut before = 0;
    loop {
        let script = "const { vectorsDone, vectorsTotal } = document.querySelector('.shell').dataset; \
             return [+vectorsDone, +vectorsTotal]";
        let (done, total) = page
            .wait_for("more vectors", async || {
                let counts: [u64; 2] = serde_json::from_value(page.script(script).await).ok()?;
                let [done, total] = counts;
                (done > before).then_some((done, total))
            })
            .await;
        if done == total {
            return;
        }
        before = done;
    }
}

#[tokio::test]
#[ignore = "a processor that plays a GPU takes minutes; core compares the vectors of both"]
async fn a_gpu_ranks_as_the_processor_does_and_an_emulated_one_is_used_only_when_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    assert_same_rankings(&part_of_requests(folder.path(), &MODULES), 5).await;
}

#[tokio::test]
#[ignore = "a processor that plays a GPU takes more than an hour for a whole package"]
async fn a_gpu_ranks_a_whole_package_as_the_processor_does() {
    assert_same_rankings(&published("requests-2.32.5.tar.gz"), 1).await;
}

/// Every `nth` of the development questions finds the same lines in the same order, except for near
/// ties: the processor rounds activations to bytes, and the GPU does not. Questions about lines
/// that were not read get little but near ties.
async fn assert_same_rankings(archive: &std::path::Path, nth: usize) {
    let questions = DEVELOPMENT.lines().filter(|line| !line.starts_with('#'));
    let questions: Vec<&str> = questions.step_by(nth).collect();
    let (own, expected) = both_rankings(archive, &questions).await;
    let (mut first, mut whole, mut lines, mut far) = (0, 0, 0, Vec::new());
    for ((own, expected), question) in own.iter().zip(&expected).zip(&questions) {
        first += usize::from(own.first() == expected.first());
        whole += usize::from(own.iter().take(10).eq(expected.iter().take(10)));
        for (at, line) in own.iter().take(10).enumerate() {
            lines += 1;
            let place = expected.iter().position(|other| other == line);
            if place.is_none_or(|place| place.abs_diff(at) > 1) {
                far.push(format!("{question}: {line} at {at}, not {place:?}"));
            }
        }
    }
    let all = questions.len();
    assert!(first * 20 >= all * 19, "best line: {first} of {all}");
    assert!(whole * 10 >= all * 7, "best ten: {whole} of {all}");
    let rare = far.len() * 100 <= lines;
    assert!(rare, "further than one place: {far:#?} of {lines}");
}

/// Runs in the page and, through its own copies, in the workers: the opened GPU is lost once it has
/// been given work for the third time (the first is the self-test).
const LOSE_THE_GPU: &str = r#"
function lose() {
  const own = `(${lose})();\n`;
  self.Blob = new Proxy(Blob, {
    construct(Plain, [parts, options]) {
      return new Plain(options?.type === "text/javascript" ? [own, ...parts] : parts, options);
    },
  });
  if (!self.GPUAdapter) return;
  const request = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (...wanted) {
    const device = await request.apply(this, wanted);
    let left = 3;
    device.queue.submit = function (...work) {
      left -= 1;
      if (left === 0) device.destroy();
      return GPUQueue.prototype.submit.apply(this, work);
    };
    return device;
  };
}
lose();
"#;

#[tokio::test]
async fn when_the_gpu_is_lost_the_page_says_so_and_the_processor_takes_over() {
    let folder = tempfile::tempdir().unwrap();
    let setup = with_adapter(Some(LOSE_THE_GPU.to_owned()));
    let page = open(
        setup,
        "?gpu=any",
        &part_of_requests(folder.path(), &MODULES),
    )
    .await;
    // Chromium compiles the kernels on the processor first, which takes a minute on two cores.
    late_notice(&page, "The GPU failed").await;
    all_vectors(&page).await;
    assert!(!page.text().await.contains("on the GPU"));
    let shown = ask(&page, QUESTION).await;
    let in_structures = |name: &String| name.contains("structures.py");
    assert!(
        shown.footnotes.iter().any(in_structures),
        "{:?}",
        shown.footnotes
    );
    page.close().await;
}

#[tokio::test]
#[ignore = "a processor that plays a GPU takes minutes; losing the GPU runs the same programs"]
async fn the_code_models_perplexities_on_a_gpu_match_onnxruntime() {
    let path = paths::root().join("tests/fixtures/code-lm/conformance.json");
    let stored = Stored::read(&std::fs::read(path).unwrap()).unwrap();
    let page = Page::open_with(with_adapter(None)).await;
    let [program, _] = PROGRAMS;
    let (backend, worst) = reads_as_stored(&page, program, &stored, GpuUse::Emulated).await;
    let is_on_gpu = matches!(&backend, Backend::Gpu { name, .. } if name.contains("swiftshader"));
    assert!(is_on_gpu, "{backend:?}");
    assert!(worst.perplexity < PERPLEXITY_TOLERANCE, "{worst:?}");
    // An emulated adapter is left alone, and the reason is given.
    let (backend, _) = reads_as_stored(&page, program, &stored, GpuUse::Real).await;
    let Backend::Cpu { refused: Some(why) } = backend else {
        panic!("{backend:?}");
    };
    assert!(
        why.contains("the GPU google swiftshader is only emulated"),
        "{why}"
    );
    page.close().await;
}

/// A question about the modules of [`part_of_requests`].
const QUESTION: &str = "which dictionary ignores the case of its keys";

#[tokio::test]
#[ignore = "a processor that plays a GPU takes minutes; losing the GPU runs the same programs"]
async fn the_inspector_says_that_the_code_model_runs_on_the_gpu() {
    let folder = tempfile::tempdir().unwrap();
    let modules = part_of_requests(folder.path(), &["structures.py"]);
    let page = open(with_adapter(None), "?gpu=any", &modules).await;
    inspect(&page, QUESTION).await;
    read_by(&page, "Read by footnote-code-lm-1.").await;
    read_by(&page, "Code model on the GPU (google swiftshader").await;
    let scores = page
        .script("return document.querySelector('.cut .block > small').textContent")
        .await;
    assert!(scores.as_str().unwrap().contains("code model"), "{scores}");
    assert!(!page.elements(".context .kept").await.is_empty());
    page.close().await;
}

#[tokio::test]
async fn a_gpu_that_is_lost_while_code_is_read_leaves_the_processor_to_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let modules = part_of_requests(folder.path(), &MODULES);
    let setup = with_adapter(Some(LOSE_THE_GPU.to_owned()));
    let page = open(setup, "?gpu=any", &modules).await;
    inspect(&page, QUESTION).await;
    read_by(&page, "Code model on the processor: the GPU was lost").await;
    let scores = page
        .script("return document.querySelector('.cut .block > small').textContent")
        .await;
    assert!(scores.as_str().unwrap().contains("code model"), "{scores}");
    assert!(page.elements(".context .instead").await.is_empty());
    page.close().await;
}
