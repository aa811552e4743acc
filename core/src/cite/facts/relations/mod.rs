//! The relations that sentences state between things, one file each: the words that state a
//! relation, and the code that checks it. A new one is a file here and a row of [`ALL`].

pub(super) mod assigns;
mod calls;
pub(super) mod contains;
mod decorated;
mod equals;
mod exports;
pub(super) mod has;
mod imports;
mod inherits;
pub(super) mod is;
mod kinds;
mod overrides;
mod parts;
mod passes;
mod raises;
mod returns;
pub(super) mod takes;
mod typed;
mod uses;

use super::grammar::{Fact, Thing};
use super::names;
use super::names::is_same;
use super::scene::Scene;
use super::words::{Noun, Voice};
use super::{Proof, Truth};
use crate::index::graph::SymbolId;
use crate::lines::LineRange;
use crate::parse::shape::When;

/// A part of a fact besides its subject, its relation and the names of its objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The total number of objects.
    Count,
    /// The statement that there is no object.
    NoneOfThem,
    /// `with x`
    With,
    /// `as x`
    Role,
    /// `to x`: a second object.
    To,
    /// `if x`
    Condition,
    /// `in x`, if the relation gives it a meaning of its own.
    Place,
    /// The order of the objects.
    Order,
    /// `x, which is 3 by default`
    Default,
    /// What an object belongs to: `x of y`.
    Owner,
    /// What stands before an object's name: `y.x`.
    Path,
    /// The kind of thing that an object is.
    Noun,
    /// `async`, `static` for an object without a name.
    Modifier,
}

/// A relation.
pub(super) struct Relation {
    /// The words in the active voice: `calls`.
    pub active: &'static [&'static str],
    /// The words in the passive voice, without `is`: `called by`.
    pub passive: &'static [&'static str],
    /// The parts of a fact that its check reads. A fact with any other part is not proven.
    pub reads: &'static [Part],
    /// Returns whether the code supports an affirmative fact.
    pub holds: fn(&mut Scene<'_>, &Fact) -> Truth,
}

/// All relations.
pub(super) const ALL: [&Relation; 18] = [
    &assigns::ASSIGNS,
    &calls::CALLS,
    &contains::CONTAINS,
    &decorated::DECORATED,
    &equals::EQUALS,
    &exports::EXPORTS,
    &has::HAS,
    &imports::IMPORTS,
    &imports::FROM,
    &inherits::INHERITS,
    &is::IS,
    &overrides::OVERRIDES,
    &passes::PASSES,
    &raises::RAISES,
    &returns::RETURNS,
    &takes::TAKES,
    &typed::TYPED,
    &uses::USES,
];

/// Returns whether the code supports a fact.
pub(super) fn truth(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    match fact.voice {
        Voice::Active => told(scene, fact),
        // Checks each object separately, with the subject as the object.
        Voice::Passive if fact.objects.is_empty() => told(scene, fact),
        Voice::Passive => {
            let turned = fact.objects.iter().map(|object| Fact {
                voice: Voice::Active,
                subject: object.clone(),
                objects: vec![fact.subject.clone()],
                ..fact.clone()
            });
            let turned: Vec<Fact> = turned.collect();
            Truth::all(turned.iter().map(|fact| told(scene, fact)))
        }
    }
}

fn told(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    // `has no `x` parameter`
    if fact.count == Some(0) && !fact.objects.is_empty() {
        let each = fact.objects.iter().map(|object| Fact {
            objects: vec![object.clone()],
            count: None,
            is_negated: !fact.is_negated,
            ..fact.clone()
        });
        let each: Vec<Fact> = each.collect();
        return Truth::all(each.iter().map(|fact| told(scene, fact)));
    }
    if let Some(inside) = inside_places(scene, fact) {
        return Truth::all(inside.iter().map(|fact| told(scene, fact)));
    }
    if !parts::are_read(scene, fact) {
        return Truth::Unknown;
    }
    let holds = (fact.relation.holds)(scene, fact);
    if !fact.is_negated {
        return holds;
    }
    match holds {
        Truth::Yes(proofs) => Truth::No(match proofs.first() {
            Some(proof) => format!(
                "{}:{} shows that it does ({}).",
                scene.path(proof.file),
                proof.lines,
                proof.what
            ),
            None => "The code shows that it does.".to_owned(),
        }),
        // Absence can be seen only in all the code that could hold the thing.
        Truth::No(_) => absence(scene, fact),
        Truth::Unknown => Truth::Unknown,
    }
}

