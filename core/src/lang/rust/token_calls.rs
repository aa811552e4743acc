//! Calls in the arguments of macros: `assert_eq!(pool.len(), 2)`. The grammar leaves them as
//! tokens.

use std::ops::Range;

use tree_sitter::Node;

use crate::lang::spec::TokenCall;

/// Macros whose arguments are no code, or code that is only made here.
const NO_CODE: [&str; 14] = [
    "quote",
    "quote_spanned",
    "parse_quote",
    "parse_quote_spanned",
    "stringify",
    "cfg",
    "html",
    "rsx",
    "view",
    "json",
    "sql",
    "query",
    "query_as",
    "bitflags",
];

/// Macros whose braces hold expressions; those of others mostly hold a language of their own.
const WITH_BRACES: [&str; 4] = ["select", "join", "try_join", "vec"];

/// Words that are tokens like names, and stand before parentheses.
const WORDS: [&str; 6] = ["in", "else", "move", "ref", "dyn", "box"];

/// Most tokens that a receiver is made of.
const RECEIVER_TOKENS: usize = 64;

/// Returns the calls in the arguments of a macro, by position.
pub(super) fn read(invocation: Node<'_>, text: &str) -> Vec<TokenCall> {
    let said = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let name = invocation.child_by_field_name("macro").map_or("", said);
    let name = name.rsplit("::").next().unwrap_or(name);
    let mut cursor = invocation.walk();
    let mut parts = invocation.children(&mut cursor);
    let Some(tokens) = parts.find(|part| part.kind() == "token_tree") else {
        return Vec::new();
    };
    let is_read = !said(tokens).starts_with('{') || WITH_BRACES.contains(&name);
    if NO_CODE.contains(&name) || !is_read {
        return Vec::new();
    }
    // `matches!(error, Error::Lost(_))` makes nothing.
    let has_patterns = name.contains("matches");
    let mut found = Vec::new();
    let mut open = vec![tokens];
    while let Some(tree) = open.pop() {
        let mut cursor = tree.walk();
        let tokens: Vec<Node<'_>> = tree.children(&mut cursor).collect();
        found.extend(calls(&tokens, text, has_patterns));
        open.extend(tokens.into_iter().filter(|it| it.kind() == "token_tree"));
    }
    found.sort_by_key(|call| call.name.start);
    found
}

/// Returns the calls among tokens, without those inside of parentheses and the like.
fn calls(tokens: &[Node<'_>], text: &str, has_patterns: bool) -> Vec<TokenCall> {
    let tokens = Tokens { tokens, text };
    let is_call = |at: &usize| {
        let name = tokens.said(*at);
        let is_name = tokens.kind(*at) == "identifier" && !WORDS.contains(&name);
        let is_pattern = has_patterns && name.starts_with(char::is_uppercase);
        let is_definition = at.checked_sub(1).is_some_and(|at| tokens.said(at) == "fn");
        is_name && !is_pattern && !is_definition && tokens.is_called(*at)
    };
    let found = (0..tokens.tokens.len()).filter(is_call);
    found
        .filter_map(|at| {
            Some(TokenCall {
                name: tokens.tokens.get(at)?.byte_range(),
                receiver: tokens.receiver(at),
            })
        })
        .collect()
}

struct Tokens<'a, 'tree> {
    tokens: &'a [Node<'tree>],
    text: &'a str,
}

impl Tokens<'_, '_> {
    fn said(&self, at: usize) -> &str {
        let bytes = self.tokens.get(at).map(Node::byte_range);
        bytes.and_then(|it| self.text.get(it)).unwrap_or_default()
    }

    fn kind(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", Node::kind)
    }

    fn joins(&self, at: usize) -> bool {
        matches!(self.said(at), "." | "::")
    }

    fn is_tree(&self, at: usize) -> bool {
        self.kind(at) == "token_tree"
    }

    /// Whether a token ends where another begins.
    fn touch(&self, at: usize, other: usize) -> bool {
        match (self.tokens.get(at), self.tokens.get(other)) {
            (Some(token), Some(other)) => token.end_byte() == other.start_byte(),
            _ => false,
        }
    }

    /// Whether a token is a name or a literal.
    fn is_value(&self, at: usize) -> bool {
        let kind = self.kind(at);
        let names = ["identifier", "self", "super", "crate", "primitive_type"];
        kind.ends_with("literal") || names.contains(&kind) && !WORDS.contains(&self.said(at))
    }

