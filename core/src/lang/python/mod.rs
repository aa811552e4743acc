//! Python.

mod imports;
mod standard;

use crate::lang::family::{Family, Reach};
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Python",
    extensions: &["py", "pyi", "pyw"],
    file_names: &["SConstruct", "SConscript", "wscript"],
    programs: &["python", "pypy", "pythonw"],
    words: &["python"],
    is_test,
    public: Public::NoUnderscore,
    family: &FAMILY,
    environment: &[
        "environ.get(\"@\"",
        "environ[\"@\"]",
        "environ.pop(\"@\"",
        "environ.setdefault(\"@\"",
        "getenv(\"@\"",
        "\"@\" in os.environ",
    ],
    computed_imports: &[r#"\b(?:__import__|import_module)\s*\(\s*(?:f["']|\w+\s*[^\w\s"'])"#],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "python",
    is_standard: standard::is_standard,
    resolve: imports::resolve,
    facts: Some(|repo, parsed| Box::new(imports::Roots::new(repo, parsed))),
    self_words: &["self", "cls"],
    is_super_an_object: true,
    imports_reach: Reach::FunctionFromLine,
    ..Family::PLAIN
};

fn is_test(stem: &str, _: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || matches!(stem.as_str(), "conftest" | "tests")
}

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_python::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[
        include_str!("bases.scm"),
        include_str!("types.scm"),
        include_str!("variables.scm"),
    ],
    comments: &["comment"],
    attributes: &[],
    wrappers: &["decorated_definition"],
    unsigned: &["decorator", "comment"],
    blocks: &["module", "block", "dictionary", "list", "tuple", "set"],
    separator: "",
    owner: plain_owner,
    import: None,
};
