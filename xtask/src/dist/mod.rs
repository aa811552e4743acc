//! The page as one archive, ready for any file server: the static site with the licences of all
//! that is in it, a bill of materials and checksums.

mod licences;
mod materials;
mod packages;

use std::fmt::Write as _;
use std::path::PathBuf;

use sha2::{Digest, Sha256};
use zip::CompressionMethod;

use crate::packing::{self, Files};
use crate::paths;
use crate::server::FRAMED_BY_NOBODY;

/// The version of Footnote.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// An archive and its name.
pub struct Package {
    /// Such as `footnote-1.0.0`: its only folder.
    pub name: String,
    /// The zip file.
    pub bytes: Vec<u8>,
}

/// Packs what is built in `dist`. The same files and lock file give the same bytes.
///
/// # Errors
/// Says what cannot be read.
pub fn pack() -> Result<Package, String> {
    let mut files = packing::read(&paths::dist())?;
    if !files.contains_key("index.html") {
        return Err("the page is not built: run `cargo xtask build`".to_owned());
    }
    let packages = packages::of_page()?;
    let models = materials::models(&files)?;
    let mut add = |name: &str, text: String| files.insert(name.to_owned(), text.into_bytes());
    add("LICENCES.txt", licences::text(&packages)?);
    add("sbom.cdx.json", materials::bill(&packages, &models)?);
    add("_headers", headers());
    let sums = sums(&files);
    files.insert("SHA256SUMS".to_owned(), sums.into_bytes());
    let name = format!("footnote-{VERSION}");
    let bytes = packing::pack(&name, &files, CompressionMethod::Deflated)?;
    Ok(Package { name, bytes })
}

/// Packs and writes `target/footnote-VERSION.zip`; its path and its SHA-256.
///
/// # Errors
/// Says what cannot be read or written.
pub fn write() -> Result<(PathBuf, String), String> {
    let Package { name, bytes } = pack()?;
    let path = paths::target().join(format!("{name}.zip"));
    std::fs::write(&path, &bytes).map_err(|error| format!("{error}: {}", path.display()))?;
    Ok((path, sha256(&bytes)))
}

/// The headers that some hosts read from a file of this name and send with each answer. The rest of
/// the page's policy is in `seal.js`. Names stay the same from version to version, so browsers have
/// to ask whether there is a newer file.
fn headers() -> String {
    format!(
        "/*\n  Content-Security-Policy: {FRAMED_BY_NOBODY}\n  X-Content-Type-Options: nosniff\n  \
         Cache-Control: no-cache\n"
    )
}

/// Checksums in the form that `sha256sum --check` reads.
fn sums(files: &Files) -> String {
    let mut text = String::new();
    for (path, bytes) in files {
        // Writing to a text does not fail.
        let _ = writeln!(text, "{}  {path}", sha256(bytes));
    }
    text
}

/// The SHA-256 digest in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_give_the_same_bytes_and_checksums_that_sha256sum_reads() {
        let files = Files::from([
            ("b/c.txt".to_owned(), b"abc".to_vec()),
            ("a.txt".to_owned(), Vec::new()),
        ]);
        let pack = || packing::pack("top", &files, CompressionMethod::Deflated).unwrap();
        assert!(pack() == pack());
        assert_eq!(
            sums(&files),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt\n\
             ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b/c.txt\n"
        );
    }
}
