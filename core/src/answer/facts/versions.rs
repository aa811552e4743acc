//! Which versions of its dependencies a manifest asks for.

use super::super::notes::{Notes, Source, code, text, tidy};
use super::depends::DEPENDENCIES;
use super::{Manifest, named, sources};
use crate::index::Index;
use crate::index::tokens::{code_tokens, question_tokens};
use crate::lang::manifest::Fact;
use crate::search::Question;

/// Maximum number of dependencies that a question names.
const MOST: usize = 5;

/// Words of such a question that name no dependency.
const AROUND: [&str; 22] = [
    "version",
    "versions",
    "release",
    "releases",
    "need",
    "needs",
    "needed",
    "require",
    "requires",
    "required",
    "depend",
    "depends",
    "use",
    "uses",
    "used",
    "pin",
    "pins",
    "pinned",
    "minimum",
    "dependency",
    "dependencies",
    "crate",
];

/// States the versions if the question asks for versions of dependencies by name, and for nothing
/// else.
pub(super) fn state(
    index: &Index,
    manifests: &[Manifest<'_>],
    question: &Question,
    notes: &mut Notes<'_>,
) -> bool {
    let asked = question.text().to_lowercase();
    if !asked.contains("version") {
        return false;
    }
    let words: Vec<&str> = asked
        .split(|c: char| c.is_whitespace() || "?,`\"'()".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    // A project can be among the development dependencies of its own manifest.
    let found: Vec<(&Manifest<'_>, &Fact)> = words
        .iter()
        .filter_map(|word| dependency(manifests, word))
        .take(MOST)
        .collect();
    let names: Vec<&str> = found.iter().map(|(_, fact)| name(fact)).collect();
    let project = code_tokens(&index.repo.name);
    let is_about = |token: &String| {
        let is_part = |name: &&str| question_tokens(name).contains(token);
        AROUND.contains(&token.as_str()) || project.contains(token) || names.iter().any(is_part)
    };
    if found.is_empty() || !question_tokens(&asked).iter().all(is_about) {
        return false;
    }
    let said = found
        .iter()
        .map(|(manifest, fact)| say(manifest, fact, notes));
    said.filter(|said| *said).count() > 0
}

fn say(manifest: &Manifest<'_>, fact: &Fact, notes: &mut Notes<'_>) -> bool {
    let (name, version) = named(fact.what, &fact.value);
    let mut spans = vec![
        text("According to "),
        code(manifest.path),
        text(format!(", the {} ", fact.what.label())),
        code(name),
    ];
    match version {
        "" => spans.push(text(" is asked for without a version.")),
        version => spans.extend([text(" is needed in version "), code(version), text(".")]),
    }
    let shown: Vec<Source> = sources(manifest, &[fact]);
    notes.state(tidy(spans), &shown)
}

fn name(fact: &Fact) -> &str {
    named(fact.what, &fact.value).0
}

/// Returns the dependency of this name from the manifest nearest to the root.
fn dependency<'m, 'i>(
    manifests: &'m [Manifest<'i>],
    word: &str,
) -> Option<(&'m Manifest<'i>, &'m Fact)> {
    let plain = |name: &str| name.to_lowercase().replace('_', "-");
    let is_named =
        |fact: &&Fact| DEPENDENCIES.contains(&fact.what) && plain(name(fact)) == plain(word);
    manifests.iter().find_map(|manifest| {
        let mut named: Vec<&Fact> = manifest.facts.iter().filter(is_named).collect();
        named.sort_by_key(|fact| fact.what);
        Some((manifest, *named.first()?))
    })
}
