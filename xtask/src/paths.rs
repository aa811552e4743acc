//! Where things are in a checkout.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The workspace root.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Cargo's target folder: `CARGO_TARGET_DIR` if set, else `target`.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => PathBuf::from(dir),
        None => root().join("target"),
    }
}

/// Builds for wasm32 have a folder of their own, so that they never wait for a native build's lock.
pub fn wasm_target() -> PathBuf {
    match std::env::var_os("FOOTNOTE_WASM_TARGET_DIR") {
        Some(dir) => PathBuf::from(dir),
        None => root().join("target/wasm"),
    }
}

/// Tools that were built or downloaded for this checkout.
pub fn tools() -> PathBuf {
    match std::env::var_os("FOOTNOTE_TOOLS_DIR") {
        Some(dir) => PathBuf::from(dir),
        None => root().join("target/tools"),
    }
}

/// The real services of the tests, each in a Python environment of its own.
pub fn services() -> PathBuf {
    tools().join("services")
}

/// The built page.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// Archives of published packages, for tests and measurements.
pub fn archives() -> PathBuf {
    match std::env::var_os("FOOTNOTE_ARCHIVES") {
        Some(dir) => PathBuf::from(dir),
        None => root().join("target/archives"),
    }
}

/// The file of the running program, as it was named when this was first called: a build may replace
/// the file meanwhile.
pub fn own() -> Result<&'static Path, String> {
    static OWN: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let found = || std::env::current_exe().map_err(|error| format!("where is xtask? {error}"));
    OWN.get_or_init(found)
        .as_deref()
        .map_err(|error| error.clone())
}
