//! What is affected if a definition or a file changes: who calls it, directly and through others, what
//! inherits from it, and which files import it.

use std::collections::{BTreeMap, BTreeSet};

use super::Kind;
use super::evidence::{call_source, import_source, leads_to, whole};
use super::hops::is_constructor;
use super::named::{self, outermost};
use super::scope::rank;
use super::subject::Subject;
use super::teller::{Teller, counted};
use super::texts::{Text, shown};
use super::wording::Read;
use crate::answer::notes::{Entry, SEARCHED, Source, code, text};
use crate::index::graph::{CallLink, SymbolId, Target};
use crate::lines::LineRange;
use crate::source::FileId;

/// Hops that are followed from what changes to those who call it.
const MAX_HOPS: usize = 3;

/// Definitions that are listed as indirectly affected.
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

/// A definition that is affected, and the call that makes it so.
struct Affected {
    id: Option<SymbolId>,
    call: CallLink,
    /// What it calls.
    through: SymbolId,
}

fn of_symbols(teller: &mut Teller<'_, '_>, ids: &[SymbolId], name: &str, by_file: bool) -> bool {
    let before = teller.notes.statements.len();
    // What a class does to itself is no news.
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
    let subject = || match ids {
        [only] => vec![
            code(name.to_owned()),
            text(" in "),
            code(teller.path(only.file)),
        ],
        _ => vec![
            code(name.to_owned()),
            text(format!(" ({} definitions)", ids.len())),
        ],
    };
    let (lead, subject_of_rest) = (subject(), subject());
    let entries = entries(teller, &direct, by_file);
    if !entries.is_empty() {
        let noun = match by_file {
            true => counted(entries.len(), "file", "files"),
            false => counted(entries.len(), "caller", "callers"),
        };
        let mut lead = lead;
        lead.push(text(format!(" directly affects {noun}: ")));
        teller.list(lead, entries);
    }
    below(teller, ids, name);
    importers(teller, ids, name, by_file);
    if !by_file {
        let entries = self::entries(teller, &indirect, by_file);
        let n = counted(entries.len(), "definition", "definitions");
        let lead = vec![
            text(format!("Through those, {n} more can be affected by ")),
            code(name.to_owned()),
            text(format!(", over up to {MAX_HOPS} calls: ")),
        ];
        if !entries.is_empty() {
            teller.list(lead, entries);
        }
    }
    if teller.notes.statements.len() > before {
        return true;
    }
    nothing(teller, ids, subject_of_rest)
}

/// Those who certainly call one of `ids` and were not seen before.
fn callers(
    teller: &Teller<'_, '_>,
    ids: &[SymbolId],
    seen: &mut BTreeSet<SymbolId>,
) -> Vec<Affected> {
    let mut found: Vec<Affected> = Vec::new();
    for id in ids {
        for called in called_as(teller, *id) {
            for call in teller.index.graph.callers(called) {
                let caller = call.caller.map(|caller| outermost(teller, caller));
                let is_new = match caller {
                    Some(caller) => seen.insert(caller),
                    None => found
                        .iter()
                        .all(|known| known.id.is_some() || known.call.file != call.file),
                };
                if call.is_certain() && is_new {
                    found.push(Affected {
                        id: caller,
                        call,
                        through: called,
                    });
                } else if is_new && let Some(caller) = caller {
                    seen.remove(&caller);
                }
            }
        }
    }
    found.sort_by_key(|found| {
        let path = teller.path(found.call.file);
        (rank(path), found.call.file, found.call.line)
    });
    found
}

/// Itself, and the class if it is what makes its objects, and the constructors if it is a class.
fn called_as(teller: &Teller<'_, '_>, id: SymbolId) -> Vec<SymbolId> {
    let mut ids = vec![id];
    let Some(symbol) = teller.index.symbol(id) else {
        return ids;
    };
    if let Some(parent) = symbol.parent {
        let class = SymbolId {
            file: id.file,
            at: parent,
        };
        let owner = teller.index.symbol(class);
        if owner.is_some_and(|owner| {
            owner.kind.is_container() && is_constructor(&symbol.name, &owner.name)
        }) {
            ids.push(class);
        }
    }
    if symbol.kind.is_container() {
        let members = teller.defined_in(id.file);
        let own = members.filter(|(_, member)| member.parent == Some(id.at));
        ids.extend(own.map(|(member, _)| member));
    }
    ids
}

