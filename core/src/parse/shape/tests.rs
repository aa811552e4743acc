//! Shapes of small definitions in the common languages.

use super::*;
use crate::parse::parse_as;

/// Returns the shape of the symbol `name`.
fn shape(language: Language, text: &str, name: &str) -> Shape {
    let parsed = parse_as(language, text);
    let at = parsed.symbols.iter().position(|symbol| symbol.name == name);
    let at = at.unwrap_or_else(|| panic!("{name} in {text}: {:?}", parsed.symbols));
    shapes(language, text, &parsed.symbols).symbols.remove(at)
}

/// Returns `name: type = default`, with `…` before a rest parameter; `?` if the list cannot be
/// read.
fn parameters(shape: &Shape) -> String {
    let Some(parameters) = &shape.parameters else {
        return "?".to_owned();
    };
    let written = parameters.iter().map(|parameter| {
        let rest = if parameter.is_rest { "…" } else { "" };
        let mut out = format!("{rest}{}", parameter.name);
        if let Some(written) = &parameter.written {
            out += &format!(": {written}");
        }
        if let Some(default) = &parameter.default {
            out += &format!(" = {default}");
        }
        out
    });
    written.collect::<Vec<_>>().join(", ")
}

#[test]
fn parameters_are_read_with_types_and_defaults() {
    for (language, text, expected) in [
        (
            Language::Python,
            "class A:\n    def f(self, a, b: int = 3, *args, c=None, **kw): pass",
            "a, b: int = 3, …args, c = None, …kw",
        ),
        (
            Language::Python,
            "def f(a: str, /, b, *, c): pass",
            "a: str, b, c",
        ),
        (
            Language::Python,
            "def f(*args: int, **kw: str): pass",
            "…args: int, …kw: str",
        ),
        (Language::Python, "def f(): pass", ""),
        (
            Language::JavaScript,
            "function f(a, b = 1, ...c) {}",
            "a, b = 1, …c",
        ),
        (Language::JavaScript, "const f = x => x + 1;", "x"),
        (Language::JavaScript, "function f({ a, b }, c) {}", "?"),
        (
            Language::TypeScript,
            "function f(a: string, b?: number, ...c: string[]): void {}",
            "a: string, b: number, …c: string[]",
        ),
        (
            Language::TypeScript,
            "class A { f(this: A, a = 1) {} }",
            "a = 1",
        ),
        (
            Language::Rust,
            "impl A { fn f(&self, mut a: u8, b: &str) {} }",
            "a: u8, b: &str",
        ),
        (Language::Rust, "fn f((a, b): (u8, u8)) {}", "?"),
        (
            Language::Java,
            "class A { void f(final int a, String... b) {} }",
            "a: int, …b",
        ),
        (
            Language::C,
            "int f(int a, char **b) { return 0; }",
            "a: int, b: char",
        ),
        (Language::C, "int f(void) { return 0; }", ""),
        (Language::C, "int f(int, char *b) { return 0; }", "?"),
        (
            Language::Go,
            "package a\nfunc f(a, b int, c ...string) {}",
            "a: int, b: int, …c: string",
        ),
    ] {
        let found = parameters(&shape(language, text, "f"));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn results_returned_and_raised_values_are_read() {
    let exits = |exits: &[Exit]| {
        let texts = exits.iter().map(|exit| exit.value.text.clone());
        texts.collect::<Vec<_>>().join(" | ")
    };
    for (language, text, result, returned, raised) in [
        (
            Language::Python,
            "def f(a) -> int:\n    if a:\n        raise Late('x') from a\n    return 1",
            "int",
            "1",
            "Late('x')",
        ),
        (
            Language::Python,
            "def f():\n    def g():\n        return 2\n    return g",
            "",
            "g",
            "",
        ),
        (
            Language::JavaScript,
            "const f = x => x + 1;",
            "",
            "x + 1",
            "",
        ),
        (
            Language::TypeScript,
            "function f(): number { throw new Late('x'); }",
            "number",
            "",
            "new Late('x')",
        ),
        (
            Language::Rust,
            "fn f(a: u8) -> u8 { if a > 1 { return 2; } a }",
            "u8",
            "2 | a",
            "",
        ),
        (Language::Rust, "fn f() { g(); }", "", "", ""),
        (
            Language::Java,
            "class A { int f() { if (a) { throw new Late(); } return 1; } }",
            "int",
            "1",
            "new Late()",
        ),
        (Language::C, "char *f(void) { return a; }", "char*", "a", ""),
        (
            Language::Go,
            "package a\nfunc f() error { g(); return nil }",
            "error",
            "nil",
            "",
        ),
    ] {
        let shape = shape(language, text, "f");
        let found = shape.result.as_ref().map_or("", |result| &result.text);
        assert_eq!(found, result, "{text}");
        assert_eq!(exits(&shape.returned), returned, "{text}");
        assert_eq!(exits(&shape.raised), raised, "{text}");
    }
}

#[test]
fn bodies_that_do_nothing_are_distinguished_from_those_that_do() {
    for (language, text, n_statements, is_only_exit) in [
        (Language::Python, "def f():\n    '''Says.'''", 0, false),
        (
            Language::Python,
            "def f():\n    '''Says.'''\n    # no\n    pass",
            0,
            false,
        ),
        (Language::Python, "def f(): ...", 0, false),
        (
            Language::Python,
            "def f(a):\n    '''Says.'''\n    return a",
            1,
            true,
        ),
        (
            Language::Python,
            "def f(a):\n    with a:\n        return a",
            1,
            false,
        ),
        (
            Language::Python,
            "def f(a):\n    g(a)\n    return a",
            2,
            false,
        ),
        (Language::Python, "def f(a):\n    raise Late", 1, true),
        (Language::JavaScript, "function f() {}", 0, false),
        (Language::JavaScript, "const f = x => x;", 1, true),
        (
            Language::TypeScript,
            "function f(a: string) { return a; }",
            1,
            true,
        ),
        (Language::Rust, "fn f() {}", 0, false),
        (Language::Rust, "fn f(a: u8) -> u8 { a }", 1, true),
        (Language::Rust, "fn f() -> &'static str { \"a\" }", 1, true),
        (Language::Rust, "fn f(a: u8) -> u8 { return a; }", 1, true),
        (Language::Rust, "fn f() { g(); }", 1, false),
        (Language::Java, "class A { void f() { ; } }", 0, false),
        (
            Language::Java,
            "class A { int f(int a) { return a; } }",
            1,
            true,
        ),
        (Language::C, "int f(int a) { return a; }", 1, true),
        (Language::C, "void f(void) { /* no */ }", 0, false),
        (
            Language::Go,
            "package a\nfunc f(a int) int { return a }",
            1,
            true,
        ),
        (Language::Go, "package a\nfunc f() { g(); h() }", 2, false),
        (Language::Go, "package a\nfunc f() {}", 0, false),
    ] {
        let shape = shape(language, text, "f");
        assert!(shape.has_body && shape.body_lines.is_some(), "{text}");
        assert_eq!(shape.n_statements, n_statements, "{text}");
        assert_eq!(shape.is_only_exit, is_only_exit, "{text}");
    }
}

#[test]
fn a_definition_is_not_given_the_body_of_the_one_around_it() {
    let text = "interface A { f(a: string): void }\n";
    let found = shape(Language::TypeScript, text, "f");
    assert!(!found.has_body, "{found:?}");
}

#[test]
fn long_values_are_cut_between_characters() {
    let text = format!("def f():\n    return '{}'", "ä".repeat(400));
    let found = shape(Language::Python, &text, "f");
    let value = &found.returned.first().unwrap().value.text;
    assert!(
        value.starts_with("'ää") && value.len() <= 300,
        "{}",
        value.len()
    );
}

#[test]
fn documentation_keeps_its_lines_and_its_indentation() {
    for (language, text, lines, expected) in [
        (
            Language::Python,
            "def f(a):\n    \"\"\"Says.\n\n    Args:\n        a: it\n    \"\"\"\n    return a",
            "2-6",
            vec!["Says.", "", "Args:", "    a: it", ""],
        ),
        (
            Language::Python,
            "# Says.\n@g\ndef f(): pass",
            "1",
            vec!["Says."],
        ),
        (
            Language::JavaScript,
            "/**\n * Says.\n * @param a it\n */\nfunction f(a) {}",
            "2-3",
            vec!["Says.", "@param a it"],
        ),
        (
            Language::Rust,
            "/// Says.\n///\n/// # Arguments\n#[inline]\nfn f() {}",
            "1-3",
            vec!["Says.", "", "# Arguments"],
        ),
        (
            Language::Go,
            "package a\n\n// f says.\nfunc f() {}",
            "3",
            vec!["f says."],
        ),
        (
            Language::C,
            "/* Says. */\nint f(void) { return 0; }",
            "1",
            vec!["Says."],
        ),
    ] {
        let documentation = shape(language, text, "f").documentation;
        let documentation = documentation.unwrap_or_else(|| panic!("{text}"));
        assert_eq!(documentation.text, expected, "{text}");
        assert_eq!(documentation.lines.to_string(), lines, "{text}");
        let first = documentation.numbered().next().unwrap();
        assert_eq!(first, (documentation.lines.start(), expected[0]));
    }
    assert_eq!(
        shape(Language::JavaScript, "function f() { 'use strict'; }", "f").documentation,
        None
    );
    assert_eq!(
        shape(Language::Python, "def f():\n    return 'a'", "f").documentation,
        None
    );
}

#[test]
fn calls_in_functions_that_are_passed_on_are_distinguished_from_own_calls() {
    for (language, text, own, passed) in [
        (
            Language::JavaScript,
            "function f(a) {\n  each(a, (it) => {\n    load(it);\n    run(() => keep(it));\n  });\n  \
             const g = () => drop();\n  return new Box(function () { save(); });\n}",
            "each Box",
            "each:load each:run Box:save",
        ),
        (
            Language::Python,
            "def f(a):\n    a.sort(key=lambda it: rank(it))\n    g = lambda: drop()\n",
            "a.sort",
            "a.sort:rank",
        ),
        (
            Language::Rust,
            "fn f(a: Vec<u8>) { a.iter().map(|it| load(it)).count(); }",
            "a.iter().map(|it| load(it)).count a.iter().map a.iter",
            "a.iter().map:load",
        ),
        (
            Language::Kotlin,
            "fun f(a: List<Int>) { a.forEach { load(it) } }",
            "",
            "",
        ),
    ] {
        let shape = shape(language, text, "f");
        let called: Vec<&str> = shape.called.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(called.join(" "), own, "{text}");
        let all = shape.passed.iter();
        let all: Vec<String> = all
            .map(|it| format!("{}:{}", it.to, it.called.path))
            .collect();
        assert_eq!(all.join(" "), passed, "{text}");
    }
}
