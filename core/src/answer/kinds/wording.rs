//! How questions are worded.
//!
//! A question is first simplified: polite beginnings, adverbs and “in this repository” are left
//! out. Then it is matched against wordings. A wording consists of words with alternatives (`|`),
//! optional words (`?`), several words as one (`_`), a word that is kept (`@`), runs of small words
//! (`ASK`, `REL`), one word of a set (`USE`, `CALL`, `LIBS`, `DO`), the subjects `X` and `Y`, and
//! words that do not matter (`ANY`).

/// Maximum number of words in a subject.
const SUBJECT_WORDS: usize = 6;

/// A question with more words is about something else.
const MAX_WORDS: usize = 26;

/// Longest question that can be of a kind, in bytes.
const MAX_BYTES: usize = 300;

/// Words with which a question for a list begins, any number of them, in any order.
const ASK: &str = "\
    what which list show me give all every each any the of a an are is there name names \
    enumerate find print complete full get tell see display do we have out us whole different";

/// Words between the thing that is listed and the place to look in.
const REL: &str = "\
    in of from inside within under does do has have contain contains contained define defines \
    defined declare declares declared provide provides provided offer offers offered export \
    exports exported live lives exist exists are is there that which by on for belong belongs \
    to the implemented found available hold holds held written listed located can be";

/// Words for taking something from elsewhere. Those of several words come before their first word.
const USE: &str = "\
    import_from imports_from imported_from importing_from \
    import imports imported importing use uses used using require requires required requiring \
    need needs needed depend_on depends_on depending_on dependent_on rely_on relies_on \
    relying_on include includes included including load loads loaded reference references \
    referenced instantiate instantiates instantiated \
    touch build_on builds_on make_use_of makes_use_of pull_in pulls_in";

/// Words for calling something.
const CALL: &str = "\
    call calls called calling invoke invokes invoked invoking trigger triggers triggered run \
    runs execute executes executed";

/// Words for libraries.
const LIBS: &str = "\
    library libraries package packages dependency dependencies crate crates gems \
    library_import library_imports libs lib";

/// Auxiliary verbs.
const DO: &str = "\
    does do did is are can could will would was were has have get gets";

/// Polite beginnings, longer ones first.
const BEGINNINGS: &str = "\
    i would like to know, i want to know, i need to know, i would like to see, i want to see, \
    i'd like to know, i am wondering, i was wondering, i wonder, help me understand, \
    do you know, can you tell me, could you tell me, would you tell me, \
    can you please tell me, could you please tell me, please tell me, tell me, let me know, \
    can you explain, could you explain, can you, could you, would you, please, hey, hi, hello, \
    so, and, ok, okay, kindly, just, whether, if";

/// Words that do not change what is asked.
const ADVERBS: &str = "\
    actually also really currently exactly please ever still anywhere somewhere presently \
    basically simply exact kindly thanks concretely precisely overall explicitly together directly \
    conditionally immediately briefly shortly pls plz";

/// Words that ask for more than the next hop.
const INDIRECT: &str = "\
    indirectly transitively eventually ultimately transitive indirect";

/// Phrases at the end of a question that ask for more than the next hop.
const THROUGH: &str = "\
    through others, through other modules, through other files, via others, via its imports, \
    via its requires, via other modules, via other files, through something else, in the end, \
    at any depth, through any path, through other functions, via other functions, through intermediate modules";

/// Phrases that end a question and change little.
const TAILS: &str = "\
    at runtime, at run time, outside of tests, outside the tests, outside tests, in production, \
    to run, in one sentence, in a sentence, in one line, in a nutshell, in a few words, in short";

/// Tags that ask for agreement at the end of a statement, spelled out.
const TAGS: &str = "\
    does not it, do not they, is not it, are not they, did not it, is that right, is that correct, \
    right, correct, yes or no";

/// Phrases for the whole repository at the end of a question.
const ENDINGS: &str = "\
    programming repository, programming project, code base, source code, code snippet, \
    source tree, repository, repo, codebase, project, package, library, code, crate, sources, \
    source, archive, tree";

/// Contractions that are typed without their apostrophe. Those that are words of their own
/// (`wont`, `its`) are left alone.
const RUN_TOGETHER: &[(&str, &str)] = &[
    ("whats", "what is"),
    ("wheres", "where is"),
    ("hows", "how is"),
    ("dont", "do not"),
    ("doesnt", "does not"),
    ("didnt", "did not"),
    ("isnt", "is not"),
    ("arent", "are not"),
];