fn entries(teller: &Teller<'_, '_>, found: &[Affected], by_file: bool) -> Vec<Entry> {
    let mut known: BTreeMap<(u8, FileId), Entry> = BTreeMap::new();
    let mut all = Vec::new();
    for affected in found {
        let file = affected.call.file;
        let (path, caller) = (teller.path(file), affected.id);
        let symbol = caller.and_then(|id| teller.index.symbol(id));
        let called = teller.index.symbol(affected.through);
        let called = called.map_or("it", |symbol| &symbol.qualified);
        let row = Text::plain(teller.index, file);
        let row = row.map_or("", |text| text.row(affected.call.line));
        let entry = Entry {
            name: match by_file {
                true => path.to_owned(),
                false => symbol.map_or(path, |symbol| &symbol.qualified).to_owned(),
            },
            detail: format!("calls {called}: {}", shown(row)),
            source: call_source(teller.index, &affected.call),
        };
        match by_file {
            true => {
                known.entry((rank(path), file)).or_insert(entry);
            }
            false => all.push(entry),
        }
    }
    all.extend(known.into_values());
    all
}

/// The classes that inherit from one that changes.
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

/// The files that import one of the definitions by name.
fn importers(teller: &mut Teller<'_, '_>, ids: &[SymbolId], name: &str, by_file: bool) {
    let subject = Subject::Symbols(ids.to_vec(), name.to_owned());
    let entries = importing(teller, &subject, &[]);
    if entries.is_empty() || by_file && !teller.notes.statements.is_empty() {
        return;
    }
    let n = counted(entries.len(), "file imports ", "files import ");
    teller.list(vec![text(n), code(name.to_owned()), text(": ")], entries);
}

fn importing(teller: &Teller<'_, '_>, subject: &Subject, own: &[FileId]) -> Vec<Entry> {
    let mut found: BTreeMap<(u8, FileId), Entry> = BTreeMap::new();
    for link in teller.index.graph.all_imports() {
        if own.contains(&link.file) || !leads_to(teller.index, link, subject) {
            continue;
        }
        let path = teller.path(link.file);
        let row = Text::plain(teller.index, link.file);
        let row = row.map_or("", |text| text.row(link.lines.start()));
        found
            .entry((rank(path), link.file))
            .or_insert_with(|| Entry {
                name: path.to_owned(),
                detail: shown(row),
                source: import_source(teller.index, link),
            });
    }
    found.into_values().collect()
}

/// The files that import a file or a library, then those that import them.
fn of_files(teller: &mut Teller<'_, '_>, subject: &Subject) -> bool {
    let (own, name) = match subject {
        Subject::Files(files, name) => (files.clone(), name.clone()),
        Subject::Library(id) => (Vec::new(), teller.index.graph.library(*id).to_owned()),
        _ => return false,
    };
    let direct = importing(teller, subject, &own);
    if direct.is_empty() {
        let n = teller.index.graph.all_imports().len();
        let spans = vec![
            text("No file imports "),
            code(name),
            text(format!(": none of the {n} imports leads to it")),
        ];
        let sources: Vec<Source> = whole(teller.index, subject).into_iter().collect();
        return teller.say(spans, &sources);
    }
    let mut seen: Vec<FileId> = own;
    seen.extend(direct.iter().map(|entry| entry.source.file));
    let mut level: Vec<FileId> = direct.iter().map(|entry| entry.source.file).collect();
    let n = counted(direct.len(), "file that imports it", "files that import it");
    let lead = vec![code(name.clone()), text(format!(" directly affects {n}: "))];
    let is_said = teller.list(lead, direct);
    let mut indirect = Vec::new();
    for _ in 1..MAX_HOPS {
        let links = teller.index.graph.all_imports().iter();
        let is_next =
            |target: Target| matches!(target, Target::File(file) if level.contains(&file));
        let mut next: Vec<FileId> = Vec::new();
        for link in links.filter(|link| is_next(link.target)) {
            if !seen.contains(&link.file) {
                seen.push(link.file);
                next.push(link.file);
                indirect.push(Entry {
                    name: teller.path(link.file).to_owned(),
                    detail: String::new(),
                    source: import_source(teller.index, link),
                });
            }
        }
        level = next;
    }
    indirect.truncate(MAX_INDIRECT);
    let n = counted(indirect.len(), "file", "files");
    let lead = vec![
        text(format!("Through those, {n} more can be affected by ")),
        code(name),
        text(": "),
    ];
    if !indirect.is_empty() {
        teller.list(lead, indirect);
    }
    is_said
}

fn nothing(
    teller: &mut Teller<'_, '_>,
    ids: &[SymbolId],
    mut spans: Vec<crate::answer::Span>,
) -> bool {
    spans.push(text(
        " affects nothing for certain: no call, import or base class of the repository could only mean it",
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
