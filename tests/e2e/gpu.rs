//! Vectors from a GPU, which SwiftShader plays: the same ranking as from the processor, and nothing lost when
//! the GPU is.

use footnote_tests::archive;
use footnote_tests::browser::{AccessibleName, Page, Setup, archive as published};

use crate::story::{all_vectors, ask, notice, read};

/// Of requests, small modules: SwiftShader takes seconds for what a GPU does in milliseconds.
const MODULES: [&str; 3] = ["_internal_utils.py", "hooks.py", "structures.py"];

const QUESTIONS: [&str; 3] = [
    "which dictionary ignores the case of its keys",
    "how is a hook called with the response",
    "turn a string into the native type of strings",
];

/// Chromium with a WebGPU adapter where there is no GPU.
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

/// The page with everything after its address, and the modules read.
async fn open(setup: Setup, query: &str, folder: &std::path::Path) -> Page {
    let page = Page::blank(setup).await;
    let address = format!("{}/{query}", page.url().trim_end_matches('/'));
    page.driver.goto(address).await.unwrap();
    read(&page, &part_of_requests(folder)).await;
    page
}

fn part_of_requests(folder: &std::path::Path) -> std::path::PathBuf {
    let package = std::fs::File::open(published("requests-2.32.5.tar.gz")).unwrap();
    let mut package = tar::Archive::new(flate2::read::GzDecoder::new(package));
    let mut files = Vec::new();
    for entry in package.entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().to_string_lossy().into_owned();
        let is_wanted = |name: &str| path.ends_with(&format!("src/requests/{name}"));
        if MODULES.iter().any(|name| is_wanted(name)) {
            let mut text = Vec::new();
            std::io::Read::read_to_end(&mut entry, &mut text).unwrap();
            files.push((path, text));
        }
    }
    assert_eq!(files.len(), MODULES.len());
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_slice()))
        .collect();
    archive::save(folder, "part-of-requests.zip", &archive::zip(&files))
}

/// Presses the newest answer's button.
const SHOW_EVIDENCE: &str = "[...document.querySelectorAll('.turn button')] \
     .filter(button => button.innerText.startsWith('Evidence')).at(-1).click()";

/// The ranked lines of each question.
async fn rankings(page: &Page) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for question in QUESTIONS {
        let shown = ask(page, question).await;
        assert!(!shown.footnotes.is_empty(), "{question}: {}", shown.text);
        page.script(SHOW_EVIDENCE).await;
        let ranked = page
            .wait_for("the ranked lines", async || {
                let asked = page.element(".evidence-question").await.text().await.ok()?;
                let ranges = page.elements(".evidence .ranked button.range").await;
                (asked == question && !ranges.is_empty()).then_some(ranges)
            })
            .await;
        let mut names = Vec::new();
        for range in ranked {
            names.push(range.accessible_name().await);
        }
        all.push(names);
    }
    all
}

#[tokio::test]
async fn a_gpu_ranks_as_the_processor_does_and_an_emulated_one_is_used_only_when_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let on_gpu = open(with_adapter(None), "?gpu=any", folder.path()).await;
    all_vectors(&on_gpu).await;
    on_gpu.wait_for_text("on the GPU (google swiftshader").await;
    let own = rankings(&on_gpu).await;
    on_gpu.close().await;

    let on_cpu = open(with_adapter(None), "", folder.path()).await;
    all_vectors(&on_cpu).await;
    assert!(!on_cpu.text().await.contains("on the GPU"));
    let expected = rankings(&on_cpu).await;
    on_cpu.close().await;
    for ((own, expected), question) in own.iter().zip(&expected).zip(QUESTIONS) {
        assert_same_order(own, expected, question);
    }
}

/// The same lines, the best three in the same order, the others where they were but for neighbours: the processor
/// rounds activations, so near ties may fall the other way.
fn assert_same_order(own: &[String], expected: &[String], question: &str) {
    assert_eq!(own[..3], expected[..3], "{question}");
    assert_eq!(
        own.len(),
        expected.len(),
        "{question}: {own:?} {expected:?}"
    );
    for (at, line) in own.iter().enumerate() {
        let place = expected.iter().position(|other| other == line);
        let is_near = place.is_some_and(|place| place.abs_diff(at) <= 2);
        assert!(is_near, "{question}: {line}\n{own:?}\n{expected:?}");
    }
}

/// Runs in the page, and through its own copies in the workers: the GPU that is opened is gone after it was
/// given work for the third time (the first is the self-test).
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
async fn a_lost_gpu_is_told_of_and_the_processor_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let setup = with_adapter(Some(LOSE_THE_GPU.to_owned()));
    let page = open(setup, "?gpu=any", folder.path()).await;
    notice(&page, "The GPU failed").await;
    all_vectors(&page).await;
    assert!(!page.text().await.contains("on the GPU"));
    let shown = ask(&page, QUESTIONS[0]).await;
    let in_structures = |name: &String| name.contains("structures.py");
    assert!(
        shown.footnotes.iter().any(in_structures),
        "{:?}",
        shown.footnotes
    );
    page.close().await;
}
