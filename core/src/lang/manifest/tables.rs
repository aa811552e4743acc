//! Manifests that consist of tables of keys: package.json, composer.json, Cargo.toml.

use std::collections::{HashMap, HashSet};

use super::scan::{inline, scalar};
use super::{FactKind, Found};
use crate::lang::text::{Entry, Rows, json_entries, toml_entries};

pub(super) fn package_json(found: &mut Found<'_>) {
    let rows = Rows::new(found.text);
    for entry in json_entries(&rows) {
        let value = json(found.text, &entry);
        let named = format!("{} {value}", entry.key);
        match (entry.table.as_str(), entry.key.as_str()) {
            ("engines", "node") => {
                found.add(
                    FactKind::RequiresLanguage,
                    &format!("Node {value}"),
                    entry.lines,
                );
            }
            ("dependencies", _) => found.add(FactKind::Dependency, &named, entry.lines),
            ("peerDependencies", _) => found.add(FactKind::PeerDependency, &named, entry.lines),
            ("devDependencies", _) => found.add(FactKind::DevDependency, &named, entry.lines),
            ("optionalDependencies", _) => {
                found.add(FactKind::OptionalDependency, &named, entry.lines);
            }
            ("scripts", name) => {
                found.add(FactKind::Script, &format!("{name}: {value}"), entry.lines);
            }
            ("bin", name) => {
                found.add(
                    FactKind::EntryPoint,
                    &format!("{name} = {value}"),
                    entry.lines,
                );
            }
            ("", "main" | "module" | "bin") => found.add(FactKind::EntryPoint, &value, entry.lines),
            // The sub-paths through which a package is imported.
            ("exports", path) if path.starts_with("./") => {
                found.add(FactKind::EntryPoint, path, entry.lines);
            }
            ("author", "name") => found.add(FactKind::Author, &value, entry.lines),
            ("repository", "url") => found.add(FactKind::Url, &value, entry.lines),
            ("", key) => common(found, &entry, key, &value),
            _ => {}
        }
    }
}

pub(super) fn composer_json(found: &mut Found<'_>) {
    let rows = Rows::new(found.text);
    for entry in json_entries(&rows) {
        let value = json(found.text, &entry);
        let named = format!("{} {value}", entry.key);
        match (entry.table.as_str(), entry.key.as_str()) {
            ("require", "php") => {
                found.add(
                    FactKind::RequiresLanguage,
                    &format!("PHP {value}"),
                    entry.lines,
                );
            }
            ("require", _) => found.add(FactKind::Dependency, &named, entry.lines),
            ("require-dev", _) => found.add(FactKind::DevDependency, &named, entry.lines),
            ("scripts", name) => {
                found.add(FactKind::Script, &format!("{name}: {value}"), entry.lines);
            }
            ("", key) => common(found, &entry, key, &value),
            _ => {}
        }
    }
}

/// Reads the keys that package.json and composer.json share.
fn common(found: &mut Found<'_>, entry: &Entry, key: &str, value: &str) {
    let what = match key {
        "name" => FactKind::Name,
        "version" => FactKind::Version,
        "description" => FactKind::Description,
        "license" => FactKind::License,
        "author" => FactKind::Author,
        "homepage" | "repository" => FactKind::Url,
        _ => return,
    };
    found.add(what, value, entry.lines);
}

/// Returns a JSON string's content; empty for a list or table, anything else as written.
fn json(text: &str, entry: &Entry) -> String {
    let written = text.get(entry.value.clone()).unwrap_or("");
    if written.starts_with(['{', '[']) {
        return String::new();
    }
    serde_json::from_str::<String>(written).unwrap_or_else(|_| scalar(written).to_string())
}

pub(super) fn cargo(found: &mut Found<'_>) {
    let rows = Rows::new(found.text);
    let text = found.text;
    // Tables such as `[dependencies.serde]` that say of themselves that they are optional, and
    // dependencies whose keys do: `serde.optional = true`.
    let is_true = |entry: &Entry| text.get(entry.value.clone()) == Some("true");
    let all = toml_entries(&rows);
    let keyed: HashSet<String> = all
        .iter()
        .filter(|entry| is_true(entry))
        .filter_map(|entry| Some(entry.key.strip_suffix(".optional")?.to_owned()))
        .collect();
    let optional: HashSet<String> = all
        .iter()
        .filter(|entry| entry.key == "optional" && is_true(entry))
        .map(|entry| entry.table.clone())
        .collect();
    let renamed: HashMap<String, String> = all
        .iter()
        .filter(|entry| entry.key == "package")
        .filter_map(|entry| {
            let package = scalar(text.get(entry.value.clone())?);
            Some((entry.table.clone(), package.to_owned()))
        })
        .collect();
    for entry in all {
        let value = text.get(entry.value.clone()).unwrap_or("");
        match entry.table.as_str() {
            "package" | "workspace.package" => cargo_package(found, &entry, value),
            "bin" if entry.key == "name" => {
                found.add(FactKind::EntryPoint, scalar(value), entry.lines);
            }
            "features" => found.add(FactKind::Feature, &feature(&entry.key, value), entry.lines),
            table => {
                if let Some((what, name)) = cargo_dependency(table) {
                    let own = entry.key.split('.').next().unwrap_or_default();
                    let is_optional =
                        name.is_some() && optional.contains(table) || keyed.contains(own);
                    let what = match is_optional && what == FactKind::Dependency {
                        true => FactKind::OptionalDependency,
                        false => what,
                    };
                    let package = renamed.get(table).filter(|_| name.is_some());
                    let named = name.map(|name| Named {
                        name,
                        package: package.map(String::as_str),
                    });
                    add_cargo_dependency(found, &entry, what, named, value);
                }
            }
        }
    }
}

