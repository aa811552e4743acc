//! Files that were cut, changed, or made to deceive.

use proptest::prelude::{ProptestConfig, prop};
use proptest::{prop_assert, proptest};

use super::super::header::{self, Codec, Entry};
use super::super::vectors::{MODEL, TABLE};
use super::*;

/// Changes the header and seals it again, as somebody would who wants to be believed. The sections
/// stay.
fn sealed(bytes: &[u8], change: impl FnOnce(&mut About, &mut Vec<Entry>)) -> Vec<u8> {
    let (mut about, mut entries, start) = header::decode(&bytes, &Limits::STANDARD).unwrap();
    change(&mut about, &mut entries);
    let mut changed = header::encode(&about, &entries);
    changed.extend(&bytes[start as usize..]);
    changed
}

/// The header, and each section with its packed bytes.
fn split(bytes: &[u8]) -> (About, Vec<(Entry, &[u8])>) {
    let (about, entries, start) = header::decode(&bytes, &Limits::STANDARD).unwrap();
    let mut rest = &bytes[start as usize..];
    let sections = entries.into_iter().map(|entry| {
        let (section, after) = rest.split_at(entry.packed as usize);
        rest = after;
        (entry, section)
    });
    (about, sections.collect())
}

/// The bytes of a section of one block.
fn unpacked(entry: &Entry, section: &[u8]) -> Vec<u8> {
    unpack(&section[BLOCK_HEAD..], entry.raw as usize).unwrap()
}

/// Replaces the unpacked bytes of a section and seals everything.
fn replaced(bytes: &[u8], name: &str, change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let (about, sections) = split(bytes);
    let (mut entries, mut packed, mut change) = (Vec::new(), Vec::new(), Some(change));
    for (mut entry, section) in sections {
        match change.take_if(|_| entry.name == name) {
            None => packed.extend(section),
            Some(change) => {
                let raw = change(unpacked(&entry, section));
                let section = pack(&raw, 6);
                entry.raw = raw.len() as u64;
                entry.packed = section.len() as u64;
                entry.digest = header::half(&blake3::hash(&raw));
                packed.extend(section);
            }
        }
        entries.push(entry);
    }
    assert!(change.is_none(), "no section {name}");
    [header::encode(&about, &entries), packed].concat()
}

#[test]
fn other_files_are_not_index_files() {
    for bytes in [
        &b""[..],
        b"PK\x03\x04 and so on",
        b"{}",
        b"footnote\r\n\x1a\0\0",
    ] {
        assert_eq!(error(bytes), FileError::Foreign, "{bytes:?}");
        assert!(!is_index_file(bytes));
    }
    // As it is after a transfer that takes it for text.
    let mut as_text = FILE.clone();
    as_text.remove(9);
    assert_eq!(error(&as_text), FileError::Foreign);
}

#[test]
fn a_file_that_was_cut_is_refused_with_the_section() {
    let (_, entries, start) = header::decode(&&FILE[..], &Limits::STANDARD).unwrap();
    let mut ends = vec![
        (5, "header"),
        (20, "header"),
        (start as usize - 1, "header"),
    ];
    let mut at = start as usize;
    for entry in &entries {
        at += entry.packed as usize;
        ends.extend((entry.packed > 0).then_some((at - 1, &*entry.name)));
    }
    assert_eq!(at, FILE.len());
    for (length, expected) in ends {
        match error(&FILE[..length]) {
            FileError::Cut { section, found, .. } => {
                assert_eq!((&*section, found), (expected, length as u64));
            }
            error => panic!("{length}: {error}"),
        }
    }
}

#[test]
fn bytes_after_the_last_section_are_refused() {
    let longer = [&FILE[..], b"x"].concat();
    assert!(matches!(error(&longer), FileError::Damaged { .. }));
}

