//! Definitions that only one version has: which of them were renamed or moved.

use std::collections::BTreeMap;

use super::code::{Digest, FileCode, Print};
use super::{Definition, DefinitionChange, Differing, What};
use crate::lang::SymbolKind;

/// A definition needs at least this many tokens to be recognised under another name.
pub const LEAST_CODE: u32 = 12;

/// A definition that only one version has.
pub(super) struct Loose {
    definition: Definition,
    print: Print,
    /// The index of its pair of files.
    pair: usize,
    /// Its index among the symbols of its file, and the index after its last member.
    at: u32,
    end: u32,
    /// Whether its owner is loose too.
    is_part: bool,
    /// Its qualified name without its own name: `Session` of `Session.send`.
    owner: String,
}

impl Loose {
    /// All definitions of a file that have no counterpart in the other version.
    pub(crate) fn all(code: &FileCode<'_>, pair: usize, known: &[bool]) -> Vec<Self> {
        let is_loose = |at: u32| known.get(at as usize) == Some(&false);
        let symbols = (0..).zip(&code.code.symbols);
        let loose = symbols.filter(|(at, _)| is_loose(*at));
        let loose = loose.filter_map(|(at, symbol)| {
            let definition = code.definition(at)?;
            let owner = symbol.qualified.strip_suffix(&symbol.name);
            Some(Self {
                print: *code.prints.get(at as usize)?,
                pair,
                at,
                end: code.ends.get(at as usize).copied()?,
                is_part: symbol.parent.is_some_and(is_loose),
                owner: owner.unwrap_or_default().to_owned(),
                definition,
            })
        });
        loose.collect()
    }

    fn is_constant(&self) -> bool {
        matches!(
            self.definition.kind,
            SymbolKind::Constant | SymbolKind::Variable
        )
    }
}

/// What has to be equal in two definitions.
#[derive(Clone, Copy)]
struct Rule {
    /// Their names. If false, the names have to differ.
    name: bool,
    /// Their files and owners.
    place: bool,
    /// What stands before their bodies.
    head: bool,
}

/// In the order they are tried: with equal heads by place, by name, by code alone; then with any
/// head by place and by name.
const RULES: [Rule; 5] = [
    Rule {
        name: false,
        place: true,
        head: true,
    },
    Rule {
        name: true,
        place: false,
        head: true,
    },
    Rule {
        name: false,
        place: false,
        head: true,
    },
    Rule {
        name: false,
        place: true,
        head: false,
    },
    Rule {
        name: true,
        place: false,
        head: false,
    },
];

/// Two definitions with the same key are taken for one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    kind: SymbolKind,
    name: Option<String>,
    place: Option<(usize, String)>,
    head: Option<Digest>,
    inner: Digest,
}

impl Rule {
    fn key(self, loose: &Loose) -> Option<Key> {
        let print = &loose.print;
        // A short body says nothing, and neither does a name that many definitions have.
        let has_enough = match (self.name, self.head) {
            (_, false) => print.n_inner >= LEAST_CODE,
            (true, true) => !loose.is_part || print.n_all >= LEAST_CODE,
            (false, true) => print.n_all >= LEAST_CODE && !loose.is_constant(),
        };
        let place = || (loose.pair, loose.owner.clone());
        has_enough.then(|| Key {
            kind: loose.definition.kind,
            name: self.name.then(|| loose.definition.name.clone()),
            place: self.place.then(place),
            head: self.head.then_some(print.head),
            inner: print.inner,
        })
    }
}

