//! Which parameters a function takes, or the constructor of a class.

use super::Kind;
use super::listing::named;
use super::parameters::{functions, parameters, without_overloads};
use super::teller::{Teller, counted};
use super::wording::Read;
use crate::answer::notes::{DEFINITION, Entry, Source, text};
use crate::lang::SymbolId;
use crate::lines::LineRange;
use crate::parse::shape::Parameter;

macro_rules! things {
    () => {
        "parameters|params|parameter|arguments|args|argument|keyword_arguments|keyword_args|kwargs"
    };
}

pub(super) const KIND: Kind = Kind {
    name: "parameters",
    wordings: &[
        concat!(
            "ASK? constructor|init|required|positional|keyword? ",
            things!(),
            " REL? X"
        ),
        concat!(
            "ASK? ",
            things!(),
            " does|do|can|must|should X take|takes|accept|accepts|have|need|needs|expect|require|get|receive"
        ),
        concat!(
            "ASK? ",
            things!(),
            " that? X takes|accepts|has|needs|expects|requires|receives"
        ),
        concat!(
            "ASK? ",
            things!(),
            " can|do|must|should|could|may i|we|you|one pass|give|hand|use|set|supply to|when|for|with|in|into calling|creating|constructing|instantiating|making? X"
        ),
        concat!("how_many ", things!(), " does|do X take|have|accept|need"),
        concat!("X ", things!()),
        "ASK? signature REL? X",
        "X signature",
        "what does|do|can|must X take|accept|expect as|for? input|arguments|parameters?",
        "what do|can|must|should i|we|you|one pass|give|hand to|into X",
    ],
    state,
};

/// Maximum number of functions with one name that are answered about.
const MOST: usize = 4;

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let words = read.x.replace("()", "");
    let lower = words.to_lowercase();
    let words = ["the constructor of ", "constructor of ", "new "]
        .iter()
        .find_map(|begin| lower.strip_prefix(begin))
        .and_then(|rest| words.get(words.len() - rest.len()..))
        .unwrap_or(&words);
    let words = words.trim_end_matches(" constructor");
    let found = functions(teller, words);
    let found = without_overloads(teller, found, &|_| true);
    if found.len() > MOST {
        return false;
    }
    let said = found.iter().map(|id| takes(teller, *id));
    said.filter(|said| *said).count() > 0
}

/// States the parameters of one function.
fn takes(teller: &mut Teller<'_, '_>, id: SymbolId) -> bool {
    // A class without a constructor of its own may inherit one, or have one made for it.
    let definition = teller.definition(id).filter(|it| !it.is_container());
    let Some(definition) = definition else {
        return false;
    };
    let Some(all) = parameters(teller, &definition) else {
        return false;
    };
    let mut lead = named(teller, id);
    if all.is_empty() {
        lead.push(text(" takes no parameters"));
        let source = definition.source(teller.notes, &[], DEFINITION);
        return source.is_some_and(|source| teller.say(lead, &[source]));
    }
    let n = counted(all.len(), "parameter", "parameters");
    lead.push(text(format!(" takes {n}: ")));
    let entries = all.iter().map(|parameter| entry(id, parameter));
    let entries: Vec<Entry> = entries.collect();
    teller.list(lead, entries)
}

fn entry(id: SymbolId, parameter: &Parameter) -> Entry {
    let source = Source {
        file: id.file,
        lines: LineRange::new(parameter.line, parameter.line),
        quotes: vec![parameter.name.clone()],
        why: "parameter".to_owned(),
    };
    Entry {
        name: parameter.name.clone(),
        detail: match parameter.is_rest {
            true => "takes any number".to_owned(),
            false => String::new(),
        },
        source,
    }
}
