//! Which environment variables are read, and where, by the ways that each language's folder lists.

mod helpers;
mod ways;

use std::collections::BTreeSet;

use regex::Regex;

use self::helpers::through_helpers;
use self::ways::{Way, bound_names, is_mentioned, is_read, taken_whole, through_aliases};
use super::Kind;
use super::scope::Scope;
use super::teller::{Teller, counted};
use super::texts::{Text, polar, shown};
use super::wording::Read;
use crate::answer::notes::{Entry, code, text};
use crate::lang::Language;
use crate::lines::{Line, LineRange};

pub(super) const KIND: Kind = Kind {
    name: "environment",
    wordings: &[
        "ASK? environment|env variables|variable|vars|var|settings REL? read|used|consulted|looked_up|respected|supported|honoured|honored|needed|required|checked|accessed|evaluated|available? REL? tests_included|including_tests|with_tests? X?",
        "ASK? env_vars|envvars|env-vars|environment-variables|env|environment REL? read|used|consulted|looked_up|respected|supported|honoured|honored|needed|required|checked|accessed|evaluated? REL? tests_included|including_tests|with_tests? X?",
        "ASK? environment|env variables|variable|vars|var does|do|can|could|will|should X read|use|look_at|look_up|consult|respect|honour|honor|need|support|require|check|access|depend_on|evaluate|understand|know|accept|set",
        "what|which does|do X read|take|get|fetch from the environment",
        "does|do X read|use|look_at|look_up|consult|respect|honour|honor|need|support|require|check|access|depend_on|evaluate the|any|some? environment|env|environment_variables|env_vars|env_variables|environment_variable",
        "where is|are environment|env variables|variable|vars|var read|used|accessed|evaluated|consulted in|by? X?",
        "where is|are the? environment|env? variable|var? Y looked_up|looked_at|read|consulted|fetched|evaluated|checked|used|queried|accessed",
        "where does|do X look_at|look_up|look_for|read|check|use|consult|evaluate|access the? environment|env? variable|var? Y",
        "who|what|which functions|code? reads|looks_up|uses|checks|consults the? environment|env? variable|var? Y",
    ],
    state,
};

/// Number of lines before a read in which a name may get its value.
const BEFORE: u32 = 40;

/// Maximum distance in lines at which the two are cited together.
const NEAR: u32 = 10;

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    if let Some(name) = &read.y {
        let name = super::named::bare(name);
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        return is_name && of_variable(teller, &name);
    }
    let Some(scope) = Scope::read(teller, &read.x) else {
        return false;
    };
    let scope = scope.only_code(teller);
    let found = find(teller, &scope);
    if found.known.is_empty() && found.unknown.is_empty() {
        return none_by_name(teller, &scope, found.whole);
    }
    let names: BTreeSet<&String> = found.known.iter().map(|entry| &entry.name).collect();
    let n = counted(names.len(), "environment variable", "environment variables");
    let mut lead = vec![text(polar(teller, true))];
    lead.extend(scope.shown.clone());
    lead.push(text(format!(" reads {n}: ")));
    let is_said = !found.known.is_empty() && teller.list(lead, found.known);
    let n = counted(found.unknown.len(), "place", "places");
    let lead = format!("At {n} the name of the variable is not written out: ");
    let is_more = !found.unknown.is_empty() && teller.list(vec![text(lead)], found.unknown);
    is_said || is_more
}

/// States that no variable is read by its name, and where the environment is taken as a whole.
fn none_by_name(teller: &mut Teller<'_, '_>, scope: &Scope, whole: Vec<Entry>) -> bool {
    if !whole.is_empty() {
        let n = counted(whole.len(), "place", "places");
        let mut lead = scope.shown.clone();
        let only = format!(" reads no environment variable by name; it takes them all at {n}: ");
        lead.push(text(only));
        return teller.list(lead, whole);
    }
    let mut spans = vec![text(polar(teller, false))];
    spans.extend(scope.shown.clone());
    let n = counted(scope.files.len(), "file", "files");
    spans.push(text(format!(
        " reads no environment variable: none of the {n} of code does so in a way that \
         Footnote knows for its language"
    )));
    let searched = scope.searched(teller);
    teller.say(spans, &searched)
}

/// States where one variable is read.
fn of_variable(teller: &mut Teller<'_, '_>, name: &str) -> bool {
    let Some(scope) = Scope::read(teller, "") else {
        return false;
    };
    let scope = scope.only_code(teller);
    let mut found = find(teller, &scope).known;
    found.retain(|entry| entry.name == name);
    for entry in &mut found {
        let place = Text::plain(teller.index, entry.source.file);
        if let Some(place) = place {
            entry.name = place.place(entry.source.lines.start());
        }
    }
    let n = counted(found.len(), "place", "places");
    let lead = vec![
        text("The environment variable "),
        code(name.to_owned()),
        text(format!(" is read at {n}: in ")),
    ];
    !found.is_empty() && teller.list(lead, found)
}

