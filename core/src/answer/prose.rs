//! Documentation sentences → parts of English sentences. Nothing is invented: words are the
//! documentation's own, only the verb's ending and the first capital change so that the name of the
//! symbol can be the subject.

use super::Span;

/// How a documentation sentence continues a sentence that starts with the symbol's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Clause {
    /// `receives a Response`
    Verb(Vec<Span>),
    /// `a user-created Request object`: follows `is`.
    Noun(Vec<Span>),
    /// Anything else: can only be quoted.
    Quote(Vec<Span>),
}

/// Base forms that documentation sentences start with.
const VERBS: &[&str] = &[
    "accept",
    "access",
    "acquire",
    "act",
    "activate",
    "add",
    "adjust",
    "aggregate",
    "allocate",
    "allow",
    "analyze",
    "append",
    "apply",
    "ask",
    "assemble",
    "assert",
    "assign",
    "attach",
    "attempt",
    "authenticate",
    "bind",
    "block",
    "break",
    "build",
    "cache",
    "calculate",
    "call",
    "cancel",
    "capture",
    "cast",
    "change",
    "check",
    "choose",
    "clean",
    "clear",
    "clone",
    "close",
    "coerce",
    "collapse",
    "collect",
    "combine",
    "compare",
    "compile",
    "complete",
    "compress",
    "compute",
    "configure",
    "connect",
    "consume",
    "contain",
    "continue",
    "control",
    "convert",
    "copy",
    "count",
    "create",
    "deal",
    "decide",
    "declare",
    "decode",
    "decompress",
    "decorate",
    "decrement",
    "define",
    "delegate",
    "delete",
    "derive",
    "describe",
    "deserialize",
    "detect",
    "determine",
    "disable",
    "discard",
    "dispatch",
    "display",
    "dispose",
    "do",
    "download",
    "draw",
    "drop",
    "dump",
    "emit",
    "emulate",
    "enable",
    "encapsulate",
    "encode",
    "encrypt",
    "ensure",
    "enter",
    "escape",
    "establish",
    "estimate",
    "evaluate",
    "execute",
    "exit",
    "expand",
    "expect",
    "export",
    "expose",
    "extend",
    "extract",
    "fail",
    "fetch",
    "fill",
    "filter",
    "find",
    "finish",
    "fire",
    "fix",
    "flatten",
    "flush",
    "follow",
    "force",
    "format",
    "forward",
    "free",
    "generate",
    "get",
    "give",
    "group",
    "guess",
    "handle",
    "hash",
    "help",
    "hold",
    "identify",
    "ignore",
    "implement",
    "import",
    "include",
    "increment",
    "indicate",
    "infer",
    "inherit",
    "initialise",
    "initialize",
    "inject",
    "insert",
    "install",
    "instantiate",
    "invoke",
    "issue",
    "iterate",
    "join",
    "keep",
    "launch",
    "let",
    "limit",
    "link",
    "list",
    "listen",
    "load",
    "locate",
    "lock",
    "log",
    "look",
    "make",
    "manage",
    "map",
    "mark",
    "match",
    "measure",
    "merge",
    "mock",
    "modify",
    "monitor",
    "mount",
    "move",
    "normalize",
    "notify",
    "obtain",
    "open",
    "output",
    "override",
    "pack",
    "parse",
    "pass",
    "patch",
    "perform",
    "persist",
    "plot",
    "poll",
    "pop",
    "populate",
    "prefer",
    "prepare",
    "prepend",
    "preprocess",
    "preserve",
    "prevent",
    "print",
    "process",
    "produce",
    "prompt",
    "provide",
    "publish",
    "pull",
    "push",
    "put",
    "query",
    "queue",
    "quote",
    "raise",
    "read",
    "rebuild",
    "receive",
    "recompute",
    "record",
    "recover",
    "redirect",
    "reduce",
    "register",
    "reject",
    "release",
    "reload",
    "remove",
    "rename",
    "render",
    "replace",
    "report",
    "represent",
    "request",
    "require",
    "reset",
    "resize",
    "resolve",
    "respond",
    "restart",
    "restore",
    "retrieve",
    "retry",
    "return",
    "reverse",
    "rewind",
    "round",
    "route",
    "run",
    "sanitize",
    "save",
    "scan",
    "schedule",
    "search",
    "select",
    "send",
    "serialize",
    "serve",
    "set",
    "setup",
    "shift",
    "show",
    "shut",
    "signal",
    "simplify",
    "simulate",
    "skip",
    "solve",
    "sort",
    "specify",
    "split",
    "start",
    "stop",
    "store",
    "strip",
    "submit",
    "subscribe",
    "suggest",
    "support",
    "suspend",
    "swap",
    "switch",
    "take",
    "tell",
    "terminate",
    "test",
    "throw",
    "toggle",
    "tokenize",
    "trace",
    "track",
    "train",
    "transform",
    "translate",
    "traverse",
    "trigger",
    "trim",
    "truncate",
    "try",
    "turn",
    "unpack",
    "unquote",
    "unregister",
    "unset",
    "update",
    "upgrade",
    "upload",
    "use",
    "validate",
    "verify",
    "visit",
    "wait",
    "walk",
    "warn",
    "watch",
    "wrap",
    "write",
    "yield",
];

