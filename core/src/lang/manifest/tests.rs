#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use proptest::prelude::*;

use super::facts;
use crate::lines::LineIndex;

/// Returns one fact per row: `[lines] What value`.
fn shown(path: &str, text: &str) -> String {
    let shown: Vec<String> = facts(path, text)
        .iter()
        .map(|fact| format!("[{}] {:?} {}", fact.lines, fact.what, fact.value))
        .collect();
    shown.join("\n")
}

fn check(path: &str, text: &str, wanted: &[&str]) {
    assert_eq!(shown(path, text), wanted.join("\n"), "{path}");
}

fn fixture(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/formats");
    std::fs::read_to_string(root.join(name)).unwrap()
}

#[test]
fn pyproject_states_pep_621_facts_with_the_line_of_each() {
    check(
        "pyproject.toml",
        &fixture("pyproject.toml"),
        &[
            "[3] BuildDependency flit_core>=3.11",
            "[4] BuildSystem flit_core.buildapi",
            "[7] Name tern",
            "[8] Version 1.4.0",
            "[9] Description A small HTTP client",
            "[10] License MIT",
            "[12] RequiresLanguage Python >=3.9",
            "[13] Author A. Writer",
            "[15] Dependency certifi>=2017.4.17",
            "[17] Dependency idna>=2.5,<4",
            "[18] Dependency urllib3[brotli]>=1.21.1 ; python_version > '3.8'",
            "[25] OptionalDependency PySocks>=1.5.6, !=1.5.7 (socks)",
            "[28] Url https://example.org",
            "[31] EntryPoint tern = tern.cli:main",
        ],
    );
}

#[test]
fn poetry_states_its_facts_in_its_own_tables() {
    let text = "[tool.poetry]\nname = \"tern\"\nversion = \"2\"\nlicense = 'MIT'\n\n[tool.poetry.dependencies]\npython = \"^3.9\"\nidna = \"^3\"\nsocks = { version = \"1.5\", optional = true }\n\n[tool.poetry.group.dev.dependencies]\npytest = \"*\"\n";
    check(
        "a/pyproject.toml",
        text,
        &[
            "[2] Name tern",
            "[3] Version 2",
            "[4] License MIT",
            "[7] RequiresLanguage Python ^3.9",
            "[8] Dependency idna ^3",
            "[9] OptionalDependency socks 1.5",
            "[12] DevDependency pytest *",
        ],
    );
}

#[test]
fn setup_cfg_states_what_it_does_not_read_from_elsewhere() {
    check(
        "setup.cfg",
        &fixture("setup.cfg"),
        &[
            "[3] Name tern",
            "[5] Description A small HTTP client",
            "[6] License MIT",
            "[7] Url https://example.org",
            "[12] RequiresLanguage Python >=3.9",
            "[14] Dependency certifi>=2017.4.17",
            "[15] Dependency idna>=2.5,<4",
            "[19] OptionalDependency PySocks>=1.5.6 (socks)",
            "[23] EntryPoint tern = tern.cli:main",
        ],
    );
}

