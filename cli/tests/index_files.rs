//! `footnote index`: files of archives, and answers from them.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn sample() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../public/samples/courier.zip")
}

fn footnote(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_footnote");
    Command::new(program).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Indexes archives into a folder; returns what was printed.
fn index(archives: &[&Path], out: &Path, options: &[&str]) -> String {
    let mut args = vec!["index", "--out", out.to_str().unwrap()];
    args.extend(archives.iter().map(|path| path.to_str().unwrap()));
    args.extend(options);
    let output = footnote(&args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|it| it == "footnote"));
    files.sort();
    files
}

fn list(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("indexes.json")).unwrap()).unwrap()
}

/// A folder of files that are not an archive yet, packed without compression.
fn archive(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("store.py"), text).unwrap();
    path
}

#[test]
fn answers_from_an_index_file_equal_those_from_its_archive() {
    let folder = tempfile::tempdir().unwrap();
    index(&[&sample()], folder.path(), &[]);
    let file = files(folder.path()).remove(0);
    for (question, options) in [
        ("How long does a failed job wait?", &["--json"][..]),
        ("who calls lease", &["--json", "--no-vectors"]),
        ("what is the most urgent job", &["--json", "--no-vectors"]),
        // As text: its JSON holds the time of each stage.
        (
            "explain the retries",
            &["--no-vectors", "--pipeline", "footnote"],
        ),
        (
            "How long does a failed job wait?",
            &["--json", "--no-vectors", "--chunk", "sliding-window"],
        ),
    ] {
        let ask = |archive: &Path| {
            let mut args = vec!["ask", archive.to_str().unwrap(), question];
            args.extend(options);
            let output = footnote(&args);
            assert!(output.status.code() < Some(2), "{}", text(&output.stderr));
            text(&output.stdout)
        };
        assert_eq!(ask(&file), ask(&sample()), "{question}");
    }
}

#[test]
fn other_commands_read_the_files_of_an_index_file() {
    let folder = tempfile::tempdir().unwrap();
    index(&[&sample()], folder.path(), &[]);
    let file = files(folder.path()).remove(0);
    let graph = |archive: &Path| {
        let output = footnote(&["graph", archive.to_str().unwrap()]);
        let mut counts: Value = serde_json::from_slice(&output.stdout).unwrap();
        counts.as_object_mut().unwrap().remove("ms");
        counts
    };
    assert_eq!(graph(&file), graph(&sample()));
}

#[test]
fn a_file_that_is_there_is_left_alone_and_other_options_replace_it() {
    let folder = tempfile::tempdir().unwrap();
    let printed = index(&[&sample()], folder.path(), &[]);
    assert!(printed.contains("1 made, 0 there already"), "{printed}");
    assert!(printed.contains("MB/s"), "{printed}");
    let first = files(folder.path());
    let written = fs::metadata(&first[0]).unwrap().modified().unwrap();
    let printed = index(&[&sample()], folder.path(), &[]);
    assert!(printed.contains("0 made, 1 there already"), "{printed}");
    assert_eq!(
        fs::metadata(&first[0]).unwrap().modified().unwrap(),
        written
    );
    let printed = index(&[&sample()], folder.path(), &["--without-text"]);
    assert!(printed.contains("1 made"), "{printed}");
    let second = files(folder.path());
    assert!(first != second && second.len() == 1, "{second:?}");
    assert!(printed.contains("in place of"), "{printed}");
}

#[test]
fn the_same_archive_gives_the_same_file_whatever_the_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let archives: Vec<PathBuf> = (0..5)
        .map(|at| {
            let text = format!("def put_{at}(note):\n    return {at}\n");
            archive(folder.path(), &format!("store-{at}"), &text)
        })
        .collect();
    let archives: Vec<&Path> = archives.iter().map(PathBuf::as_path).collect();
    let [one, four] = ["1", "4"].map(|jobs| {
        let out = folder.path().join(jobs);
        index(&archives, &out, &["--jobs", jobs]);
        let read = |path: &PathBuf| {
            (
                path.file_name().unwrap().to_owned(),
                fs::read(path).unwrap(),
            )
        };
        files(&out).iter().map(read).collect::<Vec<_>>()
    });
    assert_eq!(one.len(), 5);
    assert!(one == four);
}

