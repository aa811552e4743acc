//! A question, and what can be read from its wording alone.

use std::borrow::Cow;

use super::{Within, pasted, unfinished};
use crate::lang::Symbol;

/// Longest question that is read, in characters. A pasted traceback fits; a pasted file is a
/// mistake, for which an error message is better than a poor answer.
pub const MAX_CHARS: usize = 100_000;

/// Maximum number of distinct words that are looked up. Longer questions are searched by the words
/// that are rarest in the repository, so that a pasted traceback is found by what is special in it.
pub const MAX_TERMS: usize = 64;

/// Why a question cannot be asked. `Display` is shown to the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// It is empty or only white space.
    #[error("The question is empty. Type what you want to know about the code")]
    Empty,
    /// It has only punctuation.
    #[error(
        "The question contains no letters or digits, so there is nothing to look for. Name what \
         you want to know about"
    )]
    NoWords,
    /// It is longer than [`MAX_CHARS`].
    #[error(
        "The question has {chars} characters, but Footnote reads at most {MAX_CHARS}. Keep the \
         part that says what you want to know"
    )]
    TooLong {
        /// Its number of characters.
        chars: usize,
    },
}

/// A question, ready to be searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    text: String,
    names: Vec<String>,
    about: About,
    limits: Option<Within>,
}

/// Kinds of files that the wording asks for; ranking then does not demote them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Tests and fixtures.
    pub tests: bool,
    /// Documentation.
    pub docs: bool,
    /// Examples and demonstrations.
    pub examples: bool,
    /// Manifests: dependencies, versions, licences.
    pub manifest: bool,
    /// Earlier versions: changelogs, release notes.
    pub history: bool,
}

impl Question {
    /// Reads `text`. Fails on an empty question, on one without any word, and on one over
    /// [`MAX_CHARS`].
    pub fn new(text: &str) -> Result<Self, QuestionError> {
        let text = text.trim();
        let text = match unfinished::is_asked(text) {
            true => Cow::Borrowed(text),
            false => pasted::without_template(text),
        };
        let text = text.trim();
        if text.is_empty() {
            return Err(QuestionError::Empty);
        }
        let chars = text.chars().count();
        if chars > MAX_CHARS {
            return Err(QuestionError::TooLong { chars });
        }
        if !text.chars().any(char::is_alphanumeric) {
            return Err(QuestionError::NoWords);
        }
        Ok(Self {
            text: text.to_owned(),
            names: names(text),
            about: about(text),
            limits: None,
        })
    }

    /// Returns the question, limited to these files.
    pub fn within(self, within: Within) -> Self {
        Self {
            limits: Some(within),
            ..self
        }
    }

    /// Returns the files that it is limited to, if any.
    pub fn limits(&self) -> Option<&Within> {
        self.limits.as_ref()
    }

    /// Returns the question with the files that it is limited to, in a form that can be asked
    /// again.
    pub fn written(&self) -> String {
        let names = self.limits.iter().flat_map(Within::names);
        let scope: String = names.map(|name| format!("@{name} ")).collect();
        scope + &self.text
    }

    /// Returns the question as asked, without surrounding white space, without what an issue
    /// template tells the reporter, and without the files that it is limited to.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns words written as code: `resolve_redirects`, `HTTPAdapter`, `Session.send`; each
    /// once, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether the question names the symbol as code: by its own name, or with its owners.
    pub fn names_symbol(&self, symbol: &Symbol) -> bool {
        self.names.iter().any(|name| {
            *name == symbol.name
                || *name == symbol.qualified
                || symbol
                    .qualified
                    .strip_suffix(name.as_str())
                    .is_some_and(|owner| owner.ends_with('.'))
        })
    }

    /// Returns the kinds of files that the wording asks for.
    pub fn about(&self) -> About {
        self.about
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
        .map(|word| word.trim_matches('.'))
        .filter(|word| !word.is_empty())
}

fn names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let quoted = text.split('`').skip(1).step_by(2).flat_map(words);
    for word in quoted.chain(words(text).filter(|word| looks_like_code(word))) {
        let known = names.iter().any(|name| name == word);
        if !known && word.chars().any(char::is_alphabetic) {
            names.push(word.to_owned());
        }
    }
    names
}

/// Whether a word is spelt like code and unlike prose: `a_b`, `aB`, `ABc`, `a.b`.
fn looks_like_code(word: &str) -> bool {
    let inner_capital =
        word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let dotted = word.contains('.') && !matches!(word, "e.g" | "i.e");
    let version = word.chars().all(|c| c.is_ascii_digit() || c == '.');
    (word.trim_matches('_').contains('_') || inner_capital || dotted) && !version
}

fn about(text: &str) -> About {
    let lower = text.to_lowercase();
    let any = |list: &[&str]| words(&lower).any(|word| list.contains(&word));
    let named_test = words(&lower).any(|word| word.starts_with("test_") || word.ends_with("_test"))
        || words(text).any(|word| word.len() > 4 && word.starts_with("Test"));
    About {
        tests: named_test
            || any(&[
                "test", "tests", "tested", "testing", "fixture", "fixtures", "unittest", "pytest",
            ]),
        docs: any(&[
            "readme",
            "documentation",
            "documented",
            "docs",
            "changelog",
            "license",
            "licence",
            "licensed",
            "licenced",
            "contributing",
            "contribute",
            "tutorial",
            "guide",
            "install",
            "installed",
            "installation",
            "history",
            "release",
            "releases",
        ]),
        examples: any(&["example", "examples", "demo", "demos", "sample", "samples"]),
        history: any(&[
            "changelog",
            "history",
            "release",
            "released",
            "releases",
            "version",
            "versions",
        ]),
        manifest: any(&[
            "license",
            "licence",
            "licensed",
            "version",
            "versions",
            "dependency",
            "dependencies",
            "depend",
            "depends",
            "requires",
            "author",
            "authors",
            "maintainer",
            "install",
            "package",
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_wordless_and_overlong_questions_are_refused_with_a_sentence() {
        for (text, start) in [
            ("", "The question is empty"),
            (" \n\t", "The question is empty"),
            ("?!", "The question contains no letters"),
            (
                &"a ".repeat(MAX_CHARS),
                "The question has 199999 characters",
            ),
        ] {
            let error = Question::new(text).unwrap_err().to_string();
            assert!(error.starts_with(start), "{error}");
        }
    }

    #[test]
    fn twenty_thousand_characters_are_a_question() {
        let text = "Traceback in send ".repeat(1_111);
        assert!(text.len() > 19_990);
        assert!(Question::new(&text).is_ok());
    }

    #[test]
    fn names_are_the_words_written_as_code() {
        for (text, names) in [
            (
                "how does resolve_redirects work?",
                vec!["resolve_redirects"],
            ),
            (
                "What does `send` of Session.send do",
                vec!["send", "Session.send"],
            ),
            (
                "where is HTTPAdapter defined, e.g. in requests 2.32.5",
                vec!["HTTPAdapter"],
            ),
            ("where are redirects followed. How is HTTP used?", vec![]),
        ] {
            assert_eq!(Question::new(text).unwrap().names(), names, "{text}");
        }
    }

    #[test]
    fn the_wording_tells_which_files_are_wanted() {
        let about = |text| Question::new(text).unwrap().about();
        assert!(about("which tests cover redirects").tests);
        assert!(about("what does test_named check").tests);
        assert!(about("what does TestRedirects check").tests);
        assert!(!about("how is the latest response kept").tests);
        assert!(about("which licence is it under").manifest);
        assert!(about("show an example of a hook").examples);
        assert_eq!(about("how are redirects followed"), About::default());
    }
}
