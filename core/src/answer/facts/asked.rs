//! Which facts of manifests a question asks for.

use std::collections::BTreeSet;

use super::asks_when_needed;
use crate::index::Index;
use crate::index::tokens::{code_tokens, question_tokens};
use crate::lang::manifest::FactKind;
use crate::search::Question;

/// Words that ask for a kind of fact.
const WORDS: &[(FactKind, &[&str])] = &[
    (
        FactKind::License,
        &[
            "license",
            "licence",
            "licenses",
            "licences",
            "licensed",
            "licensing",
            "copyright",
        ],
    ),
    (
        FactKind::RequiresLanguage,
        &[
            "python",
            "node",
            "rust",
            "java",
            "php",
            "go",
            "msrv",
            "interpreter",
        ],
    ),
    (
        FactKind::DevDependency,
        &["dev", "development", "devdependencies"],
    ),
    (
        FactKind::OptionalDependency,
        &["optional", "extra", "extras", "features"],
    ),
    (FactKind::BuildDependency, &["build"]),
    (
        FactKind::Dependency,
        &[
            "dependency",
            "dependencies",
            "depend",
            "depends",
            "requirements",
        ],
    ),
    (
        FactKind::Author,
        &[
            "author",
            "authors",
            "maintainer",
            "maintainers",
            "wrote",
            "written",
        ],
    ),
    (FactKind::Url, &["homepage", "website", "url", "address"]),
    (FactKind::EntryPoint, &["entry", "entrypoint"]),
    (FactKind::Version, &["version", "versions"]),
    (
        FactKind::Description,
        &["project", "library", "package", "repository", "about"],
    ),
];

/// Words that ask for facts without saying which.
const AROUND: [&str; 45] = [
    "published",
    "distributed",
    "released",
    "shipped",
    "driver",
    "client",
    "framework",
    "software",
    "tool",
    "manifest",
    "cargo",
    "toml",
    "pyproject",
    "oldest",
    "lowest",
    "least",
    "compatible",
    "work",
    "works",
    "runs",
    "declared",
    "js",
    "are",
    "under",
    "points",
    "point",
    "required",
    "requires",
    "require",
    "needed",
    "need",
    "needs",
    "minimum",
    "supported",
    "support",
    "supports",
    "runtime",
    "third",
    "party",
    "external",
    "packages",
    "libraries",
    "current",
    "use",
    "uses",
];

/// Returns the kinds of facts asked for, and the words of the question that name something else. If
/// there are several such words, nothing is asked for: the question is about code.
pub(super) fn asked(index: &Index, question: &Question) -> (Vec<FactKind>, Vec<String>) {
    let project: BTreeSet<String> = code_tokens(&index.repo.name).into_iter().collect();
    let mut words = question_tokens(question.text());
    let asks_when = asks_when_needed(question.text());
    if asks_when {
        let times = ["production", "development", "tests", "testing"];
        words.retain(|word| !times.contains(&word.as_str()));
    }
    let kinds: Vec<FactKind> = WORDS
        .iter()
        .filter(|(_, known)| words.iter().any(|word| known.contains(&word.as_str())))
        .map(|&(kind, _)| kind)
        .chain(asks_when.then_some(FactKind::Dependency))
        .collect();
    let subjects: Vec<String> = words
        .into_iter()
        .filter(|word| {
            let is_fact_word = WORDS
                .iter()
                .any(|(_, known)| known.contains(&word.as_str()));
            !is_fact_word && !AROUND.contains(&word.as_str()) && !project.contains(word)
        })
        .collect();
    let first = question
        .text()
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let asks_how = matches!(first.as_str(), "how" | "why" | "where" | "when")
        && !kinds.contains(&FactKind::License);
    let is_about_one_dependency = subjects.len() == 1 && kinds.contains(&FactKind::Dependency);
    if asks_how || !(subjects.is_empty() || is_about_one_dependency) {
        return (Vec::new(), Vec::new());
    }
    (narrowed(kinds), subjects)
}

/// Drops vague kinds if there are precise ones: words such as `version` and `package` accompany
/// more precise words.
fn narrowed(mut kinds: Vec<FactKind>) -> Vec<FactKind> {
    let precise =
        |kinds: &[FactKind], vague: &[FactKind]| kinds.iter().any(|kind| !vague.contains(kind));
    if precise(&kinds, &[FactKind::Description]) {
        kinds.retain(|&kind| kind != FactKind::Description);
    }
    if kinds.contains(&FactKind::RequiresLanguage) {
        kinds.retain(|&kind| kind != FactKind::Version);
    }
    let special = [
        FactKind::DevDependency,
        FactKind::OptionalDependency,
        FactKind::BuildDependency,
    ];
    if kinds.iter().any(|kind| special.contains(kind)) {
        kinds.retain(|&kind| kind != FactKind::Dependency);
    }
    kinds
}
