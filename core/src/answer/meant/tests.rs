//! Names in a small repository, and what they mean.

use super::*;
use crate::index::tests::index;

const MAIL: &[(&str, &str)] = &[
    (
        "mail/office.py",
        "import socket\nfrom .parts import pack as wrap, Parcel\nfrom . import parts\n\n\n\
         class Office(parts.Base):\n    limit = 3\n\n    def send(self, it):\n        \
         self.check(it)\n        socket.send(wrap(it))\n        return parts.fold(self.limit)\n\n\n\
         def send(it):\n    return Office().send(it) or unknown.fold(it)\n",
    ),
    (
        "mail/parts.py",
        "class Base:\n    def check(self, it):\n        pass\n\n\ndef pack(it):\n    return fold(it)\n\n\n\
         def fold(it):\n    return it\n\n\nclass Parcel:\n    pass\n",
    ),
    (
        "shop/paper.py",
        "def fold(it):\n    return it\n\n\ndef twice(it):\n    return fold(fold(it))\n",
    ),
    ("tests/test_a.py", "def fold(it):\n    pass\n"),
];

/// Returns `path:line` for each definition, a path for a file, `library x`, or `unknown`.
fn told(index: &Index, path: &str, line: u32, name: &str) -> Vec<String> {
    let file = index.repo.find(path).unwrap();
    let path = |file: FileId| index.repo.file(file).unwrap().path.clone();
    match meant(index, file, Line(line), name) {
        Meant::Definitions(found) => found
            .into_iter()
            .map(|id| {
                format!(
                    "{}:{}",
                    path(id.file),
                    index.symbol(id).unwrap().name_line.0
                )
            })
            .collect(),
        Meant::File(file) => vec![path(file)],
        Meant::Library(id) => vec![format!("library {}", index.graph.library(id))],
        Meant::Unknown => vec!["unknown".to_owned()],
    }
}

#[test]
fn a_name_means_what_its_scope_and_imports_say_or_else_everything_of_that_name() {
    let index = index(MAIL);
    for (path, line, name, expected) in [
        ("mail/office.py", 9, "send", &["mail/office.py:9"][..]),
        ("mail/office.py", 10, "check", &["mail/parts.py:2"]),
        ("mail/office.py", 11, "wrap", &["mail/parts.py:6"]),
        ("mail/office.py", 11, "socket", &["library socket"]),
        ("mail/office.py", 2, "Parcel", &["mail/parts.py:14"]),
        ("mail/office.py", 6, "parts", &["mail/parts.py"]),
        ("mail/office.py", 6, "Base", &["mail/parts.py:1"]),
        ("mail/office.py", 12, "fold", &["mail/parts.py:10"]),
        ("mail/office.py", 12, "limit", &["unknown"]),
        ("mail/office.py", 16, "Office", &["mail/office.py:6"]),
        (
            "mail/office.py",
            16,
            "fold",
            &["mail/parts.py:10", "shop/paper.py:1"],
        ),
        ("mail/parts.py", 7, "fold", &["mail/parts.py:10"]),
        ("shop/paper.py", 6, "fold", &["shop/paper.py:1"]),
        ("shop/paper.py", 6, "nothing", &["unknown"]),
    ] {
        assert_eq!(
            told(&index, path, line, name),
            expected,
            "{path}:{line} {name}"
        );
    }
}

#[test]
fn names_that_lead_nowhere_are_left_out() {
    let index = index(MAIL);
    let file = index.repo.find("mail/office.py").unwrap();
    assert_eq!(
        names_in(&index, file),
        [
            "Base", "Office", "Parcel", "check", "fold", "pack", "parts", "send", "wrap"
        ]
    );
}

#[test]
fn uses_are_asked_for_with_the_file_where_others_have_the_name() {
    let index = index(MAIL);
    let asked = |path: &str, name: &str| {
        let file = index.repo.find(path).unwrap();
        let (id, _) = index
            .graph
            .names()
            .in_file(&index.parsed, file, name)
            .next()
            .unwrap();
        question_of_uses(&index, id).unwrap()
    };
    assert_eq!(asked("mail/parts.py", "pack"), "where is `pack` used?");
    assert_eq!(
        asked("shop/paper.py", "fold"),
        "where is `fold` in `shop/paper.py` used?"
    );
}

#[test]
fn the_question_of_uses_is_answered_exactly() {
    use crate::answer::{Fit, Outcome, ask};
    use crate::index::Vectors;
    use crate::search::Question;

    let index = index(MAIL);
    for (path, name, expected) in [
        ("mail/parts.py", "pack", "`pack` is used at 2 places"),
        ("shop/paper.py", "fold", "`fold` is used at 1 place"),
        (
            "mail/parts.py",
            "Base.check",
            "`Base.check` is used at 1 place",
        ),
    ] {
        let file = index.repo.find(path).unwrap();
        let symbols = (0..).zip(&index.parsed[file.0 as usize].symbols);
        let (at, _) = symbols
            .into_iter()
            .find(|(_, it)| it.qualified == name)
            .unwrap();
        let question = question_of_uses(&index, SymbolId { file, at }).unwrap();
        let question = Question::new(&question).unwrap();
        let answer = ask(&index, &Vectors::new(1, 0), &question, None).answer;
        let Outcome::Found { statements, .. } = &answer.outcome else {
            panic!("{answer:?}");
        };
        assert_eq!((answer.kind, answer.fit), (Some("usages"), Fit::Exact));
        assert!(
            statements[0].plain().starts_with(expected),
            "{}",
            statements[0].plain()
        );
    }
}
