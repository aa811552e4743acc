//! Each kind of question once in three languages, on the small projects in `tests/fixtures/kinds`.
//! The questions are asked here and on the page (`tests/e2e/every_kind.rs`).

use std::path::PathBuf;

use serde_json::Value;
use xtask::paths;

use crate::archive::{files_below, zip};

/// The folders of the projects.
pub const LANGUAGES: [&str; 3] = ["python", "typescript", "rust"];

/// A question, and what the answer must say.
pub struct Row {
    pub language: String,
    pub kind: String,
    pub question: String,
    /// What the first statement contains, with code in backticks.
    pub says: String,
}

/// All questions.
pub fn table() -> Vec<Row> {
    let text = std::fs::read(fixtures().join("questions.json")).expect("the table");
    let rows: Vec<Value> = serde_json::from_slice(&text).expect("JSON");
    let row = |row: &Value| {
        let text = |key: &str| row[key].as_str().expect("a text").to_owned();
        Row {
            language: text("language"),
            kind: text("kind"),
            question: text("question"),
            says: text("says"),
        }
    };
    rows.iter().map(row).collect()
}

/// The project of a language as an archive, with the archive's name.
pub fn project(language: &str) -> (&'static str, Vec<u8>) {
    let files: Vec<(String, Vec<u8>)> = files_below(&fixtures().join(language))
        .into_iter()
        .map(|(path, bytes)| (format!("parcel-1/{path}"), bytes))
        .collect();
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
        .collect();
    ("parcel-1.zip", zip(&files))
}

fn fixtures() -> PathBuf {
    paths::root().join("tests/fixtures/kinds")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use footnote_core::answer::{Answer, Fit, Outcome, ask_after};
    use footnote_core::chunk::Chunking;
    use footnote_core::index::{Index, IndexBuilder, Vectors};
    use footnote_core::job::run_to_end;
    use footnote_core::search::Question;
    use footnote_core::source::ArchiveReader;

    use super::*;

    /// Kinds that no question can have in a language: Rust has no default parameters, TypeScript
    /// tests named by a sentence are not definitions, and only Rust declares modules.
    const NOT_IN: [(&str, &str); 4] = [
        ("rust", "defaults"),
        ("typescript", "test-checks"),
        ("python", "public-modules"),
        ("typescript", "public-modules"),
    ];

    fn index(language: &str) -> Index {
        let (name, bytes) = project(language);
        let repo = run_to_end(ArchiveReader::open(name, bytes).unwrap()).unwrap();
        let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
        index
    }

    fn answer(index: &Index, question: &str) -> Answer {
        let question = Question::new(question).unwrap();
        ask_after(index, &Vectors::new(1, 0), &question, None, &[]).answer
    }

    /// What an answer says first.
    fn first(answer: &Answer) -> String {
        match &answer.outcome {
            Outcome::Found { statements, .. } => statements[0].plain(),
            Outcome::Nothing { why } => why.clone(),
        }
    }

    /// The names of all kinds, read from the source files that define them.
    fn kinds() -> BTreeSet<String> {
        let mut all = BTreeSet::from(["manifest".to_owned()]);
        for (path, bytes) in files_below(&paths::root().join("core/src/answer/kinds")) {
            // Tests contain kinds of their own.
            if path.contains("tests/") {
                continue;
            }
            for line in String::from_utf8(bytes).unwrap().lines().map(str::trim) {
                let named = line.strip_prefix("name: \"").or_else(|| {
                    line.split_once("const NAME: &str = \"")
                        .map(|(_, name)| name)
                });
                all.extend(named.and_then(|name| Some(name.split_once('"')?.0.to_owned())));
            }
        }
        all
    }

    #[test]
    fn each_kind_of_question_has_a_line_in_each_language() {
        let asked: BTreeSet<(String, String)> = table()
            .into_iter()
            .map(|row| (row.language, row.kind))
            .collect();
        let kinds = kinds();
        assert!(kinds.len() > 30, "{kinds:?}");
        let all = LANGUAGES.iter().flat_map(|language| {
            let kinds = kinds.iter().map(move |kind| (*language, kind.as_str()));
            kinds.filter(|pair| !NOT_IN.contains(pair))
        });
        let wanted: BTreeSet<(String, String)> = all
            .map(|(language, kind)| (language.to_owned(), kind.to_owned()))
            .collect();
        assert_eq!(asked, wanted);
    }

    #[test]
    fn each_kind_of_question_is_answered_exactly_in_each_language() {
        let mut wrong = Vec::new();
        for language in LANGUAGES {
            let index = index(language);
            for row in table().into_iter().filter(|row| row.language == language) {
                let answer = answer(&index, &row.question);
                let first = first(&answer);
                let is_right = answer.kind == Some(row.kind.as_str())
                    && answer.fit == Fit::Exact
                    && first.contains(&row.says);
                if !is_right {
                    let kind = answer.kind;
                    wrong.push(format!("{language}: {}: {kind:?} {first}", row.question));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn a_chain_that_is_only_possible_is_headed_as_the_closest_match() {
        let answer = answer(&index("rust"), "How does deliver reach label?");
        assert_eq!((answer.kind, answer.fit), (Some("path"), Fit::Closest));
        let first = first(&answer);
        let chain = "`deliver` may call `Post.carry`, which calls `weigh`, which calls `label`";
        assert!(first.contains(chain), "{first}");
    }
}
