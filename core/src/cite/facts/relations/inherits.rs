//! `A` inherits from `B`.

use super::{Part, Relation, each, last_part};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::names::{self, parts};
use crate::cite::facts::scene::Scene;
use crate::cite::facts::{Proof, Truth};
use crate::index::graph::SymbolId;

pub(crate) static INHERITS: Relation = Relation {
    active: &[
        "inherits from",
        "inherit from",
        "inherits",
        "extends",
        "extend",
        "subclasses",
        "subclasses of",
        "derives from",
        "derive from",
        "derived from",
        "implements",
        "implement",
        "subclass of",
        "child class of",
        "one of the types that implement",
        "one of the types that implements",
        "one of the classes that extend",
    ],
    passive: &[
        "extended by",
        "implemented by",
        "implemented for",
        "subclassed by",
        "inherited by",
        "itself extended by",
    ],
    reads: &[Part::Count, Part::NoneOfThem, Part::Path],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let classes = scene.definitions(&fact.subject);
    if classes.is_empty() {
        return Truth::Unknown;
    }
    if fact.count == Some(0) {
        return Truth::any(classes.iter().map(|class| has_none(scene, *class)));
    }
    // `its base class is B` says that there is no other.
    if let Some(count) = fact.count
        && !classes.iter().all(|class| bases(scene, *class) == count)
    {
        return Truth::Unknown;
    }
    each(scene, fact, |scene, object| {
        let truths: Vec<Truth> = classes
            .iter()
            .map(|class| inherits(scene, *class, object))
            .collect();
        Truth::any(truths)
    })
}

/// Returns how many bases a class names.
fn bases(scene: &Scene<'_>, class: SymbolId) -> u32 {
    let parsed = scene.parsed(class.file);
    let bases = parsed.into_iter().flat_map(|parsed| &parsed.bases);
    bases.filter(|base| base.symbol == class.at).count() as u32
}

/// Returns the lines that name a class, where its bases would stand.
pub(super) fn heads(scene: &Scene<'_>, thing: &Thing) -> Truth {
    let classes = scene.definitions(thing).into_iter();
    Truth::all(classes.map(|class| match scene.symbol(class) {
        Some(symbol) => Truth::Yes(vec![Proof::line(
            class.file,
            symbol.name_line,
            "head of the class",
        )]),
        None => Truth::Unknown,
    }))
}

fn has_none(scene: &Scene<'_>, class: SymbolId) -> Truth {
    let Some((parsed, symbol)) = scene.parsed(class.file).zip(scene.symbol(class)) else {
        return Truth::Unknown;
    };
    let mut bases = parsed.bases.iter().filter(|base| base.symbol == class.at);
    match bases.next() {
        Some(base) => Truth::No(format!("It names the base `{}`.", base.name)),
        None => Truth::Yes(vec![Proof::line(
            class.file,
            symbol.name_line,
            "head of the class",
        )]),
    }
}

fn inherits(scene: &mut Scene<'_>, class: SymbolId, object: &Thing) -> Truth {
    let (Some((name, owners)), Some(parsed)) = (last_part(object), scene.parsed(class.file)) else {
        return Truth::Unknown;
    };
    let bases: Vec<_> = parsed
        .bases
        .iter()
        .filter(|base| base.symbol == class.at)
        .collect();
    let is_last = |written: &str| written.rsplit('.').next() == Some(name.as_str());
    let path = owners.iter().chain([&name]).map(String::as_str);
    let path: Vec<&str> = path.collect();
    if let Some(base) = bases.iter().find(|base| is_last(&base.name)) {
        // `a.Base` is distinguished from the `Base` of another module only if the code names the
        // module.
        return match names::ends_with(&base.name, &path) {
            true => Truth::Yes(vec![Proof::line(class.file, base.line, "base class")]),
            false => Truth::Unknown,
        };
    }
    if let Some(proof) = implements(scene, class, &path) {
        return Truth::Yes(vec![proof]);
    }
    let above = scene.ancestors(class);
    let is_above = above
        .iter()
        .any(|id| scene.symbol(*id).is_some_and(|symbol| symbol.name == name));
    // A Rust type can be implemented in any file, and other classes can be reopened.
    let is_closed = scene
        .symbol(class)
        .is_some_and(|symbol| symbol.kind.is_container())
        && !bases.is_empty();
    match is_above || !is_closed {
        true => Truth::Unknown,
        false => {
            let names: Vec<String> = bases
                .iter()
                .map(|base| format!("`{}`", base.name))
                .collect();
            Truth::No(format!("Its bases are {}.", names.join(", ")))
        }
    }
}

/// Finds `impl Trait for Type` in a cited file or in the type's own file.
fn implements(scene: &mut Scene<'_>, class: SymbolId, interface: &[&str]) -> Option<Proof> {
    let name = &scene.symbol(class)?.name;
    let mut files = scene.cited_files();
    files.push(class.file);
    let is_named = |written: &str, name: &str| parts(written).last() == Some(&name);
    files.into_iter().find_map(|file| {
        let shapes = scene.shapes(file);
        let mut implemented = shapes.implemented.iter();
        let found = implemented.find(|found| {
            is_named(&found.implementor, name) && names::ends_with(&found.interface, interface)
        });
        found.map(|found| Proof::line(file, found.lines.start(), "implementation"))
    })
}
