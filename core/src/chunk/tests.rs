use proptest::prelude::{Just, ProptestConfig, prop};
use proptest::strategy::Strategy;
use proptest::{prop_assert, prop_assert_eq, prop_oneof, proptest};

use super::*;
use crate::lang::Language;
use crate::lang::{Break, Symbol, SymbolKind};
use crate::lines::{Line, LineIndex, Row};
use crate::source::SourceFile;

fn symbol(kind: SymbolKind, name: &str, first: u32, last: u32, parent: Option<u32>) -> Symbol {
    Symbol {
        kind,
        name: name.to_owned(),
        qualified: name.to_owned(),
        signature: format!("def {name}()"),
        doc: String::new(),
        lines: LineRange::new(Line(first), Line(last)),
        name_line: Line(first),
        parent,
    }
}

fn parsed(language: Language, symbols: Vec<Symbol>, breaks: &[(u32, u16)]) -> Parsed {
    let breaks = breaks.iter().map(|&(line, depth)| Break {
        line: Line(line),
        depth,
    });
    Parsed {
        symbols,
        breaks: breaks.collect(),
        ..Parsed::empty(language)
    }
}

fn lines_of_code(count: usize) -> String {
    (1..=count)
        .map(|n| format!("statement_number_{n}()\n"))
        .collect()
}

fn by(name: &str) -> Chunking {
    Chunking::from_name(name).unwrap()
}

fn listing(text: &str, parsed: &Parsed, chunking: Chunking) -> Vec<String> {
    chunk_file(FileId(0), text, parsed, chunking)
        .iter()
        .map(|chunk| {
            let name = chunk
                .symbol
                .map(|at| parsed.symbols[at as usize].name.as_str());
            format!("{:?} {} {}", chunk.kind, chunk.lines, name.unwrap_or("-"))
        })
        .collect()
}

#[test]
fn a_long_class_is_its_head_and_its_methods() {
    let text = lines_of_code(80);
    let symbols = vec![
        symbol(SymbolKind::Class, "Session", 3, 78, None),
        symbol(SymbolKind::Method, "get", 8, 40, Some(0)),
        symbol(SymbolKind::Method, "send", 43, 77, Some(0)),
    ];
    let parsed = parsed(Language::Python, symbols, &[]);
    assert_eq!(
        listing(&text, &parsed, Chunking::FUNCTION),
        [
            "Between 1-2 -",
            "Head 3-7 Session",
            "Symbol 8-40 get",
            "Between 41-42 Session",
            "Symbol 43-77 send",
            "Between 78-80 -",
        ]
    );
}

#[test]
fn a_small_class_stays_whole_and_blank_gaps_go_to_the_piece_before_them() {
    let text = "\n\nclass A:\n    def f(self):\n        pass\n\n\nclass B:\n    x = 1\n\n";
    let symbols = vec![
        symbol(SymbolKind::Class, "A", 3, 5, None),
        symbol(SymbolKind::Method, "f", 4, 5, Some(0)),
        symbol(SymbolKind::Class, "B", 8, 9, None),
    ];
    let parsed = parsed(Language::Python, symbols, &[]);
    assert_eq!(
        listing(text, &parsed, Chunking::FUNCTION),
        ["Symbol 1-7 A", "Symbol 8-10 B"]
    );
}

#[test]
fn a_long_function_is_cut_at_the_shallowest_breaks() {
    let text = lines_of_code(150);
    let symbols = vec![symbol(SymbolKind::Function, "run", 1, 150, None)];
    let breaks: Vec<(u32, u16)> = (2..=150)
        .map(|line| (line, if [45, 90, 141].contains(&line) { 1 } else { 2 }))
        .collect();
    let parsed = parsed(Language::Python, symbols, &breaks);
    assert_eq!(
        listing(&text, &parsed, Chunking::FUNCTION),
        [
            "Part 1-44 run",
            "Part 45-89 run",
            "Part 90-140 run",
            "Part 141-150 run"
        ]
    );
}

