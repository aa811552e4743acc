//! Turns found definitions into symbols: nesting, qualified names, lines, documentation.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::Node;

use super::compiled::Compiled;
use super::doc;
use super::signature::{self, one_line, slice};
use super::walk::Walk;
use crate::lang::{Symbol, SymbolKind};
use crate::lines::{Line, LineRange};
use crate::source::SkipReason;

/// Longest name, in characters.
pub(super) const NAME_CHARS: usize = 120;

/// Maximum number of definitions around a definition.
const MAX_OWNERS: usize = 200;

/// Limit on the total bytes of all qualified names in a file: this many, plus some for each byte of
/// its text.
const MIN_QUALIFIED_BYTES: usize = 64 << 10;
const QUALIFIED_BYTES_PER_BYTE: usize = 8;

/// What a pattern of `symbols.scm` found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Symbol(SymbolKind),
    /// A node that only gives its members an owner.
    Scope,
}

/// One definition as found by the queries.
pub(super) struct Raw<'tree> {
    pub found: Found,
    pub node: Node<'tree>,
    pub name: String,
    /// First byte of the name.
    pub name_at: usize,
    pub owner: Option<Node<'tree>>,
    /// First byte of the body.
    pub body: Option<usize>,
    pub doc: Option<Node<'tree>>,
}

/// Symbols in order, with what is needed to find the innermost one around a byte.
pub(super) struct Nested {
    pub symbols: Vec<Symbol>,
    /// Bytes of each symbol's node, in the order of `symbols`.
    pub bytes: Vec<Range<usize>>,
    /// Where each body begins, if the symbol has one.
    pub bodies: Vec<Option<usize>>,
}

/// An enclosing definition while nesting.
struct Level {
    bytes: Range<usize>,
    qualified: String,
    /// Its symbol; for a scope, the enclosing symbol.
    symbol: Option<u32>,
    /// Whether functions inside are methods.
    owns_methods: bool,
}

/// What was found out about a definition, for the next one in the same node: one declaration can
/// define thousands of names.
struct Whole {
    node: usize,
    body: Option<usize>,
    first: Line,
    last: Line,
    signature: String,
    /// The first sentence of the comments above.
    doc: String,
}

/// Describes definitions one after another.
struct Describer<'a, 'tree> {
    compiled: &'a Compiled,
    walk: &'a Walk<'tree>,
    text: &'a str,
    last: Option<Whole>,
}

impl<'tree> Describer<'_, 'tree> {
    /// Returns what all definitions of a node share.
    fn whole(&mut self, raw: &Raw<'tree>) -> &Whole {
        let Self { walk, text, .. } = *self;
        let node = walk.whole(raw.node);
        let (id, body) = (node.id(), raw.body);
        let is_known = |last: &Whole| last.node == id && last.body == body;
        let last = self.last.take().filter(is_known);
        self.last.insert(last.unwrap_or_else(|| {
            let bytes = node.byte_range();
            let above = walk.above(bytes.start, text);
            Whole {
                node: id,
                body,
                first: above.start,
                last: walk.last_line(bytes, text),
                signature: signature::of(self.compiled, node, body, text),
                doc: doc::first_sentence(&above.comments),
            }
        }))
    }
}

/// Orders the definitions, finds each one's owner and describes it; an error if they nest too
/// deeply.
pub(super) fn nest<'tree>(
    compiled: &Compiled,
    walk: &Walk<'tree>,
    found: BTreeMap<usize, (usize, Raw<'tree>)>,
    text: &str,
) -> Result<Nested, SkipReason> {
    let mut raws: Vec<Raw<'tree>> = found.into_values().map(|(_, raw)| raw).collect();
    raws.sort_by_key(|raw| {
        let bytes = raw.node.byte_range();
        (bytes.start, Reverse(bytes.end), raw.name_at)
    });
    let mut nested = Nested {
        symbols: Vec::with_capacity(raws.len()),
        bytes: Vec::with_capacity(raws.len()),
        bodies: Vec::with_capacity(raws.len()),
    };
    let mut describer = Describer {
        compiled,
        walk,
        text,
        last: None,
    };
    let mut levels: Vec<Level> = Vec::new();
    // Long names of many owners can be repeated below each of them.
    let mut bytes_left = MIN_QUALIFIED_BYTES + QUALIFIED_BYTES_PER_BYTE * text.len();
    for raw in &raws {
        let bytes = raw.node.byte_range();
        while levels
            .last()
            .is_some_and(|level| !strictly_encloses(&level.bytes, &bytes))
        {
            levels.pop();
        }
        let level = describe(&mut describer, raw, levels.last(), &mut nested);
        let named = bytes_left.checked_sub(level.qualified.len());
        bytes_left = named.ok_or(SkipReason::TooDeep)?;
        levels.push(level);
        if levels.len() > MAX_OWNERS {
            return Err(SkipReason::TooDeep);
        }
    }
    Ok(nested)
}

fn strictly_encloses(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end && outer != inner
}

