//! Dropped folders.

use super::*;

fn folder(name: &str, files: Files) -> Result<Repo, SourceError> {
    let mut reader = FolderReader::new(name);
    for (path, bytes) in files {
        reader.add(path, bytes.to_vec())?;
    }
    reader.finish()
}

#[test]
fn a_folder_is_read_by_the_rules_of_archives_and_keeps_its_name() {
    let repo = folder(
        "proj",
        &[
            ("proj/src/b.py", b"1"),
            ("proj/a.py", b"1"),
            ("proj/.gitignore", b"*.log.py\n"),
            ("proj/x.log.py", b"1"),
            ("proj/node_modules/x/i.js", b"1"),
            ("proj/.git/HEAD", b"ref"),
            ("proj/../../etc/passwd", b"root"),
            ("proj/a.py", b"2"),
        ],
    )
    .unwrap();
    assert_eq!(repo.name, "proj");
    // One unsafe name is left out, and the folder is removed from paths even so.
    assert_eq!(paths(&repo), [".gitignore", "a.py", "src/b.py"]);
    assert_eq!(repo.files[1].text, "1");
    let kinds: Vec<SkipReason> = reasons(&repo)
        .into_iter()
        .map(|(_, reason)| reason)
        .collect();
    for reason in [
        SkipReason::UnsafePath,
        SkipReason::Duplicate,
        SkipReason::Vendored,
        SkipReason::VersionControl,
    ] {
        assert!(kinds.contains(&reason), "{reason}: {kinds:?}");
    }
}

#[test]
fn only_the_dropped_folder_itself_is_stripped() {
    let repo = folder("proj", &[("src/a.py", b"1"), ("src/b.py", b"1")]).unwrap();
    assert_eq!(paths(&repo), ["src/a.py", "src/b.py"]);
}

#[test]
fn limits_hold_for_folders() {
    let limits = Limits {
        entries: 2,
        unpacked_bytes: 10,
        ..Limits::STANDARD
    };
    let mut reader = FolderReader::with_limits("p", limits);
    reader.add("a.py", vec![b'x'; 6]).unwrap();
    assert_eq!(kind(&reader.add("b.py", vec![b'x'; 6])), "too large");
    assert_eq!(kind(&reader.add("c.py", Vec::new())), "entries");
    assert_eq!(kind(&folder("p", &[])), "no files");
    assert_eq!(kind(&folder("p", &[("a.bin", b"\0")])), "no source");
}

#[test]
fn files_that_need_not_be_read_are_known_by_name_and_size() {
    for (path, bytes, reason) in [
        ("p/a.py", 10, None),
        ("p/a.png", 10, Some(SkipReason::Binary)),
        ("p/.git/HEAD", 10, None),
        ("p/.git/index", 10, Some(SkipReason::VersionControl)),
        ("p/node_modules/a.js", 10, Some(SkipReason::Vendored)),
        (
            "p/a.py",
            2 << 20,
            Some(SkipReason::TooLarge {
                bytes: 2 << 20,
                limit: limits::MAX_FILE_BYTES,
            }),
        ),
    ] {
        assert_eq!(unwanted(path, bytes), reason, "{path}");
    }
    let mut reader = FolderReader::new("p");
    reader.add("p/a.py", b"1".to_vec()).unwrap();
    for (path, bytes) in [
        ("p/b.png", 10),
        ("p/.git/a", 1),
        ("p/.git/b", 1),
        ("p/c.py", 2 << 20),
    ] {
        let reason = unwanted(path, bytes).unwrap();
        reader.skip(path, reason).unwrap();
    }
    let repo = reader.finish().unwrap();
    let listed: Vec<&str> = reasons(&repo).into_iter().map(|(path, _)| path).collect();
    assert_eq!(listed, [".git", "b.png", "c.py"]);
}
