//! Malicious and broken archives.

use std::io::Write;

use flate2::FlushCompress;

use super::*;

#[test]
fn bad_archives_get_the_error_that_names_their_defect() {
    let zip = zip_of(&[("r/a.py", b"a = 1\n"), ("r/b.py", &[b'b'; 2000])]);
    let tgz = tgz_of(&[("r/a.py", b"a = 1\n"), ("r/b.py", &[b'b'; 2000])]);
    let tar = tar_of(&[("r/a.py", b"a = 1\n"), ("r/b.py", &[b'b'; 2000])]);
    let mut wrong_checksum = tgz.clone();
    let at = wrong_checksum.len() - 6;
    wrong_checksum[at] ^= 0xff;
    let mut wrong_directory = zip.clone();
    replace(&mut wrong_directory, b"PK\x01\x02", b"PK\x09\x09");
    let mut wrong_header = tar.clone();
    wrong_header[1024 + 3] ^= 0xff;
    for (name, bytes, expected) in [
        (
            "text",
            b"just some text, long enough".to_vec(),
            "no archive",
        ),
        (
            "page.zip",
            b"<!DOCTYPE html><p>404</p>".repeat(100),
            "no archive",
        ),
        ("empty.zip", Vec::new(), "truncated"),
        ("empty", Vec::new(), "no archive"),
        (
            "seven.7z",
            b"7z\xbc\xaf\x27\x1c\0\x04".to_vec(),
            "no archive",
        ),
        ("page.gz", gzip(&b"<html>".repeat(500)), "no archive"),
        ("short.gz", gzip(b"hello"), "no archive"),
        ("none.gz", gzip(b""), "no archive"),
        ("half.zip", zip[..zip.len() / 2].to_vec(), "truncated"),
        ("head.zip", zip[..10].to_vec(), "truncated"),
        ("tail.zip", zip[..zip.len() - 1].to_vec(), "truncated"),
        ("half.tgz", tgz[..tgz.len() / 2].to_vec(), "truncated"),
        ("head.tgz", tgz[..5].to_vec(), "truncated"),
        ("tail.tgz", tgz[..tgz.len() - 4].to_vec(), "truncated"),
        ("half.tar", tar[..1900].to_vec(), "truncated"),
        ("sum.tgz", wrong_checksum, "damaged"),
        ("directory.zip", wrong_directory, "damaged"),
        ("header.tar", wrong_header, "damaged"),
        ("nothing.zip", zip_of(&[]), "no files"),
        (
            "folders.zip",
            zip_of(&[("a/", b""), ("a/b/", b"")]),
            "no files",
        ),
        ("nothing.tar", vec![0; 10_240], "no files"),
        ("nothing.tgz", gzip(&[0; 10_240]), "no files"),
        (
            "pictures.zip",
            zip_of(&[("a.png", b"\0"), ("b.jpg", b"\0")]),
            "no source",
        ),
    ] {
        let result = read(name, bytes);
        assert_eq!(kind(&result), expected, "{name}");
        let message = result.unwrap_err().to_string();
        assert!(message.ends_with(name), "the name comes last: {message}");
    }
}

#[test]
fn names_that_leave_the_archive_are_skipped_and_the_rest_is_read() {
    for name in [
        "../../x.py",
        "/etc/xx.py",
        "C:\\xxxx.py",
        "..\\..\\x.py",
        "a\0bcdef.py",
    ] {
        let repo = read("x.zip", zip_with_name("evilevi.py", name)).unwrap();
        assert_eq!(paths(&repo), ["good.py"], "{name:?}");
        assert_eq!(repo.skipped.len(), 1, "{name:?}");
        assert_eq!(repo.skipped[0].reason, SkipReason::UnsafePath, "{name:?}");

        let mut tar = tar_entry(b"ok/good.py", b"1", tar::EntryType::Regular);
        let mut evil = Vec::new();
        // A NUL would end the name in a header, so this one is in an extension record.
        let record = format!("19 path={name}\n");
        assert_eq!(record.len(), 19);
        evil.extend(tar_entry(b"x", record.as_bytes(), tar::EntryType::XHeader));
        evil.extend(tar_entry(b"y", b"evil", tar::EntryType::Regular));
        tar.extend(evil);
        let repo = read("x.tar", tar).unwrap();
        assert_eq!(paths(&repo), ["good.py"], "{name:?}");
        assert_eq!(repo.skipped[0].reason, SkipReason::UnsafePath, "{name:?}");
    }
}

