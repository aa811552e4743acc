//! What the names of tests and their files say about what they test.

use crate::lang::{Symbol, SymbolKind};

/// Whether a function in a test file is a test by its name.
pub(super) fn looks_like_test(symbol: &Symbol) -> bool {
    let name = symbol.name.to_lowercase();
    name.contains("test") || symbol.kind == SymbolKind::Function || name.starts_with("should")
}

/// Whether `name` contains `wanted` as whole words.
pub(super) fn holds(name: &str, wanted: &str) -> bool {
    let name = format!("_{name}_");
    name.contains(&format!("_{wanted}_"))
}

/// Converts a name to snake case: `UserStore2` and `user-store2` → `user_store2`.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut last = '_';
    for sign in name.chars() {
        if !sign.is_alphanumeric() {
            if last != '_' {
                out.push('_');
            }
            last = '_';
            continue;
        }
        if sign.is_uppercase() && (last.is_lowercase() || last.is_ascii_digit()) {
            out.push('_');
        }
        out.extend(sign.to_lowercase());
        last = sign;
    }
    out.trim_matches('_').to_owned()
}

pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.')
        .find(|part| !part.is_empty())
        .unwrap_or(name)
}

/// Whether a file is named after `wanted`: `test_utils.py`, `utils.test.js`, `UtilsTest.java` for
/// `utils`.
pub(super) fn is_named_after(path: &str, wanted: &str) -> bool {
    let stem = snake(stem(path));
    let own = ["test_", "tests_"]
        .iter()
        .find_map(|start| stem.strip_prefix(start));
    let own = own.or_else(|| {
        let ends = ["_test", "_tests", "_spec", "_test_case", "_it"];
        ends.iter().find_map(|end| stem.strip_suffix(end))
    });
    own.unwrap_or(&stem) == wanted
        && !wanted.is_empty()
        && !matches!(wanted, "mod" | "init" | "index")
}
