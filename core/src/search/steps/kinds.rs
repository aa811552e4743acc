//! The purpose of a file, as a prior: someone who asks how something works wants the implementation
//! before its tests, examples and documents, unless the question asks for those.

use super::{Group, StepSpec};
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::lang::Role;
use crate::search::params::Param;
use crate::search::question::About;
use crate::search::{Context, Hit, Params, fusion};

/// Returns the role of a chunk: that of its file, but [`Role::Test`] for test code inside a source
/// file, as is usual in Rust.
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

/// Whether the file is a changelog: it mentions everything and explains nothing.
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
            | "releasenotes"
            | "version_history"
            | "version-history"
            | "versionhistory"
            | "whatsnew"
    )
}

/// Whether the file is a copy of another project kept with this one. Most are not even read; these
/// are the conventions that only ranking can follow.
pub fn is_vendored(path: &str) -> bool {
    let Some((folders, name)) = path.rsplit_once('/') else {
        return false;
    };
    let is_python = name.ends_with(".py");
    folders.split('/').enumerate().any(|(depth, folder)| {
        match folder {
            "vendor" | "vendored" | "_vendor" | "extern" | "external" | "externals"
            | "_external" | "thirdparty" | "third_party" | "third-party" | "bundled"
            | "contrib_vendored" => true,
            // A Python package keeps copies under `packages`; elsewhere it holds a monorepo's
            // members.
            "packages" => is_python && depth > 0,
            _ => false,
        }
    })
}

/// Folders that a build writes beside the sources it reads.
const BUILT_FOLDERS: [&str; 10] = [
    "dist", "build", "out", "lib", "es", "esm", "cjs", "umd", "types", "bundle",
];

/// Whether the file was probably generated from others in the repository: it lies in a folder of
/// built files beside a folder `src` with code in the same language family.
pub(crate) fn is_built(index: &Index, path: &str) -> bool {
    let is_script = |path: &str| {
        let end = path.rsplit('.').next().unwrap_or_default();
        ["js", "mjs", "cjs", "ts", "mts", "cts", "tsx", "jsx"].contains(&end)
    };
    if !is_script(path) {
        return false;
    }
    let starts = path.match_indices('/').scan(0, |from, (at, _)| {
        let start = *from;
        *from = at + 1;
        Some((start, at))
    });
    for (start, end) in starts {
        let folder = path.get(start..end).unwrap_or_default();
        if folder == "src" {
            return false;
        }
        if BUILT_FOLDERS.contains(&folder) {
            let sources = format!("{}src/", path.get(..start).unwrap_or_default());
            return index.repo.below(&sources).any(|file| is_script(&file.path));
        }
    }
    false
}

/// Factor of tests that the question does not ask for.
static TESTS: Param = Param::new("tests", 0.3);
/// Factor of documentation that the question does not ask for.
static DOCS: Param = Param::new("docs", 0.3);
/// Factor of examples that the question does not ask for.
static EXAMPLES: Param = Param::new("examples", 0.3);
/// Factor of manifests and configuration that the question does not ask for.
static CONFIG: Param = Param::new("config", 0.2);
/// Factor of changelogs that the question does not ask for.
static CHANGELOG: Param = Param::new("changelog", 0.2);
/// Factor of copies of other projects.
static VENDORED: Param = Param::new("vendored", 0.5);
/// Factor of files that were built from others in the repository.
static BUILT: Param = Param::new("built", 0.3);
/// Factor of a kind that the question asks for.
static ASKED: Param = Param::new("asked", 0.6);

pub(super) static KINDS: StepSpec = StepSpec {
    name: "kinds",
    about: "Tests, documents, examples and copies count less unless asked for.",
    why: |_, hit| {
        hit.parts
            .last()
            .map_or("kind of file", |part| part.name)
            .to_owned()
    },
    group: Group::Rule,
    compares: None,
    params: &[
        &TESTS, &DOCS, &EXAMPLES, &CONFIG, &CHANGELOG, &VENDORED, &BUILT, &ASKED,
    ],
    apply: kinds,
};

