//! For any bytes, reading ends with a repository or an error, and a repository keeps its
//! invariants.

use proptest::prelude::*;

use super::*;

fn sample() -> [Vec<u8>; 3] {
    let long = "def f(x):\n    return x\n".repeat(200);
    let files: Files = &[
        ("r/", b""),
        ("r/a.py", b"a = 1\n"),
        ("r/b/long.py", long.as_bytes()),
        ("r/.gitignore", b"*.tmp\n!x.tmp\n"),
        ("r/x.tmp", b"1"),
    ];
    [zip_of(files), tgz_of(files), tar_of(files)]
}

fn check(name: &str, bytes: Vec<u8>) {
    let Ok(repo) = read(name, bytes) else {
        return;
    };
    assert!(!repo.files.is_empty());
    assert!(
        repo.files
            .windows(2)
            .all(|pair| pair[0].path < pair[1].path)
    );
    for file in &repo.files {
        assert!(!file.path.starts_with('/') && !file.path.split('/').any(|part| part == ".."));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..3000), magic in 0..5_usize) {
        let magics: [&[u8]; 5] = [b"", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08\x00", b"\x1f\x8b\x08\x08"];
        let mut all = magics[magic].to_vec();
        all.extend(&bytes);
        check("x.zip", all);
        // The same bytes inside a gzip stream reach the tar reader.
        check("x.tgz", gzip(&bytes));
    }

    #[test]
    fn truncated_archives_never_panic(cut in 0.0..1.0_f64) {
        for bytes in sample() {
            let end = (bytes.len() as f64 * cut) as usize;
            check("x", bytes[..end].to_vec());
        }
    }

    #[test]
    fn altered_archives_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let [_, _, tar] = sample();
        for mut bytes in sample() {
            for (at, value) in &changes {
                let at = at.index(bytes.len());
                bytes[at] = *value;
            }
            check("x", bytes);
        }
        // With corrected checksums, so that altered headers are accepted.
        let mut bytes = tar;
        for (at, value) in &changes {
            let at = at.index(bytes.len());
            bytes[at] = *value;
        }
        for at in (0..bytes.len()).step_by(512) {
            if bytes[at] != 0 {
                let mut header = tar::Header::from_byte_slice(&bytes[at..at + 512]).clone();
                header.set_cksum();
                bytes[at..at + 512].copy_from_slice(header.as_bytes());
            }
        }
        check("x.tgz", gzip(&bytes));
    }

    #[test]
    fn any_bytes_decode_or_are_binary(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        if let Some(text) = text::decode(&bytes) {
            prop_assert!(!text.contains('\0'));
        }
    }

    #[test]
    fn utf8_is_read_as_it_is(text in "[ -~\\n\u{a1}-\u{2fff}]{0,200}") {
        let decoded = text::decode(text.as_bytes());
        prop_assert_eq!(decoded.as_deref(), Some(text.as_str()));
    }
}
