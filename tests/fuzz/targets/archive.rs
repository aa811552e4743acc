//! An archive's bytes → a repository, or an error. An archive is hostile until it has been read.

use std::sync::LazyLock;

use footnote_core::job::run_to_end;
use footnote_core::source::{ArchiveReader, Limits};
use footnote_tests::archive::{gzip, tar, zip};

use crate::mutate::{self, Rng};
use crate::target::Target;

pub const TARGET: Target = Target {
    name: "archive",
    make,
    check,
};

const FILES: [(&str, &[u8]); 6] = [
    ("r/a.py", b"a = 1\n"),
    ("r/b/long.py", &[b'x'; 3_000]),
    ("r/.gitignore", b"*.tmp\n!x.tmp\n/b/\n"),
    ("r/x.tmp", b"1"),
    ("r/latin.txt", b"caf\xe9 and more\n"),
    ("r/image.png", b"\x89PNG\r\n\x1a\n\0\0\0"),
];

/// Values found in headers, and values that must not be believed there.
const TOKENS: [&[u8]; 14] = [
    b"PK\x01\x02",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"PK\x06\x06",
    b"PK\x07\x08",
    b"../",
    b"/etc/passwd",
    b"C:\\",
    b"ustar\0",
    b"././@LongLink",
    b"99999999999",
    b"30 path=../x\n",
    b"path\0with",
    b"\xff\xff\xff\xff\xff\xff\xff\xff",
];

static ZIP: LazyLock<Vec<u8>> = LazyLock::new(|| zip(&FILES));
static TAR: LazyLock<Vec<u8>> = LazyLock::new(|| tar(&FILES));

fn make(rng: &mut Rng) -> Vec<u8> {
    if rng.one_in(2) {
        let mut bytes = ZIP.clone();
        mutate::bytes(rng, &mut bytes, &TOKENS);
        return bytes;
    }
    let mut bytes = TAR.clone();
    mutate_headers(rng, &mut bytes);
    if rng.one_in(3) {
        mutate::bytes(rng, &mut bytes, &TOKENS);
    }
    if !rng.one_in(4) {
        sum_up(&mut bytes);
    }
    if rng.one_in(2) {
        return bytes;
    }
    let mut packed = gzip(&bytes);
    if rng.one_in(4) {
        mutate::bytes(rng, &mut packed, &[]);
    }
    packed
}

/// A tar can lie in its headers, while most of its bytes are content.
fn mutate_headers(rng: &mut Rng, tar: &mut [u8]) {
    for _ in 0..=rng.below(4) {
        let block = rng.below(tar.len() / 512) * 512;
        // The name, size, kind, link name, or name prefix.
        let field = *rng.pick(&[0, 124, 156, 157, 345]);
        let at = block + field + rng.below(12);
        match rng.one_in(2) {
            true => tar[at] = rng.next() as u8,
            false => {
                let token = rng.pick(&TOKENS);
                let end = (at + token.len()).min(tar.len());
                tar[at..end].copy_from_slice(&token[..end - at]);
            }
        }
    }
}

/// Corrects the checksums, so that changed headers are believed.
fn sum_up(tar: &mut [u8]) {
    for block in tar.as_chunks_mut::<512>().0 {
        if block[0] != 0 && block[257..262] == *b"ustar" {
            block[148..156].fill(b' ');
            let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
            block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        }
    }
}

fn check(input: &[u8]) {
    let Ok(reader) = ArchiveReader::open("fuzz.zip", input.to_vec()) else {
        return;
    };
    let Ok(repo) = run_to_end(reader) else {
        return;
    };
    assert!(!repo.files.is_empty(), "a repository without a file");
    let paths: Vec<&str> = repo.files.iter().map(|file| file.path.as_str()).collect();
    assert!(
        paths.is_sorted_by(|a, b| a < b),
        "paths in order: {paths:?}"
    );
    for file in &repo.files {
        let is_odd = |part: &str| matches!(part, "" | "." | "..");
        assert!(!file.path.split('/').any(is_odd), "{:?}", file.path);
        assert!(!file.path.contains(['\\', '\0']), "{:?}", file.path);
        // Text in another encoding grows when it becomes UTF-8, at most threefold.
        let most = Limits::STANDARD.file_bytes * 3;
        assert!(file.text.len() as u64 <= most, "{:?} is long", file.path);
        assert!(!file.text.contains('\0'), "{:?} is no text", file.path);
    }
}

#[test]
fn an_archive_of_any_bytes_is_a_repository_or_an_error() {
    crate::run::test(&TARGET, 600);
}