/// Reads a documentation sentence.
pub(crate) fn clause(doc: &str) -> Clause {
    let sentence = doc.trim().trim_end_matches(['.', ':', ' ']);
    let sentence = after_this(sentence);
    let (first, rest) = split_word(sentence);
    let lower = first.to_lowercase();
    let (second, after_second) = split_word(rest);
    if let Some(verb) = third_person(&lower) {
        return Clause::Verb(spans(&format!("{verb}{}", conjugated_rest(first, rest))));
    }
    if lower.len() > 3
        && lower.ends_with("ly")
        && let Some(verb) = third_person(&second.to_lowercase())
    {
        return Clause::Verb(spans(&format!("{lower} {verb} {after_second}")));
    }
    let has_article = |word: &str| {
        matches!(
            word.to_lowercase().as_str(),
            "a" | "an" | "the" | "any" | "all" | "each" | "this"
        )
    };
    let is_plain = first.chars().all(char::is_alphabetic);
    if is_plain
        && lower.ends_with('s')
        && !lower.ends_with("ss")
        && has_article(second)
        && !has_article(first)
    {
        return Clause::Verb(spans(&format!("{lower} {rest}")));
    }
    if matches!(lower.as_str(), "a" | "an" | "the")
        && first.chars().skip(1).all(char::is_lowercase)
        && !has_main_verb(rest)
    {
        return Clause::Noun(spans(&format!("{lower} {rest}")));
    }
    Clause::Quote(spans(sentence))
}

/// `This class represents …`, `This method will …` → from the verb on, if it is one.
fn after_this(sentence: &str) -> &str {
    let (first, rest) = split_word(sentence);
    if !first.eq_ignore_ascii_case("this") {
        return sentence;
    }
    let (noun, rest) = split_word(rest);
    let (verb, _) = split_word(rest);
    let is_known = matches!(
        noun,
        "class"
            | "function"
            | "method"
            | "module"
            | "type"
            | "struct"
            | "trait"
            | "interface"
            | "macro"
            | "helper"
    );
    let is_verb = verb.ends_with('s') && third_person(verb).is_some();
    if is_known && is_verb { rest } else { sentence }
}

/// Whether a phrase is a whole sentence of its own: it has a verb before any relative pronoun. In
/// doubt it does, as a quotation is never wrong.
fn has_main_verb(rest: &str) -> bool {
    const AUXILIARIES: [&str; 18] = [
        "is", "are", "was", "were", "will", "would", "can", "could", "must", "should", "has",
        "have", "had", "may", "might", "does", "did", "cannot",
    ];
    const BEFORE_NOUNS: [&str; 22] = [
        "of", "for", "with", "to", "in", "on", "by", "from", "and", "or", "the", "a", "an", "all",
        "any", "between", "into", "as", "per", "no", "some", "multiple",
    ];
    let words: Vec<&str> = rest.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        let word = word.trim_end_matches([',', ';']);
        if matches!(word, "that" | "which" | "who" | "where" | "whose" | "when") {
            return false;
        }
        if AUXILIARIES.contains(&word) || (at > 0 && word.len() > 4 && word.ends_with("ed")) {
            return true;
        }
        let before = at
            .checked_sub(1)
            .and_then(|before| words.get(before))
            .copied()
            .unwrap_or("the");
        let is_last = at + 1 == words.len();
        let could_be_verb = word.ends_with('s') && third_person(word).is_some();
        if could_be_verb && !is_last && !BEFORE_NOUNS.contains(&before) {
            return true;
        }
    }
    false
}

