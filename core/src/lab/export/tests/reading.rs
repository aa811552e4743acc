//! Files from other tools, edited files, and merging.

use super::*;

#[test]
fn bad_lines_are_named_and_good_ones_kept() {
    let good = r#"{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}"#;
    let cases = [
        ("prose", "not JSON"),
        (
            r#"{"messages":[{"role":"user","content":"\ud800"}]}"#,
            "hex escape",
        ),
        ("[1]", "not an object"),
        ("{}", "`messages` is missing"),
        (r#"{"messages":"q"}"#, "`messages` is not a list"),
        (r#"{"messages":[]}"#, "no message"),
        (
            r#"{"messages":[{"role":"assistant","content":"a"}]}"#,
            "no message",
        ),
        (
            r#"{"messages":[{"role":"user"},{"role":"assistant","content":"a"}]}"#,
            "`content` is missing",
        ),
        (
            r#"{"messages":[{"role":"user","content":7},{"role":"assistant","content":"a"}]}"#,
            "`content` is not a string",
        ),
        (
            r#"{"messages":[{"role":"user","content":" "},{"role":"assistant","content":"a"}]}"#,
            "`content` is empty",
        ),
        (
            r#"{"messages":[{"role":"tool","content":"q"},{"role":"assistant","content":"a"}]}"#,
            "of `tool` where `user`",
        ),
    ];
    for (line, reason) in cases {
        let text = format!("{good}\r\n\n{line}\n{good}");
        let file = File {
            name: "set/train.jsonl".to_owned(),
            text,
        };
        let imported = import(named("messages"), &[file], "x");
        assert_eq!(imported.items.len(), 2, "{line}");
        let [bad] = imported.bad.as_slice() else {
            panic!("{line}: {:?}", imported.bad)
        };
        assert_eq!((bad.file.as_str(), bad.line), ("set/train.jsonl", 3));
        assert!(bad.reason.contains(reason), "{line}: {}", bad.reason);
    }
}

#[test]
fn metadata_follows_rows_that_were_moved_and_gives_way_to_edits() {
    let sample = Sample::of(&["first", "second", "valid"]);
    let format = named("prompt-completion");
    let mut files = sample.export(format).files;
    let train = files
        .iter_mut()
        .find(|file| file.name == "train.jsonl")
        .unwrap();
    let mut lines: Vec<&str> = train.text.lines().collect();
    lines.reverse();
    train.text = lines
        .join("\n")
        .replace(r#"[\"src/a.py\",\"src/b.py\"]"#, r#"[\"c.py\"]"#);
    let metadata = files.iter_mut().find(|file| file.name == METADATA).unwrap();
    metadata.text.push_str("{\"split\":\"train\"}\n");
    let imported = import(format, &files, "x");
    assert_eq!(imported.split.train, ["1", "0"]);
    assert_eq!(imported.items[0].gold_files, ["c.py"]);
    assert_eq!(imported.items[1], sample.items[0]);
    assert_eq!(imported.bad.len(), 1);
    assert_eq!(
        (imported.bad[0].file.as_str(), imported.bad[0].line),
        (METADATA, 4)
    );
}

#[test]
fn merging_distinguishes_duplicates_from_conflicts() {
    let sample = Sample::of(&["one?", "two", "three"]);
    let mut elsewhere = item(7, "one?");
    elsewhere.archive = "npm:other@1".to_owned();
    let new = vec![
        item(0, "ONE"),
        item(5, "one"),
        item(1, "another question"),
        elsewhere.clone(),
        elsewhere.clone(),
    ];
    let merged = merge(&sample.items, new);
    assert_eq!(
        (merged.added, merged.same_id, merged.same_question),
        (1, 2, 1)
    );
    assert_eq!(merged.conflicts, [item(1, "another question")]);
    assert_eq!(merged.items.last(), Some(&elsewhere));
}
