//! One test for each rule that keeps a question from being senseless or its gold from being wrong.

use super::*;

/// The questions of a kind, with gold places and answer.
fn asked(files: &[(&str, &str)], kind: &str) -> Vec<(String, String, String)> {
    let made = made(files, |order| order.kinds = vec![kind.to_owned()]);
    let told = |item: &Item| {
        let spans = item.gold_spans.iter();
        let spans: Vec<String> = spans
            .map(|it| format!("{}:{}-{}", it.file, it.start, it.end))
            .collect();
        let answer = item.reference_answer.clone().unwrap_or_default();
        (item.query.clone(), spans.join(" "), answer)
    };
    made.items.iter().map(told).collect()
}

fn about(kind: SymbolKind) -> About<'static> {
    About {
        kind,
        owner: None,
        is_inner: false,
        signature: "",
    }
}

#[test]
fn a_manifest_is_asked_for_what_it_states_itself() {
    let package = r#"{
  "license": "MIT",
  "scripts": {
    "lint": "eslint .",
    "test:unit": "mocha test"
  },
  "main": "./index.js",
  "devDependencies": {
    "mocha": "^10.0.0"
  }
}
"#;
    let files = [("package.json", package), ("LICENSE", "The MIT License\n")];
    let asked = asked(&files, "manifest");
    for (words, gold, answer) in [
        ("licence", "package.json:2-2", "the licence: `MIT`."),
        ("script lint", "package.json:4-4", "`lint: eslint .`."),
        (
            "script test:unit",
            "package.json:5-5",
            "`test:unit: mocha test`.",
        ),
        (
            "mocha",
            "package.json:9-9",
            "lists `mocha` as a development dependency: `mocha ^10.0.0`.",
        ),
    ] {
        let found = asked.iter().find(|it| it.0.contains(words)).unwrap();
        assert!(found.1 == gold && found.2.contains(answer), "{found:?}");
    }
    // No question asks which file an entry point without a name leads to.
    assert_eq!(asked.len(), 4, "{asked:?}");
}

#[test]
fn a_table_that_says_optional_makes_an_optional_dependency_and_versions_have_one_line() {
    let cargo = "[package]\nname = \"kit\"\nversion = \"1.2.0\"\n\n[dependencies.mime]\n\
                 version = \"0.3\"\noptional = true\n";
    let asked = asked(&[("Cargo.toml", cargo)], "manifest");
    let version = asked.iter().find(|it| it.0.contains("project's version"));
    let version = version.or_else(|| asked.iter().find(|it| it.0.contains("of the project")));
    assert_eq!(version.unwrap().1, "Cargo.toml:3-3");
    let mime = asked.iter().find(|it| it.0.contains("mime")).unwrap();
    assert!(mime.0.contains("an optional dependency"), "{mime:?}");
}

#[test]
fn a_version_is_asked_for_only_where_one_is_stated() {
    let setup =
        "[project]\nname = \"kit\"\ndependencies = [\n    \"colorama; os_name == 'nt2'\",\n]\n";
    for (question, ..) in asked(&[("pyproject.toml", setup)], "manifest") {
        assert!(
            !question.contains("Which version of colorama"),
            "{question}"
        );
    }
}

#[test]
fn imports_are_called_imports_and_never_dependencies_or_use() {
    let files = [
        ("src/kit/one.py", "import json\nfrom kit import two\n"),
        ("src/kit/two.py", "import re\nimport json\n"),
        ("src/main.c", "#include <stdio.h>\n#include \"part.h\"\n"),
        ("src/part.h", "#include <stdlib.h>\n"),
    ];
    for kind in ["imports", "importers"] {
        let asked = asked(&files, kind);
        assert!(!asked.is_empty());
        for (question, ..) in asked {
            let is_c = question.contains(".c") || question.contains(".h");
            let said = ["import", "include"]
                .iter()
                .filter(|it| question.contains(**it));
            assert_eq!(said.count(), 1, "{question}");
            assert_eq!(question.contains("include"), is_c, "{question}");
            assert!(!question.contains("depend") && !question.contains("used"));
        }
    }
}

#[test]
fn imports_of_test_modules_are_not_gold_where_tests_are_left_out() {
    let user =
        "use crate::part::Part;\n\n#[cfg(test)]\nmod tests {\n    use crate::part::other;\n}\n";
    let files = [
        ("Cargo.toml", "[package]\nname = \"kit\"\n"),
        ("src/lib.rs", "mod part;\nmod user;\n"),
        ("src/part.rs", "pub struct Part;\npub fn other() {}\n"),
        ("src/user.rs", user),
    ];
    let asked = asked(&files, "importers");
    let part = asked.iter().find(|it| it.0.contains("part.rs")).unwrap();
    assert_eq!(part.1, "src/lib.rs:1-1 src/user.rs:1-1");
}

