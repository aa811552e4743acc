//! Parses the meanings of a sentence's words into the facts that it states; returns nothing unless
//! it can parse all of it.
//!
//! A sentence is a sequence of clauses with a subject, a predicate and objects. A clause without a
//! subject continues the one before ("… and returns `x`"), and `which` refers to the last thing
//! named.

mod objects;
mod things;

use super::relations::{self, Relation};
use super::token::Term;
use super::words::{Modifier, Noun, Preposition, Symbol, Voice};

/// A thing that a sentence names: `the method X of class Y`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Thing {
    pub term: Option<Term>,
    pub noun: Option<Noun>,
    pub modifiers: Vec<Modifier>,
    /// What it belongs to, or where it stands.
    pub owner: Option<Box<Thing>>,
    /// Its default value, if the sentence names one.
    pub default: Option<Term>,
    /// How many are meant: `the two variants of X`.
    pub count: Option<u32>,
}

/// One fact.
#[derive(Clone)]
pub(super) struct Fact {
    pub relation: &'static Relation,
    pub voice: Voice,
    pub subject: Thing,
    pub objects: Vec<Thing>,
    pub is_negated: bool,
    /// `can`, `may`: it happens in some case.
    pub is_possible: bool,
    /// Whether the objects come in this order.
    pub is_ordered: bool,
    /// The total number of objects, if stated: `no parameters`, `the two variants`.
    pub count: Option<u32>,
    /// The kind of the objects.
    pub noun: Option<Noun>,
    /// `with x and y`
    pub with: Vec<Thing>,
    /// `as x`
    pub role: Option<Thing>,
    /// Where it happens, if stated.
    pub place: Option<Thing>,
    /// `in both x and y`: further places.
    pub places: Vec<Thing>,
    /// `if x`, and whether it is negated: `unless x`.
    pub condition: Option<(Term, bool)>,
}

/// Returns the facts of a sentence; `None` if a part of it is not understood.
pub(super) fn facts(symbols: &[Symbol]) -> Option<Vec<Fact>> {
    let is_unknown = |symbol: &Symbol| matches!(symbol, Symbol::Unknown);
    if symbols.iter().any(is_unknown) {
        return None;
    }
    let mut parser = Parser {
        symbols,
        at: 0,
        facts: Vec::new(),
        place: None,
        subjects: Vec::new(),
        main: None,
    };
    parser.sentence()?;
    let facts = parser.facts;
    (!facts.is_empty()).then_some(facts)
}

struct Parser<'s> {
    symbols: &'s [Symbol],
    at: usize,
    facts: Vec<Fact>,
    /// `In X, …`: applies to everything that follows.
    place: Option<Thing>,
    /// The current subjects: `its` and clauses without a subject refer to them.
    subjects: Vec<Thing>,
    /// The last fact outside a `which` clause: more objects belong to it.
    main: Option<Fact>,
}

