//! A sentence of documentation → the questions that it answers.

use super::plain::plain;
use crate::index::tokens::{identifiers, name_parts};
use crate::lang::SymbolKind;

/// Length of a sentence in characters: shorter ones say too little, longer ones make poor
/// questions.
const LENGTH: std::ops::RangeInclusive<usize> = 20..=150;

/// Least number of words beside the verb.
const MIN_WORDS: usize = 6;

/// From this number of words on, a sentence is too tangled for a question.
const MAX_WORDS: usize = 20;

/// Verbs that begin the documentation of code, in their base form.
const VERBS: &str = "accept access acquire activate adapt add adjust advance aggregate align \
    allocate allow analyze append apply assert assign attach attempt authenticate await begin bind \
    block bootstrap break broadcast build cache calculate call cancel capture cast change check \
    choose clamp clean clear clone close collapse collect combine commit compare compile complete \
    compose compress compute concatenate configure confirm connect construct consume contain \
    control convert copy count cover create decide declare decode decompress decorate decrement \
    decrypt define delete delegate delay deliver derive describe deserialize destroy detach detect \
    determine disable discard disconnect dispatch display divide do download draw drop dump \
    duplicate emit emulate enable encapsulate encode encrypt end enforce ensure enter enumerate \
    escape establish estimate evaluate execute exit expand explain export expose extend extract \
    fail fetch fill filter finalize find finish fire fit fix flag flatten flush fold follow force \
    fork format forward free gather generate get give go grab group guard guess halt handle hash \
    hide hold identify ignore implement import include increment indicate inform inherit \
    initialise initialize inject insert inspect install instantiate intercept interpret invalidate \
    invert invoke isolate iterate join keep kill launch lay limit link list listen load locate lock \
    log look lookup loop make manage map mark match measure merge modify monitor mount move \
    multiply normalise normalize notify observe obtain offer open optimize order organize output \
    override own pack pad parse partition pass patch peek perform persist pick place plot poll \
    pop populate post prefix prepare prepend preserve prevent print probe process produce project \
    propagate protect provide prune publish pull purge push put query queue quote raise read \
    rebuild receive recognize record recover redirect reduce refresh refuse register reject \
    release reload remove rename render reorder repeat replace report represent request require \
    reset resize resolve respond restore restrict resume retrieve retry return reverse revert \
    rewrite roll rotate round route run sample sanitize save scale scan schedule search seek \
    select send separate serialise serialize serve set shift show shrink shuffle shut signal \
    simplify simulate skip slice sleep solve sort spawn specify split spread start stop store \
    stream strip submit subscribe subtract sum supply support suppress suspend swap switch sync \
    synchronize take tear tell terminate test throw toggle track train transfer transform \
    translate traverse trigger trim truncate try turn unload unlock unpack unregister unsubscribe \
    unwrap update upgrade upload use validate verify visit wait walk warn watch wrap write yield";

/// Text that makes a sentence unfit, whatever else it says.
const UNFIT: [&str; 30] = [
    "if not found",
    "http",
    "todo",
    "fixme",
    "deprecated",
    ">>>",
    "::",
    "…",
    "e.g",
    "i.e",
    "see ",
    " above",
    " below",
    " these ",
    ", whose",
    ", which",
    " this ",
    "backward",
    "internal use",
    "example",
    "@",
    " also ",
    " here",
    " such ",
    "following",
    "instead",
    "otherwise",
    "respectively",
    "latter",
    "etc",
];

/// Phrases that mean something only beside the code, or beside the name of an owner.
const VAGUE: [&str; 16] = [
    "the internal ",
    "the underlying ",
    "the current ",
    "the inner ",
    "the buffer",
    "the value",
    "the result",
    "the item",
    "the object",
    "the element",
    "the instance",
    "the list",
    "the same",
    "the wrapped ",
    "the actual ",
    "the data",
];

/// What follows a noun that looks like a verb: “process that is started”, “end of the input”.
const NOUN_NEXT: [&str; 6] = ["that ", "which ", "of ", "is ", "was ", "used "];

/// Words before a noun.
const ARTICLES: [&str; 18] = [
    "a",
    "an",
    "the",
    "given",
    "this",
    "that",
    "each",
    "every",
    "its",
    "all",
    "any",
    "specified",
    "provided",
    "new",
    "one",
    "two",
    "whether",
    "if",
];

/// The definition that a sentence documents.
#[derive(Clone, Copy, Debug)]
pub(super) struct About<'a> {
    pub kind: SymbolKind,
    /// The name of the class, module or function around it.
    pub owner: Option<&'a str>,
    /// Whether the owner is a function.
    pub is_inner: bool,
    pub signature: &'a str,
}

