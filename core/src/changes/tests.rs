use std::collections::BTreeMap;

use proptest::prelude::{ProptestConfig, Strategy, prop};
use proptest::{prop_assert, prop_assert_eq, proptest};

use super::*;
use crate::index::tests::whole_index;

type Files<'a> = &'a [(&'a str, &'a str)];

fn indexes(old: Files<'_>, new: Files<'_>) -> (Index, Index) {
    (whole_index("s-1.0", old), whole_index("s-1.1", new))
}

/// The changes, one line per file or definition: `~ a.py`, `changed signature f a.py:1 > a.py:1`.
fn said(old: Files<'_>, new: Files<'_>) -> Vec<String> {
    let (old, new) = indexes(old, new);
    let changes = compare(&old, &new);
    let path = |index: &Index, file: FileId| index.repo.file(file).unwrap().path.clone();
    let mut said = Vec::new();
    for file in &changes.files {
        let sides = [
            file.old.map(|id| path(&old, id)),
            file.new.map(|id| path(&new, id)),
        ];
        let mut paths: Vec<String> = sides.into_iter().flatten().collect();
        paths.dedup();
        let mut line = format!("{:?} {}", file.what, paths.join(" > "));
        if file.is_layout {
            line += " layout";
        }
        if file.outside != Differing::default() {
            let lines = |it: &Option<Verified>| it.as_ref().map(|it| it.lines().to_string());
            let lines = [lines(&file.outside.old), lines(&file.outside.new)];
            line += &format!(
                " outside {}",
                lines.map(|it| it.unwrap_or_default()).join(">")
            );
        }
        said.push(line);
    }
    let place = |index: &Index, it: &Definition| {
        let (path, lines) = (path(index, it.source.file()), it.source.lines());
        format!("{} {path}:{lines}", it.qualified)
    };
    for change in &changes.definitions {
        let sides = [
            change.old.as_ref().map(|it| place(&old, it)),
            change.new.as_ref().map(|it| place(&new, it)),
        ];
        let sides: Vec<String> = sides.into_iter().flatten().collect();
        let what = match change.what {
            What::Changed { signature, body } => match (signature, body) {
                (true, true) => "both".to_owned(),
                (true, false) => "signature".to_owned(),
                _ => "body".to_owned(),
            },
            What::Renamed { signature: true } => "Renamed signature".to_owned(),
            What::Moved { signature: true } => "Moved signature".to_owned(),
            What::Renamed { .. } => "Renamed".to_owned(),
            What::Moved { .. } => "Moved".to_owned(),
            other => format!("{other:?}"),
        };
        let part = if change.is_part { " part" } else { "" };
        said.push(format!("{what}{part} {}", sides.join(" > ")));
    }
    said
}

/// The changes in one file.
fn in_file(path: &str, old: &str, new: &str) -> Vec<String> {
    let mut said = said(&[(path, old)], &[(path, new)]);
    said.remove(0);
    said
}

#[test]
fn files_are_matched_by_path_and_text() {
    let long = "one line of text\nanother line of text\na third line\n";
    let changed = "one line of text\nanother line of text\nthe last line\n";
    let found = said(
        &[
            ("a.md", "same\n"),
            ("b.md", "before\n"),
            ("c.md", "gone\n"),
            ("d.md", long),
            ("e.md", "moved here\n"),
            ("f/empty.md", ""),
        ],
        &[
            ("a.md", "same\n"),
            ("b.md", "after\n"),
            ("g.md", "new\n"),
            ("docs/d.md", changed),
            ("docs/e.md", "moved here\n"),
            ("h/empty.md", ""),
        ],
    );
    let expected = [
        "Changed b.md outside 1>1",
        "Removed c.md",
        "MovedAndChanged d.md > docs/d.md outside 3>3",
        "Moved e.md > docs/e.md",
        "Removed f/empty.md",
        "Added g.md",
        "Added h/empty.md",
    ];
    assert_eq!(found, expected);
}

