//! Index files: round trips; [`hostile`] has files that lie.

mod hostile;

use std::sync::{Arc, LazyLock};

use super::blocks::{BLOCK, BLOCK_HEAD, pack, unpack};
use super::*;
use crate::chunk::{ChunkId, Chunking};
use crate::embed::table::tests::encoder;
use crate::embed::{Embedding, Quantised, TableEncoder};
use crate::index::format;
use crate::index::tests::repo;
use crate::index::{Index, IndexBuilder, TableJob, TableVectors, Vectors};
use crate::job::run_to_end;
use crate::source::{Repo, SkipReason, Skipped};

static ENCODER: LazyLock<Arc<TableEncoder>> = LazyLock::new(|| Arc::new(encoder()));

/// An index file of [`sample`] with everything in it.
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| bytes(&sample(), true));

fn sample_repo() -> Repo {
    let mut repo = repo(&[
        ("README.md", "# Sample\n\nSends requests.\n"),
        (
            "src/client.py",
            "class Client:\n    def send(self, request):\n        return self.session.send(request)\n",
        ),
        ("src/empty.py", ""),
    ]);
    repo.skipped.push(Skipped {
        path: "../outside.py".to_owned(),
        reason: SkipReason::UnsafePath,
    });
    repo
}

fn index_of(repo: Repo) -> Arc<Index> {
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    let index = Arc::new(index);
    let Ok(table) = run_to_end(TableJob::new(Arc::clone(&index), Arc::clone(&ENCODER)));
    index.set_table(table);
    index
}

fn sample() -> Arc<Index> {
    index_of(sample_repo())
}

/// Vectors of every second chunk.
fn model(index: &Index) -> Vectors {
    let mut vectors = Vectors::new(3, index.chunks.len());
    for (id, _) in index.chunk_ids().step_by(2) {
        let values = vec![id.0 as f32 + 1.0, -2.0, 0.5];
        vectors.set(id, &Quantised::new(&Embedding::from_raw(values)));
    }
    vectors
}

fn encoded(index: &Index, with_text: bool) -> Encoded {
    encode(Contents {
        index,
        model: PackedVectors::new("some-model", &model(index)),
        archive: Some(Archive {
            name: "sample-1.0.tar.gz".to_owned(),
            sha256: [7; 32],
        }),
        made_by: "0.1.0",
        with_text,
    })
}

fn bytes(index: &Index, with_text: bool) -> Vec<u8> {
    let encoded = encoded(index, with_text);
    let length = encoded.length();
    let bytes: Vec<u8> = encoded.into_pieces().flatten().collect();
    assert_eq!(bytes.len() as u64, length);
    bytes
}

fn decode(bytes: &[u8]) -> Result<Decoded, FileError> {
    IndexFile::open(bytes)?.decode()
}

fn error(bytes: &[u8]) -> FileError {
    decode(bytes).err().expect("a file that is refused")
}

fn sections(index: &Index) -> Vec<Vec<u8>> {
    let sections = format::encode(index);
    sections.map(format::Section::into_bytes).collect()
}

#[test]
fn a_written_file_is_read_back_to_the_byte() {
    let index = sample();
    let decoded = decode(&FILE).unwrap();
    assert!(sections(&decoded.index) == sections(&index));
    let about = &decoded.about;
    assert_eq!((&*about.name, &*about.made_by), ("sample-1.0", "0.1.0"));
    assert_eq!(about.archive.as_ref().unwrap().sha256, [7; 32]);
    assert_eq!((about.files, about.has_text), (3, true));
    let languages = [("Python".to_owned(), 2), ("Markdown".to_owned(), 1)];
    assert_eq!(about.languages, languages);
    let saved = decoded.model.unwrap();
    assert_eq!(saved.encoder.id, "some-model");
    let expected = model(&index);
    for (id, _) in index.chunk_ids() {
        let query = Embedding::from_raw(vec![1.0, 2.0, 3.0]);
        assert_eq!(
            saved.vectors.cosine(&query, id),
            expected.cosine(&query, id)
        );
    }
    let table = decoded.table.unwrap();
    let table = TableVectors::of_saved(&decoded.index, Arc::clone(&ENCODER), table).unwrap();
    decoded.index.set_table(table);
    assert!(bytes(&decoded.index, true) == *FILE, "the same file again");
}

#[test]
fn vectors_that_were_read_find_what_computed_ones_find() {
    let index = sample();
    let decoded = decode(&FILE).unwrap();
    let saved = decoded.table.unwrap();
    let table = TableVectors::of_saved(&decoded.index, Arc::clone(&ENCODER), saved).unwrap();
    let computed = index.table().unwrap();
    let question = computed.embed("which class sends a request").unwrap();
    let nearest = computed.vectors().nearest(&question, 9);
    assert!(!nearest.is_empty());
    assert_eq!(table.vectors().nearest(&question, 9), nearest);
    let near = computed.near("request", 0.1, 9);
    assert!(!near.is_empty());
    assert_eq!(table.near("request", 0.1, 9), near);
}

