use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::fixtures::sources;
use crate::lang::Language;
use crate::lang::Parsed;
use crate::lines::{Line, LineIndex};
use crate::parse::parse_as;

/// Checks what must hold for any text.
pub(super) fn check(parsed: &Parsed, text: &str) {
    let all = LineIndex::new(text).all();
    let mut first = Line(0);
    for (at, symbol) in parsed.symbols.iter().enumerate() {
        assert!(all.encloses(symbol.lines), "{symbol:?} leaves the text");
        assert!(
            symbol.lines.contains(symbol.name_line),
            "{symbol:?}: name outside"
        );
        assert!(first <= symbol.lines.start(), "{symbol:?} is out of order");
        first = symbol.lines.start();
        assert!(symbol.signature.chars().count() <= 300, "{symbol:?}");
        assert!(
            !symbol.name.is_empty() && symbol.qualified.ends_with(&symbol.name),
            "{symbol:?}"
        );
        if let Some(parent) = symbol.parent {
            assert!((parent as usize) < at, "{symbol:?} comes before its owner");
            let around = parsed.symbols[parent as usize].lines;
            assert!(around.encloses(symbol.lines), "{symbol:?} leaves its owner");
        }
    }
    for import in &parsed.imports {
        assert!(
            all.encloses(import.lines) && !import.module.is_empty(),
            "{import:?}"
        );
    }
    for call in &parsed.calls {
        assert!(all.contains(call.line), "{call:?}");
        assert!(
            call.caller
                .is_none_or(|at| (at as usize) < parsed.symbols.len()),
            "{call:?}"
        );
        assert!(
            call.receiver
                .as_ref()
                .is_none_or(|on| on.chars().count() <= 80),
            "{call:?}"
        );
    }
    assert!(
        parsed
            .breaks
            .windows(2)
            .all(|pair| pair[0].line < pair[1].line)
    );
    assert!(parsed.breaks.iter().all(|at| all.contains(at.line)));
    assert!(parsed.problems.len() <= 21);
    assert!(
        parsed
            .problems
            .iter()
            .all(|problem| all.contains(problem.line))
    );
}

fn any_language() -> impl Strategy<Value = Language> {
    proptest::sample::select(Language::ALL_CODE.to_vec())
}

fn source(language: Language) -> String {
    let all: Vec<String> = sources(language)
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    all.join("\n")
}

/// Returns `text` with each edit applied: at a place, some characters replaced by others.
fn mutated(text: &str, edits: &[(prop::sample::Index, usize, String)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, len, with) in edits {
        if chars.is_empty() {
            break;
        }
        let start = at.index(chars.len());
        let end = (start + len).min(chars.len());
        chars.splice(start..end, with.chars());
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_parses(language in any_language(), text in "\\PC{0,200}|[a-z(){};:=\"'#/*<>\n \t]{0,300}") {
        check(&parse_as(language, &text), &text);
    }

    #[test]
    fn a_truncated_source_parses(language in any_language(), end in any::<prop::sample::Index>()) {
        let text: String = source(language);
        let chars = text.chars().count();
        let text: String = text.chars().take(end.index(chars)).collect();
        check(&parse_as(language, &text), &text);
    }

    #[test]
    fn a_mutated_source_parses(
        language in any_language(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, "[\\PC\n]{0,6}"), 1..12),
    ) {
        let text = mutated(&source(language), &edits);
        check(&parse_as(language, &text), &text);
    }
}

#[test]
fn imports_from_nothing_are_left_out() {
    for text in [
        "use *;",
        "use {*};",
        "use ::*;",
        "use {};",
        "use self::{};",
        "extern crate;",
    ] {
        let parsed = parse_as(Language::Rust, text);
        check(&parsed, text);
    }
    let parsed = parse_as(Language::Rust, "use {*, b::c};");
    let modules = parsed.imports.iter().map(|import| import.module.as_str());
    assert_eq!(modules.collect::<Vec<_>>(), ["b"]);
}

/// Texts that overflow stacks or take quadratic time in careless parsers.
fn pathological() -> Vec<(&'static str, String)> {
    let deep = 8_000;
    vec![
        ("open brackets", "(".repeat(deep)),
        ("open braces", "{".repeat(deep)),
        (
            "nested brackets",
            format!("x = {}{}", "[".repeat(deep), "]".repeat(deep)),
        ),
        (
            "nested calls",
            format!("{}x{}", "f(".repeat(deep), ")".repeat(deep)),
        ),
        ("nested lines", "if (x) {\n".repeat(1_900)),
        ("one long line", "a.b(c);".repeat(deep)),
        ("one long sum", format!("x = {};", "1 + ".repeat(deep))),
        ("one long chain", format!("x{};", ".f()".repeat(deep))),
        ("angle brackets", "a<".repeat(deep)),
        ("open quotes", "\"'`".repeat(deep)),
        ("comments", "// a\n# b\n/* c */\n".repeat(deep / 3)),
        ("spaces", format!("{}x = 1;", " ".repeat(5 * deep))),
        (
            "indents",
            (0..700)
                .map(|at| format!("{}if x:\n", " ".repeat(at)))
                .collect(),
        ),
    ]
}

#[test]
fn pathological_text_neither_overflows_the_stack_nor_takes_long() {
    // A small stack: the browser's is 1 MiB, and debug builds use more of it.
    let work = || {
        for language in Language::ALL_CODE.into_iter().filter(|code| code.is_code()) {
            for (name, text) in pathological() {
                let start = Instant::now();
                check(&parse_as(language, &text), &text);
                let took = start.elapsed();
                // Far above the usual time, so that only runaway growth fails on a busy machine.
                assert!(
                    took < Duration::from_secs(20),
                    "{language:?} {name}: {took:?}"
                );
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work);
    thread.unwrap().join().unwrap();
}

#[test]
fn text_nested_beyond_the_limit_is_given_up_on_with_a_reason() {
    for (name, text, refused) in [
        ("brackets", "(".repeat(2_001), true),
        ("type arguments", "a<".repeat(2_001), true),
        ("shallow brackets", "f(x);\n".repeat(3_000), false),
        ("comparisons", "if a<b: pass\n".repeat(3_000), false),
        ("shifts", "x << 1\n".repeat(3_000), false),
    ] {
        let parsed = parse_as(Language::Python, &text);
        let reasons = parsed.problems.iter().map(|problem| problem.what.as_str());
        let given_up = reasons.into_iter().any(|what| what.contains("too deeply"));
        assert_eq!(given_up, refused, "{name}");
    }
}