/// Returns a feature with what it switches on: `default = json, tls`.
fn feature(name: &str, value: &str) -> String {
    let parts = value.trim_matches(['[', ']']).split(',').map(scalar);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    match parts.is_empty() {
        true => name.to_owned(),
        false => format!("{name} = {}", parts.join(", ")),
    }
}

fn cargo_package(found: &mut Found<'_>, entry: &Entry, value: &str) {
    let what = match entry.key.as_str() {
        "name" => FactKind::Name,
        "version" => FactKind::Version,
        "description" => FactKind::Description,
        "license" => FactKind::License,
        "homepage" | "repository" | "documentation" => FactKind::Url,
        "authors" => {
            let names = value.trim_matches(['[', ']']).split(',').map(scalar);
            for name in names.filter(|name| !name.is_empty()) {
                found.add(FactKind::Author, name, entry.lines);
            }
            return;
        }
        "rust-version" => {
            let version = format!("Rust {}", scalar(value));
            return found.add(FactKind::RequiresLanguage, &version, entry.lines);
        }
        _ => return,
    };
    found.add(what, scalar(value), entry.lines);
}

/// Returns the kind of dependencies in a table, and the single dependency that it is about, as in
/// `[dependencies.serde]`. Tables of a target (`[target.'cfg(unix)'.dependencies]`) count too.
fn cargo_dependency(table: &str) -> Option<(FactKind, Option<&str>)> {
    // What members of a workspace may use, and what other programs read, is no dependency.
    if table.starts_with("workspace.") || table.starts_with("package.metadata") {
        return None;
    }
    for (part, what) in [
        ("dev-dependencies", FactKind::DevDependency),
        ("build-dependencies", FactKind::BuildDependency),
        ("dependencies", FactKind::Dependency),
    ] {
        let Some(at) = table.find(part) else {
            continue;
        };
        let is_whole = at == 0 || table.get(..at).is_some_and(|before| before.ends_with('.'));
        let after = table.get(at + part.len()..).unwrap_or("");
        return match after.strip_prefix('.') {
            Some(name) if is_whole => Some((what, Some(name))),
            None if is_whole && after.is_empty() => Some((what, None)),
            _ => None,
        };
    }
    None
}

/// A dependency with a table of its own.
struct Named<'t> {
    /// Its name in the code.
    name: &'t str,
    /// The package, if the code calls it otherwise.
    package: Option<&'t str>,
}

/// Returns a package with its version, and with the name that the code gives it: `rand_core 0.6 as
/// old_core`.
fn crate_named(name: &str, package: Option<&str>, version: &str) -> String {
    match package.filter(|package| *package != name) {
        Some(package) => format!("{package} {version} as {name}"),
        None => format!("{name} {version}"),
    }
}

fn add_cargo_dependency(
    found: &mut Found<'_>,
    entry: &Entry,
    what: FactKind,
    named: Option<Named<'_>>,
    value: &str,
) {
    match named {
        Some(Named { name, package }) if entry.key == "version" => {
            let value = crate_named(name, package, scalar(value));
            found.add(what, &value, entry.lines);
        }
        Some(_) => {}
        None if entry.key.is_empty() => {}
        None => {
            let is_table = value.starts_with('{');
            let package = inline(value, "package").filter(|_| is_table);
            let version = match is_table {
                true => inline(value, "version").unwrap_or(""),
                false => scalar(value),
            };
            let plain: String = value.split_whitespace().collect();
            let is_optional = plain.contains("optional=true") && what == FactKind::Dependency;
            let what = if is_optional {
                FactKind::OptionalDependency
            } else {
                what
            };
            // `serde.workspace = true` is a dependency on serde with its version elsewhere.
            let (name, version) = match entry.key.split_once('.') {
                Some((name, "version")) => (name, version),
                Some((name, "workspace")) => (name, ""),
                Some(_) => return,
                None => (entry.key.as_str(), version),
            };
            found.add(what, &crate_named(name, package, version), entry.lines);
        }
    }
}
