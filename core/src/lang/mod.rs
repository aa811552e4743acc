//! What Footnote knows about each language: extensions, grammar, queries, roles of files.
//!
//! Adding a code language is one file here, one `queries/` folder, one fixture; [`spec`] says how.

mod bash;
mod c;
mod cpp;
mod csharp;
mod go;
mod java;
mod javascript;
mod kotlin;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
pub(crate) mod spec;
mod swift;
mod syntax;
pub(crate) mod text;
pub(crate) mod tree;
mod typescript;

mod detect;
pub mod highlight;
pub mod manifest;
mod role;

pub use role::Role;
pub use syntax::{Break, Call, Import, ImportedName, Parsed, Problem, Symbol, SymbolKind};

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
    /// The languages that are parsed with a tree-sitter grammar.
    pub const ALL_CODE: [Language; 16] = [
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Tsx,
        Language::Rust,
        Language::Go,
        Language::Java,
        Language::C,
        Language::Cpp,
        Language::CSharp,
        Language::Ruby,
        Language::Php,
        Language::Kotlin,
        Language::Swift,
        Language::Scala,
        Language::Bash,
    ];

    /// The name that people use for it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Python => "Python",
            Language::JavaScript => "JavaScript",
            Language::TypeScript => "TypeScript",
            Language::Tsx => "TSX",
            Language::Rust => "Rust",
            Language::Go => "Go",
            Language::Java => "Java",
            Language::C => "C",
            Language::Cpp => "C++",
            Language::CSharp => "C#",
            Language::Ruby => "Ruby",
            Language::Php => "PHP",
            Language::Kotlin => "Kotlin",
            Language::Swift => "Swift",
            Language::Scala => "Scala",
            Language::Bash => "Bash",
            Language::Markdown => "Markdown",
            Language::Rst => "reStructuredText",
            Language::Toml => "TOML",
            Language::Yaml => "YAML",
            Language::Json => "JSON",
            Language::Ini => "INI",
            Language::Text => "Text",
        }
    }

    /// Whether it is a programming language rather than a text or data format.
    pub fn is_code(self) -> bool {
        Self::ALL_CODE.contains(&self)
    }
}