#[test]
fn a_test_is_asked_what_it_asserts_and_the_assertions_are_quoted() {
    let test = "import pytest\n\n\ndef test_sum():\n    total = 1 + 1\n    assert total == 2\n    \
                with pytest.raises(ValueError):\n\n        int('x')\n\n\ndef test_nothing():\n    \
                print('assert nothing')\n\n\ndef test_runner():\n    def test():\n        \
                assert False\n    test()\n";
    let asked = asked(&[("tests/test_sum.py", test)], "tests");
    let [sum, runner] = asked.as_slice() else {
        panic!("{asked:?}");
    };
    assert!(sum.0.contains("test_sum"), "{sum:?}");
    assert_eq!(sum.1, "tests/test_sum.py:6-9");
    let said = "`assert total == 2`; `with pytest.raises(ValueError): int('x')`";
    assert!(sum.2.ends_with(said), "{sum:?}");
    assert!(
        runner.0.contains("test_runner"),
        "a runner calls no inner function"
    );
}

#[test]
fn calls_in_macros_or_as_values_make_the_callers_uncertain() {
    let files = |more: &str| {
        let text = format!(
            "def find_part(a):\n    return a\n\n\ndef use_part():\n    return find_part(1)\n{more}"
        );
        [("src/kit/part.py", text)]
    };
    for (more, n) in [
        ("", 1),
        ("\n\nTABLE = [find_part]\n", 0),
        ("\n\n# find_part is called above.\n", 1),
        ("\n\n__all__ = [\"find_part\"]\n", 1),
    ] {
        let files = files(more);
        let files: Vec<(&str, &str)> = files.iter().map(|(path, it)| (*path, &**it)).collect();
        assert_eq!(asked(&files, "calls").len(), n, "{more}");
    }
}

#[test]
fn usual_names_are_asked_about_only_with_their_owner_or_their_file() {
    for (text, expected) in [
        // Another library's objects may have a method `node`.
        (
            "class Tree:\n    def node(self):\n        return 1\n\n\ndef show_it(it):\n    \
             it.node()\n",
            None,
        ),
        (
            "class Tree:\n    def node(self):\n        return 1\n\n    def show_it(self):\n        \
             self.node()\n",
            Some("Tree.node"),
        ),
        (
            "def launch(it):\n    return it\n\n\ndef show_it(it):\n    launch(it)\n",
            Some("the function launch of tree.py"),
        ),
    ] {
        let asked = asked(&[("src/kit/tree.py", text)], "calls");
        let question = asked.first().map(|it| it.0.as_str());
        assert_eq!(question.is_some(), expected.is_some(), "{question:?}");
        let is_said = |it: &str| question.is_some_and(|question| question.contains(it));
        assert!(expected.is_none_or(is_said), "{question:?}");
    }
}

#[test]
fn callers_in_built_files_and_examples_are_not_gold() {
    let part = "export function findPart(a) {\n  return a;\n}\n";
    let user =
        "import { findPart } from './part';\nexport function usePart() {\n  findPart(1);\n}\n";
    let shown = user.replace("./part", "../src/part");
    let files = [
        ("src/part.ts", part),
        ("src/user.ts", user),
        ("dist/user.js", user),
        ("examples/show.ts", shown.as_str()),
    ];
    let asked = asked(&files, "calls");
    let golds: Vec<&str> = asked.iter().map(|it| it.1.as_str()).collect();
    assert_eq!(golds, ["src/user.ts:2-4"]);
}

#[test]
fn sentences_that_need_their_surroundings_are_asked_with_their_owner_or_not_at_all() {
    use SymbolKind::{Constant, Function, Method, Struct};
    let of_page = |kind| About {
        owner: Some("Page"),
        ..about(kind)
    };
    let takes = |signature| About {
        signature,
        ..about(Function)
    };
    let write = "Writes a unicode string into the internal buffer.";
    for (sentence, about, expected) in [
        (write, about(Function), None),
        (
            write,
            of_page(Method),
            Some("Which method of Page writes a unicode string"),
        ),
        (
            "A struct representing the closing command of it.",
            about(Struct),
            None,
        ),
        (
            "Indicates that the server is about to start again.",
            of_page(Constant),
            Some("Which constant of Page indicates"),
        ),
        (
            "Return a position that, when b is added, yields a.",
            about(Function),
            None,
        ),
        (
            "Add a new option named `dest` to the parser.",
            takes("def f(self, dest)"),
            None,
        ),
        (
            "Add the `option` to those of the parser now.",
            takes("def f(option)"),
            Some("Which"),
        ),
        (
            "Get the ICU boolean type @stable since version 2.",
            about(Function),
            None,
        ),
        (
            "Match position of the last thing that was found.",
            about(Constant),
            None,
        ),
    ] {
        let made = questions(sentence, &about).unwrap_or_default();
        let is_said = |it: &str| made.iter().any(|question| question.starts_with(it));
        assert_eq!(made.is_empty(), expected.is_none(), "{sentence} {made:?}");
        assert!(expected.is_none_or(is_said), "{made:?}");
    }
}

