//! Files that a build made of sources in the same package: `dist/cjs/map.js` of `src/map.ts`.

use crate::index::Index;
use crate::source::FileId;

/// Folders of what is built.
const FOLDERS: [&str; 8] = ["dist", "build", "lib", "out", "esm", "cjs", "es", "umd"];

/// Extensions of what is built, the longer ones first.
const BUILT: [&str; 6] = [".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"];

/// Extensions of sources.
const SOURCES: [&str; 7] = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs"];

/// Folders below that of what is built that may be left out: one a kind of module, for example.
const MAX_INNER: usize = 2;

/// The source of a built file; `None` if it was not built, or if `name` asks for just that folder.
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
