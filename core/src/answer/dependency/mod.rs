//! Questions about dependencies, answered from the graph: what imports, uses and calls what. Exact, as
//! the syntax trees say it, with a footnote for each line; a "no" lists what is there instead
//! (RepoQA-SA, dependency questions).

mod evidence;
mod pattern;
mod say;
mod subject;
#[cfg(test)]
mod tests;

use super::notes::Notes;
use crate::index::Index;
use crate::search::Question;
use pattern::{Ask, Read};
use say::Say;
use subject::Subject;

/// Longest question that can be one, in bytes.
const MAX_BYTES: usize = 300;

/// Whether manifests are asked first: a project's dependencies are declared there.
pub(super) fn is_about_manifests(index: &Index, question: &Question) -> bool {
    let text = question.text().to_lowercase();
    let is_declared = ["depend", "require"].iter().any(|word| text.contains(word));
    is_declared && matches!(understand(index, question), Some((_, Subject::Project, _)))
}

/// States the answer if the question is one about dependencies of something that is there.
pub(super) fn state<'i>(index: &'i Index, question: &Question, notes: &mut Notes<'i>) {
    let Some((ask, x, y)) = understand(index, question) else {
        return;
    };
    let say = Say { index, notes };
    match (ask, y) {
        (Ask::Libraries, _) => say.libraries(&x),
        (Ask::Imports, _) => say.imports(&x),
        (Ask::Importers, _) => say.importers(&x),
        (Ask::Callers, _) => say.callers(&x),
        (Ask::Callees, _) => say.callees(&x),
        (Ask::Uses, Some(y)) => say.uses(&x, &y),
        (Ask::Coupled, Some(Other::Known(y))) => say.coupled(&x, &y),
        (Ask::Uses | Ask::Coupled, _) => {}
    }
}

/// The second subject of a question.
enum Other {
    Known(Subject),
    /// Nothing that the repository holds or imports.
    Unknown(String),
}

/// The first reading of the question whose subjects are there.
fn understand(index: &Index, question: &Question) -> Option<(Ask, Subject, Option<Other>)> {
    if question.text().len() > MAX_BYTES {
        return None;
    }
    let readings = pattern::read(question.text());
    readings.into_iter().find_map(|Read { ask, x, y }| {
        let x = match ask {
            Ask::Callers | Ask::Callees => subject::find_symbols(index, &x)?,
            _ => subject::find(index, &x)?,
        };
        if ask == Ask::Importers && x == Subject::Project {
            return None;
        }
        let Some(y) = y else {
            return Some((ask, x, None));
        };
        let known = match &x {
            // What a project uses of the outside is a library, whatever file has that name.
            Subject::Project => {
                let library = subject::library(index, &subject::bare(&y).0);
                library
                    .map(Subject::Library)
                    .or_else(|| subject::find(index, &y))
            }
            _ => subject::find(index, &y),
        };
        let other = match known {
            Some(Subject::Project) => return None,
            Some(known) => Other::Known(known),
            None => {
                // `use cookies` may be meant as a thing, not as a library: only a plain name after a
                // word for imports is answered with a no.
                let (name, hints) = subject::bare(&y);
                let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
                let is_import = ["import", "depend", "require"]
                    .iter()
                    .any(|word| question.text().to_lowercase().contains(word));
                let is_library = hints.iter().any(|hint| hint == "library");
                if !is_name || !(is_import || is_library) {
                    return None;
                }
                Other::Unknown(name)
            }
        };
        Some((ask, x, Some(other)))
    })
}
