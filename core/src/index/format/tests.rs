use proptest::prelude::{ProptestConfig, prop};
use proptest::{prop_assert, proptest};

use super::history::HistoryRecord;
use super::*;
use crate::chunk::Chunking;
use crate::index::graph::GraphBuilder;
use crate::index::{IndexBuilder, question_tokens};
use crate::job::run_to_end;
use crate::source::{History, SkipReason, Skipped};

/// The repository of the fixtures, which contains every kind of record.
fn sample() -> Repo {
    let file = |path: &str, text: &str| SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let code = "\"\"\"Größen.\"\"\"\nfrom .sessions import Session as S\n\n\nclass Client:\n    \"\"\"Sends. Twice.\"\"\"\n\n    def send(self, request):\n        return self.session.send(request)\n\n\ndef broken(:\n";
    let reasons = [
        SkipReason::Binary,
        SkipReason::TooLarge { bytes: 9, limit: 5 },
        SkipReason::Ignored {
            rule_file: ".gitignore".to_owned(),
        },
        SkipReason::Unreadable("why".to_owned()),
    ];
    let skipped = reasons.into_iter().enumerate();
    Repo {
        name: "sample-1.0".to_owned(),
        files: vec![
            file(
                "README.md",
                "# Sample\n\nSends requests.\n\n## Install\n\n`pip install sample`\n",
            ),
            file("src/client.py", code),
            file("src/empty.py", ""),
        ],
        skipped: skipped
            .map(|(at, reason)| Skipped {
                path: format!("skipped/{at}"),
                reason,
            })
            .collect(),
        history: History {
            commit: Some("0123456789abcdef0123456789abcdef01234567".to_owned()),
            remote: Some("https://github.com/sample/sample".to_owned()),
            subjects: vec!["Send twice".to_owned(), "Größen".to_owned()],
            files: [(FileId(0), vec![1]), (FileId(1), vec![0, 1])].into(),
        },
    }
}

/// The sample with everything added after version 1.
fn index() -> Index {
    let mut repo = sample();
    repo.files.push(SourceFile {
        path: "src/store.py".to_owned(),
        text: "class Store(Base):\n    def put(self, note: Note):\n        note.check()\n"
            .to_owned(),
    });
    repo.files.push(SourceFile {
        path: "src/store/Entry.java".to_owned(),
        text: "package tern.store;\n\nclass Entry implements Stored {}\n".to_owned(),
    });
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    index
}

fn sections(index: &Index) -> Vec<(String, Vec<u8>)> {
    encode(index)
        .map(|section| (section.name.to_owned(), section.into_bytes()))
        .collect()
}

fn error(sections: Vec<(String, Vec<u8>)>) -> FormatError {
    match decode(sections) {
        Ok(_) => panic!("damaged sections were read"),
        Err(error) => error,
    }
}

#[test]
fn decoding_gives_back_what_was_encoded() {
    let index = index();
    let mut sections = sections(&index);
    sections.reverse();
    sections.push(("unknown".to_owned(), vec![1]));
    let read = decode(sections).unwrap();
    assert_eq!(read.repo.name, index.repo.name);
    assert_eq!(read.repo.files, index.repo.files);
    assert_eq!(read.repo.skipped, index.repo.skipped);
    assert_eq!(read.repo.history, index.repo.history);
    assert_eq!(format!("{:?}", read.parsed), format!("{:?}", index.parsed));
    assert_eq!(read.chunks, index.chunks);
    let tokens = question_tokens("who sends the request");
    assert!(!index.bm25.search(&tokens, 9).is_empty());
    assert_eq!(read.bm25.search(&tokens, 9), index.bm25.search(&tokens, 9));
    for (id, _) in index.chunk_ids() {
        assert_eq!(read.text_of(id), index.text_of(id));
        assert_eq!(read.key(id, "model"), index.key(id, "model"));
    }
}

/// Actual bytes that version 1 wrote; they stay when the format changes.
fn version_1() -> [(&'static str, &'static [u8]); 6] {
    macro_rules! section {
        ($name:literal) => {
            (
                $name,
                include_bytes!(concat!(
                    "../../../../tests/fixtures/index-v1/",
                    $name,
                    ".bin"
                )),
            )
        };
    }
    [
        section!("head"),
        section!("files"),
        section!("texts"),
        section!("parsed"),
        section!("chunks"),
        section!("words"),
    ]
}