#[test]
fn setup_py_states_literals_and_named_lists() {
    let text = "\
from setuptools import setup

requires = [
    \"idna>=2.5,<4\",  # names
    'certifi>=2017',
]
name_of_other = 'x'

setup(
    name=\"tern\",
    version=about[\"__version__\"],
    description='A small, \"quick\" client',
    license=\"Apache-2.0\",
    python_requires=\">=3.8\",
    install_requires=requires,
    extras_require={\"socks\": [\"PySocks>=1.5.6\"]},
    entry_points={
        \"console_scripts\": [\"tern = tern.cli:main\"],
    },
)
";
    check(
        "setup.py",
        text,
        &[
            "[4] Dependency idna>=2.5,<4",
            "[5] Dependency certifi>=2017",
            "[10] Name tern",
            "[12] Description A small, \"quick\" client",
            "[13] License Apache-2.0",
            "[14] RequiresLanguage Python >=3.8",
            "[16] OptionalDependency PySocks>=1.5.6",
            "[18] EntryPoint tern = tern.cli:main",
        ],
    );
}

#[test]
fn package_metadata_ends_with_its_header() {
    let text = "Metadata-Version: 2.1\nName: tern\nVersion: 1.0\nSummary: A client\nLicense: MIT\nRequires-Python: >=3.8\nRequires-Dist: idna<4,>=2.5\nRequires-Dist: PySocks; extra == \"socks\"\n\nName: not a field\n";
    let wanted = [
        "[2] Name tern",
        "[3] Version 1.0",
        "[4] Description A client",
        "[5] License MIT",
        "[6] RequiresLanguage Python >=3.8",
        "[7] Dependency idna<4,>=2.5",
        "[8] OptionalDependency PySocks; extra == \"socks\"",
    ];
    check("tern.egg-info/PKG-INFO", text, &wanted);
    check("tern-1.0.dist-info/METADATA", text, &wanted);
}

#[test]
fn package_json_states_scripts_engines_and_dependencies() {
    check(
        "package.json",
        &fixture("package.json"),
        &[
            "[2] Name tern",
            "[3] Version 2.0.1",
            "[4] Description A small HTTP client",
            "[5] License MIT",
            "[6] Author A. Writer <writer@example.org>",
            "[7] EntryPoint ./lib/index.js",
            "[8] EntryPoint tern = bin/tern.js",
            "[9] RequiresLanguage Node >= 18",
            "[11] Script test: node --test",
            "[12] Script lint: eslint .",
            "[15] Dependency debug ^4.4.0",
            "[16] Dependency http-errors ~2.0.0",
            "[19] DevDependency eslint 9.1.0",
        ],
    );
}

#[test]
fn cargo_toml_states_dependencies_in_every_form() {
    let text = "\
[package]
name = \"tern\"
version = \"0.3.0\"
license = \"MIT OR Apache-2.0\"
rust-version = \"1.85\"

[dependencies]
serde = { version = \"1\", features = [\"derive\"] }
libc = \"0.2\" # for errno
rayon = { version = \"1.10\", optional = true }
tern-core.workspace = true

[dependencies.url]
version = \"2\"

[target.'cfg(unix)'.dependencies]
nix = \"0.29\"

[dev-dependencies]
proptest = \"1\"

[build-dependencies]
cc = \"1\"

[features]
default = []

[[bin]]
name = \"tern\"
";
    check(
        "Cargo.toml",
        text,
        &[
            "[2] Name tern",
            "[3] Version 0.3.0",
            "[4] License MIT OR Apache-2.0",
            "[5] RequiresLanguage Rust 1.85",
            "[8] Dependency serde 1",
            "[9] Dependency libc 0.2",
            "[10] OptionalDependency rayon 1.10",
            "[11] Dependency tern-core",
            "[14] Dependency url 2",
            "[17] Dependency nix 0.29",
            "[20] DevDependency proptest 1",
            "[23] BuildDependency cc 1",
            "[26] Feature default",
            "[29] EntryPoint tern",
        ],
    );
}

#[test]
fn go_mod_distinguishes_direct_from_indirect_requirements() {
    let text = "module example.org/tern/v2 // import path\n\ngo 1.22\n\nrequire golang.org/x/net v0.30.0\n\nrequire (\n\tgithub.com/a/b v1.2.3\n\tgithub.com/c/d v0.1.0 // indirect\n)\n\nreplace github.com/a/b => ../b\n";
    check(
        "go.mod",
        text,
        &[
            "[1] Name example.org/tern/v2",
            "[3] RequiresLanguage Go 1.22",
            "[5] Dependency golang.org/x/net v0.30.0",
            "[8] Dependency github.com/a/b v1.2.3",
            "[9] TransitiveDependency github.com/c/d v0.1.0",
        ],
    );
}

#[test]
fn pom_states_the_projects_own_coordinates_and_dependencies() {
    let text = "\
<?xml version=\"1.0\"?>
<project xmlns=\"http://maven.apache.org/POM/4.0.0\">
  <parent>
    <artifactId>parent</artifactId>
    <version>9</version>
  </parent>
  <!-- <artifactId>old</artifactId> -->
  <artifactId>tern</artifactId>
  <version>1.2</version>
  <description>A small
    client</description>
  <licenses><license><name>MIT</name></license></licenses>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-api</artifactId>
      <version>2.0.16</version>
      <exclusions><exclusion><artifactId>x</artifactId></exclusion></exclusions>
    </dependency>
    <dependency><groupId>org.junit</groupId><artifactId>junit</artifactId><scope>test</scope></dependency>
  </dependencies>
</project>
";
    check(
        "pom.xml",
        text,
        &[
            "[8] Name tern",
            "[9] Version 1.2",
            "[10] Description A small client",
            "[12] License MIT",
            "[14] RequiresLanguage Java 17",
            "[17-22] Dependency org.slf4j:slf4j-api 2.0.16",
            "[23] DevDependency org.junit:junit",
        ],
    );
}

#[test]
fn requirements_and_composer_files_state_dependencies() {
    check(
        "requirements-dev.txt",
        "# tools\n-r base.txt\npytest>=8  # tests\n\n",
        &["[3] DevDependency pytest>=8"],
    );
    check(
        "composer.json",
        "{\n\"name\": \"acme/shop\",\n\"require\": {\"php\": \"^8.2\",\n\"psr/log\": \"^3\"}}",
        &[
            "[2] Name acme/shop",
            "[3] RequiresLanguage PHP ^8.2",
            "[4] Dependency psr/log ^3",
        ],
    );
    check("notes.txt", "name = 1", &[]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn facts_of_any_text_stay_inside_it(
        path in prop::sample::select(vec![
            "pyproject.toml", "setup.cfg", "setup.py", "PKG-INFO", "package.json", "composer.json",
            "Cargo.toml", "go.mod", "pom.xml", "requirements.txt",
        ]),
        text in "\\PC{0,80}|(setup\\(|name|version|=|\"|'|\\[|\\]|\\{|\\}|,|:|#|\n|<|>|/|project|dependencies|require |\\(|\\)|é| ){0,60}",
    ) {
        let all = LineIndex::new(&text).all();
        for fact in facts(path, &text) {
            prop_assert!(all.encloses(fact.lines) && !fact.value.is_empty(), "{:?}", fact);
        }
    }
}
