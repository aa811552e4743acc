//! Reads the objects of a predicate, and what follows them.

use super::super::relations::Part;
use super::super::words::{Preposition, Symbol};
use super::{Fact, Parser, Thing};

impl Parser<'_> {
    pub(super) fn objects(&mut self, fact: &mut Fact) -> Option<()> {
        self.article();
        if self.eat(|symbol| matches!(symbol, Symbol::No)) {
            return self.none(fact);
        }
        if self.eat(|symbol| matches!(symbol, Symbol::Any)) {
            // `does not extend any class` means that it extends none.
            if !fact.is_negated {
                return None;
            }
            fact.is_negated = false;
            return self.none(fact);
        }
        let from = self.at;
        let (count, noun) = (self.count(), self.noun());
        if let (Some(count), Some(noun)) = (count, noun) {
            fact.count = Some(count);
            fact.noun = Some(noun);
            self.counted(fact);
            return Some(());
        }
        self.at = from;
        let Some((list, is_ordered)) = self.attempt(|parser| parser.list(true)) else {
            return self.bare(fact);
        };
        fact.noun = list.first().and_then(|thing| thing.noun);
        fact.is_ordered |= is_ordered;
        fact.objects = list;
        Some(())
    }

    /// Reads `no other module` and `no `x` or `y` parameter`.
    fn none(&mut self, fact: &mut Fact) -> Option<()> {
        fact.count = Some(0);
        if let Some((list, _)) = self.attempt(|parser| parser.list(true)) {
            fact.noun = list.iter().find_map(|thing| thing.noun);
            fact.objects = list
                .into_iter()
                .filter(|thing| thing.term.is_some())
                .collect();
        }
        Some(())
    }

    /// Reads `three variants: a, b and c`, where the names are optional.
    fn counted(&mut self, fact: &mut Fact) {
        let named = self.attempt(|parser| {
            parser.eat(|symbol| {
                matches!(
                    symbol,
                    Symbol::Stop | Symbol::Comma | Symbol::Named | Symbol::Open
                )
            });
            let found = parser.list(true)?;
            parser.eat(|symbol| matches!(symbol, Symbol::Close));
            let has_names = found.0.iter().all(|thing| thing.term.is_some());
            (has_names && !parser.is_predicate()).then_some(found)
        });
        if let Some((list, is_ordered)) = named {
            fact.objects = list;
            fact.is_ordered |= is_ordered;
        }
    }

    /// Reads `is async` and `is defined here`.
    fn bare(&mut self, fact: &mut Fact) -> Option<()> {
        if let Some(Symbol::Modifier(modifier)) = self.peek() {
            self.at += 1;
            fact.objects.push(Thing {
                modifiers: vec![*modifier],
                ..Thing::default()
            });
            return Some(());
        }
        matches!(
            self.peek(),
            None | Some(
                Symbol::Preposition(_) | Symbol::And | Symbol::Comma | Symbol::Stop | Symbol::Close
            )
        )
        .then_some(())
    }

    /// Reads the things after a preposition. In `a from m, and b from n` only `m` is one of them.
    fn place_list(&mut self) -> Option<Vec<Thing>> {
        let from = self.at;
        let list = self.list(true)?.0;
        let is_next = matches!(self.peek(), Some(Symbol::Preposition(Preposition::In)));
        if list.len() == 1 || !is_next {
            return Some(list);
        }
        self.at = from;
        Some(vec![self.thing()?])
    }

    /// Reads what follows the objects.
    pub(super) fn modifiers(&mut self, fact: &mut Fact) -> Option<()> {
        loop {
            // `calls f, passing x`
            if matches!(self.peek(), Some(Symbol::Comma))
                && matches!(
                    self.symbols.get(self.at + 1),
                    Some(Symbol::Preposition(Preposition::With))
                )
            {
                self.at += 1;
            }
            match self.peek() {
                Some(Symbol::Preposition(preposition)) => {
                    self.at += 1;
                    let preposition = *preposition;
                    if preposition == Preposition::With {
                        fact.with = self.list(true)?.0;
                        continue;
                    }
                    // `implements X for it`: refers to the last thing named.
                    if preposition == Preposition::For
                        && self.eat(|symbol| matches!(symbol, Symbol::It))
                    {
                        fact.subject = self.last_thing()?;
                        continue;
                    }
                    let mut list = self.place_list()?;
                    let thing = list.remove(0);
                    if preposition == Preposition::In {
                        fact.places = list;
                    } else if !list.is_empty() {
                        return None;
                    }
                    match preposition {
                        Preposition::In | Preposition::Of => fact.place = Some(thing),
                        Preposition::As => fact.role = Some(thing),
                        Preposition::To if fact.relation.reads.contains(&Part::To) => {
                            fact.role = Some(thing)
                        }
                        _ => return None,
                    }
                }
                Some(symbol @ (Symbol::If | Symbol::Unless)) => {
                    self.at += 1;
                    let is_turned = matches!(symbol, Symbol::Unless);
                    let Some(Symbol::Term(term)) = self.peek() else {
                        return None;
                    };
                    self.at += 1;
                    fact.condition = Some((term.clone(), is_turned));
                }
                Some(Symbol::ByDefault) => self.at += 1,
                Some(Symbol::InOrder) => {
                    self.at += 1;
                    fact.is_ordered = true;
                }
                _ => return Some(()),
            }
        }
    }
}