#[test]
fn a_wrapper_of_functions_is_cut_at_its_functions() {
    let text = lines_of_code(160);
    let symbols = vec![
        symbol(SymbolKind::Function, "wrapper", 1, 160, None),
        symbol(SymbolKind::Function, "a", 10, 70, Some(0)),
        symbol(SymbolKind::Function, "b", 71, 150, Some(0)),
    ];
    let parsed = parsed(Language::JavaScript, symbols, &[]);
    assert_eq!(
        listing(&text, &parsed, Chunking::FUNCTION),
        [
            "Head 1-9 wrapper",
            "Symbol 10-70 a",
            "Symbol 71-150 b",
            "Between 151-160 wrapper",
        ]
    );
}

#[test]
fn sections_keep_their_headings_and_tiny_siblings_are_joined() {
    let long = "words and words and words\n".repeat(50);
    let text = format!("# A\nshort\n## B\ntiny\n## C\ntiny\n## D\n{long}# E\n{long}");
    let symbols = vec![
        symbol(SymbolKind::Section, "A", 1, 57, None),
        symbol(SymbolKind::Section, "B", 3, 4, Some(0)),
        symbol(SymbolKind::Section, "C", 5, 6, Some(0)),
        symbol(SymbolKind::Section, "D", 7, 57, Some(0)),
        symbol(SymbolKind::Section, "E", 58, 108, None),
    ];
    let whole = parsed(Language::Markdown, symbols.clone(), &[]);
    assert_eq!(
        listing(&text, &whole, Chunking::FUNCTION),
        ["Section 1-57 A", "Section 58-108 E"],
        "a section that fits stays whole"
    );
    let longer = text.replace("tiny", &"tiny ".repeat(160));
    let parsed = parsed(Language::Markdown, symbols, &[]);
    assert_eq!(
        listing(&longer, &parsed, Chunking::FUNCTION),
        [
            "Section 1-4 A",
            "Section 5-6 C",
            "Section 7-57 D",
            "Section 58-108 E"
        ]
    );
}

#[test]
fn windows_overlap_and_end_with_the_file() {
    let text = lines_of_code(100);
    let nothing = Parsed::empty(Language::Python);
    let windows = by("sliding-window");
    assert_eq!(
        listing(&text, &nothing, windows),
        ["Window 1-40 -", "Window 31-70 -", "Window 61-100 -"]
    );
    let text = format!("{}\n", "x".repeat(99)).repeat(30);
    let chars = by("fixed-chars");
    assert_eq!(
        listing(&text, &nothing, chars),
        ["Window 1-15 -", "Window 14-28 -", "Window 27-30 -"]
    );
}

#[test]
fn a_file_of_one_very_long_line_is_one_chunk() {
    let text = "x = [1, 2, 3]; ".repeat(200_000);
    let names: Vec<&str> = Chunking::all().map(Chunking::name).collect();
    assert_eq!(names, ["function", "sliding-window", "fixed-chars"]);
    for chunking in Chunking::all() {
        assert_eq!(Chunking::from_name(chunking.name()), Some(chunking));
        let chunks = chunk_file(FileId(7), &text, &Parsed::empty(Language::Json), chunking);
        assert_eq!(chunks.len(), 1, "{chunking:?}");
        assert_eq!(chunks[0].lines.to_string(), "1");
    }
}

#[test]
fn the_embedding_text_names_file_and_symbol_but_no_directory() {
    let text = "class A:\n    def f(self):\n        return 1\n".to_owned();
    let mut method = symbol(SymbolKind::Method, "f", 2, 3, None);
    method.qualified = "A.f".to_owned();
    method.doc = "Returns one.".to_owned();
    let parsed = parsed(Language::Python, vec![method], &[]);
    let chunk = |kind, lines| Chunk {
        file: FileId(0),
        lines,
        kind,
        symbol: Some(0),
    };
    let file = |path: &str| SourceFile {
        path: path.to_owned(),
        text: text.clone(),
    };
    let lines = LineRange::new(Line(2), Line(3));
    let whole = chunk(ChunkKind::Symbol, lines);
    let expected = "a.py A.f\ndef f(self):\n        return 1";
    assert_eq!(embedding_text(&file("old/a.py"), &parsed, &whole), expected);
    assert_eq!(
        embedding_text(&file("src/new/a.py"), &parsed, &whole),
        expected
    );
    let part = chunk(ChunkKind::Part, LineRange::new(Line(3), Line(3)));
    assert_eq!(
        embedding_text(&file("a.py"), &parsed, &part),
        "a.py A.f\ndef f()\nReturns one.\nreturn 1"
    );
}

