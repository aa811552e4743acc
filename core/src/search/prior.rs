//! What a file is for, as a prior: whoever asks how something works wants the implementation before
//! its tests, examples and documents, unless the question asks for those.

use super::question::{About, Question};
use super::{Hit, ScorePart, fusion};
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::lang::Role;

const CHANGELOG: f32 = 0.3;

/// What the lines of a chunk are for: the role of its file, but [`Role::Test`] for test code that
/// stands inside a source file, as is the custom in Rust.
pub fn role_of(index: &Index, chunk: ChunkId) -> Option<Role> {
    let role = Role::of(index.path_of(chunk)?);
    let is_in_tests = index.symbol_of(chunk).is_some_and(|symbol| {
        let mut owners = symbol.qualified.split('.');
        owners.any(|owner| matches!(owner, "tests" | "test"))
    });
    Some(if role == Role::Source && is_in_tests {
        Role::Test
    } else {
        role
    })
}

/// Whether the file lists the changes of each version: it mentions everything and explains nothing.
pub fn is_changelog(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    matches!(
        stem,
        "changelog"
            | "changes"
            | "history"
            | "news"
            | "releases"
            | "release_notes"
            | "release-notes"
    )
}

/// Multiplies the score of each hit by the prior of its role and sorts anew. The change is kept as a
/// part of its own, named after the role.
pub fn role_prior(index: &Index, question: &Question, mut hits: Vec<Hit>) -> Vec<Hit> {
    for hit in &mut hits {
        let (Some(role), Some(path)) = (role_of(index, hit.chunk), index.path_of(hit.chunk)) else {
            continue;
        };
        let (name, factor) = match is_changelog(path) && !question.about().history {
            true => ("list of changes", CHANGELOG),
            false => (name(role), factor(role, question.about())),
        };
        if factor < 1.0 {
            let change = hit.score * (factor - 1.0);
            hit.score += change;
            hit.parts.push(ScorePart {
                name,
                raw: factor,
                weighted: change,
            });
        }
    }
    fusion::sorted(hits)
}

fn factor(role: Role, about: About) -> f32 {
    match role {
        Role::Source => 1.0,
        Role::Test if about.tests => 1.0,
        Role::Docs if about.docs => 1.0,
        Role::Example if about.examples => 1.0,
        Role::Manifest | Role::Config if about.manifest => 1.0,
        Role::Test | Role::Docs | Role::Example => 0.5,
        Role::Manifest | Role::Config => 0.7,
    }
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Source => "source file",
        Role::Test => "test file",
        Role::Docs => "document",
        Role::Example => "example",
        Role::Manifest => "manifest",
        Role::Config => "configuration",
    }
}
