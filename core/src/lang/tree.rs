//! Parses text into a syntax tree, within a budget of depth and of work. Both are counted, not
//! timed, so that the result does not depend on the machine or its load.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::Language;
use crate::source::SkipReason;

/// Maximum number of times that one text is parsed: macros stand around macros.
const MAX_ROUNDS: usize = 4;

/// Allowed parser steps: this many callbacks (one per 100 steps), plus one for each
/// [`BYTES_PER_CALLBACK`] bytes. Ordinary code takes less than one step per byte; ambiguous or
/// broken text can take far more, and is then given up.
const MIN_CALLBACKS: usize = 5_000;
const BYTES_PER_CALLBACK: usize = 4;

/// Deepest nesting of brackets that is parsed. Ambiguous brackets (`a<a<a<…`) cost a generalised LR
/// parser time and memory quadratic in their depth: 40,000 of them, 16 GiB.
const MAX_NESTING: u32 = 2_000;

/// Number of levels of a syntax tree that are walked. A chain of calls (`a.b().c()`) adds two
/// levels per call, a sum one per term. A query counts levels in 16 bits and fails beyond them;
/// long before that it takes seconds.
pub(crate) const MAX_DEPTH: usize = 10_000;

/// Returns the syntax tree, or why there is none: the text nests too deeply, or took too many
/// steps. Code that walks the tree must respect [`MAX_DEPTH`].
pub(crate) fn syntax_tree(grammar: &tree_sitter::Language, text: &str) -> Result<Tree, SkipReason> {
    if is_too_deep(text) {
        return Err(SkipReason::TooDeep);
    }
    let mut parser = Parser::new();
    let mut work = Work::new(MIN_CALLBACKS + text.len() / BYTES_PER_CALLBACK);
    let bytes = text.as_bytes();
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or(&[]);
    let mut progress = |_: &_| work.tick();
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = match parser.set_language(grammar) {
        Ok(()) => parser.parse_with_options(&mut read, None, Some(options)),
        Err(_) => None,
    };
    tree.ok_or(SkipReason::TooMuchWork)
}

/// What stands around definitions without being one: `pin_project! {` and `}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrapper {
    pub opening: Range<usize>,
    pub closing: Range<usize>,
}

/// Returns the syntax tree of code in which definitions inside of macros are read as if the macros
/// were not there, where that gives code without errors.
pub(crate) fn code_tree(
    language: Language,
    grammar: &tree_sitter::Language,
    text: &str,
) -> Result<Tree, SkipReason> {
    let mut tree = syntax_tree(grammar, text)?;
    let Some(wrappers) = language.spec().wrappers else {
        return Ok(tree);
    };
    let mut removed: Vec<Wrapper> = Vec::new();
    let mut refused: BTreeSet<usize> = BTreeSet::new();
    for _ in 1..MAX_ROUNDS {
        let mut found = wrappers(&tree, text);
        found.retain(|it| !refused.contains(&it.opening.start));
        if found.is_empty() {
            break;
        }
        let all = [removed.as_slice(), found.as_slice()].concat();
        let Some(Ok(next)) = without(text, &all).map(|text| syntax_tree(grammar, &text)) else {
            break;
        };
        let errors = errors(next.root_node());
        let is_broken = |it: &&Wrapper| {
            let inside = |error: &Range<usize>| {
                error.start <= it.closing.end && error.end >= it.opening.start
            };
            errors.iter().any(inside)
        };
        let broken = found.iter().filter(is_broken);
        let broken: Vec<usize> = broken.map(|it| it.opening.start).collect();
        if broken.is_empty() {
            (tree, removed) = (next, all);
        }
        refused.extend(broken);
    }
    Ok(tree)
}

/// Replaces wrappers by spaces, so that all else stays where it is.
fn without(text: &str, wrappers: &[Wrapper]) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    for part in wrappers.iter().flat_map(|it| [&it.opening, &it.closing]) {
        for byte in bytes.get_mut(part.clone())? {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// Returns where a tree has errors.
fn errors(root: Node<'_>) -> Vec<Range<usize>> {
    let mut errors = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if node.is_error() || node.is_missing() {
            errors.push(node.byte_range());
            continue;
        }
        let mut cursor = node.walk();
        open.extend(node.children(&mut cursor).filter(Node::has_error));
    }
    errors
}

/// Whether brackets nest beyond [`MAX_NESTING`]. Counts characters without recognising strings or
/// comments: no ordinary text comes near the limit.
fn is_too_deep(text: &str) -> bool {
    let mut brackets = 0u32;
    let mut angles = 0u32;
    let mut last = b' ';
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => brackets += 1,
            b')' | b']' | b'}' => brackets = brackets.saturating_sub(1),
            // Type arguments directly follow their name; most comparisons do not.
            b'<' if !last.is_ascii_whitespace() && last != b'<' => angles += 1,
            b'>' => angles = angles.saturating_sub(1),
            _ => {}
        }
        // Type arguments have ended here, so that comparisons do not add up over a file.
        if matches!(byte, b';' | b':' | b'{' | b'}' | b')') {
            angles = 0;
        }
        if brackets > MAX_NESTING || angles > MAX_NESTING {
            return true;
        }
        last = byte;
    }
    false
}

/// A budget of work, spent in ticks of a progress callback.
pub(crate) struct Work {
    /// `None` once there was one tick too many.
    left: Option<usize>,
}

impl Work {
    pub(crate) fn new(ticks: usize) -> Self {
        Self { left: Some(ticks) }
    }

    /// Spends one tick; stops the work when none is left.
    pub(crate) fn tick(&mut self) -> ControlFlow<()> {
        self.left = self.left.and_then(|left| left.checked_sub(1));
        match self.left {
            Some(_) => ControlFlow::Continue(()),
            None => ControlFlow::Break(()),
        }
    }

    /// Whether the work was stopped before its end.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.is_none()
    }
}
