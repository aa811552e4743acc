//! What is called when a function is called: in order, and one level deeper.

use regex::Regex;

use crate::answer::Span;
use crate::answer::kinds::hops::{How, bodies, hops};
use crate::answer::kinds::named;
use crate::answer::kinds::subject::Subject;
use crate::answer::kinds::teller::Teller;
use crate::answer::kinds::texts::{Text, is_callable, shown};
use crate::answer::notes::{Entry, code, text};
use crate::index::graph::{CallLink, SymbolId};

/// Maximum number of called functions whose own calls are stated too.
const MAX_DEEPER: usize = 4;
/// Maximum number of definitions with one name whose calls are stated.
const MAX_DEFINITIONS: usize = 3;
/// Longest receiver that holds calls itself and is shown, in characters.
const MAX_CHAIN: usize = 24;

pub(super) fn state(teller: &mut Teller<'_, '_>, words: &str) -> bool {
    let found = named::symbols(teller, words).or_else(|| exported(teller, words));
    let Some((mut ids, name)) = found else {
        return false;
    };
    // Of several, prefers those with exactly that name.
    let is_exact = |id: &SymbolId| {
        let symbol = teller.index.symbol(*id);
        symbol.is_some_and(|symbol| symbol.qualified == name)
    };
    if ids.iter().any(is_exact) {
        ids.retain(is_exact);
    }
    let mut is_said = false;
    let mut deeper: Vec<(SymbolId, bool)> = Vec::new();
    let mut all: Vec<(SymbolId, Vec<Step>)> =
        ids.iter().map(|id| (*id, steps(teller, *id))).collect();
    if all.len() > MAX_DEFINITIONS {
        all.sort_by_key(|(_, steps)| std::cmp::Reverse(steps.len()));
        teller.note = Some(format!(
            "There are {} definitions of {name}. The {MAX_DEFINITIONS} that call most are shown.",
            all.len()
        ));
    }
    for (id, steps) in all.into_iter().take(MAX_DEFINITIONS) {
        deeper.extend(called(teller, id, &steps));
        // Not the order in time: a branch is taken or not, and a loop comes back.
        let verb = match steps.as_slice() {
            [_] => " calls ",
            _ => " calls, in the order of its lines, ",
        };
        is_said |= list(teller, id, steps, verb);
    }
    if !is_said {
        return false;
    }
    deeper.sort_by_key(|(_, is_certain)| !is_certain);
    let mut n = 0;
    for (id, is_certain) in deeper {
        let is_function = teller
            .index
            .symbol(id)
            .is_some_and(|symbol| is_callable(symbol.kind));
        if n >= MAX_DEEPER || ids.contains(&id) || !is_function {
            continue;
        }
        let steps = steps(teller, id);
        let verb = match is_certain {
            true => " in turn calls ",
            false => " may be called then, and calls ",
        };
        n += usize::from(list(teller, id, steps, verb));
    }
    true
}

/// Returns the definitions that certain calls mean, then those that other calls may mean.
fn called(teller: &Teller<'_, '_>, id: SymbolId, steps: &[Step]) -> Vec<(SymbolId, bool)> {
    let mut found: Vec<(SymbolId, bool)> = Vec::new();
    for to in steps.iter().filter_map(|step| step.to) {
        if found.iter().all(|(known, _)| *known != to) {
            found.push((to, true));
        }
    }
    let mut maybe = hops(teller, id, false, true);
    maybe.retain(|hop| hop.how == How::MayCall);
    let name = |id: SymbolId| teller.index.symbol(id).map(|symbol| symbol.name.as_str());
    for hop in &maybe {
        // If many share one name, none is stated.
        let same = maybe.iter().filter(|other| name(other.to) == name(hop.to));
        if same.count() == 1 && found.iter().all(|(known, _)| *known != hop.to) {
            found.push((hop.to, false));
        }
    }
    found
}

