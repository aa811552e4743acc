//! Ruby.

mod imports;

use crate::lang::family::Family;
use crate::lang::spec::{LanguageSpec, Reader, Syntax, grammar, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Ruby",
    extensions: &["rb", "rake", "gemspec", "podspec", "ru", "rbi"],
    file_names: &[
        "Gemfile",
        "Rakefile",
        "Guardfile",
        "Vagrantfile",
        "Podfile",
        "Brewfile",
        "Fastfile",
        "Capfile",
        "Thorfile",
        "Dangerfile",
        ".pryrc",
        ".irbrc",
    ],
    programs: &["ruby", "jruby", "rake"],
    words: &["ruby"],
    is_test,
    family: &FAMILY,
    environment: &["ENV[\"@\"]", "ENV.fetch(\"@\""],
    computed_imports: &[r"(?m)^\s*(?:require|require_relative|load)[ (]+[a-z@_]"],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "ruby",
    resolve: imports::resolve,
    self_words: &["self", "self.class"],
    has_implicit_self: true,
    sees_everything: true,
    has_members_elsewhere: true,
    calls_methods_bare: true,
    ..Family::PLAIN
};

fn is_test(stem: &str, _: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    stem.ends_with("_spec") || stem.ends_with("_test") || stem.starts_with("test_")
}

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_ruby::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[include_str!("bases.scm"), include_str!("variables.scm")],
    comments: &["comment"],
    attributes: &[],
    wrappers: &[],
    unsigned: &["comment"],
    blocks: &[
        "program",
        "body_statement",
        "block_body",
        "then",
        "else",
        "ensure",
        "do",
        "begin",
        "case",
        "hash",
        "array",
        "argument_list",
    ],
    separator: "::",
    owner: plain_owner,
    import: None,
};
