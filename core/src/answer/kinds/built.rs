//! Files that a build made from sources in the same package: `dist/cjs/map.js` from `src/map.ts`.

use crate::index::Index;
use crate::source::FileId;

/// Folders that hold built files.
const FOLDERS: [&str; 8] = ["dist", "build", "lib", "out", "esm", "cjs", "es", "umd"];

/// Extensions of built files, longer ones first.
const BUILT: [&str; 6] = [".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"];

/// Extensions of sources.
const SOURCES: [&str; 7] = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs"];

/// Number of folders below the build folder that may be left out: one per kind of module, for
/// example.
const MAX_INNER: usize = 2;

/// Folders that hold no hand-written code if sources lie beside them.
const OUTPUT: [&str; 4] = ["dist", "bundles", "umd", "out"];

/// Whether a build made the file: from one source in the same package, or from all (a bundle).
pub(super) fn is_built(index: &Index, file: FileId) -> bool {
    if source_of(index, file, "").is_some() {
        return true;
    }
    let Some(path) = index.repo.file(file).map(|file| file.path.as_str()) else {
        return false;
    };
    if is_declarations_of_all(index, path) {
        return true;
    }
    let mut parts = path.split('/').scan(0usize, |at, part| {
        let start = *at;
        *at += part.len() + 1;
        Some((start, part))
    });
    let output = parts.find(|(_, part)| OUTPUT.contains(part));
    let is_script = has_built_name(path);
    let package = output
        .filter(|_| is_script)
        .and_then(|(at, _)| path.get(..at));
    package.is_some_and(|package| {
        let sources = format!("{package}src/");
        let files = &index.repo.files;
        let first = files.partition_point(|file| file.path < sources);
        files
            .get(first)
            .is_some_and(|file| file.path.starts_with(&sources))
    })
}

/// Whether the file declares the types of all sources: `mongodb.d.ts` beside `src/index.ts`.
fn is_declarations_of_all(index: &Index, path: &str) -> bool {
    if !path.ends_with(".d.ts") {
        return false;
    }
    let package = path.rsplit_once('/').map_or("", |(package, _)| package);
    let package = match package.is_empty() {
        true => String::new(),
        false => format!("{package}/"),
    };
    let has = |entry: &str| index.repo.find(&format!("{package}{entry}")).is_some();
    has("package.json") && has("src/index.ts")
}

/// Whether a build wrote a folder: `lib/cmap` if there is `src/cmap`, too. `others` are all folders
/// of its name.
pub(super) fn is_output(folder: &str, others: &[String]) -> bool {
    let parts: Vec<&str> = folder.split('/').collect();
    let at = parts.iter().position(|part| FOLDERS.contains(part));
    at.is_some_and(|at| {
        let mut source = parts.clone();
        if let Some(part) = source.get_mut(at) {
            *part = "src";
        }
        others.contains(&source.join("/"))
    })
}

/// Whether a name ends like those of built files.
pub(super) fn has_built_name(name: &str) -> bool {
    BUILT.iter().any(|end| name.ends_with(end))
}

/// Returns the source of a built file; `None` if it was not built, or if `name` asks for exactly
/// that folder.
pub(super) fn source_of(index: &Index, file: FileId, name: &str) -> Option<FileId> {
    let path = index.repo.file(file)?.path.as_str();
    let stem = BUILT.iter().find_map(|end| path.strip_suffix(end))?;
    let parts: Vec<&str> = stem.split('/').collect();
    let at = parts.iter().position(|part| FOLDERS.contains(part))?;
    if parts
        .get(at)
        .is_some_and(|folder| name.split('/').any(|part| part == *folder))
    {
        return None;
    }
    let package = parts.get(..at)?;
    let package = package
        .iter()
        .map(|part| format!("{part}/"))
        .collect::<String>();
    (0..=MAX_INNER).find_map(|inner| {
        let rest = parts
            .get(at + 1 + inner..)
            .filter(|rest| !rest.is_empty())?
            .join("/");
        SOURCES.iter().find_map(|extension| {
            let source = index
                .repo
                .find(&format!("{package}src/{rest}.{extension}"))?;
            (source != file).then_some(source)
        })
    })
}
