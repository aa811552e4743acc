//! The words of a question about a default, and how well names fit them.

use std::collections::BTreeSet;

use regex::Regex;

use super::Fit;
use crate::index::tokens::{is_stop_word, name_parts};
use crate::search::stem::stem;

/// Words that ask for a default without saying of what.
const ASKING: &str = "\
    default defaults value values number numeric often many much long wide big large high deep \
    fast small turned turn on off enabled disabled enable disable active set configure pass give \
    specify provide choose define anything something nothing one used use uses using take takes \
    have initial setting option parameter argument does times i not none nothing else given set \
    configured passed specified provided supplied caller assumed";

/// Words of names that a question need not say.
const NEUTRAL: &str = "\
    default defaults builtin max min maximum minimum get set to on of is with initial new option \
    enable use";

/// Begins a question that asks for something else than a default.
const OTHER: [&str; 9] = [
    "why", "where", "who", "when", "can", "should", "could", "list", "all",
];

/// Words of questions for many things at once.
const LISTS: [&str; 12] = [
    "constants",
    "functions",
    "methods",
    "classes",
    "files",
    "arguments",
    "parameters",
    "settings",
    "options",
    "fields",
    "attributes",
    "properties",
];

/// What a question about a default asks.
pub(super) struct Wanted {
    /// See [`Wanted::may_be_in`].
    hint: Option<Regex>,
    /// The stems of its words.
    pub words: BTreeSet<String>,
    /// The whole question in lower case, letters and digits only.
    joined: String,
    /// Whether it is answered by yes or no.
    pub is_yes_or_no: bool,
    /// Whether it asks how much, so that the answer has a number.
    pub is_number: bool,
    /// The stems of what it guesses the default to be, if it does.
    pub guess: BTreeSet<String>,
    /// What the question calls the default, if it says so: `timeout` in “the default read timeout
    /// of the server”.
    head: Option<String>,
    /// Whether it asks if something is off.
    is_off: bool,
}