#[test]
fn a_newer_or_older_file_is_refused_with_the_versions_that_can_be_read() {
    let with = |at: usize, version: u32| {
        let mut bytes = FILE.clone();
        bytes[MAGIC.len() + at..][..4].copy_from_slice(&version.to_le_bytes());
        bytes
    };
    assert_eq!(error(&with(0, 0)), FileError::TooOld { found: 0 });
    let newer = with(4, FILE_VERSION + 1);
    let found = FILE_VERSION;
    assert_eq!(error(&newer), FileError::TooNew { found });
    assert!(error(&newer).to_string().contains("versions 1 to 1"));
    let other = replaced(&FILE, "head", |mut head| {
        head[8] = 99;
        head
    });
    assert_eq!(error(&other), FileError::OtherIndex { found: 99 });
}

#[test]
fn a_newer_file_that_says_this_version_can_read_it_is_read() {
    let (about, mut entries, start) = header::decode(&&FILE[..], &Limits::STANDARD).unwrap();
    let section = pack(b"what a later version adds", 6);
    entries.push(Entry {
        name: "later".to_owned(),
        codec: Codec::Deflate,
        raw: 25,
        packed: section.len() as u64,
        digest: [0; 16],
    });
    let mut bytes = header::encode(&about, &entries);
    bytes.extend(&FILE[start as usize..]);
    bytes.extend(section);
    assert!(decode(&bytes).is_ok());
}

#[test]
fn a_bomb_is_refused_before_it_is_unpacked() {
    let claim = |name: &'static str, raw: u64| {
        sealed(&FILE, move |_, entries| {
            let entry = entries.iter_mut().find(|entry| entry.name == name);
            entry.unwrap().raw = raw;
        })
    };
    for (name, raw) in [
        ("texts", 600 << 20),
        ("words", 2 << 30),
        ("files", u64::MAX),
    ] {
        let error = error(&claim(name, raw));
        let FileError::TooLarge { section, bytes, .. } = error else {
            panic!("{error}");
        };
        assert_eq!((&*section, bytes), (name, raw));
    }
    // Within the limits, but more than any compression gives.
    assert!(matches!(
        error(&claim("words", 1 << 29)),
        FileError::Damaged { .. }
    ));
    let header_bytes = 1 << 31;
    let mut long = FILE[..MAGIC.len() + 8].to_vec();
    long.extend((header_bytes as u32).to_le_bytes());
    assert!(matches!(error(&long), FileError::TooLarge { .. }));
    // A block that unpacks to more than its section says.
    let short = sealed(&FILE, |_, entries| entries[0].raw -= 1);
    assert!(matches!(error(&short), FileError::Damaged { .. }));
}

#[test]
fn all_sections_together_have_a_limit() {
    let limits = Limits {
        total_bytes: 100,
        ..Limits::STANDARD
    };
    let error = IndexFile::within(&FILE[..], limits).err().unwrap();
    assert!(
        matches!(error, FileError::TooLarge { limit: 100, .. }),
        "{error}"
    );
}

#[test]
fn a_path_that_leads_outside_is_refused() {
    for path in [
        "../up.py",
        "a/../../up.py",
        "/etc/passwd",
        "C:/x.py",
        "a\\b.py",
        "a//b.py",
        "./a.py",
        "a\u{202e}yp.b",
        "a\nb.py",
        "",
    ] {
        let index = index_of(repo(&[(path, "x = 1\n")]));
        let error = error(&bytes(&index, true));
        assert!(
            matches!(error, FileError::UnsafePath { .. }),
            "{path:?}: {error}"
        );
    }
    let mut skipped = sample_repo();
    skipped.skipped[0].path = "a\u{202e}b".to_owned();
    let error = error(&bytes(&index_of(skipped), true));
    assert!(matches!(error, FileError::UnsafePath { .. }), "{error}");
}

#[test]
fn a_missing_or_doubled_section_is_refused_by_name() {
    let (_, entries, _) = header::decode(&&FILE[..], &Limits::STANDARD).unwrap();
    for entry in &entries {
        let without = sealed(&FILE, |_, entries| {
            let found = entries.iter_mut().find(|it| it.name == entry.name);
            found.unwrap().name = "other".to_owned();
        });
        let expected = FileError::Missing {
            section: entry.name.clone(),
        };
        assert_eq!(error(&without), expected);
    }
    let doubled = sealed(&FILE, |_, entries| {
        entries[1].name = entries[0].name.clone()
    });
    assert!(error(&doubled).to_string().contains("twice"));
}

