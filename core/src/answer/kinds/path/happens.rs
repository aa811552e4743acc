//! What is called when a function is called: in order, and one step further.

use regex::Regex;

use crate::answer::Span;
use crate::answer::kinds::hops::{Hop, How, hops};
use crate::answer::kinds::named;
use crate::answer::kinds::subject::Subject;
use crate::answer::kinds::teller::Teller;
use crate::answer::kinds::texts::{Text, is_callable, shown};
use crate::answer::notes::{Entry, code, text};
use crate::index::graph::SymbolId;

/// Called functions whose own calls are told too.
const MAX_DEEPER: usize = 4;

pub(super) fn state(teller: &mut Teller<'_, '_>, words: &str) -> bool {
    let found = named::symbols(teller, words).or_else(|| exported(teller, words));
    let Some((ids, _)) = found else {
        return false;
    };
    let mut is_said = false;
    let mut deeper: Vec<SymbolId> = Vec::new();
    for id in ids.iter().take(3) {
        let steps = steps(teller, *id);
        deeper.extend(steps.iter().map(|hop| hop.to));
        is_said |= list(teller, *id, &steps, " calls, in this order, ");
    }
    if !is_said {
        return false;
    }
    let mut n = 0;
    for id in deeper {
        let is_function = teller
            .index
            .symbol(id)
            .is_some_and(|symbol| is_callable(symbol.kind));
        if n >= MAX_DEEPER || ids.contains(&id) || !is_function {
            continue;
        }
        let steps = steps(teller, id);
        n += usize::from(list(teller, id, &steps, " in turn calls "));
    }
    true
}

/// The certain steps in order of their lines.
fn steps(teller: &Teller<'_, '_>, id: SymbolId) -> Vec<Hop> {
    let mut steps = hops(teller, id, false, false);
    steps.retain(|hop| matches!(hop.how, How::Calls | How::Reads));
    steps.sort_by_key(|hop| hop.source.lines.start());
    steps
}

fn list(teller: &mut Teller<'_, '_>, id: SymbolId, steps: &[Hop], verb: &str) -> bool {
    let Some(symbol) = teller.index.symbol(id).filter(|_| !steps.is_empty()) else {
        return false;
    };
    let mut lead: Vec<Span> = vec![code(symbol.qualified.clone())];
    if verb.contains("order") {
        lead.extend([text(" in "), code(teller.path(id.file))]);
    }
    lead.push(text(verb));
    let entries = steps.iter().filter_map(|hop| {
        let symbol = teller.index.symbol(hop.to)?;
        let row = Text::plain(teller.index, hop.source.file)?;
        Some(Entry {
            name: symbol.qualified.clone(),
            detail: shown(row.row(hop.source.lines.start())),
            source: hop.source.clone(),
        })
    });
    let entries = entries.collect();
    teller.list(lead, entries)
}

/// What a module is when it is called itself: `module.exports = create`, `export default create`.
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
