//! Invariants of the design that a command can check; `docs/architecture.md` lists them. Each check
//! is a function from the files read to violations, so that its test can plant one.

mod circles;
mod documents;
mod length;
mod names;
mod order;
mod packages;
mod source;
mod violation;

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shell::{Result, output};
use source::Crate;
pub use source::Source;
use violation::Violation;
use xtask::paths;

/// The file whose table gives the order of core's modules.
const CORE: &str = "core/src/lib.rs";

/// Folders with what a visitor runs: all rules apply there.
const PRODUCT: [&str; 2] = ["core/src", "app/src"];
/// Folders with tools: only the length of functions and files is checked there.
const TOOLS: [&str; 2] = ["cli/src", "xtask/src"];

/// Folders whose files and folders must not use each other in a circle: core's modules, and the
/// engine's owners. A folder inside one of them counts as one, so that the parts of an owner may
/// use each other.
const WITHOUT_CIRCLES: [&str; 2] = ["core/src", "app/src/worker/serve"];

/// Fails with all violations in the working tree.
pub fn run_all() -> Result {
    let tree = output(Command::new("cargo").current_dir(paths::root()).args([
        "tree",
        "--package",
        "footnote-core",
        "--features",
        "gpu",
        "--edges",
        "normal",
        "--prefix",
        "none",
    ]))?;
    let tracked = output(
        Command::new("git")
            .current_dir(paths::root())
            .arg("ls-files"),
    )?;
    let mut violations = packages::check(&tree);
    violations.extend(logs(&tracked));
    violations.extend(of_code(&sources()?)?);
    violations.extend(documents::check(&documents::Tree::read()?));
    if violations.is_empty() {
        return Ok(());
    }
    let count = violations.len();
    let list: Vec<String> = violations.iter().map(Violation::to_string).collect();
    Err(format!(
        "{count} violations of invariants (docs/architecture.md lists them):\n\n{}",
        list.join("\n\n")
    ))
}

/// All checks of code.
fn of_code(sources: &[Source]) -> Result<Vec<Violation>> {
    let lib = sources.iter().find(|source| source.path == CORE);
    let order = lib
        .map(|lib| order::of_table(&lib.text))
        .unwrap_or_default();
    let mut violations = length::files(sources);
    violations.extend(length::comments(sources));
    for folder in TOOLS {
        violations.extend(length::functions(&Crate::read(folder, sources)?));
    }
    for folder in PRODUCT {
        let code = Crate::read(folder, sources)?;
        violations.extend(length::functions(&code));
        if folder == "core/src" {
            violations.extend(order::check(CORE, &order, &code));
        }
        violations.extend(names::check(&names::RULES, &code));
        for checked in WITHOUT_CIRCLES {
            if let Some(inner) = checked.strip_prefix(folder) {
                let path: Vec<String> = inner.split('/').skip(1).map(str::to_owned).collect();
                violations.extend(circles::check(&path, &code));
            }
        }
    }
    Ok(violations)
}

/// Finds logs at the top of the repository. `tracked` are its paths, one per line.
fn logs(tracked: &str) -> Vec<Violation> {
    let logs = tracked
        .lines()
        .filter(|path| !path.contains('/') && path.ends_with(".log"));
    logs.map(|path| Violation {
        place: path.to_owned(),
        what: "a log is tracked at the top of the repository".to_owned(),
        why: "it is what a program left behind, and everyone downloads it".to_owned(),
        remedy: format!("git rm --cached {path}; .gitignore names such files"),
    })
    .collect()
}

/// The Rust files of all programs.
pub fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for folder in [PRODUCT, TOOLS].concat() {
        read_below(&paths::root().join(folder), folder, &mut sources)?;
    }
    Ok(sources)
}

fn read_below(folder: &Path, name: &str, sources: &mut Vec<Source>) -> Result {
    let failed = |error: std::io::Error| format!("{name} could not be read: {error}");
    let entries: std::io::Result<Vec<_>> = fs::read_dir(folder).map_err(failed)?.collect();
    let mut entries = entries.map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read_below(&entry.path(), &path, sources)?;
        } else if path.ends_with(".rs") {
            let text = fs::read_to_string(entry.path()).map_err(failed)?;
            sources.push(Source { path, text });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_this_tree_breaks_no_invariant() {
        let found: Vec<String> = of_code(&sources().unwrap())
            .unwrap()
            .iter()
            .map(Violation::to_string)
            .collect();
        assert!(found.is_empty(), "{}", found.join("\n\n"));
    }

    #[test]
    fn violations_planted_in_this_tree_are_found() {
        let long = format!("fn planted() {{\n{}}}\n", "    f();\n".repeat(99));
        let planted = [
            (
                "app/src/ui/ask.rs",
                long.as_str(),
                "`planted` has 101 lines",
            ),
            (
                "core/src/lines.rs",
                "use crate::answer::Answer;",
                "`lines` uses `crate::answer::Answer`",
            ),
            (
                "core/src/index/mod.rs",
                "use serde::Serialize;",
                "`serde::Serialize` is named here",
            ),
            (
                "app/src/ui/uses.rs",
                "use web_sys::Element;",
                "`web_sys::Element` is named here",
            ),
            (
                "app/src/worker/serve/open/mod.rs",
                "use crate::platform::http::send;",
                "`crate::platform::http::send` is named here",
            ),
        ];
        let mut sources = sources().unwrap();
        for (path, line, _) in planted {
            let source = sources.iter_mut().find(|source| source.path == path);
            source.unwrap().text.push_str(line);
        }
        let found = of_code(&sources).unwrap();
        for (path, _, what) in planted {
            let is_it = |found: &&Violation| found.what == what && found.place.starts_with(path);
            assert!(found.iter().find(is_it).is_some(), "{path}: {found:?}");
        }
    }

    #[test]
    fn a_circle_planted_among_the_owners_is_found() {
        // What is below the engine's owners must know none of them, and none of the owners may know
        // the engine.
        let planted = [
            ("shelf.rs", "use super::open::Opener;", "`shelf`"),
            (
                "context/choose.rs",
                "fn f(_: &crate::worker::serve::write::Writer) {}",
                "`context`",
            ),
            ("mod.rs", "use ask::Asker;\nstruct All;", "`mod.rs`"),
        ];
        let mut owners = sources().unwrap();
        owners.retain(|source| source.path.starts_with("app/src/worker/serve/"));
        let folder = ["worker".to_owned(), "serve".to_owned()];
        for (path, lines, name) in planted {
            let mut sources = owners.clone();
            let mut plant = |path: &str, lines: &str| {
                let path = format!("app/src/worker/serve/{path}");
                let source = sources.iter_mut().find(|source| source.path == path);
                source.unwrap().text.push_str(lines);
            };
            plant(path, lines);
            if path == "mod.rs" {
                plant("services.rs", "use super::All;");
            }
            let code = Crate::read("app/src", &sources).unwrap();
            let found = circles::check(&folder, &code);
            let is_it = |found: &&Violation| found.what.contains(name);
            assert!(found.iter().find(is_it).is_some(), "{path}: {found:?}");
        }
    }

    #[test]
    fn a_log_at_the_top_is_reported_and_one_below_is_not() {
        let found = logs("README.md\nisolate-0x1-v8.log\ntests/fixtures/a.log\n");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place, "isolate-0x1-v8.log");
    }
}