/// Adds the symbol of `raw` (a scope adds none) and returns it as a level for the following
/// definitions.
fn describe<'tree>(
    describer: &mut Describer<'_, 'tree>,
    raw: &Raw<'tree>,
    outer: Option<&Level>,
    nested: &mut Nested,
) -> Level {
    let (spec, text) = (describer.compiled.spec, describer.text);
    let written = one_line(&raw.name, 4 * NAME_CHARS);
    let (name_owner, name) = match raw.found {
        Found::Scope => (String::new(), (spec.owner)(&written)),
        Found::Symbol(_) => split(&written, spec.separator),
    };
    let captured = raw
        .owner
        .map(|node| slice(text, node.byte_range()))
        .unwrap_or("");
    let mut qualified = outer
        .map(|level| level.qualified.clone())
        .unwrap_or_default();
    let mut has_owner = false;
    for owner in [(spec.owner)(captured), (spec.owner)(&name_owner)] {
        if !owner.is_empty() {
            push_name(&mut qualified, &owner);
            has_owner = true;
        }
    }
    push_name(&mut qualified, &name);
    let bytes = raw.node.byte_range();
    let Found::Symbol(kind) = raw.found else {
        return Level {
            bytes,
            qualified,
            symbol: outer.and_then(|level| level.symbol),
            owns_methods: true,
        };
    };
    let owned = has_owner || outer.is_some_and(|level| level.owns_methods);
    let kind = if kind == SymbolKind::Function && owned {
        SymbolKind::Method
    } else {
        kind
    };
    let at = nested.symbols.len() as u32;
    let parent = outer.and_then(|level| level.symbol);
    let name_line = describer.walk.line_of(raw.name_at);
    let whole = describer.whole(raw);
    let (lines, doc) = lines_and_doc(whole, raw, parent, nested, text);
    nested.symbols.push(Symbol {
        kind,
        name,
        qualified: qualified.clone(),
        signature: whole.signature.clone(),
        doc,
        lines,
        name_line,
        parent,
    });
    nested.bytes.push(bytes.clone());
    nested.bodies.push(raw.body);
    Level {
        bytes,
        qualified,
        symbol: Some(at),
        owns_methods: is_container(kind),
    }
}

/// Returns the lines of a definition, including what belongs to it above, within those of its
/// owner, and the first sentence of its documentation.
fn lines_and_doc(
    whole: &Whole,
    raw: &Raw<'_>,
    parent: Option<u32>,
    nested: &Nested,
    text: &str,
) -> (LineRange, String) {
    let mut start = whole.first;
    let mut end = whole.last.max(start);
    // A definition inside another's decorator comes first; the order by first line must hold even
    // then.
    if let Some(last) = nested.symbols.last() {
        start = start.max(last.lines.start());
        end = end.max(start);
    }
    if let Some(around) = parent.and_then(|parent| nested.symbols.get(parent as usize)) {
        start = start.clamp(around.lines.start(), around.lines.end());
        end = end.clamp(start, around.lines.end());
    }
    let inside = raw
        .doc
        .map(|node| slice(text, node.byte_range()))
        .unwrap_or("");
    let mut sentence = doc::first_sentence(inside);
    if sentence.is_empty() {
        sentence.clone_from(&whole.doc);
    }
    (LineRange::new(start, end), sentence)
}

/// Splits `A::b` → (`A`, `b`). The separator counts only outside type arguments.
pub(super) fn split(written: &str, separator: &str) -> (String, String) {
    let mut depth = 0i32;
    let mut cut = None;
    if !separator.is_empty() {
        for (at, sign) in written.char_indices() {
            let rest = written.get(at..).unwrap_or("");
            match sign {
                _ if rest.starts_with("operator") => break,
                '<' => depth += 1,
                '>' => depth -= 1,
                _ if depth == 0 && rest.starts_with(separator) => cut = Some(at),
                _ => {}
            }
        }
    }
    let (owner, name) = match cut {
        Some(at) => (
            written.get(..at).unwrap_or(""),
            written.get(at + separator.len()..).unwrap_or(""),
        ),
        None => ("", written),
    };
    // Ruby names some members by symbols: `attr_reader :root`.
    let name = match name.trim_start_matches(':') {
        "" => name,
        bare => bare,
    };
    (owner.to_string(), one_line(name, NAME_CHARS))
}

fn push_name(qualified: &mut String, name: &str) {
    if !qualified.is_empty() && !name.is_empty() {
        qualified.push('.');
    }
    qualified.push_str(name);
}

fn is_container(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Class
            | SymbolKind::Interface
            | SymbolKind::Trait
            | SymbolKind::Struct
            | SymbolKind::Enum
            | SymbolKind::Union
    )
}

impl Nested {
    /// Returns the symbol in whose declaration, before its body, `bytes` lie.
    pub(crate) fn declaring(&self, bytes: &Range<usize>) -> Option<u32> {
        let mut at = self.innermost(bytes.start)?;
        // A parameter can itself be a definition.
        while !strictly_encloses(self.bytes.get(at as usize)?, bytes) {
            at = self.symbols.get(at as usize)?.parent?;
        }
        let body = *self.bodies.get(at as usize)?;
        body.is_none_or(|body| bytes.start < body).then_some(at)
    }

    /// Returns the innermost symbol around `byte`.
    pub(crate) fn innermost(&self, byte: usize) -> Option<u32> {
        let after = self.bytes.partition_point(|bytes| bytes.start <= byte);
        let mut at = after.checked_sub(1)? as u32;
        loop {
            let bytes = self.bytes.get(at as usize)?;
            if bytes.contains(&byte) {
                return Some(at);
            }
            at = self.symbols.get(at as usize)?.parent?;
        }
    }
}
