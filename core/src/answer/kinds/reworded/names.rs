//! The names in a question: words that are written as code, or that a neighbour says are a class,
//! a file or a library.

use super::super::subject;
use super::super::teller::Teller;
use super::super::{is_word_of_asking, wording};
use crate::index::tokens::is_stop_word;
use crate::lang::Symbol;

/// More words that say what their neighbour is; a wording calls all of these a class.
const KINDS_OF_CLASSES: &str =
    "enum constructor decorator interface exception macro type middleware";

/// A name and where it stands among the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// As a wording takes it: `Session.send`, “the watchers module”.
    pub text: String,
    /// The position of its first word.
    pub at: usize,
    /// The position after its last word.
    pub end: usize,
    pub written: Written,
}

/// How a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// As code, or beside a word that says what it is.
    AsCode,
    /// As a word like any other: only a definition of that name shows that it is one.
    AsWord,
    /// With its parts apart: “crc reader”.
    Apart,
}

/// Returns the words of a question without the punctuation around them; calls keep their brackets.
pub(super) fn words(text: &str) -> Vec<String> {
    let text = text.replace(['`', '"', '“', '”'], " ");
    let trimmed = text.split_whitespace().map(|word| {
        let word = word.trim_end_matches("'s").trim_end_matches("’s");
        let word = word.trim_start_matches(|c: char| !(c.is_alphanumeric() || "_/.@[".contains(c)));
        let word = word.trim_end_matches(|c: char| !(c.is_alphanumeric() || "_/)]*".contains(c)));
        match word.contains('(') {
            true => word.to_owned(),
            false => word.trim_end_matches([')', '.']).to_owned(),
        }
    });
    trimmed.filter(|word| !word.is_empty()).collect()
}

/// Returns what the words name, in order.
pub(super) fn find(teller: &Teller<'_, '_>, words: &[String]) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match name_at(teller, words, at) {
            Some(name) => {
                at = name.end;
                found.push(name);
            }
            None => at += 1,
        }
    }
    let last = words.len().saturating_sub(1);
    if let Some(word) = words.get(last)
        && found.last().is_none_or(|name| name.end <= last)
        && !is_small(&word.to_lowercase())
        && subject::find_symbols(teller.index, word).is_some()
    {
        found.push(Name {
            text: word.clone(),
            at: last,
            end: last + 1,
            written: Written::AsWord,
        });
    }
    with_owners(teller, words, &mut found);
    found
}

/// Joins a member and its owner: “`finish` on a `Writer`” is `Writer.finish`.
fn with_owners(teller: &Teller<'_, '_>, words: &[String], names: &mut Vec<Name>) {
    const FAR: usize = 6;
    let mut at = 0;
    while let [member, owner, ..] = names.get(at..).unwrap_or_default() {
        let between = words.get(member.end..owner.at).unwrap_or_default();
        let is_owned = between.len() <= FAR
            && between
                .first()
                .is_some_and(|word| wording::is_one_of(word, "on of in from"));
        let joined = [
            format!("{}.{}", owner.text, member.text),
            format!("{} in {}", member.text, owner.text),
        ];
        let is_member = |joined: &String| subject::find_symbols(teller.index, joined).is_some();
        let joined = joined
            .into_iter()
            .find(|joined| is_owned && is_member(joined));
        if let Some(text) = joined {
            let name = Name {
                text,
                at: member.at,
                end: owner.end,
                written: Written::AsCode,
            };
            names.splice(at..at + 2, [name]);
        }
        at += 1;
    }
}

/// Whether a word, in lower case, only helps to ask.
pub(super) fn is_small(word: &str) -> bool {
    is_stop_word(word) || is_word_of_asking(word) || word.len() < 3 || says_kind(word)
}

fn name_at(teller: &Teller<'_, '_>, words: &[String], at: usize) -> Option<Name> {
    let word = words.get(at)?;
    if says_kind(word) && !word.starts_with(char::is_uppercase) {
        return None;
    }
    let name = |text: String, end: usize| {
        Some(Name {
            text,
            at,
            end,
            written: Written::AsCode,
        })
    };
    let bare = without_own_name(teller, word.trim_end_matches("()"));
    let is_quoted = || teller.question.text().contains(&format!("`{bare}`"));
    let is_code =
        looks_like_code(word) || at > 0 && bare.starts_with(char::is_uppercase) || is_quoted();
    if is_code && (is_known(teller, bare) || is_error(bare)) {
        return match words.get(at + 1).is_some_and(|next| next == "constructor") {
            true => name(constructor(teller, bare), at + 2),
            false => name(bare.to_owned(), at + 1),
        };
    }
    if let Some((text, n)) = spelled_apart(teller, words, at) {
        return Some(Name {
            text,
            at,
            end: at + n,
            written: Written::Apart,
        });
    }
    if is_small(&bare.to_lowercase()) || !is_known(teller, bare) {
        return None;
    }
    let is_library = || {
        let found = subject::find(teller.index, bare);
        matches!(found, Some(subject::Subject::Library(_)))
    };
    if let Some(kind) = words.get(at + 1).filter(|next| says_kind(next)) {
        let kind = if is_kind_of_subject(kind) {
            kind
        } else {
            "class"
        };
        return name(format!("the {bare} {kind}"), at + 2);
    }
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    let is_called_so = before.is_some_and(|word| says_kind(word));
    match is_called_so || is_library() {
        true => name(bare.to_owned(), at + 1),
        false => None,
    }
}

