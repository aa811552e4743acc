//! How one definition or file leads to another, and what is called when a function is called.
//!
//! Looks for the shortest chains over certain calls, then over all calls, then over imports.

mod chains;
mod happens;

use super::Kind;
use super::evidence::{definition_source, import_source, leads_to};
use super::hops::How;
use super::named;
use super::subject::Subject;
use super::teller::Teller;
use super::texts::{Text, words as words_of};
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{Source, code, text};
use crate::index::graph::{ImportLink, SymbolId, Target};
use crate::source::FileId;
use chains::{Chain, MAX_HOPS, certain_chains, chains};

pub(super) const KIND: Kind = Kind {
    name: "path",
    wordings: &[
        "how does|do|can|could|will|would X reach|get_to|lead_to|end_up_in|end_up_at|end_up_calling|end_up|arrive_at|come_to|flow_to|flow_into|connect_to|call|go_to|result_in|trigger|make_it_to|get_into|invoke|find_its_way_to|reach_down_to in|at? Y",
        "how X reaches|gets_to|leads_to|ends_up_in|ends_up_at|ends_up_calling|ends_up|arrives_at|comes_to|flows_to|calls|goes_to|triggers|invokes in|at? Y",
        "show_me|show|explain|trace how X reaches|gets_to|leads_to|ends_up_in|ends_up_at|ends_up_calling|ends_up|arrives_at|comes_to|flows_to|calls|goes_to|triggers|invokes in|at? Y",
        "ASK? call_chain|call_chains|callchain|chain_of_calls|call_path|call_paths|call_stack|call_sequence|chain|path|paths|route|trace|way|sequence_of_calls|execution_path|call_graph REL? leading|going? from|between X to|and|into|down_to|until Y",
        "from X to Y",
        "how does|do|is ANY from X to Y",
        "trace X to Y",
        "how do|does|can|could|would|to i|we|you|one|it|the_code|execution|control? get|go|come|flow from X to Y",
        "how is|are Y reached|called|invoked|triggered from|by X",
        "does|do|can X reach|lead_to|end_up_in|end_up_calling|get_to Y",
        "what|which functions|methods|calls? are|is|lie|lies between X and Y",
        "@what_happens when|if|after|once|as_soon_as i|we|you|one|someone|somebody|a_user|the_user? call|calls|invoke|invokes|run|runs|execute|executes|use|uses X",
        "@what_happens when|if|after|once|as_soon_as X is|are|gets? called|invoked|run|executed|used",
        "@what_happens when|if|after|once Y and X is|are called|invoked|run|executed",
        "@what_happens in|inside|during|within X",
        "@what_happens when|if|after|once X runs|executes",
        "what is called|invoked|executed|run in_order|in_which_order? @when X is|are called|invoked|run|executed",
        "ASK? @call_tree|call_hierarchy|calls_in_order REL? X",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    if !read.word.is_empty() {
        return happens::state(teller, &read.x);
    }
    let Some(y) = read.y.as_deref() else {
        return false;
    };
    let (from, to) = (named::symbols(teller, &read.x), named::symbols(teller, y));
    if let (Some((from, from_name)), Some((to, to_name))) = (&from, &to) {
        let found = chains(teller, from, to);
        if found.is_empty() {
            let is_said = nothing(teller, (from, from_name), (to, to_name));
            return from_file_to_file(teller, from, to) | is_said;
        }
        return say(teller, found);
    }
    if let (Some((from, _)), None) = (&from, &to)
        && to_mention(teller, from, y)
    {
        return true;
    }
    let files = |found: Option<(Vec<SymbolId>, String)>, words: &str| match found {
        Some((ids, _)) => Some(ids.iter().map(|id| id.file).collect()),
        None => match teller.subject(words) {
            Some(Subject::Files(files, _)) => Some(files),
            _ => None,
        },
    };
    match (files(from, &read.x), files(to, y)) {
        (Some(from), Some(to)) => by_imports(teller, &from, &to),
        _ => false,
    }
}

/// States the chain to a function whose code mentions a name that the repository uses but does not
/// define.
fn to_mention(teller: &mut Teller<'_, '_>, from: &[SymbolId], words: &str) -> bool {
    let name = named::bare(words);
    if name.is_empty() || !name.chars().all(super::texts::is_of_word) {
        return false;
    }
    let mut mentions: Vec<(SymbolId, Source)> = Vec::new();
    for (file, source) in (0..).map(FileId).zip(&teller.index.repo.files) {
        if !source.text.contains(name.as_str()) {
            continue;
        }
        let Some(text) =
            Text::new(teller.index, file).filter(|text| text.parsed.language.is_code())
        else {
            continue;
        };
        for at in words_of(text.text, &name) {
            let line = text.line(at);
            if let Some(around) = text.enclosing(line).filter(|_| text.is_code(at)) {
                let entry = text.entry(line, String::new(), String::new(), &name);
                mentions.push((SymbolId { file, at: around }, entry.source));
            }
        }
    }
    let targets: Vec<SymbolId> = mentions.iter().map(|(id, _)| *id).collect();
    let Some(chain) = chains(teller, from, &targets).into_iter().next() else {
        return false;
    };
    let last = chain.last().map(|hop| hop.to);
    let Some((_, source)) = mentions.into_iter().find(|(id, _)| Some(*id) == last) else {
        return false;
    };
    let (mut spans, mut sources) = told(teller, &chain);
    spans.extend([text(", whose code contains "), code(name)]);
    sources.push(source);
    teller.say(spans, &sources)
}

/// States the shortest chain of certain calls after the words in `before`, if there is one.
pub(super) fn state_certain(
    teller: &mut Teller<'_, '_>,
    from: &[SymbolId],
    to: &[SymbolId],
    before: &str,
) -> bool {
    let is_certain = |chain: &Chain| chain.iter().all(|hop| hop.how == How::Calls);
    let mut found = certain_chains(teller, from, to).into_iter();
    let found = found.find(is_certain);
    let Some((mut spans, sources)) = found.map(|chain| told(teller, &chain)) else {
        return false;
    };
    spans.insert(0, text(before));
    teller.say(spans, &sources)
}

/// States one sentence per chain: the shortest, and others of the same kind.
fn say(teller: &mut Teller<'_, '_>, found: Vec<Chain>) -> bool {
    // A chain over calls that may mean something else is not certain.
    let is_sure = |chain: &Chain| chain.iter().all(|hop| hop.how != How::MayCall);
    teller.is_guess |= !found.iter().any(is_sure);
    let mut is_said = false;
    for (at, chain) in found.into_iter().enumerate() {
        let (mut spans, sources) = told(teller, &chain);
        if at > 0 {
            spans.insert(0, text("Another way: "));
        }
        is_said |= teller.say(spans, &sources);
    }
    is_said
}

/// Returns a chain in words, and the line of each hop.
fn told(teller: &Teller<'_, '_>, chain: &Chain) -> (Vec<Span>, Vec<Source>) {
    let mut spans: Vec<Span> = Vec::new();
    let mut sources: Vec<Source> = Vec::new();
    for (nth, hop) in chain.iter().enumerate() {
        let verb = hop.how.verb();
        if nth == 0 {
            spans.extend(named_span(teller, hop.from));
            spans.push(text(format!(" {verb}")));
        } else {
            spans.push(text(format!(", which {verb}")));
        }
        spans.extend(named_span(teller, hop.to));
        sources.push(hop.source.clone());
    }
    (spans, sources)
}

fn named_span(teller: &Teller<'_, '_>, id: SymbolId) -> Option<Span> {
    let symbol = teller.index.symbol(id)?;
    Some(code(symbol.qualified.clone()))
}

/// No chain of calls: states whether the files import each other.
fn from_file_to_file(teller: &mut Teller<'_, '_>, from: &[SymbolId], to: &[SymbolId]) -> bool {
    let files = |ids: &[SymbolId]| ids.iter().map(|id| id.file).collect::<Vec<_>>();
    let (from, to) = (files(from), files(to));
    if from.iter().any(|file| to.contains(file)) {
        return false;
    }
    by_imports(teller, &from, &to)
}

/// States the shortest chain of imports.
fn by_imports(teller: &mut Teller<'_, '_>, from: &[FileId], to: &[FileId]) -> bool {
    let mut waiting: Vec<Vec<ImportLink>> = Vec::new();
    let mut seen: Vec<FileId> = from.to_vec();
    let mut next: Vec<FileId> = from.to_vec();
    let goal = Subject::Files(to.to_vec(), String::new());
    let mut before: Vec<Option<usize>> = vec![None; next.len()];
    for _ in 0..MAX_HOPS {
        let mut later = Vec::new();
        let mut paths = Vec::new();
        for (file, path) in next.iter().zip(&before) {
            for link in teller.index.graph.imports(*file) {
                let way = || {
                    let mut way = path
                        .and_then(|at| waiting.get(at).cloned())
                        .unwrap_or_default();
                    way.push(*link);
                    way
                };
                if leads_to(teller.index, link, &goal) {
                    return say_imports(teller, &way(), to);
                }
                if let Target::File(target) = link.target
                    && !seen.contains(&target)
                {
                    seen.push(target);
                    later.push(target);
                    waiting.push(way());
                    paths.push(Some(waiting.len() - 1));
                }
            }
        }
        (next, before) = (later, paths);
    }
    false
}

fn say_imports(teller: &mut Teller<'_, '_>, way: &[ImportLink], to: &[FileId]) -> bool {
    let mut spans: Vec<Span> = Vec::new();
    let mut sources = Vec::new();
    for (at, link) in way.iter().enumerate() {
        let is_last = at + 1 == way.len();
        let target = match (link.target, link.symbol) {
            (_, Some(symbol)) if is_last && to.contains(&symbol.file) => symbol.file,
            (Target::File(file), _) => file,
            (_, Some(symbol)) => symbol.file,
            _ => return false,
        };
        match at {
            0 => spans.extend([code(teller.path(link.file)), text(" imports ")]),
            _ => spans.push(text(", which imports ")),
        }
        spans.push(code(teller.path(target)));
        sources.push(import_source(teller.index, link));
    }
    teller.say(spans, &sources)
}

fn nothing(
    teller: &mut Teller<'_, '_>,
    (from, from_name): (&[SymbolId], &str),
    (to, to_name): (&[SymbolId], &str),
) -> bool {
    let mut back = certain_chains(teller, to, from);
    back.retain(|chain| chain.iter().all(|hop| hop.how == How::Calls));
    let spans = vec![
        text(format!(
            "No chain of up to {MAX_HOPS} calls that the graph knows leads from "
        )),
        code(from_name.to_owned()),
        text(" to "),
        code(to_name.to_owned()),
    ];
    let ids = from.iter().take(1).chain(to.iter().take(1));
    let sources: Vec<Source> = ids
        .filter_map(|id| definition_source(teller.index, *id))
        .collect();
    let is_said = teller.say(spans, &sources);
    // The question may have asked in the wrong direction.
    is_said | (!back.is_empty() && say(teller, back))
}
