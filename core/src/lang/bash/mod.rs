//! Bash and other POSIX shells.

mod imports;

use crate::lang::family::Family;
use crate::lang::spec::{LanguageSpec, Reader, Syntax, grammar, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Bash",
    extensions: &["sh", "bash", "zsh", "ksh", "bats", "ebuild"],
    file_names: &[
        ".bashrc",
        ".bash_profile",
        ".bash_aliases",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".envrc",
        "PKGBUILD",
    ],
    programs: &["sh", "bash", "zsh", "ksh", "dash", "ash", "bats"],
    is_test,
    family: &FAMILY,
    environment: &["${@:-", "${@:=", "${@:?", "${@:+", "${@-"],
    raises: &[],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "bash",
    resolve: imports::resolve,
    sees_everything: true,
    ..Family::PLAIN
};

fn is_test(stem: &str, extension: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    extension == "bats" || stem.starts_with("test_") || stem.ends_with("_test")
}

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_bash::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[],
    comments: &["comment"],
    attributes: &[],
    wrappers: &[],
    unsigned: &["comment"],
    blocks: &[
        "program",
        "compound_statement",
        "subshell",
        "do_group",
        "if_statement",
        "elif_clause",
        "else_clause",
        "case_statement",
        "case_item",
        "array",
    ],
    separator: "",
    owner: plain_owner,
    import: None,
};
