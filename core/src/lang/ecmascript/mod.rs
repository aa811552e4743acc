//! What JavaScript and TypeScript share.

mod exports;
mod imports;
mod standard;

use crate::lang::family::Family;
use crate::lang::spec::{self, plain_owner};

pub(super) const SYMBOLS: &str = include_str!("symbols.scm");
pub(super) const IMPORTS: &str = include_str!("imports.scm");
pub(super) const CALLS: &str = include_str!("calls.scm");
pub(super) const VARIABLES: &str = include_str!("variables.scm");
pub(super) const JSX_CALLS: &str = include_str!("jsx.scm");

pub(super) const ENVIRONMENT: &[&str] = &[
    "process.env.@",
    "process.env[\"@\"]",
    "{@} = process.env",
    "import.meta.env.@",
    "Deno.env.get(\"@\"",
];

/// An argument that is no string, or a string with a value in it.
pub(super) const COMPUTED_IMPORTS: &[&str] = &[
    r#"\b(?:require|import)\s*\(\s*(?:/\*.*?\*/\s*)*[^\s"'`)/*]"#,
    r"\b(?:require|import)\s*\(\s*`[^`]*\$\{",
];

/// Ways to raise besides `throw`: rejecting a promise, or making an error on demand.
pub(super) const RAISES: &[&str] = &[
    spec::RAISES,
    r"\breject\(\s*new\s+([A-Z]\w*)",
    r"\.error\(\s*new\s+([A-Z]\w*)",
    r"=>\s*new\s+([A-Z]\w*Error)\b",
    r"(?:\.error\(|\breject\(|\bthrow\b)[^\n;]*?\?\s*new\s+([A-Z]\w*)",
    r"(?:\.error\(|\breject\(|\bthrow\b)[^\n;]*?\?[^\n;]*?:\s*new\s+([A-Z]\w*)",
];

pub(super) static FAMILY: Family = Family {
    name: "ecmascript",
    globals: "JSON Math Object Array String Number Boolean Promise Reflect Symbol Date RegExp Error Map \
              Set WeakMap WeakSet Intl console process Buffer globalThis window document navigator \
              performance BigInt Function Proxy Atomics ArrayBuffer Uint8Array",
    is_standard: standard::is_standard,
    resolve: imports::resolve,
    facts: Some(|repo, _| Box::new(imports::Projects::new(repo))),
    stores_functions: true,
    whole: Some(exports::whole),
    ..Family::PLAIN
};

pub(super) fn is_test(stem: &str, _: &str) -> bool {
    const ENDS: [&str; 7] = [".test", ".spec", ".cy", ".e2e", "-test", "_test", ".test-d"];
    let stem = stem.to_ascii_lowercase();
    ENDS.iter().any(|end| stem.ends_with(end))
}

/// Removes from an owner what only says where it is stored: `exports`, `module`, `this`,
/// `prototype`.
pub(super) fn owner(written: &str) -> String {
    const STORES: [&str; 7] = [
        "exports",
        "module",
        "this",
        "prototype",
        "window",
        "globalThis",
        "self",
    ];
    plain_owner(written)
        .split('.')
        .filter(|part| !part.is_empty() && !STORES.contains(part))
        .collect::<Vec<_>>()
        .join(".")
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn owners_lose_the_places_that_only_store_them() {
        for (written, clean) in [
            ("exports", ""),
            ("module.exports", ""),
            ("this", ""),
            ("Store.prototype", "Store"),
            ("app", "app"),
            ("a.b", "a.b"),
        ] {
            assert_eq!(owner(written), clean, "{written}");
        }
    }
}
