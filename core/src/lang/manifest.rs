//! Facts that manifests state about a project, with the lines that state them: the extractive
//! answer cites them for "which version", "what licence", "what does it depend on".

mod go;
mod maven;
mod python;
mod scan;
mod tables;
#[cfg(test)]
mod tests;

use crate::lines::{LineIndex, LineRange};

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactKind {
    /// The project's name.
    Name,
    /// The project's version.
    Version,
    /// The project's description of itself, one line.
    Description,
    /// As written, a name or an SPDX expression.
    License,
    /// A person, with an address if one is given.
    Author,
    /// Home page, repository, documentation.
    Url,
    /// The required language version: `Python >=3.9`, `Node >= 18`, `Rust 1.85`.
    RequiresLanguage,
    /// Needed at run time: name and version as written.
    Dependency,
    /// Needed only with an extra or feature; the extra follows in brackets.
    OptionalDependency,
    /// To be installed beside it by whoever uses it: name and version as written.
    PeerDependency,
    /// Needed to develop or test it.
    DevDependency,
    /// Needed to build it.
    BuildDependency,
    /// Needed only by its dependencies.
    TransitiveDependency,
    /// The tool that builds it: `flit_core.buildapi`.
    BuildSystem,
    /// A task that can be run: `test: node --test`.
    Script,
    /// What a user runs or imports: `tern = tern.cli:main`.
    EntryPoint,
    /// A feature of a crate and what it switches on: `json = serde_json`.
    Feature,
}

impl FactKind {
    /// Returns the words that a statement uses for it.
    pub fn label(self) -> &'static str {
        match self {
            FactKind::Name => "name",
            FactKind::Version => "version",
            FactKind::Description => "description",
            FactKind::License => "licence",
            FactKind::Author => "author",
            FactKind::Url => "address",
            FactKind::RequiresLanguage => "required language version",
            FactKind::Dependency => "dependency",
            FactKind::OptionalDependency => "optional dependency",
            FactKind::PeerDependency => "peer dependency",
            FactKind::DevDependency => "development dependency",
            FactKind::BuildDependency => "build dependency",
            FactKind::TransitiveDependency => "transitive dependency",
            FactKind::BuildSystem => "build system",
            FactKind::Script => "script",
            FactKind::EntryPoint => "entry point",
            FactKind::Feature => "feature",
        }
    }
}

/// One thing that a manifest states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub what: FactKind,
    /// One line, without quotes.
    pub value: String,
    /// The lines that state it.
    pub lines: LineRange,
}

/// Returns the facts in a manifest, in line order; empty if the file is not a known manifest.
pub fn facts(path: &str, text: &str) -> Vec<Fact> {
    let Some(read) = reader(path) else {
        return Vec::new();
    };
    let mut found = Found::new(text);
    read(&mut found);
    let mut facts = without_classified(found);
    if is_for_developers(path) {
        let needed = facts
            .iter_mut()
            .filter(|fact| fact.what == FactKind::Dependency);
        needed.for_each(|fact| fact.what = FactKind::DevDependency);
    }
    facts.sort_by_key(|fact| fact.lines);
    facts
}

/// Whether a list of requirements is for those who work on the project: `requirements-dev.txt`.
fn is_for_developers(path: &str) -> bool {
    const FOR: [&str; 7] = ["dev", "develop", "test", "doc", "lint", "typing", "ci"];
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    name.starts_with("requirements") && words.any(|word| FOR.contains(&word.trim_end_matches('s')))
}

/// Whether a file of this name may state facts.
pub fn is_read(path: &str) -> bool {
    reader(path).is_some()
}

/// What reads the facts of a file, by its name.
fn reader(path: &str) -> Option<fn(&mut Found<'_>)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let read: fn(&mut Found<'_>) = match name.to_ascii_lowercase().as_str() {
        "pyproject.toml" => python::pyproject,
        "setup.cfg" => python::setup_cfg,
        "setup.py" => python::setup_py,
        "pkg-info" | "metadata" => python::metadata,
        "package.json" => tables::package_json,
        "composer.json" => tables::composer_json,
        "cargo.toml" => tables::cargo,
        "go.mod" => go::module,
        "pom.xml" => maven::pom,
        lower if lower.starts_with("requirements") && lower.ends_with(".txt") => {
            python::requirements
        }
        _ => return None,
    };
    Some(read)
}

/// Drops licences that classifiers name if the manifest also states one by itself.
fn without_classified(found: Found<'_>) -> Vec<Fact> {
    let rows: Vec<&str> = found.text.lines().collect();
    let is_classified = |fact: &Fact| {
        let row = rows.get(fact.lines.start().0.saturating_sub(1) as usize);
        fact.what == FactKind::License && row.is_some_and(|row| row.contains("License :: "))
    };
    let mut facts = found.facts;
    let is_stated = |fact: &Fact| fact.what == FactKind::License && !is_classified(fact);
    if facts.iter().any(is_stated) {
        facts.retain(|fact| !is_classified(fact));
    }
    facts
}

/// The facts found so far in a text.
struct Found<'t> {
    text: &'t str,
    index: LineIndex,
    facts: Vec<Fact>,
}

impl<'t> Found<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            index: LineIndex::new(text),
            facts: Vec::new(),
        }
    }

    /// Adds a fact on `lines`, unless it has no value.
    fn add(&mut self, what: FactKind, value: &str, lines: LineRange) {
        let value: Vec<&str> = value.split_whitespace().collect();
        if !value.is_empty() {
            self.facts.push(Fact {
                what,
                value: value.join(" "),
                lines,
            });
        }
    }

    /// Adds a fact on the line of byte `at`.
    fn add_at(&mut self, what: FactKind, value: &str, at: usize) {
        let line = self.index.line_of(at);
        self.add(what, value, LineRange::new(line, line));
    }
}
