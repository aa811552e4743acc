//! Whether X uses Y (RepoQA-SA, dependency questions).

use super::Kind;
use super::say::Say;
use super::subject::{self, Subject};
use super::teller::Teller;
use super::wording::Read;
use crate::index::Index;

pub(super) const KIND: Kind = Kind {
    name: "uses",
    wordings: &[
        "does|do|is|are X not? directly? import|use|call|depend_on|require|rely_on|need|dependent_on|depending_on|using|importing Y",
        "X directly? imports|uses|calls|depends_on|requires|relies_on|needs Y",
        "is|are Y not? directly? imported|used|called|required|needed directly? by|in X",
        "is there any|a|an dependency|import|call of|from X on|to|of Y",
        "does|do X have any|a|an dependency|dependencies on Y",
    ],
    state,
};

/// The second subject of a question.
pub(super) enum Other {
    Known(Subject),
    /// Nothing that the repository holds or imports.
    Unknown(String),
}

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(x) = teller.subject(&read.x) else {
        return false;
    };
    let asked = teller.question.text().to_lowercase();
    let y = read.y.as_deref().unwrap_or_default();
    let Some(y) = other(teller.index, &x, y, &asked) else {
        return false;
    };
    let mut say = Say::new(teller);
    say.uses(&x, &y);
    say.is_said()
}

/// What Y names, as far as X can use it.
fn other(index: &Index, x: &Subject, y: &str, asked: &str) -> Option<Other> {
    let known = match x {
        // What a project uses of the outside is a library, whatever file has that name.
        Subject::Project => subject::library(index, &subject::bare(y).0)
            .map(Subject::Library)
            .or_else(|| subject::find(index, y)),
        _ => subject::find(index, y),
    };
    match known {
        Some(Subject::Project) => return None,
        Some(known) => return Some(Other::Known(known)),
        None => {}
    }
    // `use cookies` may be meant as a thing, not as a library: only a plain name after a word for imports
    // is answered with a no.
    let (name, hints) = subject::bare(y);
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    let is_import = ["import", "depend", "require"]
        .iter()
        .any(|word| asked.contains(word));
    let is_library = hints.iter().any(|hint| hint == "library");
    (is_name && (is_import || is_library)).then_some(Other::Unknown(name))
}