#[test]
fn vectors_of_another_number_of_chunks_are_refused() {
    for (name, length) in [(TABLE, 3), (MODEL, 3), (MODEL, 0), (TABLE, 0)] {
        let changed = replaced(&FILE, name, |mut rows| {
            rows.truncate(rows.len().min(length));
            rows
        });
        let error = error(&changed);
        assert!(matches!(&error, FileError::Damaged { section, .. } if section == name));
    }
    let bits = replaced(&FILE, MODEL, |mut rows| {
        rows[0] = 0xff;
        rows
    });
    assert!(matches!(error(&bits), FileError::Damaged { .. }));
    let huge = sealed(&FILE, |about, _| {
        about.model.as_mut().unwrap().dimension = 1 << 30;
    });
    assert!(matches!(error(&huge), FileError::Damaged { .. }));
}

#[test]
fn a_header_that_describes_another_repository_is_refused() {
    let changes: [fn(&mut About); 5] = [
        |about| about.name = "requests".to_owned(),
        |about| about.chunks += 1,
        |about| about.text_bytes -= 1,
        |about| about.languages[0].0 = "Rust".to_owned(),
        |about| about.name = "a\nb".to_owned(),
    ];
    for change in changes {
        let changed = sealed(&FILE, |about, _| change(about));
        assert!(matches!(error(&changed), FileError::Damaged { .. }));
    }
}

#[test]
fn a_text_that_was_changed_and_sealed_is_still_seen() {
    // The head of the index has checksums of its own.
    let changed = replaced(&FILE, "texts", |mut text| {
        text[3] ^= 1;
        text
    });
    assert!(matches!(error(&changed), FileError::Damaged { section, .. } if section == "texts"));
}

/// The unpacked sections.
fn sections(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let sections = split(bytes).1.into_iter();
    sections
        .map(|(entry, section)| (entry.name.clone(), unpacked(&entry, section)))
        .collect()
}

/// DEFLATE ends in the middle of a byte, and the bits behind its end mean nothing.
fn is_refused_or_the_same(at: usize, flip: u8) -> bool {
    let mut bytes = FILE.clone();
    bytes[at] ^= flip;
    decode(&bytes).is_err() || sections(&bytes) == sections(&FILE)
}

#[test]
fn a_bit_of_the_last_byte_of_a_section_is_seen_unless_it_means_nothing() {
    let (_, sections) = split(&FILE);
    let mut end = FILE.len();
    for (entry, section) in sections.iter().rev() {
        for bit in 0..8 {
            let is_right = is_refused_or_the_same(end - 1, 1 << bit);
            assert!(is_right, "{}, bit {bit}", entry.name);
        }
        end -= section.len();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_flipped_byte_anywhere_is_refused_or_changes_nothing(
        at in prop::num::usize::ANY,
        flip in 1u8..=255,
    ) {
        let at = at % FILE.len();
        // The version itself may grow, as long as this one can read the file: see the digest.
        prop_assert!(is_refused_or_the_same(at, flip), "byte {}", at);
    }

    #[test]
    fn a_file_cut_anywhere_is_refused(length in prop::num::usize::ANY) {
        prop_assert!(decode(&FILE[..length % FILE.len()]).is_err());
    }

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(prop::num::u8::ANY, 0..400)) {
        prop_assert!(decode(&bytes).is_err());
        let after_magic = [&FILE[..MAGIC.len() + 8], &bytes].concat();
        prop_assert!(decode(&after_magic).is_err());
    }

    #[test]
    fn a_changed_and_sealed_section_is_refused_or_an_index(
        section in 0usize..10,
        at in prop::num::usize::ANY,
        flip in 1u8..=255,
    ) {
        let (_, entries, _) = header::decode(&&FILE[..], &Limits::STANDARD).unwrap();
        let entry = &entries[section % entries.len()];
        let changed = replaced(&FILE, &entry.name, |mut raw| {
            let length = raw.len();
            if let Some(byte) = raw.get_mut(at % length.max(1)) {
                *byte ^= flip;
            }
            raw
        });
        if let Ok(decoded) = decode(&changed) {
            for (id, _) in decoded.index.chunk_ids() {
                decoded.index.embedding_text(id);
            }
        }
    }
}