#[test]
fn vectors_of_another_encoder_are_not_taken_over() {
    let decoded = decode(&FILE).unwrap();
    let mut saved = decoded.table.unwrap();
    saved.encoder.id.push('2');
    assert!(TableVectors::of_saved(&decoded.index, Arc::clone(&ENCODER), saved).is_none());
}

#[test]
fn a_repository_without_files_has_a_file() {
    let index = index_of(repo(&[]));
    let bytes = bytes(&index, true);
    let decoded = decode(&bytes).unwrap();
    assert_eq!((decoded.about.files, decoded.about.chunks), (0, 0));
    assert!(decoded.model.is_none());
}

#[test]
fn sections_of_several_blocks_are_whole() {
    let text = |seed: u64| {
        let mut state = seed;
        let mut word = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            format!("w{} ", state >> 50)
        };
        (0..60_000).map(|_| word()).collect::<String>() + "\n"
    };
    let files: Vec<(String, String)> = (1..9).map(|at| (format!("{at}.txt"), text(at))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    let index = index_of(repo(&files));
    let bytes = bytes(&index, true);
    let texts = IndexFile::open(&bytes).unwrap().about().text_bytes;
    assert!(texts as usize > 2 * BLOCK, "{texts}");
    let decoded = decode(&bytes).unwrap();
    assert!(sections(&decoded.index) == sections(&index));
}

#[test]
fn bytes_that_cannot_be_packed_are_stored() {
    let mut state = 1u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(5_000)
    .collect();
    for block in [&noise[..], &noise[..1], &[0; 5_000]] {
        let packed = pack(block, 6);
        assert!(packed.len() <= block.len() + 4);
        assert_eq!(unpack(&packed[4..], block.len()).unwrap(), block);
        assert_eq!(unpack(&packed[4..], block.len() + 1), None);
        assert!(block.len() < 2 || unpack(&packed[4..packed.len() - 1], block.len()).is_none());
    }
}

#[test]
fn the_name_says_what_is_inside_and_not_when_or_how_it_was_made() {
    let index = sample();
    let one = encoded(&index, true).about;
    assert_eq!(one.file_name(), encoded(&sample(), true).about.file_name());
    assert!(one.file_name().starts_with("sample-1.0-") && one.file_name().ends_with(".footnote"));
    assert_eq!(one.file_name().len(), "sample-1.0-".len() + 16 + 9);
    let other = encoded(&index_of(repo(&[("a.py", "x = 1\n")])), true).about;
    assert_ne!(one.content, other.content);
    assert_ne!(one.content, encoded(&index, false).about.content);
    let elsewhere = encode(Contents {
        index: &index,
        model: PackedVectors::new("some-model", &model(&index)),
        archive: None,
        made_by: "9.9.9",
        with_text: true,
    });
    assert_eq!(one.content, elsewhere.about.content);
}

#[test]
fn a_file_name_has_nothing_that_a_shell_or_an_address_minds() {
    for (name, expected) in [
        ("requests-2.32.5", "requests-2.32.5"),
        ("../../etc/passwd", "etc-passwd"),
        ("größe und $(rm)", "gr--e-und---rm"),
        ("", "repository"),
        ("…", "repository"),
    ] {
        let about = About {
            name: name.to_owned(),
            ..encoded(&sample(), true).about
        };
        let file_name = about.file_name();
        let expected = format!("{expected}-{}.footnote", about.content);
        assert_eq!(file_name, expected, "{name}");
    }
}

#[test]
fn a_file_without_text_opens_only_beside_its_archive() {
    let bytes = bytes(&sample(), false);
    let open = || IndexFile::open(&bytes[..]).unwrap();
    assert!(!open().about().has_text);
    let refused = open().decode().err().unwrap();
    assert!(
        refused.to_string().contains("sample-1.0.tar.gz"),
        "{refused}"
    );
    let beside = |repo: Repo| run_to_end(open().decoding_beside(repo));
    let decoded = beside(sample_repo()).unwrap();
    assert!(sections(&decoded.index) == sections(&sample()));
    let mut other = sample_repo();
    other.files[1].text = other.files[1].text.replace("send", "mend");
    let mut shorter = sample_repo();
    shorter.files.pop();
    for repo in [other, shorter, Repo::default()] {
        let error = beside(repo).err().unwrap();
        assert!(matches!(error, FileError::OtherArchive { .. }), "{error}");
    }
}

#[test]
fn chunks_of_a_decoded_file_can_be_read() {
    let decoded = decode(&FILE).unwrap();
    let text = decoded.index.text_of(ChunkId(0)).unwrap();
    assert!(text.contains("Sample"), "{text}");
}
