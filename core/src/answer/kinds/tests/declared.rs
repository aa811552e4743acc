//! What manifests declare, what folders are for, and defaults in tables of options.

use crate::answer::tests::answered;
use crate::answer::{Outcome, Statement};
use crate::index::tests::whole_index;

const CRATE: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        "[package]\nname = \"wren\"\nlicense = \"MIT\"\n\n[dependencies.log]\nversion = \"0.4\"\n\n[dependencies.tokio]\nversion = \"1\"\noptional = true\n\n[features]\ndefault = [\"json\"]\njson = []\nasync = [\"dep:tokio\"]\n",
    ),
    (
        "src/lib.rs",
        "pub mod song;\nmod wing;\n\npub enum Mode {\n    Loud,\n    Soft,\n}\n\nimpl Default for Mode {\n    fn default() -> Self {\n        Self::Soft\n    }\n}\n",
    ),
    ("src/song.rs", "pub fn sing() {}\n"),
    (
        "src/wing.rs",
        "#[derive(Default)]\npub enum Beat {\n    Fast,\n    /// For gliding.\n    #[default]\n    Slow,\n}\n",
    ),
    ("examples/chirp.rs", "fn main() {}\n"),
    ("examples/flock/main.rs", "fn main() {}\n"),
];

const PACKAGE: &[(&str, &str)] = &[
    (
        "package.json",
        "{\n  \"name\": \"heron\",\n  \"license\": \"MIT\",\n  \"main\": \"lib/index.js\",\n  \"dependencies\": {\n    \"bson\": \"^6.0.0\"\n  },\n  \"peerDependencies\": {\n    \"snappy\": \"^7.0.0\"\n  },\n  \"devDependencies\": {\n    \"mocha\": \"^10.0.0\"\n  }\n}\n",
    ),
    ("src/index.ts", "export { Pool } from './pool/pool';\n"),
    (
        "src/pool/pool.ts",
        "import { encode } from 'bson';\n\nconst MOST = 200;\n\n/** Keeps connections open. */\nexport class Pool {\n  limit(o: { loops?: number }) {\n    return o.loops ?? MOST;\n  }\n}\n\nconst { HERON_HOME = '', HERON_LOG: log } = process.env;\n",
    ),
    (
        "src/options.ts",
        "export const OPTIONS = {\n  waitTimeout: {\n    type: 'uint',\n    default: 30000,\n  },\n};\n",
    ),
    (
        "src/monitor.ts",
        "import { Pool } from './pool/pool';\n\nexport const pool = new Pool();\n",
    ),
    ("lib/index.js", "export { Pool } from './pool/pool';\n"),
    (
        "lib/pool/pool.js",
        "import { encode } from 'bson';\n\nexport class Pool {}\n",
    ),
    ("lib/monitor.js", "import { Pool } from './pool/pool';\n"),
    (
        "README.md",
        "# heron\n\n## Bugs\n\nFound one?\n\nWrite to us at bugs.example.\n",
    ),
];

#[test]
fn a_crates_manifest_says_which_dependencies_and_features_it_has() {
    super::compare(
        &whole_index("wren-1.0", CRATE),
        &[
            (
                "non-optional runtime dependencies?",
                &[
                    "According to `Cargo.toml`, the only run-time dependency is `log 0.4`. [Cargo.toml:6]",
                ],
            ),
            (
                "which optional dependencies does it have",
                &[
                    "According to `Cargo.toml`, the only optional dependency is `tokio 1`. [Cargo.toml:9]",
                ],
            ),
            (
                "list the default cargo features",
                &[
                    "According to `Cargo.toml`, the only feature that is on by default is `json`. [Cargo.toml:13]",
                    "`Cargo.toml` declares these features: `json` and `async`. [Cargo.toml:14 Cargo.toml:15]",
                ],
            ),
            (
                "does the package install a command line binary?",
                &["No. `Cargo.toml` names no program to install. [Cargo.toml:1-15]"],
            ),
            (
                "which runnable example programs ship with the crate",
                &[
                    "`examples/` has 2 examples: `chirp` and `flock`. [examples/chirp.rs:1 examples/flock/main.rs:1]",
                ],
            ),
            (
                "which modules are public",
                &["`src/lib.rs` declares 1 public module: `song`. [src/lib.rs:1]"],
            ),
            (
                "default variant of Mode",
                &["`Mode.default` in `src/lib.rs` returns `Self::Soft`. [src/lib.rs:10-12]"],
            ),
            (
                "default variant of Beat",
                &["`Beat` in `src/wing.rs` has the default variant `Slow`. [src/wing.rs:5-6]"],
            ),
        ],
    );
}

