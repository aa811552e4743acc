//! `cargo xtask sample`: packs `tests/fixtures/sample-repository` into the archive that visitors
//! without one at hand can try. The same files always give the same bytes.

use std::path::PathBuf;

use zip::CompressionMethod;

use crate::shell::Result;
use xtask::packing;
use xtask::paths;

/// The single top folder, as in an archive downloaded from a code host.
const TOP_FOLDER: &str = "courier-1.4.0";

/// Writes `public/samples/courier.zip`.
pub fn run() -> Result {
    let archive = archive_path();
    let folder = archive.parent().unwrap_or(&archive);
    let bytes = pack()?;
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&archive, bytes))
        .map_err(|error| format!("{error}: {}", archive.display()))?;
    println!("wrote {}", archive.display());
    Ok(())
}

fn sources() -> PathBuf {
    paths::root().join("tests/fixtures/sample-repository")
}

fn archive_path() -> PathBuf {
    paths::root().join("public/samples/courier.zip")
}

/// The sources as a zip. They are not compressed, since another version of the compressor may give
/// other bytes.
fn pack() -> Result<Vec<u8>> {
    packing::pack(
        TOP_FOLDER,
        &packing::read(&sources())?,
        CompressionMethod::Stored,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_is_up_to_date_with_its_files() {
        let packed = pack().unwrap();
        let kept = std::fs::read(archive_path()).unwrap();
        assert!(packed == kept, "run `cargo xtask sample`");
    }
}
