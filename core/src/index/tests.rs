use super::*;
use crate::chunk::Chunking;
use crate::job::{Job, Step, run_to_end};

/// An index of these files, in a repository of that name.
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
