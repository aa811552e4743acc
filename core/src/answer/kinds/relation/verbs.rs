//! The verb of a dependency question: which relation it means, and in which voice.

use super::Mention;
use crate::answer::kinds::subject::KINDS_OF_SUBJECTS;
use crate::answer::kinds::wording::is_one_of;

/// What a verb says about two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// One takes something from the other.
    Use,
    /// One calls the other.
    Call,
    /// Either direction, or both.
    Couple,
}

/// The verb, or the noun that takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verb {
    pub group: Group,
    /// Its position among the words.
    pub at: usize,
    /// Whether it is passive: “is used by”.
    pub is_passive: bool,
    /// Whether it is a noun for what something uses (`dependencies`, `imports`, `callees`) or for
    /// what uses it (`importers`, `callers`).
    noun: Option<bool>,
}

/// Verbs in their base form. Phrasal verbs are recognised by their first word.
const USES: &str = "import use require need depend rely include reference consume pull touch lean hang build \
    know load employ utilise utilize leverage wire hook mention want rest base draw take bring \
    reach";
const CALLS: &str = "call invoke trigger fire run execute delegate";
const COUPLES: &str = "couple connect relate link entangle tie intertwine";

/// Nouns for what uses something. A single client, user or consumer is a thing like any other.
const INWARD: &str = "\
    importer importers dependent dependents users consumers clients caller callers usage usages";
/// Nouns for what something uses.
const OUTWARD: &str =
    "dependency dependencies import imports requirement requirements callee callees includes";

/// Words before a participle in the passive voice.
const BE: &str = "is are was were be been being get gets got isnt arent wasnt";

/// Returns the words without the punctuation around them.
pub(super) fn words(text: &str) -> Vec<String> {
    let trimmed = text.split_whitespace().map(|word| {
        word.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '/' | '.')))
            .trim_end_matches('.')
            .to_owned()
    });
    trimmed.filter(|word| !word.is_empty()).collect()
}

/// Whether the question contains one of the words.
pub(super) fn has(words: &[String], wanted: &[&str]) -> bool {
    words
        .iter()
        .any(|word| wanted.contains(&word.to_lowercase().as_str()))
}

/// Returns the possible base forms of a verb: of `imports`, `imported`, `importing`.
fn plain(word: &str) -> Vec<String> {
    let word = word.to_lowercase();
    let mut forms = vec![word.clone()];
    for end in ["s", "es", "ed", "d", "ing", "t"] {
        if let Some(stem) = word.strip_suffix(end) {
            forms.push(stem.to_owned());
            forms.push(format!("{stem}e"));
            let mut signs = stem.chars().rev();
            if let (Some(last), Some(before)) = (signs.next(), signs.next())
                && last == before
            {
                forms.push(
                    stem.get(..stem.len() - last.len_utf8())
                        .unwrap_or(stem)
                        .to_owned(),
                );
            }
        }
    }
    if let Some(stem) = word.strip_suffix("ied") {
        forms.push(format!("{stem}y"));
    }
    if let Some(stem) = word.strip_suffix("ies") {
        forms.push(format!("{stem}y"));
    }
    match word.as_str() {
        "built" => forms.push("build".to_owned()),
        "hung" => forms.push("hang".to_owned()),
        "known" | "knew" => forms.push("know".to_owned()),
        "drawn" => forms.push("draw".to_owned()),
        "taken" => forms.push("take".to_owned()),
        _ => {}
    }
    forms
}

/// Whether the word says how two parts are related.
pub(super) fn is_verb_of(word: &str) -> bool {
    group(word).is_some() || is_one_of(word, INWARD) || is_one_of(word, OUTWARD)
}

fn group(word: &str) -> Option<Group> {
    let forms = plain(word);
    let is_in = |list: &str| forms.iter().any(|form| is_one_of(form, list));
    match () {
        () if is_in(CALLS) => Some(Group::Call),
        () if is_in(USES) => Some(Group::Use),
        () if is_in(COUPLES) => Some(Group::Couple),
        () => None,
    }
}

