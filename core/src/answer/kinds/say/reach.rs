//! What can be reached through imports of imports.

use std::collections::BTreeSet;

use super::Say;
use crate::answer::Span;
use crate::answer::kinds::evidence::{all_imports, files, import_source, imports, leads_to, path};
use crate::answer::kinds::subject::Subject;
use crate::answer::kinds::teller::counted;
use crate::answer::kinds::uses::Other;
use crate::answer::notes::{Entry, Source, code, text};
use crate::index::Index;
use crate::index::graph::{ImportLink, Target};
use crate::source::FileId;

/// Maximum number of imports followed in a row.
const MAX_HOPS: usize = 8;

impl Say<'_, '_> {
    /// States a file between X and Y, if there is one: X uses Y, but not directly.
    pub(super) fn through(&mut self, x: &Subject, y: &Subject) {
        let own = files(self.index, x);
        let between = imports(self.index, x).into_iter().find_map(|first| {
            let Target::File(middle) = first.target else {
                return None;
            };
            let mut links = self.index.graph.imports(middle).iter();
            let second = links.find(|link| leads_to(self.index, link, y))?;
            (!own.contains(&middle)).then_some((first, middle, second))
        });
        if let Some((first, middle, second)) = between {
            let spans = vec![
                text(" imports "),
                code(path(self.index, middle)),
                text(", which imports "),
                code(self.name(y)),
            ];
            let sources = [
                import_source(self.index, first),
                import_source(self.index, second),
            ];
            self.state_with("Not directly. ", x, spans, &sources);
        }
    }

    /// States whether X leads to Y through any number of imports.
    pub(crate) fn reaches(&mut self, x: &Subject, y: &Other) {
        let Other::Known(y) = y else {
            self.uses(x, y);
            return;
        };
        if self.yes("Yes, directly. ", x, y, &imports(self.index, x)) {
            return;
        }
        match chain(self.index, &files(self.index, x), y) {
            Ok(chain) => {
                let mut spans: Vec<Span> = Vec::new();
                for (at, link) in chain.iter().enumerate() {
                    spans.push(text(if at == 0 {
                        " imports "
                    } else {
                        ", which imports "
                    }));
                    spans.push(code(match (at + 1 == chain.len(), link.target) {
                        (false, Target::File(file)) => path(self.index, file).to_owned(),
                        _ => self.name(y),
                    }));
                }
                let sources = chain.iter().map(|link| import_source(self.index, link));
                let sources: Vec<Source> = sources.collect();
                self.state_with("Yes, through others. ", x, spans, &sources);
            }
            Err(looked_at) => {
                let spans = vec![
                    text(" does not lead to "),
                    code(self.name(y)),
                    text(format!(
                        ": nothing imports it in {} that its imports reach",
                        counted(looked_at, "file", "files")
                    )),
                ];
                let sources = all_imports(self.index, x, &imports(self.index, x));
                self.state_with("No. ", x, spans, &sources);
            }
        }
    }

    /// States what imports X, directly or through others.
    pub(crate) fn dependents(&mut self, x: &Subject) {
        let own = files(self.index, x);
        let mut found: Vec<(String, String, Source)> = Vec::new();
        let mut seen: BTreeSet<FileId> = own.iter().copied().collect();
        let mut wanted = vec![x.clone()];
        let mut hops = 0;
        while !wanted.is_empty() && hops < MAX_HOPS {
            hops += 1;
            let mut next: Vec<FileId> = Vec::new();
            for link in self.index.graph.all_imports() {
                let leads = wanted
                    .iter()
                    .any(|subject| leads_to(self.index, link, subject));
                if leads && seen.insert(link.file) {
                    next.push(link.file);
                    let detail = match hops {
                        1 => "directly".to_owned(),
                        n => format!("through {}", counted(n - 1, "other file", "other files")),
                    };
                    let name = path(self.index, link.file).to_owned();
                    found.push((name, detail, import_source(self.index, link)));
                }
            }
            let subject = |file: FileId| Subject::Files(vec![file], String::new());
            wanted = next.into_iter().map(subject).collect();
        }
        if found.is_empty() {
            self.importers(x);
            return;
        }
        let n = counted(found.len(), "file", "files");
        let mut spans = self.subject(x);
        spans.push(text(format!(
            " is imported, directly or through others, by {n}: "
        )));
        let entries = found.into_iter().map(|(name, detail, source)| Entry {
            name,
            detail,
            source,
        });
        self.notes.list(spans, entries.collect());
    }
}

/// Returns the shortest chain of imports from one of the files to Y; if there is none, the number
/// of files visited.
fn chain<'i>(index: &'i Index, from: &[FileId], y: &Subject) -> Result<Vec<&'i ImportLink>, usize> {
    let mut ways: Vec<Vec<&'i ImportLink>> = vec![Vec::new()];
    let mut seen: BTreeSet<FileId> = from.iter().copied().collect();
    let mut first = true;
    while !ways.is_empty() {
        let mut next = Vec::new();
        for way in ways {
            let here: Vec<FileId> = match way.last().map(|link: &&ImportLink| link.target) {
                Some(Target::File(file)) => vec![file],
                _ if first => from.to_vec(),
                _ => Vec::new(),
            };
            for link in here.iter().flat_map(|file| index.graph.imports(*file)) {
                let mut longer = way.clone();
                longer.push(link);
                if leads_to(index, link, y) {
                    return Ok(longer);
                }
                if let Target::File(file) = link.target
                    && seen.insert(file)
                {
                    next.push(longer);
                }
            }
        }
        first = false;
        ways = next;
    }
    Err(seen.len())
}
