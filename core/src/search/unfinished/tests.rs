//! Unfinished code of several languages against small repositories.

use super::*;
use crate::index::tests::index;
use crate::lang::Language;

const PYTHON: &[(&str, &str)] = &[
    ("fern/__init__.py", "from .web import Session\n"),
    (
        "fern/web.py",
        "class Session:\n    \"\"\"Keeps what requests share.\"\"\"\n    def send(self, url):\n        return url\n\n\ndef close_all(sessions):\n    for it in sessions:\n        it.close()\n",
    ),
    (
        "fern/text.py",
        "LIMIT = 3\n\n\ndef slug(text):\n    return text.lower()\n",
    ),
    ("fern/star.py", "from .text import *\n"),
    ("app/main.ts", "export function main() {}\n"),
];

/// Returns the names of the needs, in order, with `!` for those in the last lines and the line of
/// imported ones.
fn named(index: &Index, needs: &Needs) -> Vec<String> {
    let name = |need: &Need| {
        let symbol = index.symbol(need.symbol).unwrap();
        let mark = if need.is_in_last { "!" } else { "" };
        let line = need.imported.map(|line| format!(":{}", line.0));
        format!("{}{mark}{}", symbol.qualified, line.unwrap_or_default())
    };
    let needs = needs.needs.iter();
    let reasoned = needs.filter(|it| it.imported.is_some() || !it.used.is_empty());
    reasoned.map(name).collect()
}

fn of(index: &Index, code: &str, tag: &str) -> Needs {
    Reader::new(index).needs(&Fragment::new(code, tag, 3))
}

#[test]
fn imports_and_names_lead_to_their_definitions() {
    let index = index(PYTHON);
    for (tag, code, expected) in [
        (
            "python",
            "from fern import Session\n\ns = Session(\n",
            vec!["Session!:1"],
        ),
        (
            "fern/x.py",
            "from .web import Session as S, close_all\n\n\ndef f(\n    s = S(",
            vec!["Session!:1", "close_all:1"],
        ),
        // Code without a path belongs to the folder in which its imports lead somewhere.
        (
            "python",
            "from .text import slug\n\nx = slug(",
            vec!["slug!:1"],
        ),
        (
            "fern/x.py",
            "from . import text\n\nx = text.slug(",
            vec!["slug!:1"],
        ),
        (
            "python",
            "from fern.star import *\n\nx = slug(LIMIT",
            vec!["slug!:1", "LIMIT!:1"],
        ),
        // Without imports: by the name.
        (
            "python",
            "    for s in many:\n        close_all(",
            vec!["close_all!"],
        ),
        (
            "python",
            "from fern import Session\ns = Session()\n\n\n\ns.send(",
            vec!["Session!:1", "Session.send!"],
        ),
        // What the code defines itself is not searched.
        ("python", "def slug(text):\n    pass\n\nslug(", vec![]),
        ("python", "import os\nos.path.join(", vec![]),
    ] {
        let mut found = named(&index, &of(&index, code, tag));
        let mut expected = expected;
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "{code}");
    }
}

#[test]
fn names_used_by_the_last_lines_come_first() {
    let index = index(PYTHON);
    let code = "from fern import Session\nfrom fern.text import slug\n\na = 1\nb = 2\nc = slug(";
    let needs = of(&index, code, "python");
    assert_eq!(named(&index, &needs), ["slug!:2", "Session:1"]);
    assert_eq!(needs.needs[0].used, [Line(6)]);
}