#[test]
fn an_index_that_version_1_wrote_still_opens() {
    assert_eq!(version_of(version_1()[0].1), Ok(1));
    let index = decode(version_1()).unwrap();
    assert_eq!(index.repo.name, "sample-1.0");
    assert_eq!(index.repo.files, sample().files);
    assert_eq!(index.repo.skipped, sample().skipped);
    assert!(index.repo.history.is_empty());
    let client = &index.parsed[1];
    let symbols: Vec<_> = client
        .symbols
        .iter()
        .map(|s| s.qualified.as_str())
        .collect();
    assert_eq!(symbols[..2], ["Client", "Client.send"]);
    assert_eq!(client.symbols[0].doc, "Sends.");
    assert_eq!(client.symbols[0].lines.to_string(), "5-9");
    assert_eq!(client.imports[0].module, ".sessions");
    assert_eq!(client.imports[0].names[0].alias.as_deref(), Some("S"));
    assert_eq!(client.calls[0].receiver.as_deref(), Some("self.session"));
    assert!(!client.problems.is_empty());
    let (best, _) = index.bm25.search(&question_tokens("Client.send"), 1)[0];
    assert_eq!(index.path_of(best), Some("src/client.py"));
    assert_eq!(index.title(best), "Client");
    assert!(index.text_of(best).unwrap().starts_with("class Client:"));
}

#[test]
fn names_in_declarations_are_read_again_where_version_2_did_not_save_them() {
    let index = index();
    let [.., python, java] = &index.parsed[..] else {
        panic!("files are missing");
    };
    assert_eq!(python.bases[0].name, "Base");
    assert_eq!(python.types[0].written, "Note");
    assert_eq!(java.bases[0].name, "Stored");
    assert_eq!(java.packages, ["tern.store"]);
    let read = decode(as_written_by(2, &index)).unwrap();
    assert_eq!(format!("{:?}", read.parsed), format!("{:?}", index.parsed));
}

#[test]
fn an_index_that_version_3_wrote_says_nothing_of_where_it_comes_from() {
    let index = index();
    let read = decode(as_written_by(3, &index))
        .unwrap()
        .repo
        .history
        .clone();
    assert_eq!((read.commit, read.remote), (None, None));
    assert_eq!(read.files, index.repo.history.files);
    assert_eq!(read.subjects, index.repo.history.subjects);
}

/// The sections of an index as version 2 or 3 wrote them.
fn as_written_by(version: u32, index: &Index) -> Vec<(String, Vec<u8>)> {
    let mut sections = sections(index);
    sections.retain(|(name, _)| version > 2 || name != "declared");
    let is_history = |(name, _): &&mut (String, Vec<u8>)| name == "history";
    let (_, history) = sections.iter_mut().find(is_history).unwrap();
    let (_, rest): (HistoryRecord, &[u8]) = postcard::take_from_bytes(history).unwrap();
    history.truncate(history.len() - rest.len());
    let (head, body) = sections.split_last_mut().unwrap();
    let checksums = body.iter().map(|(_, bytes)| checksum(bytes)).collect();
    head.1 = head_of(version, checksums, &head.1);
    sections
}

/// Returns the head as that version wrote it.
fn head_of(version: u32, checksums: Vec<u64>, head: &[u8]) -> Vec<u8> {
    let body = &head[12..head.len() - 8];
    let mut record: HeadRecord = postcard::from_bytes(body).unwrap();
    record.checksums = checksums;
    let body = postcard::to_stdvec(&record).unwrap();
    let sum = checksum(&body);
    [
        &head[..8],
        &version.to_le_bytes(),
        &body,
        &sum.to_le_bytes(),
    ]
    .concat()
}

#[test]
fn a_version_that_was_changed_is_damage() {
    for version in [1, 2] {
        let mut sections = sections(&index());
        let (_, head) = sections.last_mut().unwrap();
        head.splice(8..12, u32::to_le_bytes(version));
        let error = error(sections);
        assert!(
            matches!(error, FormatError::Damaged { section: HEAD, .. }),
            "{error}"
        );
    }
}

#[test]
fn other_versions_are_named() {
    for found in [0, FORMAT_VERSION + 1, u32::MAX] {
        let mut sections = sections(&index());
        let (name, head) = sections.last_mut().unwrap();
        assert_eq!(name, HEAD);
        head.splice(8..12, found.to_le_bytes());
        assert_eq!(version_of(head), Ok(found));
        let error = error(sections);
        assert_eq!(error, FormatError::OtherVersion { found });
        let message = error.to_string();
        assert!(message.contains(&found.to_string()), "{message}");
        assert!(message.contains(&FORMAT_VERSION.to_string()), "{message}");
    }
}