/// `return` and `returns` → `returns`; `None` for words that are not known as verbs.
fn third_person(lower: &str) -> Option<String> {
    if VERBS.binary_search(&lower).is_ok() {
        return Some(with_s(lower));
    }
    let base = [("ies", "y"), ("es", ""), ("s", "")]
        .iter()
        .filter_map(|(ending, base)| Some(format!("{}{base}", lower.strip_suffix(ending)?)))
        .find(|base| VERBS.binary_search(&base.as_str()).is_ok())?;
    (with_s(&base) == lower).then(|| lower.to_owned())
}

fn with_s(verb: &str) -> String {
    let consonant_y = verb.ends_with('y') && !verb.ends_with(['a', 'e', 'o', 'u']) && {
        let before = verb.chars().rev().nth(1).unwrap_or('a');
        !"aeiou".contains(before)
    };
    if consonant_y {
        return format!("{}ies", verb.trim_end_matches('y'));
    }
    let hisses = ["s", "x", "z", "ch", "sh", "do"]
        .iter()
        .any(|end| verb.ends_with(end));
    format!("{verb}{}", if hisses { "es" } else { "s" })
}

/// The rest of the sentence after its first verb; further verbs, as in `Create and return` or `Check
/// it and merge it`, get the same ending.
fn conjugated_rest(first: &str, rest: &str) -> String {
    if VERBS.binary_search(&first.to_lowercase().as_str()).is_err() {
        return if rest.is_empty() {
            String::new()
        } else {
            format!(" {rest}")
        };
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let mut out = String::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let next = words.get(at + 1).copied().unwrap_or_default();
        let follows_and = before.is_some_and(|before| matches!(*before, "and" | "or" | "then"));
        let has_object = at == 1
            || matches!(
                next,
                "it" | "the" | "a" | "an" | "them" | "its" | "this" | "any" | "all"
            );
        let is_verb = VERBS.binary_search(word).is_ok();
        out.push(' ');
        match follows_and && has_object && is_verb {
            true => out.push_str(&with_s(word)),
            false => out.push_str(word),
        }
    }
    out
}

fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

/// Text with markup → spans: code spans of Markdown and reStructuredText become [`Span::Code`], roles
/// (``:class:`X` ``), links and emphasis lose their signs.
pub(crate) fn spans(text: &str) -> Vec<Span> {
    // Rust's documentation links names as [`Name`].
    let text = text.replace("[`", "`").replace("`]", "`");
    let mut spans = Vec::new();
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('`') {
        let (before, from) = rest.split_at(at);
        let ticks = from.len() - from.trim_start_matches('`').len();
        let fence = from.get(..ticks).unwrap_or("`");
        let inner = from.get(ticks..).unwrap_or_default();
        let Some(end) = inner.find(fence) else {
            break;
        };
        plain.push_str(without_role(before));
        let code = reference(inner.get(..end).unwrap_or_default());
        rest = inner.get(end + ticks..).unwrap_or_default();
        rest = rest
            .strip_prefix("__")
            .or(rest.strip_prefix('_'))
            .unwrap_or(rest);
        if code.is_empty() {
            continue;
        }
        push_text(&mut spans, &mut plain);
        spans.push(Span::Code(code));
    }
    plain.push_str(&rest.replace('`', ""));
    push_text(&mut spans, &mut plain);
    spans
}

fn push_text(spans: &mut Vec<Span>, plain: &mut String) {
    if !plain.is_empty() {
        spans.push(Span::Text(without_marks(plain)));
        plain.clear();
    }
}

/// `:class:` before a code span is markup.
fn without_role(before: &str) -> &str {
    let Some(open) = before.strip_suffix(':') else {
        return before;
    };
    match open.rfind(':') {
        Some(at)
            if open.get(at + 1..).is_some_and(|role| {
                !role.is_empty() && role.chars().all(|c| c.is_ascii_lowercase() || c == ':')
            }) =>
        {
            open.get(..at).unwrap_or(before)
        }
        _ => before,
    }
}