/// A question that matched a wording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Read {
    /// The words in place of `X`; empty if the wording has none.
    pub x: String,
    /// The words in place of `Y`.
    pub y: Option<String>,
    /// The word in place of `@`, in lower case.
    pub word: String,
    /// Whether the question asks about more than the next hop.
    pub is_indirect: bool,
}

/// The words of a question, without those that change nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plain {
    words: Vec<String>,
    lower: Vec<String>,
    is_indirect: bool,
}

impl Plain {
    /// Returns `None` for text that is too long to be a question of a kind.
    pub(crate) fn new(text: &str) -> Option<Self> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let mut words = spelled_out(text);
        without_tag(&mut words);
        let is_indirect =
            words.iter().any(|word| is_one_of(word, INDIRECT)) | without_through(&mut words);
        without_beginning(&mut words);
        without_asides(&mut words);
        without_adverbs(&mut words);
        without_ending(&mut words);
        (!words.is_empty() && words.len() <= MAX_WORDS).then(|| Self {
            lower: words.iter().map(|word| word.to_lowercase()).collect(),
            words,
            is_indirect,
        })
    }

    /// Matches the question against a wording.
    pub(crate) fn read(&self, wording: &str) -> Option<Read> {
        let elements: Vec<&str> = wording.split_whitespace().collect();
        let mut slots = Slots::default();
        fits(&elements, &self.lower, 0, &mut slots).then(|| {
            let subject = |(from, to): (usize, usize)| {
                let words = self.words.get(from..to).unwrap_or_default();
                words.join(" ")
            };
            Read {
                x: slots.x.map(subject).unwrap_or_default(),
                y: slots.y.map(subject),
                word: slots.word,
                is_indirect: self.is_indirect,
            }
        })
    }

    /// Returns the words as they were asked.
    pub(crate) fn text(&self) -> String {
        self.words.join(" ")
    }
}

/// Whether a space-separated list contains the word.
pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    let word = word.to_lowercase();
    list.split(' ').any(|known| known == word)
}

/// Returns the phrases of a list.
fn phrases(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split(", ")
}

/// Splits text into words: contractions spelled out, punctuation at their ends removed.
fn spelled_out(text: &str) -> Vec<String> {
    let text = text.replace(['’', '‘'], "'");
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_end_matches(['?', '!', ',', ';']);
        let word = match word.ends_with("::") || word.ends_with("...") {
            true => word,
            false => word.trim_end_matches(['.', ':', '?']),
        };
        let lower = word.to_lowercase();
        if let Some(verb) = lower.strip_suffix("n't") {
            words.extend([verb.to_owned(), "not".to_owned()]);
            continue;
        }
        if let Some((_, apart)) = RUN_TOGETHER.iter().find(|(typed, _)| *typed == lower) {
            words.extend(apart.split(' ').map(str::to_owned));
            continue;
        }
        let who = lower
            .strip_suffix("'s")
            .or_else(|| lower.strip_suffix("'re"));
        match who.filter(|who| matches!(*who, "what" | "who" | "where" | "how" | "there" | "it")) {
            Some(who) => words.extend([who.to_owned(), "is".to_owned()]),
            None if word.is_empty() => {}
            None => words.push(word.to_owned()),
        }
    }
    words
}

fn without_beginning(words: &mut Vec<String>) {
    loop {
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let begins = |beginning: &&str| {
            let mut parts = beginning.split(' ').zip(&lower);
            let n = beginning.split(' ').count();
            n < lower.len() && parts.all(|(part, word)| part == word)
        };
        let Some(beginning) = phrases(BEGINNINGS).find(begins) else {
            return;
        };
        words.drain(..beginning.split(' ').count());
    }
}

