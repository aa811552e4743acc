//! Python: pyproject.toml (PEP 621, PEP 735 and Poetry), setup.cfg, setup.py, PKG-INFO,
//! requirements.

use std::ops::Range;

use super::scan::{inline, scalar, strings};
use super::{FactKind, Found};
use crate::lang::text::{Entry, Rows, ini_entries, toml_entries};
use crate::lines::LineRange;

pub(super) fn pyproject(found: &mut Found<'_>) {
    let rows = Rows::new(found.text);
    for entry in toml_entries(&rows) {
        let text = found.text;
        let value = text.get(entry.value.clone()).unwrap_or("");
        match entry.table.as_str() {
            _ if entry.key.is_empty() => {}
            "project" => project(found, &entry, value),
            "project.scripts" | "project.gui-scripts" | "tool.poetry.scripts" => {
                let start = format!("{} = {}", entry.key, scalar(value));
                found.add(FactKind::EntryPoint, &start, entry.lines);
            }
            "project.urls" | "tool.poetry.urls" => {
                found.add(FactKind::Url, scalar(value), entry.lines);
            }
            "project.optional-dependencies" => {
                let extra = Some(entry.key.as_str());
                add_list(found, FactKind::OptionalDependency, entry.value, extra);
            }
            "dependency-groups" => add_list(found, FactKind::DevDependency, entry.value, None),
            "build-system" if entry.key == "requires" => {
                add_list(found, FactKind::BuildDependency, entry.value, None);
            }
            "build-system" if entry.key == "build-backend" => {
                found.add(FactKind::BuildSystem, scalar(value), entry.lines);
            }
            "tool.poetry" => poetry(found, &entry, value),
            "tool.poetry.dependencies" => poetry_dependency(found, &entry, value, true),
            table if table.starts_with("tool.poetry.") && table.ends_with("dependencies") => {
                poetry_dependency(found, &entry, value, false);
            }
            _ => {}
        }
    }
}

/// Reads a key of `[project]` (PEP 621).
fn project(found: &mut Found<'_>, entry: &Entry, value: &str) {
    let what = match entry.key.as_str() {
        "name" => FactKind::Name,
        "version" => FactKind::Version,
        "description" => FactKind::Description,
        "license" | "license.text" => FactKind::License,
        "requires-python" => {
            let version = format!("Python {}", scalar(value));
            return found.add(FactKind::RequiresLanguage, &version, entry.lines);
        }
        "dependencies" => {
            return add_list(found, FactKind::Dependency, entry.value.clone(), None);
        }
        "classifiers" => return classified_licenses(found, entry.value.clone()),
        "authors" => {
            let name = inline(value, "name").unwrap_or("").to_string();
            return found.add(FactKind::Author, &name, entry.lines);
        }
        _ => return,
    };
    let written = match value.starts_with('{') {
        true => inline(value, "text").or_else(|| inline(value, "file")),
        false => Some(scalar(value)),
    };
    found.add(what, written.unwrap_or(""), entry.lines);
}

/// Adds the licences among classifiers, each by its name.
fn classified_licenses(found: &mut Found<'_>, bytes: Range<usize>) {
    for quoted in strings(found.text, bytes) {
        if let Some(name) = license_of(&quoted.text) {
            found.add_at(FactKind::License, name, quoted.at);
        }
    }
}

/// Returns the licence that a classifier names: `MIT License` in `License :: OSI Approved :: MIT
/// License`.
fn license_of(classifier: &str) -> Option<&str> {
    let name = classifier.strip_prefix("License :: ")?;
    let name = name.rsplit(" :: ").next()?.trim();
    (name != "OSI Approved").then_some(name)
}

fn poetry(found: &mut Found<'_>, entry: &Entry, value: &str) {
    let what = match entry.key.as_str() {
        "name" => FactKind::Name,
        "version" => FactKind::Version,
        "description" => FactKind::Description,
        "license" => FactKind::License,
        "homepage" | "repository" | "documentation" => FactKind::Url,
        "authors" => return add_list(found, FactKind::Author, entry.value.clone(), None),
        "classifiers" => return classified_licenses(found, entry.value.clone()),
        _ => return,
    };
    found.add(what, scalar(value), entry.lines);
}

fn poetry_dependency(found: &mut Found<'_>, entry: &Entry, value: &str, is_needed: bool) {
    let version = match value.starts_with('{') {
        true => inline(value, "version").unwrap_or(""),
        false => scalar(value),
    };
    if entry.key == "python" {
        let version = format!("Python {version}");
        return found.add(FactKind::RequiresLanguage, &version, entry.lines);
    }
    let what = match is_needed {
        true if value.contains("optional = true") => FactKind::OptionalDependency,
        true => FactKind::Dependency,
        false => FactKind::DevDependency,
    };
    found.add(what, &format!("{} {version}", entry.key), entry.lines);
}

