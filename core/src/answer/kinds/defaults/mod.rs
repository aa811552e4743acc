//! Defaults: of one parameter, of all parameters of a function, or, if no function is named, of
//! every parameter with a given name. Defaults that no signature has are found where code writes
//! them.

mod written;

use regex::Regex;

use super::Kind;
use super::built;
use super::listing::{named, one_line, slice};
use super::lookup::definitions;
use super::parameters::{
    MAX_DEFAULT, entry, functions, is_named, named_so, parameters, proof, without_overloads,
};
use super::subject;
use super::teller::{Teller, counted};
use super::wording::Read;
use crate::answer::Span;
use crate::answer::definition::Definition;
use crate::answer::notes::{Entry, SEARCHED, Source, code, text};
use crate::lang::{Language, Role, SymbolId, SymbolKind};
use crate::parse::shape::Parameter;
use crate::source::FileId;

/// Things that can have a default.
macro_rules! parameter {
    () => {
        "parameter|param|argument|arg|option|keyword_argument|kwarg|keyword|field|setting|prop|property|attribute"
    };
}

macro_rules! parameters {
    () => {
        "parameters|params|arguments|args|options|keyword_arguments|kwargs"
    };
}

pub(super) const KIND: Kind = Kind {
    name: "defaults",
    wordings: &[
        concat!(
            "ASK? defaults|default_values REL ASK? ",
            parameters!(),
            " of|in|to|for X"
        ),
        concat!("ASK? defaults|default_values REL X ", parameters!()),
        concat!("ASK? default ", parameters!(), " REL X"),
        "ASK? defaults|default_values|default_settings REL X",
        concat!(
            "ASK? defaults|default_values does|do X ",
            parameters!(),
            "? use|have|take"
        ),
        concat!(
            "ASK? ",
            parameters!(),
            " of|in X have|has|with|having a? default|defaults|default_value|default_values"
        ),
        concat!("what do|does? ASK? ", parameters!(), " of|in X default_to"),
        concat!(
            "ASK? default|default_value REL ASK? Y ",
            parameter!(),
            "? of|in|for|to X"
        ),
        concat!(
            "ASK? default|default_value REL ASK? ",
            parameter!(),
            " Y of|in|for|to X"
        ),
        concat!(
            "what does|do|is the? ",
            parameter!(),
            "? Y ",
            parameter!(),
            "? of|in|for X default_to|set_to_by_default|by_default"
        ),
        concat!("what is the? default Y ", parameter!(), "? of|in|for|to X"),
        "what is X default Y",
        concat!("ASK? default|default_value REL ASK? Y ", parameter!(), "?"),
        concat!("ASK? default|default_value REL ASK? ", parameter!(), " Y"),
        concat!(
            "what does|do the? ",
            parameter!(),
            "? Y ",
            parameter!(),
            "? default_to"
        ),
        concat!(
            "what is the? Y ",
            parameter!(),
            "? by_default|set_to_by_default"
        ),
        "is|are the? Y on|enabled|off|disabled|true|false|set|active by_default in|for|of X",
        "is|are the? Y by_default on|enabled|off|disabled|true|false|set|active in|for|of X",
        "what|which Y does|do X use|take|have|send|set by_default",
        "what|which Y does|do X use|take|have|send|set if|when i|we|you|one|nobody pass|give|set|specify none|nothing|no|it ANY",
        "what|which Y does|do X use|take|have|send|set unless i|we|you|one|somebody|told pass|give|set|specify|say|otherwise ANY",
        concat!("ASK? default Y ", parameter!(), "? of|in|for|to X"),
        "what is the? default Y",
        "default Y",
        "Y default|default_value",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let of = read.x.trim_end_matches("'s").trim_end_matches("’s");
    match (&read.y, of.is_empty()) {
        (None, false) => {
            let functions = functions(teller, of);
            if functions.is_empty() {
                teller.is_guess = true;
                return each(teller, of);
            }
            let functions =
                without_overloads(teller, functions, &|parameter| parameter.default.is_some());
            let said = functions.iter().map(|id| all(teller, *id));
            said.filter(|said| *said).count() > 0
        }
        (Some(name), false) => {
            let name = parameter_name(name);
            let found = functions(teller, of);
            let found = without_overloads(teller, found, &|parameter| {
                parameter.default.is_some() && is_named(parameter, &name)
            });
            let has_default = |id: &SymbolId| {
                let parameters = teller
                    .definition(*id)
                    .and_then(|it| parameters(teller, &it));
                let parameters = parameters.unwrap_or_default();
                named_so(&parameters, &name).is_some_and(|found| found.default.is_some())
            };
            if !found.iter().any(has_default) {
                let named = definitions(teller, of);
                if written::of_code(teller, &named, &name) {
                    return true;
                }
            }
            let said = found.iter().map(|id| one(teller, *id, &name));
            said.filter(|said| *said).count() > 0
        }
        (Some(name), true) => {
            let name = parameter_name(name);
            // Which function is meant, the question does not say.
            teller.is_guess = true;
            everywhere(teller, &name) || written::anywhere(teller, &name)
        }
        (None, true) => false,
    }
}

/// Answers “the defaults of `a` and `b`”: parameters that any function has.
fn each(teller: &mut Teller<'_, '_>, words: &str) -> bool {
    let words = words.replace(" and ", " ").replace(',', " ");
    let names: Vec<String> = words.split_whitespace().map(parameter_name).collect();
    let said = names.iter().map(|name| everywhere(teller, name));
    said.filter(|said| *said).count() > 0
}

/// Returns whether it is on or off, if the question asks just that.
fn yes_or_no(teller: &Teller<'_, '_>, value: &str) -> Option<Span> {
    let asked = teller.question.text().trim_start().to_lowercase();
    let words: Vec<&str> = asked.split(|c: char| !c.is_alphanumeric()).collect();
    let is_asked = matches!(words.first(), Some(&"is" | &"are"));
    let is_off = ["off", "disabled", "false"]
        .iter()
        .any(|off| words.contains(off));
    let is_true = match value.trim().to_lowercase().as_str() {
        "true" | "yes" | "on" => true,
        "false" | "no" | "off" | "none" | "null" => false,
        _ => return None,
    };
    is_asked.then(|| text(if is_true == is_off { "No. " } else { "Yes. " }))
}

fn parameter_name(words: &str) -> String {
    let name = subject::bare(words).0;
    let name = name
        .trim_start_matches("--")
        .trim_start_matches(['*', '$', '&']);
    name.to_owned()
}

/// Cites the declaration of a function to show that something is missing from it.
fn searched(teller: &Teller<'_, '_>, definition: &Definition<'_>) -> Vec<Source> {
    definition
        .source(teller.notes, &[], SEARCHED)
        .into_iter()
        .collect()
}

fn all(teller: &mut Teller<'_, '_>, id: SymbolId) -> bool {
    let Some(definition) = teller.definition(id) else {
        return false;
    };
    let Some(parameters) = parameters(teller, &definition) else {
        return false;
    };
    let with: Vec<&Parameter> = parameters
        .iter()
        .filter(|parameter| parameter.default.is_some())
        .collect();
    let mut lead = named(teller, id);
    if with.is_empty() {
        lead.push(text(match parameters.is_empty() {
            true => " takes no parameters",
            false => " has no parameter with a default",
        }));
        let sources = searched(teller, &definition);
        return teller.say(lead, &sources);
    }
    let entries: Vec<Entry> = with
        .iter()
        .filter_map(|parameter| entry(teller, id.file, parameter))
        .collect();
    if entries.len() != with.len() {
        return false;
    }
    let what = if definition.is_container() {
        "field"
    } else {
        "parameter"
    };
    let n = counted(entries.len(), what, &format!("{what}s"));
    lead.push(text(format!(" has {n} with a default: ")));
    let shown = entries
        .iter()
        .map(|entry| format!("{} = {}", entry.name, entry.detail));
    let names: Vec<String> = shown.collect();
    let entries = entries.into_iter().zip(names).map(|(entry, name)| Entry {
        name,
        detail: String::new(),
        ..entry
    });
    let entries: Vec<Entry> = entries.collect();
    teller.list(lead, entries)
}

fn one(teller: &mut Teller<'_, '_>, id: SymbolId, name: &str) -> bool {
    let Some(definition) = teller.definition(id) else {
        return false;
    };
    let Some(parameters) = parameters(teller, &definition) else {
        return false;
    };
    let Some(parameter) = named_so(&parameters, name) else {
        return false;
    };
    let mut lead = vec![code(parameter.name.clone()), text(" of ")];
    lead.extend(named(teller, id));
    let default = parameter.default.as_deref();
    let answer = default.and_then(|default| yes_or_no(teller, default));
    lead.splice(0..0, answer);
    match &parameter.default {
        Some(default) => {
            let Some(source) = proof(teller, id.file, parameter) else {
                return false;
            };
            lead.extend(is_set_to(default));
            teller.say(lead, &[source])
        }
        None if may_default_otherwise(teller, &definition, &parameter.name) => false,
        None => {
            lead.push(text(" has no default"));
            let sources = searched(teller, &definition);
            teller.say(lead, &sources)
        }
    }
}

/// Whether something else than the declaration of a parameter can give it a default: a constructor,
/// an attribute, documentation, or the body.
fn may_default_otherwise(teller: &Teller<'_, '_>, definition: &Definition<'_>, name: &str) -> bool {
    let body = slice(teller, definition.file, definition.symbol.lines);
    let is_set = || {
        let name = regex::escape(name);
        let set = format!(r"\b{name}\s*(?:\?\?|\|\|| = [^=]|\.unwrap_or|\.get_or|\s+or\b)");
        Regex::new(&set).is_ok_and(|set| set.is_match(body))
    };
    definition.is_container()
        || definition.parsed.language == Language::Rust
        || body.to_lowercase().contains("default")
        || is_set()
}

fn is_set_to(default: &str) -> Vec<Span> {
    vec![text(" defaults to "), code(one_line(default, MAX_DEFAULT))]
}

/// States all parameters of this name that have a default, in the project's own code.
fn everywhere(teller: &mut Teller<'_, '_>, name: &str) -> bool {
    if name.is_empty() || name.contains(char::is_whitespace) {
        return false;
    }
    let mut entries: Vec<Entry> = Vec::new();
    for file in (0..teller.index.parsed.len() as u32).map(FileId) {
        let is_own =
            Role::of(teller.path(file)) == Role::Source && !built::is_built(teller.index, file);
        if !is_own || !teller.file_text(file).contains(name) {
            continue;
        }
        let is_function = |kind| matches!(kind, SymbolKind::Function | SymbolKind::Method);
        for (id, symbol) in teller
            .defined_in(file)
            .filter(|(_, symbol)| is_function(symbol.kind))
        {
            if !symbol.signature.contains(name) {
                continue;
            }
            let Some(definition) = teller.definition(id) else {
                continue;
            };
            let parameters = teller
                .syntax
                .shape(&definition)
                .parameters
                .unwrap_or_default();
            let named = named_so(&parameters, name);
            if let Some(found) = named.and_then(|parameter| entry(teller, file, parameter)) {
                let name = format!("{} ({})", symbol.qualified, found.detail);
                entries.push(Entry {
                    name,
                    detail: String::new(),
                    ..found
                });
            }
        }
    }
    if entries.is_empty() {
        return false;
    }
    let n = counted(entries.len(), "function", "functions");
    let lead = vec![code(name), text(format!(" has a default in {n}: "))];
    teller.list(lead, entries)
}
