//! Which libraries a file imports, and whether it imports a given one (RepoQA-SA, dependency
//! questions): exact, even if the answer is no.

use super::Kind;
use crate::lab::questions::draft::{Drafts, Gold};
use crate::lab::questions::libraries::{Libraries, by_language, libraries};
use crate::lab::questions::world::World;
use crate::lang::Role;

pub(super) const KIND: Kind = Kind {
    name: "imports",
    title: "Which libraries does a file import, and does it import one?",
    draft,
};

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    let all = by_language(world);
    for file in world.files(Role::Source) {
        let libraries = libraries(world, file);
        if libraries.is_empty() {
            continue;
        }
        let called = world.file_called(file);
        list(drafts, called, &libraries);
        let at = world.below(libraries.len());
        if let Some((library, gold)) = libraries.iter().nth(at) {
            is_imported(drafts, called, library, gold);
        }
        let language = world.index.file(file).map(|(_, parsed)| parsed.language);
        let all = language.and_then(|language| all.get(&language));
        let all: Vec<&&str> = all.into_iter().flatten().collect();
        let other = all.get(world.below(all.len()));
        if let Some(other) = other.filter(|other| !libraries.contains_key(***other)) {
            is_not_imported(drafts, called, other, &libraries);
        }
    }
}

fn list(drafts: &mut Drafts, called: &str, libraries: &Libraries<'_>) {
    let wordings = [
        format!("Which libraries does {called} import?"),
        format!("What does {called} depend on outside of this repository?"),
    ];
    let gold = libraries.values().flatten().copied().collect();
    drafts.push(&wordings, gold, format!("It imports {}.", names(libraries)));
}

fn is_imported(drafts: &mut Drafts, called: &str, library: &str, gold: &[Gold]) {
    let wordings = [
        format!("Does {called} import {library}?"),
        format!("Is {library} used in {called}?"),
    ];
    drafts.push(
        &wordings,
        gold.to_vec(),
        format!("Yes, `{called}` imports `{library}`."),
    );
}

fn is_not_imported(drafts: &mut Drafts, called: &str, library: &str, own: &Libraries<'_>) {
    let wordings = [
        format!("Does {called} import {library}?"),
        format!("Does {called} depend on {library}?"),
    ];
    let gold = own.values().flatten().copied().collect();
    let answer = format!("No. `{called}` imports {}, not `{library}`.", names(own));
    drafts.push(&wordings, gold, answer);
}

fn names(libraries: &Libraries<'_>) -> String {
    let names: Vec<String> = libraries.keys().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
