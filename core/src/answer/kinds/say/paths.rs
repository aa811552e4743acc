//! Files that name a crate in a path (`serde::Serialize`) without importing it.

use std::collections::BTreeSet;

use super::{Proven, Say};
use crate::answer::kinds::subject::Subject;
use crate::answer::kinds::teller::counted;
use crate::answer::kinds::texts::{Text, words};
use crate::answer::notes::Source;
use crate::lang::{Language, Role};
use crate::lines::LineRange;
use crate::source::FileId;

impl Say<'_, '_> {
    /// States which other Rust files name the library in a path; `known` are those that import it.
    pub(super) fn named_in_paths(&mut self, x: &Subject, known: &BTreeSet<FileId>) {
        let Subject::Library(library) = x else {
            return;
        };
        let mut libraries = self.index.graph.libraries();
        let Some((_, name)) = libraries.find(|(id, _)| id == library) else {
            return;
        };
        let path = format!("{name}::");
        let files = (0..self.index.parsed.len() as u32).map(FileId);
        let is_other = |file: &FileId| {
            let parsed = self.index.parsed.get(file.0 as usize);
            parsed.is_some_and(|parsed| parsed.language == Language::Rust) && !known.contains(file)
        };
        let mut found: Vec<(bool, Proven)> = Vec::new();
        for file in files.filter(is_other) {
            let Some(text) = Text::new(self.index, file).filter(|it| it.text.contains(&path))
            else {
                continue;
            };
            let is_path = |at: &usize| {
                let behind = text.text.get(at + name.len()..);
                let before = text.text.get(..*at).unwrap_or_default();
                behind.is_some_and(|behind| behind.starts_with("::"))
                    && !before.ends_with("::")
                    && text.is_code(*at)
            };
            let Some(at) = words(text.text, name).into_iter().find(is_path) else {
                continue;
            };
            let line = text.line(at);
            let source = Source {
                file,
                lines: LineRange::new(line, line),
                quotes: vec![path.clone()],
                why: "path".to_owned(),
            };
            let is_test = Role::of(text.path) != Role::Source;
            found.push((is_test, (text.path.to_owned(), source)));
        }
        if found.is_empty() {
            return;
        }
        found.sort_by(|a, b| (a.0, &a.1.0).cmp(&(b.0, &b.1.0)));
        let n = counted(found.len(), "more file", "more files");
        let found = found.into_iter().map(|(_, proven)| proven).collect();
        self.list(x, &format!(" is named in paths of {n}: "), found);
    }
}