#[test]
fn links_and_devices_are_listed_and_never_followed() {
    let mut tar = tar_entry(b"r/a.py", b"1", tar::EntryType::Regular);
    tar.extend(tar_entry(b"r/link.py", b"", tar::EntryType::Symlink));
    tar.extend(tar_entry(b"r/hard.py", b"", tar::EntryType::Link));
    tar.extend(tar_entry(b"r/pipe", b"", tar::EntryType::Fifo));
    let repo = read("x.tar", tar).unwrap();
    assert_eq!(paths(&repo), ["a.py"]);
    let pipe = SkipReason::Unreadable("not an ordinary file".to_owned());
    assert_eq!(
        reasons(&repo),
        [
            ("hard.py", SkipReason::Link),
            ("link.py", SkipReason::Link),
            ("pipe", pipe)
        ]
    );

    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer.start_file("r/a.py", options).unwrap();
    writer.write_all(b"1").unwrap();
    writer
        .add_symlink("r/link.py", "/etc/passwd", options)
        .unwrap();
    let repo = read("x.zip", writer.finish().unwrap().into_inner()).unwrap();
    assert_eq!(paths(&repo), ["a.py"]);
    assert_eq!(reasons(&repo), [("link.py", SkipReason::Link)]);
}

#[test]
fn only_one_of_several_files_with_one_path_is_kept() {
    let files: Files = &[
        ("r/a.py", b"first"),
        ("r/b.py", b"1"),
        ("r/./a.py", b"second"),
    ];
    let repo = read("x.tar", tar_of(files)).unwrap();
    assert_eq!(paths(&repo), ["a.py", "b.py"]);
    assert_eq!(repo.files[0].text, "first");
    assert_eq!(reasons(&repo), [("a.py", SkipReason::Duplicate)]);

    let mut zip = zip_of(&[("r/a.py", b"first"), ("r/b.py", b"2nd")]);
    replace(&mut zip, b"r/b.py", b"r/a.py");
    let repo = read("x.zip", zip).unwrap();
    assert_eq!(paths(&repo), ["a.py"]);
    assert_eq!(reasons(&repo), [("a.py", SkipReason::Duplicate)]);
}

/// Sets the encryption bit of the entry called `name` in its local header and in the directory.
fn encrypt(zip: &mut [u8], name: &str) {
    for (magic, flags, start) in [(b"PK\x03\x04", 6, 30), (b"PK\x01\x02", 8, 46)] {
        for at in 0..zip.len() - start - name.len() {
            if &zip[at..at + 4] == magic
                && &zip[at + start..at + start + name.len()] == name.as_bytes()
            {
                zip[at + flags] |= 1;
            }
        }
    }
}

#[test]
fn protected_archives_are_refused_and_single_protected_files_skipped() {
    let files: Files = &[("r/a.py", b"1"), ("r/b.py", b"1"), ("r/c.py", b"1")];
    let mut one = zip_of(files);
    encrypt(&mut one, "r/b.py");
    let repo = read("x.zip", one.clone()).unwrap();
    assert_eq!(paths(&repo), ["a.py", "c.py"]);
    assert_eq!(reasons(&repo), [("b.py", SkipReason::Encrypted)]);
    let mut most = one;
    encrypt(&mut most, "r/c.py");
    assert_eq!(kind(&read("x.zip", most)), "password");
}

#[test]
fn unknown_compression_and_damaged_files_are_skipped_alone() {
    let body =
        b"a somewhat longer body, so that it is deflated: aaaaaaaaaaaaaaaaaaaaaaaa".repeat(3);
    let mut zip = zip_of(&[("r/a.py", b"1"), ("r/bad.py", &body)]);
    let at = zip
        .windows(8)
        .position(|window| window == b"r/bad.py")
        .unwrap();
    zip[at + 8] ^= 0xff;
    zip[at + 9] ^= 0xff;
    let repo = read("x.zip", zip).unwrap();
    assert_eq!(paths(&repo), ["a.py"]);
    assert!(matches!(repo.skipped[0].reason, SkipReason::Unreadable(_)));
}

const MIB: u64 = 1 << 20;

/// A tgz of a good file and one with `mib` MiB of newlines. Every MiB is the same gzip member, so
/// it is made quickly.
fn wide_tgz(name: &str, mib: u64) -> Vec<u8> {
    let mut head = tar_entry(b"r/good.py", b"good = 1\n", tar::EntryType::Regular);
    let header = tar_header(name.as_bytes(), mib * MIB, tar::EntryType::Regular);
    head.extend(header.as_bytes());
    let mut out = gzip(&head);
    let member = gzip(&vec![b'\n'; MIB as usize]);
    for _ in 0..mib {
        out.extend(&member);
    }
    out.extend(gzip(&[0; 1024]));
    out
}