#[test]
fn files_with_the_same_text_are_matched_by_similar_paths() {
    let found = said(
        &[("a/x/init.py", "import m\n"), ("a/y/init.py", "import m\n")],
        &[("b/y/init.py", "import m\n"), ("b/x/init.py", "import m\n")],
    );
    let expected = [
        "Moved a/x/init.py > b/x/init.py",
        "Moved a/y/init.py > b/y/init.py",
    ];
    assert_eq!(found, expected);
}

#[test]
fn changes_of_signatures_and_bodies_are_distinguished() {
    for (path, old, new, expected) in [
        (
            "a.py",
            "def f(a):\n    return a\n",
            "def f(a, b=1):\n    return a\n",
            "signature f a.py:1-2 > f a.py:1-2",
        ),
        (
            "a.py",
            "def f(a):\n    return a\n",
            "def f(a):\n    return b\n",
            "body f a.py:1-2 > f a.py:1-2",
        ),
        (
            "a.py",
            "def f(a):\n    return a\n",
            "@cached\ndef f(a):\n    return a\n",
            "signature f a.py:1-2 > f a.py:1-3",
        ),
        (
            "a.py",
            "class A(B):\n    x = 1\n",
            "class A(C):\n    x = 2\n",
            "both A a.py:1-2 > A a.py:1-2",
        ),
        (
            "a.py",
            "LIMIT = 1\n",
            "LIMIT = 2\n",
            "body LIMIT a.py:1 > LIMIT a.py:1",
        ),
        (
            "a.rs",
            "fn f(a: u8) -> u8 { a }\n",
            "pub fn f(a: u8) -> u8 { a }\n",
            "signature f a.rs:1 > f a.rs:1",
        ),
        (
            "a.rs",
            "fn f() {\n    g();\n}\n",
            "fn f() {\n    g();\n    h();\n}\n",
            "body f a.rs:1-3 > f a.rs:1-4",
        ),
        (
            "a.rs",
            "struct A {\n    a: u8,\n}\n",
            "struct A {\n    a: u16,\n}\n",
            "body A a.rs:1-3 > A a.rs:1-3",
        ),
        (
            "a.ts",
            "export function f(a: string) { return a; }\n",
            "export function f(a: number) { return a; }\n",
            "signature f a.ts:1 > f a.ts:1",
        ),
        (
            "a.go",
            "package a\nfunc f() int { return 1 }\n",
            "package a\nfunc f() int { return 2 }\n",
            "body f a.go:2 > f a.go:2",
        ),
        (
            "A.java",
            "class A {\n  int f() { return 1; }\n}\n",
            "class A {\n  long f() { return 1; }\n}\n",
            "signature A.f A.java:2 > A.f A.java:2",
        ),
        (
            "a.rb",
            "def f(a)\n  a\nend\n",
            "def f(a, b)\n  a\nend\n",
            "signature f a.rb:1-3 > f a.rb:1-3",
        ),
    ] {
        assert_eq!(in_file(path, old, new), [expected], "{old} {new}");
    }
}

#[test]
fn comments_documentation_and_layout_make_no_change() {
    for (path, old, new) in [
        (
            "a.py",
            "def f(a, b):\n    return g(a, b)\n",
            "# Why.\ndef f(\n    a,  # first\n    b,\n):\n    \"\"\"Says it.\"\"\"\n    return g(\n        a,\n        b,\n    )\n",
        ),
        (
            "a.rs",
            "fn f(a: u8) -> u8 { g(a) }\n",
            "/// Says it.\nfn f(\n    a: u8,\n) -> u8 {\n    // so\n    g(a)\n}\n",
        ),
        (
            "a.js",
            "const f = () => 1;\n",
            "// so\nconst f =\n  () => 1;\n",
        ),
        ("a.md", "# T\n\nWords.\n", "# T\n\n\nWords.  \n"),
    ] {
        let found = said(&[(path, old)], &[(path, new)]);
        assert_eq!(found, [format!("Changed {path} layout")]);
    }
}

#[test]
fn indentation_that_means_something_is_a_change() {
    let old = "def f(a):\n    if a:\n        g()\n        h()\n";
    let new = "def f(a):\n    if a:\n        g()\n    h()\n";
    assert_eq!(in_file("a.py", old, new), ["body f a.py:1-4 > f a.py:1-4"]);
}

