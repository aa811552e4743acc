//! What X does not import, as far as its code can say that.

use super::{MAX_BLOCKS, Say};
use crate::answer::facts;
use crate::answer::kinds::evidence::{all_imports, files};
use crate::answer::kinds::subject::Subject;
use crate::answer::kinds::texts;
use crate::answer::notes::{MAX_NAMES, Source, capped, code, text};
use crate::index::graph::ImportLink;
use crate::source::FileId;

/// What a no begins with where something else may be imported, too.
const UNSURE_NO: &str = "No, as far as its imports say. ";

impl Say<'_, '_> {
    /// Whether X's code names a library. It can use one without an import (`console::style(1)`,
    /// `import_module("rich")`), or by the name that a manifest gives it.
    pub(super) fn is_named(&self, x: &Subject, library: &str) -> bool {
        let mut names = facts::names_in_code(self.index, library);
        names.push(library.to_owned());
        let files = files(self.index, x);
        let is_in = |file: &FileId| {
            let mut names = names.iter();
            names.any(|name| texts::uses_name(self.index, *file, name))
        };
        files.iter().any(is_in)
    }

    /// States that X does not import Y, citing everything that X imports.
    pub(super) fn no(&mut self, word: &str, x: &Subject, name: &str, links: &[&ImportLink]) {
        let computed = self.computed_import(x);
        let word = match word {
            "No. " if computed.is_some() => UNSURE_NO,
            _ => word,
        };
        let mut spans = vec![text(" does not import "), code(name.to_owned())];
        let own = files(self.index, x);
        let mut names: Vec<String> = self
            .by_file(links, &own)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        if *x == Subject::Project {
            names.clear();
        }
        names.extend(self.by_library(links).into_iter().map(|(name, _)| name));
        let sources = if *x == Subject::Project {
            self.by_library(links)
                .into_iter()
                .map(|(_, source)| source)
                .collect()
        } else {
            all_imports(self.index, x, links)
        };
        if names.is_empty() {
            spans.push(text("; it imports nothing"));
        } else {
            spans.push(text("; it imports "));
            spans.extend(capped(&names));
        }
        let mut sources: Vec<Source> = sources;
        sources.truncate(if *x == Subject::Project {
            MAX_NAMES
        } else {
            MAX_BLOCKS
        });
        self.state_with(word, x, spans, &sources);
        if let Some(import) = computed {
            self.computed(x, import);
        }
    }
}
