//! The folder of an export. Files in it that no earlier export wrote are not overwritten.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use footnote_core::lab::export::File;

use crate::Result;

/// Lists the files of an export, each with a digest, so that the next one recognises its own.
const LIST: &str = ".footnote-export.json";

/// Writes `files` into `folder`, removes files of an earlier export that are not among them, and
/// returns their names. Writes nothing if that would destroy a file that somebody else made or
/// changed, unless `force` is set.
pub fn write(folder: &Path, files: &[File], force: bool) -> Result<Vec<String>> {
    let own = own(folder);
    if !force {
        refuse_to_lose(folder, files, &own)?;
    }
    let failed = |path: &Path, error: &std::io::Error| {
        let path = path.display();
        format!("cannot write {path}: {error}; choose another folder with --out")
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    for file in files {
        let path = folder.join(&file.name);
        fs::write(&path, &file.text).map_err(|error| failed(&path, &error))?;
    }
    let old = remove_old(folder, files, &own);
    let list: BTreeMap<&str, String> = files
        .iter()
        .map(|file| (file.name.as_str(), digest(file.text.as_bytes())))
        .collect();
    let list = serde_json::to_string_pretty(&list)? + "\n";
    let path = folder.join(LIST);
    fs::write(&path, list).map_err(|error| failed(&path, &error))?;
    Ok(old)
}

/// The names and digests of the files that an earlier export wrote; empty if there was none.
fn own(folder: &Path) -> BTreeMap<String, String> {
    let list = fs::read(folder.join(LIST)).unwrap_or_default();
    serde_json::from_slice(&list).unwrap_or_default()
}

fn refuse_to_lose(folder: &Path, files: &[File], own: &BTreeMap<String, String>) -> Result<()> {
    let mut lost = Vec::new();
    for file in files {
        // Nothing there, a folder, or no permission to read it: writing reports the error.
        let Ok(there) = fs::read(folder.join(&file.name)) else {
            continue;
        };
        let is_own = own.get(&file.name) == Some(&digest(&there));
        if !is_own && there != file.text.as_bytes() {
            lost.push(file.name.as_str());
        }
    }
    if lost.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} contains {}, which no export wrote or which has been changed since; nothing was written. \
         Choose another folder with --out, or overwrite with --force",
        folder.display(),
        lost.join(", ")
    )
    .into())
}

/// Removes old files: rows of another format or split beside the new ones would be read with them.
fn remove_old(folder: &Path, files: &[File], own: &BTreeMap<String, String>) -> Vec<String> {
    let new: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let old = own.iter().filter(|(name, print)| {
        let path = folder.join(name);
        !new.contains(name.as_str())
            // Anybody may have written the list.
            && Path::new(name).file_name() == Some(name.as_ref())
            && fs::read(&path).is_ok_and(|there| digest(&there) == **print)
            && fs::remove_file(path).is_ok()
    });
    old.map(|(name, _)| name.clone()).collect()
}

/// 64-bit FNV-1a: it detects that a file was changed, not deliberate forgery.
fn digest(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn files(texts: &[(&str, &str)]) -> Vec<File> {
        let file = |(name, text): &(&str, &str)| File {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
        };
        texts.iter().map(file).collect()
    }

    #[test]
    fn an_export_replaces_the_one_before_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new/export");
        write(&folder, &files(&[("a", "1"), ("b", "1")]), false).unwrap();
        fs::write(folder.join("mine"), "mine").unwrap();
        let old = write(&folder, &files(&[("a", "2")]), false).unwrap();
        assert_eq!(old, ["b"]);
        assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), "2");
        assert!(!folder.join("b").exists() && folder.join("mine").exists());
    }

    #[test]
    fn files_that_somebody_else_made_or_changed_are_kept_unless_forced() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("README.md"), "mine").unwrap();
        let new = files(&[("README.md", "card"), ("a", "1")]);
        let error = write(folder, &new, false).unwrap_err().to_string();
        assert!(error.contains("contains README.md"), "{error}");
        assert!(!folder.join("a").exists());
        write(folder, &new, true).unwrap();
        fs::write(folder.join("a"), "edited").unwrap();
        let newer = files(&[("README.md", "card 2")]);
        assert!(write(folder, &files(&[("a", "2")]), false).is_err());
        assert!(write(folder, &newer, false).unwrap().is_empty());
        assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), "edited");
    }

    #[test]
    fn a_list_that_names_files_elsewhere_removes_none_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let (inner, victim) = (folder.path().join("in"), folder.path().join("victim"));
        fs::create_dir(&inner).unwrap();
        fs::write(&victim, "x").unwrap();
        let list = serde_json::json!({ "../victim": digest(b"x") });
        fs::write(inner.join(LIST), list.to_string()).unwrap();
        write(&inner, &files(&[("a", "1")]), false).unwrap();
        assert!(victim.exists());
    }
}
