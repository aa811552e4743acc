//! Finds the shortest chains of calls between definitions.

use std::collections::BTreeMap;

use crate::answer::kinds::hops::{Hop, hops};
use crate::answer::kinds::teller::Teller;
use crate::index::graph::SymbolId;

/// Maximum number of hops in a chain.
pub(super) const MAX_HOPS: usize = 5;

/// Maximum number of chains that are stated.
const MAX_CHAINS: usize = 3;

/// Maximum number of definitions visited for one chain.
const MAX_SEEN: usize = 2_000;

pub(super) type Chain = Vec<Hop>;

/// The hops of definitions, each read once.
struct Steps<'t, 'a, 'i> {
    teller: &'t Teller<'a, 'i>,
    is_loose: bool,
    known: BTreeMap<(SymbolId, bool), Vec<Hop>>,
}

/// Returns the shortest chain and up to two others; over certain calls if there is such a chain.
pub(super) fn chains(teller: &Teller<'_, '_>, from: &[SymbolId], to: &[SymbolId]) -> Vec<Chain> {
    let certain = certain_chains(teller, from, to);
    match certain.is_empty() {
        true => found(teller, from, to, true),
        false => certain,
    }
}

/// Like [`chains`], over certain calls only.
pub(super) fn certain_chains(
    teller: &Teller<'_, '_>,
    from: &[SymbolId],
    to: &[SymbolId],
) -> Vec<Chain> {
    found(teller, from, to, false)
}

fn found(
    teller: &Teller<'_, '_>,
    from: &[SymbolId],
    to: &[SymbolId],
    is_loose: bool,
) -> Vec<Chain> {
    let mut steps = Steps {
        teller,
        is_loose,
        known: BTreeMap::new(),
    };
    let Some(first) = steps.shortest(from, to, None) else {
        return Vec::new();
    };
    let mut found = vec![first.clone()];
    // Each other chain avoids one hop of the first.
    for hop in &first {
        let other = steps.shortest(from, to, Some((hop.from, hop.to)));
        let is_new = |chain: &Chain| found.iter().all(|known| ends(known) != ends(chain));
        if let Some(other) = other.filter(|chain| is_new(chain) && chain.len() <= first.len() + 1)
            && found.len() < MAX_CHAINS
        {
            found.push(other);
        }
    }
    found
}

fn ends(chain: &Chain) -> Vec<SymbolId> {
    chain.iter().map(|hop| hop.to).collect()
}

impl Steps<'_, '_, '_> {
    fn of(&mut self, id: SymbolId, is_start: bool) -> Vec<Hop> {
        let (teller, is_loose) = (self.teller, self.is_loose);
        let known = self.known.entry((id, is_start));
        known
            .or_insert_with(|| hops(teller, id, is_start, is_loose))
            .clone()
    }

    /// Searches breadth first, leaving out one hop.
    fn shortest(
        &mut self,
        from: &[SymbolId],
        to: &[SymbolId],
        without: Option<(SymbolId, SymbolId)>,
    ) -> Option<Chain> {
        let mut came: BTreeMap<SymbolId, Option<Hop>> = BTreeMap::new();
        came.extend(from.iter().map(|id| (*id, None)));
        let mut level: Vec<SymbolId> = from.to_vec();
        for depth in 0..MAX_HOPS {
            let mut next = Vec::new();
            for id in level {
                for hop in self.of(id, depth == 0) {
                    if without == Some((hop.from, hop.to)) || came.contains_key(&hop.to) {
                        continue;
                    }
                    let target = hop.to;
                    came.insert(target, Some(hop));
                    if to.contains(&target) {
                        return Some(walk_back(&came, target));
                    }
                    next.push(target);
                }
                if came.len() > MAX_SEEN {
                    return None;
                }
            }
            level = next;
        }
        None
    }
}

fn walk_back(came: &BTreeMap<SymbolId, Option<Hop>>, to: SymbolId) -> Chain {
    let mut chain = Vec::new();
    let mut at = to;
    while let Some(Some(hop)) = came.get(&at) {
        at = hop.from;
        chain.push(hop.clone());
    }
    chain.reverse();
    chain
}
