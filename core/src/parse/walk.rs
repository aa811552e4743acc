//! One pass over all nodes of a tree that collects comments and attributes by row, wrappers, places
//! to cut, and problems. No recursion, so that deep nesting cannot overflow the stack.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

use super::compiled::{Compiled, Trait};
use super::signature::{one_line, slice};
use crate::lang::tree::MAX_DEPTH;
use crate::lang::{Break, Problem};
use crate::lines::{Line, LineIndex, LineRange, Row};
use crate::source::SkipReason;

/// Maximum number of problems kept; more say nothing new.
const MAX_PROBLEMS: usize = 20;

/// Number of characters shown of what could not be parsed.
const SHOWN_CHARS: usize = 40;

/// Deepest indentation examined, in bytes: a bound, so that long rows do not cost quadratic time.
const MAX_INDENT: usize = 400;

/// Iterates over a node and its descendants, parents first.
pub(super) struct Preorder<'tree> {
    cursor: TreeCursor<'tree>,
    depth: usize,
    started: bool,
}

impl<'tree> Preorder<'tree> {
    pub(crate) fn new(root: Node<'tree>) -> Self {
        Self {
            cursor: root.walk(),
            depth: 0,
            started: false,
        }
    }

    /// Returns the next node and its depth below the root; `descend`: whether to enter the last
    /// one.
    pub(crate) fn next(&mut self, descend: bool) -> Option<(Node<'tree>, usize)> {
        if !self.started {
            self.started = true;
            return Some((self.cursor.node(), 0));
        }
        if descend && self.cursor.goto_first_child() {
            self.depth += 1;
            return Some((self.cursor.node(), self.depth));
        }
        while self.depth > 0 {
            if self.cursor.goto_next_sibling() {
                return Some((self.cursor.node(), self.depth));
            }
            self.cursor.goto_parent();
            self.depth -= 1;
        }
        None
    }
}

/// A comment or attribute that is alone on its rows.
#[derive(Clone, Debug)]
struct Attached {
    first: u32,
    is_comment: bool,
    bytes: Range<usize>,
}

/// An ancestor during the pass.
struct Level {
    is_block: bool,
    /// Number of blocks around its children.
    blocks: u16,
    /// Length of the run of unnamed children that ends at the current one.
    unnamed: u64,
}

/// What the pass found.
pub(super) struct Walk<'tree> {
    lines: LineIndex,
    /// By last row.
    attached: HashMap<u32, Attached>,
    /// The outermost wrapper, by the id of the wrapped node.
    wrapped: HashMap<usize, Node<'tree>>,
    pub breaks: Vec<Break>,
    pub problems: Vec<Problem>,
    /// Number of steps that a query cursor will spend on skipping unnamed siblings in search of a
    /// named one: half the square of each run of unnamed siblings. Broken text can contain 100,000
    /// of them in a row.
    pub sibling_steps: u64,
    /// Number of levels of the tree.
    pub depth: usize,
}

/// The comments and attributes directly above a definition.
pub(super) struct Above {
    /// First line that belongs to the definition.
    pub start: Line,
    /// The comments among them, in order, one per line.
    pub comments: String,
}

impl<'tree> Walk<'tree> {
    /// Returns an error if the tree has more than [`MAX_DEPTH`] levels.
    pub(crate) fn new(
        compiled: &Compiled,
        root: Node<'tree>,
        text: &str,
    ) -> Result<Self, SkipReason> {
        let mut walk = Self {
            lines: LineIndex::new(text),
            attached: HashMap::new(),
            wrapped: HashMap::new(),
            breaks: Vec::new(),
            problems: Vec::new(),
            sibling_steps: 0,
            depth: 0,
        };
        walk.run(compiled, root, text)?;
        Ok(walk)
    }

    fn run(
        &mut self,
        compiled: &Compiled,
        root: Node<'tree>,
        text: &str,
    ) -> Result<(), SkipReason> {
        let is_broken = root.has_error();
        let mut levels: Vec<Level> = Vec::new();
        let mut statements: Vec<(u32, u16)> = Vec::new();
        let mut steps = Preorder::new(root);
        while let Some((node, depth)) = steps.next(true) {
            if depth > MAX_DEPTH {
                return Err(SkipReason::TooDeep);
            }
            self.depth = self.depth.max(depth);
            levels.truncate(depth);
            let traits = compiled.traits(node);
            let is_named = traits.has(Trait::Named);
            let mut blocks = 0;
            let mut in_block = false;
            if let Some(level) = levels.last_mut() {
                level.unnamed = if is_named { 0 } else { level.unnamed + 1 };
                self.sibling_steps += level.unnamed;
                (in_block, blocks) = (level.is_block, level.blocks);
            }
            let is_block = traits.has(Trait::Block);
            levels.push(Level {
                is_block,
                blocks: blocks.saturating_add(u16::from(is_block)),
                unnamed: 0,
            });
            if traits.has(Trait::Comment) || traits.has(Trait::Attribute) {
                self.attach(node, traits.has(Trait::Comment), text);
            } else if in_block && is_named && self.starts_row(node.start_byte(), text) {
                statements.push((node.start_position().row as u32, blocks.saturating_sub(1)));
            }
            if traits.has(Trait::Wrapper) {
                self.wrap(node);
            }
            if is_broken && (node.is_error() || node.is_missing()) {
                self.report(node, text);
            }
        }
        self.add_breaks(statements);
        Ok(())
    }

