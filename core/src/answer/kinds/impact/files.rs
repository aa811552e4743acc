//! Which files a change of files, a library or a definition affects: those that import it.

use std::collections::BTreeMap;

use super::{MAX_HOPS, MAX_INDIRECT};
use crate::answer::kinds::evidence::{import_source, leads_to, whole};
use crate::answer::kinds::scope::rank;
use crate::answer::kinds::subject::Subject;
use crate::answer::kinds::teller::{Teller, counted};
use crate::answer::kinds::texts::{Text, shown};
use crate::answer::notes::{Entry, Source, code, text};
use crate::index::graph::Target;
use crate::source::FileId;

/// States the files that import a file or a library, then the files that import those.
pub(super) fn of_files(teller: &mut Teller<'_, '_>, subject: &Subject) -> bool {
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
    let indirect = indirect(teller, own, &direct);
    let n = counted(direct.len(), "file that imports it", "files that import it");
    let lead = vec![code(name.clone()), text(format!(" directly affects {n}: "))];
    let is_said = teller.list(lead, direct);
    let n = counted(indirect.len(), "file", "files");
    let lead = vec![
        text(format!("Through those, {n} more can be affected by ")),
        code(name),
        text(": "),
    ];
    is_said | (!indirect.is_empty() && teller.list(lead, indirect))
}

/// Returns the files that import the direct importers.
fn indirect(teller: &Teller<'_, '_>, own: Vec<FileId>, direct: &[Entry]) -> Vec<Entry> {
    let mut level: Vec<FileId> = direct.iter().map(|entry| entry.source.file).collect();
    let mut seen: Vec<FileId> = own;
    seen.extend(&level);
    let mut found = Vec::new();
    for _ in 1..MAX_HOPS {
        let links = teller.index.graph.all_imports().iter();
        let is_next =
            |target: Target| matches!(target, Target::File(file) if level.contains(&file));
        let mut next: Vec<FileId> = Vec::new();
        for link in links.filter(|link| is_next(link.target)) {
            if !seen.contains(&link.file) {
                seen.push(link.file);
                next.push(link.file);
                found.push(Entry {
                    name: teller.path(link.file).to_owned(),
                    detail: String::new(),
                    source: import_source(teller.index, link),
                });
            }
        }
        level = next;
    }
    found.truncate(MAX_INDIRECT);
    found
}

/// Returns the importing files, each with its first import.
pub(super) fn importing(teller: &Teller<'_, '_>, subject: &Subject, own: &[FileId]) -> Vec<Entry> {
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
