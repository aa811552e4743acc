//! What a manifest states: version, licence, authors, dependencies.

use super::scene::Scene;
use super::token::Token;
use super::{Proof, Truth, is_among};
use crate::lang::Role;
use crate::lang::manifest::{Fact, FactKind, facts};

/// Words that name a kind of fact, and words that may accompany them.
const KINDS: &[(FactKind, &[&str], &[&str])] = &[
    (FactKind::Version, &["version"], &[]),
    (FactKind::License, &["licence", "license", "licensed"], &[]),
    (
        FactKind::Author,
        &["author", "authors", "maintainer", "maintainers"],
        &[],
    ),
    (
        FactKind::Description,
        &["description", "describes", "described"],
        &[],
    ),
    (
        FactKind::Dependency,
        &[
            "dependency",
            "dependencies",
            "depends",
            "requires",
            "require",
        ],
        &["run-time", "runtime"],
    ),
    (
        FactKind::DevDependency,
        &["devdependencies", "dev-dependencies", "development"],
        &["dependency", "dependencies"],
    ),
    (
        FactKind::RequiresLanguage,
        &["requires", "supports", "needs"],
        &[],
    ),
    (FactKind::Name, &["named", "called"], &[]),
];

/// Words that add nothing.
const FRAME: &str = "\
    a an and are as at block by crate declares entry field file for gives has in is it its \
    itself key lists manifest metadata names of on package project release section sets stands \
    states the to under value with written";

/// Returns whether the cited manifest states what the sentence says about it; `None` if the
/// sentence is not about anything that manifests state.
pub(super) fn truth(scene: &Scene<'_>, tokens: &[Token]) -> Option<Truth> {
    let files = scene.cited_files();
    let [file] = files.as_slice() else {
        return None;
    };
    let source = scene.index.repo.file(*file)?;
    if Role::of(&source.path) != Role::Manifest {
        return None;
    }
    let words = words(tokens);
    let all = facts(&source.path, &source.text);
    let mut used: Vec<&str> = Vec::new();
    let mut proofs = Vec::new();
    for (kind, names, beside) in KINDS {
        if !words.iter().any(|word| names.contains(&word.as_str())) {
            continue;
        }
        let stated = all
            .iter()
            .filter(|fact| fact.what == *kind && stands_in(fact, &words));
        for fact in stated {
            used.extend(names.iter().chain(*beside).copied());
            used.extend(
                words
                    .iter()
                    .filter(|word| is_of(fact, word))
                    .map(String::as_str),
            );
            proofs.push(Proof {
                file: *file,
                lines: fact.lines,
                what: "manifest",
            });
        }
    }
    let is_left = |word: &String| {
        !used.contains(&word.as_str())
            && !is_among(FRAME, word)
            && !source.path.to_lowercase().ends_with(word.as_str())
    };
    (!proofs.is_empty() && !words.iter().any(is_left)).then_some(Truth::Yes(proofs))
}

/// Returns all words of the sentence in lower case, those of its terms included.
fn words(tokens: &[Token]) -> Vec<String> {
    let of_token = |token: &Token| match token {
        Token::Term(term) => split(&term.text),
        Token::Word(word) => split(word),
        Token::Sign(_) => Vec::new(),
    };
    tokens.iter().flat_map(of_token).collect()
}

fn split(text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(|word| {
            word.trim_matches(['"', '\'', ',', '(', ')', ';'])
                .to_lowercase()
        })
        .filter(|word| !word.is_empty())
        .collect()
}

/// Whether the sentence contains all words of a fact's value; an author's address may be missing.
fn stands_in(fact: &Fact, words: &[String]) -> bool {
    let value = match fact.what {
        FactKind::Author => fact.value.split(['<', '(']).next().unwrap_or_default(),
        _ => fact.value.as_str(),
    };
    let value = split(value);
    !value.is_empty() && value.iter().all(|part| words.contains(part))
}

fn is_of(fact: &Fact, word: &str) -> bool {
    split(&fact.value).iter().any(|part| part == word)
}
