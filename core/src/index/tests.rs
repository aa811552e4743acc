use super::*;
use crate::chunk::Chunking;
use crate::job::{Job, Step, run_to_end};

/// Indexes these files, in a repository with this name.
pub(crate) fn whole_index(name: &str, files: &[(&str, &str)]) -> Index {
    let Ok(index) = run_to_end(IndexBuilder::new(named(name, files), Chunking::FUNCTION));
    index
}

fn named(name: &str, files: &[(&str, &str)]) -> Repo {
    let mut files: Vec<SourceFile> = files
        .iter()
        .map(|&(path, text)| SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Repo {
        name: name.to_owned(),
        files,
        ..Repo::default()
    }
}

pub(crate) fn repo(files: &[(&str, &str)]) -> Repo {
    named("sample-1.0", files)
}

pub(crate) fn index(files: &[(&str, &str)]) -> Index {
    whole_index("sample-1.0", files)
}

#[test]
fn progress_counts_files_in_each_stage() {
    let mut builder = IndexBuilder::new(repo(&[("a", "x"), ("b", "y")]), Chunking::FUNCTION);
    let mut seen = Vec::new();
    let index = loop {
        let stage = builder.stage();
        match builder.step() {
            Ok(Step::Working(progress)) => seen.push((stage, progress.done)),
            Ok(Step::Done(index)) => break index,
        }
    };
    use BuildStage::{Parse, Words};
    let (graph, others): (Vec<_>, Vec<_>) = seen
        .into_iter()
        .partition(|(stage, _)| *stage == BuildStage::Graph);
    assert_eq!(others, [(Parse, 1), (Parse, 2), (Words, 1), (Words, 2)]);
    assert!(graph.is_sorted_by_key(|(_, done)| *done));
    assert_eq!(graph.last(), Some(&(BuildStage::Graph, 8)));
    assert_eq!(index.chunks.len(), 2);
    assert_eq!(index.bm25.chunk_count(), 2);
}

#[test]
fn an_empty_repository_has_an_empty_index() {
    let index = index(&[]);
    assert!(index.chunks.is_empty());
    assert!(index.bm25.search(&["x"], 5).is_empty());
    assert_eq!(index.text_of(ChunkId(0)), None);
    assert_eq!(index.title(ChunkId(0)), "");
}

#[test]
fn chunks_know_their_file_text_and_lines() {
    let index = index(&[
        ("src/b.txt", "\n\nsecond words\n\n"),
        ("a.txt", "first\nfile\n"),
    ]);
    let (id, chunk) = index.chunks_of(FileId(1)).next().unwrap();
    assert_eq!(chunk.lines.to_string(), "1-4");
    assert_eq!(index.text_of(id), Some("\n\nsecond words\n\n"));
    assert_eq!(index.trimmed_lines(id).unwrap().to_string(), "3");
    assert_eq!(index.path_of(id), Some("src/b.txt"));
    assert_eq!(index.chunk_at(FileId(1), Line(3)), Some(id));
    assert_eq!(index.chunk_at(FileId(1), Line(5)), None);
    assert_eq!(index.embedding_text(id), "b.txt\nsecond words");
    assert_eq!(index.chunk_ids().count(), index.chunks.len());
}

#[test]
fn paths_and_bodies_are_both_searched() {
    let index = index(&[
        ("src/redirects.txt", "nothing else\n"),
        ("b.txt", "redirects\n"),
        ("c.txt", "other\n"),
    ]);
    let found = index
        .bm25
        .search(&question_tokens("where are redirects"), 5);
    let paths: Vec<_> = found
        .iter()
        .map(|(id, _)| index.path_of(*id).unwrap())
        .collect();
    assert_eq!(paths.len(), 2);
    assert!(paths.contains(&"src/redirects.txt") && paths.contains(&"b.txt"));
}

#[test]
fn files_and_folders_are_found_by_the_end_of_their_paths() {
    let files = [
        "README.md",
        "a/core/Read.rs",
        "a/lib.rs",
        "b/core/read.py",
        "b/core/x/y.py",
    ];
    let index = index(&files.map(|path| (path, "x")));
    let paths = index.paths();
    let named = |name: &str| paths.named(name).map(|id| id.0).collect::<Vec<_>>();
    assert_eq!(named("read.rs"), [1], "in any case");
    assert_eq!(named("READ.PY"), [3]);
    assert_eq!(named("readme.md"), [0]);
    assert_eq!(named("read"), [0; 0], "a name is whole");
    let with_stem = |stem: &str| paths.with_stem(stem).map(|id| id.0).collect::<Vec<_>>();
    assert_eq!(with_stem("read"), [3], "as written");
    assert_eq!(with_stem("Read"), [1]);
    assert_eq!(paths.folders("core"), ["a/core", "b/core"]);
    assert_eq!(paths.folders("x"), ["b/core/x"]);
    assert_eq!(
        paths.folders("b"),
        ["b"],
        "a folder without files of its own"
    );
    assert_eq!(paths.folders(""), [""; 0], "the root has no name");
}

#[test]
fn a_name_is_found_in_code_and_in_all_else_by_file() {
    let index = index(&[
        ("a.md", "# Store\n\nText.\n"),
        ("b.py", "class Store:\n    pass\n"),
        ("c.md", "# Store\n\nText.\n"),
    ]);
    let every = index.names().every(&index.parsed, "Store");
    assert_eq!(
        every.iter().map(|id| id.file.0).collect::<Vec<_>>(),
        [0, 1, 2]
    );
    let of_code = index.names().of(&index.parsed, "Store");
    assert_eq!(of_code.map(|(id, _)| id.file.0).collect::<Vec<_>>(), [1]);
    assert!(index.names().every(&index.parsed, "store").is_empty());
}

#[test]
fn content_keys_depend_on_model_and_text_and_nothing_else() {
    let key = ContentKey::of("m", "text");
    assert_eq!(key, ContentKey::of("m", "text"));
    assert_ne!(
        key,
        ContentKey::of("mt", "ext"),
        "the border between the two counts"
    );
    assert_ne!(key, ContentKey::of("n", "text"));
    let moved = |path| index(&[(path, "same text\n")]).key(ChunkId(0), "m");
    assert_eq!(
        moved("requests/sessions.txt"),
        moved("src/requests/sessions.txt")
    );
}

mod reuse {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use proptest::prelude::{ProptestConfig, Strategy, prop};
    use proptest::{prop_assert_eq, proptest};

    use super::*;
    use crate::index::format;

    fn bytes(index: &Index) -> Vec<(&'static str, Vec<u8>)> {
        let sections = format::encode(index);
        sections
            .map(|section| (section.name, section.into_bytes()))
            .collect()
    }

    /// Builds `new` with and without `old`, and counts the files that were reused.
    fn check(old: &[(&str, &str)], new: &[(&str, &str)]) -> usize {
        let older = Arc::new(whole_index("sample-1.0", old));
        let repo = named("sample-1.1", new);
        let mut builder = IndexBuilder::reusing(repo, Chunking::FUNCTION, older);
        let (index, reused) = loop {
            let reused = builder.reused();
            let Ok(step) = builder.step();
            if let Step::Done(index) = step {
                break (index, reused);
            }
        };
        let fresh = whole_index("sample-1.1", new);
        assert_eq!(bytes(&index), bytes(&fresh));
        assert_eq!(index.graph.all_imports(), fresh.graph.all_imports());
        reused
    }

    const SENDS: &str = "from b import g\n\ndef f(x):\n    return g(x)\n";

    #[test]
    fn an_index_that_reuses_another_is_the_same_to_the_byte() {
        let old = [
            ("a.py", SENDS),
            ("b.py", "def g(x):\n    return x\n"),
            ("c.md", "# Title\n\nWords.\n"),
            ("d.py", "def gone(): pass\n"),
        ];
        let new = [
            ("b.py", "def g(x):\n    return x + 1\n"),
            ("c.md", "# Title\n\nWords.\n"),
            ("lib/a.py", SENDS),
            ("lib/e.py", "def came(): pass\n"),
        ];
        assert_eq!(check(&old, &new), 2, "one where it was, one that moved");
    }

    #[test]
    fn the_same_text_in_another_language_is_read_again() {
        assert_eq!(check(&[("a.py", "x = 1\n")], &[("a.rb", "x = 1\n")]), 0);
        assert_eq!(check(&[("a.py", "x = 1\n")], &[("b.py", "x = 1\n")]), 1);
    }

    type Files = BTreeMap<String, String>;

    fn files() -> impl Strategy<Value = Files> {
        let text = "(def [fg]\\(\\): pass\n|# T\n|x = 1\n|é){0,3}";
        prop::collection::btree_map("[ab]/[ab]\\.(py|md)", text, 0..5)
    }

    fn borrowed(files: &Files) -> Vec<(&str, &str)> {
        let files = files.iter();
        files.map(|(a, b)| (a.as_str(), b.as_str())).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_index_is_the_same_whatever_is_reused(
            old in files(),
            new in files(),
        ) {
            let (old, new) = (borrowed(&old), borrowed(&new));
            let reused = check(&old, &new);
            let is_known = |file: &&(&str, &str)| {
                let extension = |path: &str| path.rsplit('.').next().map(str::to_owned);
                let mut old = old.iter();
                old.any(|other| other.1 == file.1 && extension(other.0) == extension(file.0))
            };
            prop_assert_eq!(reused, new.iter().filter(is_known).count());
        }
    }
}

mod elsewhere {
    use proptest::prelude::{ProptestConfig, prop};
    use proptest::{prop_assert, proptest};

    use super::*;
    use crate::index::format;

    /// Returns files that can be read, one that is too deep, and one that is not code.
    fn files() -> Vec<(String, String)> {
        let code = |at: usize| format!("from m{at} import f\n\ndef g{at}(x):\n    return f(x)\n");
        let mut files: Vec<_> = (0..12)
            .map(|at| (format!("m{at:02}.py"), code(at)))
            .collect();
        files.push(("m05.js".to_owned(), format!("a{}", "\n.b()".repeat(9_000))));
        files.push(("m07.md".to_owned(), "# Title\n\nWords.\n".to_owned()));
        files
    }

    fn bytes(index: &Index) -> Vec<Vec<u8>> {
        format::encode(index)
            .map(format::Section::into_bytes)
            .collect()
    }

    /// Builds with parallel readers, in an order given by `turns`: each takes a batch, returns the
    /// oldest or the last one, or lets the builder do a step.
    fn built(files: &[(&str, &str)], turns: &[u8]) -> Index {
        let mut builder = IndexBuilder::new(repo(files), Chunking::FUNCTION);
        let mut away: Vec<Vec<usize>> = Vec::new();
        let mut turns = turns.iter().cycle();
        loop {
            match turns.next() {
                Some(0) => away.push(builder.offer(100)),
                Some(&turn @ 1..=3) if !away.is_empty() => {
                    let batch = if turn == 1 {
                        away.remove(0)
                    } else {
                        away.pop().unwrap()
                    };
                    let read = batch.iter().map(|&at| {
                        let file = builder.files().get(at);
                        // One in three comes back unread, as from a reader that died.
                        let file = file.filter(|_| turn != 3)?;
                        ReadFile::of(file, Chunking::FUNCTION).ok()
                    });
                    let read: Vec<Option<ReadFile>> = read.collect();
                    let read = format::carried(&format::carry(&read)).unwrap();
                    for (at, read) in batch.into_iter().zip(read) {
                        builder.put(at, read);
                    }
                }
                _ => {
                    if let Ok(Step::Done(index)) = builder.step() {
                        return index;
                    }
                    assert!(!builder.is_waiting() || away.iter().any(|it| !it.is_empty()));
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn the_index_is_the_same_whether_files_are_read_elsewhere_or_not(
            turns in prop::collection::vec(0u8..8, 1..40),
        ) {
            let files = files();
            let files: Vec<_> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            // Outstanding files must be returned, and the builder must advance.
            let turns: Vec<u8> = turns.into_iter().chain([1, 7]).collect();
            prop_assert!(bytes(&built(&files, &turns)) == bytes(&index(&files)));
        }
    }

    #[test]
    fn incomplete_and_overlong_bytes_of_read_files_are_refused() {
        let file = SourceFile {
            path: "a.py".to_owned(),
            text: "def f(): pass\n".to_owned(),
        };
        let read = ReadFile::of(&file, Chunking::FUNCTION).ok();
        let bytes = format::carry(&[None, read]);
        assert!(format::carried(&bytes).is_ok());
        for cut in 0..bytes.len() {
            assert!(format::carried(&bytes[..cut]).is_err(), "{cut}");
        }
        assert!(format::carried(&[&bytes[..], &[0]].concat()).is_err());
    }
}