#[test]
fn other_languages_are_read_by_their_own_rules() {
    let typescript = index(&[
        (
            "src/store.ts",
            "export class Store {}\nexport const LIMIT = 1;\n",
        ),
        ("src/index.ts", "export { Store } from './store';\n"),
    ]);
    let rust = index(&[
        ("Cargo.toml", "[package]\nname = \"tea\"\n"),
        ("src/lib.rs", "pub mod pot;\n"),
        ("src/pot.rs", "pub struct Pot;\npub fn brew() {}\n"),
    ]);
    let java = index(&[
        (
            "src/main/java/org/tea/Pot.java",
            "package org.tea;\n\npublic class Pot {\n  public void brew() {}\n}\n",
        ),
        (
            "src/main/java/org/tea/Cup.java",
            "package org.tea;\n\npublic class Cup {\n}\n",
        ),
    ]);
    for (index, tag, code, expected) in [
        (
            &typescript,
            "src/a.ts",
            "import { Store } from './index';\n\nconst s = new Store(",
            "Store!:1",
        ),
        (
            &typescript,
            "ts",
            "import { LIMIT as MOST } from './store';\n\nif (n > MOST",
            "LIMIT!:1",
        ),
        (
            &rust,
            "src/a.rs",
            "use crate::pot::{Pot, brew};\n\nfn f() {\n    let p = Pot",
            "Pot!:1",
        ),
        (
            &java,
            "src/main/java/org/tea/Tray.java",
            "package org.tea;\n\nimport org.tea.Pot;\n\nclass Tray {\n  void f() {\n    new Pot(",
            "Pot!:3",
        ),
    ] {
        let found = named(index, &of(index, code, tag));
        assert_eq!(
            found.first().map(String::as_str),
            Some(expected),
            "{code}: {found:?}"
        );
    }
}

#[test]
fn the_language_is_guessed_from_those_of_the_repository() {
    let index = index(PYTHON);
    for (code, language) in [
        (
            "from fern import Session\n\ndef f(x):\n    return Session(",
            Language::Python,
        ),
        ("#!/bin/sh\necho \"$1\"\n", Language::Bash),
        (
            "import { a } from './a';\nexport function f(x: string) {\n  const y = a(x);\n",
            Language::TypeScript,
        ),
    ] {
        assert_eq!(of(&index, code, "").language, language, "{code}");
    }
}

#[test]
fn names_that_do_not_exist_are_reported() {
    let index = index(PYTHON);
    let code = "from fern.text import slug, shout\n\nprint(1)\nx = slug(frobnicate(1))\nlocal = 1";
    let needs = of(&index, code, "python");
    let unknown: Vec<&str> = needs.unknown.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(unknown.first(), Some(&"shout"));
    assert!(unknown.contains(&"frobnicate"), "{unknown:?}");
    assert!(needs.unknown[0].file.is_some());
}

#[test]
fn any_text_is_read_within_bounds() {
    let index = index(PYTHON);
    let long = "x = slug(y)\n".repeat(9_000);
    let deep = "(".repeat(50_000);
    let nested = "def f():\n".to_owned() + &"  if a:\n".repeat(10_000);
    let imports = "from .text import slug\n".repeat(4_000);
    for code in [
        "",
        "\n\n",
        "Please write me a function.",
        "```",
        "\u{0}\u{feff}é漢字 = “x”",
        "def f(:\n  )]}} class \n import from import",
        long.as_str(),
        deep.as_str(),
        nested.as_str(),
        imports.as_str(),
    ] {
        for tag in ["", "src/a.ts", "x/../..//z.rs"] {
            let needs = of(&index, code, tag);
            assert!(needs.needs.len() <= MAX_NEEDS);
        }
    }
    let none = crate::index::tests::index(&[]);
    assert!(of(&none, "import a\na.b(", "").needs.is_empty());
}

#[test]
fn text_that_resembles_the_code_is_a_need_too() {
    let index = index(PYTHON);
    let needs = of(
        &index,
        "# keeps what requests share, to send a url\nsession.send_url(",
        "python",
    );
    let all: Vec<String> = needs
        .needs
        .iter()
        .map(|it| index.symbol(it.symbol).unwrap().name.clone())
        .collect();
    assert!(
        all.iter().any(|name| name == "send" || name == "Session"),
        "{all:?}"
    );
}
