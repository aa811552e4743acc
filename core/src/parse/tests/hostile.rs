//! Files that a repository must survive: each is read, or skipped with a reason, and the others are
//! still there. On a stack of the size that the browser gives the engine.

use std::time::{Duration, Instant};

use crate::chunk::Chunking;
use crate::index::{Index, IndexBuilder};
use crate::job::run_to_end;
use crate::lang::Language;
use crate::lang::highlight::highlight;
use crate::source::{Repo, SkipReason, SourceFile};

/// Far above the usual time, so that only runaway growth fails on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// Indexes one file together with a good one.
fn index(path: &str, text: String) -> Index {
    let file = |path: &str, text: String| SourceFile {
        path: path.to_owned(),
        text,
    };
    let good = file("zz_good.py", "def good():\n    return 1\n".to_owned());
    let repo = Repo {
        files: vec![file(path, text), good],
        ..Repo::default()
    };
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    let good = index.repo.find("zz_good.py").unwrap();
    let (_, parsed) = index.file(good).unwrap();
    assert_eq!(parsed.symbols[0].name, "good", "{path}");
    let (files, chunks) = (index.parsed.len(), index.chunks.len());
    assert_eq!(index.repo.files.len(), files, "{path}");
    assert_eq!(index.chunks[chunks - 1].file, good, "{path}");
    index
}

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work);
    thread.unwrap().join().unwrap();
}

fn nested(open: &str, close: &str, depth: usize) -> String {
    open.repeat(depth) + &close.repeat(depth)
}

/// Returns a file of each shape, and why it is skipped; `None` if it is read.
fn shapes() -> Vec<(&'static str, String, Option<SkipReason>)> {
    let (deep, work) = (Some(SkipReason::TooDeep), Some(SkipReason::TooMuchWork));
    let chain = |calls: usize| format!("a{}", "\n.b()".repeat(calls));
    let many_chains = format!("{};\n", chain(4_900)).repeat(50);
    let tags = nested("<a>\n", "</a>\n", 100_000);
    let owners = format!("module {}\n", "A".repeat(100)).repeat(190);
    vec![
        ("a.js", chain(150_000), deep.clone()),
        (
            "a.rs",
            format!("fn f() {{ {}; }}", chain(150_000)),
            deep.clone(),
        ),
        ("a.swift", chain(150_000), deep.clone()),
        ("a.tsx", format!("x = {tags};"), deep.clone()),
        ("a.rb", nested("module A; ", "end; ", 5_000), deep.clone()),
        ("a.rb", nested("module A\n", "end\n", 5_000), deep.clone()),
        ("a.rb", owners + &"module B\nend\n".repeat(50_000), None),
        ("a.cs", nested("namespace a { ", "}", 1_900), deep.clone()),
        (
            "a.js",
            format!("x = a{};", " + b".repeat(200_000)),
            deep.clone(),
        ),
        ("a.js", many_chains, deep.clone()),
        // What a query examines grows with the square of the depth: the work limit stops it, not
        // the level limit.
        ("a.js", format!("{};", chain(2_000)), deep),
        ("a.py", format!("int {}a;", "*".repeat(1_000_000)), work),
        ("a.js", format!("x = a{};", " + b".repeat(4_000)), None),
    ]
}

#[test]
fn a_hostile_file_is_read_or_skipped_with_the_reason_and_the_others_are_read() {
    on_a_small_stack(|| {
        for (path, text, reason) in shapes() {
            let shape: String = text.chars().take(40).collect();
            let start = Instant::now();
            let index = index(path, text);
            let took = start.elapsed();
            let skipped = index.repo.skipped.first().map(|skipped| &skipped.reason);
            assert_eq!(skipped, reason.as_ref(), "{path}: {shape}");
            assert!(took < LONG, "{path}: {shape}: {took:?}");
        }
    });
}

#[test]
fn long_chains_are_read_or_skipped_in_every_language() {
    on_a_small_stack(|| {
        for language in Language::ALL_CODE {
            let text = format!("x = a{};\n", "\n.b()".repeat(12_000));
            let start = Instant::now();
            let parsed = crate::parse::parse_as(language, &text);
            super::robustness::check(&parsed, &text);
            highlight(language, &text);
            let took = start.elapsed();
            assert!(took < LONG, "{language:?}: {took:?}");
        }
    });
}
