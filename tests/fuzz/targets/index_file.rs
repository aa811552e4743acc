//! The bytes of an index file → an index with vectors, or an error. The input is text, one change
//! per line:
//!
//! ```text
//! set PART OFFSET BYTE
//! cut PART LENGTH
//! add PART OFFSET BYTE
//! drop PART
//! ```
//!
//! A part is a section, unpacked; `header`, what describes the sections; or `file`, the bytes as
//! they lie on disk. Offsets are taken modulo the part's length. Sections and header are changed
//! first and sealed with new digests, so that the changes are believed; `file` comes last.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use footnote_core::chunk::ChunkId;
use footnote_core::embed::{Embedding, Quantised};
use footnote_core::index::Vectors;
use footnote_core::index::file::{Contents, IndexFile, MAGIC, PackedVectors, encode};
use footnote_core::search::{Question, Strategy, search};

use crate::mutate::Rng;
use crate::sample::INDEX;
use crate::target::Target;

pub const TARGET: Target = Target {
    name: "index-file",
    make,
    check,
};

/// What the header says about a section: name, codec, unpacked bytes, packed bytes, digest.
type Entry = (String, u8, u64, u64, [u8; 16]);

/// What the header says, with the sections last.
type Record = (
    (String, String, Option<(String, [u8; 32])>),
    (Option<(String, u32)>, Option<(String, u32)>),
    (u32, u32, u64, Vec<(String, u32)>),
    Vec<Entry>,
);

/// An index file in parts.
#[derive(Clone, PartialEq)]
struct Parts {
    record: Record,
    sections: BTreeMap<String, Vec<u8>>,
}

static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut vectors = Vectors::new(3, INDEX.chunks.len());
    for at in 0..INDEX.chunks.len() as u32 {
        let vector = Embedding::from_raw(vec![1.0, at as f32, -2.0]);
        vectors.set(ChunkId(at), &Quantised::new(&vector));
    }
    let encoded = encode(Contents {
        index: &INDEX,
        model: PackedVectors::new("some-model", &vectors),
        archive: None,
        made_by: "0.1.0",
        with_text: true,
    });
    encoded.into_pieces().flatten().collect()
});

static PARTS: LazyLock<Parts> = LazyLock::new(|| taken_apart(&FILE));

/// Magic, two versions and the length of the header.
const FRONT: usize = MAGIC.len() + 12;

fn taken_apart(file: &[u8]) -> Parts {
    let length: [u8; 4] = file[FRONT - 4..FRONT].try_into().expect("four bytes");
    let end = FRONT + u32::from_le_bytes(length) as usize;
    let record: Record = postcard::from_bytes(&file[FRONT..end]).expect("a header");
    let mut at = end + 16;
    let mut sections = BTreeMap::new();
    for (name, _, raw, packed, _) in &record.3 {
        let block = &file[at..at + *packed as usize];
        at += block.len();
        sections.insert(name.clone(), unpacked(block, *raw as usize));
    }
    Parts { record, sections }
}

/// The sample's sections have at most one block.
fn unpacked(section: &[u8], raw: usize) -> Vec<u8> {
    let Some(block) = section.get(4..) else {
        return Vec::new();
    };
    if block.len() == raw {
        return block.to_vec();
    }
    let mut bytes = Vec::new();
    let mut decoder = flate2::read::DeflateDecoder::new(block);
    std::io::Read::read_to_end(&mut decoder, &mut bytes).expect("a block");
    bytes
}

/// Puts a file together, with the digests of what is there; sections are stored as they are.
/// `change` changes the header.
fn put_together(mut parts: Parts, change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let mut packed = Vec::new();
    parts.record.3.retain_mut(|(name, _, raw, length, digest)| {
        let Some(bytes) = parts.sections.get(name) else {
            return false;
        };
        let start = packed.len();
        for block in bytes.chunks(1 << 20) {
            packed.extend((block.len() as u32).to_le_bytes());
            packed.extend(block);
        }
        (*raw, *length) = (bytes.len() as u64, (packed.len() - start) as u64);
        digest.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        true
    });
    let record = change(postcard::to_stdvec(&parts.record).expect("a header"));
    let mut file = FILE[..FRONT - 4].to_vec();
    file.extend((record.len() as u32).to_le_bytes());
    file.extend(record);
    let digest = blake3::hash(&file);
    file.extend(&digest.as_bytes()[..16]);
    file.extend(packed);
    file
}

