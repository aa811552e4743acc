//! Repositories made by the `git` program.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::super::{FolderReader, Repo};
use super::*;

fn git(folder: &Path, args: &[&str]) {
    let output = Command::new("git")
        .current_dir(folder)
        .args([
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@b.c",
            "-c",
            "gc.auto=0",
        ])
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
}

fn commit(folder: &Path, subject: &str, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", subject]);
}

/// Ten commits to a long file, so that trees and file versions are packed as deltas.
fn sample() -> TempDir {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    git(at, &["init", "-q", "-b", "trunk"]);
    let many: Vec<(String, String)> = (0..60)
        .map(|n| (format!("src/part{n}.py"), format!("x = {n}\n")))
        .collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
    commit(at, "Import everything", &many);
    for n in 0..10 {
        commit(
            at,
            &format!("Change {n}\n\nAt length."),
            &[("src/part7.py", &format!("y = {n}\n"))],
        );
    }
    commit(
        at,
        "Follow redirects",
        &[("src/part7.py", "z = 1\n"), ("README.md", "# Tea\n")],
    );
    git(at, &["checkout", "-q", "-b", "side", "HEAD~1"]);
    commit(at, "Brew Größen", &[("src/part9.py", "tea = 1\n")]);
    git(at, &["checkout", "-q", "trunk"]);
    git(at, &["merge", "-q", "--no-ff", "-m", "Merge side", "side"]);
    let all: Vec<(&str, &str)> = many
        .iter()
        .map(|(path, _)| (*path, "formatted\n"))
        .collect();
    commit(at, "Format everything", &all[10..]);
    folder
}

fn files_below(root: &Path, folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(root, &path, files);
        } else {
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .replace('\\', "/");
            files.push((format!("tea/{name}"), fs::read(&path).unwrap()));
        }
    }
}

fn files(folder: &TempDir) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    files_below(folder.path(), folder.path(), &mut files);
    files
}

fn read(files: &[(String, Vec<u8>)]) -> Repo {
    let mut reader = FolderReader::new("tea");
    for (path, bytes) in files {
        reader.add(path, bytes.clone()).unwrap();
    }
    reader.finish().unwrap()
}

fn subjects<'r>(repo: &'r Repo, path: &str) -> Vec<&'r str> {
    repo.history.of(repo.find(path).unwrap()).collect()
}

fn check(repo: &Repo) {
    let changes: Vec<String> = (0..10).rev().map(|n| format!("Change {n}")).collect();
    let mut seven: Vec<&str> = subjects(repo, "src/part7.py");
    assert_eq!(seven.remove(0), "Follow redirects");
    assert_eq!(seven, changes);
    assert_eq!(subjects(repo, "README.md"), ["Follow redirects"]);
    assert_eq!(subjects(repo, "src/part9.py"), ["Brew Größen"]);
    assert_eq!(subjects(repo, "src/part20.py"), Vec::<&str>::new());
    assert!(repo.files.iter().all(|file| !file.path.contains(".git/")));
}

#[test]
fn loose_objects_tell_which_commits_touched_a_file() {
    check(&read(&files(&sample())));
}

#[test]
fn packs_with_differences_of_both_kinds_give_the_same_history() {
    for by_offset in ["true", "false"] {
        let folder = sample();
        let setting = format!("repack.useDeltaBaseOffset={by_offset}");
        git(
            folder.path(),
            &[
                "-c",
                &setting,
                "repack",
                "-q",
                "-a",
                "-d",
                "-f",
                "--depth=50",
            ],
        );
        git(folder.path(), &["prune-packed"]);
        git(folder.path(), &["pack-refs", "--all"]);
        let files = files(&folder);
        let object = |path: &&(String, Vec<u8>)| path.0.len() > 50 && !path.0.contains("/pack/");
        assert_eq!(
            files.iter().filter(object).count(),
            0,
            "all objects are packed"
        );
        check(&read(&files));
    }
}

#[test]
fn a_shallow_clone_shows_the_commits_that_it_has() {
    let (folder, clone) = (sample(), TempDir::new().unwrap());
    let from = format!("file://{}", folder.path().display());
    let to = clone.path().join("tea");
    git(
        clone.path(),
        &["clone", "-q", "--depth", "4", &from, to.to_str().unwrap()],
    );
    let mut all = Vec::new();
    files_below(&to, &to, &mut all);
    let repo = read(&all);
    assert_eq!(subjects(&repo, "README.md"), ["Follow redirects"]);
    assert_eq!(subjects(&repo, "src/part9.py"), ["Brew Größen"]);
}

