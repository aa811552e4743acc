use super::*;
use crate::changes::compare;
use crate::index::tests::whole_index;

const BODY: &str =
    "    total = 0\n    for each in of:\n        total += each.length\n    return total\n";

/// Returns the answer about two small versions.
fn said(question: &str) -> Option<Vec<String>> {
    let size = format!("def size(of):\n{BODY}");
    let old = [
        (
            "mail.py",
            "class Session:\n    def send(self, request):\n        return one(request)\n\n    def close(self):\n        pass\n\n\ndef lost():\n    return 1\n",
        ),
        ("tools.py", size.as_str()),
        ("same.py", "def same():\n    return 1\n"),
    ];
    let weight = format!("def weight(of):\n{BODY}");
    let new = [
        (
            "mail.py",
            "class Session:\n    def send(self, request, twice=False):\n        return two(request)\n\n    def close(self):\n        pass\n\n\ndef fresh():\n    return 2\n",
        ),
        ("tools.py", weight.as_str()),
        ("same.py", "# Same.\ndef same():\n    return 1\n"),
    ];
    said_on(&old, &new, question)
}

/// Returns the answer about versions 1.0 and 1.1: sentences, then the entries of their lists, then
/// `version path:lines` of each footnote.
fn said_on(old: &[(&str, &str)], new: &[(&str, &str)], question: &str) -> Option<Vec<String>> {
    let (old, new) = (whole_index("mail-1.0", old), whole_index("mail-1.1", new));
    let changes = compare(&old, &new);
    let compared = Compared {
        old: &old,
        new: &new,
        changes: &changes,
    };
    let answer = changed(compared, question)?;
    let mut said: Vec<String> = answer.statements.iter().map(Statement::plain).collect();
    for item in answer.statements.iter().flat_map(|it| &it.items) {
        said.push(format!("- {}, {}", item.name, item.detail));
    }
    said.extend(answer.nothing);
    for note in &answer.footnotes {
        let index = compared.index(note.version);
        let path = &index.repo.file(note.source.file()).unwrap().path;
        let version = compared.name(note.version);
        said.push(format!(
            "{} {version} {path}:{}",
            note.number,
            note.source.lines()
        ));
    }
    Some(said)
}

#[test]
fn a_changed_definition_is_described_with_its_lines_in_both_versions() {
    let expected = [
        "`Session.send` differs between 1.0 and 1.1 in its signature and in its body.",
        "In 1.0 it is declared as `def send(self, request)`, in 1.1 as `def send(self, request, twice=False)`.",
        "Its code differs within lines 2-3 of 1.0 and lines 2-3 of 1.1.",
        "1 1.0 mail.py:2-3",
        "2 1.1 mail.py:2-3",
    ];
    for question in [
        "What changed in Session.send between 1.0 and 1.1?",
        "how did Session::send change",
        "Did the signature of send() change?",
    ] {
        assert_eq!(said(question).unwrap(), expected, "{question}");
    }
}

#[test]
fn added_removed_and_renamed_definitions_are_reported() {
    for (question, expected) in [
        ("Was lost removed?", "`lost` is in 1.0 and not in 1.1."),
        ("Was fresh added?", "`fresh` is in 1.1 and not in 1.0."),
        (
            "Was size renamed?",
            "`size` of 1.0 is called `weight` in 1.1; its body is the same.",
        ),
        (
            "Was same changed?",
            "`same` itself is the same in 1.0 and 1.1, apart from comments, documentation and layout.",
        ),
        (
            "What changed in Tea?",
            "Neither 1.0 nor 1.1 has a definition or a code file called “Tea”.",
        ),
        (
            "What moved?",
            "No definition is known to have moved between 1.0 and 1.1.",
        ),
        (
            "What changed in same.py?",
            "same.py is the same in 1.0 and 1.1, apart from comments, documentation and layout.",
        ),
    ] {
        assert_eq!(said(question).unwrap()[0], expected, "{question}");
    }
}

#[test]
fn lists_have_an_entry_with_a_footnote_for_each_definition() {
    let expected = [
        "1 definition of 1.1 is not in 1.0: `fresh`.",
        "- fresh, mail.py",
        "1 1.1 mail.py:9-10",
    ];
    assert_eq!(said("What is new in 1.1?").unwrap(), expected);
    let all = said("What changed between 1.0 and 1.1?").unwrap();
    let sentences = [
        "1 signature changed between 1.0 and 1.1: `Session.send`.",
        "1 definition of 1.1 is not in 1.0: `fresh`.",
        "1 definition of 1.0 is not in 1.1: `lost`.",
        "1 definition is named differently in 1.1: `weight`.",
    ];
    assert_eq!(all[..4], sentences);
    assert!(
        all.contains(&"- weight, was size, tools.py".to_owned()),
        "{all:?}"
    );
    let members = said("What changed in Session?").unwrap();
    assert_eq!(members[1], "1 member of `Session` changed: `Session.send`.");
    assert!(members.contains(&"- Session.send, signature and body changed".to_owned()));
    let file = said("What changed in mail.py?").unwrap();
    assert_eq!(
        file[0],
        "3 definitions in `mail.py` changed: `Session.send`, `fresh` and `lost`."
    );
}

#[test]
fn questions_about_other_versions_or_other_things_are_left_alone() {
    assert_eq!(said("What changed in 0.9?"), None);
    assert_eq!(said("Who calls Session.send?"), None);
}

#[test]
fn a_definition_that_came_does_not_deny_its_namesake_in_another_file() {
    let old = [("a.py", "def f(x):\n    return x\n")];
    let new = [
        ("a.py", "def f(x):\n    return x + 1\n"),
        ("b.py", "def f(a, b):\n    return sorted([a, b])\n"),
    ];
    let told = said_on(&old, &new, "What changed in f?").unwrap();
    let expected =
        "`f` as defined in `b.py` is in 1.1 and not in 1.0, which has another in `a.py`.";
    assert!(told.contains(&expected.to_owned()), "{told:?}");
    let told = said_on(&new, &old, "What changed in f?").unwrap();
    let expected =
        "`f` as defined in `b.py` is in 1.0 and not in 1.1, which has another in `a.py`.";
    assert!(told.contains(&expected.to_owned()), "{told:?}");
}

#[test]
fn files_that_hold_no_definition_are_listed_when_they_change() {
    let old = [
        ("Makefile", "all:\n\techo one\n"),
        ("setup.cfg", "[a]\nb = 1\n"),
        ("same.py", "def f():\n    return 1\n"),
    ];
    let new = [
        ("Makefile", "all:\n\techo two\n"),
        ("notes.md", "# Notes\n"),
        ("same.py", "def f():\n    return 1\n"),
    ];
    let expected = [
        "`Makefile` changed outside definitions between 1.0 and 1.1.",
        "`notes.md` of 1.1 is not in 1.0.",
        "`setup.cfg` of 1.0 is not in 1.1.",
        "- Makefile, changed",
        "- notes.md, added",
        "- setup.cfg, removed",
    ];
    assert_eq!(said_on(&old, &new, "What changed?").unwrap()[..6], expected);
}
