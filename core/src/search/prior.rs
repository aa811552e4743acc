//! What a file is for, as a prior: whoever asks how something works wants the implementation before
//! its tests, examples and documents, unless the question asks for those.

use super::question::{About, Question};
use super::{Hit, ScorePart, fusion};
use crate::index::Index;
use crate::lang::Role;

/// Multiplies the score of each hit by the prior of its file's role and sorts anew. The change is
/// kept as a part of its own, named after the role.
pub fn role_prior(index: &Index, question: &Question, mut hits: Vec<Hit>) -> Vec<Hit> {
    for hit in &mut hits {
        let Some(file) = index
            .chunk(hit.chunk)
            .and_then(|chunk| index.repo.file(chunk.file))
        else {
            continue;
        };
        let role = Role::of(&file.path);
        let factor = factor(role, question.about());
        if factor < 1.0 {
            let change = hit.score * (factor - 1.0);
            hit.score += change;
            hit.parts.push(ScorePart {
                name: name(role),
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