#[test]
fn white_space_in_literals_is_a_change() {
    let (old, new) = ("X = 'a b'\n", "X = 'a  b'\n");
    assert_eq!(in_file("a.py", old, new), ["body X a.py:1 > X a.py:1"]);
}

#[test]
fn a_class_does_not_change_with_its_methods() {
    let old = "class A:\n    def f(self):\n        return 1\n";
    let new =
        "class A:\n    def f(self):\n        return 2\n\n    def g(self):\n        return 3\n";
    let expected = ["body A.f a.py:2-3 > A.f a.py:2-3", "Added A.g a.py:5-6"];
    assert_eq!(in_file("a.py", old, new), expected);
}

#[test]
fn a_member_added_with_its_owner_is_a_part_of_it() {
    let new = "class A:\n    def f(self):\n        return 1\n";
    let expected = ["Added A a.py:1-3", "Added part A.f a.py:2-3"];
    assert_eq!(in_file("a.py", "", new), expected);
}

const BODY: &str =
    "    total = 0\n    for each in of:\n        total += each.length\n    return total\n";

#[test]
fn the_same_code_under_another_name_was_renamed() {
    let def = |head: &str| format!("def {head}:\n{BODY}");
    let old = def("size(of)");
    for (new, expected) in [
        (def("weight(of)"), "Renamed size a.py:1-5 > weight a.py:1-5"),
        (
            def("weight(of, *, in_bytes=False)"),
            "Renamed signature size a.py:1-5 > weight a.py:1-5",
        ),
    ] {
        assert_eq!(in_file("a.py", &old, &new), [expected]);
    }
    // With two candidates, nothing says which of them it was.
    let two = def("weight(of)") + &def("mass(of)");
    let found = in_file("a.py", &old, &two);
    assert_eq!(
        found.iter().filter(|it| it.starts_with("Renamed")).count(),
        0
    );
}

#[test]
fn little_code_says_nothing_of_a_name() {
    let (old, new) = ("def f():\n    pass\n", "def g():\n    pass\n");
    let expected = ["Added g a.py:1-2", "Removed f a.py:1-2"];
    assert_eq!(in_file("a.py", old, new), expected);
}

#[test]
fn a_renamed_class_takes_its_methods_along() {
    let class = |name: &str| {
        format!(
            "class {name}:\n    def f(self, of):\n        return self.size(of) + 1\n\n    def g(self):\n        return {name}()\n"
        )
    };
    let found = in_file("a.py", &class("Old"), &class("New"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("Renamed Old a.py:1-6 > New"),
        "{found:?}"
    );
}

#[test]
fn the_same_definition_in_another_place_was_moved() {
    let f = format!("def f(of):\n{BODY}");
    let g = "def g():\n    return 1\n";
    let found = said(
        &[("a.py", &format!("{f}\n\n{g}")), ("b.py", "x = 1\n")],
        &[("a.py", g), ("b.py", &format!("x = 1\n\n\n{f}"))],
    );
    assert_eq!(found.last().unwrap(), "Moved f a.py:1-5 > f b.py:4-8");
    assert_eq!(found.len(), 3, "{found:?}");
    let class = |name: &str| {
        let method = f.replace("\n    ", "\n        ").replace("def", "    def");
        format!("class {name}:\n    x = 1\n{method}")
    };
    let owners = |first: &str, second: &str| format!("{first}\n\nclass B:\n    y = 2\n{second}");
    let found = in_file(
        "a.py",
        &owners(&class("A"), ""),
        &owners(
            "class A:\n    x = 1\n",
            class("A").split_once("x = 1\n").unwrap().1,
        ),
    );
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("Moved A.f a.py:3-7 > B.f"),
        "{found:?}"
    );
}

#[test]
fn definitions_with_the_same_name_are_distinguished_by_their_code() {
    let old = "impl A for S {\n    fn f(&self) -> u8 { self.a + 1 }\n}\n";
    let new = format!("impl B for S {{\n    fn f(&self) -> u8 {{ self.b + 2 }}\n}}\n{old}");
    assert_eq!(in_file("a.rs", old, &new), ["Added S.f a.rs:2"]);
}

