//! Scala.

use tree_sitter::Node;

use crate::lang::jvm::FAMILY;
use crate::lang::role::is_camel_test;
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};
use crate::lang::{Import, ImportedName};
use crate::lines::{LineRange, Row};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Scala",
    extensions: &["scala", "sc", "sbt", "mill"],
    programs: &["scala", "scala-cli", "amm"],
    words: &["scala"],
    is_test: |stem, extension| is_camel_test(stem, extension) || is_suite(stem),
    public: Public::Without(&["private", "protected"]),
    family: &FAMILY,
    environment: &["System.getenv(\"@\"", "sys.env(\"@\"", "sys.env.get(\"@\""],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_scala::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[
        include_str!("bases.scm"),
        include_str!("types.scm"),
        include_str!("packages.scm"),
    ],
    comments: &["comment", "block_comment"],
    attributes: &[],
    wrappers: &[],
    unsigned: &["annotation", "comment", "block_comment"],
    blocks: &[
        "compilation_unit",
        "template_body",
        "with_template_body",
        "enum_body",
        "block",
        "indented_block",
        "case_block",
        "indented_cases",
    ],
    separator: "",
    owner: plain_owner,
    import: Some(import),
};

/// Whether a file is a ScalaTest suite.
fn is_suite(stem: &str) -> bool {
    let before = stem
        .strip_suffix("Suite")
        .and_then(|rest| rest.chars().last());
    before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit())
}

/// Reads `import a.b.C, d.{E, F => G, H as I}, j._`: a module alone, names of a module, or
/// everything.
fn import(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let written = text.get(node.byte_range()).unwrap_or("").trim();
    let written = written.strip_prefix("import").unwrap_or(written);
    let lines = LineRange::from_rows(
        Row(node.start_position().row as u32),
        Row(node.end_position().row as u32),
    );
    for part in importers(written) {
        let (module, selected) = match part.split_once('{') {
            Some((module, names)) => (module, names.trim_end().trim_end_matches('}')),
            None => match part.rsplit_once('.') {
                Some((module, sign)) if matches!(sign.trim(), "_" | "*" | "given") => (module, "*"),
                _ => (part, ""),
            },
        };
        let (module, alias) = match module.split_once(" as ") {
            Some((module, alias)) => (module, Some(alias.trim().to_string())),
            None => (module, None),
        };
        let module: String = module.split_whitespace().collect();
        let module = module.trim_matches('.').to_string();
        if module.is_empty() {
            continue;
        }
        let mut names: Vec<ImportedName> = selected.split(',').filter_map(selector).collect();
        if alias.is_some() {
            let name = "*".to_string();
            names.push(ImportedName { name, alias });
        }
        out.push(Import {
            module,
            names,
            lines,
        });
    }
}

/// Splits `a.b, c.{d, e}` at the commas outside braces.
fn importers(written: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut is_inside = false;
    for (at, sign) in written.char_indices() {
        match sign {
            '{' => is_inside = true,
            '}' => is_inside = false,
            ',' if !is_inside => {
                parts.extend(written.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(written.get(start..));
    parts
}

/// Reads `F => G`, `H as I`, `_` or `E`; a name hidden by `=> _` is not imported.
fn selector(written: &str) -> Option<ImportedName> {
    let renamed = written
        .split_once("=>")
        .or_else(|| written.split_once(" as "));
    let (name, alias) = match renamed {
        Some((name, alias)) => (name.trim(), Some(alias.trim())),
        None => (written.trim(), None),
    };
    if name.is_empty() || alias == Some("_") {
        return None;
    }
    Some(ImportedName {
        name: if name == "_" { "*" } else { name }.to_string(),
        alias: alias.map(str::to_string),
    })
}