/// Returns the verb of the question. Nouns take precedence over verbs, and a name is neither.
pub(super) fn find(words: &[String], mentions: &[Mention]) -> Option<Verb> {
    let is_free = |at: usize| {
        !mentions
            .iter()
            .any(|mention| mention.at <= at && at < mention.end)
    };
    let nouns = words.iter().enumerate().filter(|(at, _)| is_free(*at));
    let noun = nouns.clone().find_map(|(at, word)| {
        let is_call = word.starts_with("call");
        let outward = match () {
            () if is_one_of(word, INWARD) => false,
            // “which file has a.ts among its imports”
            () if is_one_of(word, OUTWARD) && is_among(words, at) => false,
            () if is_one_of(word, OUTWARD) && !is_verb(words, at) => true,
            () => return None,
        };
        Some(Verb {
            group: if is_call { Group::Call } else { Group::Use },
            at,
            is_passive: false,
            noun: Some(outward),
        })
    });
    let verb = nouns
        .filter_map(|(at, word)| Some((at, word, group(word)?)))
        .next_back();
    let verb = verb.map(|(at, word, group)| Verb {
        group,
        at,
        is_passive: is_passive(words, at, word),
        noun: None,
    });
    let couples = verb.filter(|verb| verb.group == Group::Couple);
    couples.or(noun).or(verb)
}

fn is_among(words: &[String], at: usize) -> bool {
    let before = words.get(at.saturating_sub(2)..at).unwrap_or_default();
    let among = before.first().filter(|_| before.len() == 2);
    among.is_some_and(|word| is_one_of(word, "among amongst"))
}

/// `imports` is a verb if a name, what is named or a question word stands before it.
fn is_verb(words: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    before.is_some_and(|word| {
        word.contains(['.', '/', '_'])
            || KINDS_OF_SUBJECTS.contains(&word.to_lowercase().as_str())
            || is_one_of(word, "who what that which file files modules everything")
    })
}

fn is_passive(words: &[String], at: usize, word: &str) -> bool {
    let is_participle =
        word.to_lowercase().ends_with("ed") || is_one_of(word, "built known drawn taken");
    let before = words.get(at.saturating_sub(6)..at).unwrap_or_default();
    let has_be = before.iter().any(|word| is_one_of(word, BE));
    let by = words.get(at + 1).is_some_and(|word| is_one_of(word, "by"));
    // “built on” and “based on” point outward like the active voice; “leaned on by” does not.
    let has = |at: usize, list: &str| words.get(at).is_some_and(|word| is_one_of(word, list));
    let on = has(at + 1, "on upon") && !has(at + 2, "by");
    is_participle && (has_be || by) && !on
}

impl Verb {
    /// Whether it is a noun.
    pub(crate) fn is_noun(&self) -> bool {
        self.noun.is_some()
    }

    /// Whether the question asks what the thing at `mention` uses, rather than what uses it.
    pub(crate) fn is_outward(&self, words: &[String], mention: usize) -> bool {
        if let Some(outward) = self.noun {
            return outward;
        }
        // “… that need it”: the thing was named before.
        let behind = words.get(self.at + 1..).unwrap_or_default();
        let is_taken_up = behind.iter().take(3).any(|word| is_one_of(word, "it them"));
        if is_taken_up && mention < self.at {
            return false;
        }
        let before = mention < self.at;
        // “used by X”, “needed in X”: asks what X uses.
        let joined = mention
            .checked_sub(1)
            .and_then(|at| words.get(at))
            .is_some_and(|word| is_one_of(word, "by in inside within from"));
        match (self.is_passive, before) {
            (true, true) => false,
            (true, false) => joined,
            (false, before) => before,
        }
    }
}

/// Whether the word at `at` is a place: “in app.py”.
pub(super) fn stands_in(words: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    let is_article = before.is_some_and(|word| is_one_of(word, "the a this our"));
    let before = match is_article {
        true => at.checked_sub(2).and_then(|at| words.get(at)),
        false => before,
    };
    before.is_some_and(|word| is_one_of(word, "in inside within under of"))
}

/// Whether the question wants a complete list instead of yes or no; with two things it must say so.
pub(super) fn asks_for_a_list(words: &[String], n_mentions: usize) -> bool {
    let wants_all = has(
        words,
        &[
            "who",
            "what",
            "which",
            "list",
            "all",
            "every",
            "everything",
            "everyone",
            "name",
            "show",
            "whom",
        ],
    );
    let first = words.first().map(|word| word.to_lowercase());
    let is_yes_or_no = first.is_some_and(|first| {
        is_one_of(
            &first,
            "does do is are can could has have did will would any isnt doesnt arent dont",
        )
    });
    wants_all || n_mentions == 1 && !is_yes_or_no
}

/// Whether the question asks in which files something is, not for what is in them.
pub(super) fn asks_for_files(words: &[String]) -> bool {
    let inside = ["functions", "methods", "callers", "classes", "places", "in"];
    has(words, &["files", "file", "modules"]) && !has(words, &inside)
}

pub(super) fn asks_for_libraries(words: &[String]) -> bool {
    has(
        words,
        &[
            "library",
            "libraries",
            "package",
            "packages",
            "crate",
            "crates",
            "third-party",
            "external",
            "libs",
            "npm",
            "pip",
        ],
    )
}