impl Wanted {
    /// Returns `None` if the question asks something else.
    pub(super) fn read(question: &str) -> Option<Self> {
        let lower = question.to_lowercase();
        let all: Vec<&str> = lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && *word != "and" && *word != "so")
            .collect();
        let first = *all.first()?;
        let second = all.get(1).copied().unwrap_or_default();
        let is_how = matches!(second, "do" | "does" | "can" | "to" | "should" | "did");
        let is_list = LISTS.iter().any(|list| all.contains(list));
        if OTHER.contains(&first) || first == "how" && is_how || is_list {
            return None;
        }
        let is_yes_or_no = matches!(first, "is" | "are" | "does" | "do");
        // “is pickle the default encoder”
        let (guess, asked) = match lower.split_once(" the default ") {
            Some((before, after)) if is_yes_or_no => (before, after),
            _ => ("", question),
        };
        let guess = words_of(guess.split_once(' ').map_or("", |(_, guess)| guess));
        let words = words_of(asked);
        // “Are default features enabled?” asks about the features.
        let asks_other = is_yes_or_no && guess.is_empty() && !lower.contains("by default");
        if asks_other || words.is_empty() {
            return None;
        }
        Some(Self {
            hint: Self::hint(&words),
            words,
            joined: all.concat(),
            head: head_of(&lower),
            is_yes_or_no,
            guess,
            is_number: first == "how" && !matches!(second, "is" | "are"),
            is_off: ["off", "disabled", "false"]
                .iter()
                .any(|off| all.contains(off)),
        })
    }

    /// Returns what finds the beginning of one of the words, where a part of a name begins: a name
    /// without any cannot fit. Most names of a large repository are left out by it.
    fn hint(words: &BTreeSet<String>) -> Option<Regex> {
        const BEGINNING: usize = 4;
        let joined = |spelled: &dyn Fn(String) -> String| {
            let beginnings = words.iter().map(|word| {
                let beginning: String = word.chars().take(BEGINNING).collect();
                // The stem of “copies” is “copy”.
                let beginning = beginning.strip_suffix('y').unwrap_or(&beginning);
                regex::escape(&spelled(beginning.to_owned()))
            });
            beginnings.collect::<Vec<_>>().join("|")
        };
        let capitalised = |word: String| {
            let mut signs = word.chars();
            let first = signs.next().map(char::to_uppercase);
            first.into_iter().flatten().chain(signs).collect()
        };
        let (plain, humps) = (joined(&|word| word), joined(&capitalised));
        Regex::new(&format!("(?i:(?:^|[^a-z])(?:{plain}))|(?:{humps})")).ok()
    }

    /// Whether a text may name one of the words. Names that are written without the gaps of the
    /// question, or with others, are found too.
    pub(super) fn may_be_in(&self, text: &str) -> bool {
        self.hint.as_ref().is_none_or(|hint| hint.is_match(text))
    }

    /// Whether a text that holds a name and all that stands around it has enough of the words for
    /// the name to fit.
    pub(super) fn is_mostly_in(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let has = |word: &&String| lower.contains(word.as_str());
        2 * self.words.iter().filter(has).count() >= self.words.len()
    }

    /// Returns how well a name fits, if it fits; `owner` is what it belongs to, and `context` what
    /// its path and documentation say.
    pub(super) fn fit(&self, name: &str, owner: &str, context: &str, rank: u8) -> Option<Fit> {
        let is_neutral = |part: &str| NEUTRAL.split_whitespace().any(|known| known == part);
        let parts: BTreeSet<String> = name_parts(name)
            .iter()
            .filter(|part| !is_neutral(part))
            .map(|part| stem(part))
            .collect();
        let joined = name_parts(name).concat();
        // “permessage-deflate” is `perMessageDeflate`.
        let is_joined = joined.len() >= 8 && self.joined.contains(&joined);
        let is_named =
            |word: &&String| parts.contains(*word) || is_joined && joined.contains(word.as_str());
        let named = self.words.iter().filter(is_named).count();
        let surplus = match is_joined {
            true => 0,
            false => parts.difference(&self.words).count(),
        };
        // `disable_cache` does not say whether the cache is on.
        let is_other = self.is_yes_or_no && self.guess.is_empty() && surplus > 0;
        if named == 0 || is_other || 2 * surplus > parts.len() {
            return None;
        }
        let mut around: BTreeSet<String> =
            name_parts(context).iter().map(|part| stem(part)).collect();
        if around.contains("unix") {
            around.extend(["linux", "maco", "bsd"].map(str::to_owned));
        }
        let owners = name_parts(owner);
        let owners: BTreeSet<String> = owners.iter().map(|part| stem(part)).collect();
        around.extend(owners.iter().cloned());
        let is_unnamed = |word: &&String| !is_named(word) && !owners.contains(*word);
        let is_missing = |word: &&String| !is_named(word) && !around.contains(*word);
        let missing = self.words.iter().filter(is_missing).count();
        let is_full = surplus == 0 && named >= 2 && 2 * missing <= self.words.len();
        (missing == 0 || is_full).then_some(Fit {
            missing,
            unnamed: self.words.iter().filter(is_unnamed).count(),
            surplus,
            lacks_head: self.head.as_ref().is_some_and(|head| !parts.contains(head)),
            rank,
            beside: self.words.len() - named,
        })
    }

    /// Returns how well a text fits that has all the words.
    pub(super) fn covered(&self, text: &str, rank: u8) -> Option<Fit> {
        let parts: BTreeSet<String> = name_parts(text).iter().map(|part| stem(part)).collect();
        let is_known = self.words.is_subset(&parts);
        is_known.then_some(Fit {
            missing: 0,
            unnamed: self.words.len(),
            surplus: 0,
            lacks_head: false,
            rank,
            beside: self.words.len(),
        })
    }

    /// Returns yes or no, if the value is one of them.
    pub(super) fn answer(&self, value: &str) -> Option<&'static str> {
        if !self.guess.is_empty() {
            let parts = name_parts(value);
            let parts: BTreeSet<String> = parts.iter().map(|part| stem(part)).collect();
            let is_said = self.guess.is_subset(&parts);
            return (!parts.is_empty()).then_some(if is_said { "Yes. " } else { "No. " });
        }
        let is_true = match value.trim().to_lowercase().as_str() {
            "true" | "yes" | "on" | "enabled" => true,
            "false" | "no" | "off" | "disabled" => false,
            _ => return None,
        };
        Some(match is_true == self.is_off {
            true => "No. ",
            false => "Yes. ",
        })
    }

    /// Whether the value is of the kind that is asked for, and not just a sign that nothing is set.
    pub(super) fn accepts(&self, value: &str) -> bool {
        let is_none = matches!(
            value.trim(),
            "" | "None" | "null" | "undefined" | "nil" | "nullptr" | "..." | "Self::default()"
        );
        !is_none
            && (!self.is_number || value.contains(|c: char| c.is_ascii_digit()))
            && (!self.is_yes_or_no || self.answer(value).is_some() || is_literal(value))
    }
}

/// Whether a value is a text or a number, which is neither yes nor no.
fn is_literal(value: &str) -> bool {
    value
        .trim_start()
        .starts_with(|c: char| c == '"' || c == '\'' || c.is_ascii_digit())
}

/// Returns the stems of the words that say what is asked about.
fn words_of(text: &str) -> BTreeSet<String> {
    let is_asking = |part: &str| ASKING.split_whitespace().any(|known| known == part);
    let parts = name_parts(text).into_iter();
    let parts = parts.filter(|part| !is_stop_word(part) && !is_asking(part));
    parts.map(|part| stem(&part)).collect()
}

/// Returns the stem of the last word of “default …” before “of”, “for” or “in”.
fn head_of(lower: &str) -> Option<String> {
    let (_, after) = lower.split_once("default ")?;
    let ends = [" of ", " for ", " in ", " on "];
    let end = ends.iter().filter_map(|word| after.find(word)).min();
    let said = end.and_then(|end| after.get(..end)).unwrap_or(after);
    let parts = name_parts(said);
    parts.last().map(|part| stem(part))
}
