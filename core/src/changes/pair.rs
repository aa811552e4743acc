//! Compares two paired files: which of their definitions are the same, which changed, which were
//! removed or added.

use std::collections::{BTreeMap, VecDeque};

use super::code::{Digest, FileCode, Print};
use super::loose::Loose;
use super::{DefinitionChange, Differing, What};

/// The result of comparing two files.
#[derive(Default)]
pub(super) struct Found {
    pub changed: Vec<DefinitionChange>,
    /// Definitions of the older file that the newer one lacks, and vice versa.
    pub went: Vec<Loose>,
    pub came: Vec<Loose>,
    pub outside: Differing,
    pub is_layout: bool,
}

/// Compares two files. If there is only one, all of its definitions were removed or added. `pair`
/// identifies this pair of files.
pub(super) fn compare(old: Option<FileCode<'_>>, new: Option<FileCode<'_>>, pair: usize) -> Found {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (old, new) => {
            let all = |code: Option<FileCode<'_>>| {
                let code = code?;
                Some(Loose::all(&code, pair, &vec![false; code.prints.len()]))
            };
            return Found {
                went: all(old).unwrap_or_default(),
                came: all(new).unwrap_or_default(),
                ..Found::default()
            };
        }
    };
    let both = Both {
        old: &old,
        new: &new,
        pair,
    };
    let mut found = Found::default();
    let mut known = (vec![false; old.prints.len()], vec![false; new.prints.len()]);
    for (before, after) in both.same() {
        for (known, at) in [(&mut known.0, before), (&mut known.1, after)] {
            if let Some(known) = known.get_mut(at as usize) {
                *known = true;
            }
        }
        found.changed.extend(both.change(before, after));
    }
    found.went = Loose::all(&old, pair, &known.0);
    found.came = Loose::all(&new, pair, &known.1);
    let outside = both.differing(None, None);
    found.is_layout =
        outside.is_none() && [found.went.len(), found.came.len(), found.changed.len()] == [0; 3];
    found.outside = outside.unwrap_or_default();
    found
}

struct Both<'a, 'i> {
    old: &'a FileCode<'i>,
    new: &'a FileCode<'i>,
    pair: usize,
}

/// Definitions with the same name that are not paired yet, in order.
type Sides = (Vec<u32>, Vec<u32>);

impl Both<'_, '_> {
    /// Pairs the definitions that are the same, by name. If several have one name: first those with
    /// the same code, then the same body, then the same signature, then in order.
    fn same(&self) -> Vec<(u32, u32)> {
        let mut by_name: BTreeMap<&str, Sides> = BTreeMap::new();
        for (at, symbol) in (0..).zip(&self.old.code.symbols) {
            by_name.entry(&symbol.qualified).or_default().0.push(at);
        }
        for (at, symbol) in (0..).zip(&self.new.code.symbols) {
            by_name.entry(&symbol.qualified).or_default().1.push(at);
        }
        let mut pairs = Vec::new();
        let nothing: Digest = [0; 16];
        for (_, mut sides) in by_name {
            for key in [
                |print: &Print| (print.head, print.own),
                |print: &Print| ([0; 16], print.own),
                |print: &Print| (print.head, [0; 16]),
                |_: &Print| ([0; 16], [0; 16]),
            ] {
                let key = |code: &FileCode<'_>, at: u32| {
                    let print = code.prints.get(at as usize);
                    print.map_or((nothing, nothing), key)
                };
                self.pair_by(key, &mut sides, &mut pairs);
            }
        }
        pairs
    }

    /// Pairs definitions with the same key, in order.
    fn pair_by(
        &self,
        key: impl Fn(&FileCode<'_>, u32) -> (Digest, Digest),
        (went, came): &mut Sides,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        if went.is_empty() || came.is_empty() {
            return;
        }
        let mut by_key: BTreeMap<(Digest, Digest), VecDeque<u32>> = BTreeMap::new();
        for &at in went.iter() {
            by_key.entry(key(self.old, at)).or_default().push_back(at);
        }
        came.retain(|&at| {
            let waiting = by_key.get_mut(&key(self.new, at));
            let before = waiting.and_then(VecDeque::pop_front);
            pairs.extend(before.map(|before| (before, at)));
            before.is_none()
        });
        *went = by_key.into_values().flatten().collect();
        went.sort_unstable();
    }

    /// How a definition changed, if it did.
    fn change(&self, before: u32, after: u32) -> Option<DefinitionChange> {
        let old = self.old.prints.get(before as usize)?;
        let new = self.new.prints.get(after as usize)?;
        let (signature, body) = (old.head != new.head, old.own != new.own);
        if !signature && !body {
            return None;
        }
        Some(DefinitionChange {
            what: What::Changed { signature, body },
            old: Some(self.old.definition(before)?),
            new: Some(self.new.definition(after)?),
            file: self.pair,
            is_part: false,
            differing: self
                .differing(Some(before), Some(after))
                .unwrap_or_default(),
        })
    }

    /// Where the own code of two definitions differs, or the code outside of all definitions;
    /// `None` if it is equal.
    fn differing(&self, before: Option<u32>, after: Option<u32>) -> Option<Differing> {
        let (old, new) = (self.old.own(before), self.new.own(after));
        // Outside of definitions depths count from 0.
        let base = |code: &FileCode<'_>, at: Option<u32>, own: &[u32]| match at {
            Some(_) => code.depth(own.first()),
            None => 0,
        };
        let old_base = base(self.old, before, old);
        let new_base = base(self.new, after, new);
        let is_same =
            |&(a, b): &(&u32, &u32)| self.old.key(*a, old_base) == self.new.key(*b, new_base);
        let first = old.iter().zip(new).take_while(is_same).count();
        let (old, new) = (old.get(first..)?, new.get(first..)?);
        let last = old
            .iter()
            .rev()
            .zip(new.iter().rev())
            .take_while(is_same)
            .count();
        let old = old.get(..old.len() - last)?;
        let new = new.get(..new.len() - last)?;
        if old.is_empty() && new.is_empty() {
            return None;
        }
        Some(Differing {
            old: self.old.lines(old),
            new: self.new.lines(new),
        })
    }
}