/// Names that Rust's values are wrapped in.
const WRAPPERS: [&str; 3] = ["Some", "Ok", "Err"];

/// A call inside a definition, as written, and what it certainly means.
struct Step {
    entry: Entry,
    to: Option<SymbolId>,
}

/// Returns the calls inside a definition in line order.
fn steps(teller: &Teller<'_, '_>, id: SymbolId) -> Vec<Step> {
    let (Some(text), Some(symbol)) = (Text::plain(teller.index, id.file), teller.index.symbol(id))
    else {
        return Vec::new();
    };
    let bodies = bodies(teller, id, false);
    let known: Vec<CallLink> = bodies
        .iter()
        .flat_map(|id| teller.index.graph.callees(*id))
        .filter(CallLink::is_certain)
        .collect();
    let mut steps: Vec<Step> = Vec::new();
    for call in &text.parsed.calls {
        let is_own = call
            .caller
            .is_some_and(|at| bodies.iter().any(|id| id.at == at));
        if !is_own || call.line < symbol.name_line {
            continue;
        }
        let to = known.iter().find(|link| {
            let callee = teller.index.symbol(link.callee);
            link.line == call.line && callee.is_some_and(|callee| callee.name == call.name)
        });
        let to = to.map(|link| link.callee);
        let name = match to.and_then(|to| teller.index.symbol(to)) {
            Some(callee) => callee.qualified.clone(),
            // What only wraps a value is no call that anyone asks about.
            None if call.receiver.is_none() && WRAPPERS.contains(&call.name.as_str()) => continue,
            None => match &call.receiver {
                // The calls before it are listed on their own.
                Some(it) if it.contains('(') && it.chars().count() > MAX_CHAIN => {
                    format!("….{}", call.name)
                }
                Some(receiver) => format!("{receiver}.{}", call.name),
                None => call.name.clone(),
            },
        };
        let detail = shown(text.row(call.line));
        let entry = text.entry(call.line, name, detail, &call.name);
        steps.push(Step { entry, to });
    }
    steps.sort_by_key(|step| step.entry.source.lines.start());
    steps
}

fn list(teller: &mut Teller<'_, '_>, id: SymbolId, steps: Vec<Step>, verb: &str) -> bool {
    let Some(symbol) = teller.index.symbol(id).filter(|_| !steps.is_empty()) else {
        return false;
    };
    let lead: Vec<Span> = vec![
        code(symbol.qualified.clone()),
        text(" in "),
        code(teller.path(id.file)),
        text(verb),
    ];
    let entries = steps.into_iter().map(|step| step.entry).collect();
    teller.list(lead, entries)
}

/// Returns what a module is when it is itself called: `module.exports = create`,
/// `export default create`.
fn exported(teller: &Teller<'_, '_>, words: &str) -> Option<(Vec<SymbolId>, String)> {
    let name = named::bare(words);
    let is_file = |path: &str| {
        let stem = path
            .rsplit('/')
            .next()
            .and_then(|file| file.split('.').next());
        stem == Some(name.as_str())
    };
    let files = (0..)
        .map(crate::source::FileId)
        .zip(&teller.index.repo.files);
    let own = files
        .filter(|(_, file)| is_file(&file.path))
        .map(|(id, _)| id);
    let files: Vec<_> = match teller.subject(words)? {
        Subject::Files(files, _) => files,
        Subject::Project => own.collect(),
        _ => return None,
    };
    let pattern = Regex::new(
        r"(?:module\.exports\s*=|export\s+default)\s+(?:(?:async\s+)?function\s+|class\s+)?([A-Za-z_$][\w$]*)",
    )
    .ok()?;
    files.into_iter().find_map(|file| {
        let found = pattern.captures(teller.file_text(file))?;
        let wanted = found.get(1)?.as_str();
        let mut symbols = teller.defined_in(file);
        let (id, symbol) = symbols.find(|(_, symbol)| symbol.name == wanted)?;
        Some((vec![id], symbol.qualified.clone()))
    })
}
