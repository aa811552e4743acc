//! Code without its comments, documentation and layout: the rest is compared between two versions.

use std::ops::Range;

use tree_sitter::Node;

use super::compiled::{Compiled, Trait};
use super::signature::slice;
use super::symbols::Nested;
use super::walk::Preorder;
use crate::lang::{Symbol, SymbolKind};
use crate::lines::{Line, LineIndex, LineRange};

/// A word, operator or literal in code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// Its bytes in the text.
    pub bytes: Range<u32>,
    /// The line on which it begins.
    pub line: Line,
    /// Number of tree levels above it. Distinguishes `if a: b` and `c` from `if a: b; c`, which
    /// differ only in layout.
    pub depth: u16,
    /// The innermost definition that it belongs to, as an index into [`Code::symbols`].
    pub owner: Option<u32>,
    /// Whether it stands before its owner's body, decorators and attributes included.
    pub in_head: bool,
}

/// The definitions of a text and its tokens, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Code {
    /// In order of their first line, owners before members.
    pub symbols: Vec<Symbol>,
    /// Without comments, documentation, white space, and the trailing comma of a multi-line list.
    pub tokens: Vec<Token>,
}

/// Reads the tokens below `root`; `docs` are the bytes of documentation inside bodies.
pub(super) fn read(
    compiled: &Compiled,
    root: Node<'_>,
    nested: Nested,
    mut docs: Vec<Range<usize>>,
    text: &str,
) -> Code {
    docs.sort_by_key(|doc| doc.start);
    let mut reader = Reader {
        text,
        lines: LineIndex::new(text),
        at: 0,
        tokens: Vec::new(),
    };
    let mut docs = docs.into_iter().peekable();
    let mut descend = true;
    let mut steps = Preorder::new(root);
    while let Some((node, depth)) = steps.next(descend) {
        let bytes = node.byte_range();
        while docs.next_if(|doc| doc.end <= bytes.start).is_some() {}
        let is_doc = docs.peek().is_some_and(|doc| *doc == bytes);
        let is_silent = is_doc || compiled.traits(node).has(Trait::Comment) || is_joint(node);
        descend = !is_silent && !is_whole(node);
        if is_silent {
            reader.gap(bytes.start, depth);
            reader.at = bytes.end.max(reader.at);
        } else if !descend {
            reader.gap(bytes.start, depth);
            reader.push(bytes, depth);
        }
    }
    reader.gap(text.len(), 0);
    let mut tokens = without_last_commas(reader.tokens, text);
    own(&mut tokens, &nested, &reader.lines);
    Code {
        symbols: nested.symbols,
        tokens,
    }
}

/// Whether a node is a sign that only joins two lines.
fn is_joint(node: Node<'_>) -> bool {
    node.kind() == "line_continuation"
}

/// Whether a node is one token: a leaf, or a literal, in which white space counts.
fn is_whole(node: Node<'_>) -> bool {
    let kind = node.kind();
    node.child_count() == 0 || kind.contains("string") && !kind.starts_with("concatenated")
}

struct Reader<'t> {
    text: &'t str,
    lines: LineIndex,
    /// Where the last token ended.
    at: usize,
    tokens: Vec<Token>,
}

impl Reader<'_> {
    /// Reads what no leaf covers: some grammars omit parts of a literal from their trees.
    fn gap(&mut self, until: usize, depth: usize) {
        if self.at < until && !slice(self.text, self.at..until).trim().is_empty() {
            self.push(self.at..until, depth);
        }
    }

    fn push(&mut self, bytes: Range<usize>, depth: usize) {
        let bytes = bytes.start.max(self.at)..bytes.end;
        if bytes.start >= bytes.end {
            return;
        }
        self.at = bytes.end;
        if slice(self.text, bytes.clone()).trim().is_empty() {
            return;
        }
        self.tokens.push(Token {
            line: self.lines.line_of(bytes.start),
            bytes: bytes.start as u32..bytes.end as u32,
            depth: depth.min(usize::from(u16::MAX)) as u16,
            owner: None,
            in_head: false,
        });
    }
}

/// Removes each comma that only ends the last line of a list.
fn without_last_commas(tokens: Vec<Token>, text: &str) -> Vec<Token> {
    let said = |token: &Token| slice(text, token.bytes.start as usize..token.bytes.end as usize);
    let is_last = |token: &Token, next: Option<&Token>| {
        said(token) == ","
            && next
                .is_some_and(|next| next.line > token.line && matches!(said(next), ")" | "]" | "}"))
    };
    let mut left_out = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        left_out.push(is_last(token, tokens.get(at + 1)));
    }
    let mut left_out = left_out.into_iter();
    let mut tokens = tokens;
    tokens.retain(|_| !left_out.next().unwrap_or(false));
    tokens
}