    fn attach(&mut self, node: Node<'_>, is_comment: bool, text: &str) {
        // The grammars use this field to mark a comment that documents the item that contains it
        // (`//!`).
        let documents_inside = node.child_by_field_name("inner").is_some();
        if documents_inside || !self.starts_row(node.start_byte(), text) {
            return;
        }
        let attached = Attached {
            first: node.start_position().row as u32,
            is_comment,
            bytes: node.byte_range(),
        };
        self.attached.insert(last_row(node), attached);
    }

    /// Detaches attributes that are definitions themselves from what follows them.
    pub fn detach(&mut self, definitions: impl Iterator<Item = usize>) {
        let starts: HashSet<usize> = definitions.collect();
        self.attached
            .retain(|_, attached| attached.is_comment || !starts.contains(&attached.bytes.start));
    }

    /// Records the only definition inside a wrapper; a wrapper of several belongs to none of them.
    fn wrap(&mut self, wrapper: Node<'tree>) {
        let outermost = self.whole(wrapper);
        let mut cursor = wrapper.walk();
        // `const ( … )` is a list even with a single entry.
        if wrapper
            .children(&mut cursor)
            .take(3)
            .any(|child| child.kind() == "(")
        {
            return;
        }
        let children: Vec<Node<'tree>> = wrapper.named_children(&mut cursor).take(64).collect();
        for child in &children {
            let alike = children
                .iter()
                .filter(|other| other.kind_id() == child.kind_id());
            if alike.count() == 1 {
                self.wrapped.insert(child.id(), outermost);
            }
        }
    }

    fn report(&mut self, node: Node<'_>, text: &str) {
        if self.problems.len() >= MAX_PROBLEMS {
            return;
        }
        let what = if node.is_missing() {
            format!("`{}` is missing", node.kind())
        } else {
            let shown = slice(text, node.byte_range());
            format!("not understood: `{}`", one_line(shown, SHOWN_CHARS))
        };
        self.problems.push(Problem {
            line: self.lines.line_of(node.start_byte()),
            what,
        });
    }

    /// Adds one break per line, for the outermost statement that starts on it; comments above stay
    /// with it.
    fn add_breaks(&mut self, statements: Vec<(u32, u16)>) {
        let mut breaks: Vec<Break> = statements
            .into_iter()
            .map(|(row, depth)| Break {
                line: self.above_row(row),
                depth,
            })
            .collect();
        breaks.sort_by_key(|at| (at.line, at.depth));
        breaks.dedup_by_key(|at| at.line);
        self.breaks = breaks;
    }

    /// Returns the first line of the comments and attributes directly above `row`, else the row's
    /// own line.
    fn above_row(&self, row: u32) -> Line {
        let mut first = row;
        while let Some(attached) = first
            .checked_sub(1)
            .and_then(|last| self.attached.get(&last))
        {
            first = attached.first.min(first.saturating_sub(1));
        }
        Row(first).into()
    }

    /// Returns the outermost wrapper of `node`, else `node` itself.
    pub(crate) fn whole(&self, node: Node<'tree>) -> Node<'tree> {
        self.wrapped.get(&node.id()).copied().unwrap_or(node)
    }

    /// Returns what stands directly above the definition that starts at byte `start`.
    pub(crate) fn above(&self, start: usize, text: &str) -> Above {
        let line = self.lines.line_of(start);
        let mut above = Above {
            start: line,
            comments: String::new(),
        };
        if !self.starts_row(start, text) {
            return above;
        }
        let mut comments: Vec<&str> = Vec::new();
        let mut first = Row::from(line).0;
        while let Some(attached) = first
            .checked_sub(1)
            .and_then(|last| self.attached.get(&last))
        {
            first = attached.first.min(first.saturating_sub(1));
            if attached.is_comment {
                // Some grammars include the line end in the comment; an empty line would end its
                // sentence.
                comments.push(slice(text, attached.bytes.clone()).trim_end());
            }
        }
        comments.reverse();
        above.start = Row(first).into();
        above.comments = comments.join("\n");
        above
    }

    pub(crate) fn line_of(&self, byte: usize) -> Line {
        self.lines.line_of(byte)
    }

    /// Whether only white space stands before `byte` on its row.
    fn starts_row(&self, byte: usize, text: &str) -> bool {
        let line = self.lines.line_of(byte);
        let row = self.lines.bytes(LineRange::new(line, line));
        let start = row.map_or(byte, |row| row.start);
        byte.saturating_sub(start) <= MAX_INDENT
            && slice(text, start..byte).chars().all(char::is_whitespace)
    }

    /// Returns the last line of `bytes`: that of its last character that is not white space.
    pub(crate) fn last_line(&self, bytes: Range<usize>, text: &str) -> Line {
        let used = slice(text, bytes.clone()).trim_end().len();
        self.lines.line_of(bytes.start + used.saturating_sub(1))
    }
}

/// Returns the last row of a node; one that ends with its line end does not reach the next row.
fn last_row(node: Node<'_>) -> u32 {
    let end = node.end_position();
    let row = if end.column == 0 && end.row > node.start_position().row {
        end.row - 1
    } else {
        end.row
    };
    row as u32
}
