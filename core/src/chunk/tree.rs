//! The tree of symbols that become chunks of their own, and the walk over it that covers every
//! line.

use super::measure::Measure;
use super::{ChunkKind, Piece};
use crate::lang::Parsed;

/// Deeper nesting is ignored, so that hostile input cannot exhaust the stack.
const MAX_DEPTH: u32 = 24;

/// What to do with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// One piece, which may be split later if it is too long.
    Leaf,
    /// Its head, and each of its members.
    Descend,
}

/// How the languages of one family are cut.
pub(super) trait Style {
    /// Whether the symbol may become a chunk of its own; otherwise it belongs to the lines around
    /// it.
    fn owns_chunk(&self, at: u32) -> bool;
    /// `members` is the number of rows covered by its members with chunks of their own.
    fn plan(&self, at: u32, first: u32, last: u32, members: u32) -> Plan;
    /// The kinds of a leaf, of a container's first lines, and of lines between members.
    fn kinds(&self) -> (ChunkKind, ChunkKind, ChunkKind);
}

/// The symbols with chunks of their own, each below its nearest owner that also has one.
struct Tree {
    roots: Vec<u32>,
    members: Vec<Vec<u32>>,
}

impl Tree {
    fn new(parsed: &Parsed, style: &impl Style) -> Self {
        let count = parsed.symbols.len();
        let mut tree = Tree {
            roots: Vec::new(),
            members: vec![Vec::new(); count],
        };
        // The nearest owner with a chunk: the symbol itself, or the one inherited from its parent.
        let mut nearest: Vec<Option<u32>> = Vec::with_capacity(count);
        for (at, symbol) in parsed.symbols.iter().enumerate() {
            let parent = symbol.parent.filter(|&parent| (parent as usize) < at);
            let owner = parent.and_then(|parent| nearest.get(parent as usize).copied().flatten());
            if !style.owns_chunk(at as u32) {
                nearest.push(owner);
                continue;
            }
            nearest.push(Some(at as u32));
            match owner.and_then(|owner| tree.members.get_mut(owner as usize)) {
                Some(members) => members.push(at as u32),
                None => tree.roots.push(at as u32),
            }
        }
        let start = |at: &u32| parsed.symbols.get(*at as usize).map(|s| s.lines.start());
        tree.roots.sort_by_key(start);
        for members in &mut tree.members {
            members.sort_by_key(start);
        }
        tree
    }

    fn members(&self, owner: Option<u32>) -> &[u32] {
        match owner {
            None => &self.roots,
            Some(owner) => self.members.get(owner as usize).map_or(&[], Vec::as_slice),
        }
    }
}

/// Cuts all rows of the text into pieces: sorted, without gaps or overlaps.
pub(super) fn walk(measure: &Measure, parsed: &Parsed, style: &impl Style) -> Vec<Piece> {
    let mut walk = Walk {
        measure,
        parsed,
        style,
        tree: Tree::new(parsed, style),
        pieces: Vec::new(),
    };
    let (_, _, between) = style.kinds();
    walk.region(0, measure.rows() - 1, None, between, 0);
    walk.pieces
}

struct Walk<'a, S> {
    measure: &'a Measure,
    parsed: &'a Parsed,
    style: &'a S,
    tree: Tree,
    pieces: Vec<Piece>,
}

impl<S: Style> Walk<'_, S> {
    /// Cuts the rows `first..=last` of `owner`: its members, and the rows before, between and after
    /// them.
    fn region(&mut self, first: u32, last: u32, owner: Option<u32>, lead: ChunkKind, depth: u32) {
        let (_, _, between) = self.style.kinds();
        let mut cursor = first;
        let mut kind = lead;
        for member in self.tree.members(owner).to_vec() {
            let Some((start, end)) = self.clip(member, cursor, last) else {
                continue;
            };
            if start > cursor {
                self.push(cursor, start - 1, kind, owner);
            }
            kind = between;
            self.member(start, end, member, depth);
            cursor = end + 1;
        }
        if cursor <= last {
            self.push(cursor, last, kind, owner);
        }
    }

    fn member(&mut self, first: u32, last: u32, at: u32, depth: u32) {
        let (leaf, head, _) = self.style.kinds();
        let members = self.rows_of_members(at, first, last);
        let plan = self.style.plan(at, first, last, members);
        if plan == Plan::Descend && depth < MAX_DEPTH {
            self.region(first, last, Some(at), head, depth + 1);
        } else {
            self.push(first, last, leaf, Some(at));
        }
    }

    fn rows_of_members(&self, owner: u32, first: u32, last: u32) -> u32 {
        let members = self.tree.members(Some(owner)).iter();
        members
            .filter_map(|&at| self.clip(at, first, last))
            .map(|(start, end)| end + 1 - start)
            .fold(0, u32::saturating_add)
    }

    /// The rows of a symbol, clipped to `first..=last`.
    fn clip(&self, at: u32, first: u32, last: u32) -> Option<(u32, u32)> {
        let symbol = self.parsed.symbols.get(at as usize)?;
        let (start, end) = self.measure.rows_of(symbol)?;
        let (start, end) = (start.max(first), end.min(last));
        (start <= end).then_some((start, end))
    }

    fn push(&mut self, first: u32, last: u32, kind: ChunkKind, symbol: Option<u32>) {
        self.pieces.push(Piece {
            first,
            last,
            kind,
            symbol,
        });
    }
}
