//! The wordings of questions about dependencies. A pattern is words with alternatives (`|`), words
//! that may be missing (`?`), several words as one (`_`), and the subjects `X` and `Y`.

/// Most words of a subject.
const SUBJECT_WORDS: usize = 6;

/// Questions with more words are about something else.
const MAX_WORDS: usize = 24;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// Which libraries X imports.
    Libraries,
    /// What X imports.
    Imports,
    /// Whether X uses Y.
    Uses,
    /// What imports or uses X.
    Importers,
    /// Whether X and Y use each other.
    Coupled,
    Callers,
    Callees,
}

const PATTERNS: &[(Ask, &str)] = &[
    (
        Ask::Libraries,
        "which|what external? third-party? libraries|library|packages does|do X import|use|need|require|depend_on|rely_on",
    ),
    (
        Ask::Libraries,
        "which|what external? third-party? libraries|packages are|is imported|used|needed|required by|in X",
    ),
    (
        Ask::Libraries,
        "list|show|name the? external? third-party? libraries|packages that? X imports|uses|needs",
    ),
    (
        Ask::Imports,
        "what|which files? modules? else? does|do X import|depend_on|require",
    ),
    (
        Ask::Imports,
        "what|which imports|dependencies does|do X have|make",
    ),
    (
        Ask::Imports,
        "what|which files|modules are|is imported by|in X",
    ),
    (
        Ask::Uses,
        "does|do X directly? import|use|call|depend_on|require|rely_on|need Y",
    ),
    (
        Ask::Uses,
        "is Y imported|used|called|required directly? by|in X",
    ),
    (
        Ask::Importers,
        "what|who|which files? modules? classes? functions? else? depends_on|depend_on|imports|import|uses|use|requires|require X",
    ),
    (Ask::Importers, "where is|are X imported|used"),
    (
        Ask::Coupled,
        "are|how_are X and Y coupled|connected|tightly_coupled|dependent to? on? each? other?",
    ),
    (Ask::Coupled, "is X coupled|tightly_coupled to|with Y"),
    (
        Ask::Callers,
        "what|who|which functions? methods? code? calls|call|invokes|invoke X",
    ),
    (
        Ask::Callers,
        "where|from_where is|are X called|invoked from?",
    ),
    (Ask::Callers, "list|show the? callers of X"),
    (
        Ask::Callees,
        "what|which functions? methods? does X call|invoke",
    ),
    (
        Ask::Callees,
        "what|which functions? methods? are|is called by X",
    ),
];

/// A recognised question: its kind and the words that name its subjects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Read {
    pub ask: Ask,
    pub x: String,
    pub y: Option<String>,
}

/// Reads a question; `None` if it is no question about dependencies. Of one wording several readings
/// can fit; all are given, in the order of the patterns.
pub(super) fn read(text: &str) -> Vec<Read> {
    let text = text.trim().trim_end_matches(['?', '!', '.', ' ']);
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() > MAX_WORDS {
        return Vec::new();
    }
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let readings = PATTERNS.iter().filter_map(|(ask, pattern)| {
        let elements: Vec<&str> = pattern.split_whitespace().collect();
        let mut slots = Slots::default();
        fits(&elements, &lower, 0, &mut slots).then(|| {
            let subject = |(from, to): (usize, usize)| {
                let words = words.get(from..to).unwrap_or_default();
                words.join(" ")
            };
            Read {
                ask: *ask,
                x: slots.x.map(subject).unwrap_or_default(),
                y: slots.y.map(subject),
            }
        })
    });
    readings.collect()
}

#[derive(Default)]
struct Slots {
    x: Option<(usize, usize)>,
    y: Option<(usize, usize)>,
}

/// Whether the elements fit the words from `at` on. Patterns and questions are short.
fn fits(elements: &[&str], words: &[String], at: usize, slots: &mut Slots) -> bool {
    let Some((element, rest)) = elements.split_first() else {
        return at == words.len();
    };
    if matches!(*element, "X" | "Y") {
        return (at + 1..=words.len().min(at + SUBJECT_WORDS)).any(|end| {
            if *element == "X" {
                slots.x = Some((at, end));
            } else {
                slots.y = Some((at, end));
            }
            fits(rest, words, end, slots)
        });
    }
    let is_optional = element.ends_with('?');
    let alternatives = element.trim_end_matches('?').split('|');
    for alternative in alternatives {
        let parts = alternative.split('_').count();
        let written = words.get(at..at + parts).unwrap_or_default().join("_");
        if written == alternative && fits(rest, words, at + parts, slots) {
            return true;
        }
    }
    is_optional && fits(rest, words, at, slots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wordings_of_dependency_questions_are_recognised() {
        for (text, ask, x, y) in [
            (
                "Which libraries does app.py import?",
                Ask::Libraries,
                "app.py",
                None,
            ),
            (
                "what external libraries does the project use",
                Ask::Libraries,
                "the project",
                None,
            ),
            (
                "What does the sessions module import?",
                Ask::Imports,
                "the sessions module",
                None,
            ),
            (
                "Does app.py depend on numpy?",
                Ask::Uses,
                "app.py",
                Some("numpy"),
            ),
            (
                "does Session use HTTPAdapter",
                Ask::Uses,
                "Session",
                Some("HTTPAdapter"),
            ),
            ("Is json used in app.py?", Ask::Uses, "app.py", Some("json")),
            ("What depends on models?", Ask::Importers, "models", None),
            (
                "who imports the utils module",
                Ask::Importers,
                "the utils module",
                None,
            ),
            (
                "Which files import models.py?",
                Ask::Importers,
                "models.py",
                None,
            ),
            (
                "Are app.py and models.py coupled?",
                Ask::Coupled,
                "app.py",
                Some("models.py"),
            ),
            ("Is app coupled to cli?", Ask::Coupled, "app", Some("cli")),
            (
                "Who calls resolve_redirects?",
                Ask::Callers,
                "resolve_redirects",
                None,
            ),
            ("Where is send called from?", Ask::Callers, "send", None),
            (
                "What does Session.send call?",
                Ask::Callees,
                "Session.send",
                None,
            ),
        ] {
            let read = read(text).into_iter().next();
            let read = read.map(|read| (read.ask, read.x, read.y));
            assert_eq!(
                read,
                Some((ask, x.to_owned(), y.map(str::to_owned))),
                "{text}"
            );
        }
    }

    #[test]
    fn other_questions_are_not_about_dependencies() {
        for text in [
            "How does Session.send work?",
            "What is Session for?",
            "Where is send defined, and what does it call?",
            "Which licence is it under?",
            "",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
    }
}
