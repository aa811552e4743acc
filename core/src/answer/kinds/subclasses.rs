//! Which classes inherit from a class, and which types implement an interface or a trait: directly
//! and indirectly, as declarations say.

use super::Kind;
use super::inheritance::{self, Class, Kin, descendants, last, may_have_children};
use super::listing::{n_of, named};
use super::paths;
use super::subject;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{Entry, SEARCHED, code, text};
use crate::lang::{Language, SymbolId, SymbolKind};
use crate::source::FileId;

/// Nouns for what inherits or implements.
macro_rules! kin {
    () => {
        "subclasses|sub-classes|subtypes|children|child_classes|descendants|derived_classes|\
         inheritors|heirs|implementations|implementors|implementers|implementing_classes|\
         implementing_types|subtraits|subinterfaces|specialisations|specializations"
    };
}

/// Words for the classes and types that inherit or implement.
macro_rules! classes {
    () => {
        "classes|types|structs|enums|things|exceptions|errors|interfaces|traits|objects|components"
    };
}

/// Verbs for inheriting and implementing.
macro_rules! inherit {
    () => {
        "inherit_from|inherits_from|inherit|inherits|extend|extends|subclass|subclasses|derive_from|\
         derives_from|derive|derives|implement|implements|descend_from|descends_from|conform_to|\
         conforms_to|adopt|adopts|mix_in|mixes_in|are_derived_from|is_derived_from|\
         are_subclasses_of|is_a_subclass_of|are_based_on|is_based_on|use_the_mixin|use_mixin|\
         include_the_mixin"
    };
}

/// Words after the rest of a question that say which of them are asked for.
macro_rules! ones {
    () => {
        "directly|ones|ones_too|or_not|direct_ones|direct_ones_only|only_direct_ones|direct_or_not|\
         direct_and|and_direct|as_well|too|not_just_direct_ones|at_all|\
         are_there|there_are|exist|in_total"
    };
}

