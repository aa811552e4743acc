//! Reads the things that a sentence names: `the two variants of X`, `the method `x` of class `Y``.

use super::super::token::Style;
use super::super::words::{Noun, Preposition, Symbol};
use super::{Parser, Thing};

impl Parser<'_> {
    pub(super) fn article(&mut self) {
        while self.eat(|symbol| matches!(symbol, Symbol::Article)) {}
    }

    /// Reads things joined by commas and `and`, and returns whether `then` stood between two of
    /// them, or `in this order` after them. Among objects, one that is followed by a predicate is
    /// the subject of the next clause.
    pub(super) fn list(&mut self, is_object: bool) -> Option<(Vec<Thing>, bool)> {
        let mut found = vec![self.thing()?];
        let mut is_ordered = false;
        loop {
            let from = self.at;
            let mut has_then = false;
            while let Some(symbol) = self.peek() {
                match symbol {
                    Symbol::And | Symbol::Comma => {}
                    Symbol::Then => has_then = true,
                    _ => break,
                }
                self.at += 1;
            }
            let next = match self.at > from {
                true => self.attempt(Self::thing),
                false => None,
            };
            let is_led = matches!(self.peek(), Some(Symbol::Which | Symbol::Whose));
            let goes_on = is_object && (self.is_predicate() || is_led);
            match next {
                Some(next) if !goes_on => {
                    is_ordered |= has_then;
                    found.push(next);
                }
                _ => {
                    self.at = from;
                    return Some((counted(found)?, is_ordered));
                }
            }
        }
    }

    pub(super) fn count(&mut self) -> Option<u32> {
        let Some(Symbol::Term(term)) = self.peek() else {
            return None;
        };
        let value = match term.style {
            Style::Number => term.text.parse().ok(),
            _ => None,
        }?;
        let is_count = matches!(
            self.symbols.get(self.at + 1),
            Some(Symbol::Noun(_) | Symbol::Modifier(_))
        );
        is_count.then(|| {
            self.at += 1;
            value
        })
    }

    pub(super) fn noun(&mut self) -> Option<Noun> {
        let from = self.at;
        self.article();
        while self.eat(|symbol| matches!(symbol, Symbol::Modifier(_))) {}
        match self.peek() {
            Some(Symbol::Noun(noun)) => {
                self.at += 1;
                Some(*noun)
            }
            _ => {
                self.at = from;
                None
            }
        }
    }

    /// Reads `the async method `x` of class `Y``.
    pub(super) fn thing(&mut self) -> Option<Thing> {
        let mut thing = Thing::default();
        self.article();
        thing.count = self.count();
        if self.eat(|symbol| matches!(symbol, Symbol::Its)) {
            thing.owner = Some(Box::new(self.subjects.last()?.clone()));
        }
        loop {
            match self.peek() {
                Some(Symbol::Modifier(modifier)) => thing.modifiers.push(*modifier),
                Some(Symbol::Noun(noun)) if thing.noun.is_none() => thing.noun = Some(*noun),
                Some(Symbol::Named) if thing.noun.is_some() => {}
                _ => break,
            }
            self.at += 1;
        }
        if let Some(Symbol::Term(term)) = self.peek() {
            self.at += 1;
            thing.term = Some(term.clone());
        }
        if thing.term.is_none() && thing.noun.is_none() {
            return None;
        }
        self.after(thing)
    }

    /// Reads what follows a name: its kind, its owner, its default.
    fn after(&mut self, mut thing: Thing) -> Option<Thing> {
        if self.eat(|symbol| matches!(symbol, Symbol::Genitive)) {
            let mut part = self.thing()?;
            let mut innermost = &mut part;
            while innermost.owner.is_some() {
                innermost = innermost.owner.as_mut()?;
            }
            innermost.owner = Some(Box::new(thing));
            return Some(part);
        }
        if thing.term.is_some()
            && thing.noun.is_none()
            && let Some(Symbol::Noun(noun)) = self.peek()
        {
            thing.noun = Some(*noun);
            self.at += 1;
        }
        if self.eat(|symbol| matches!(symbol, Symbol::Preposition(Preposition::Of))) {
            thing.owner = Some(Box::new(self.thing()?));
        }
        let default = self.attempt(|parser| {
            parser.eat(|symbol| matches!(symbol, Symbol::Open | Symbol::Comma));
            parser.eat(|symbol| matches!(symbol, Symbol::Preposition(Preposition::With)));
            parser.article();
            let is_default = parser.eat(|symbol| matches!(symbol, Symbol::Noun(Noun::Default)));
            parser.eat(|symbol| matches!(symbol, Symbol::Preposition(Preposition::Of)));
            let Some(Symbol::Term(term)) = parser.peek() else {
                return None;
            };
            parser.at += 1;
            parser.eat(|symbol| matches!(symbol, Symbol::Close));
            is_default.then(|| term.clone())
        });
        thing.default = default;
        Some(thing)
    }
}

/// Checks that a list of names is as long as it says: `the two functions a and b`.
fn counted(mut found: Vec<Thing>) -> Option<Vec<Thing>> {
    let length = found.len() as u32;
    let first = found.first_mut()?;
    if first.term.is_some() && first.count.take().is_some_and(|count| count != length) {
        return None;
    }
    Some(found)
}