#[test]
fn the_lines_that_differ_are_reported() {
    let old = "def f(a):\n    one()\n    two()\n    three()\n";
    let new = "def f(a):\n    one()\n    half()\n    more()\n    three()\n";
    let lines = |old: &str, new: &str| {
        let (old, new) = indexes(&[("a.py", old)], &[("a.py", new)]);
        let differing = compare(&old, &new).definitions.remove(0).differing;
        let said = |it: Option<Verified>| it.map(|it| it.lines().to_string());
        (said(differing.old), said(differing.new))
    };
    assert_eq!(lines(old, new), (Some("3".into()), Some("3-4".into())));
    let longer = "def f(a):\n    one()\n    two()\n    three()\n    four()\n";
    assert_eq!(lines(old, longer), (None, Some("5".into())));
}

#[test]
fn citations_hold_the_names_in_both_versions() {
    let old = [("a.py", "def f(a):\n    return a\n\ndef gone():\n    pass\n")];
    let new = [("a.py", "# Now.\n\ndef f(a):\n    return b\n")];
    let (old, new) = indexes(&old, &new);
    for change in compare(&old, &new).definitions {
        for (index, definition) in [(&old, &change.old), (&new, &change.new)] {
            let Some(definition) = definition else {
                continue;
            };
            let file = definition.source.file();
            let text = &index.repo.file(file).unwrap().text;
            let lines = index.lines(file).unwrap();
            let cited = lines.slice(text, definition.source.lines()).unwrap();
            assert!(cited.contains(&definition.name), "{cited}");
        }
    }
}

type Programs = BTreeMap<String, String>;

/// Small programs in several languages, some with odd text.
fn programs() -> impl Strategy<Value = Programs> {
    let pieces = [
        "def [fgh]\\(a\\):\n    return a\n",
        "class [AB]:\n    x = 1\n    def f\\(self\\):\n        pass\n",
        "X = [12]\n",
        "fn [fg]\\(\\) \\{ g\\(\\); \\}\n",
        "# c\n",
        "é\\{\\(\n",
        "\n",
    ];
    let text = format!("({}){{0,6}}", pieces.join("|"));
    let text = prop::string::string_regex(&text).unwrap();
    prop::collection::btree_map("[ab]/[ab]\\.(py|rs|md|js)", text, 0..5)
}

fn borrowed(files: &Programs) -> Vec<(&str, &str)> {
    let files = files.iter();
    files.map(|(a, b)| (a.as_str(), b.as_str())).collect()
}

fn counts(changes: &Changes) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut count = |what: String| *counts.entry(what).or_default() += 1;
    changes
        .files
        .iter()
        .for_each(|it| count(format!("{:?}", it.what)));
    changes
        .definitions
        .iter()
        .for_each(|it| count(format!("definition {:?}", it.what)));
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_version_does_not_differ_from_itself(
        files in programs(),
    ) {
        let files = borrowed(&files);
        let (old, new) = indexes(&files, &files);
        let changes = compare(&old, &new);
        prop_assert_eq!(changes.equal, old.repo.files.len());
        prop_assert!(changes.files.is_empty() && changes.definitions.is_empty());
    }

    #[test]
    fn swapping_the_versions_swaps_added_and_removed(
        a in programs(),
        b in programs(),
    ) {
        let (a, b) = indexes(&borrowed(&a), &borrowed(&b));
        let there = counts(&compare(&a, &b));
        let swapped: BTreeMap<String, usize> = counts(&compare(&b, &a))
            .into_iter()
            .map(|(what, n)| {
                let what = match what.as_str() {
                    "Added" => "Removed".to_owned(),
                    "Removed" => "Added".to_owned(),
                    "definition Added" => "definition Removed".to_owned(),
                    "definition Removed" => "definition Added".to_owned(),
                    _ => what,
                };
                (what, n)
            })
            .collect();
        prop_assert_eq!(there, swapped);
    }
}
