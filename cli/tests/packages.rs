//! npm packages that ship their sources beside built files: which files import a module, asked in
//! six ways. The importers were looked up with grep; built files do not count.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use footnote_core::answer::{Fit, Outcome, ask_after};
use footnote_core::chunk::Chunking;
use footnote_core::index::{Index, IndexBuilder, Vectors};
use footnote_core::job::run_to_end;
use footnote_core::search::Question;
use footnote_core::source::ArchiveReader;

/// The archive, the module, and the files that import it.
const PACKAGES: [(&str, &str, &[&str]); 3] = [
    (
        "rxjs-7.8.2.tgz",
        "src/internal/util/arrRemove.ts",
        &[
            "src/internal/Subject.ts",
            "src/internal/Subscription.ts",
            "src/internal/operators/bufferCount.ts",
            "src/internal/operators/bufferTime.ts",
            "src/internal/operators/bufferToggle.ts",
            "src/internal/operators/windowTime.ts",
            "src/internal/operators/windowToggle.ts",
            "src/internal/scheduler/AsyncAction.ts",
        ],
    ),
    (
        "trpc-server-11.0.0.tgz",
        "src/unstable-core-do-not-import/stream/utils/createDeferred.ts",
        &[
            "src/unstable-core-do-not-import.ts",
            "src/unstable-core-do-not-import/stream/jsonl.ts",
            "src/unstable-core-do-not-import/stream/utils/mergeAsyncIterables.ts",
        ],
    ),
    (
        "immer-10.1.1.tgz",
        "src/internal.ts",
        &[
            "src/core/current.ts",
            "src/core/finalize.ts",
            "src/core/immerClass.ts",
            "src/core/proxy.ts",
            "src/core/scope.ts",
            "src/immer.ts",
            "src/plugins/mapset.ts",
            "src/plugins/patches.ts",
            "src/types/types-external.ts",
            "src/types/types-internal.ts",
            "src/utils/common.ts",
            "src/utils/plugins.ts",
        ],
    ),
];

/// The six ways; `PATH` is the module's path, `FILE` its file name, `STEM` the file name without
/// its extension.
const WAYS: [&str; 6] = [
    "Who imports PATH?",
    "Which files import FILE?",
    "What depends on the STEM module?",
    "Where is PATH imported?",
    "List the importers of PATH",
    "PATH is imported by which files?",
];

fn index(archive: &str) -> Index {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../target/archives")
        .join(archive);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| {
        panic!(
            "download it first (cargo xtask fixtures {archive}): {error}: {}",
            path.display()
        )
    });
    let repo = run_to_end(ArchiveReader::open(archive, bytes).unwrap()).unwrap();
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    index
}

fn story(archive: &str) {
    let (_, path, importers) = PACKAGES.iter().find(|(name, ..)| *name == archive).unwrap();
    let index = index(archive);
    let file = path.rsplit('/').next().unwrap();
    let stem = file.split('.').next().unwrap();
    for way in WAYS {
        let text = way
            .replace("PATH", path)
            .replace("FILE", file)
            .replace("STEM", stem);
        let question = Question::new(&text).unwrap();
        let answer = ask_after(&index, &Vectors::new(1, 0), &question, None, &[]).answer;
        assert_eq!(
            (answer.kind, answer.fit),
            (Some("importers"), Fit::Exact),
            "{text}"
        );
        let Outcome::Found { statements, .. } = &answer.outcome else {
            panic!("{text}: {answer:?}");
        };
        let first = statements[0].plain();
        let n = importers.len();
        let expected = format!("`{path}` is imported by {n} files: ");
        assert!(first.starts_with(&expected), "{text}: {first}");
        let mut named: Vec<&str> = statements[0]
            .items
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        named.sort_unstable();
        assert_eq!(named, *importers, "{text}");
    }
}

#[test]
fn six_wordings_find_the_importers_of_a_module_of_rxjs() {
    story("rxjs-7.8.2.tgz");
}

#[test]
fn six_wordings_find_the_importers_of_a_module_of_trpc() {
    story("trpc-server-11.0.0.tgz");
}

#[test]
fn six_wordings_find_the_importers_of_a_module_of_immer() {
    story("immer-10.1.1.tgz");
}
