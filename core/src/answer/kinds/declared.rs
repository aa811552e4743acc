//! What a manifest declares: dependencies of one group, and features.

use super::Kind;
use super::subject;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::facts;
use crate::lang::manifest::FactKind;

/// Words for one group of dependencies.
macro_rules! groups {
    () => {
        "@runtime|run-time|run_time|non-optional|not_optional|nonoptional|mandatory|hard|production|optional|dev|development|devdependencies|peer|peerdependencies|build|build-time"
    };
}

/// Words for dependencies.
macro_rules! dependencies {
    () => {
        "dependency|dependencies|deps|requirement|requirements"
    };
}

pub(super) const KIND: Kind = Kind {
    name: "declared",
    wordings: &[
        concat!(
            "ASK? ",
            groups!(),
            " runtime|run-time|third-party|external? ",
            dependencies!(),
            " REL? X?"
        ),
        concat!(
            "ASK? ",
            groups!(),
            " ",
            dependencies!(),
            " DO X have|need|declare|list"
        ),
        concat!(
            "which|what ANY in|among the? ",
            groups!(),
            " ",
            dependencies!()
        ),
        "ASK? @optional|peer packages|libraries|crates can be installed|added ANY",
        "ASK? @default cargo|crate features|feature|feature_flags REL? X?",
        "ASK? features|feature_flags DO on|enabled|active @by_default",
        "ASK? features|feature_flags DO on|enabled|active @default",
        "ASK? cargo|crate|optional|compile-time? features|feature_flags REL? X? and which|what ANY by|on @default",
        "ASK? cargo|crate @features|feature_flags REL? X?",
        "ASK? @features|feature_flags DO X have|offer|define|declare",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    if !subject::is_project(teller.index, &read.x) {
        return false;
    }
    let kind = match read.word.as_str() {
        "default" | "by default" => return facts::state_features(teller.index, teller.notes, true),
        "features" | "feature flags" => {
            return facts::state_features(teller.index, teller.notes, false);
        }
        "optional" => FactKind::OptionalDependency,
        "dev" | "development" | "devdependencies" => FactKind::DevDependency,
        "peer" | "peerdependencies" => FactKind::PeerDependency,
        "build" | "build-time" => FactKind::BuildDependency,
        _ => FactKind::Dependency,
    };
    // “Which test framework is in the dev dependencies” asks for one of them.
    let asked = teller.question.text().to_lowercase();
    teller.is_guess = [" in ", " among "].iter().any(|part| asked.contains(part));
    facts::state_one(teller.index, kind, teller.notes);
    // In npm's manifests, what is optional beside a package stands among its peers.
    if kind == FactKind::OptionalDependency && teller.notes.statements.is_empty() {
        facts::state_one(teller.index, FactKind::PeerDependency, teller.notes);
    }
    !teller.notes.statements.is_empty()
}
