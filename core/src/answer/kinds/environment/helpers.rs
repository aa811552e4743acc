//! Variables that are read through a function of the repository.

use std::collections::BTreeSet;

use regex::Regex;

use super::Found;
use crate::answer::kinds::parameters::parameters;
use crate::answer::kinds::scope::Scope;
use crate::answer::kinds::teller::Teller;
use crate::answer::kinds::texts::{Text, shown};
use crate::answer::notes::Entry;
use crate::lang::SymbolId;
use crate::lines::Line;

/// Adds the variables that are read through a function of the repository: `getEnv("HOME")`, where
/// `getEnv` reads the variable named by its first parameter. Whose method is called is not known
/// for sure, so the answer is a guess.
pub(super) fn through_helpers(teller: &mut Teller<'_, '_>, scope: &Scope, found: &mut Found) {
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