/// Multiplies the score of each hit by the prior of its role and re-sorts. The change is kept as a
/// separate part, named after the role.
pub fn kinds(context: &Context<'_>, mut hits: Vec<Hit>) -> Vec<Hit> {
    for hit in &mut hits {
        if let Some((name, factor)) = factor_of(context, hit.chunk)
            && factor < 1.0
        {
            hit.add(name, factor, hit.score * (factor - 1.0));
        }
    }
    fusion::sorted(hits)
}

/// Returns the factor by which `kinds` reduces a chunk's score, for steps that run after it.
pub(super) fn prior(context: &Context<'_>, chunk: ChunkId) -> f32 {
    factor_of(context, chunk).map_or(0.0, |(_, factor)| factor)
}

/// Returns the smallest factor that applies to the chunk, with its name.
fn factor_of(context: &Context<'_>, chunk: ChunkId) -> Option<(&'static str, f32)> {
    let purpose = Purpose::of(context.index, chunk)?;
    Some(purpose.prior(context.question.about(), &context.params))
}

/// What decides the factor of a chunk, for a search that no longer has its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Purpose {
    role: Role,
    is_changelog: bool,
    origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Own,
    Vendored,
    Built,
}

impl Purpose {
    pub(crate) fn of(index: &Index, chunk: ChunkId) -> Option<Self> {
        let path = index.path_of(chunk)?;
        Some(Self {
            role: role_of(index, chunk)?,
            is_changelog: is_changelog(path),
            origin: match () {
                () if is_vendored(path) => Origin::Vendored,
                () if is_built(index, path) => Origin::Built,
                () => Origin::Own,
            },
        })
    }

    /// Returns the factor for a question, with its name.
    pub(crate) fn prior(self, about: About, params: &Params) -> (&'static str, f32) {
        if self.is_changelog && !about.history {
            return ("list of changes", params.get(&CHANGELOG));
        }
        let factor = factor(self.role, about, params);
        match self.origin {
            Origin::Vendored => ("vendored copy", params.get(&VENDORED) * factor),
            Origin::Built => ("built file", params.get(&BUILT) * factor),
            Origin::Own => (name(self.role), factor),
        }
    }

    /// Returns the factor for scores made of ranks, which lie close together: what the question
    /// asks for is not reduced, and the rest in proportion.
    pub(crate) fn prior_of_ranks(self, about: About, params: &Params) -> f32 {
        let (_, factor) = self.prior(about, params);
        (factor / params.get(&ASKED)).min(1.0)
    }
}

fn factor(role: Role, about: About, params: &Params) -> f32 {
    match role {
        Role::Source => 1.0,
        Role::Test if about.tests => params.get(&ASKED),
        Role::Docs if about.docs => params.get(&ASKED),
        Role::Example if about.examples => params.get(&ASKED),
        Role::Manifest | Role::Config if about.manifest => params.get(&ASKED),
        Role::Test => params.get(&TESTS),
        Role::Docs => params.get(&DOCS),
        Role::Example => params.get(&EXAMPLES),
        Role::Manifest | Role::Config => params.get(&CONFIG),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_files_are_recognised_by_the_sources_beside_them() {
        let files = [
            ("dist/index.mjs", "export const a = 1;\n"),
            ("lib/helpers.py", "a = 1\n"),
            (
                "packages/a/dist/x.d.ts",
                "export declare const a: number;\n",
            ),
            ("packages/a/src/x.ts", "export const a = 1;\n"),
            ("packages/b/lib/y.js", "exports.a = 1;\n"),
            ("src/index.ts", "export const a = 1;\n"),
            ("src/lib/z.ts", "export const a = 1;\n"),
        ];
        let index = crate::index::tests::index(&files);
        let built: Vec<&str> = files
            .iter()
            .map(|(path, _)| *path)
            .filter(|path| is_built(&index, path))
            .collect();
        assert_eq!(built, ["dist/index.mjs", "packages/a/dist/x.d.ts"]);
    }

    #[test]
    fn copies_of_other_projects_are_recognised_by_their_folders() {
        for (path, vendored) in [
            ("requests/packages/urllib3/util.py", true),
            ("packages/core/index.ts", false),
            ("packages/core/setup.py", false),
            ("astropy/extern/ply/lex.py", true),
            ("src/vendor.rs", false),
        ] {
            assert_eq!(is_vendored(path), vendored, "{path}");
        }
    }
}
