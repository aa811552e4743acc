//! What a constant, a variable, a field or a variant is set to.

use super::Kind;
use super::class_members::{fields, of_class};
use super::definitions::entry;
use super::keyed;
use super::listing::{n_of, named, one_line, with_value};
use super::lookup::definitions;
use super::subject;
use super::teller::Teller;
use super::wanted::Wanted;
use super::wording::Read;
use crate::answer::notes::{Entry, Source, code, text};
use crate::lang::{SymbolId, SymbolKind};
use crate::lines::LineRange;
use crate::source::FileId;

/// Longest value that is shown, in characters.
const MAX_SHOWN: usize = 300;

/// Maximum number of places that are stated one by one.
const MAX_PLACES: usize = 8;

pub(super) const KIND: Kind = Kind {
    name: "value",
    wordings: &[
        "what is|are the? value|values|content|contents of|for the? X",
        "ASK? numeric|integer|actual|literal? value|values of|for the? X",
        "what is the? value of the? Y of|in X",
        "what is the? Y of|in X set_to|initialized_to|initialised_to|initialized_with",
        "what value|number|string? does Y have in X",
        "what is|are the? X set_to|assigned_to|equal_to|initialized_to|initialised_to|initialized_with|initialised_with|initialized_as|defined_as|bound_to",
        "what|which value|number|string? does|do the? X have|hold|equal|contain|take",
        "what|which value|values|number|numbers is|are assigned_to|given_to|set_for|stored_in the? X",
        "what|which value|number is|are the? X",
        "what is assigned|bound|stored to|in X",
        "how|to_what|to_which_value is X set|defined|initialized|initialised",
        "to what|which value? is X set|initialized|initialised|assigned",
        "how|what large|big|high|long|many|small|low is|are the? X",
        "X value",
        "what X is set_to",
    ],
    state,
};

/// Reads “What is `MAX_SIZE`?”, only if it means a constant.
pub(super) const TERSE: Kind = Kind {
    name: KIND.name,
    wordings: &["what is|are the? constant|variable? X", "X = "],
    state: state_terse,
};

fn state_terse(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let words = subject::scope(&read.x).map_or(read.x.as_str(), |(what, _)| what);
    let (name, _) = subject::bare(words);
    let is_constant = name.chars().any(char::is_uppercase)
        && !name.chars().any(|c| c.is_lowercase() || c.is_whitespace());
    // Its documentation says more than its value, unless the question names a place to look it up.
    let is_documented = |id: &SymbolId| {
        let symbol = teller.index.symbol(*id);
        symbol.is_some_and(|symbol| !symbol.doc.is_empty())
    };
    let says_more = words == read.x && definitions(teller, words).iter().any(is_documented);
    is_constant && !says_more && state(teller, read)
}

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    if let Some(member) = &read.y {
        let whole = format!("{}.{}", subject::bare(&read.x).0, subject::bare(member).0);
        return of_name(teller, &whole);
    }
    let words = read
        .x
        .trim_start_matches("constant ")
        .trim_start_matches("variable ");
    of_name(teller, words)
}

fn of_name(teller: &mut Teller<'_, '_>, words: &str) -> bool {
    let found = definitions(teller, words);
    let is_value = |id: &&SymbolId| {
        let kind = teller.index.symbol(**id).map(|symbol| symbol.kind);
        matches!(kind, Some(SymbolKind::Constant | SymbolKind::Variable))
    };
    let values: Vec<SymbolId> = found
        .iter()
        .filter(is_value)
        .take(MAX_PLACES)
        .copied()
        .collect();
    let said = values.iter().map(|id| of_constant(teller, *id));
    let said = said.filter(|said| *said).count() > 0;
    said || of_enums(teller, &found)
        || of_member(teller, words)
        || of_pattern(teller, words)
        || keyed::of_entry(teller, words)
        || keyed::of_returned(teller, &found)
}

/// States the variants of an enumeration, which are its values.
fn of_enums(teller: &mut Teller<'_, '_>, found: &[SymbolId]) -> bool {
    let Some(variants) = Wanted::of("variants") else {
        return false;
    };
    let is_enum = |id: &&SymbolId| {
        let symbol = teller.index.symbol(**id);
        symbol.is_some_and(|symbol| symbol.kind == SymbolKind::Enum)
    };
    let enums: Vec<SymbolId> = found.iter().filter(is_enum).copied().collect();
    let said = enums.iter().map(|id| of_class(teller, variants, *id, ""));
    said.filter(|said| *said).count() > 0
}

