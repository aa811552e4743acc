//! The crates that the page's programs are made of, as cargo knows them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::paths;

/// The package that all programs of the page are built from.
const PAGE: &str = "footnote-app";
const TARGET: &str = "wasm32-unknown-unknown";

/// One crate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    pub name: String,
    pub version: String,
    /// As an SPDX expression; older crates write `MIT/Apache-2.0`, which is made into one.
    pub licence: String,
    pub authors: Vec<String>,
    pub repository: Option<String>,
    /// SHA-256 of the published crate; none of the workspace's own.
    pub checksum: Option<String>,
    /// Where its files are.
    pub folder: PathBuf,
}

/// All that the page's programs depend on, procedural macros too, by name and version.
pub fn of_page() -> Result<Vec<Package>, String> {
    let metadata = metadata()?;
    let lock = paths::root().join("Cargo.lock");
    let lock =
        std::fs::read_to_string(&lock).map_err(|error| format!("{error}: {}", lock.display()))?;
    let checksums = checksums(&lock);
    let mut packages = Vec::new();
    let wanted = reached(&metadata);
    for package in metadata["packages"].as_array().into_iter().flatten() {
        if wanted.contains(text(package, "id")) {
            packages.push(read(package, &checksums)?);
        }
    }
    packages.sort();
    Ok(packages)
}

fn metadata() -> Result<Value, String> {
    let output = Command::new("cargo")
        .current_dir(paths::root())
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(["--filter-platform", TARGET])
        .output()
        .map_err(|error| format!("cargo metadata could not be started: {error}"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo metadata failed: {}", why.trim()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// The ids of what the page depends on, beside tests and build scripts.
fn reached(metadata: &Value) -> BTreeSet<&str> {
    let nodes = metadata["resolve"]["nodes"].as_array();
    let nodes: BTreeMap<&str, &Value> = nodes
        .into_iter()
        .flatten()
        .map(|node| (text(node, "id"), node))
        .collect();
    let all = metadata["packages"].as_array().into_iter().flatten();
    let page = all.filter(|it| text(it, "name") == PAGE);
    let mut waiting: Vec<&str> = page.map(|it| text(it, "id")).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !found.insert(id) {
            continue;
        }
        let node = nodes.get(id).and_then(|node| node["deps"].as_array());
        for dependency in node.into_iter().flatten() {
            let kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
            if kinds.into_iter().any(|kind| kind["kind"].is_null()) {
                waiting.push(text(dependency, "pkg"));
            }
        }
    }
    found
}

fn read(package: &Value, checksums: &BTreeMap<(&str, &str), &str>) -> Result<Package, String> {
    let (name, version) = (text(package, "name"), text(package, "version"));
    let licence = package["license"].as_str();
    let licence = licence.ok_or_else(|| format!("{name} {version} names no licence"))?;
    let authors = package["authors"].as_array().into_iter().flatten();
    let manifest = PathBuf::from(text(package, "manifest_path"));
    Ok(Package {
        name: name.to_owned(),
        version: version.to_owned(),
        licence: expression(licence),
        authors: authors
            .filter_map(|author| author.as_str().map(str::to_owned))
            .collect(),
        repository: package["repository"].as_str().map(str::to_owned),
        checksum: checksums.get(&(name, version)).map(|it| (*it).to_owned()),
        folder: manifest.parent().map(PathBuf::from).unwrap_or_default(),
    })
}

/// A licence as an SPDX expression.
fn expression(licence: &str) -> String {
    let parts: Vec<&str> = licence.split('/').map(str::trim).collect();
    parts.join(" OR ")
}

/// Name and version to the checksum of the lock file.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    fn field<'l>(block: &'l str, key: &str) -> Option<&'l str> {
        let (_, rest) = block.split_once(&format!("\n{key} = \""))?;
        rest.split('"').next()
    }
    let blocks = lock.split("[[package]]");
    let read = |block| {
        let package = (field(block, "name")?, field(block, "version")?);
        Some((package, field(block, "checksum")?))
    };
    blocks.filter_map(read).collect()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_ways_to_name_two_licences_become_one() {
        for (written, expected) in [
            ("MIT/Apache-2.0", "MIT OR Apache-2.0"),
            ("MIT / Apache-2.0", "MIT OR Apache-2.0"),
            (
                "(MIT OR Apache-2.0) AND Unicode-3.0",
                "(MIT OR Apache-2.0) AND Unicode-3.0",
            ),
        ] {
            assert_eq!(expression(written), expected);
        }
    }

    #[test]
    fn every_published_crate_of_the_page_has_a_checksum_and_tools_are_not_among_them() {
        let packages = of_page().unwrap();
        let named = |name: &str| packages.iter().find(|it| it.name == name);
        for name in ["leptos", "tree-sitter-python", "tract-core", "wgpu"] {
            let package = named(name).unwrap();
            assert_eq!(
                package.checksum.as_ref().map(String::len),
                Some(64),
                "{name}"
            );
        }
        assert!(named("footnote-core").unwrap().checksum.is_none());
        for name in ["criterion", "thirtyfour", "footnote-cli", "xtask"] {
            assert_eq!(named(name), None);
        }
        let unknown = packages
            .iter()
            .filter(|it| it.checksum.is_none() && !it.name.starts_with("footnote-"));
        assert_eq!(unknown.count(), 0);
    }
}