fn any_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => "[ a-zé{}();]{0,40}",
        3 => Just(String::new()),
        1 => "[a-z ]{200,900}",
    ];
    let end = prop_oneof![Just("\n"), Just("\r\n")];
    (prop::collection::vec((line, end), 0..260), "[a-z]{0,5}").prop_map(|(lines, tail)| {
        let body: String = lines
            .into_iter()
            .flat_map(|(line, end)| [line, end.to_owned()])
            .collect();
        body + &tail
    })
}

/// Symbols sorted by first line, parents before and around their members, and breaks; some reach
/// beyond the text, as after an edit between parsing and cutting.
fn any_parsed() -> impl Strategy<Value = Parsed> {
    let kinds = prop::sample::select(vec![
        SymbolKind::Module,
        SymbolKind::Class,
        SymbolKind::Function,
        SymbolKind::Method,
        SymbolKind::Constant,
        SymbolKind::Section,
        SymbolKind::Key,
        SymbolKind::Type,
    ]);
    let languages = prop::sample::select(vec![
        Language::Python,
        Language::Rust,
        Language::Markdown,
        Language::Toml,
        Language::Text,
    ]);
    let spans = prop::collection::vec((1u32..280, 0u32..200, kinds), 0..25);
    let breaks = prop::collection::btree_map(1u32..280, 0u16..5, 0..60);
    (languages, spans, breaks).prop_map(|(language, mut spans, breaks)| {
        spans.sort_by_key(|&(first, length, _)| (first, u32::MAX - length));
        let mut symbols: Vec<Symbol> = Vec::new();
        for (first, length, kind) in spans {
            let lines = LineRange::new(Line(first), Line(first + length));
            let parent = symbols
                .iter()
                .rposition(|other| other.lines.encloses(lines));
            let parent = parent.map(|at| at as u32);
            symbols.push(symbol(kind, "name", first, first + length, parent));
        }
        let breaks: Vec<_> = breaks.into_iter().collect();
        parsed(language, symbols, &breaks)
    })
}

fn any_chunking() -> impl Strategy<Value = Chunking> {
    prop_oneof![
        3 => Just(Chunking::FUNCTION),
        1 => (0u32..90, 0u32..90)
            .prop_map(|(lines, overlap)| by("sliding-window").sized(lines, overlap)),
        1 => (0u32..2_000, 0u32..2_000)
            .prop_map(|(chars, overlap)| by("fixed-chars").sized(chars, overlap)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_line_is_in_a_chunk_and_every_chunk_in_the_file(
        text in any_text(),
        parsed in any_parsed(),
        chunking in any_chunking(),
    ) {
        let chunks = chunk_file(FileId(3), &text, &parsed, chunking);
        let index = LineIndex::new(&text);
        let mut covered = vec![false; index.line_count() as usize];
        for chunk in &chunks {
            prop_assert_eq!(chunk.file, FileId(3));
            prop_assert!(chunk.lines.end() <= Line(index.line_count()));
            if let Some(at) = chunk.symbol {
                prop_assert!((at as usize) < parsed.symbols.len());
            }
            let expected: String = text
                .split_inclusive('\n')
                .skip(Row::from(chunk.lines.start()).0 as usize)
                .take(chunk.lines.count() as usize)
                .collect();
            prop_assert_eq!(index.slice(&text, chunk.lines), Some(expected.as_str()));
            for row in Row::from(chunk.lines.start()).0..=Row::from(chunk.lines.end()).0 {
                covered[row as usize] = true;
            }
        }
        prop_assert!(covered.iter().all(|&line| line), "lines left out: {:?}", covered);
        prop_assert!(chunks.is_sorted_by_key(|chunk| chunk.lines.start()));
    }

    #[test]
    fn function_chunks_do_not_overlap_and_keep_to_the_budget(
        text in any_text(),
        parsed in any_parsed(),
    ) {
        let chunks = chunk_file(FileId(0), &text, &parsed, Chunking::FUNCTION);
        for pair in chunks.windows(2) {
            prop_assert_eq!(Line(pair[0].lines.end().0 + 1), pair[1].lines.start());
        }
        for chunk in &chunks {
            prop_assert!(chunk.lines.count() <= split::WHOLE.lines, "{:?}", chunk);
        }
    }
}
