use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::fixtures::listing;
use super::robustness::check;
use crate::lang::Language;
use crate::lang::{Parsed, SymbolKind};
use crate::parse::{parse, parse_as};

const FORMATS: [Language; 7] = [
    Language::Markdown,
    Language::Rst,
    Language::Toml,
    Language::Yaml,
    Language::Json,
    Language::Ini,
    Language::Text,
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/formats")
}

/// Returns name and text of every fixture, sorted by name.
fn sources() -> Vec<(String, String)> {
    let mut sources: Vec<(String, String)> = std::fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file() && !path.ends_with("expected.txt"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    sources.sort();
    sources
}

#[test]
fn every_format_gives_the_expected_listing_of_its_fixture() {
    let listings: Vec<String> = sources()
        .iter()
        .map(|(name, text)| listing(name, &parse(name, text)))
        .collect();
    let listings = listings.join("\n");
    let expected = root().join("expected.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&expected, &listings).unwrap();
    }
    let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
    for (want, got) in wanted.lines().zip(listings.lines()) {
        assert_eq!(want, got);
    }
    assert_eq!(wanted, listings);
}

#[test]
fn every_format_has_a_fixture() {
    let found: Vec<Language> = sources()
        .iter()
        .map(|(name, text)| Language::detect(name, text))
        .collect();
    for format in FORMATS {
        assert!(found.contains(&format), "{format:?}");
    }
}

/// Checks what must hold for sections: they nest, and a child's path is its parent's and its own
/// name.
fn check_sections(parsed: &Parsed) {
    for (at, symbol) in parsed.symbols.iter().enumerate() {
        assert!(
            matches!(symbol.kind, SymbolKind::Section | SymbolKind::Key),
            "{symbol:?}"
        );
        let path = match symbol.parent {
            Some(parent) => format!(
                "{} > {}",
                parsed.symbols[parent as usize].qualified, symbol.name
            ),
            None => symbol.name.clone(),
        };
        assert_eq!(symbol.qualified, path);
        let others = parsed
            .symbols
            .iter()
            .take(at)
            .filter(|_| symbol.kind == SymbolKind::Section);
        for other in others {
            let nested = other.lines.encloses(symbol.lines);
            let apart = other.lines.end() < symbol.lines.start();
            assert!(nested || apart, "{other:?} and {symbol:?} cross");
        }
    }
}

fn check_all(text: &str) {
    for format in FORMATS {
        let parsed = parse_as(format, text);
        check(&parsed, text);
        check_sections(&parsed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_text_is_cut_into_sections_that_nest(text in "\\PC{0,120}|[ a-z#=\\-~`>|:.,*_\"'\\[\\]{}<h1/>\\\\\r\n\t]{0,300}") {
        check_all(&text);
    }

    #[test]
    fn any_mixture_of_rows_is_cut_into_sections_that_nest(
        rows in prop::collection::vec(
            prop::sample::select(vec![
                "# One", "## Two", "Title", "=====", "-----", "~~~~~", "", "", "text.", "  indented",
                "```", "---", ".. note::", ".. _a:", "key: value", "[table]", "k = [", "]", "\"\"\"",
                "{\"a\": {", "\"b\": 1},", "}", "<h2>x</h2>", "- item", "> quote", "k = |", "k: |", "é·",
            ]),
            0..40,
        ),
        end in prop::sample::select(vec!["\n", "\r\n", "\n\n"]),
    ) {
        check_all(&rows.join(end));
    }
}

#[test]
fn long_and_deep_text_takes_no_stack_and_little_time() {
    let many = 100_000;
    let work = move || {
        for text in [
            "[".repeat(many),
            "{\"a\":".repeat(many),
            "> ".repeat(many / 10),
            "`".repeat(many),
            "``a` ".repeat(many / 4),
            "<h1>".repeat(many / 4),
            "=\n".repeat(many),
            "a\n=\n".repeat(many / 4),
            "- ".repeat(many / 40),
            "a: ".repeat(many),
            "\"".repeat(many),
            "#\n".repeat(many),
        ] {
            for format in FORMATS {
                let start = std::time::Instant::now();
                parse_as(format, &text);
                let took = start.elapsed();
                // Far above the usual time, so that only runaway growth fails on a busy machine.
                let shown: String = text.chars().take(10).collect();
                assert!(took.as_secs() < 20, "{format:?} {shown:?}: {took:?}");
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work);
    thread.unwrap().join().unwrap();
}
