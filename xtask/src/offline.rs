//! The list of the page's files in `dist/offline.js`, the service worker that stores them.

use std::collections::BTreeMap;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use sha2::{Digest, Sha256};

use crate::shell::Result;
use xtask::{packing, paths};

/// The service worker itself, which the browser stores.
const WORKER: &str = "offline.js";

/// Puts the list of all files in `dist` in front of the text of `public/offline.js`. So a change of
/// any file changes the script, which tells browsers that there is something new.
pub fn list_files() -> Result {
    let dist = paths::dist();
    let mut files = packing::read(&dist)?;
    files.remove(WORKER);
    let hashes = files.iter().map(|(name, bytes)| (name, integrity(bytes)));
    let files: BTreeMap<&String, String> = hashes.collect();
    let list = serde_json::to_string_pretty(&files).map_err(|error| error.to_string())?;
    let source = paths::root().join("public").join(WORKER);
    let text = std::fs::read_to_string(&source).map_err(|error| told(&source, &error))?;
    let target = dist.join(WORKER);
    std::fs::write(&target, format!("const FILES = {list};\n{text}"))
        .map_err(|error| told(&target, &error))
}

/// A hash in the form of subresource integrity.
fn integrity(bytes: &[u8]) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(bytes)))
}

fn told(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_have_the_form_that_browsers_check() {
        // FIPS 180-2, appendix B.1, in base64.
        assert_eq!(
            integrity(b"abc"),
            "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
        );
    }
}