/// Removes “(not in tests)” and “in the repo” from between other words.
fn without_asides(words: &mut Vec<String>) {
    words.retain(|word| !(word.starts_with('(') && word.ends_with(')') && word.len() > 2));
    if let (Some(open), Some(close)) = (
        words
            .iter()
            .position(|word| word.starts_with('(') && !word.contains(')')),
        words
            .iter()
            .position(|word| word.ends_with(')') && !word.contains('(')),
    ) && open < close
    {
        words.drain(open..=close);
    }
    let is_aside = |part: &[String]| {
        let [place, article, whole] = part else {
            return false;
        };
        is_one_of(place, "in within across from of inside")
            && is_one_of(article, "this the our my")
            && is_one_of(whole, "repo repository codebase project package crate")
    };
    // “in the package folder src/” names a folder.
    let is_whole = |at: &usize| {
        let next = words.get(at + 3);
        !next.is_some_and(|next| is_one_of(next, "folder directory file module"))
    };
    let at = words.windows(3).position(is_aside);
    if let Some(at) = at.filter(|at| *at > 0 && is_whole(at)) {
        words.drain(at..at + 3);
        // “from inside the package”
        if words
            .get(at.saturating_sub(1))
            .is_some_and(|word| is_one_of(word, "from"))
            && at == words.len()
        {
            words.pop();
        }
    }
    let text = words.join(" ").to_lowercase();
    if let Some(tail) = phrases(TAILS).find(|tail| text.ends_with(*tail) && text.len() > tail.len())
    {
        words.truncate(words.len() - tail.split(' ').count());
    }
}

/// Removes “doesn’t it” from the end of a statement.
fn without_tag(words: &mut Vec<String>) {
    let text = words.join(" ").to_lowercase();
    let is_tag = |tag: &&str| text.ends_with(&format!(" {tag}"));
    if let Some(tag) = phrases(TAGS).find(is_tag) {
        words.truncate(words.len() - tag.split(' ').count());
    }
}

/// Removes “through others” from the end; returns whether it was there.
fn without_through(words: &mut Vec<String>) -> bool {
    let text = words.join(" ").to_lowercase();
    let Some(ending) = phrases(THROUGH).find(|ending| text.ends_with(ending)) else {
        return false;
    };
    words.truncate(words.len() - ending.split(' ').count());
    true
}

fn without_adverbs(words: &mut Vec<String>) {
    let mut kept: Vec<String> = Vec::new();
    for word in words.drain(..) {
        let is_indirect = is_one_of(&word, INDIRECT);
        if is_indirect
            && kept.last().is_some_and(|last| is_one_of(last, "or and"))
            && kept.len() > 1
        {
            // “directly or indirectly”
            kept.pop();
            if kept.last().is_some_and(|last| is_one_of(last, "directly")) {
                kept.pop();
            }
        }
        let is_twice = kept.last() == Some(&word);
        if !is_indirect && !is_twice && !is_one_of(&word, ADVERBS) {
            kept.push(word);
        }
    }
    *words = kept;
}

/// Removes “in this repository” and “here” from the end.
fn without_ending(words: &mut Vec<String>) {
    if words.len() > 1 && words.last().is_some_and(|last| is_one_of(last, "here")) {
        words.pop();
    }
    for ending in phrases(ENDINGS) {
        let n = ending.split(' ').count();
        let Some(start) = words.len().checked_sub(n) else {
            continue;
        };
        let tail = words.get(start..).unwrap_or_default().join(" ");
        if tail.to_lowercase() != ending {
            continue;
        }
        let before = words.get(..start).unwrap_or_default();
        let article = before
            .last()
            .is_some_and(|word| is_one_of(word, "this the our my whole entire"));
        let at = start - usize::from(article);
        let before = at
            .checked_sub(1)
            .filter(|at| *at > 0)
            .and_then(|at| words.get(at));
        let is_whole =
            before.is_some_and(|word| is_one_of(word, "in of within across from throughout"));
        if article && is_whole {
            words.truncate(at - 1);
            return;
        }
    }
}

/// Returns the words of these wordings, and those of what may surround one.
pub(super) fn words<'w>(
    wordings: impl IntoIterator<Item = &'w &'static str>,
) -> impl Iterator<Item = &'static str> {
    let around = [ASK, REL, USE, CALL, LIBS, DO, ADVERBS, INDIRECT, ENDINGS];
    let around = around.into_iter();
    let around = around.flat_map(|list| list.split([' ', ',', '_']));
    let wordings = wordings.into_iter();
    let own = wordings.flat_map(|wording| wording.split([' ', '|', '_', '@', '?']));
    around.chain(own)
}

#[derive(Default)]
struct Slots {
    x: Option<(usize, usize)>,
    y: Option<(usize, usize)>,
    word: String,
}