/// A zip of a good file and one with `mib` MiB of newlines, for which the directory states
/// `announced` bytes. Every MiB is the same flushed run of deflate blocks.
fn wide_zip(name: &str, mib: u64, announced: u64) -> Vec<u8> {
    let mut run = Vec::with_capacity(1 << 16);
    flate2::Compress::new(Compression::best(), false)
        .compress_vec(&vec![b'\n'; MIB as usize], &mut run, FlushCompress::Full)
        .unwrap();
    let mut body: Vec<u8> = run.repeat(mib as usize);
    // The last block, empty.
    body.extend([0x03, 0x00]);
    raw_zip(&[
        ("r/good.py", 0, b"good = 1\n", 9),
        (name, 8, &body, announced),
    ])
}

/// A zip written byte by byte: (name, method, packed bytes, stated size). Checksums are zero, so a
/// file that is read to its end is found damaged unless it is empty.
fn raw_zip(entries: &[(&str, u16, &[u8], u64)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, method, packed, announced) in entries {
        let mut fields = Vec::new();
        fields.extend([20, 0, 0, 0]);
        fields.extend(method.to_le_bytes());
        fields.extend([0; 4]);
        let mut crc = flate2::Crc::new();
        crc.update(packed);
        fields.extend(if *method == 0 { crc.sum() } else { 0 }.to_le_bytes());
        fields.extend((packed.len() as u32).to_le_bytes());
        fields.extend((*announced as u32).to_le_bytes());
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend([0; 2]);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&fields);
        directory.extend([0; 10]);
        directory.extend((out.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        out.extend(b"PK\x03\x04");
        out.extend(&fields);
        out.extend(name.as_bytes());
        out.extend(*packed);
    }
    let start = out.len() as u32;
    let count = (entries.len() as u16).to_le_bytes();
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count, count].concat());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}

#[test]
fn one_huge_file_is_skipped_and_the_rest_is_read() {
    let bytes = 200 * MIB;
    for (name, archive) in [
        ("x.tgz", wide_tgz("r/huge.py", 200)),
        ("x.zip", wide_zip("r/huge.py", 200, bytes)),
    ] {
        let repo = read(name, archive).unwrap();
        assert_eq!(paths(&repo), ["good.py"], "{name}");
        let limit = limits::MAX_FILE_BYTES;
        assert_eq!(
            reasons(&repo),
            [("huge.py", SkipReason::TooLarge { bytes, limit })],
            "{name}"
        );
    }
}

#[test]
fn bombs_are_refused_by_what_they_unpack_to() {
    let lowered = Limits {
        unpacked_bytes: 40 << 20,
        ratio_floor_bytes: 4 << 20,
        ..Limits::STANDARD
    };
    let noise: Vec<u8> = (0..50_000_u64)
        .flat_map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes())
        .map(|byte| byte % 64 + 32)
        .collect();
    let many: Vec<(String, &[u8])> = (0..120)
        .map(|n| (format!("r/{n}.py"), &noise[..]))
        .collect();
    let many: Vec<(&str, &[u8])> = many
        .iter()
        .map(|(name, bytes)| (name.as_str(), *bytes))
        .collect();
    let stored: Vec<(&str, u16, &[u8], u64)> = many
        .iter()
        .map(|(name, bytes)| (*name, 0, *bytes, bytes.len() as u64))
        .collect();
    for (name, bytes, expected) in [
        ("bomb.tgz", wide_tgz("r/huge.py", 20), "bomb"),
        ("bomb.zip", wide_zip("r/huge.py", 20, 20 * MIB), "bomb"),
        ("binary.zip", wide_zip("r/huge.png", 20, 20 * MIB), "bomb"),
        ("small.tgz", wide_tgz("r/huge.py", 2), "fine"),
        ("small.zip", wide_zip("r/huge.py", 2, 2 * MIB), "fine"),
        // Its only file stops at 1 MiB of output, which does no harm.
        ("lying.zip", wide_zip("r/huge.py", 20, 1), "fine"),
        ("total.tar", tar_of(&many), "too large"),
        ("total.zip", raw_zip(&stored), "too large"),
    ] {
        assert_eq!(kind(&read_with(lowered, name, bytes)), expected, "{name}");
    }
}

