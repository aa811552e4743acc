//! The whole page on published archives, from the drop to the answers, as a person sees it. Times
//! are taken inside the page, from the event that the person causes to the element that shows the
//! result.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::time::Duration;

use footnote_core::index::file::EXTENSION;
use footnote_core::job::run_to_end;
use footnote_core::source::ArchiveReader;
use serde_json::{Value, json};

use crate::browser::{Page, Setup, archive};
use crate::{graph_bench, served, synthetic};

/// An archive, and what a person might ask about it.
pub struct Case {
    /// The key in the report.
    pub name: &'static str,
    pub file: &'static str,
    questions: [&'static str; 10],
}

/// Questions that suit any repository.
const ANY: [&str; 10] = [
    "how is the configuration read and checked",
    "where are errors raised for bad input",
    "how is a name looked up and resolved",
    "where is the version defined",
    "how are results cached",
    "what happens when a value is missing",
    "how are options passed from the caller",
    "where is text parsed into a structure",
    "how is a connection opened and closed",
    "which classes can be extended by users",
];

/// A case whose first question the repository can answer: the benchmark waits for its footnote.
const fn any(name: &'static str, file: &'static str, first: &'static str) -> Case {
    let mut questions = ANY;
    questions[0] = first;
    Case {
        name,
        file,
        questions,
    }
}

/// Larger and larger repositories, measured when named or when `ladder` is.
pub const LADDER: [Case; 9] = [
    any(
        "pandas",
        "pandas-2.3.3.tar.gz",
        "how are two data frames merged",
    ),
    any(
        "typescript",
        "typescript-5.9.3.tgz",
        "what does the interface Promise declare",
    ),
    any(
        "sympy",
        "sympy-1.14.0.tar.gz",
        "how is an expression simplified",
    ),
    any(
        "aws-sdk-ec2",
        "aws-sdk-ec2-1.274.0.crate",
        "how are instances described",
    ),
    any(
        "scipy",
        "scipy-1.16.3.tar.gz",
        "how is a sparse matrix multiplied",
    ),
    any(
        "homeassistant",
        "homeassistant-2025.9.4.tar.gz",
        "how is an entity registered",
    ),
    any(
        "ansible",
        "ansible-12.3.0.tar.gz",
        "how is a playbook executed",
    ),
    any(
        SYNTHETIC[0].0,
        "synthetic-20000.tar.gz",
        "how is a cookie encoded",
    ),
    any(
        SYNTHETIC[1].0,
        "synthetic-200000.tar.gz",
        "how is a cookie encoded",
    ),
];

/// The cases whose archives are generated here, and their numbers of files: the size that the page
/// has a target for, and several times the largest of the other cases.
const SYNTHETIC: [(&str, usize); 2] = [("synthetic-20000", 20_000), ("synthetic", 200_000)];

/// The cases that are always measured.
pub const CASES: [Case; 4] = [
    Case {
        name: "requests",
        file: "requests-2.32.5.tar.gz",
        questions: [
            "where are redirects followed and how is the method changed",
            "how are cookies kept between requests",
            "how does basic authentication add its header",
            "what happens when the server certificate cannot be verified",
            "how is the encoding of a response guessed",
            "how are proxies taken from the environment",
            "how can the timeout of a request be set",
            "where is the default user agent string built",
            "how is a file uploaded as multipart form data",
            "when is a TooManyRedirects error raised",
        ],
    },
    Case {
        name: "flask",
        file: "flask-3.1.1.tar.gz",
        questions: [
            "how are request handlers registered for a URL rule",
            "where is the session cookie signed",
            "how does a blueprint record its setup functions",
            "what happens when a view function raises an exception",
            "how are templates found and rendered",
            "where is the application context pushed",
            "how is JSON serialised in a response",
            "how does the development server reload on changes",
            "where are static files served",
            "how is the test client implemented",
        ],
    },
    // About ten thousand chunks, the size for which the search has its targets.
    Case {
        name: "sphinx",
        file: "sphinx-8.2.3.tar.gz",
        questions: [
            "how are cross-references resolved between documents",
            "where is the search index built",
            "how does autodoc import a module and read its docstrings",
            "what happens when a document is removed between builds",
            "how are extensions loaded and set up",
            "where are the HTML pages written",
            "how is a toctree turned into a table of contents",
            "which builder makes LaTeX and how are images converted",
            "how are messages translated into another language",
            "when is a warning turned into an error",
        ],
    },
    Case {
        name: "django",
        file: "django-5.2.4.tar.gz",
        questions: [
            "how does a queryset become SQL",
            "where is the CSRF token checked",
            "how are migrations detected automatically",
            "how does the admin build its change list",
            "where are passwords hashed",
            "how is the current language activated for a request",
            "how does select_related join tables",
            "where are template tags registered",
            "how is a file upload handled in memory or on disk",
            "what does the cache middleware do with a response",
        ],
    },
];

/// Listens for what is measured, from before the page's own scripts run.
const STOPWATCH: &str = "
    window.bench = { questions: [], tasks: [], stages: [['start', 0]] };
    const bench = window.bench;
    bench.begin = (stage) => bench.stages.push([stage, performance.now()]);
    // Chromium reports tasks from 50 ms on; 0 means that the page was never blocked for so long.
    bench.longest = () => {
        const longest = Object.fromEntries(bench.stages.map(([stage]) => [stage, 0]));
        for (const { startTime, duration } of bench.tasks) {
            const [stage] = bench.stages.findLast(([, begun]) => begun <= startTime);
            longest[stage] = Math.max(longest[stage], duration);
        }
        return longest;
    };
    new PerformanceObserver((list) => bench.tasks.push(...list.getEntries()))
        .observe({ type: 'longtask', buffered: true });
    document.addEventListener('change', (event) => {
        if (event.target.type !== 'file') return;
        bench.dropped = performance.now();
        bench.begin('reading');
    }, true);
    document.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') bench.asked = performance.now();
    }, true);
    let answers = 0;
    const look = () => {
        const now = performance.now();
        if (bench.ready === undefined) {
            for (const note of document.querySelectorAll('li small')) {
                const linked = note.textContent.match(/links in ([\\d,]+) ms/);
                if (linked) bench.linked = +linked[1].replaceAll(',', '');
            }
        }
        if (bench.ready === undefined && document.querySelector('[data-phase=ready]')) bench.ready = now;
        if (bench.first === undefined && document.querySelector('.answer button.note-ref')) bench.first = now;
        if (bench.meaning === undefined && document.querySelector('[data-table-ms]')) bench.meaning = now;
        const shown = document.querySelectorAll('.turn .answer').length;
        if (shown > answers && bench.asked !== undefined) bench.questions.push(now - bench.asked);
        answers = shown;
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
";

/// Closes the dialog. Definitions are buttons too, and some are called `Close…`.
const CLOSE: &str = "document.querySelector('dialog[open] [aria-label=Close]').click()";

/// How long vectors are watched to measure their rate.
const WATCHED: Duration = Duration::from_secs(60);

/// Drops one archive and measures; vectors are computed at the same time, as for a person.
pub async fn measure(case: &Case) -> io::Result<Value> {
    let page = Page::open_with(Setup {
        before_page: Some(format!("{STOPWATCH}{}", graph_bench::STOPWATCH)),
        ..Setup::default()
    })
    .await;
    page.element("[data-phase=empty]").await;
    let [first, others @ ..] = &case.questions;
    // Asked before the archive is there, so that the first answer comes as soon as it can.
    ask(&page, first).await;
    page.choose_file(&archive(case.file)).await;
    page.wait_for_long("the first cited answer", async || {
        time(&page, "bench.first").await
    })
    .await;
    let lexical_ready = between(&page, "bench.dropped", "bench.ready").await?;
    let first_answer = between(&page, "bench.dropped", "bench.first").await?;
    let peak_ready = page.renderer_peak_bytes();
    page.wait_for_long("a vector of every chunk", async || {
        time(&page, "bench.meaning").await
    })
    .await;
    let all_meaning = between(&page, "bench.dropped", "bench.meaning").await?;
    page.wait_for_long("the first answer compared by meaning", async || {
        let refined = page.elements(".answer[data-refined=true]").await.len();
        (refined > 0).then_some(())
    })
    .await;
    let peak_first_answer = page.renderer_peak_bytes();
    begin(&page, "vectors").await;
    let vectors = vectors_per_second(&page).await;
    begin(&page, "questions").await;
    // By words alone: the page answers by words first, and by meaning after that.
    let mut times = Vec::new();
    for question in others {
        times.push(answer_time(&page, question).await);
    }
    times.sort_by(f64::total_cmp);
    begin(&page, "traces").await;
    let searches = search_times(&page).await;
    let total = "return +document.querySelector('[data-vectors-total]').dataset.vectorsTotal";
    let chunks = page.script(total).await;
    begin(&page, "graph").await;
    let graph = graph_bench::measure(&page).await?;
    let peak_before_reload = page.renderer_peak_bytes();
    let linked = time(&page, "bench.linked").await;
    let files = files(&page).await;
    let saved = saved_bytes(&page).await;
    let tasks = page.script("return bench.longest()").await;
    page.driver.refresh().await.map_err(io::Error::other)?;
    let reload_ready = page
        .wait_for_long("the saved repository", async || {
            time(&page, "bench.ready").await
        })
        .await;
    let peak = [
        peak_first_answer,
        peak_before_reload,
        page.renderer_peak_bytes(),
    ];
    let peak = peak.into_iter().max().unwrap_or(0);
    page.close().await;
    let index_file = index_file_answer(case).await?;
    Ok(json!({
        "lexical_ready_ms": lexical_ready.round(),
        "first_answer_ms": first_answer.round(),
        // From the index file instead of the archive.
        "index_file_answer_ms": index_file.round(),
        // Every chunk has a vector by the static encoder.
        "all_meaning_ms": all_meaning.round(),
        "question_ms_p50": percentile(&times, 0.5),
        "question_ms_p95": percentile(&times, 0.95),
        "chunks": chunks,
        "search_ms_p50": percentile(&searches, 0.5),
        "search_ms_p95": percentile(&searches, 0.95),
        "vectors_per_s": vectors,
        "graph": graph,
        "reload_ready_ms": reload_ready.round(),
        "files": files,
        "text_mb": text_bytes(case)? as f64 / 1e6,
        "links_ms": linked,
        "saved_mb": saved / 1e6,
        // Up to the first answer, and up to the first answer that is compared by meaning.
        "peak_memory_ready_mb": peak_ready as f64 / 1e6,
        "peak_memory_first_answer_mb": peak_first_answer as f64 / 1e6,
        "peak_memory_mb": peak as f64 / 1e6,
        "longest_page_task_ms": tasks,
    }))
}

/// Milliseconds from dropping the archive's index file, made by the native program, to the first
/// cited answer.
async fn index_file_answer(case: &Case) -> io::Result<f64> {
    let folder = tempfile::tempdir()?;
    let packed = archive(case.file);
    let (index, out) = (OsStr::new("index"), OsStr::new("--out"));
    served::run([index, packed.as_os_str(), out, folder.path().as_os_str()]);
    let mut files = std::fs::read_dir(folder.path())?.filter_map(|file| Some(file.ok()?.path()));
    let file = files.find(|file| file.extension().is_some_and(|it| it == EXTENSION));
    let file = file.ok_or_else(|| io::Error::other("the program made no index file"))?;
    let page = Page::open_with(Setup {
        before_page: Some(STOPWATCH.to_owned()),
        ..Setup::default()
    })
    .await;
    page.element("[data-phase=empty]").await;
    ask(&page, case.questions[0]).await;
    page.choose_file(&file).await;
    page.wait_for_long("the first cited answer", async || {
        time(&page, "bench.first").await
    })
    .await;
    let answered = between(&page, "bench.dropped", "bench.first").await;
    page.close().await;
    answered
}

/// From here on, the page's tasks count towards this stage.
async fn begin(page: &Page, stage: &str) {
    page.script(&format!("bench.begin('{stage}')")).await;
}

/// The bytes of text that are read from the archive.
fn text_bytes(case: &Case) -> io::Result<usize> {
    let bytes = std::fs::read(archive(case.file))?;
    let reader = ArchiveReader::open(case.file, bytes).map_err(io::Error::other)?;
    let repo = run_to_end(reader).map_err(io::Error::other)?;
    Ok(repo.files.iter().map(|file| file.text.len()).sum())
}

/// How many files were read, according to the bar.
async fn files(page: &Page) -> Option<f64> {
    let script = "return +document.querySelector('.repo small').textContent.match(/([\\d,]+) files?/)[1].replaceAll(',', '')";
    page.script(script).await.as_f64()
}

/// The bytes of repositories that the page stores in this browser. Its own files, stored for
/// offline use, do not count.
async fn saved_bytes(page: &Page) -> f64 {
    page.script("navigator.storage.estimate().then(({ usageDetails }) => window.bench.saved = usageDetails.indexedDB)")
        .await;
    page.wait_for("the size of what is saved", async || {
        time(page, "bench.saved").await
    })
    .await
}

/// Enters a question and presses Enter. WebDriver's own typing runs its scripts on the page's
/// thread, in tasks of a tenth of a second, which would count as the page's.
async fn ask(page: &Page, question: &str) {
    let script = format!(
        "const box = document.querySelector('[aria-label=Question]'); box.focus(); \
         box.value = {}; box.dispatchEvent(new Event('input', {{ bubbles: true }}))",
        Value::from(question)
    );
    page.script(&script).await;
    let key = json!({ "type": "keyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r" });
    page.devtools("Input.dispatchKeyEvent", key).await;
}

/// Milliseconds from Enter to the answer by words.
async fn answer_time(page: &Page, question: &str) -> f64 {
    let known = count(page).await;
    ask(page, question).await;
    page.wait_for("the answer by words", async || {
        (count(page).await > known).then_some(())
    })
    .await;
    let last = page.script("return window.bench.questions.at(-1)").await;
    last.as_f64().unwrap_or(f64::NAN)
}

/// The milliseconds that the engine takes to rank for each question of the conversation, according
/// to its trace; sorted.
async fn search_times(page: &Page) -> Vec<f64> {
    let turns = page.elements(".turn").await.len();
    let mut times = Vec::new();
    for turn in 0..turns {
        let script = format!(
            "const turn = document.querySelectorAll('.turn')[{turn}]; \
             [...turn.querySelectorAll('.actions button')].find(b => b.textContent.includes('How it was found'))?.click()"
        );
        page.script(&script).await;
        let time = page
            .wait_for("a trace", async || {
                let script = "const busy = document.querySelector('[aria-busy=true]'); \
                              const run = document.querySelector('.trace .run'); \
                              return busy || !run ? null : +run.dataset.milliseconds";
                page.script(script).await.as_f64()
            })
            .await;
        times.push(time);
        page.script(CLOSE).await;
    }
    times.sort_by(f64::total_cmp);
    times
}

async fn count(page: &Page) -> u64 {
    let count = page.script("return window.bench.questions.length").await;
    count.as_u64().unwrap_or(0)
}

/// Vectors per second over a minute, or until all are there, starting from the first one.
async fn vectors_per_second(page: &Page) -> Option<f64> {
    let seen = "const s = document.querySelector('[data-vectors-total]'); \
                return s && [+s.dataset.vectorsDone, +s.dataset.vectorsTotal, performance.now()]";
    let look = async || -> Option<(f64, f64, f64)> {
        serde_json::from_value(page.script(seen).await).ok()
    };
    let start = page
        .wait_for("the first vectors", async || {
            look().await.filter(|(done, _, _)| *done > 0.0)
        })
        .await;
    loop {
        tokio::time::sleep(Duration::from_millis(250)).await;
        let (done, total, now) = look().await?;
        let seconds = (now - start.2) / 1_000.0;
        if done >= total || seconds >= WATCHED.as_secs_f64() {
            // For a large repository, only those that its questions ask for are computed.
            return (done > start.0).then(|| (done - start.0) / seconds);
        }
    }
}

async fn time(page: &Page, name: &str) -> Option<f64> {
    page.script(&format!("return window.{name}")).await.as_f64()
}

async fn between(page: &Page, start: &str, end: &str) -> io::Result<f64> {
    match (time(page, start).await, time(page, end).await) {
        (Some(start), Some(end)) => Ok(end - start),
        _ => Err(io::Error::other(format!("{start} or {end} was not seen"))),
    }
}

/// The nearest-rank percentile of sorted values.
fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied()
}

/// Checks that the archive exists; generates it if it is one of those made here.
pub fn check(case: &Case, folder: &Path) -> io::Result<()> {
    let path = folder.join(case.file);
    if path.exists() {
        return Ok(());
    }
    if let Some((_, files)) = SYNTHETIC.iter().find(|(name, _)| *name == case.name) {
        return synthetic::write(&path, *files);
    }
    let message = format!(
        "download it first (cargo xtask fixtures): {}",
        path.display()
    );
    Err(io::Error::other(message))
}