pub(super) const KIND: Kind = Kind {
    name: "subclasses",
    wordings: &[
        concat!("ASK? direct? ", kin!(), " REL X ", ones!(), "?"),
        concat!(
            "ASK? direct? and|or? ",
            kin!(),
            " REL X in|inside|within|under Y"
        ),
        concat!("ASK? direct? ", kin!(), " does|do X have"),
        concat!("ASK? direct? ", kin!(), " X has"),
        concat!("how_many ", kin!(), " REL X"),
        concat!("how_many ", kin!(), " does|do X have"),
        concat!("how_many ", classes!(), " ", inherit!(), " X"),
        concat!(
            "what|who|which ",
            classes!(),
            "? else? directly? ",
            inherit!(),
            " directly? from? X ",
            ones!(),
            "?"
        ),
        concat!(
            "what|who|which ",
            classes!(),
            "? ",
            inherit!(),
            " from? X in|inside|within|under Y"
        ),
        concat!(
            "ASK? ",
            classes!(),
            " that|which? directly? ",
            inherit!(),
            " directly? from? X ",
            ones!(),
            "?"
        ),
        concat!(
            "ASK? ",
            classes!(),
            " inheriting|derived|extending|implementing|deriving|subclassing from? X ",
            ones!(),
            "?"
        ),
        "who|what is inheriting|derived|extending|implementing|subclassing from? X",
        "X subclasses|implementations|implementors|implementers|descendants",
        "where is X implemented|subclassed|extended by? other? classes|types",
        "by which|what classes|types is X implemented|extended|inherited|subclassed",
        "is|are X implemented|extended|inherited|subclassed by? anyone|anything|any_class|any_type?",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(filter) = Filter::new(teller, read) else {
        return false;
    };
    let classes = classes(teller, &read.x);
    if classes.is_empty() {
        return outside(teller, &read.x, &filter);
    }
    let of = |id: SymbolId| filter.take(descendants(teller, &Class::Own(id)));
    let found: Vec<(SymbolId, Vec<Kin>)> = classes.iter().map(|id| (*id, of(*id))).collect();
    if filter.is_narrow() && found.iter().all(|(_, kin)| kin.is_empty()) {
        return false;
    }
    let has_some = found.iter().any(|(_, kin)| !kin.is_empty());
    let mut said = false;
    for (id, kin) in found {
        match kin.is_empty() {
            true if has_some => {}
            true => said |= none(teller, id),
            false => {
                let lead = named(teller, id);
                said |= list(teller, kin, lead, is_interface(teller, id), &filter);
            }
        }
    }
    said
}

/// Which members of the family are asked for.
struct Filter {
    is_direct: bool,
    files: Option<Vec<FileId>>,
    /// The words that name the files.
    place: Option<String>,
}

impl Filter {
    /// Returns `None` if the question names a place that does not exist.
    fn new(teller: &Teller<'_, '_>, read: &Read) -> Option<Self> {
        let text = teller.question.text().to_lowercase();
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        let says_direct = words.any(|word| matches!(word, "direct" | "directly" | "immediate"));
        let says_all = ["indirect", "or not", "transitive", "not just", "not only"];
        let files = match &read.y {
            Some(place) => Some(paths::scope(teller.index, place)?),
            None => None,
        };
        Some(Self {
            is_direct: says_direct && !says_all.iter().any(|words| text.contains(words)),
            files,
            place: read.y.as_ref().map(|words| subject::bare(words).0),
        })
    }

    fn is_narrow(&self) -> bool {
        self.is_direct || self.files.is_some()
    }

    fn take(&self, mut kin: Vec<Kin>) -> Vec<Kin> {
        kin.retain(|kin| {
            let is_there = |files: &Vec<FileId>| files.contains(&kin.entry.source.file);
            !(self.is_direct && kin.through.is_some()) && self.files.as_ref().is_none_or(is_there)
        });
        kin
    }
}

/// Returns the classes, interfaces and traits that the words name.
fn classes(teller: &Teller<'_, '_>, words: &str) -> Vec<SymbolId> {
    let (ids, _) = teller.symbols(words).unwrap_or_default();
    let is_class = |id: &SymbolId| teller.index.symbol(*id).is_some_and(inheritance::is_class);
    ids.into_iter().filter(is_class).collect()
}

fn is_interface(teller: &Teller<'_, '_>, id: SymbolId) -> bool {
    let kind = teller.index.symbol(id).map(|symbol| symbol.kind);
    matches!(kind, Some(SymbolKind::Interface | SymbolKind::Trait))
}

fn list(
    teller: &mut Teller<'_, '_>,
    kin: Vec<Kin>,
    mut lead: Vec<Span>,
    is_interface: bool,
    filter: &Filter,
) -> bool {
    let (direct, indirect): (Vec<Kin>, Vec<Kin>) =
        kin.into_iter().partition(|kin| kin.through.is_none());
    let is_parted = !direct.is_empty() && !indirect.is_empty();
    let first = if is_parted || filter.is_direct {
        "direct "
    } else {
        ""
    };
    let rest = if is_parted { "indirect " } else { "" };
    let (one, many) = match is_interface {
        true => ("implementation", "implementations"),
        false => ("subclass", "subclasses"),
    };
    let mut said = false;
    for (kin, which) in [(direct, first), (indirect, rest)] {
        if kin.is_empty() {
            continue;
        }
        let mut entries: Vec<Entry> = kin.into_iter().map(entry).collect();
        let n = n_of(
            teller,
            &mut entries,
            &format!("{which}{one}"),
            &format!("{which}{many}"),
        );
        lead.push(text(format!(" has {n}")));
        if let Some(place) = &filter.place {
            lead.extend([text(" in "), code(place.clone())]);
        }
        lead.push(text(": "));
        said |= teller.list(lead, entries);
        lead = vec![text("It also")];
    }
    said
}

/// Makes an entry; an indirect one says through which class.
fn entry(kin: Kin) -> Entry {
    let mut entry = kin.entry;
    if let Some(through) = kin.through {
        let detail = match entry.detail.is_empty() {
            true => format!("indirect, through {through}"),
            false => format!("indirect, through {through}; {}", entry.detail),
        };
        entry.detail = detail;
    }
    entry
}

/// States that nothing inherits, as far as declarations say.
fn none(teller: &mut Teller<'_, '_>, id: SymbolId) -> bool {
    let Some(definition) = teller.definition(id) else {
        return false;
    };
    if may_have_children(teller, id) {
        return false;
    }
    let language = definition.parsed.language;
    // In Go a type implements an interface without declaring it.
    if language == Language::Go && definition.symbol.kind == SymbolKind::Interface {
        return false;
    }
    let mut lead = named(teller, id);
    lead.push(text(match is_interface(teller, id) {
        true => " has no implementation in the repository: no declaration names it",
        false => " has no subclass in the repository: no declaration names it as a base",
    }));
    if language == Language::Rust {
        lead.push(text(", and code that macros write is not seen"));
    }
    let source = definition.source(teller.notes, &[], SEARCHED);
    teller.say(lead, &source.into_iter().collect::<Vec<_>>())
}

/// States classes that inherit from something outside: `Exception`, `Display`.
fn outside(teller: &mut Teller<'_, '_>, words: &str, filter: &Filter) -> bool {
    let (name, _) = subject::bare(words);
    if name.is_empty() || name.contains(char::is_whitespace) {
        return false;
    }
    let kin = filter.take(descendants(teller, &Class::Outside(name.clone())));
    if kin.is_empty() {
        return false;
    }
    let is_interface = kin
        .iter()
        .any(|kin| kin.lines.is_some() || kin.entry.detail == "derived");
    let lead = vec![
        code(last(&name)),
        text(", which the repository does not define,"),
    ];
    list(teller, kin, lead, is_interface, filter)
}
