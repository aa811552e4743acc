//! The values of an enumeration that a question describes without its name: “which call site
//! parameters are there” is answered by what `CallsiteParameter` lists. One word can mean much
//! else, and so can a name that two things have: then the answer is a guess.

use super::Kind;
use super::class_members::{fields, of_class};
use super::listing::members;
use super::teller::Teller;
use super::wanted::Wanted;
use super::wording::Read;
use crate::index::tokens::{is_stop_word, name_parts};
use crate::lang::{Role, Symbol, SymbolId, SymbolKind};
use crate::source::FileId;

pub(super) const KIND: Kind = Kind {
    name: "enumeration",
    wordings: &[
        "ASK? possible|allowed|valid|known? @values|options|choices of|for|in X",
        "which|what X are|is @there|defined",
        "which|what X @exist",
        // What else is said may leave out some of them.
        "which|what X can|could|may|will|does|do|are|is ANY",
    ],
    state,
};

/// Shortest description, in letters.
const MIN_LETTERS: usize = 5;

/// What the bases of a class are called that is an enumeration.
const BASES: [&str; 3] = ["Enum", "Flag", "Choices"];

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(Described { id, is_sure }) = described(teller, &read.x) else {
        return false;
    };
    let Some(variants) = Wanted::of("variants").filter(|_| has_values(teller, id)) else {
        return false;
    };
    let name = teller
        .index
        .symbol(id)
        .map(|symbol| symbol.qualified.clone());
    let is_said = of_class(teller, variants, id, "");
    if let Some(name) = name.filter(|_| is_said) {
        teller.note = Some(format!("Read as “variants of {name}”."));
        teller.is_guess = !is_sure || read.word.is_empty();
    }
    is_said
}

/// An enumeration whose name consists of a question's words.
struct Described {
    id: SymbolId,
    /// Whether several words describe it, and nothing else has the name.
    is_sure: bool,
}

/// Returns the only enumeration of the project's own code whose name consists of these words, the
/// last of which may be a plural.
fn described(teller: &Teller<'_, '_>, words: &str) -> Option<Described> {
    let parts = name_parts(words).into_iter();
    let parts: Vec<String> = parts.filter(|part| !is_stop_word(part)).collect();
    let name = parts.concat().to_lowercase();
    if name.len() < MIN_LETTERS {
        return None;
    }
    let singular = singulars(&name);
    let has_name = |symbol: &Symbol| {
        let own = symbol.name.replace('_', "").to_lowercase();
        (own == name || singular.contains(&own)) && symbol.kind.is_container()
    };
    let files = (0..teller.index.parsed.len() as u32).map(FileId);
    let own = files.filter(|file| Role::of(teller.path(*file)) == Role::Source);
    let named = own.flat_map(|file| teller.defined_in(file));
    let named: Vec<(SymbolId, &Symbol)> = named.filter(|(_, symbol)| has_name(symbol)).collect();
    let mut found = named.iter().filter(|(_, symbol)| is_enumeration(symbol));
    let (id, _) = found.next()?;
    let is_sure = named.len() == 1 && parts.len() > 1;
    let id = *id;
    found.next().is_none().then_some(Described { id, is_sure })
}

fn has_values(teller: &Teller<'_, '_>, id: SymbolId) -> bool {
    let is_value = |id: &SymbolId| {
        let symbol = teller.index.symbol(*id);
        symbol.is_some_and(|symbol| symbol.kind == SymbolKind::Constant)
    };
    members(teller, id).iter().any(is_value) || !fields(teller, id, &[]).is_empty()
}

/// Returns what a word in the plural can be in the singular.
fn singulars(word: &str) -> Vec<String> {
    let cut = |end: &str| word.strip_suffix(end);
    let hisses = |stem: &&str| {
        ["s", "x", "z", "ch", "sh"]
            .iter()
            .any(|it| stem.ends_with(it))
    };
    let of_y = cut("ies").map(|stem| format!("{stem}y"));
    let of_es = cut("es").filter(hisses).map(str::to_owned);
    let of_s = cut("s").map(str::to_owned);
    of_y.into_iter().chain(of_es).chain(of_s).collect()
}

fn is_enumeration(symbol: &Symbol) -> bool {
    let inherits = |base: &&str| {
        let (_, bases) = symbol.signature.split_once('(').unwrap_or_default();
        bases.contains(*base)
    };
    symbol.kind == SymbolKind::Enum
        || symbol.kind == SymbolKind::Class && BASES.iter().any(inherits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plural_has_several_singulars() {
        assert_eq!(singulars("closecodes"), ["closecode"]);
        assert_eq!(singulars("mailboxes"), ["mailbox", "mailboxe"]);
        assert_eq!(singulars("properties"), ["property", "propertie"]);
        assert!(singulars("level").is_empty());
    }
}
