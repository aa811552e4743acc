//! `cargo xtask fixtures [--dir DIR] [--list archives.json]… [NAME…]`: downloads published archives
//! by name from their registries, with the registries' own clients, and checks each one's sha256.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Result, output, run};
use xtask::{dist, paths};

/// Downloads through pip, which knows this machine's index, proxies and certificates. The command
/// `pip download` itself would build each source distribution only to read its metadata.
const PYPI: &str = "xtask/fixtures/pypi.py";

struct Archive {
    registry: String,
    name: String,
    version: String,
    file: String,
    sha256: String,
}

/// Fetches the archives with these file names from the project's own list; all of it if `names` is
/// empty.
pub fn fetch(names: &[&str]) -> Result {
    let list = paths::root().join("tests/fixtures/archives.json");
    fetch_into(&paths::archives(), &read_list(&list)?, names)
}

/// Fetches the archives of the ladder (larger and larger repositories) that `parts` names; all of
/// them for `ladder`.
pub fn fetch_ladder(parts: &[String]) -> Result {
    let list = read_list(&paths::root().join("tests/fixtures/ladder.json"))?;
    let is_named = |name: &str| parts.iter().any(|part| part == name);
    let wanted: Vec<&str> = list
        .iter()
        .filter(|archive| is_named("ladder") || is_named(&archive.name))
        .map(|archive| archive.file.as_str())
        .collect();
    match wanted.is_empty() {
        true => Ok(()),
        false => fetch_into(&paths::archives(), &list, &wanted),
    }
}

pub fn run_all(args: &[String]) -> Result {
    let mut folder = paths::archives();
    let mut lists = Vec::new();
    let mut names = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match (arg.as_str(), args.as_slice().first()) {
            ("--dir", Some(value)) => folder = PathBuf::from(value),
            ("--list", Some(value)) => lists.push(PathBuf::from(value)),
            ("--dir" | "--list", None) => return Err(format!("{arg} needs a value")),
            (name, _) => {
                names.push(name);
                continue;
            }
        }
        args.next();
    }
    if lists.is_empty() {
        lists.push(paths::root().join("tests/fixtures/archives.json"));
    }
    for list in lists {
        fetch_into(&folder, &read_list(&list)?, &names)?;
    }
    Ok(())
}

fn fetch_into(folder: &Path, archives: &[Archive], names: &[&str]) -> Result {
    std::fs::create_dir_all(folder).map_err(|error| format!("{error}: {}", folder.display()))?;
    for name in names {
        if !archives.iter().any(|archive| archive.file == *name) {
            return Err(format!("no list names the archive {name}"));
        }
    }
    for archive in archives {
        if names.is_empty() || names.contains(&archive.file.as_str()) {
            fetch_one(folder, archive)?;
        }
    }
    Ok(())
}

fn fetch_one(folder: &Path, archive: &Archive) -> Result {
    let path = folder.join(&archive.file);
    if sha256(&path).is_some_and(|found| found == archive.sha256) {
        return Ok(());
    }
    match archive.registry.as_str() {
        "pypi" => run(Command::new("python3")
            .arg(paths::root().join(PYPI))
            .args([&archive.name, &archive.file])
            .arg(&path))?,
        "npm" => npm(folder, archive)?,
        "crates" => crates(&path, archive)?,
        other => return Err(format!("unknown registry {other} of {}", archive.file)),
    }
    match sha256(&path) {
        Some(found) if found == archive.sha256 => Ok(()),
        Some(found) => Err(format!(
            "sha256 is {found}, not {}: {}",
            archive.sha256, archive.file
        )),
        None => Err(format!("was not downloaded: {}", archive.file)),
    }
}

fn npm(folder: &Path, archive: &Archive) -> Result {
    run(Command::new("npm")
        .args(["pack", "--silent", "--pack-destination"])
        .arg(folder)
        .arg(format!("{}@{}", archive.name, archive.version)))
}

/// cargo keeps the `.crate` file of every dependency, so a package that only depends on it fetches
/// it.
fn crates(path: &Path, archive: &Archive) -> Result {
    let package = paths::tools().join("fetch").join(&archive.name);
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{} = \"={}\"\n",
        archive.name, archive.version
    );
    crate::shell::write_if_changed(&package.join("Cargo.toml"), &manifest)?;
    crate::shell::write_if_changed(&package.join("src/lib.rs"), "")?;
    let json = output(
        Command::new("cargo")
            .args(["metadata", "--format-version=1", "--manifest-path"])
            .arg(package.join("Cargo.toml")),
    )?;
    let metadata: serde_json::Value =
        serde_json::from_str(&json).map_err(|error| error.to_string())?;
    let manifest = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|package| package["name"] == archive.name.as_str())
        .and_then(|package| package["manifest_path"].as_str())
        .ok_or_else(|| format!("cargo did not fetch {}", archive.file))?;
    // <registry>/src/<index>/<name>-<version>/Cargo.toml → <registry>/cache/<index>/<file>
    let unpacked = Path::new(manifest).parent().and_then(Path::parent);
    let cached = unpacked
        .and_then(|index| {
            Some(
                index
                    .parent()?
                    .parent()?
                    .join("cache")
                    .join(index.file_name()?)
                    .join(&archive.file),
            )
        })
        .ok_or_else(|| format!("cargo keeps no cache beside {manifest}"))?;
    std::fs::copy(&cached, path).map_err(|error| format!("{error}: {}", cached.display()))?;
    Ok(())
}

fn read_list(path: &Path) -> Result<Vec<Archive>> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{error}: {}", path.display()))?;
    let json: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("{error}: {}", path.display()))?;
    let entries = json
        .as_object()
        .ok_or_else(|| format!("not a list of archives: {}", path.display()))?;
    let field = |entry: &serde_json::Value, name: &str| {
        let value = entry[name].as_str().map(str::to_owned);
        value.ok_or_else(|| format!("an archive lacks `{name}`: {}", path.display()))
    };
    entries
        .values()
        .map(|entry| {
            Ok(Archive {
                registry: field(entry, "registry")?,
                name: field(entry, "name")?,
                version: field(entry, "version")?,
                file: field(entry, "file")?,
                sha256: field(entry, "sha256")?,
            })
        })
        .collect()
}

fn sha256(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    Some(dist::sha256(&bytes))
}