/// Places where variables are read, with their names written out or not.
#[derive(Default)]
struct Found {
    known: Vec<Entry>,
    unknown: Vec<Entry>,
    /// Places that take the environment as a whole.
    whole: Vec<Entry>,
}

fn find(teller: &mut Teller<'_, '_>, scope: &Scope) -> Found {
    let mut found = Found::default();
    let mut known: Vec<(Language, Vec<Way>)> = Vec::new();
    for file in &scope.files {
        let Some(text) = Text::plain(teller.index, *file) else {
            continue;
        };
        let language = text.parsed.language;
        if !known.iter().any(|(of, _)| *of == language) {
            let ways = language.spec().environment.iter();
            known.push((language, ways.filter_map(|way| Way::new(way)).collect()));
        }
        let own = known.iter().find(|(of, _)| *of == language);
        let own = own.map_or(&[][..], |(_, ways)| ways);
        let written = language.spec().environment;
        let is_named = written.iter().any(|way| is_mentioned(text.text, way));
        if (is_named || own.iter().any(|way| way.pattern.is_match(text.text)))
            && let Some(text) = Text::new(teller.index, *file)
        {
            let renamed = through_aliases(&text, written);
            in_file(&text, own.iter().chain(&renamed), &mut found);
            in_whole(&text, written, &mut found);
        }
    }
    through_helpers(teller, scope, &mut found);
    found
}

fn in_whole(text: &Text<'_>, written: &[&str], found: &mut Found) {
    for (at, root) in taken_whole(text, written) {
        let line = text.line(at);
        let (place, row) = (text.place(line), shown(text.row(line)));
        found.whole.push(text.entry(line, place, row, root));
    }
}

fn in_file<'w>(text: &Text<'_>, ways: impl Iterator<Item = &'w Way>, found: &mut Found) {
    let mut places: Vec<(usize, bool, String)> = Vec::new();
    for way in ways {
        for captures in way.pattern.captures_iter(text.text) {
            let name = captures.get(1).or(captures.get(2));
            let (Some(whole), Some(name)) = (captures.get(0), name) else {
                continue;
            };
            let line = text.line(name.start());
            if way.within.is_some_and(|lines| !lines.contains(line)) {
                continue;
            }
            if way.is_list {
                let all = bound_names(name.as_str()).into_iter();
                let all = all.map(|(at, bound)| (name.start() + at, true, bound.to_owned()));
                places.extend(all.filter(|(at, ..)| text.is_code(*at)));
            } else if is_read(text, whole.start(), whole.end()) {
                let is_known = captures.get(1).is_some();
                places.push((name.start(), is_known, name.as_str().trim().to_owned()));
            }
        }
    }
    places.sort();
    places.dedup_by_key(|(at, _, name)| (text.line(*at), name.clone()));
    for (at, is_known, name) in places {
        let line = text.line(at);
        let detail = shown(text.row(line));
        if is_known {
            found
                .known
                .push(text.entry(line, name.clone(), detail, &name));
            continue;
        }
        let behind = values(text, line, &name);
        if behind.is_empty() {
            let entry = text.entry(line, name.clone(), detail.clone(), &name);
            found.unknown.push(entry);
        }
        for (giving, value) in behind {
            let detail = format!("through {name}: {detail}");
            let mut entry = text.entry(giving, value.clone(), detail, &value);
            if line.0 - giving.0 <= NEAR {
                entry.source.lines = LineRange::new(giving, line);
            }
            found.known.push(entry);
        }
    }
}

/// Returns the texts that a name stands for at a line: those of the loop or assignment above it
/// that sets the name.
fn values(text: &Text<'_>, line: Line, name: &str) -> Vec<(Line, String)> {
    let name = regex::escape(name);
    let gives = format!(
        "\\bfor\\s+(?:\\(?(?:const|let|var)\\s+)?{name}\\s+(?:in|of)\\s|\\b{name}\\s*:?=[^=]"
    );
    let (Ok(gives), Ok(value)) = (
        Regex::new(&gives),
        Regex::new("[\"'`]([A-Za-z_][A-Za-z0-9_]*)[\"'`]"),
    ) else {
        return Vec::new();
    };
    let around = text.enclosing(line);
    let lines = around.and_then(|at| text.parsed.symbols.get(at as usize));
    let first = lines.map_or(1, |symbol| symbol.lines.start().0);
    let first = first.max(line.0.saturating_sub(BEFORE));
    let above = (first..line.0).rev().map(Line);
    let Some(giving) = above
        .into_iter()
        .find(|line| gives.is_match(text.row(*line)))
    else {
        return Vec::new();
    };
    let row = text
        .lines
        .slice(text.text, LineRange::new(giving, giving))
        .unwrap_or_default();
    let found = value.captures_iter(row);
    found
        .filter_map(|captures| Some((giving, captures.get(1)?.as_str().to_owned())))
        .collect()
}
