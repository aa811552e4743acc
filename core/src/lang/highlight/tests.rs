#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use proptest::prelude::*;

use super::*;

const FORMATS: [Language; 7] = [
    Language::Markdown,
    Language::Rst,
    Language::Toml,
    Language::Yaml,
    Language::Json,
    Language::Ini,
    Language::Text,
];

fn all_languages() -> Vec<Language> {
    Language::ALL_CODE.into_iter().chain(FORMATS).collect()
}

/// Returns highlights as `text:Class`, separated by spaces.
fn shown(language: Language, text: &str) -> String {
    let shown: Vec<String> = highlight(language, text)
        .iter()
        .map(|found| format!("{}:{:?}", text[found.bytes.clone()].trim(), found.class))
        .collect();
    shown.join(" ")
}

fn check(language: Language, text: &str) {
    let mut end = 0;
    for found in highlight(language, text) {
        let bytes = found.bytes;
        assert!(
            end <= bytes.start && bytes.start < bytes.end,
            "{language:?} {bytes:?} after {end}"
        );
        assert!(
            text.get(bytes.clone()).is_some(),
            "{language:?} {bytes:?} splits a character"
        );
        end = bytes.end;
    }
}

#[test]
fn keywords_names_and_literals_are_distinguished() {
    for (language, text, wanted) in CASES {
        assert_eq!(&shown(*language, text), wanted, "{language:?}");
    }
}

const CASES: &[(Language, &str, &str)] = &[
    (
        Language::Python,
        "def get(x: int) -> None:\n    return f\"a{len(x)}\" + 1.5  # ü\n",
        "def:Keyword get:Function int:Type None:Keyword return:Keyword f\"a:String len:Function \":String 1.5:Number # ü:Comment",
    ),
    (
        Language::Markdown,
        "# A `b` c\n\ntext `d`\n\n```\ne\n```\n<!-- f -->\n",
        "# A:Heading `b`:String c:Heading `d`:String ```\ne\n```:String <!-- f -->:Comment",
    ),
    (
        Language::Rst,
        "Title\n=====\n\n.. note::\n   a ``b`` c\n\n.. comment\n",
        "Title:Heading =====:Heading .. note:::Keyword ``b``:String .. comment:Comment",
    ),
    (
        Language::Toml,
        "[a.b] # c\nkey = \"v\" \nn = [\n  1.5, true]\n'q' = '''x\ny'''\n",
        "[a.b]:Heading # c:Comment key:Keyword \"v\":String n:Keyword 1.5:Number true:Keyword 'q':Keyword '''x\ny''':String",
    ),
    (
        Language::Yaml,
        "a: \"b\" # c\nd-e: |\n  f: g\n- h: 3\n\"i\": x#y\n",
        "a:Keyword \"b\":String # c:Comment d-e:Keyword f: g:String h:Keyword 3:Number \"i\":Keyword",
    ),
    (
        Language::Json,
        "{\"a\": \"b\", // c\n \"d\": [1, null]}",
        "\"a\":Keyword \"b\":String // c:Comment \"d\":Keyword 1:Number null:Keyword",
    ),
    (
        Language::Ini,
        "; c\n[a]\nk = v\n  continued = no key\n",
        "; c:Comment [a]:Heading k:Keyword",
    ),
    (Language::Text, "if x = 1", ""),
];

#[test]
fn fixtures_of_every_language_are_highlighted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let mut seen = std::collections::BTreeSet::new();
    let folders = std::fs::read_dir(root.join("languages"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .chain([root.join("formats")]);
    for folder in folders {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let language = Language::detect(&path.to_string_lossy(), &text);
            check(language, &text);
            if !highlight(language, &text).is_empty() {
                seen.insert(language);
            }
        }
    }
    for language in all_languages() {
        let expected = language != Language::Text;
        assert_eq!(seen.contains(&language), expected, "{language:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn highlights_of_any_text_are_sorted_apart_and_on_character_boundaries(
        language in prop::sample::select(all_languages()),
        text in "\\PC{0,120}|[a-zé(){}:=\"'#/*<>`$|.\\[\\]\\- \r\n\t]{0,300}",
    ) {
        check(language, &text);
    }
}

#[test]
fn deep_nesting_needs_no_stack() {
    let work = || {
        for language in all_languages() {
            check(language, &"(".repeat(8_000));
            check(language, &"[{\"a\": ".repeat(2_000));
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work);
    thread.unwrap().join().unwrap();
}