#[test]
fn the_list_names_every_file_with_its_archive() {
    let folder = tempfile::tempdir().unwrap();
    let other = archive(folder.path(), "store-1.0", "def put():\n    pass\n");
    let out = folder.path().join("out");
    index(&[&sample()], &out, &[]);
    index(&[&other], &out, &[]);
    let list = list(&out);
    let entries = list["indexes"].as_array().unwrap();
    let names: Vec<&str> = entries
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["courier-1.4.0", "store-1.0"]);
    for (entry, path) in entries.iter().zip(files(&out)) {
        assert_eq!(entry["file"], path.file_name().unwrap().to_str().unwrap());
        assert_eq!(entry["bytes"], fs::metadata(path).unwrap().len());
    }
    assert_eq!(entries[0]["archive"]["name"], "courier.zip");
    assert_eq!(entries[0]["archive"]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(entries[1]["archive"], Value::Null);
    assert_eq!(entries[1]["languages"]["Python"], 1);
}

#[test]
fn an_archive_that_cannot_be_read_costs_the_others_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.zip");
    fs::write(&broken, "no archive").unwrap();
    let out = folder.path().join("out");
    let sample = sample();
    let args = [&broken, &sample].map(|path| path.to_str().unwrap());
    let output = footnote(&["index", "--out", out.to_str().unwrap(), args[0], args[1]]);
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert!(
        errors.contains("broken.zip") && errors.contains("1 of 2"),
        "{errors}"
    );
    assert_eq!(files(&out).len(), 1);
}

#[test]
fn a_damaged_file_is_refused_with_what_to_do_and_made_again() {
    let folder = tempfile::tempdir().unwrap();
    index(&[&sample()], folder.path(), &[]);
    let file = files(folder.path()).remove(0);
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 7]).unwrap();
    let output = footnote(&[
        "ask",
        "--no-vectors",
        file.to_str().unwrap(),
        "who calls lease",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(
        error.contains("is cut") && error.contains("again"),
        "{error}"
    );
    let printed = index(&[&sample()], folder.path(), &[]);
    assert!(printed.contains("1 made"), "{printed}");
    assert!(fs::read(&file).unwrap() == bytes);
}

#[test]
fn a_file_without_text_names_the_archive_that_has_it() {
    let folder = tempfile::tempdir().unwrap();
    index(&[&sample()], folder.path(), &["--without-text"]);
    let file = files(folder.path()).remove(0);
    let output = footnote(&[
        "ask",
        "--no-vectors",
        file.to_str().unwrap(),
        "who calls lease",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("courier.zip"));
    fs::copy(sample(), folder.path().join("courier.zip")).unwrap();
    let output = footnote(&[
        "ask",
        "--no-vectors",
        file.to_str().unwrap(),
        "who calls lease",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn machines_that_take_shares_of_a_list_fill_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let archives: Vec<PathBuf> = (0..7)
        .map(|at| {
            let text = format!("def put_{at}(note):\n    return {at}\n");
            archive(folder.path(), &format!("store-{at}"), &text)
        })
        .collect();
    let archives: Vec<&Path> = archives.iter().map(PathBuf::as_path).collect();
    let (shared, alone) = (folder.path().join("shared"), folder.path().join("alone"));
    std::thread::scope(|scope| {
        for share in ["1/3", "2/3", "3/3"] {
            scope.spawn(|| index(&archives, &shared, &["--shard", share]));
        }
    });
    index(&archives, &alone, &[]);
    assert_eq!(list(&shared), list(&alone));
    assert_eq!(list(&shared)["indexes"].as_array().unwrap().len(), 7);
    let output = footnote(&["index", "--out", "x", "--shard", "4/3", "a.zip"]);
    assert!(text(&output.stderr).contains("from 1/N to N/N"));
}
