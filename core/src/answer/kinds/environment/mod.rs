//! Which environment variables are read, and where, by the ways that each language's folder lists.

use std::collections::BTreeSet;

use regex::Regex;

use super::Kind;
use super::parameters::parameters;
use super::scope::Scope;
use super::teller::{Teller, counted};
use super::texts::{Text, polar, shown};
use super::wording::Read;
use crate::answer::notes::{Entry, code, text};
use crate::lang::{Language, SymbolId};
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
        let mut spans = vec![text(polar(teller, false))];
        spans.extend(scope.shown.clone());
        let n = counted(scope.files.len(), "file", "files");
        spans.push(text(format!(
            " reads no environment variable: none of the {n} of code does so in a way that \
             Footnote knows for its language"
        )));
        let searched = scope.searched(teller);
        return teller.say(spans, &searched);
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
        let ways = known.iter().find(|(of, _)| *of == language);
        let ways = ways.map_or(&[][..], |(_, ways)| ways);
        if ways.iter().any(|way| way.pattern.is_match(text.text))
            && let Some(text) = Text::new(teller.index, *file)
        {
            in_file(&text, ways, &mut found);
        }
    }
    through_helpers(teller, scope, &mut found);
    found
}

/// Adds the variables that are read through a function of the repository: `getEnv("HOME")`, where
/// `getEnv` reads the variable named by its first parameter. Whose method is called is not known
/// for sure, so the answer is a guess.
fn through_helpers(teller: &mut Teller<'_, '_>, scope: &Scope, found: &mut Found) {
    let helpers: Vec<Option<SymbolId>> = found
        .unknown
        .iter()
        .map(|read| helper(teller, read))
        .collect();
    let ids: BTreeSet<SymbolId> = helpers.iter().copied().flatten().collect();
    let mut told: BTreeSet<String> = BTreeSet::new();
    for id in &ids {
        let Some(symbol) = teller.index.symbol(*id) else {
            continue;
        };
        // Another function of that name may read something else.
        let mut others = teller.by_name(&symbol.name).into_iter();
        if others.all(|other| ids.contains(&other) || takes_nothing(teller, other)) {
            told.insert(symbol.name.clone());
        }
    }
    let mut explained: BTreeSet<String> = BTreeSet::new();
    for name in told {
        let calls = Calls::of(teller, scope, &name);
        teller.is_guess |= !calls.written_out.is_empty();
        if !calls.written_out.is_empty() && calls.others == 0 {
            explained.insert(name);
        }
        found.known.extend(calls.written_out);
    }
    let is_explained = |id: Option<SymbolId>| {
        let symbol = id.and_then(|id| teller.index.symbol(id));
        symbol.is_some_and(|symbol| explained.contains(&symbol.name))
    };
    let mut helpers = helpers.into_iter();
    let unknown = &mut found.unknown;
    unknown.retain(|_| !is_explained(helpers.next().flatten()));
}

/// Returns the function that reads the variable named by its first parameter, which it leaves as it
/// is: `getEnv: (key) => process.env[key]`.
fn helper(teller: &Teller<'_, '_>, read: &Entry) -> Option<SymbolId> {
    let file = read.source.file;
    let text = Text::plain(teller.index, file)?;
    let line = read.source.lines.start();
    let id = SymbolId {
        file,
        at: text.enclosing(line)?,
    };
    let definition = teller.definition(id)?;
    let first = first_parameter(teller, id)?;
    let set = Regex::new(&format!(
        "(?:^|[^\\w.$]){}\\s*:?=[^=>]",
        regex::escape(&first)
    ))
    .ok()?;
    let below = definition.symbol.name_line.0 + 1;
    let is_set = (below..line.0).any(|line| set.is_match(text.row(Line(line))));
    let says_so = definition.symbol.name.to_lowercase().contains("env");
    (says_so && first == read.name && !is_set).then_some(id)
}

fn first_parameter(teller: &Teller<'_, '_>, id: SymbolId) -> Option<String> {
    const OWN: [&str; 4] = ["self", "cls", "this", "&self"];
    let all = parameters(teller, &teller.definition(id)?)?;
    let mut all = all.into_iter().map(|parameter| parameter.name);
    all.find(|name| !OWN.contains(&name.as_str()))
}

fn takes_nothing(teller: &Teller<'_, '_>, id: SymbolId) -> bool {
    first_parameter(teller, id).is_none()
}

/// The calls of a function in code.
struct Calls {
    /// Those whose first argument is the name of a variable and nothing else.
    written_out: Vec<Entry>,
    /// How many others there are.
    others: usize,
}

