use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tree_sitter::{Parser, QueryCursor, StreamingIterator};

use crate::lang::Language;
use crate::lang::Parsed;
use crate::parse::{compiled, parse_as};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/languages")
}

fn folder(language: Language) -> PathBuf {
    root().join(format!("{language:?}").to_lowercase())
}

/// Returns the sources of a fixture, sorted by name: name and text.
pub(super) fn sources(language: Language) -> Vec<(String, String)> {
    let folder = folder(language);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        panic!("no fixture for {language:?}: {}", folder.display());
    };
    let mut sources: Vec<(String, String)> = entries
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

/// Returns the listing of one file: symbols indented by owner, imports, calls, problems.
pub(super) fn listing(name: &str, parsed: &Parsed) -> String {
    let mut out = format!("# {name}\n");
    for (at, symbol) in parsed.symbols.iter().enumerate() {
        let mut depth = 0;
        let mut parent = symbol.parent;
        while let Some(up) = parent {
            depth += 1;
            parent = parsed.symbols[up as usize].parent;
        }
        writeln!(
            out,
            "{:indent$}{at} {:?} {} [{} @{}] {}",
            "",
            symbol.kind,
            symbol.qualified,
            symbol.lines,
            symbol.name_line.0,
            symbol.signature,
            indent = 2 * depth,
        )
        .unwrap();
        if !symbol.doc.is_empty() {
            writeln!(out, "{:indent$}  \" {}", "", symbol.doc, indent = 2 * depth).unwrap();
        }
    }
    for import in &parsed.imports {
        write!(out, "import {} [{}]", import.module, import.lines).unwrap();
        for name in &import.names {
            write!(out, " {}", name.name).unwrap();
            if let Some(alias) = &name.alias {
                write!(out, ">{alias}").unwrap();
            }
        }
        out.push('\n');
    }
    for call in &parsed.calls {
        let caller = match call.caller {
            Some(at) => parsed.symbols[at as usize].qualified.as_str(),
            None => "-",
        };
        let receiver = call.receiver.as_deref().map(|on| format!("{on} . "));
        let receiver = receiver.unwrap_or_default();
        writeln!(
            out,
            "call {} {caller} -> {receiver}{}",
            call.line.0, call.name
        )
        .unwrap();
    }
    for base in &parsed.bases {
        let class = &parsed.symbols[base.symbol as usize].qualified;
        writeln!(out, "base {} {class} < {}", base.line.0, base.name).unwrap();
    }
    for typed in &parsed.types {
        let of = &parsed.symbols[typed.symbol as usize].qualified;
        writeln!(out, "type {of} {}: {}", typed.name, typed.written).unwrap();
    }
    for package in &parsed.packages {
        writeln!(out, "package {package}").unwrap();
    }
    let breaks: Vec<String> = parsed
        .breaks
        .iter()
        .map(|at| format!("{}:{}", at.line.0, at.depth))
        .collect();
    writeln!(out, "breaks {}", breaks.join(" ")).unwrap();
    for problem in &parsed.problems {
        writeln!(out, "problem {} {}", problem.line.0, problem.what).unwrap();
    }
    out
}

#[test]
fn every_language_gives_the_expected_listing_of_its_fixture() {
    let mut wrong = Vec::new();
    for language in Language::ALL_CODE {
        let mut listings = String::new();
        for (name, text) in sources(language) {
            if !listings.is_empty() {
                listings.push('\n');
            }
            listings.push_str(&listing(&name, &parse_as(language, &text)));
        }
        let expected = folder(language).join("expected.txt");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&expected, &listings).unwrap();
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
        let pairs = wanted.lines().zip(listings.lines());
        if let Some((want, got)) = pairs.into_iter().find(|(want, got)| want != got) {
            wrong.push(format!("{language:?}: expected\n  {want}\ngot\n  {got}"));
        } else if wanted != listings {
            wrong.push(format!("{language:?}: the listings differ in length"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_fixture_folder_belongs_to_a_language_and_has_sources() {
    let known: BTreeSet<PathBuf> = Language::ALL_CODE
        .iter()
        .map(|&code| folder(code))
        .collect();
    for entry in std::fs::read_dir(root()).unwrap() {
        let path = entry.unwrap().path();
        assert!(known.contains(&path), "no language for {}", path.display());
    }
    for language in Language::ALL_CODE {
        assert!(sources(language).len() >= 2, "{language:?} needs two files");
    }
}

/// Records which patterns of `language` match in its fixture, by their text.
fn matched_patterns(language: Language, matched: &mut BTreeMap<String, bool>) {
    let Some(compiled) = compiled::of(language) else {
        return;
    };
    let compiled = compiled.unwrap_or_else(|error| panic!("{language:?}: {error}"));
    let source = compiled.spec.query();
    // Up to the comment of the next pattern.
    let texts: Vec<&str> = (0..compiled.query.pattern_count())
        .map(|pattern| &source[compiled.pattern_bytes(pattern)])
        .map(|text| text.split("\n;").next().unwrap().trim())
        .collect();
    for text in &texts {
        matched.entry(text.to_string()).or_insert(false);
    }
    for (_, text) in sources(language) {
        let mut parser = Parser::new();
        parser.set_language(&compiled.grammar).unwrap();
        let tree = parser.parse(&text, None).unwrap();
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(&compiled.query, tree.root_node(), text.as_bytes());
        while let Some(found) = matches.next() {
            matched.insert(texts[found.pattern_index].to_string(), true);
        }
    }
}

#[test]
fn every_pattern_of_every_query_matches_in_a_fixture() {
    // By text, because related languages share query files: a match in one of their fixtures is
    // enough.
    let mut matched = BTreeMap::new();
    for language in Language::ALL_CODE {
        matched_patterns(language, &mut matched);
    }
    let idle: Vec<String> = matched
        .into_iter()
        .filter_map(|(pattern, matched)| (!matched).then_some(pattern))
        .collect();
    assert!(idle.is_empty(), "never matched:\n{}", idle.join("\n\n"));
}

#[test]
fn every_language_finds_symbols_imports_calls_and_breaks() {
    for language in Language::ALL_CODE {
        let parsed: Vec<Parsed> = sources(language)
            .iter()
            .map(|(_, text)| parse_as(language, text))
            .collect();
        for (what, found) in [
            (
                "symbols",
                parsed.iter().any(|file| !file.symbols.is_empty()),
            ),
            (
                "imports",
                parsed.iter().any(|file| !file.imports.is_empty()),
            ),
            ("calls", parsed.iter().any(|file| !file.calls.is_empty())),
            ("breaks", parsed.iter().any(|file| !file.breaks.is_empty())),
            (
                "documentation",
                parsed
                    .iter()
                    .flat_map(|file| &file.symbols)
                    .any(|symbol| !symbol.doc.is_empty()),
            ),
        ] {
            assert!(found, "{language:?} gives no {what}");
        }
    }
}