#[test]
fn a_missing_section_is_named() {
    let count = sections(&index()).len();
    for at in 0..count {
        let mut sections = sections(&index());
        let (name, _) = sections.remove(at);
        let error = error(sections);
        assert!(matches!(error, FormatError::Missing { section } if section == name));
    }
}

#[test]
fn files_that_were_not_read_keep_their_reason() {
    let reasons = [
        SkipReason::TooDeep,
        SkipReason::TooMuchWork,
        SkipReason::StoppedEngine,
    ];
    let mut repo = sample();
    repo.skipped = reasons
        .map(|reason| Skipped {
            path: reason.to_string(),
            reason,
        })
        .into();
    let skipped = repo.skipped.clone();
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    assert_eq!(decode(sections(&index)).unwrap().repo.skipped, skipped);
}

#[test]
fn the_files_are_read_out_of_an_index_whose_other_parts_are_damaged() {
    let index = index();
    for (at, name) in BODY.iter().enumerate() {
        let mut sections = sections(&index);
        sections[at].1.fill(7);
        assert!(decode(sections.clone()).is_err(), "{name}");
        match repository(sections) {
            Ok(repo) => {
                assert_eq!(repo.files, index.repo.files, "{name}");
                assert_eq!(repo.skipped, index.repo.skipped, "{name}");
                let has_history = !repo.history.is_empty();
                assert_eq!(has_history, *name != "history", "{name}");
                let Ok(anew) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
                assert_eq!(anew.chunks, index.chunks, "{name}");
            }
            Err(error) => assert!(matches!(*name, "files" | "texts"), "{name}: {error}"),
        }
    }
}

#[test]
fn sections_of_two_indexes_do_not_mix() {
    let mut other = sample();
    other.files.pop();
    let Ok(other) = run_to_end(IndexBuilder::new(other, Chunking::FUNCTION));
    let mut mixed = sections(&index());
    mixed[3] = sections(&other).swap_remove(3);
    assert!(matches!(error(mixed), FormatError::Damaged { .. }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_flipped_byte_anywhere_is_an_error(
        section in 0usize..BODY.len() + 1,
        at in prop::num::usize::ANY,
        flip in 1u8..=255,
    ) {
        let mut sections = sections(&index());
        let bytes = &mut sections[section].1;
        let at = at % bytes.len();
        bytes[at] ^= flip;
        prop_assert!(decode(sections).is_err(), "section {} byte {}", section, at);
    }

    #[test]
    fn a_section_that_ends_too_early_is_an_error(
        section in 0usize..BODY.len() + 1,
        at in prop::num::usize::ANY,
    ) {
        let mut sections = sections(&index());
        let bytes = &mut sections[section].1;
        let length = at % bytes.len();
        bytes.truncate(length);
        prop_assert!(decode(sections).is_err(), "section {} cut to {}", section, length);
    }

    /// Damage behind matching checksums causes no panic and no access out of bounds.
    #[test]
    fn damage_that_the_checksum_hides_does_not_panic(
        section in 0usize..BODY.len(),
        at in prop::num::usize::ANY,
        flip in 1u8..=255,
    ) {
        let index = index();
        let mut bytes: Vec<Vec<u8>> = encode(&index).take(BODY.len()).map(Section::into_bytes).collect();
        let at = at % bytes[section].len();
        bytes[section][at] ^= flip;
        let files = decode_files(&bytes[0], &mut Taken::new(&bytes[1]));
        let parsed = decode_parsed(&bytes[2], index.repo.files.len());
        let words = Bm25::from_bytes(&bytes[4]);
        let history = decode_history(&bytes[5], FORMAT_VERSION, index.repo.files.len());
        let parsed = parsed.and_then(|mut parsed| {
            decode_declared(&bytes[6], &mut parsed)?;
            Ok(parsed)
        });
        if let (Ok(files), Ok(parsed), Ok(bm25), Ok(history)) = (files, parsed, words, history) {
            let repo = Repo { files, history, ..Repo::default() };
            if let Ok((chunks, spans)) = decode_chunks(&bytes[3], &repo, &parsed) {
                prop_assert!(chunks.is_sorted_by_key(|chunk| chunk.file));
                let graph = GraphBuilder::build(&repo, &parsed);
                let index = Index::assemble(repo, parsed, chunks, spans, bm25, graph);
                for (id, _) in index.chunk_ids() {
                    index.embedding_text(id);
                    index.trimmed_lines(id);
                }
            }
        }
    }
}