/// Returns `a::B` for `project::a::B`, and `helpers` for `project/helpers`.
fn without_own_name<'w>(teller: &Teller<'_, '_>, word: &'w str) -> &'w str {
    let rest = word.strip_prefix(teller.own_name());
    let rest = rest.and_then(|rest| rest.strip_prefix("::").or(rest.strip_prefix(['.', '/'])));
    rest.filter(|rest| is_known(teller, rest)).unwrap_or(word)
}

/// Returns the constructor of a class, or the class if it has none.
fn constructor(teller: &Teller<'_, '_>, class: &str) -> String {
    let names = [
        "__init__",
        "constructor",
        "new",
        "initialize",
        "__construct",
    ];
    let mut names = names.iter().map(|name| format!("{class}.{name}"));
    let is_there = |name: &String| subject::find_symbols(teller.index, name).is_some();
    names.find(is_there).unwrap_or(class.to_owned())
}

/// Whether a name is written as that of an error, which the language may define.
fn is_error(name: &str) -> bool {
    let kinds = ["Error", "Exception", "Interrupt"];
    name.starts_with(char::is_uppercase) && kinds.iter().any(|kind| name.ends_with(kind))
}

/// Returns a name whose parts are written as words, “crc reader” for `CrcReader`, and how many.
fn spelled_apart(teller: &Teller<'_, '_>, words: &[String], at: usize) -> Option<(String, usize)> {
    [3, 2].into_iter().find_map(|n| {
        let parts: Vec<String> = words
            .get(at..at + n)?
            .iter()
            .map(|word| word.to_lowercase())
            .collect();
        let is_plain =
            |word: &String| word.chars().all(char::is_alphanumeric) && !is_stop_word(word);
        if !parts.iter().all(is_plain) {
            return None;
        }
        let capitalised = |word: &String| {
            let mut signs = word.chars();
            signs.next().map_or(String::new(), |first| {
                first.to_uppercase().chain(signs).collect()
            })
        };
        let humps: String = parts.iter().map(capitalised).collect();
        match teller.by_name(&humps).is_empty() {
            true => of_class(teller, &parts.concat()).map(|name| (name, n)),
            false => Some((humps, n)),
        }
    })
}

/// Returns the class whose name has these letters, in upper or lower case: `SQLJobStore` of
/// `sqljobstore`.
fn of_class(teller: &Teller<'_, '_>, lower: &str) -> Option<String> {
    let parsed = teller.index.parsed.iter();
    let mut symbols = parsed.flat_map(|parsed| &parsed.symbols);
    let is_it = |symbol: &&Symbol| {
        symbol.kind.is_container()
            && symbol.name.len() == lower.len()
            && symbol.name.eq_ignore_ascii_case(lower)
    };
    symbols.find(is_it).map(|symbol| symbol.name.clone())
}

/// Whether the word is written as code is.
fn looks_like_code(word: &str) -> bool {
    let inner = word.get(1..).unwrap_or_default();
    let has_hump = inner.chars().any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let is_dotted = word.contains('.') && word.chars().any(char::is_alphabetic);
    has_hump
        || is_dotted
        || word.ends_with("()")
        || word.contains(['_', '/', ':', '#'])
        || word.len() > 2 && word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit())
}

/// Whether a word says what its neighbour is.
fn says_kind(word: &str) -> bool {
    is_kind_of_subject(word) || wording::is_one_of(word, KINDS_OF_CLASSES)
}

fn is_kind_of_subject(word: &str) -> bool {
    subject::KINDS_OF_SUBJECTS.contains(&word.to_lowercase().as_str())
}

/// Whether something in the repository has the name, constants included.
fn is_known(teller: &Teller<'_, '_>, name: &str) -> bool {
    let has_constant = || !teller.by_name(name).is_empty();
    match subject::find(teller.index, name) {
        Some(subject::Subject::Project) | None => has_constant(),
        Some(_) => true,
    }
}
