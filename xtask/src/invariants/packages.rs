//! What core depends on: no browser, no async runtime, no network.

use super::violation::Violation;

const FORBIDDEN: [&str; 8] = [
    "gloo", "hyper", "js-sys", "leptos", "reqwest", "tokio", "ureq", "web-sys",
];

/// Checks the dependencies; `tree` is what `cargo tree --prefix none` prints for core.
pub fn check(tree: &str) -> Vec<Violation> {
    let packages: Vec<&str> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    let found = FORBIDDEN.iter().filter(|name| packages.contains(name));
    found
        .map(|name| Violation {
            place: "core/Cargo.toml".to_owned(),
            what: format!("core depends on {name}"),
            why: "core must know no browser, async runtime or network".to_owned(),
            remedy: format!(
                "see who needs it with `cargo tree -p footnote-core --features gpu -i {name}`"
            ),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_crate_below_core_is_reported() {
        let clean = "footnote-core v0.1.0 (/src/core)\nserde v1.0\njs-sys-like v1.0\n";
        assert_eq!(check(clean), []);
        let found = check(&format!("{clean}js-sys v0.3.1 (*)\n"));
        assert_eq!(found[0].what, "core depends on js-sys");
    }
}
