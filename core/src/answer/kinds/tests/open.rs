//! What code does behind other names, and where a “no” cannot be certain.

use crate::answer::tests::answered;
use crate::answer::{Answer, Fit, Outcome};
use crate::index::tests::whole_index;

const TOOL: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        "[package]\nname = \"wren\"\n\n[dependencies]\nlog = \"0.4\"\nold_rand = { package = \"rand\", version = \"0.7\" }\n\n[dependencies.tls]\nversion = \"0.23\"\npackage = \"rustls\"\n",
    ),
    (
        "src/lib.rs",
        "use old_rand::random;\n\npub fn roll() -> u8 {\n    random()\n}\n",
    ),
    ("src/plain.rs", "use log::info;\n"),
];

/// A trait that foreign types implement, one of which is called like it.
const TRAIT: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"dipper\"\n"),
    (
        "src/stream.rs",
        "pub trait Connector {\n    fn connect(&self);\n}\n\npub struct Never;\n\nimpl Connector for Never {\n    fn connect(&self) {}\n}\n\nimpl Connector for native::Connector {\n    fn connect(&self) {}\n}\n\nimpl Connector for Arc<tls::Config> {\n    fn connect(&self) {}\n}\n",
    ),
];

const BUCKET: &[(&str, &str)] = &[(
    "lib/bucket.ts",
    "interface Logger {\n  log(): void;\n}\n\nexport class Bucket {\n  open() {\n    return 1;\n  }\n\n  drop() {\n    return 2;\n  }\n}\n",
)];

const PLUGINS: &[(&str, &str)] = &[
    (
        "pyproject.toml",
        "[project]\nname = \"stork\"\ndependencies = [\"idna>=3\"]\n\n[dependency-groups]\ntest = [\"pytest-cov>=5\"]\ndev = [{include-group = \"test\"}, \"ruff\"]\n",
    ),
    (
        "stork/load.py",
        "import os\nfrom importlib import import_module\n\n\ndef load(name):\n    return import_module(name)\n",
    ),
    ("stork/plain.py", "import os\n"),
];

const SETTINGS: &[(&str, &str)] = &[
    ("package.json", "{\n  \"name\": \"heron\"\n}\n"),
    (
        "src/alias.ts",
        "import { env as own } from 'node:process';\n\nconst env = process.env;\n\nexport const home = env.HERON_HOME;\nexport const level = own['HERON_LEVEL'];\nexport const other = config.env.NOTHING;\n",
    ),
    (
        "src/forget.ts",
        "export function forget() {\n  delete process.env.HERON_TOKEN;\n}\n",
    ),
    (
        "src/model.ts",
        "// Names the model\nprocess.env.HERON_MODEL ?? fail();\n",
    ),
    (
        "src/start.ts",
        "export function start() {\n  run('heron', { env: process.env });\n}\n",
    ),
    (
        "src/scoped.ts",
        "function one() {\n  const env = process.env;\n  return env.HERON_ONE;\n}\n\nfunction two(env) {\n  return env.HERON_TWO;\n}\n",
    ),
];

/// Returns the answer with all that it says, entries of lists included.
fn told(name: &str, files: &[(&str, &str)], question: &str) -> (Answer, String) {
    let answer = answered(&whole_index(name, files), question);
    let mut said = String::new();
    if let Outcome::Found { statements, .. } = &answer.outcome {
        for statement in statements {
            said += &statement.plain();
            said += "\n";
            for item in &statement.items {
                said += &format!("{} {}\n", item.name, item.detail);
            }
        }
    }
    (answer, said)
}

#[test]
fn a_crate_is_known_by_both_its_names() {
    let said = |question: &str| told("wren-1.0", TOOL, question).1;
    let both = said("what are the runtime dependencies?");
    assert!(both.contains("`rand 0.7 as old_rand`"), "{both}");
    assert!(both.contains("`rustls 0.23 as tls`"), "{both}");
    for question in ["does it depend on rustls?", "does it depend on tls?"] {
        let yes = said(question);
        assert!(yes.starts_with("Yes."), "{question}: {yes}");
    }
    let used = said("does src/lib.rs import rand?");
    assert!(!used.contains("does not import"), "{used}");
    let unused = said("does src/plain.rs import rand?");
    assert!(unused.starts_with("No."), "{unused}");
}