/// States all constants whose names match a pattern: `PyGreenlet_*_NUM`.
fn of_pattern(teller: &mut Teller<'_, '_>, words: &str) -> bool {
    let mut words = words.split_whitespace();
    let Some((first, rest)) = words.find_map(|word| word.split_once('*')) else {
        return false;
    };
    let fits = |name: &str| {
        let rest_of = name.strip_prefix(first.trim_matches('`'));
        rest_of.is_some_and(|name| name.ends_with(rest.trim_matches('`')))
    };
    let has_value = |kind| {
        matches!(
            kind,
            SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Macro
        )
    };
    let files = (0..teller.index.parsed.len() as u32).map(FileId);
    let named = files.flat_map(|file| teller.defined_in(file));
    let named = named.filter(|(_, symbol)| has_value(symbol.kind) && fits(&symbol.name));
    let mut entries: Vec<Entry> = named.filter_map(|(id, _)| entry(teller, id)).collect();
    if first.len() + rest.len() < 3 || entries.is_empty() {
        return false;
    }
    let n = n_of(teller, &mut entries, "definition", "definitions");
    let pattern = code(format!("{first}*{rest}"));
    let lead = vec![
        text("Names like "),
        pattern,
        text(format!(" belong to {n}: ")),
    ];
    teller.list(lead, entries)
}

fn of_constant(teller: &mut Teller<'_, '_>, id: SymbolId) -> bool {
    let Some((value, source)) = with_value(teller, id) else {
        return false;
    };
    let lead = named(teller, id);
    say(teller, lead, &value, source)
}

fn say(
    teller: &mut Teller<'_, '_>,
    mut lead: Vec<crate::answer::Span>,
    value: &str,
    source: Source,
) -> bool {
    let shown = one_line(value, MAX_SHOWN);
    let begins = if shown.ends_with('…') {
        " is set to a value that begins with "
    } else {
        " is set to "
    };
    lead.extend([text(begins), code(shown.trim_end_matches('…'))]);
    teller.say(lead, &[source])
}

/// States a field or a variant of a class, or what its methods set on the object:
/// `Session.max_redirects`.
fn of_member(teller: &mut Teller<'_, '_>, words: &str) -> bool {
    let (name, _) = subject::bare(words);
    let name = name.replace("::", ".").replace('#', ".");
    let Some((owner, member)) = name.rsplit_once('.') else {
        return false;
    };
    let (classes, _) = teller.symbols(owner).unwrap_or_default();
    let mut said = false;
    for class in classes {
        let known = fields(teller, class, &[]);
        let field = known
            .into_iter()
            .find(|field| field.name.rsplit('.').next() == Some(member));
        let value = field.filter(|field| !field.detail.is_empty());
        if let Some(mut field) = value {
            let lead = vec![
                code(field.name.clone()),
                text(" in "),
                code(teller.path(class.file)),
            ];
            if !field.detail.ends_with('…') {
                field.source.quotes.push(field.detail.clone());
            }
            said |=
                is_a_value(teller, class, member) && say(teller, lead, &field.detail, field.source);
        }
        said |= set_in_methods(teller, class, member);
    }
    said
}

/// Whether the member has a value, not just a type.
fn is_a_value(teller: &Teller<'_, '_>, class: SymbolId, member: &str) -> bool {
    let Some(definition) = teller.definition(class) else {
        return false;
    };
    let shape = teller.syntax.shape(&definition);
    shape
        .members
        .iter()
        .any(|known| known.name == member && known.value.is_some())
}

/// States what methods of the class assign to the member.
fn set_in_methods(teller: &mut Teller<'_, '_>, class: SymbolId, member: &str) -> bool {
    let mut said = false;
    for id in super::listing::members(teller, class) {
        let Some(method) = teller.definition(id) else {
            continue;
        };
        let shape = teller.syntax.shape(&method);
        let set = shape.assigned.into_iter().filter(|set| {
            let of_object = ["self.", "this.", "@"]
                .iter()
                .find_map(|sign| set.target.strip_prefix(sign));
            of_object == Some(member)
        });
        for set in set {
            let lead = vec![
                code(set.target.clone()),
                text(" is set in "),
                code(method.symbol.qualified.clone()),
                text(" of "),
                code(method.path),
                text(":"),
            ];
            let mut lead = lead;
            let shown = one_line(&set.value, MAX_SHOWN);
            lead.extend([text(" "), code(shown)]);
            let end = set.value.lines().count().saturating_sub(1) as u32;
            let last = crate::lines::Line(set.line.0 + end);
            let source = Source {
                file: id.file,
                lines: LineRange::new(set.line, last),
                quotes: vec![set.target, set.value],
                why: "assignment".to_owned(),
            };
            said |= teller.say(lead, &[source]);
        }
    }
    said
}