/// `Session <requests.Session>` → `Session`; `~requests.Session` → `Session`.
fn reference(code: &str) -> String {
    let code = match code.split_once(" <") {
        Some((name, _)) => name,
        None => code,
    };
    match code.strip_prefix('~') {
        Some(path) => path.rsplit('.').next().unwrap_or(path),
        None => code,
    }
    .trim()
    .to_owned()
}

/// Without emphasis signs, and with the text of Markdown links in their place.
fn without_marks(text: &str) -> String {
    let text = text.replace("**", "");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(open) = rest.find('[') {
        let link = rest.get(open + 1..).and_then(|from| {
            let (label, after) = from.split_once(']')?;
            let target = after
                .strip_prefix('(')
                .and_then(|t| t.split_once(')'))
                .or_else(|| after.strip_prefix('[').and_then(|t| t.split_once(']')))?;
            (!label.contains('[')).then_some((label, target.1))
        });
        let Some((label, after)) = link else {
            let upto = open + 1;
            out.push_str(rest.get(..upto).unwrap_or_default());
            rest = rest.get(upto..).unwrap_or_default();
            continue;
        };
        out.push_str(rest.get(..open).unwrap_or_default());
        out.push_str(label);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// `a`, `b` and `c`, as code.
pub(crate) fn code_list(names: &[String], last: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    for (at, name) in names.iter().enumerate() {
        if at > 0 {
            let is_last = at + 1 == names.len();
            spans.push(Span::Text(if is_last {
                format!(" {last} ")
            } else {
                ", ".to_owned()
            }));
        }
        spans.push(Span::Code(name.clone()));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(spans: &[Span]) -> String {
        super::super::Statement {
            spans: spans.to_vec(),
            footnotes: Vec::new(),
        }
        .plain()
    }

    #[test]
    fn verbs_are_sorted_so_that_they_can_be_searched() {
        assert!(
            VERBS.is_sorted(),
            "{:?}",
            VERBS.windows(2).find(|pair| pair[0] > pair[1])
        );
    }

    #[test]
    fn sentences_that_start_with_a_verb_follow_a_name() {
        for (doc, clause_) in [
            ("Receives a Response. ", "receives a Response"),
            ("Return the best match.", "returns the best match"),
            (
                "Create and return a session",
                "creates and returns a session",
            ),
            ("Try all, then fail", "tries all, then fail"),
            ("Recursively walk the tree.", "recursively walks the tree"),
            ("Munges the URL", "munges the URL"),
            ("Process it", "processes it"),
            ("Do it", "does it"),
            ("This class represents a path.", "represents a path"),
            (
                "Send :class:`Request <requests.Request>` objects",
                "sends `Request` objects",
            ),
            (
                "Parses ``a.b`` and [links](http://x).",
                "parses `a.b` and links",
            ),
        ] {
            match clause(doc) {
                Clause::Verb(spans) => assert_eq!(plain(&spans), clause_, "{doc}"),
                other => panic!("{doc}: {other:?}"),
            }
        }
    }

    #[test]
    fn noun_phrases_follow_is_and_whole_sentences_are_quoted() {
        for doc in [
            "A user-created Request object.",
            "The main session class that is shared",
            "A list of requests and responses",
            "The set of routes",
        ] {
            assert!(matches!(clause(doc), Clause::Noun(_)), "{doc}");
        }
        for doc in [
            "When being redirected we may want to change the method",
            "The default is used.",
            "The context is a special object that holds state.",
            "The CLI runner provides functionality to invoke a script",
            "The request timed out while trying to connect.",
            "HTTP basic authentication",
            "Process-wide state",
            "Address of the server",
            "This is not a verb",
            "",
        ] {
            assert!(
                matches!(clause(doc), Clause::Quote(_)),
                "{doc}: {:?}",
                clause(doc)
            );
        }
    }

    #[test]
    fn unclosed_marks_do_no_harm() {
        assert_eq!(plain(&spans("a `b [c](d")), "a b [c](d");
        assert_eq!(plain(&spans("[[x]] and [y]")), "[[x]] and [y]");
        assert_eq!(plain(&spans("see `~a.B`_ now")), "see `B` now");
    }

    #[test]
    fn lists_end_with_and() {
        let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(plain(&code_list(&names, "and")), "`a`, `b` and `c`");
        assert_eq!(plain(&code_list(&names[..1], "and")), "`a`");
    }
}