#[test]
fn a_sentence_about_a_parameter_is_not_asked_as_one_about_the_function() {
    let text = "/**\n * @param clock An object that gives the time. It is used to\n * calculate the \
                amount of time that has passed since.\n */\nexport function pass(clock) {}\n\n\
                /**\n * Calculate the number of entries that are left now.\n * @param a It.\n \
                */\nexport function rest(a) {}\n";
    let asked = asked(&[("src/time.ts", text)], "documentation");
    let questions: Vec<&str> = asked.iter().map(|it| it.0.as_str()).collect();
    assert!(
        questions.len() == 1 && questions[0].contains("entries that are left"),
        "{questions:?}"
    );
}

#[test]
fn general_headings_and_whole_documents_do_not_become_questions() {
    let readme = "# Courier Kit\n\nA kit.\n\n## A Simple Example\n\nRun it.\n\n\
                  ## Basic Usage\n\nRun it.\n\n## What If I Want This\n\nx\n\n\
                  ## PLEASE READ\n\n## Emeritus Members\n\nx.\n\n## Waiting for `read_key`\n\n\
                  It waits\nfor a key.\n\nMore.\n";
    let asked = asked(&[("README.md", readme)], "documents");
    let [(question, gold, answer)] = asked.as_slice() else {
        panic!("{asked:?}");
    };
    assert!(question.contains("“Waiting for read_key”"), "{question}");
    assert_eq!(gold, "README.md:23-28");
    assert!(answer.ends_with("It waits for a key."), "{answer}");
}

#[test]
fn a_point_of_the_changelog_is_read_with_the_point_that_it_belongs_to() {
    let changes = "# 1.0\n\n* deps: kit 2\n  - Fix the parser (#101)\n  - Fix more (#102)\n\
                   * Add pages (#103)\n  - with numbers\n\n[#103]: https://example.org/103\n";
    let asked = asked(&[("CHANGES.md", changes)], "changelog");
    for (number, gold, answer) in [
        (
            "#101",
            "CHANGES.md:3-4",
            "* deps: kit 2 - Fix the parser (#101)",
        ),
        (
            "#102",
            "CHANGES.md:3-3 CHANGES.md:5-5",
            "* deps: kit 2 - Fix more (#102)",
        ),
        (
            "#103",
            "CHANGES.md:6-7",
            "* Add pages (#103) - with numbers",
        ),
    ] {
        let found = asked.iter().find(|it| it.0.contains(number)).unwrap();
        assert_eq!((found.1.as_str(), found.2.as_str()), (gold, answer));
        assert!(!found.0.contains("issue"), "it may be a pull request");
    }
}

#[test]
fn values_are_literals_and_parameters_those_that_somebody_chose() {
    let text = "LIMIT_OF_PAGES = 100\nTWICE_THE_LIMIT = 2 * LIMIT_OF_PAGES\nNOTHING = None\n\
                STATES_OF_PAGES = (codes.open, codes.shut)\n\n\n\
                class Page:\n    def __exit__(self, kind):\n        pass\n\n    def __init__(self, \
                size):\n        def inner_part(a):\n            return a\n";
    let mapped = "const readAll = map((page: Page) => page.read());\n";
    let files = [("src/kit/page.py", text), ("src/kit/read.ts", mapped)];
    let values: Vec<String> = asked(&files, "values").into_iter().map(|it| it.0).collect();
    assert!(
        values.len() == 1 && values[0].contains("LIMIT_OF_PAGES"),
        "{values:?}"
    );
    let taken: Vec<String> = asked(&files, "signatures")
        .into_iter()
        .map(|it| it.0)
        .collect();
    assert!(
        taken.len() == 1 && taken[0].contains("Page.__init__"),
        "{taken:?}"
    );
}