/// `C raises E in m and n`: what a class does in its methods, the methods do.
fn inside_places(scene: &Scene<'_>, fact: &Fact) -> Option<Vec<Fact>> {
    let place = fact.place.as_ref()?;
    let is_class = |id: &SymbolId| {
        scene
            .symbol(*id)
            .is_some_and(|symbol| symbol.kind.is_container())
    };
    if fact.relation.reads.contains(&Part::Place)
        || !scene.definitions(&fact.subject).iter().any(is_class)
    {
        return None;
    }
    let inside = |place: &Thing| Fact {
        subject: Thing {
            owner: Some(Box::new(fact.subject.clone())),
            ..place.clone()
        },
        place: None,
        places: Vec::new(),
        ..fact.clone()
    };
    Some(
        [place]
            .into_iter()
            .chain(&fact.places)
            .map(inside)
            .collect(),
    )
}

/// Whether a fact holds under another relation, with everything that this one requires.
fn as_one_of(scene: &mut Scene<'_>, fact: &Fact, relation: &'static Relation) -> Truth {
    let fact = Fact {
        relation,
        voice: Voice::Active,
        is_negated: false,
        ..fact.clone()
    };
    told(scene, &fact)
}

/// Cites all the code of a thing, as proof that something is not in it.
fn absence(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let thing = &fact.subject;
    if fact.noun == Some(Noun::Parameter) || std::ptr::eq(fact.relation, &takes::TAKES) {
        return takes::heads(scene, thing);
    }
    if std::ptr::eq(fact.relation, &inherits::INHERITS) {
        return inherits::heads(scene, thing);
    }
    if std::ptr::eq(fact.relation, &imports::IMPORTS) {
        return imports::all(scene, thing);
    }
    let of_symbol = |id: SymbolId| {
        // Its comments and decorators contain no code.
        let symbol = scene.symbol(id)?;
        Some(Proof {
            file: id.file,
            lines: LineRange::new(symbol.name_line, symbol.lines.end()),
            what: "absence",
        })
    };
    let found: Vec<Proof> = scene
        .definitions(thing)
        .into_iter()
        .filter_map(of_symbol)
        .collect();
    if !found.is_empty() {
        return Truth::Yes(found);
    }
    let whole = |file| {
        let lines = scene.index.lines(file)?.all();
        Some(Proof {
            file,
            lines,
            what: "absence",
        })
    };
    match scene.files(thing).as_slice() {
        [file] => whole(*file).map_or(Truth::Unknown, |proof| Truth::Yes(vec![proof])),
        _ => Truth::Unknown,
    }
}

/// Combines the results for each object.
fn each(
    scene: &mut Scene<'_>,
    fact: &Fact,
    holds: impl Fn(&mut Scene<'_>, &Thing) -> Truth,
) -> Truth {
    let truths: Vec<Truth> = fact
        .objects
        .iter()
        .map(|object| holds(scene, object))
        .collect();
    if fact.is_ordered {
        let lines = truths.iter().map(|truth| match truth {
            Truth::Yes(proofs) => proofs.first().map(|proof| proof.lines.start()),
            _ => None,
        });
        let lines: Option<Vec<_>> = lines.collect();
        if let Some(lines) = lines
            && !lines.is_sorted()
        {
            return Truth::Unknown;
        }
    }
    Truth::all(truths)
}

/// Returns the last part of a name, and the parts before it.
fn last_part(thing: &Thing) -> Option<(String, Vec<String>)> {
    let term = thing.term.as_ref()?;
    let parts = names::parts(&term.text);
    let (last, owners) = parts.split_last()?;
    Some((
        (*last).to_owned(),
        owners.iter().map(|owner| (*owner).to_owned()).collect(),
    ))
}

/// Whether something happens under the fact's condition; without one, whenever it may happen.
fn is_when(fact: &Fact, when: &When) -> bool {
    match (&fact.condition, when) {
        (None, _) => true,
        (Some((wanted, false)), When::If(condition))
        | (Some((wanted, true)), When::Unless(condition)) => is_same(&wanted.text, condition),
        _ => false,
    }
}