impl<'s> Parser<'s> {
    pub(super) fn peek(&self) -> Option<&'s Symbol> {
        self.symbols.get(self.at)
    }

    pub(super) fn eat(&mut self, is: impl Fn(&Symbol) -> bool) -> bool {
        let found = self.peek().is_some_and(is);
        self.at += usize::from(found);
        found
    }

    /// Tries to read something; resets the position if it cannot.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let from = self.at;
        let found = read(self);
        if found.is_none() {
            self.at = from;
        }
        found
    }

    fn sentence(&mut self) -> Option<()> {
        let others = self.unlike();
        self.lead_in();
        while self.skip_joints() {
            match self.peek()? {
                Symbol::ThereIs => self.there_is()?,
                Symbol::Among => self.among()?,
                Symbol::Which => {
                    self.at += 1;
                    let last = self
                        .last_thing()
                        .or_else(|| self.subjects.last().cloned())?;
                    self.predicate(&[last], false)?;
                }
                Symbol::Whose => {
                    self.at += 1;
                    let owner = self
                        .last_thing()
                        .or_else(|| self.subjects.last().cloned())?;
                    let mut part = self.thing()?;
                    part.owner = Some(Box::new(owner));
                    self.predicate(&[part], false)?;
                }
                Symbol::It => {
                    self.at += 1;
                    self.of_subjects()?;
                }
                _ if self.is_predicate() => self.of_subjects()?,
                _ => self.clause()?,
            }
        }
        // What is unlike the subject does the opposite; with several facts it is unclear which one.
        if !others.is_empty() && self.facts.len() != 1 {
            return None;
        }
        for other in others {
            let first = self.facts.first()?.clone();
            self.state(Fact {
                subject: other,
                is_negated: !first.is_negated,
                ..first
            });
        }
        Some(())
    }

    /// Reads `Unlike a and b, …`.
    fn unlike(&mut self) -> Vec<Thing> {
        let others = self.attempt(|parser| {
            if !parser.eat(|symbol| matches!(symbol, Symbol::Unlike)) {
                return None;
            }
            let mut found = vec![parser.thing()?];
            while parser.eat(|symbol| matches!(symbol, Symbol::And)) {
                found.push(parser.thing()?);
            }
            parser
                .eat(|symbol| matches!(symbol, Symbol::Comma))
                .then_some(found)
        });
        others.unwrap_or_default()
    }

    fn of_subjects(&mut self) -> Option<()> {
        if self.subjects.is_empty() {
            return None;
        }
        self.predicate(&self.subjects.clone(), true)
    }

    /// Reads `In X, …`.
    fn lead_in(&mut self) {
        let place = self.attempt(|parser| {
            if !parser.eat(|symbol| matches!(symbol, Symbol::Preposition(Preposition::In))) {
                return None;
            }
            let place = parser.thing()?;
            let is_apart = parser.eat(|symbol| matches!(symbol, Symbol::Comma));
            (is_apart || !parser.is_predicate()).then_some(place)
        });
        self.place = place;
    }

    /// Skips what joins clauses; returns whether something follows.
    fn skip_joints(&mut self) -> bool {
        while self.eat(|symbol| {
            matches!(
                symbol,
                Symbol::And
                    | Symbol::Comma
                    | Symbol::Stop
                    | Symbol::Open
                    | Symbol::Close
                    | Symbol::ByDefault
            )
        }) {}
        self.peek().is_some()
    }

    /// Reads a clause with its own subject, or more objects for the one before.
    fn clause(&mut self) -> Option<()> {
        let (list, _) = self.list(false)?;
        if self.is_predicate() {
            let is_part = list.iter().all(|thing| thing.term.is_none());
            let subjects = list.clone();
            // `its base is X`: what follows is still about the whole.
            if !is_part {
                self.subjects = list;
            }
            return self.predicate(&subjects, true);
        }
        let is_led = matches!(
            self.peek(),
            Some(Symbol::Comma | Symbol::Which | Symbol::Whose)
        );
        if is_led && self.facts.is_empty() {
            self.subjects = list;
            self.eat(|symbol| matches!(symbol, Symbol::Comma));
            return matches!(self.peek(), Some(Symbol::Which | Symbol::Whose)).then_some(());
        }
        let mut fact = Fact {
            objects: list,
            place: self.place.clone(),
            with: Vec::new(),
            count: None,
            ..self.main.clone()?
        };
        self.modifiers(&mut fact)?;
        self.main = Some(fact.clone());
        self.state(fact);
        Some(())
    }

    /// Reads `Among the classes declared in X are a and b`.
    fn among(&mut self) -> Option<()> {
        self.at += 1;
        let noun = self.noun();
        let is_holding = |symbol: &Symbol| match symbol {
            Symbol::Relation(relation, Voice::Passive) => {
                std::ptr::eq(*relation, &relations::contains::CONTAINS)
            }
            Symbol::Preposition(Preposition::In | Preposition::Of) => true,
            _ => false,
        };
        if !self.eat(is_holding) {
            return None;
        }
        let subject = self.thing()?;
        if !self.eat(|symbol| matches!(symbol, Symbol::Be)) {
            return None;
        }
        let objects = self.list(true)?.0;
        self.state(Fact {
            objects,
            noun,
            ..self.fact(&relations::contains::CONTAINS, Voice::Active, subject)
        });
        Some(())
    }

    /// Reads `there are three variants in X: a, b and c`.
    fn there_is(&mut self) -> Option<()> {
        self.at += 1;
        let is_negated = self.eat(|symbol| matches!(symbol, Symbol::Not));
        let none = self.eat(|symbol| matches!(symbol, Symbol::No));
        self.article();
        let count = if none { Some(0) } else { self.count() };
        let noun = self.noun();
        let mut objects = Vec::new();
        if matches!(self.peek(), Some(Symbol::Term(_))) {
            objects = self.list(true)?.0;
        }
        if !self.eat(|symbol| {
            matches!(
                symbol,
                Symbol::Preposition(Preposition::In | Preposition::Of)
            )
        }) {
            return None;
        }
        let subject = self.thing()?;
        if self.eat(|symbol| matches!(symbol, Symbol::Stop | Symbol::Comma)) {
            objects = self.list(true)?.0;
        }
        self.state(Fact {
            objects,
            is_negated,
            count,
            noun,
            ..self.fact(&relations::contains::CONTAINS, Voice::Active, subject)
        });
        Some(())
    }

    fn fact(&self, relation: &'static Relation, voice: Voice, subject: Thing) -> Fact {
        Fact {
            relation,
            voice,
            subject,
            objects: Vec::new(),
            is_negated: false,
            is_possible: false,
            is_ordered: false,
            count: None,
            noun: None,
            with: Vec::new(),
            role: None,
            place: self.place.clone(),
            places: Vec::new(),
            condition: None,
        }
    }

    fn state(&mut self, fact: Fact) {
        self.facts.push(fact);
    }

    /// Returns the last named thing, to which `which` refers. A parameter belongs to what takes it.
    pub(super) fn last_thing(&self) -> Option<Thing> {
        let fact = self.facts.last()?;
        let mut thing = fact.objects.last().unwrap_or(&fact.subject).clone();
        let takes = std::ptr::eq(fact.relation, &relations::takes::TAKES)
            || std::ptr::eq(fact.relation, &relations::has::HAS);
        if takes && thing.owner.is_none() && !fact.objects.is_empty() {
            thing.owner = Some(Box::new(fact.subject.clone()));
            thing.noun = thing.noun.or(fact.noun);
        }
        Some(thing)
    }

    pub(super) fn is_predicate(&self) -> bool {
        let mut at = self.at;
        while let Some(symbol) = self.symbols.get(at) {
            match symbol {
                Symbol::Not | Symbol::May | Symbol::Be | Symbol::Then | Symbol::All => at += 1,
                Symbol::Relation(..) | Symbol::Have => return true,
                _ => break,
            }
        }
        at > self.at
            && matches!(
                self.symbols.get(at - 1),
                Some(Symbol::Be | Symbol::Not | Symbol::All)
            )
    }

    /// Reads a predicate with its objects, applied to each of the subjects.
    fn predicate(&mut self, subjects: &[Thing], is_main: bool) -> Option<()> {
        let (mut is_negated, mut is_possible, mut is_ordered) = (false, false, false);
        let mut is_being = false;
        loop {
            match self.peek()? {
                Symbol::Not => is_negated = !is_negated,
                Symbol::May => is_possible = true,
                Symbol::Then => is_ordered = true,
                Symbol::Be => is_being = true,
                Symbol::All if subjects.len() > 1 => {}
                // `is a subclass of`
                Symbol::Article
                    if is_being
                        && matches!(self.symbols.get(self.at + 1), Some(Symbol::Relation(..))) => {}
                _ => break,
            }
            self.at += 1;
        }
        let (relation, voice) = match self.peek()? {
            Symbol::Relation(relation, voice) => {
                self.at += 1;
                (*relation, *voice)
            }
            Symbol::Have => {
                self.at += 1;
                (&relations::has::HAS, Voice::Active)
            }
            _ if is_being => (&relations::is::IS, Voice::Active),
            _ => return None,
        };
        let mut fact = self.fact(relation, voice, Thing::default());
        fact.is_negated = is_negated;
        fact.is_possible = is_possible;
        fact.is_ordered = is_ordered;
        self.objects(&mut fact)?;
        self.modifiers(&mut fact)?;
        for subject in subjects {
            let mut fact = fact.clone();
            if fact.subject == Thing::default() {
                fact.subject = subject.clone();
            }
            if is_main {
                self.main = Some(fact.clone());
            }
            self.state(fact);
        }
        Some(())
    }
}
