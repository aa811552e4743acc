//! `cargo xtask models NAME [STAGE…]`: trains a model from published packages, `code-lm` (the code
//! language model), `code-table` (the static encoder) or `code-encoder` (the tuned transformer, an
//! attempt that is not shipped). The first two results are committed, so that a plain clone works.
//! See `xtask/models/NAME/run.py`.

use std::process::Command;

use xtask::paths;

use crate::prepare;
use crate::shell::{Result, run};

/// The models that have a recipe, named after its folder.
pub const NAMES: [&str; 3] = ["code-lm", "code-table", "code-encoder"];

/// Runs the stages that are not done yet, or the ones named. Takes minutes to hours; continues
/// where it was stopped.
pub fn run_all(name: &str, stages: &[String]) -> Result {
    prepare::for_python()?;
    let work = paths::tools().join("models").join(name);
    let python = work.join("venv/bin/python");
    if !python.is_file() {
        run(Command::new("python3")
            .args(["-m", "venv"])
            .arg(work.join("venv")))?;
    }
    let sources = paths::root().join("xtask/models").join(name);
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

    /// Those with packages of their own; `code-encoder` has the ones of `code-table`.
    const NAMES: [&str; 2] = ["code-lm", "code-table"];

    /// One spelling for names that registries treat as equal.
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

    fn packages(model: &str) -> Vec<Value> {
        read(&format!("xtask/models/{model}/packages.json"))
            .as_array()
            .unwrap()
            .clone()
    }

    /// The names that a recipe leaves out.
    fn excluded(model: &str) -> Vec<String> {
        let file = read(&format!("xtask/models/{model}/excluded.json"));
        let names = |it: &Value| it["names"].as_array().cloned().unwrap_or_default();
        let mut all = names(&file);
        for group in file["groups"].as_array().into_iter().flatten() {
            all.extend(names(group));
        }
        all.iter()
            .map(|name| plain(name.as_str().unwrap()))
            .collect()
    }

    #[test]
    fn no_model_is_trained_on_a_package_that_it_is_measured_with() {
        let measured = read("tests/fixtures/archives.json");
        let measured = measured.as_object().unwrap().values();
        let measured: Vec<String> = measured
            .map(|archive| plain(&field(archive, "name")))
            .collect();
        for model in NAMES {
            let mut forbidden = excluded("code-lm");
            forbidden.extend(excluded(model));
            // The static encoder is measured with questions alone; these packages also serve to
            // judge imports.
            if model == "code-lm" {
                forbidden.extend(measured.iter().cloned());
            }
            let is_forbidden = |name: &String| {
                forbidden.iter().any(|known| match known.strip_suffix('*') {
                    Some(start) => name.starts_with(start),
                    None => name == known,
                })
            };
            let mut names = packages(model)
                .into_iter()
                .map(|package| plain(&field(&package, "name")));
            assert_eq!(names.find(is_forbidden), None, "{model}");
        }
    }

    #[test]
    fn every_package_of_a_recipe_is_named_once_with_a_permissive_licence_and_a_digest() {
        for model in NAMES {
            every_package_is_named_once(model);
        }
    }

    fn every_package_is_named_once(model: &str) {
        let mut seen = BTreeSet::new();
        for package in packages(model) {
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