/// Assigns each token to its definition.
fn own(tokens: &mut [Token], nested: &Nested, lines: &LineIndex) {
    let leads = leads(nested, lines);
    let mut next = 0;
    for token in tokens {
        let at = token.bytes.start as usize;
        while leads.get(next).is_some_and(|lead| lead.end <= at) {
            next += 1;
        }
        let around = nested.innermost(at);
        let leads_to = leads.get(next).filter(|lead| lead.start <= at);
        let below = leads_to.and_then(|_| nested.symbols.get(next));
        if let Some(below) = below.filter(|below| below.parent == around) {
            token.owner = Some(next as u32);
            token.in_head = has_head(below.kind);
            continue;
        }
        token.owner = around;
        let symbol = around.and_then(|at| nested.symbols.get(at as usize));
        let body = around.and_then(|at| *nested.bodies.get(at as usize)?);
        token.in_head =
            symbol.is_some_and(|it| has_head(it.kind)) && body.is_none_or(|body| at < body);
    }
}

/// Returns the bytes from the first line of each definition to its own first byte: decorators,
/// attributes, `export`.
fn leads(nested: &Nested, lines: &LineIndex) -> Vec<Range<usize>> {
    let symbols = nested.symbols.iter().zip(&nested.bytes);
    let leads = symbols.map(|(symbol, bytes)| {
        let first = symbol.lines.start();
        let row = lines.bytes(LineRange::new(first, first));
        row.map_or(bytes.start, |row| row.start.min(bytes.start))..bytes.start
    });
    leads.collect()
}

/// Whether a definition has a declaration separate from its value.
fn has_head(kind: SymbolKind) -> bool {
    use SymbolKind::{Constant, Key, Section, Type, Variable};
    !matches!(kind, Constant | Variable | Type | Section | Key)
}

#[cfg(test)]
mod tests {
    use super::super::code;
    use super::*;
    use crate::lang::Language;

    /// Returns the tokens of a definition and its members, those of heads before the bar.
    fn of(language: Language, text: &str, name: &str) -> String {
        let code = code(language, text).unwrap();
        let at = code.symbols.iter().position(|it| it.qualified == name);
        let at = at.map(|at| at as u32).unwrap();
        let own = code.tokens.iter().filter(|token| token.owner == Some(at));
        let (head, body): (Vec<&Token>, Vec<&Token>) = own.partition(|token| token.in_head);
        let said = |tokens: Vec<&Token>| {
            let said = tokens.into_iter().map(|token| {
                let bytes = token.bytes.start as usize..token.bytes.end as usize;
                text.get(bytes).unwrap()
            });
            said.collect::<Vec<_>>().join(" ")
        };
        format!("{} | {}", said(head), said(body)).trim().to_owned()
    }

    #[test]
    fn comments_documentation_and_layout_are_left_out() {
        let text = "\
@cached
def greet(
    name,  # who
    mark=\"  !\",
):
    \"\"\"Says hello.\"\"\"
    # politely
    return name + \\
        mark
";
        let expected = "@ cached def greet ( name , mark = \"  !\" ) : | return name + mark";
        assert_eq!(of(Language::Python, text, "greet"), expected);
    }

    #[test]
    fn code_of_a_member_does_not_belong_to_its_owner() {
        let text =
            "class A(B):\n    x = 1\n    X = 2\n    @property\n    def f(self):\n        pass\n";
        assert_eq!(of(Language::Python, text, "A"), "class A ( B ) : | x = 1");
        assert_eq!(of(Language::Python, text, "A.X"), "| X = 2");
        assert_eq!(
            of(Language::Python, text, "A.f"),
            "@ property def f ( self ) : | pass"
        );
    }

    #[test]
    fn attributes_belong_to_the_item_below_them() {
        let text =
            "/// Doc.\n#[inline]\npub fn f(a: u8) -> u8 {\n    a // same\n}\nconst N: u8 = 1;\n";
        assert_eq!(
            of(Language::Rust, text, "f"),
            "# [ inline ] pub fn f ( a : u8 ) -> u8 | { a }"
        );
        assert_eq!(of(Language::Rust, text, "N"), "| const N : u8 = 1 ;");
    }

    #[test]
    fn statements_that_only_their_indentation_places_lie_at_different_depths() {
        let depths = |text: &str| {
            let code = code(Language::Python, text).unwrap();
            let depths: Vec<u16> = code.tokens.iter().map(|token| token.depth).collect();
            depths
        };
        let inside = depths("def f():\n    if a:\n        b()\n        c()\n");
        let after = depths("def f():\n    if a:\n        b()\n    c()\n");
        assert_eq!(inside.len(), after.len());
        assert_ne!(inside, after);
    }

    #[test]
    fn text_is_not_code() {
        assert_eq!(code(Language::Markdown, "# Title\n"), None);
    }
}
