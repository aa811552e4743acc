//! Whether a project depends on one thing, by its manifests.

use super::super::everyday::is_everyday;
use super::super::notes::{Notes, code, text, tidy};
use super::super::prose::code_list;
use super::{MAX_NAMES, Manifest, of_kind, sources};
use crate::index::tokens::code_tokens;
use crate::lang::manifest::{Fact, FactKind};

/// What manifests call dependencies, those that users need first.
pub(super) const DEPENDENCIES: [FactKind; 5] = [
    FactKind::Dependency,
    FactKind::PeerDependency,
    FactKind::OptionalDependency,
    FactKind::DevDependency,
    FactKind::BuildDependency,
];

/// States whether the project depends on `name`, from the dependency list: an exact yes or no.
pub(super) fn state(manifests: &[Manifest<'_>], question: &str, name: &str, notes: &mut Notes<'_>) {
    // “does it depend on anything”
    if is_everyday(name) {
        return;
    }
    for kind in DEPENDENCIES {
        let Some((manifest, facts)) = of_kind(manifests, kind) else {
            continue;
        };
        let Some(fact) = facts
            .iter()
            .copied()
            .find(|fact| code_tokens(&fact.value).iter().any(|token| token == name))
        else {
            continue;
        };
        let spans = vec![
            text("Yes. "),
            code(manifest.path),
            text(format!(" names the {} ", kind.label())),
            code(fact.value.clone()),
            text("."),
        ];
        notes.state(tidy(spans), &sources(manifest, &[fact]));
        return;
    }
    if !asks_whether(question, name) {
        return;
    }
    let Some((manifest, facts)) = of_kind(manifests, FactKind::Dependency) else {
        return;
    };
    let shown: Vec<&Fact> = facts.iter().copied().take(MAX_NAMES).collect();
    let names: Vec<String> = shown.iter().map(|fact| fact.value.clone()).collect();
    let mut spans = vec![
        text("No. "),
        code(manifest.path),
        text(" does not name "),
        code(name),
        text("; its run-time dependencies are "),
    ];
    spans.extend(code_list(&names, "and"));
    if facts.len() == shown.len() {
        spans.push(text("."));
        notes.state(tidy(spans), &sources(manifest, &shown));
    }
}

/// Whether the question asks if the project depends on just this: “windows dependencies” does not
/// name a package.
fn asks_whether(question: &str, name: &str) -> bool {
    const POLAR: [&str; 8] = ["does", "do", "is", "are", "has", "have", "will", "can"];
    const BEFORE: [&str; 16] = [
        "on", "upon", "require", "requires", "required", "need", "needs", "needed", "use", "uses",
        "used", "depend", "depends", "is", "are", "in",
    ];
    const BETWEEN: [&str; 5] = ["the", "package", "library", "crate", "module"];
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && !"-_.@/".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let at = words
        .iter()
        .position(|word| code_tokens(word).iter().any(|it| it == name));
    let before = at.and_then(|at| {
        let before = words.get(..at)?.iter().rev();
        before.copied().find(|word| !BETWEEN.contains(word))
    });
    words.first().is_some_and(|first| POLAR.contains(first))
        && before.is_some_and(|word| BEFORE.contains(&word))
}