#[test]
fn entries_that_overlap_count_as_often_as_they_are_listed() {
    // Thirty directory records for the same compressed megabyte.
    let body = vec![b'\n'; 1 << 20];
    let single = zip_of(&[("r/00.py", &body)]);
    let start = single
        .windows(4)
        .position(|window| window == b"PK\x01\x02")
        .unwrap();
    let end = single
        .windows(4)
        .position(|window| window == b"PK\x05\x06")
        .unwrap();
    let (data, record, mut tail) = (
        &single[..start],
        &single[start..end],
        single[end..].to_vec(),
    );
    let mut bomb = data.to_vec();
    for n in 0..30 {
        let mut copy = record.to_vec();
        copy[46..53].copy_from_slice(format!("r/{n:02}.py").as_bytes());
        bomb.extend(copy);
    }
    tail[8..10].copy_from_slice(&30_u16.to_le_bytes());
    tail[10..12].copy_from_slice(&30_u16.to_le_bytes());
    tail[12..16].copy_from_slice(&(30 * record.len() as u32).to_le_bytes());
    bomb.extend(tail);
    let limits = Limits {
        ratio_floor_bytes: 4 << 20,
        ..Limits::STANDARD
    };
    assert_eq!(kind(&read_with(limits, "x.zip", bomb)), "bomb");
}

#[test]
fn three_hundred_thousand_files_are_refused_before_they_are_unpacked() {
    // The same thousand entries, three hundred times: only their number counts.
    let thousand: Vec<u8> = (0..1000)
        .flat_map(|n| tar_entry(format!("r/{n}.py").as_bytes(), b"", tar::EntryType::Regular))
        .collect();
    let archive = gzip(&thousand).repeat(300);
    assert_eq!(kind(&read("x.tgz", archive)), "entries");

    let few: Vec<String> = (0..30).map(|n| format!("r/{n}.py")).collect();
    let few: Vec<(&str, &[u8])> = few.iter().map(|name| (name.as_str(), &b"1"[..])).collect();
    let limits = Limits {
        entries: 20,
        ..Limits::STANDARD
    };
    // A zip states the number at once.
    let opened = ArchiveReader::with_limits("x.zip", zip_of(&few), limits);
    assert_eq!(kind(&opened), "entries");
    assert_eq!(kind(&read_with(limits, "x.tar", tar_of(&few))), "entries");
}

#[test]
fn the_count_of_a_64_bit_zip_is_read_from_its_own_record() {
    let mut zip = zip_of(&[("a.py", b"1")]);
    let end = zip.len() - 22;
    let tail = zip.split_off(end);
    let record = zip.len() as u64;
    zip.extend(b"PK\x06\x06");
    zip.extend(44_u64.to_le_bytes());
    zip.extend([0; 12]);
    zip.extend(300_000_u64.to_le_bytes());
    zip.extend(300_000_u64.to_le_bytes());
    zip.extend([0; 16]);
    zip.extend(b"PK\x06\x07");
    zip.extend(0_u32.to_le_bytes());
    zip.extend(record.to_le_bytes());
    zip.extend(1_u32.to_le_bytes());
    let mut tail = tail;
    tail[8..12].copy_from_slice(&[0xff; 4]);
    zip.extend(tail);
    assert_eq!(kind(&read("x.zip", zip)), "entries");
}

#[test]
fn text_that_no_tab_can_index_is_refused_and_a_smaller_scope_is_read() {
    let text = b"x = 1\n".repeat(1000);
    let limits = Limits {
        text_bytes: 10_000,
        ..Limits::STANDARD
    };
    let files: Files = &[("p/a/a.py", &text), ("p/b/b.py", &text), ("p/b/c.py", b"y")];
    let refused = read_with(limits, "x.zip", zip_of(files));
    assert_eq!(kind(&refused), "too much text");
    let Err(SourceError::TooMuchText { survey, .. }) = refused else {
        unreachable!()
    };
    let sizes: Vec<_> = survey
        .rows()
        .iter()
        .map(|row| (row.files, row.bytes))
        .collect();
    assert_eq!(sizes, [(1, 6000), (2, 6001)]);
    let without_a = vec![survey.row_of("p/a/a.py").unwrap()];
    let reader = ArchiveReader::with_limits("x.zip", zip_of(files), limits).unwrap();
    let repo = run_to_end(reader.within(Some(Scope::new(*survey, without_a)))).unwrap();
    assert_eq!(paths(&repo), ["b/b.py", "b/c.py"]);
    assert_eq!(reasons(&repo), [("a/a.py", SkipReason::LeftOut)]);
}
