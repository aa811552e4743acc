//! Macros around definitions: `pin_project! { pub struct … }`, `cfg_rt! { pub fn … }`.

use tree_sitter::{Node, Tree};

use crate::lang::tree::Wrapper;

/// Words that a definition begins with.
const BEGINS: [&str; 15] = [
    "pub", "fn", "struct", "enum", "union", "impl", "mod", "use", "type", "trait", "const",
    "static", "unsafe", "extern", "async",
];

/// Nodes in which definitions stand.
const AROUND: [&str; 6] = [
    "source_file",
    "declaration_list",
    "mod_item",
    "impl_item",
    "trait_item",
    "expression_statement",
];

/// Returns the macros whose braces hold what looks like definitions.
pub(super) fn around_definitions(tree: &Tree, text: &str) -> Vec<Wrapper> {
    let mut found = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            if child.kind() == "macro_invocation" {
                found.extend(wrapper(child, text));
            } else if AROUND.contains(&child.kind()) {
                open.push(child);
            }
        }
    }
    found
}

fn wrapper(node: Node<'_>, text: &str) -> Option<Wrapper> {
    let mut cursor = node.walk();
    let mut parts = node.children(&mut cursor);
    let tokens = parts.find(|part| part.kind() == "token_tree")?;
    let mut cursor = tokens.walk();
    let inside: Vec<Node<'_>> = tokens.children(&mut cursor).collect();
    let [opening, inside @ .., closing] = inside.as_slice() else {
        return None;
    };
    let is_definition = opening.kind() == "{" && begins_definition(inside, text);
    is_definition.then(|| Wrapper {
        opening: node.start_byte()..opening.end_byte(),
        closing: closing.byte_range(),
    })
}

/// Whether tokens begin as a definition does, after comments and attributes.
fn begins_definition(tokens: &[Node<'_>], text: &str) -> bool {
    let said = |token: &Node<'_>| text.get(token.byte_range()).unwrap_or_default();
    let is_before = |token: &&Node<'_>| {
        token.kind().ends_with("comment") || said(token) == "#" || said(token).starts_with('[')
    };
    let first = tokens.iter().find(|token| !is_before(token)).map(said);
    let word = first.and_then(|said| said.split(|c: char| !c.is_alphanumeric()).next());
    word.is_some_and(|word| BEGINS.contains(&word))
}

#[cfg(test)]
mod tests {
    use crate::lang::Language;
    use crate::parse::parse_as;

    fn symbols(text: &str) -> Vec<String> {
        let parsed = parse_as(Language::Rust, text);
        let symbols = parsed.symbols.iter();
        symbols
            .map(|it| format!("{} {}", it.name_line.0, it.qualified))
            .collect()
    }

    #[test]
    fn definitions_inside_of_macros_are_read() {
        let text = "pin_project! {\n    /// Doc.\n    #[project = P]\n    pub struct Body<T> {\n        \
                    #[pin]\n        inner: T,\n    }\n}\n\ncfg_rt! {\n    mod time {\n        cfg_net! \
                    { pub fn listen() { poll(); } }\n    }\n}\n\nimpl<T> Body<T> {\n    cfg_rt! {\n        \
                    pub fn spawn(&self) {}\n    }\n}\n";
        let expected = ["4 Body", "11 time", "12 time.listen", "18 Body.spawn"];
        assert_eq!(symbols(text), expected);
    }

    #[test]
    fn text_that_is_not_code_without_its_macro_is_skipped() {
        for text in [
            "quick_error! {\n    pub enum Fault {\n        Io { display(\"no\") }\n    }\n}\nfn run() {}\n",
            "ffi_fn! {\n    fn hyper_new() -> u8 { 1 } ?= 0\n}\nfn run() {}\n",
            "service! { get => run, post => run }\nfn run() {}\n",
            "vec![fn_one, fn_two];\nfn run() {}\n",
        ] {
            let found = symbols(text);
            let [only] = found.as_slice() else {
                panic!("{text}: {found:?}");
            };
            assert!(only.ends_with(" run"), "{text}: {only}");
        }
    }

    #[test]
    fn a_macro_that_breaks_does_not_hide_the_others() {
        let text = "a! { pub fn one() {} }\nb! { pub fn two() -> u8 { 1 } ?= 0 }\nfn three() {}\n";
        assert_eq!(symbols(text), ["1 one", "3 three"]);
    }
}