fn make(rng: &mut Rng) -> Vec<u8> {
    let mut parts: Vec<(String, usize)> = PARTS
        .sections
        .iter()
        .map(|(name, bytes)| (name.clone(), bytes.len()))
        .collect();
    parts.push(("header".to_owned(), 400));
    parts.push(("file".to_owned(), FILE.len()));
    let mut lines = Vec::new();
    for _ in 0..=rng.below(4) {
        let (part, length) = rng.pick(&parts);
        // Counts and lengths are at the front.
        let at = match rng.one_in(3) {
            true => rng.below(40),
            false => rng.below(length + 1),
        };
        let odd = *rng.pick(&[0, 1, 2, 0x7f, 0x80, 0xff]);
        let byte = if rng.one_in(2) { odd } else { rng.below(256) };
        lines.push(match rng.below(24) {
            0 => format!("cut {part} {at}"),
            1 => format!("add {part} {at} {byte}"),
            2 => format!("drop {part}"),
            _ => format!("set {part} {at} {byte}"),
        });
    }
    lines.join("\n").into_bytes()
}

fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let of = |part: &str| {
        let lines = lines
            .iter()
            .filter(move |words| words.get(1) == Some(&part));
        lines.cloned().collect::<Vec<_>>()
    };
    let mut parts = PARTS.clone();
    for name in PARTS.sections.keys() {
        for words in of(name) {
            match parts.sections.get_mut(name) {
                Some(bytes) if words.first() != Some(&"drop") => change(bytes, &words),
                _ => drop(parts.sections.remove(name)),
            }
        }
    }
    let mut file = put_together(parts, |mut header| {
        of("header")
            .iter()
            .for_each(|words| change(&mut header, words));
        header
    });
    of("file").iter().for_each(|words| change(&mut file, words));
    is_read(file);
}

fn change(bytes: &mut Vec<u8>, words: &[&str]) {
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<usize>().ok());
    let length = bytes.len();
    match (words.first().copied(), number(2), number(3)) {
        (Some("set"), Some(at), Some(byte)) if length > 0 => bytes[at % length] = byte as u8,
        (Some("add"), Some(at), Some(byte)) => bytes.insert(at % (length + 1), byte as u8),
        (Some("cut"), Some(at), _) => bytes.truncate(at % (length + 1)),
        (Some("drop"), _, _) => bytes.clear(),
        _ => {}
    }
}

/// Opens a file, and uses the index as the page does. It may contain nonsense, since it is sealed;
/// it must not panic.
fn is_read(file: Vec<u8>) {
    let Ok(decoded) = IndexFile::open(file).and_then(IndexFile::decode) else {
        return;
    };
    let index = &decoded.index;
    for file in &index.repo.files {
        assert!(!file.path.starts_with('/'), "{}", file.path);
        assert!(
            file.path.split('/').all(|part| part != ".."),
            "{}",
            file.path
        );
    }
    for (id, _) in index.chunk_ids() {
        let _ = (index.path_of(id), index.text_of(id), index.title(id));
        let _ = (index.trimmed_lines(id), index.embedding_text(id));
    }
    let model = decoded.model.as_ref();
    assert!(model.is_none_or(|it| it.vectors.chunk_count() == index.chunks.len()));
    let table = decoded.table.as_ref();
    assert!(table.is_none_or(|it| it.vectors.is_complete()));
    let question = Question::new("which job does lease take").expect("a question");
    let vectors = Vectors::new(1, 0);
    let hits = search(index, &vectors, &question, None, &Strategy::default(), 10);
    let _ = footnote_core::answer::answer(index, &question, &hits);
}

#[test]
fn damaged_files_are_an_error_or_an_index_that_can_be_searched() {
    crate::run::test(&TARGET, 300);
}

#[test]
fn a_file_that_was_taken_apart_is_put_together_again() {
    let file = put_together(PARTS.clone(), |header| header);
    assert!(taken_apart(&file).sections == PARTS.sections);
    let read = IndexFile::open(file).and_then(IndexFile::decode).unwrap();
    let original = IndexFile::open(&FILE[..]).unwrap();
    assert_eq!(read.about.content, original.about().content);
}
