//! Whether a project depends on one thing, by its manifests.

use super::super::everyday::is_everyday;
use super::super::notes::{Notes, code, text, tidy};
use super::super::prose::code_list;
use super::{MAX_NAMES, Manifest, named, of_kind, sources};
use crate::index::Index;
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
    let is_it = |kind, fact: &Fact| {
        let package = named(kind, &fact.value).0;
        is_called(package, name) || own_name(fact).is_some_and(|own| is_called(own, name))
    };
    let wanted = need(question);
    let is_needed = |kind| wanted.is_none_or(|wanted| wanted.contains(&kind));
    let as_asked = first(manifests, |kind, fact| is_needed(kind) && is_it(kind, fact));
    let is_so = as_asked.is_some();
    if let Some((manifest, fact)) = as_asked.or_else(|| first(manifests, is_it)) {
        let spans = vec![
            text(if is_so { "Yes. " } else { "No. " }),
            code(manifest.path),
            text(format!(" names the {} ", fact.what.label())),
            code(fact.value.clone()),
            text("."),
        ];
        notes.state(tidy(spans), &sources(manifest, &[fact]));
        return;
    }
    // “is Client used for tests?” is about code.
    if asks_when_needed(question) {
        return;
    }
    // `pytest-cov` is not `pytest`, but whoever asks for one may mean the other.
    let is_near = |_, fact: &Fact| code_tokens(&fact.value).iter().any(|token| token == name);
    if let Some((manifest, fact)) = first(manifests, is_near) {
        let spans = vec![
            code(manifest.path),
            text(format!(" names the {} ", fact.what.label())),
            code(fact.value.clone()),
            text(", but nothing that is called just "),
            code(name),
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

/// Returns the kinds of dependencies that a question asks for by when they are needed; `None` if it
/// asks for any.
fn need(question: &str) -> Option<&'static [FactKind]> {
    const NEEDS: [(&[&str], &[FactKind]); 3] = [
        (
            &["optional", "opt-in"],
            &[FactKind::OptionalDependency, FactKind::PeerDependency],
        ),
        (
            &["development", "dev", "build", "testing", "test"],
            &[FactKind::DevDependency, FactKind::BuildDependency],
        ),
        (
            &[
                "runtime",
                "run-time",
                "production",
                "required",
                "mandatory",
                "hard",
            ],
            &[FactKind::Dependency, FactKind::PeerDependency],
        ),
    ];
    let lower = with_runtime(question);
    let words = lower.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    let words: Vec<&str> = words
        .flat_map(|word| [word, word.split('-').next().unwrap_or(word)])
        .collect();
    let found = NEEDS
        .iter()
        .find(|(named, _)| named.iter().any(|it| words.contains(it)));
    found.map(|(_, kinds)| *kinds)
}

/// Returns a question in lower case, with “runtime” in one word.
fn with_runtime(question: &str) -> String {
    question.to_lowercase().replace("run time", "runtime")
}

/// Whether a question asks if something is needed at a certain time: “is it needed at runtime?”.
pub(in crate::answer) fn asks_when_needed(question: &str) -> bool {
    let lower = with_runtime(question);
    let starts = ["is ", "are ", "do ", "does "];
    let ends = [
        "at runtime",
        "in production",
        "for development",
        "for tests",
        "for testing",
    ];
    let needs = ["need", "require", "use"];
    starts.iter().any(|start| lower.starts_with(start))
        && ends.iter().any(|end| lower.contains(end))
        && needs.iter().any(|need| lower.contains(need))
}

/// Returns the first dependency that fits, those that users need first.
fn first<'m, 'i>(
    manifests: &'m [Manifest<'i>],
    is_wanted: impl Fn(FactKind, &Fact) -> bool,
) -> Option<(&'m Manifest<'i>, &'m Fact)> {
    DEPENDENCIES.into_iter().find_map(|kind| {
        let (manifest, facts) = of_kind(manifests, kind)?;
        let fact = facts.into_iter().find(|fact| is_wanted(kind, fact))?;
        Some((manifest, fact))
    })
}

/// Whether a package has a name that a person would write so: without its scope or its group, and
/// without the version that ends the path of a Go module.
fn is_called(package: &str, name: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_', '.'], "");
    let is_version = |part: &&str| {
        let digits = part.strip_prefix('v').filter(|it| !it.is_empty());
        digits.is_some_and(|it| it.chars().all(|c| c.is_ascii_digit()))
    };
    let last = package.rsplit(['/', ':']).find(|part| !is_version(part));
    [Some(package), last]
        .iter()
        .flatten()
        .any(|it| plain(it) == plain(name))
}

/// Returns the name that the code gives to a crate: `old_core` of `rand_core 0.6 as old_core`.
fn own_name(fact: &Fact) -> Option<&str> {
    fact.value.rsplit_once(" as ").map(|(_, own)| own)
}

/// Returns the names that manifests give to a package in code, if they differ from its own.
pub(in crate::answer) fn names_in_code(index: &Index, package: &str) -> Vec<String> {
    let manifests = super::manifests(index);
    let facts = manifests.iter().flat_map(|manifest| &manifest.facts);
    let dependencies = facts.filter(|fact| DEPENDENCIES.contains(&fact.what));
    let wanted = dependencies.filter(|fact| is_called(named(fact.what, &fact.value).0, package));
    wanted.filter_map(own_name).map(str::to_owned).collect()
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
