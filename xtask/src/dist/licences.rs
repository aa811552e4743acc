//! The texts of all licences: those that the crates bring, and standard texts where a crate names
//! its licence and brings none.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::packages::Package;

/// Names of files that hold a licence or a notice begin with these, in any case.
const NAMES: [&str; 5] = ["licen", "copying", "notice", "unlicense", "copyright"];

/// The rule between two texts.
const RULE: &str = "\n================================================================\n\n";

/// Standard texts, by their names; `{holders}` are the crate's authors.
const STANDARD: [(&str, &str); 2] = [
    ("MIT", include_str!("texts/MIT.txt")),
    ("Apache-2.0", include_str!("texts/Apache-2.0.txt")),
];

/// Lists all crates with their licences, then each text once, below the names of its crates.
///
/// # Errors
/// A crate brings no text, and its licence has none here.
pub fn text(packages: &[Package]) -> Result<String, String> {
    let mut by_text: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut out = String::from(
        "Footnote contains the crates below. Their licences follow. The models have theirs beside \
         them, in models/.\n\n",
    );
    for package in packages {
        let title = format!("{} {}", package.name, package.version);
        let from = package.repository.as_deref().unwrap_or("");
        // Writing to a text does not fail.
        let _ = writeln!(out, "{title}  {}  {from}", package.licence);
        for text in texts(package)? {
            by_text.entry(text).or_default().insert(title.clone());
        }
    }
    // By the first crate, so that related ones are near each other.
    let mut all: Vec<(Vec<String>, String)> = by_text
        .into_iter()
        .map(|(text, of)| (of.into_iter().collect(), text))
        .collect();
    all.sort();
    for (of, text) in all {
        out += RULE;
        let _ = writeln!(out, "Of {}:\n\n{}", of.join(", "), text.trim());
    }
    Ok(out)
}

/// The texts that a crate brings; the standard ones of its licence if it brings none.
fn texts(package: &Package) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("{error}: {}", package.folder.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&package.folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if NAMES.iter().any(|start| name.starts_with(start)) && entry.path().is_file() {
            let bytes = std::fs::read(entry.path()).map_err(failed)?;
            let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            found.push(text.trim().to_owned());
        }
    }
    found.sort();
    if found.is_empty() {
        found = standard(package)?;
    }
    Ok(found)
}

fn standard(package: &Package) -> Result<Vec<String>, String> {
    let holders = match package.authors.as_slice() {
        [] => format!("the authors of {}", package.name),
        authors => authors.join(", "),
    };
    let words: Vec<&str> = package
        .licence
        .split(|it: char| it.is_whitespace() || "()".contains(it))
        .collect();
    // All licences that “AND” joins hold, and a standard text may be of one of them only.
    let is_choice = !words.contains(&"AND");
    let known = STANDARD
        .iter()
        .filter(|(name, _)| is_choice && words.contains(name));
    let texts: Vec<String> = known
        .map(|(_, text)| text.replace("{holders}", &holders))
        .collect();
    match texts.is_empty() {
        true => Err(format!(
            "{} {} brings no text of its licence ({}): add one to xtask/src/dist/texts",
            package.name, package.version, package.licence
        )),
        false => Ok(texts),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn package(name: &str, licence: &str, folder: &str) -> Package {
        Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            licence: licence.to_owned(),
            authors: vec!["Ada <ada@example.org>".to_owned()],
            repository: None,
            checksum: None,
            folder: PathBuf::from(folder),
        }
    }

    #[test]
    fn a_crate_without_a_text_gets_the_standard_one_with_its_authors_or_is_named() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page");
        let told = text(&[
            package("tea", "MIT OR Apache-2.0", folder),
            package("pot", "MIT", folder),
        ])
        .unwrap();
        assert!(told.contains("tea 1.0.0  MIT OR Apache-2.0"), "{told}");
        assert!(
            told.contains("Copyright (c) Ada <ada@example.org>"),
            "{told}"
        );
        assert!(told.contains("Of pot 1.0.0, tea 1.0.0:\n\nMIT"), "{told}");
        for licence in ["Tea-Ware-1.0", "MIT AND Tea-Ware-1.0"] {
            let unknown = text(&[package("cup", licence, folder)]).unwrap_err();
            assert!(unknown.contains("cup 1.0.0 brings no text"), "{unknown}");
        }
    }

    #[test]
    fn every_crate_of_the_page_has_a_text() {
        let packages = super::super::packages::of_page().unwrap();
        let told = text(&packages).unwrap();
        for package in &packages {
            let title = format!("{} {}", package.name, package.version);
            assert!(told.matches(&title).count() >= 2, "{title}");
        }
    }
}
