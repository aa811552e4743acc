//! Go.

mod imports;

use crate::lang::family::Family;
use crate::lang::resolve::names::folder;
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Go",
    extensions: &["go"],
    words: &["golang"],
    is_test: |stem, _| stem.to_ascii_lowercase().ends_with("_test"),
    public: Public::Capital,
    family: &FAMILY,
    environment: &["os.Getenv(\"@\"", "os.LookupEnv(\"@\""],
    raises: &[
        r"\b(panic)\(",
        r"\b(errors\.New|fmt\.Errorf)\(",
        r"\breturn\b[^\n]*\b(Err[A-Z]\w*)",
    ],
    panics: &["panic"],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "go",
    is_standard: |library| !library.split('/').next().unwrap_or_default().contains('.'),
    resolve: imports::resolve,
    local_name,
    packages: |path, _| vec![folder(path).to_owned()],
    facts: Some(|repo, _| Box::new(imports::Modules::new(repo))),
    has_members_elsewhere: true,
    ..Family::PLAIN
};

/// Returns the last part of an import path that is not a major version, up to its first dot.
fn local_name(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let digits = last.strip_prefix('v');
    let is_version = digits.is_some_and(|digits| digits.parse::<u32>().is_ok());
    let name = if is_version {
        parts.next().unwrap_or(last)
    } else {
        last
    };
    name.split('.').next().unwrap_or(name)
}

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_go::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[include_str!("types.scm"), include_str!("variables.scm")],
    comments: &["comment"],
    attributes: &[],
    wrappers: &["type_declaration", "const_declaration", "var_declaration"],
    unsigned: &["comment"],
    blocks: &[
        "source_file",
        "statement_list",
        "expression_switch_statement",
        "type_switch_statement",
        "select_statement",
        "literal_value",
        "field_declaration_list",
        "interface_type",
        "type_declaration",
        "const_declaration",
        "var_spec_list",
        "import_spec_list",
    ],
    separator: "",
    owner: plain_owner,
    import: None,
};