#[test]
fn a_package_and_what_was_built_from_it_are_told_apart() {
    super::compare(
        &whole_index("heron-1.0", PACKAGE),
        &[
            (
                "runtime dependencies please",
                &[
                    "According to `package.json`, the only run-time dependency is `bson ^6.0.0`. [package.json:6]",
                ],
            ),
            (
                "which test framework is in the dev dependencies?",
                &[
                    "According to `package.json`, the only development dependency is `mocha ^10.0.0`. [package.json:12]",
                ],
            ),
            (
                "which optional packages can be installed next to it (peer dependencies)?",
                &[
                    "According to `package.json`, the only peer dependency is `snappy ^7.0.0`. [package.json:9]",
                ],
            ),
            (
                "under which licence is the driver published",
                &["According to `package.json`, the licence is `MIT`. [package.json:3]"],
            ),
            (
                "which source files in src import the bson library directly",
                &["`bson` is imported by 1 file: `src/pool/pool.ts`. [src/pool/pool.ts:1]"],
            ),
            (
                "does src/monitor.ts use anything from the pool folder",
                &["Yes. `src/monitor.ts` imports `src/pool/`. [src/monitor.ts:1]"],
            ),
            (
                "what is the code in src/pool about",
                &[
                    "`Pool`, a class in `src/pool/pool.ts`, is documented as “Keeps connections open.” [src/pool/pool.ts:5-10]",
                    "`src/pool/pool.ts` defines these, most imported first: `Pool`. [src/pool/pool.ts:6]",
                ],
            ),
            (
                "waitTimeout default?",
                &["`src/options.ts` gives `waitTimeout` the default `30000`. [src/options.ts:2-4]"],
            ),
            (
                "what is the default of loops",
                &[
                    "`src/pool/pool.ts` gives `loops` the default `MOST`, which is set to `200`. [src/pool/pool.ts:8 src/pool/pool.ts:3]",
                ],
            ),
            (
                "which environment variables are read",
                &[
                    "The repository reads 2 environment variables: `HERON_HOME` and `HERON_LOG`. [src/pool/pool.ts:12]",
                ],
            ),
            (
                "where do i file a bug",
                &["`README.md` says under “Bugs”: “Write to us at bugs.example.” [README.md:3-7]"],
            ),
        ],
    );
}

/// Files, and a question that they do not settle by what is read of them.
const UNSETTLED: &[(&[(&str, &str)], &str)] = &[
    (
        &[(
            "setup.py",
            "setup(name=\"a\", entry_points={\"console_scripts\": [\"a=a:main\"]})\n",
        )],
        "does the package install a command line tool?",
    ),
    (
        &[(
            "Cargo.toml",
            "[workspace]\nmembers = [\"b\"]\n\n[package]\nname = \"a\"\n",
        )],
        "does the package install a command line tool?",
    ),
    (
        &[(
            "Cargo.toml",
            "[package]\nname = \"a\"\n\n[target.\"cfg(windows)\".dependencies.winapi]\nversion = \"1\"\n",
        )],
        "windows dependencies",
    ),
    (
        &[
            (
                "Cargo.toml",
                "[package]\nname = \"a\"\n\n[dependencies]\nconsole = \"1\"\n",
            ),
            ("src/lib.rs", "use console::Term;\nmod c;\n"),
            ("src/c.rs", "fn f() {\n    console::style(1);\n}\n"),
        ],
        "does src/c.rs use the console crate",
    ),
    (
        &[(
            "src/lib.rs",
            "pub struct Pool {\n    pub max_size: usize,\n}\n\nimpl Default for Pool {\n    fn default() -> Self {\n        Pool { max_size: 15 }\n    }\n}\n",
        )],
        "default max_size of Pool",
    ),
];

#[test]
fn what_is_not_settled_by_what_is_read_is_not_denied() {
    for (files, question) in UNSETTLED {
        let index = whole_index("a-1.0", files);
        let answer = answered(&index, question);
        let Outcome::Found { statements, .. } = &answer.outcome else {
            continue;
        };
        for said in statements.iter().map(Statement::plain) {
            let denies = said.starts_with("No") || said.contains(" has no ");
            assert!(!denies, "{question}: {said}");
        }
    }
}

#[test]
fn dependencies_of_a_workspace_and_of_developers_are_not_needed_at_run_time() {
    let index = whole_index(
        "a-1.0",
        &[(
            "Cargo.toml",
            "[workspace.dependencies]\nrand = \"0.8\"\n\n[package]\nname = \"a\"\n\n[package.metadata.dependencies]\nfake = \"9\"\n\n[dependencies]\nserde = {version=\"1\",optional=true}\nlog = \"0.4\"\nwin.version = \"1\"\nwin.optional = true\n",
        )],
    );
    super::compare(
        &index,
        &[(
            "mandatory dependencies",
            &[
                "According to `Cargo.toml`, the only run-time dependency is `log 0.4`. [Cargo.toml:12]",
            ],
        )],
    );
    let index = whole_index(
        "a-1.0",
        &[
            ("requirements.txt", "flask\n"),
            ("requirements-dev.txt", "pytest\n"),
        ],
    );
    super::compare(
        &index,
        &[(
            "does it depend on flask",
            &["Yes. `requirements.txt` names the dependency `flask`. [requirements.txt:1]"],
        )],
    );
}