/// Adds one fact for each string of a list, on its own line. The name of a group that is included
/// (PEP 735) is no dependency: what it names is read where the group is.
fn add_list(found: &mut Found<'_>, what: FactKind, bytes: Range<usize>, extra: Option<&str>) {
    for quoted in strings(found.text, bytes) {
        let before = found.text.get(..quoted.at).unwrap_or_default().trim_end();
        let key = before
            .strip_suffix('=')
            .map(str::trim_end)
            .unwrap_or_default();
        if key.trim_end_matches(['"', '\'']).ends_with("include-group") {
            continue;
        }
        let value = match extra {
            Some(extra) => format!("{} ({extra})", quoted.text),
            None => quoted.text,
        };
        found.add_at(what, &value, quoted.at);
    }
}

pub(super) fn setup_cfg(found: &mut Found<'_>) {
    let rows = Rows::new(found.text);
    for entry in ini_entries(&rows) {
        let text = found.text;
        let value = text.get(entry.value.clone()).unwrap_or("");
        let key = entry.key.replace('-', "_");
        let what = match (entry.table.as_str(), key.as_str()) {
            ("metadata", "name") => FactKind::Name,
            ("metadata", "version") => FactKind::Version,
            ("metadata", "description" | "summary") => FactKind::Description,
            ("metadata", "license") => FactKind::License,
            ("metadata", "author") => FactKind::Author,
            ("metadata", "url" | "home_page") => FactKind::Url,
            ("options", "python_requires") => {
                let version = format!("Python {value}");
                found.add(FactKind::RequiresLanguage, &version, entry.lines);
                continue;
            }
            ("options", "install_requires") => {
                add_rows(found, FactKind::Dependency, &entry, None);
                continue;
            }
            ("options.extras_require", extra) if !extra.is_empty() => {
                add_rows(found, FactKind::OptionalDependency, &entry, Some(extra));
                continue;
            }
            ("options.entry_points", "console_scripts" | "gui_scripts") => {
                add_rows(found, FactKind::EntryPoint, &entry, None);
                continue;
            }
            _ => continue,
        };
        // The content of a file or attribute is not stated here.
        if !value.starts_with("attr:") && !value.starts_with("file:") {
            found.add(what, value, entry.lines);
        }
    }
}

/// Adds one fact for each row of a value, on its own line.
fn add_rows(found: &mut Found<'_>, what: FactKind, entry: &Entry, extra: Option<&str>) {
    let text = found.text;
    let mut at = entry.value.start;
    for row in text
        .get(entry.value.clone())
        .unwrap_or("")
        .split_inclusive('\n')
    {
        let value = row.trim();
        if !value.is_empty() && !value.starts_with(['#', ';']) {
            let value = match extra {
                Some(extra) => format!("{value} ({extra})"),
                None => value.to_string(),
            };
            found.add_at(what, &value, at);
        }
        at += row.len();
    }
}

/// Reads keyword arguments of `setup(…)` that are literals, or names of literals in the same file.
pub(super) fn setup_py(found: &mut Found<'_>) {
    use FactKind::*;
    const ARGUMENTS: [(&str, FactKind); 12] = [
        ("name", Name),
        ("version", Version),
        ("description", Description),
        ("license", License),
        ("author", Author),
        ("url", Url),
        ("python_requires", RequiresLanguage),
        ("install_requires", Dependency),
        ("extras_require", OptionalDependency),
        ("tests_require", DevDependency),
        ("setup_requires", BuildDependency),
        ("entry_points", EntryPoint),
    ];
    let Some(call) = found.text.rfind("setup(") else {
        return;
    };
    if let Some(classifiers) = argument_value(found.text, call, "classifiers") {
        classified_licenses(found, classifiers);
    }
    for (argument, what) in ARGUMENTS {
        let Some(value) = argument_value(found.text, call, argument) else {
            continue;
        };
        let written = found.text.get(value.clone()).unwrap_or("");
        let value = match written.chars().next() {
            Some('"' | '\'' | '[' | '{' | '(') => value,
            _ => match assigned(found.text, written) {
                Some(value) => value,
                None => continue,
            },
        };
        let is_table = found
            .text
            .get(value.clone())
            .is_some_and(|text| text.starts_with('{'));
        for quoted in strings(found.text, value) {
            // In a dict, the keys are strings too: an extra's name or a group of entry points.
            let after = found
                .text
                .get(quoted.at + quoted.text.len() + 2..)
                .unwrap_or("");
            if is_table && after.trim_start().starts_with(':') {
                continue;
            }
            let text = match what {
                RequiresLanguage => format!("Python {}", quoted.text),
                _ => quoted.text,
            };
            found.add_at(what, &text, quoted.at);
        }
    }
}