    /// Whether parentheses follow the name at `at` at once, or those of a macro behind `!`, or
    /// types and then parentheses: `parse::<u32>()`.
    fn is_called(&self, at: usize) -> bool {
        match self.said(at + 1) {
            next if next.starts_with('(') => self.touch(at, at + 1) && self.is_tree(at + 1),
            "!" => self.is_tree(at + 2),
            "::" if self.said(at + 2) == "<" => {
                let mut types = at + 3..at + 3 + RECEIVER_TOKENS;
                let closing = types.find(|at| self.said(*at) == ">");
                closing
                    .is_some_and(|at| self.said(at + 1).starts_with('(') && self.touch(at, at + 1))
            }
            _ => false,
        }
    }

    /// Returns the bytes of what stands before the `.` or `::` before a name.
    fn receiver(&self, name: usize) -> Option<Range<usize>> {
        let end = name.checked_sub(1).filter(|at| self.joins(*at))?;
        let mut start = self.operand(end)?;
        while let Some(before) = start.checked_sub(1).filter(|at| self.joins(*at)) {
            match self.operand(before) {
                Some(first) if end - first <= RECEIVER_TOKENS => start = first,
                _ => break,
            }
        }
        let (first, last) = (self.tokens.get(start)?, self.tokens.get(end - 1)?);
        Some(first.start_byte()..last.end_byte())
    }

    /// Returns where the operand that ends before `end` begins: `f::<T>(x)?` or `(a + b)`, say.
    fn operand(&self, end: usize) -> Option<usize> {
        let before = |at: usize| at.checked_sub(1);
        let mut at = end;
        while before(at).is_some_and(|at| self.said(at) == "?") {
            at -= 1;
        }
        while before(at).is_some_and(|at| self.is_tree(at)) {
            at = self.before_types(at - 1);
            let is_called = before(at).is_some_and(|name| {
                (self.is_value(name) || self.is_tree(name)) && self.touch(name, at)
            });
            if !is_called {
                return Some(at);
            }
        }
        before(at).filter(|at| self.is_value(*at))
    }

    /// Returns where the types before arguments begin, with their `::`; `at` if there are none.
    fn before_types(&self, at: usize) -> usize {
        let Some(closing) = at.checked_sub(1).filter(|at| self.said(*at) == ">") else {
            return at;
        };
        let first = closing.saturating_sub(RECEIVER_TOKENS);
        let opening = (first..closing).rev().find(|at| self.said(*at) == "<");
        let sign = opening.and_then(|at| at.checked_sub(1));
        sign.filter(|at| self.said(*at) == "::").unwrap_or(at)
    }
}

#[cfg(test)]
mod tests {
    use crate::lang::Language;
    use crate::parse::parse_as;

    fn calls(body: &str) -> Vec<String> {
        let text = format!("fn test() {{\n{body}\n}}\n");
        let parsed = parse_as(Language::Rust, &text);
        let calls = parsed.calls.iter().map(|call| {
            assert_eq!(call.caller, Some(0), "{body}");
            match &call.receiver {
                Some(receiver) => format!("{receiver} . {}", call.name),
                None => call.name.clone(),
            }
        });
        calls
            .filter(|it| it != "assert" && it != "matches")
            .collect()
    }

    #[test]
    fn calls_in_arguments_of_macros_are_found_with_their_receivers() {
        for (body, expected) in [
            ("assert!(open(a));", &["open"][..]),
            ("assert!(self.is_open());", &["self . is_open"]),
            ("assert!(!a.b.is_open());", &["a.b . is_open"]),
            (
                "assert!(x == pool.state().idle());",
                &["pool . state", "pool.state() . idle"],
            ),
            (
                "assert!(net::tcp::open(1)?.ping());",
                &["net::tcp . open", "net::tcp::open(1)? . ping"],
            ),
            ("assert!(a, (b));", &[]),
            (
                "assert!(text.parse::<u32>().is_ok());",
                &["text . parse", "text.parse::<u32>() . is_ok"],
            ),
            (
                "assert!(if (a) { go() } else { stop[0].run() });",
                &["go", "stop[0] . run"],
            ),
            (
                "assert!(matches!(read(), Some(_)));",
                &["matches", "read", "Some"],
            ),
            ("matches!(read(), Error::Lost(_));", &["read"]),
            ("quote!(open(a));", &["quote"]),
            ("lalr! { Call = name(Args) }", &["lalr"]),
        ] {
            let found = calls(body);
            let found: Vec<&str> = found.iter().map(String::as_str).collect();
            let expected: Vec<&str> = expected
                .iter()
                .copied()
                .filter(|it| *it != "matches")
                .collect();
            assert_eq!(found, expected, "{body}");
        }
    }
}
