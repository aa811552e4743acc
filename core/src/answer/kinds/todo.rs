//! TODO, FIXME, XXX and HACK: what comments say is left to do, or which files have such comments.

use super::Kind;
use super::scope::Scope;
use super::teller::{Teller, counted};
use super::texts::{Text, polar, shown, words};
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{Entry, text};
use crate::lines::Line;

pub(super) const KIND: Kind = Kind {
    name: "todo",
    wordings: &[
        "ASK? @files|file|modules|classes|sources in|under|inside|within X that? contain|contains|have|has|hold|with|include|containing todo|todos|to-do|to-dos|fixme|fixmes|xxx|hack|hacks and|or? todo|todos|fixme|fixmes|xxx|hack|hacks? comments|comment|markers|notes? left?",
        "ASK? X? @files|file|modules|classes|sources that? still? REL? contain|contains|have|has|hold|with|include|containing todo|todos|to-do|to-dos|fixme|fixmes|xxx|hack|hacks and|or? todo|todos|fixme|fixmes|xxx|hack|hacks? comments|comment|markers|notes? left? in|under|inside? X?",
        "ASK? open|remaining|outstanding|leftover|left|known? todo|todos|to-do|to-dos|fixme|fixmes|xxx|hack|hacks and|or? todo|todos|fixme|fixmes|xxx|hack|hacks? comments|comment|notes|markers|items|entries|list? left|open|remaining|there? REL? X?",
        "does|do|has|have X have|contain|hold any|open? todo|todos|fixme|fixmes|xxx|hack|hacks comments|comment|left?",
        "where is|are there? any|the|all? todo|todos|fixme|fixmes|xxx|hack|hacks comments|comment? in|of? X?",
        "what is left to do in|for? X?",
    ],
    state,
};

const MARKERS: [&str; 4] = ["TODO", "FIXME", "XXX", "HACK"];

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let markers = markers(teller.question.text());
    let Some(scope) = Scope::read(teller, &read.x) else {
        return false;
    };
    let by_file = !read.word.is_empty();
    let mut entries = Vec::new();
    let mut n_files = 0;
    for file in &scope.files {
        let source = teller.file_text(*file);
        let holds = |marker: &&str| source.to_ascii_uppercase().contains(marker);
        if !markers.iter().any(holds) {
            continue;
        }
        let found = in_file(teller, *file, &markers);
        n_files += usize::from(!found.is_empty());
        entries.extend(match by_file {
            true => of_file(found),
            false => found,
        });
    }
    say(teller, &scope, &markers, entries, by_file, n_files)
}

/// Returns the markers that a question names; all of them for `what is left to do`.
fn markers(question: &str) -> Vec<&'static str> {
    let upper = question.to_uppercase().replace("TO-DO", "TODO");
    let asked = |marker: &&&str| upper.contains(**marker);
    let found: Vec<&str> = MARKERS.iter().filter(asked).copied().collect();
    match found.is_empty() {
        true => MARKERS.to_vec(),
        false => found,
    }
}

fn in_file(teller: &Teller<'_, '_>, file: crate::source::FileId, markers: &[&str]) -> Vec<Entry> {
    let Some(source) = Text::new(teller.index, file) else {
        return Vec::new();
    };
    let mut found: Vec<(Line, Entry)> = Vec::new();
    for marker in markers {
        for spelled in [(*marker).to_owned(), marker.to_lowercase(), title(marker)] {
            for at in words(source.text, &spelled) {
                let line = source.line(at);
                let rest = source.text.get(at..).unwrap_or_default();
                let rest = rest.lines().next().unwrap_or_default();
                // In lower case it is a marker only if written like one: `todo: …`.
                let after = rest.get(spelled.len()..).unwrap_or_default();
                let is_mark = spelled == **marker || after.starts_with([':', '(']);
                let is_new = found.iter().all(|(known, _)| *known != line);
                if is_mark && is_new && source.is_comment(at) {
                    let name = format!("{}:{}", source.path, line.0);
                    let said = rest.trim_end_matches(['*', '/', '-', '>', '}', ' ']);
                    found.push((line, source.entry(line, name, shown(said), &spelled)));
                }
            }
        }
    }
    found.sort_by_key(|(line, _)| *line);
    found.into_iter().map(|(_, entry)| entry).collect()
}

fn title(marker: &str) -> String {
    let lower = marker.to_lowercase();
    let (first, rest) = lower.split_at_checked(1).unwrap_or(("", ""));
    format!("{}{rest}", first.to_uppercase())
}

/// Combines the comments of one file into one entry.
fn of_file(found: Vec<Entry>) -> Vec<Entry> {
    let n = found.len();
    let first = found.into_iter().next();
    let whole = first.map(|mut entry| {
        let path = entry.name.rsplit_once(':').map(|(path, _)| path.to_owned());
        entry.name = path.unwrap_or(entry.name);
        if n > 1 {
            entry.detail = format!("{n} comments, the first: {}", entry.detail);
        }
        entry
    });
    whole.into_iter().collect()
}

fn say(
    teller: &mut Teller<'_, '_>,
    scope: &Scope,
    markers: &[&str],
    entries: Vec<Entry>,
    by_file: bool,
    n_files: usize,
) -> bool {
    let marks = match markers {
        [only] => (*only).to_owned(),
        _ => markers.join(" or "),
    };
    let mut lead: Vec<Span> = vec![text(polar(teller, !entries.is_empty()))];
    if entries.is_empty() {
        lead.extend(scope.shown.clone());
        let n = counted(scope.files.len(), "searched file", "searched files");
        lead.push(text(format!(
            " has no {marks} comment: no comment in {n} contains such a mark"
        )));
        let searched = scope.searched(teller);
        return teller.say(lead, &searched);
    }
    let n = entries.len();
    if by_file {
        let n = counted(n_files, "file", "files");
        let verb = if n_files == 1 { "has" } else { "have" };
        lead.push(text(format!("{n} {verb} {marks} comments: ")));
    } else {
        lead.extend(scope.shown.clone());
        let n = counted(n, &format!("{marks} comment"), &format!("{marks} comments"));
        lead.push(text(format!(" has {n}: ")));
    }
    teller.list(lead, entries)
}