#[test]
fn damage_shortens_the_history_and_nothing_else() {
    let folder = sample();
    git(folder.path(), &["gc", "-q"]);
    let whole = files(&folder);
    let text = |repo: &Repo| repo.files.clone();
    let expected = text(&read(&whole));
    let is_git = |path: &str| path.ends_with(".pack") || path.ends_with(".idx");
    let damaged: Vec<usize> = (0..whole.len())
        .filter(|&at| is_git(&whole[at].0))
        .collect();
    assert_eq!(damaged.len(), 2);
    for &at in &damaged {
        let length = whole[at].1.len();
        for step in 0..40 {
            let mut files = whole.clone();
            let place = length * step / 40;
            files[at].1[place] ^= 0x55;
            assert_eq!(text(&read(&files)), expected);
            files[at].1.truncate(place);
            assert_eq!(text(&read(&files)), expected);
        }
    }
}

#[test]
fn a_reference_to_itself_or_a_missing_head_gives_no_history() {
    for head in [
        "ref: refs/heads/a",
        "ref: HEAD",
        "0000000000000000000000000000000000000000",
        "x",
    ] {
        let files = [
            ("tea/.git/HEAD".to_owned(), head.into()),
            (
                "tea/.git/refs/heads/a".to_owned(),
                "ref: refs/heads/a".into(),
            ),
            ("tea/a.py".to_owned(), "x = 1\n".into()),
        ];
        assert!(read(&files).history.is_empty(), "{head}");
    }
}

#[test]
fn only_what_leads_to_commits_of_the_repository_itself_is_read() {
    let object = "objects/12/34567890123456789012345678901234567890";
    for (path, expected) in [
        (".git/HEAD", true),
        ("tea/.git/packed-refs", true),
        ("tea/.git/refs/heads/feature/x", true),
        ("tea/.git/objects/pack/pack-1.idx", true),
        ("tea/.git/objects/pack/pack-1.pack", true),
        ("tea/.git/objects/pack/pack-1.rev", false),
        ("tea/.git/refs/remotes/origin/main", false),
        ("tea/.git/hooks/pre-commit", false),
        ("tea/.git/index", false),
        ("tea/.git", false),
        ("tea/vendor/x/.git/HEAD", false),
        ("tea/HEAD", false),
        (&format!("tea/.git/{object}"), true),
        (&format!("tea/.git/{object}z"), false),
    ] {
        assert_eq!(is_history(path), expected, "{path}");
    }
}

#[test]
fn folders_that_hold_no_commits_need_not_be_listed() {
    for (path, expected) in [
        ("tea/src", true),
        ("tea/.git", true),
        ("tea/.git/objects/a0", true),
        ("tea/.git/objects/pack", true),
        ("tea/.git/refs/heads/feature", true),
        ("tea/.git/objects/info", false),
        ("tea/.git/logs/refs", false),
        ("tea/.git/modules", false),
        ("tea/vendor/x/.git", false),
        ("tea/.svn", false),
    ] {
        assert_eq!(is_worth_listing(path), expected, "{path}");
    }
}

#[test]
fn differences_that_leave_their_base_or_their_size_are_refused() {
    let base = b"0123456789";
    // Copy 4 bytes from offset 2, then add "ab".
    assert_eq!(
        pack::apply(base, &[10, 6, 0x91, 2, 4, 2, b'a', b'b']),
        Some(b"2345ab".to_vec())
    );
    for delta in [
        &[][..],
        &[9, 6, 0x91, 2, 4, 2, b'a', b'b'],
        &[10, 5, 0x91, 2, 4, 2, b'a', b'b'],
        &[10, 6, 0x91, 8, 4, 2, b'a', b'b'],
        &[10, 6, 0x91, 2, 4, 2, b'a'],
        &[10, 6, 0x91, 2],
        &[10, 0, 0],
        &[0xff; 12],
    ] {
        assert_eq!(pack::apply(base, delta), None, "{delta:?}");
    }
}
