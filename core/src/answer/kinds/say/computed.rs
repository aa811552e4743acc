//! Imports by a name that the program computes: they can lead anywhere.

use regex::RegexSet;

use super::Say;
use crate::answer::kinds::evidence::files;
use crate::answer::kinds::subject::Subject;
use crate::answer::kinds::texts::{Text, shown};
use crate::answer::notes::{Source, code, text};
use crate::lang::Language;
use crate::lines::LineRange;

/// A line that imports something by a computed name, and where it is.
pub(super) type ComputedImport = (String, Source);

impl Say<'_, '_> {
    /// States where X loads something by a computed name: what is missing among its other imports
    /// may be loaded there.
    pub(super) fn computed(&mut self, x: &Subject, (row, source): ComputedImport) {
        *self.is_guess = true;
        let spans = vec![
            text(" also imports something by a name that it computes, so this is not certain: "),
            code(row),
        ];
        self.state(x, spans, &[source]);
    }

    /// Returns the first such line of X's files, `None` if there is none.
    pub(super) fn computed_import(&self, x: &Subject) -> Option<ComputedImport> {
        // Some file of a project nearly always does.
        if *x == Subject::Project {
            return None;
        }
        let mut known: Vec<(Language, RegexSet)> = Vec::new();
        for file in files(self.index, x) {
            let Some(plain) = Text::plain(self.index, file) else {
                continue;
            };
            let language = plain.parsed.language;
            if known.iter().all(|(of, _)| *of != language) {
                let ways = language.spec().computed_imports;
                known.push((language, RegexSet::new(ways).unwrap_or_default()));
            }
            let (_, ways) = known.iter().find(|(of, _)| *of == language)?;
            if ways.is_empty() || !ways.is_match(plain.text) {
                continue;
            }
            let marked = Text::new(self.index, file)?;
            let mut at = 0;
            for row in marked.text.split_inclusive('\n') {
                let start = at + row.len() - row.trim_start().len();
                at += row.len();
                if ways.is_match(row) && marked.is_code(start) {
                    let line = marked.line(start);
                    let source = Source {
                        file,
                        lines: LineRange::new(line, line),
                        quotes: Vec::new(),
                        why: "an import by a computed name".to_owned(),
                    };
                    return Some((shown(row), source));
                }
            }
        }
        None
    }
}
