//! Whether X uses Y (RepoQA-SA, dependency questions).

use super::Kind;
use super::evidence::imports;
use super::say::Say;
use super::subject::{self, Subject};
use super::teller::Teller;
use super::wording::Read;
use crate::answer::everyday::is_everyday;
use crate::index::Index;
use crate::index::graph::Target;

pub(super) const KIND: Kind = Kind {
    name: "uses",
    wordings: &[
        "DO not? X not? USE Y",
        "DO not? X not? CALL Y",
        "X USE Y",
        "DO not? Y not? USE by|in|inside|from X",
        "DO not? Y not? CALL by|in|inside|from X",
        "DO Y part of X",
        "is there any|a|an? dependency|import|call|path of|from X on|to|of Y",
        "DO X have any|a|an? dependency|dependencies on|to Y",
        "DO X reach|get_to|lead_to Y",
    ],
    state,
};

/// The second subject of a question.
pub(super) enum Other {
    Known(Subject),
    /// Something that the repository neither holds nor imports.
    Unknown(String),
}

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(x) = teller.subject(&read.x) else {
        return false;
    };
    let asked = teller.question.text().to_lowercase();
    let y = read.y.as_deref().unwrap_or_default();
    // “does it depend on anything” asks for all of it.
    if is_everyday(&y.to_lowercase()) {
        return false;
    }
    let Some(y) = other(teller.index, &x, y, &asked) else {
        return false;
    };
    let is_far = read.is_indirect || asks_to_reach(&asked);
    if is_far && matches!(x, Subject::Symbols(..)) {
        // Calls lead there, imports do not.
        return false;
    }
    let mut say = Say::new(teller);
    match is_far {
        true => say.reaches(&x, &y),
        false => say.uses(&x, &y),
    }
    say.is_said()
}

/// Whether indirect use counts too.
fn asks_to_reach(asked: &str) -> bool {
    ["reach", "get to", "lead to"]
        .iter()
        .any(|word| asked.contains(word))
}

/// Returns what Y names, as far as X can use it.
fn other(index: &Index, x: &Subject, y: &str, asked: &str) -> Option<Other> {
    // What X imports under that name is meant, even if other things share it.
    let name = subject::bare(y).0;
    let links = imports(index, x);
    let library = subject::library(index, &name);
    let is_imported = links
        .iter()
        .any(|link| library.is_some_and(|library| link.target == Target::Library(library)));
    if let Some(library) = library.filter(|_| is_imported) {
        return Some(Other::Known(Subject::Library(library)));
    }
    let known = match x {
        // What a project uses from outside is a library, even if a file shares its name.
        Subject::Project => library
            .map(Subject::Library)
            .or_else(|| subject::find(index, y)),
        _ => subject::find(index, y),
    };
    match known {
        Some(Subject::Project) => return None,
        Some(known) => return Some(Other::Known(known)),
        None => {}
    }
    // `use cookies` may mean a thing, not a library: only a plain name after a word for imports is
    // answered with a no.
    let (name, hints) = subject::bare(y);
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    let is_import = [
        "import",
        "depend",
        "require",
        "include",
        "uses the",
        "part of",
        "instantiate",
    ]
    .iter()
    .any(|word| asked.contains(word));
    let is_library = hints.iter().any(|hint| hint == "library");
    (is_name && (is_import || is_library)).then_some(Other::Unknown(name))
}