#[test]
fn a_package_whose_name_only_begins_so_is_another_one() {
    let (_, said) = told("stork-1.0", PLUGINS, "does it depend on pytest?");
    let wanted = "`pyproject.toml` names the development dependency `pytest-cov>=5`, but nothing \
                  that is called just `pytest`.";
    assert!(said.contains(wanted), "{said}");
    let (_, said) = told("stork-1.0", PLUGINS, "what are the dev dependencies?");
    assert!(said.contains("`pytest-cov>=5` and `ruff`"), "{said}");
}

#[test]
fn when_a_dependency_is_needed_decides_whether_it_is_what_was_asked_for() {
    for (question, expected) in [
        (
            "is ruff a runtime dependency?",
            "No. `pyproject.toml` names the development dependency",
        ),
        (
            "is ruff needed at runtime?",
            "No. `pyproject.toml` names the development dependency",
        ),
        (
            "is ruff a dev dependency?",
            "Yes. `pyproject.toml` names the development dependency",
        ),
        ("is ruff required for development?", "Yes. "),
        (
            "is idna a required dependency?",
            "Yes. `pyproject.toml` names the dependency `idna>=3`",
        ),
        (
            "is idna an optional dependency?",
            "No. `pyproject.toml` names the dependency",
        ),
        ("is idna a dependency?", "Yes. "),
    ] {
        let (_, said) = told("stork-1.0", PLUGINS, question);
        assert!(said.starts_with(expected), "{question}: {said}");
    }
    for question in ["is load used for tests?", "is numpy used in production?"] {
        let (_, said) = told("stork-1.0", PLUGINS, question);
        assert!(!said.contains("does not name"), "{question}: {said}");
    }
}

#[test]
fn where_a_name_is_computed_a_no_is_not_exact() {
    let (answer, said) = told("stork-1.0", PLUGINS, "does stork/load.py import numpy?");
    assert!(
        said.starts_with("No, as far as its imports say. `stork/load.py`"),
        "{said}"
    );
    assert!(said.contains("does not import `numpy`"), "{said}");
    assert_eq!(answer.note, None);
    assert!(said.contains("return import_module(name)"), "{said}");
    assert_ne!(answer.fit, Fit::Exact);
    let (answer, said) = told("stork-1.0", PLUGINS, "does stork/plain.py import numpy?");
    assert!(!said.contains("computes"), "{said}");
    assert_eq!(answer.fit, Fit::Exact);
}

#[test]
fn variables_are_read_through_other_names_of_the_environment() {
    let said = |question: &str| told("heron-1.0", SETTINGS, question).1;
    let read = said("which environment variables does src/alias.ts read?");
    assert!(read.contains("HERON_HOME"), "{read}");
    assert!(read.contains("HERON_LEVEL"), "{read}");
    assert!(!read.contains("NOTHING"), "{read}");
    let scoped = said("which environment variables does src/scoped.ts read?");
    assert!(scoped.contains("HERON_ONE"), "{scoped}");
    assert!(!scoped.contains("HERON_TWO"), "{scoped}");
}

#[test]
fn a_variable_that_is_only_removed_is_not_read() {
    let (_, said) = told(
        "heron-1.0",
        SETTINGS,
        "does src/forget.ts read environment variables?",
    );
    assert!(said.starts_with("No."), "{said}");
    let question = "which environment variables does src/model.ts read?";
    let (_, said) = told("heron-1.0", SETTINGS, question);
    assert!(said.contains("HERON_MODEL"), "{said}");
}

#[test]
fn what_takes_the_whole_environment_is_said_to_do_so() {
    let (_, said) = told(
        "heron-1.0",
        SETTINGS,
        "which environment variables does src/start.ts read?",
    );
    let wanted = "reads no environment variable by name; it takes them all at 1 place";
    assert!(said.contains(wanted), "{said}");
}

#[test]
fn foreign_types_implement_a_trait_under_the_names_that_are_written() {
    let (_, said) = told(
        "dipper-1.0",
        TRAIT,
        "which types implement the Connector trait?",
    );
    for name in [
        "3 implementations",
        "`Never`",
        "`native::Connector`",
        "`Arc<tls::Config>`",
    ] {
        assert!(said.contains(name), "{name}: {said}");
    }
}

#[test]
fn the_class_of_a_file_is_meant_without_its_name() {
    for question in [
        "list the methods of the class in lib/bucket.ts",
        "what can I do with a Bucket, which methods?",
    ] {
        let (answer, said) = told("finch-1.0", BUCKET, question);
        assert!(said.contains("has 2 methods"), "{question}: {said}");
        assert!(!said.contains("Logger"), "{question}: {said}");
        assert_eq!(answer.fit, Fit::Exact);
    }
}
