//! What a class inherits from or implements: its own bases, then theirs.

use super::Kind;
use super::inheritance::{Kin, ancestors, last};
use super::listing::{n_of, named};
use super::teller::Teller;
use super::wording::Read;
use crate::answer::notes::{Entry, SEARCHED, text};
use crate::lang::{SymbolId, SymbolKind};

/// The words for what is inherited from.
macro_rules! bases {
    () => {
        "base_classes|base_class|bases|superclasses|superclass|super_class|super_classes|parents|parent|\
         parent_classes|parent_class|ancestors|supertraits|supertypes|supertype|super_types|mixins|\
         inheritance_chain|class_hierarchy|inheritance_hierarchy|mro|interfaces|traits|protocols|\
         implemented_traits|implemented_interfaces"
    };
}

pub(super) const KIND: Kind = Kind {
    name: "bases",
    wordings: &[
        "what|which classes|class|interfaces|interface|traits|trait|protocols|types? does|do X inherit|extend|implement|subclass|derive|mix_in|conform_to|descend from?",
        "what|which does|do X inherit|extend|implement|subclass|derive|conform_to from?",
        "from|of what|which class|classes? does|do X inherit|derive|descend",
        "what|which class|classes? is|are X derived_from|based_on|inherited_from|a_subclass_of|descended_from|extending|extended_from",
        concat!("ASK? ", bases!(), " of|for X"),
        concat!(
            "ASK? ",
            bases!(),
            " does|do X have|implement|inherit|extend"
        ),
        concat!(
            "ASK? ",
            bases!(),
            " that|which? X implements|extends|inherits|has from?"
        ),
        concat!("ASK? ", bases!(), " implemented|extended|inherited by X"),
        "who|what is|are the? X parent|superclass|superclasses|base|base_class|base_classes|parent_class|parents|ancestors",
        "X base_classes|base_class|superclasses|superclass|ancestors|parents|parent_class|bases",
        "X inherits|extends|implements|derives from? what|which",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let words = read.x.trim_end_matches("'s").trim_end_matches("’s");
    let (ids, _) = teller.symbols(words).unwrap_or_default();
    let mut said = false;
    let asked = teller.question.text().to_lowercase();
    let asks_interfaces = ["interface", "implement", "trait", "protocol"]
        .iter()
        .any(|word| asked.contains(word));
    for id in ids {
        let kind = teller.index.symbol(id).map(|symbol| symbol.kind);
        let is_class = kind.is_some_and(|kind| kind.is_container() && kind != SymbolKind::Module);
        said |= is_class && of_class(teller, id, asks_interfaces);
    }
    said
}

fn of_class(teller: &mut Teller<'_, '_>, id: SymbolId, asks_interfaces: bool) -> bool {
    let found = ancestors(teller, id);
    let Some(definition) = teller.definition(id) else {
        return false;
    };
    if found.is_empty() {
        let mut lead = named(teller, id);
        lead.push(text(" names nothing that it inherits from or implements"));
        let source = definition.source(teller.notes, &[], SEARCHED);
        return teller.say(lead, &source.into_iter().collect::<Vec<_>>());
    }
    let (found, is_narrow) = match asks_interfaces {
        true => interfaces(&definition.symbol.signature, found),
        false => (found, false),
    };
    let (direct, indirect): (Vec<Kin>, Vec<Kin>) =
        found.into_iter().partition(|kin| kin.through.is_none());
    let kind = definition.symbol.kind;
    let verb = match direct.iter().all(Kin::is_implemented) {
        _ if is_narrow => " implements ",
        true if kind != SymbolKind::Trait => " implements ",
        _ if kind == SymbolKind::Interface || kind == SymbolKind::Trait => " extends ",
        _ => " inherits from ",
    };
    let said = list(teller, id, direct, verb);
    if !indirect.is_empty() {
        list(teller, id, indirect, " indirectly inherits from ");
    }
    said
}

/// Reduces a class's direct bases to what its declaration says it implements; returns all of them
/// if the declaration does not tell the two apart.
fn interfaces(signature: &str, found: Vec<Kin>) -> (Vec<Kin>, bool) {
    let Some((_, implemented)) = signature.split_once("implements ") else {
        return (found, false);
    };
    let is_named = |name: &str| {
        let mut words = implemented.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.any(|word| word == last(name))
    };
    let found = found.into_iter();
    let found = found.filter(|kin| kin.through.is_none() && is_named(&kin.entry.name));
    (found.collect(), true)
}

fn list(teller: &mut Teller<'_, '_>, id: SymbolId, kin: Vec<Kin>, verb: &str) -> bool {
    let entries = kin.into_iter().map(|kin| {
        let place = match kin.id {
            Some(base) => format!("defined in {}", teller.path(base.file)),
            None => "not defined in the repository".to_owned(),
        };
        let through = kin.through.map(|through| format!("through {through}; "));
        Entry {
            detail: format!("{}{place}", through.unwrap_or_default()),
            ..kin.entry
        }
    });
    let mut entries: Vec<Entry> = entries.collect();
    n_of(teller, &mut entries, "", "");
    let mut lead = named(teller, id);
    lead.push(text(verb));
    !entries.is_empty() && teller.list(lead, entries)
}