/// Whether the elements match the words from `at` on. Wordings and questions are short.
fn fits(elements: &[&str], words: &[String], at: usize, slots: &mut Slots) -> bool {
    let Some((element, rest)) = elements.split_first() else {
        return at == words.len();
    };
    let is_optional = element.ends_with('?');
    let element = element.trim_end_matches('?');
    let fit = match element {
        "X" | "Y" => fits_subject(element, rest, words, at, slots),
        "ANY" => (at..=words.len()).any(|end| fits(rest, words, end, slots)),
        "USE" => fits_one(USE, rest, words, at, slots),
        "CALL" => fits_one(CALL, rest, words, at, slots),
        "LIBS" => fits_one(LIBS, rest, words, at, slots),
        "DO" => fits_one(DO, rest, words, at, slots),
        "ASK" => fits_run(ASK, rest, words, at, slots),
        "REL" => fits_run(REL, rest, words, at, slots),
        _ => fits_word(element, rest, words, at, slots),
    };
    fit || is_optional && fits(rest, words, at, slots)
}

fn fits_subject(name: &str, rest: &[&str], words: &[String], at: usize, slots: &mut Slots) -> bool {
    let before = (slots.x, slots.y);
    let fit = (at + 1..=words.len().min(at + SUBJECT_WORDS)).any(|end| {
        match name {
            "X" => slots.x = Some((at, end)),
            _ => slots.y = Some((at, end)),
        }
        fits(rest, words, end, slots)
    });
    if !fit {
        (slots.x, slots.y) = before;
    }
    fit
}

/// Matches as many of the run's words as there are, or fewer.
fn fits_run(run: &str, rest: &[&str], words: &[String], at: usize, slots: &mut Slots) -> bool {
    let behind = words.iter().skip(at);
    let n = behind.take_while(|word| is_one_of(word, run)).count();
    (1..=n).rev().any(|n| fits(rest, words, at + n, slots))
}

/// Matches one of the words, which may be several joined by `_`.
fn fits_one(list: &str, rest: &[&str], words: &[String], at: usize, slots: &mut Slots) -> bool {
    list.split(' ').any(|one| {
        let parts = one.split('_').count();
        let written = words.get(at..at + parts).unwrap_or_default().join("_");
        written == one && fits(rest, words, at + parts, slots)
    })
}

fn fits_word(element: &str, rest: &[&str], words: &[String], at: usize, slots: &mut Slots) -> bool {
    let (is_kept, element) = match element.strip_prefix('@') {
        Some(element) => (true, element),
        None => (false, element),
    };
    element.split('|').any(|alternative| {
        let parts = alternative.split('_').count();
        let written = words.get(at..at + parts).unwrap_or_default().join("_");
        let fit = written == alternative && fits(rest, words, at + parts, slots);
        if fit && is_kept && slots.word.is_empty() {
            slots.word = alternative.replace('_', " ");
        }
        fit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_made_plain() {
        for (text, plain) in [
            ("Could you tell me who calls send?", "who calls send"),
            ("What's in lib/utils.js?", "what is in lib/utils.js"),
            ("list all traits in this repository", "list all traits"),
            ("Does A directly or indirectly import B?", "Does A import B"),
            ("Isn't json used here", "is not json used"),
            ("callers: send", "callers send"),
            ("what in the repo calls send", "what calls send"),
            ("dependencies of app (not dev)", "dependencies of app"),
            ("What does the project use?", "What does the project use"),
            (
                "which classes exist in the code base?",
                "which classes exist",
            ),
        ] {
            assert_eq!(Plain::new(text).unwrap().text(), plain, "{text}");
        }
    }

    #[test]
    fn wordings_give_subjects_and_kept_words() {
        for (text, wording, x, word) in [
            (
                "show me every function in a.py",
                "ASK? @function|functions REL X",
                "a.py",
                "function",
            ),
            (
                "functions of a.py",
                "ASK? @function|functions REL X",
                "a.py",
                "functions",
            ),
            ("who calls Session.send", "who calls X", "Session.send", ""),
            (
                "what uses the b module",
                "what uses|needs X",
                "the b module",
                "",
            ),
        ] {
            let read = Plain::new(text).unwrap().read(wording).unwrap();
            assert_eq!((read.x.as_str(), read.word.as_str()), (x, word), "{text}");
        }
        assert_eq!(
            Plain::new("who calls send and why")
                .unwrap()
                .read("who calls send"),
            None
        );
    }
}
