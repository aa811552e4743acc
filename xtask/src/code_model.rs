//! `cargo xtask models code-lm [STAGE…]`: trains the code language model from published packages.
//! The result is committed, so that a plain clone works. See `xtask/models/code-lm/run.py`.

use std::process::Command;

use xtask::paths;

use crate::prepare;
use crate::shell::{Result, run};

/// Runs the stages that are not done yet, or those asked for. Hours; goes on where it was stopped.
pub fn run_all(stages: &[String]) -> Result {
    prepare::for_python()?;
    let work = paths::tools().join("models/code-lm");
    let python = work.join("venv/bin/python");
    if !python.is_file() {
        run(Command::new("python3")
            .args(["-m", "venv"])
            .arg(work.join("venv")))?;
    }
    let sources = paths::root().join("xtask/models/code-lm");
    run(Command::new(&python)
        .args(["-m", "pip", "--quiet", "--disable-pip-version-check"])
        .args(["install", "--no-deps", "-r"])
        .arg(sources.join("requirements.txt")))?;
    run(Command::new(&python)
        .arg(sources.join("run.py"))
        .arg(work.join("work"))
        .args(stages))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;
    use xtask::paths;

    /// One spelling for names that registries treat as one.
    fn plain(name: &str) -> String {
        name.to_lowercase().replace(['_', '.'], "-")
    }

    fn read(path: &str) -> Value {
        let text = std::fs::read_to_string(paths::root().join(path)).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    fn field(package: &Value, name: &str) -> String {
        package[name].as_str().unwrap().to_owned()
    }

    fn packages() -> Vec<Value> {
        read("xtask/models/code-lm/packages.json")
            .as_array()
            .unwrap()
            .clone()
    }

    #[test]
    fn the_code_model_is_trained_on_no_package_that_it_is_measured_with() {
        let excluded = read("xtask/models/code-lm/excluded.json");
        let excluded = excluded["names"].as_array().unwrap();
        let measured = read("tests/fixtures/archives.json");
        let measured = measured.as_object().unwrap();
        let forbidden: BTreeSet<String> = excluded
            .iter()
            .map(|name| plain(name.as_str().unwrap()))
            .chain(
                measured
                    .values()
                    .map(|archive| plain(&field(archive, "name"))),
            )
            .collect();
        let overlap: Vec<String> = packages()
            .iter()
            .map(|package| plain(&field(package, "name")))
            .filter(|name| forbidden.contains(name))
            .collect();
        assert_eq!(overlap, Vec::<String>::new());
    }

    #[test]
    fn every_package_of_the_code_model_is_named_once_with_a_permissive_licence_and_a_digest() {
        let mut seen = BTreeSet::new();
        for package in packages() {
            let name = format!(
                "{} {}",
                field(&package, "registry"),
                field(&package, "name")
            );
            assert!(seen.insert(name.clone()), "{name} is there twice");
            let licence = field(&package, "licence");
            let permissive = [
                "MIT",
                "BSD",
                "Apache",
                "ISC",
                "zlib",
                "Zlib",
                "Unlicense",
                "0BSD",
                "CC0",
                "PSF",
                "Python Software Foundation",
                "HPND",
                "BSL-1.0",
            ];
            assert!(
                permissive.iter().any(|known| licence.contains(known)),
                "{name}: {licence}"
            );
            assert_eq!(field(&package, "sha256").len(), 64, "{name}");
        }
        assert!(seen.len() >= 150, "only {} packages", seen.len());
    }
}
