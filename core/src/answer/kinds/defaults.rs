//! The default of a parameter, or of all parameters of a function; and, where no function is named, of all
//! parameters of a name.

use super::Kind;
use super::listing::{members, named, one_line};
use super::lookup::definitions;
use super::subject;
use super::teller::{Teller, counted};
use super::wording::Read;
use crate::answer::Span;
use crate::answer::definition::Definition;
use crate::answer::notes::{Entry, SEARCHED, Source, code, text};
use crate::lang::{Role, SymbolId, SymbolKind};
use crate::lines::{Line, LineRange};
use crate::parse::shape::Parameter;
use crate::source::FileId;

/// Longest default that is shown, in characters.
const MAX_DEFAULT: usize = 120;

/// Functions that make an object of a class.
const CONSTRUCTORS: [&str; 5] = [
    "__init__",
    "constructor",
    "initialize",
    "__construct",
    "init",
];

/// What has a default.
macro_rules! parameter {
    () => {
        "parameter|param|argument|arg|option|keyword_argument|kwarg|keyword|field|setting"
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
        concat!("what is X default Y"),
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
            let functions =
                without_overloads(teller, functions, &|parameter| parameter.default.is_some());
            let said = functions.iter().map(|id| all(teller, *id));
            said.fold(false, |any, said| any || said)
        }
        (Some(name), false) => {
            let name = parameter_name(name);
            let functions = functions(teller, of);
            let functions = without_overloads(teller, functions, &|parameter| {
                parameter.default.is_some() && is_named(parameter, &name)
            });
            let said = functions.iter().map(|id| one(teller, *id, &name));
            said.fold(false, |any, said| any || said)
        }
        (Some(name), true) => everywhere(teller, &parameter_name(name)),
        (None, true) => false,
    }
}

fn parameter_name(words: &str) -> String {
    let name = subject::bare(words).0;
    let name = name
        .trim_start_matches("--")
        .trim_start_matches(['*', '$', '&']);
    name.to_owned()
}

/// The functions that the words name; of a class those that make its objects, or the class itself where it
/// declares parameters or fields.
fn functions(teller: &Teller<'_, '_>, words: &str) -> Vec<SymbolId> {
    let mut found = Vec::new();
    for id in definitions(teller, words) {
        let Some(symbol) = teller.index.symbol(id) else {
            continue;
        };
        match symbol.kind {
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro => found.push(id),
            kind if kind.is_container() => {
                let own = members(teller, id);
                let makes = |id: &SymbolId| {
                    teller.index.symbol(*id).is_some_and(|member| {
                        CONSTRUCTORS.contains(&member.name.as_str()) || member.name == symbol.name
                    })
                };
                let makers: Vec<SymbolId> = own.into_iter().filter(makes).collect();
                match makers.is_empty() {
                    true => found.push(id),
                    false => found.extend(makers),
                }
            }
            _ => {}
        }
    }
    found
}

/// The parameters of a function, or the fields of a class that makes its constructor of them.
fn parameters(teller: &Teller<'_, '_>, definition: &Definition<'_>) -> Option<Vec<Parameter>> {
    let shape = teller.syntax.shape(definition);
    if shape.parameters.is_some() || !definition.is_container() {
        return shape.parameters;
    }
    let fields = shape.members.into_iter().map(|member| Parameter {
        name: member.name,
        line: member.line,
        default: member.value,
        written: member.written,
        is_rest: false,
    });
    Some(fields.collect())
}

/// The line of a parameter with its default: a long default can end some lines further.
fn proof(teller: &Teller<'_, '_>, file: FileId, parameter: &Parameter) -> Option<Source> {
    let default = parameter.default.clone()?;
    let more = default.lines().count().saturating_sub(1) as u32;
    let source = |more: u32| Source {
        file,
        lines: LineRange::new(parameter.line, Line(parameter.line.0 + more)),
        quotes: vec![parameter.name.clone(), default.clone()],
        why: "default".to_owned(),
    };
    // The value can stand on a line after the name.
    let mut tried = (more..more + 3).map(source);
    tried.find(|source| teller.notes.check(source).is_some())
}

fn entry(teller: &Teller<'_, '_>, file: FileId, parameter: &Parameter) -> Option<Entry> {
    let source = proof(teller, file, parameter)?;
    Some(Entry {
        name: parameter.name.clone(),
        detail: one_line(
            parameter.default.as_deref().unwrap_or_default(),
            MAX_DEFAULT,
        ),
        source,
    })
}

/// The declaration of a function, where it shows that something is not there.
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
    match &parameter.default {
        Some(default) => {
            let Some(source) = proof(teller, id.file, parameter) else {
                return false;
            };
            lead.extend(is_set_to(default));
            teller.say(lead, &[source])
        }
        None => {
            lead.push(text(" has no default"));
            let sources = searched(teller, &definition);
            teller.say(lead, &sources)
        }
    }
}

fn named_so<'p>(parameters: &'p [Parameter], name: &str) -> Option<&'p Parameter> {
    let exact = parameters.iter().find(|parameter| parameter.name == name);
    exact.or_else(|| {
        parameters
            .iter()
            .find(|parameter| is_named(parameter, name))
    })
}

/// Whether a parameter is meant: `--max-retries`, `max_retries` and `_max_retries` are one.
fn is_named(parameter: &Parameter, name: &str) -> bool {
    let plain = |name: &str| {
        let name = name.replace(['-', ' '], "_").to_lowercase();
        name.trim_start_matches('_').to_owned()
    };
    plain(&parameter.name) == plain(name)
}

/// Declarations of a function leave out what its definition says: of several of one name in a file, those
/// with what is asked about, if there is one.
fn without_overloads(
    teller: &Teller<'_, '_>,
    functions: Vec<SymbolId>,
    has: &dyn Fn(&Parameter) -> bool,
) -> Vec<SymbolId> {
    let name = |id: &SymbolId| {
        teller
            .index
            .symbol(*id)
            .map(|symbol| symbol.qualified.as_str())
    };
    let says = |id: &SymbolId| {
        let definition = teller.definition(*id);
        let parameters = definition.and_then(|definition| parameters(teller, &definition));
        parameters.is_some_and(|parameters| parameters.iter().any(has))
    };
    let telling: Vec<SymbolId> = functions.iter().filter(|id| says(id)).copied().collect();
    let is_kept = |id: &SymbolId| {
        let same = |other: &SymbolId| other.file == id.file && name(other) == name(id);
        telling.contains(id) || !telling.iter().any(same)
    };
    functions.into_iter().filter(is_kept).collect()
}

fn is_set_to(default: &str) -> Vec<Span> {
    vec![text(" defaults to "), code(one_line(default, MAX_DEFAULT))]
}

/// All parameters of a name that have a default, in the project's own code.
fn everywhere(teller: &mut Teller<'_, '_>, name: &str) -> bool {
    if name.is_empty() || name.contains(char::is_whitespace) {
        return false;
    }
    let mut entries: Vec<Entry> = Vec::new();
    for file in (0..teller.index.parsed.len() as u32).map(FileId) {
        let is_own = Role::of(teller.path(file)) == Role::Source;
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