/// Finds out which definitions were renamed or moved, and which were removed or added.
pub(super) fn settle(went: Vec<Loose>, came: Vec<Loose>) -> Vec<DefinitionChange> {
    let mut old = Side::new(went);
    let mut new = Side::new(came);
    let mut changes = Vec::new();
    for is_part in [false, true] {
        for rule in RULES {
            for (before, after) in pairs(rule, is_part, &old, &new) {
                // The parts of a definition are settled together with it.
                if old.is_settled(before) || new.is_settled(after) {
                    continue;
                }
                changes.extend(change(&old, &new, before, after));
                old.settle(before);
                new.settle(after);
            }
        }
    }
    let removed = old.rest().map(|loose| DefinitionChange {
        what: What::Removed,
        file: loose.pair,
        is_part: loose.is_part,
        old: Some(loose.definition),
        new: None,
        differing: Differing::default(),
    });
    let added = new.rest().map(|loose| DefinitionChange {
        what: What::Added,
        file: loose.pair,
        is_part: loose.is_part,
        new: Some(loose.definition),
        old: None,
        differing: Differing::default(),
    });
    changes.extend(removed);
    changes.extend(added);
    changes
}

/// The loose definitions of one version.
struct Side {
    all: Vec<Loose>,
    is_settled: Vec<bool>,
}

impl Side {
    fn new(all: Vec<Loose>) -> Self {
        Self {
            is_settled: vec![false; all.len()],
            all,
        }
    }

    fn open(&self, is_part: bool) -> impl Iterator<Item = (usize, &Loose)> {
        let all = self.all.iter().zip(&self.is_settled).enumerate();
        let open =
            all.filter(move |(_, (loose, is_settled))| !**is_settled && loose.is_part == is_part);
        open.map(|(at, (loose, _))| (at, loose))
    }

    fn is_settled(&self, at: usize) -> bool {
        self.is_settled.get(at).copied().unwrap_or(true)
    }

    /// Marks a definition and its members, which follow it, as settled.
    fn settle(&mut self, at: usize) {
        let Some(owner) = self.all.get(at) else {
            return;
        };
        let (pair, members) = (owner.pair, owner.at..owner.end);
        let rest = self.all.iter().zip(&mut self.is_settled).skip(at);
        for (loose, is_settled) in rest {
            if loose.pair != pair || !members.contains(&loose.at) {
                break;
            }
            *is_settled = true;
        }
    }

    fn rest(self) -> impl Iterator<Item = Loose> {
        let all = self.all.into_iter().zip(self.is_settled);
        all.filter_map(|(loose, is_settled)| (!is_settled).then_some(loose))
    }
}

/// Pairs of definitions whose key occurs exactly once in each version.
fn pairs(rule: Rule, is_part: bool, old: &Side, new: &Side) -> Vec<(usize, usize)> {
    let mut by_key: BTreeMap<Key, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (at, loose) in old.open(is_part) {
        if let Some(key) = rule.key(loose) {
            by_key.entry(key).or_default().0.push(at);
        }
    }
    for (at, loose) in new.open(is_part) {
        let sides = rule.key(loose).and_then(|key| by_key.get_mut(&key));
        if let Some((_, came)) = sides {
            came.push(at);
        }
    }
    let name = |side: &Side, at: usize| side.all.get(at).map(|it| it.definition.name.clone());
    let mut pairs: Vec<(usize, usize)> = by_key
        .into_values()
        .filter_map(|sides| match (sides.0.as_slice(), sides.1.as_slice()) {
            (&[before], &[after]) => Some((before, after)),
            _ => None,
        })
        .filter(|&(before, after)| rule.name || name(old, before) != name(new, after))
        .collect();
    pairs.sort_unstable();
    pairs
}

fn change(old: &Side, new: &Side, before: usize, after: usize) -> Option<DefinitionChange> {
    let (before, after) = (old.all.get(before)?, new.all.get(after)?);
    let signature = before.print.head != after.print.head;
    let what = match before.definition.name == after.definition.name {
        true => What::Moved { signature },
        false => What::Renamed { signature },
    };
    Some(DefinitionChange {
        what,
        old: Some(before.definition.clone()),
        new: Some(after.definition.clone()),
        file: after.pair,
        is_part: before.is_part && after.is_part,
        differing: Differing::default(),
    })
}