impl About<'_> {
    /// `function`, `method of Store`: a sentence about a member leaves out whose it is.
    fn noun(&self) -> String {
        let kind = self.kind.name();
        match self.owner {
            Some(owner) if self.is_inner => format!("{kind} inside of {owner}"),
            Some(owner) => format!("{kind} of {owner}"),
            None => kind.to_owned(),
        }
    }

    fn is_callable(&self) -> bool {
        use SymbolKind::{Function, Macro, Method};
        matches!(self.kind, Function | Macro | Method)
    }
}

/// The questions answered by a sentence about a definition; an error if the kind of sentence is not
/// recognised, or if it is not understood without what stands around it.
pub(super) fn questions(sentence: &str, about: &About<'_>) -> Result<Vec<String>, &'static str> {
    let plain = plain(sentence);
    let said = plain.trim_end_matches(['.', ' ']);
    check(said)?;
    stands_alone(sentence, said, about)?;
    let noun = about.noun();
    let (first, rest) = said.split_once(' ').unwrap_or((said, ""));
    let lower = first.to_ascii_lowercase();
    let is_noun = NOUN_NEXT.iter().any(|next| rest.starts_with(next));
    if is_verb(&lower) && !is_noun && (about.is_callable() || begins_object(rest)) {
        let said = format!("{lower} {rest}");
        let other = match (about.owner, about.is_callable()) {
            (None, _) => format!("Where does the code {said}?"),
            (_, true) => format!("Which {noun} do I call to {said}?"),
            (_, false) => format!("Which {noun} is there to {said}?"),
        };
        return Ok(vec![format!("Which {noun} is used to {said}?"), other]);
    }
    if let Some(said) = third_person(said) {
        let mut all = vec![format!("Which {noun} {said}?")];
        if about.owner.is_none() {
            all.push(format!("Which part of the code {said}?"));
        }
        return Ok(all);
    }
    if matches!(lower.as_str(), "a" | "an" | "the") && !has_verb(rest) {
        return described(&format!("{lower} {rest}"), about);
    }
    Err("its sentence cannot be turned into a question")
}

/// The questions for a sentence that is a noun: `a pool of the open connections`.
fn described(said: &str, about: &About<'_>) -> Result<Vec<String>, &'static str> {
    let noun = about.noun();
    let second = said.split_whitespace().nth(1).unwrap_or_default();
    // “Which struct is a struct that …?”
    if second.eq_ignore_ascii_case(about.kind.name()) {
        return Err("its sentence says what kind of definition it is, and little more");
    }
    match about.kind {
        SymbolKind::Constant | SymbolKind::Variable => Ok(vec![
            format!("Which {noun} holds {said}?"),
            format!("Which {noun} is described as “{said}”?"),
        ]),
        SymbolKind::Method => Ok(vec![
            format!("Which {noun} gives {said}?"),
            format!("Which {noun} do I call for {said}?"),
        ]),
        kind if kind.is_container() => Ok(vec![format!("Which {noun} is described as “{said}”?")]),
        _ => Err("its sentence cannot be turned into a question"),
    }
}

fn check(said: &str) -> Result<(), &'static str> {
    let lower = format!("{} ", said.to_lowercase());
    let n_words = said.split_whitespace().count();
    if !LENGTH.contains(&said.chars().count()) || !(MIN_WORDS..=MAX_WORDS).contains(&n_words) {
        return Err("its sentence says too little, or too much for a question");
    }
    let is_open = [('(', ')'), ('[', ']'), ('{', '}')]
        .iter()
        .any(|(open, close)| said.matches(*open).count() != said.matches(*close).count());
    let is_unfit = UNFIT.iter().any(|unfit| lower.contains(unfit));
    let n_foreign = said.chars().filter(|it| !it.is_ascii()).count();
    let ends = said.ends_with([':', ',', ';', '-', '?', '!']) || said.matches('"').count() % 2 == 1;
    if is_open
        || is_unfit
        || ends
        || n_foreign * 5 > said.len()
        || said.contains(['<', '>', '|', '='])
    {
        return Err("its sentence is not plain English");
    }
    Ok(())
}

/// Whether a sentence is understood without the code around it: no names of parameters or single
/// letters, and, if no owner is named, no “the internal buffer”.
fn stands_alone(sentence: &str, said: &str, about: &About<'_>) -> Result<(), &'static str> {
    const WHY: &str = "its sentence is not understood without the code around it";
    let lower = said.to_lowercase();
    let is_vague = VAGUE.iter().any(|vague| lower.contains(vague));
    if about.owner.is_none() && is_vague {
        return Err(WHY);
    }
    let parameters = parameters(about.signature);
    let words: Vec<&str> = identifiers(said).collect();
    for (at, word) in words.iter().enumerate() {
        let is_article = word.eq_ignore_ascii_case("a") && at + 1 < words.len();
        if word.chars().count() == 1 && !is_article && word.chars().all(char::is_alphabetic) {
            return Err(WHY);
        }
        let before = at.checked_sub(1).and_then(|at| words.get(at)).copied();
        let is_noun = before.is_some_and(|it| ARTICLES.contains(&it.to_lowercase().as_str()));
        let is_code = word.len() <= 2 || name_parts(word).len() > 1;
        let is_marked = [
            format!("`{word}`"),
            format!("*{word}*"),
            format!("@code {word}}}"),
        ]
        .iter()
        .any(|marked| sentence.contains(marked));
        if parameters.contains(word) && (is_code || (is_marked && !is_noun)) {
            return Err(WHY);
        }
    }
    Ok(())
}

/// The names of a function's parameters, in any language, with the words of their types.
fn parameters(signature: &str) -> Vec<&str> {
    let inner = signature.split_once('(').map_or("", |(_, rest)| rest);
    let each = inner.split([',', ')']);
    each.flat_map(|it| {
        let named = it.split([':', '=']).next().unwrap_or(it);
        let mut names = identifiers(named);
        let first = names.next();
        // The name stands first in most languages and last in C and Java.
        [first, names.last()].into_iter().flatten()
    })
    .collect()
}

/// Whether a verb is followed by its object, so that it is not a noun: “Match the path”, not
/// “Match position”.
fn begins_object(rest: &str) -> bool {
    let first = rest.split_whitespace().next().unwrap_or_default();
    ARTICLES.contains(&first.to_lowercase().as_str())
}

fn is_verb(word: &str) -> bool {
    VERBS.split_whitespace().any(|verb| verb == word)
}

/// Whether a word is a verb in the third person: `returns`, `fetches`, `tries`.
fn is_third(word: &str) -> bool {
    let base = |ending: &str, with: &str| {
        let stem = word.strip_suffix(ending);
        stem.is_some_and(|stem| is_verb(&format!("{stem}{with}")))
    };
    base("s", "") || base("es", "") || base("ies", "y")
}

/// `Returns the name`, `This method returns the name` → `returns the name`.
fn third_person(said: &str) -> Option<String> {
    let mut words = said.split_whitespace();
    let first = words.next()?.to_ascii_lowercase();
    let next = said.split_whitespace().nth(1).unwrap_or_default();
    // “Requests uses this internally”: the first word is a noun that looks like a verb.
    if is_third(&first) && !is_third(next) {
        return Some(format!("{first}{}", said.get(first.len()..)?));
    }
    let subject = words.next()?;
    let verb = words.next()?;
    const SUBJECTS: [&str; 9] = [
        "class",
        "function",
        "method",
        "object",
        "interface",
        "type",
        "struct",
        "trait",
        "module",
    ];
    let is_subject = matches!(first.as_str(), "this" | "the") && SUBJECTS.contains(&subject);
    let at = said.find(&format!(" {verb} "))?;
    (is_subject && is_third(verb)).then(|| said.get(at + 1..).map(str::to_owned))?
}

/// Whether a phrase is a whole sentence, with a verb of its own.
fn has_verb(phrase: &str) -> bool {
    const FINITE: [&str; 22] = [
        "is", "are", "was", "were", "will", "should", "must", "can", "may", "has", "have", "does",
        "be", "do", "did", "had", "would", "could", "cannot", "might", "it", "we",
    ];
    // Words that may follow a participle: “a session opened by the user”, not “a session timed
    // out”.
    const AFTER: [&str; 17] = [
        "by", "to", "in", "for", "from", "with", "on", "as", "at", "when", "during", "after",
        "before", "via", "of", "into", "through",
    ];
    let words: Vec<String> = phrase
        .split_whitespace()
        .map(str::to_ascii_lowercase)
        .collect();
    let is_past = |at: usize, word: &str| {
        let next = words.get(at + 1).map_or("", |next| next.as_str());
        word.ends_with("ed") && at > 0 && !AFTER.contains(&next)
    };
    let mut all = words.iter().enumerate();
    all.any(|(at, word)| {
        FINITE.contains(&word.as_str())
            || is_third(word)
            || word.ends_with("n't")
            || is_past(at, word)
    })
}