/// Returns the bytes of the value of `argument=` after byte `from`.
fn argument_value(text: &str, from: usize, argument: &str) -> Option<Range<usize>> {
    let mut at = from;
    loop {
        let start = at + text.get(at..)?.find(argument)?;
        at = start + argument.len();
        let before = text.get(..start)?.chars().next_back();
        let after = text.get(at..)?.trim_start();
        let is_argument = before
            .is_none_or(|sign| matches!(sign, '(' | ',') || sign.is_whitespace())
            && after.starts_with('=')
            && !after.starts_with("==");
        if is_argument {
            let value = text.len() - after.len() + 1;
            return Some(value_bytes(text, value));
        }
    }
}

/// Returns the bytes of the value in `name = value` at the start of a row.
fn assigned(text: &str, name: &str) -> Option<Range<usize>> {
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|sign| sign.is_alphanumeric() || sign == '_');
    if !is_name {
        return None;
    }
    let mut at = 0;
    for row in text.split_inclusive('\n') {
        let rest = row.strip_prefix(name).map(str::trim_start);
        if let Some(value) = rest.and_then(|rest| rest.strip_prefix('=')) {
            let bytes = value_bytes(text, at + row.len() - value.len());
            let written = text.get(bytes.clone()).unwrap_or("");
            return written
                .starts_with(['"', '\'', '[', '{', '('])
                .then_some(bytes);
        }
        at += row.len();
    }
    None
}

/// Returns the bytes of the Python expression at `start`, up to the comma, bracket or end of the
/// row that ends it.
fn value_bytes(text: &str, start: usize) -> Range<usize> {
    let rest = text.get(start..).unwrap_or("");
    let start = start + (rest.len() - rest.trim_start().len());
    let mut depth = 0usize;
    let mut at = start;
    let literals = strings(text, start..text.len());
    let mut literals = literals.iter().peekable();
    while let Some(sign) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if let Some(literal) = literals.next_if(|literal| literal.at == at) {
            let opening = if text
                .get(at..)
                .is_some_and(|rest| rest.starts_with("\"\"\"") || rest.starts_with("'''"))
            {
                3
            } else {
                1
            };
            at = (at + literal.text.len() + 2 * opening).min(text.len());
            continue;
        }
        match sign {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' if depth == 0 => break,
            ']' | '}' | ')' => depth -= 1,
            ',' | '\n' if depth == 0 => break,
            '#' => {
                at += text.get(at..).and_then(|rest| rest.find('\n')).unwrap_or(1);
                continue;
            }
            _ => {}
        }
        at += sign.len_utf8();
    }
    start..at
}

/// Reads the header fields of PKG-INFO and METADATA (core metadata specification).
pub(super) fn metadata(found: &mut Found<'_>) {
    let text = found.text;
    let mut at = 0;
    for row in text.split_inclusive('\n') {
        let line = row.trim_end();
        if line.is_empty() {
            return;
        }
        if let Some((field, value)) = line.split_once(": ") {
            let mut owned = value.to_string();
            let what = match field.to_ascii_lowercase().as_str() {
                "name" => FactKind::Name,
                "version" => FactKind::Version,
                "summary" => FactKind::Description,
                "license" | "license-expression" => FactKind::License,
                "author" | "author-email" => FactKind::Author,
                "classifier" if license_of(value).is_some() => {
                    owned = license_of(value).unwrap_or_default().to_owned();
                    FactKind::License
                }
                "home-page" => FactKind::Url,
                "project-url" => {
                    owned = value
                        .split_once(", ")
                        .map_or(value, |(_, url)| url)
                        .to_string();
                    FactKind::Url
                }
                "requires-python" => {
                    owned = format!("Python {value}");
                    FactKind::RequiresLanguage
                }
                "requires-dist" if value.contains("extra ==") => FactKind::OptionalDependency,
                "requires-dist" => FactKind::Dependency,
                _ => {
                    at += row.len();
                    continue;
                }
            };
            found.add_at(what, &owned, at);
        }
        at += row.len();
    }
}

/// Reads one requirement per row.
pub(super) fn requirements(found: &mut Found<'_>) {
    let text = found.text;
    let rows = Rows::new(text);
    for (row, line) in rows.iter() {
        let line = line.split(" #").next().unwrap_or("").trim();
        if !line.is_empty() && !line.starts_with(['#', '-']) {
            let lines: LineRange = rows.lines(row, row + 1);
            found.add(FactKind::Dependency, line, lines);
        }
    }
}
