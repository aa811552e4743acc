//! What a change of a definition or a file affects: who calls it, directly and indirectly, what
//! inherits from it, and which files import it.

mod affected;
mod files;

use std::collections::BTreeSet;

use super::Kind;
use super::named;
use super::subject::Subject;
use super::teller::{Teller, counted};
use super::texts::{Text, shown};
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{SEARCHED, Source, code, text};
use crate::index::graph::SymbolId;
use crate::lines::LineRange;
use affected::{Affected, called_as, callers, entries, possible_callers};
use files::{importing, of_files};

/// Maximum number of hops followed from what changes to its callers.
const MAX_HOPS: usize = 3;

/// Maximum number of definitions listed as indirectly affected.
const MAX_INDIRECT: usize = 400;

pub(super) const KIND: Kind = Kind {
    name: "impact",
    wordings: &[
        "who|what|which @files|file|modules? functions|methods|classes|code|callers|parts|else? is|are|will|would|could|might|may|gets|get be? affected|impacted|broken|influenced|concerned|hit|touched by|if|when|once|through|from i|we|you|someone|one|somebody|a|an|any|the? change|changed|changes|changing|remove|removed|removing|delete|deleting|rename|renaming|edit|modify|modifying|touch|break|breaking|alter|altering|refactor|replace|removal|deletion? to|in|of? X is|are|were|was|gets? changed|changes|change|modified|removed|deleted|renamed|breaks|altered?",
        "who|what|which @files|file|modules? functions|methods|classes|code|tests|callers|parts|else? breaks|break|would_break|will_break|could_break|might_break|fails|fail|would_fail|stops_working|happens_to if|when|once i|we|you|someone|one|somebody? change|changed|remove|removed|delete|deleted|rename|renamed|edit|edited|modify|modified|touch|break|alter|refactor|replace X is|are|were|gets? changed|changes|removed|deleted|renamed|breaks?",
        "who|what|which @files|file|modules? functions|methods|classes|code|tests|callers|parts|else? breaks|break|would_break|will_break|could_break|might_break|fails|fail|would_fail|stops_working if|when|once X is|are|were|was|gets? changed|changes|modified|removed|deleted|renamed|breaks|goes_away|disappears|broken",
        "i|we|you|someone change|changed|remove|removed|delete|rename|edit|modify|touch|break|alter|refactor X what|who|which @files|file|modules? functions|methods|classes|code|tests|callers|parts|else? is|are|will|would|could|might|gets? be? affected|impacted|broken|breaks|break|fails|fail|influenced|notices|notice",
        "X changes|changed|is_changed|were_changed|is_removed|were_removed|is_renamed|breaks|broke what|who|which @files|file|modules? functions|methods|classes|code|tests|callers|parts|else? is|are|will|would|could|might|gets? be? affected|impacted|broken|breaks|break|fails|fail|influenced|notices|notice first?",
        "X returned|did|behaved|raised|threw|gave|worked Y what|who|which @files|file|modules? functions|methods|classes|code|tests|callers|parts|else? is|are|will|would|could|might|gets? be? affected|impacted|broken|breaks|break|fails|fail|influenced|notices|notice first?",
        "ASK? impact|impacts|effect|effects|consequences|blast_radius|ripple_effect|ripple_effects|side_effects|fallout REL? if|when? i|we|you|a|an|any|the? change|changing|changed|changes|remove|removing|deleting|delete|renaming|rename|modifying|modify|editing|edit|removal to|in|of? X",
        "ASK? blast_radius|impact REL? X",
        "can i|we|you|one safely? change|remove|delete|rename|modify X safely|without_breaking_anything|without_breaking_something?",
        "is it safe|ok|okay|possible to safely? change|remove|delete|rename|modify X",
        "what|who|which functions|code? would|will|does|do a|the? change|changes|removal|removing|changing to|of|in? X affect|break|impact",
        "who|what|which functions|methods|code? would|will|might|could notice a|any|the? change|changes to|in|of X",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let by_file = !read.word.is_empty();
    if let Some((ids, name)) = named::symbols(teller, &read.x) {
        return of_symbols(teller, &ids, &name, by_file);
    }
    match teller.subject(&read.x) {
        Some(found @ (Subject::Files(..) | Subject::Library(_))) => of_files(teller, &found),
        _ => false,
    }
}

fn of_symbols(teller: &mut Teller<'_, '_>, ids: &[SymbolId], name: &str, by_file: bool) -> bool {
    let before = teller.notes.statements.len();
    // That a class affects itself is not worth stating.
    let mut seen: BTreeSet<SymbolId> = ids
        .iter()
        .flat_map(|id| called_as(teller, *id).into_iter().chain([*id]))
        .collect();
    let direct = callers(teller, ids, &mut seen);
    let mut level: Vec<SymbolId> = direct.iter().filter_map(|found| found.id).collect();
    let mut indirect = Vec::new();
    for _ in 1..MAX_HOPS {
        let next = callers(teller, &level, &mut seen);
        level = next.iter().filter_map(|found| found.id).collect();
        indirect.extend(next);
    }
    indirect.truncate(MAX_INDIRECT);
    say_direct(teller, ids, name, &direct, by_file);
    below(teller, ids, name);
    importers(teller, ids, name, by_file);
    if !by_file {
        say_indirect(teller, name, &indirect);
    }
    if teller.notes.statements.len() > before {
        return true;
    }
    nothing(teller, ids, name);
    say_possible(teller, name, &possible_callers(teller, ids));
    teller.notes.statements.len() > before
}

/// Returns `name` with its file as the subject of a sentence.
fn subject(teller: &Teller<'_, '_>, ids: &[SymbolId], name: &str) -> Vec<Span> {
    let mut spans = vec![code(name.to_owned())];
    match ids {
        [only] => spans.extend([text(" in "), code(teller.path(only.file))]),
        _ => spans.push(text(format!(" ({} definitions)", ids.len()))),
    }
    spans
}

fn say_direct(
    teller: &mut Teller<'_, '_>,
    ids: &[SymbolId],
    name: &str,
    found: &[Affected],
    by_file: bool,
) {
    let entries = entries(teller, found, by_file);
    if entries.is_empty() {
        return;
    }
    let noun = match by_file {
        true => counted(entries.len(), "file", "files"),
        false => counted(entries.len(), "caller", "callers"),
    };
    let mut lead = subject(teller, ids, name);
    lead.push(text(format!(" directly affects {noun}: ")));
    teller.list(lead, entries);
}

fn say_indirect(teller: &mut Teller<'_, '_>, name: &str, found: &[Affected]) {
    let entries = entries(teller, found, false);
    let n = counted(entries.len(), "definition", "definitions");
    let lead = vec![
        text(format!("Through those, {n} more can be affected by ")),
        code(name.to_owned()),
        text(format!(", within {MAX_HOPS} calls: ")),
    ];
    if !entries.is_empty() {
        teller.list(lead, entries);
    }
}

/// States who calls something of that name on an object that can be anything.
fn say_possible(teller: &mut Teller<'_, '_>, name: &str, found: &[Affected]) {
    let entries = entries(teller, found, false);
    if !entries.is_empty() {
        let n = counted(entries.len(), "definition", "definitions");
        let lead = vec![
            text(format!("{n} may call ")),
            code(name.to_owned()),
            text(", on objects of unknown type: "),
        ];
        teller.list(lead, entries);
    }
}

/// States the classes that inherit from a changed one.
fn below(teller: &mut Teller<'_, '_>, ids: &[SymbolId], name: &str) {
    let mut entries = Vec::new();
    for id in ids {
        for (class, line) in teller.index.graph.subclasses(*id) {
            let (Some(symbol), Some(text)) = (
                teller.index.symbol(class),
                Text::plain(teller.index, class.file),
            ) else {
                continue;
            };
            let detail = shown(text.row(line));
            entries.push(text.entry(line, symbol.qualified.clone(), detail, ""));
        }
    }
    if !entries.is_empty() {
        let n = counted(entries.len(), "class inherits", "classes inherit");
        let lead = vec![
            text(format!("{n} from ")),
            code(name.to_owned()),
            text(": "),
        ];
        teller.list(lead, entries);
    }
}

/// States the files that import one of the definitions by name.
fn importers(teller: &mut Teller<'_, '_>, ids: &[SymbolId], name: &str, by_file: bool) {
    let subject = Subject::Symbols(ids.to_vec(), name.to_owned());
    let entries = importing(teller, &subject, &[]);
    if entries.is_empty() || by_file && !teller.notes.statements.is_empty() {
        return;
    }
    let n = counted(entries.len(), "file imports ", "files import ");
    teller.list(vec![text(n), code(name.to_owned()), text(": ")], entries);
}

fn nothing(teller: &mut Teller<'_, '_>, ids: &[SymbolId], name: &str) -> bool {
    let mut spans = subject(teller, ids, name);
    spans.push(text(
        " affects nothing for certain: no call, import or base class in the repository can mean \
         only it",
    ));
    let lines = named::lines(teller, ids).into_iter();
    let sources: Vec<Source> = lines
        .map(|(file, lines)| Source {
            file,
            lines: LineRange::new(lines.start(), lines.end()),
            quotes: Vec::new(),
            why: SEARCHED.to_owned(),
        })
        .collect();
    teller.say(spans, &sources)
}
