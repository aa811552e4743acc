//! What Footnote knows about each language: its files, grammar, queries, imports, manifests,
//! highlighting.
//!
//! A language is one folder and one line in the list below; [`spec`] says how to add one.

mod bash;
mod c;
mod cpp;
mod csharp;
mod dart;
mod ecmascript;
mod elixir;
mod go;
mod java;
mod javascript;
mod jvm;
mod kotlin;
mod lua;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod swift;
mod typescript;
mod zig;

mod detect;
pub(crate) mod family;
pub mod highlight;
pub mod manifest;
pub(crate) mod resolve;
mod role;
pub(crate) mod spec;
mod syntax;
pub(crate) mod text;
pub(crate) mod tree;

pub use role::Role;
pub use syntax::{
    Base, Break, Call, Import, ImportedName, Parsed, Problem, Symbol, SymbolId, SymbolKind, Typed,
};

/// Generates [`Language`] and its tables from one list.
macro_rules! languages {
    (code { $($code:ident = $code_number:literal => $code_spec:path,)* }
     text { $($text:ident = $text_number:literal => $text_spec:path,)* }) => {
        /// A language or text format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Language {
            $(#[doc = concat!("See `", stringify!($code_spec), "`.")] $code,)*
            $(#[doc = concat!("See `", stringify!($text_spec), "`.")] $text,)*
        }

        impl Language {
            /// The languages that are parsed with a tree-sitter grammar.
            pub const ALL_CODE: [Language; [$(Language::$code,)*].len()] = [$(Language::$code,)*];

            /// All languages and text formats.
            pub const ALL: &[Language] = &[$(Language::$code,)* $(Language::$text,)*];

            /// Returns what is known about it.
            pub(crate) fn spec(self) -> &'static spec::LanguageSpec {
                match self {
                    $(Language::$code => &$code_spec,)*
                    $(Language::$text => &$text_spec,)*
                }
            }

            /// Returns its number in saved indexes.
            pub(crate) fn number(self) -> u8 {
                match self {
                    $(Language::$code => $code_number,)*
                    $(Language::$text => $text_number,)*
                }
            }
        }
    };
}

// Each language with its number in saved indexes, which is never reused.
languages! {
    code {
        Python = 0 => python::SPEC,
        JavaScript = 1 => javascript::SPEC,
        TypeScript = 2 => typescript::TYPESCRIPT,
        Tsx = 3 => typescript::TSX,
        Rust = 4 => rust::SPEC,
        Go = 5 => go::SPEC,
        Java = 6 => java::SPEC,
        C = 7 => c::SPEC,
        Cpp = 8 => cpp::SPEC,
        CSharp = 9 => csharp::SPEC,
        Ruby = 10 => ruby::SPEC,
        Php = 11 => php::SPEC,
        Kotlin = 12 => kotlin::SPEC,
        Swift = 13 => swift::SPEC,
        Scala = 14 => scala::SPEC,
        Bash = 15 => bash::SPEC,
        Lua = 23 => lua::SPEC,
        Zig = 24 => zig::SPEC,
        Elixir = 25 => elixir::SPEC,
        Dart = 26 => dart::SPEC,
    }
    text {
        Markdown = 16 => text::MARKDOWN,
        Rst = 17 => text::RST,
        Toml = 18 => text::TOML,
        Yaml = 19 => text::YAML,
        Json = 20 => text::JSON,
        Ini = 21 => text::INI,
        Text = 22 => text::TEXT,
    }
}

impl Language {
    /// Returns the name that people use for it.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Whether it is a programming language rather than a text or data format.
    pub fn is_code(self) -> bool {
        self.syntax().is_some()
    }

    /// Returns the language with this number in saved indexes.
    pub(crate) fn of_number(number: u8) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|language| language.number() == number)
    }

    /// Returns the language that a question's word, in lower case, names.
    pub(crate) fn named(word: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|language| language.spec().words.contains(&word))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Language;

    #[test]
    fn no_two_languages_share_a_number_an_extension_a_file_name_or_a_word() {
        let mut seen = BTreeSet::new();
        for language in Language::ALL {
            let spec = language.spec();
            let names = [spec.extensions, spec.file_names, spec.programs, spec.words];
            for (kind, names) in names.iter().enumerate() {
                for name in *names {
                    assert!(seen.insert(format!("{kind} {name}")), "{name} twice");
                }
            }
            assert!(
                seen.insert(format!("number {}", language.number())),
                "{language:?}"
            );
            assert_eq!(Language::of_number(language.number()), Some(*language));
        }
    }
}
