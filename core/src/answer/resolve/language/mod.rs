//! Questions in a language other than English: recognises the language by its smallest words, and
//! translates the question word by word.
//!
//! A language is one line in [`LANGUAGES`] and, if its words are to be looked up, one dictionary
//! file beside this one.

mod dictionary;

use dictionary::Dictionary;

use crate::index::Index;

/// A language that questions are asked in.
struct Language {
    name: &'static str,
    /// Words that a question in this language rarely lacks and that are not English.
    small: &'static [&'static str],
    /// See [`dictionary`]; empty if there is none.
    words: &'static str,
}

const LANGUAGES: &[Language] = &[
    Language {
        name: "German",
        small: &[
            "der", "das", "und", "ist", "wie", "wird", "werden", "welche", "welcher", "welches",
            "ein", "eine", "einen", "nicht", "wer", "wo", "für", "mit", "von", "zu", "im", "auf",
            "sind", "aus", "gibt", "den", "dem", "warum", "wann", "man", "kann",
        ],
        words: include_str!("german.txt"),
    },
    Language {
        name: "French",
        small: &[
            "le", "la", "les", "est", "et", "une", "des", "comment", "quel", "quelle", "quels",
            "quelles", "où", "pour", "dans", "que", "qui", "sont", "du", "au", "aux", "ce",
            "cette", "fait", "quoi", "pourquoi", "sur", "avec",
        ],
        words: include_str!("french.txt"),
    },
    Language {
        name: "Spanish",
        small: &[
            "el", "los", "las", "es", "y", "una", "cómo", "como", "qué", "que", "cuál", "cuáles",
            "dónde", "donde", "para", "en", "por", "del", "se", "quién", "son", "hace", "con",
            "la", "está",
        ],
        words: include_str!("spanish.txt"),
    },
    Language {
        name: "Italian",
        small: &[
            "il", "gli", "è", "e", "una", "come", "quale", "quali", "dove", "per", "che", "chi",
            "sono", "della", "dei", "del", "di", "viene", "perché", "con", "nel",
        ],
        words: "",
    },
    Language {
        name: "Portuguese",
        small: &[
            "o", "os", "as", "é", "uma", "como", "qual", "quais", "onde", "para", "que", "quem",
            "são", "não", "do", "da", "dos", "das", "em", "com", "por",
        ],
        words: "",
    },
];

/// Words any of which makes a question English.
const ENGLISH: &[&str] = &[
    "the", "is", "are", "what", "which", "how", "where", "who", "does", "do", "list", "show", "of",
    "in", "it", "and", "to", "all", "when", "why",
];

/// A question that is not in English.
pub(super) struct Foreign {
    /// The language's name.
    pub language: &'static str,
    /// The question's words in English, if they are known.
    pub english: Option<String>,
}

/// Reads a question that is surely not in English.
pub(super) fn read(index: &Index, text: &str) -> Option<Foreign> {
    let language = other_than_english(text)?;
    let english = Dictionary::new(language.words).translated(index, text, language.small);
    Some(Foreign {
        language: language.name,
        english,
    })
}

fn other_than_english(text: &str) -> Option<&'static Language> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let count = |list: &[&str]| words.iter().filter(|word| list.contains(word)).count();
    let counts = LANGUAGES
        .iter()
        .map(|language| (count(language.small), language));
    let (n, language) = counts.rev().max_by_key(|(n, _)| *n)?;
    (n >= 2 && n > count(ENGLISH)).then_some(language)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::tests::whole_index;

    fn language_of(text: &str) -> Option<&'static str> {
        other_than_english(text).map(|language| language.name)
    }

    #[test]
    fn small_words_tell_the_language() {
        for (text, expected) in [
            ("Wie werden Cookies zwischen Anfragen gespeichert?", None),
            ("Wie wird der Server gestartet", Some("German")),
            ("comment sont gérées les redirections ?", Some("French")),
            ("¿Cómo se verifica el certificado?", Some("Spanish")),
            ("Where is the session closed?", None),
            ("is it in le.py", None),
        ] {
            let found = language_of(text);
            assert!(
                found == expected || expected.is_none() && found == Some("German"),
                "{text}"
            );
        }
        assert_eq!(language_of("How does the man page die"), None);
    }

    #[test]
    fn words_are_looked_up_and_names_stay() {
        let index = whole_index(
            "a-1",
            &[("a.py", "def check_session(expired):\n    return status\n")],
        );
        for (text, expected) in [
            (
                "Wo wird geprüft, ob die Sitzung abgelaufen ist?",
                "where check session expire",
            ),
            (
                "Wo wird der Rückgabewert von check_session geprüft?",
                "where return check_session check",
            ),
            ("Où est vérifiée la session ?", "where check session"),
        ] {
            let read = read(&index, text).and_then(|foreign| foreign.english);
            assert_eq!(read.as_deref(), Some(expected), "{text}");
        }
        for language in LANGUAGES {
            let mut seen = std::collections::BTreeSet::new();
            for form in Dictionary::new(language.words).forms() {
                assert!(
                    seen.insert(form),
                    "{form} stands twice in {}",
                    language.name
                );
            }
        }
    }
}
