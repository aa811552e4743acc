use proptest::prelude::*;

use super::fixtures::sources;
use crate::lang::Language;
use crate::lines::{Line, LineIndex};
use crate::parse::{Parsed, parse_as};

/// What must hold for any text.
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
    let ready: Vec<Language> = Language::ALL_CODE
        .into_iter()
        .filter(|code| code.spec().is_some())
        .collect();
    proptest::sample::select(ready)
}

fn source(language: Language) -> String {
    let all: Vec<String> = sources(language)
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    all.join("\n")
}

/// `text` with each edit applied: at a place, some characters replaced by others.
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
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

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