impl Calls {
    fn of(teller: &Teller<'_, '_>, scope: &Scope, name: &str) -> Self {
        let mut calls = Self {
            written_out: Vec::new(),
            others: 0,
        };
        let pattern = format!(
            "(?:^|[^\\w$])({})\\s*\\(\\s*(?:(?:\\w+\\s*=\\s*)?[\"'`]([A-Za-z_]\\w*)[\"'`]\\s*[,)])?",
            regex::escape(name)
        );
        let Ok(pattern) = Regex::new(&pattern) else {
            return calls;
        };
        for file in &scope.files {
            let is_there = |text: &Text<'_>| pattern.is_match(text.text);
            let text = Text::plain(teller.index, *file).filter(is_there);
            if let Some(text) = text.and_then(|text| Text::new(teller.index, text.file)) {
                calls.add(teller, &text, &pattern, name);
            }
        }
        calls
    }

    fn add(&mut self, teller: &Teller<'_, '_>, text: &Text<'_>, pattern: &Regex, name: &str) {
        let defined = teller.by_name(name).into_iter();
        let defined = defined.filter(|id| id.file == text.file);
        let defined: Vec<Line> = defined
            .filter_map(|id| Some(teller.index.symbol(id)?.name_line))
            .collect();
        for captures in pattern.captures_iter(text.text) {
            let Some(called) = captures.get(1).filter(|it| text.is_code(it.start())) else {
                continue;
            };
            let line = text.line(called.start());
            match captures.get(2) {
                Some(variable) => {
                    let detail = format!("through {name}: {}", shown(text.row(line)));
                    let variable = variable.as_str();
                    let entry = text.entry(line, variable.to_owned(), detail, variable);
                    self.written_out.push(entry);
                }
                None if defined.contains(&line) => {}
                None => self.others += 1,
            }
        }
    }
}

/// A way to read a variable.
struct Way {
    /// Its first group captures a name that is written out, its second one that is not.
    pattern: Regex,
    /// Whether the first group captures several names: `const { HOME, PATH = "" } = process.env`.
    is_list: bool,
}

impl Way {
    /// Parses the notation of [`LanguageSpec::environment`](crate::lang::spec::LanguageSpec).
    fn new(written: &str) -> Option<Self> {
        if let Some(rest) = written.strip_prefix("{@}") {
            let rest = regex::escape(rest).replace(' ', "\\s*");
            let pattern =
                Regex::new(&format!("\\{{([^{{}}]*)\\}}{rest}\\s*(?:[;,)\\n]|$)")).ok()?;
            return Some(Self {
                pattern,
                is_list: true,
            });
        }
        let opened = match written.ends_with("\"@\"]") {
            true => written.trim_end_matches(']'),
            false => written,
        };
        let escaped = regex::escape(opened).replace("\\(", "\\(\\s*");
        // A name that is written out, or what stands in its place.
        let quoted =
            "(?:[\"'`]([A-Za-z_]\\w*)[\"'`]\\s*[,)\\]]|([^,()\\]\\n]+(?:\\([^()\\n]*\\))?))";
        let escaped = match opened.ends_with("\"@\"") {
            true => escaped.replace("\"@\"", quoted),
            false => escaped.replace("\"@\"", "[\"'`]([A-Za-z_]\\w*)[\"'`]"),
        };
        let escaped = escaped.replace('@', "([A-Za-z_]\\w*)");
        let start = match written.starts_with(|c: char| c.is_alphanumeric()) {
            true => "\\b",
            false => "",
        };
        Regex::new(&format!("{start}{escaped}"))
            .ok()
            .map(|pattern| Self {
                pattern,
                is_list: false,
            })
    }
}

fn in_file(text: &Text<'_>, ways: &[Way], found: &mut Found) {
    let mut places: Vec<(usize, bool, String)> = Vec::new();
    for way in ways {
        for captures in way.pattern.captures_iter(text.text) {
            let name = captures.get(1).or(captures.get(2));
            let (Some(whole), Some(name)) = (captures.get(0), name) else {
                continue;
            };
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

/// Returns the names in a destructuring pattern, with where they stand: of `HOME: home, PATH = ""`
/// these are `HOME` and `PATH`.
fn bound_names(list: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    for part in list.split(',') {
        let start = at + part.len() - part.trim_start().len();
        at += part.len() + 1;
        let name = part.trim_start();
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let name = name.get(..name.find(|c| !is_name(c)).unwrap_or(name.len()));
        found.extend(
            name.filter(|name| !name.is_empty())
                .map(|name| (start, name)),
        );
    }
    found
}

/// Whether the match is code that reads: not a comment, a string, an assignment or a removal.
fn is_read(text: &Text<'_>, start: usize, end: usize) -> bool {
    let opening = text.text.get(start..end).unwrap_or_default();
    // `"X" in os.environ` begins with a string.
    let before = text.text.get(..start).unwrap_or_default();
    if before.trim_end_matches("os.").ends_with("del ") {
        return false;
    }
    let is_code = text.is_code(start) || opening.starts_with(['"', '\'']) && text.is_code(end - 1);
    let rest = text.text.get(end..).unwrap_or_default();
    let rest = rest.trim_start_matches([']', ')']).trim_start_matches(' ');
    let is_set = rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=~")
        || rest.starts_with(":=");
    is_code && (!is_set || rest.starts_with("=>"))
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
