//! What Footnote knows about each language: extensions, grammar, queries, roles of files.

/// A language or text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Python,
    JavaScript,
    TypeScript,
    Tsx,
    Rust,
    Go,
    Java,
    C,
    Cpp,
    CSharp,
    Ruby,
    Php,
    Kotlin,
    Swift,
    Scala,
    Bash,
    Markdown,
    Rst,
    Toml,
    Yaml,
    Json,
    Ini,
    /// Any other text.
    Text,
}

impl Language {
    /// The language of a file, by name, extension and, for scripts without one, its first line.
    pub fn detect(_path: &str, _text: &str) -> Self {
        Language::Text
    }
}

/// What a file is for, by its path; ranking and the extractive answer treat them differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Source,
    Test,
    Docs,
    Example,
    /// pyproject.toml, setup.cfg, package.json, Cargo.toml, go.mod, pom.xml …
    Manifest,
    Config,
}
