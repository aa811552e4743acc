//! A sentence of documentation → the questions that it answers.

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
const UNFIT: [&str; 20] = [
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
];

/// The questions answered by a sentence about a definition of this kind; an error if the kind of
/// sentence is not recognised.
pub(super) fn questions(sentence: &str, kind: SymbolKind) -> Result<Vec<String>, &'static str> {
    let plain = plain(sentence);
    let said = plain.trim_end_matches(['.', ' ']);
    check(said)?;
    let noun = kind.name();
    let (first, rest) = said.split_once(' ').unwrap_or((said, ""));
    let lower = first.to_ascii_lowercase();
    if is_verb(&lower) {
        let said = format!("{lower} {rest}");
        return Ok(vec![
            format!("Which {noun} is there to {said}?"),
            format!("What do I call to {said}?"),
            format!("Where does the code {said}?"),
        ]);
    }
    if let Some(said) = third_person(said) {
        return Ok(vec![
            format!("Which {noun} {said}?"),
            format!("Which part of the code {said}?"),
        ]);
    }
    if matches!(lower.as_str(), "a" | "an" | "the") && !has_verb(rest) {
        let said = format!("{lower} {rest}");
        return match kind {
            _ if kind.is_container() => Ok(vec![
                format!("Which {noun} is {said}?"),
                format!("Which {noun} stands for {said}?"),
            ]),
            SymbolKind::Constant | SymbolKind::Variable => Ok(vec![
                format!("Which {noun} holds {said}?"),
                format!("Where is {said} kept?"),
            ]),
            _ => Ok(vec![
                format!("Which {noun} gives {said}?"),
                format!("Where does the code get {said}?"),
            ]),
        };
    }
    Err("its sentence cannot be turned into a question")
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

/// A sentence in the form for comparisons: its words in lower case.
pub(super) fn normal(sentence: &str) -> String {
    let plain = plain(sentence).to_lowercase();
    let words = plain.split(|it: char| !it.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The sentence without the markup of reStructuredText, Markdown, Javadoc and Doxygen.
fn plain(sentence: &str) -> String {
    let mut plain = sentence.replace("``", "").replace('*', "");
    for open in ["{@link ", "{@code "] {
        while let Some(at) = plain.find(open) {
            let Some(end) = plain.get(at..).and_then(|rest| rest.find('}')) else {
                break;
            };
            let inner = plain.get(at + open.len()..at + end).unwrap_or_default();
            let inner = inner.trim_start_matches('#').to_owned();
            plain.replace_range(at..=at + end, &inner);
        }
    }
    // Roles: :class:`Session` and :py:meth:`~Session.send`.
    while let Some((at, end)) = role(&plain) {
        plain.replace_range(at..end, "`");
    }
    let plain = plain.replace("`~", "`").replace('`', "");
    // Rust's links: [`Service`] and [Service].
    let is_name = |it: &str| {
        it.chars()
            .all(|it| it.is_alphanumeric() || "_:.!()".contains(it))
    };
    let plain = plain.replace('[', "\u{0}[");
    let parts = plain.split('\u{0}').map(|part| {
        let link = part.strip_prefix('[').and_then(|part| part.split_once(']'));
        match link.filter(|(name, rest)| is_name(name) && !rest.starts_with('(')) {
            Some((name, rest)) => format!("{name}{rest}"),
            None => part.to_owned(),
        }
    });
    let plain: String = parts.collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The positions of the next `:role:` and its backtick.
fn role(text: &str) -> Option<(usize, usize)> {
    let end = text.find(":`")?;
    let before = text.get(..end)?;
    let name = before.rfind(|it: char| !(it.is_ascii_alphanumeric() || ":_-".contains(it)));
    let at = name.map_or(0, |at| at + before.get(at..).map_or(1, first_len));
    Some((at, end + 2))
}

fn first_len(text: &str) -> usize {
    text.chars().next().map_or(1, char::len_utf8)
}
