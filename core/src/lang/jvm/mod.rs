//! What Java, Kotlin and Scala share.

mod imports;

use crate::lang::family::Family;

/// Lines at the top of a file in which its package is looked for.
const PACKAGE_LINES: usize = 400;

pub(super) static FAMILY: Family = Family {
    name: "jvm",
    resolve: imports::resolve,
    packages: |_, text| vec![declared_package(text)],
    has_implicit_self: true,
    imports_classes: true,
    ..Family::PLAIN
};

/// The package clause of a file; Scala chains several.
fn declared_package(text: &str) -> String {
    let mut parts = Vec::new();
    for line in text.lines().take(PACKAGE_LINES) {
        match line.trim_start().strip_prefix("package ") {
            Some(name) if !name.trim_start().starts_with("object ") => {
                parts.push(name.split([';', '/', '{', ':']).next().unwrap_or("").trim());
            }
            // After the last clause comes something else.
            _ if parts.is_empty() || line.trim().is_empty() => {}
            _ => break,
        }
    }
    parts.join(".")
}
