//! The C side of a build for wasm32: tree-sitter's grammars are C, and that target has no libc.
//!
//! tree-sitter 0.27 brings its own C subset. The grammar crates need the headers that belong to it,
//! three scanners need a few declarations that those headers lack, and some grammar crates would
//! compile an older copy of the subset, which the newer one replaces: they get empty files instead.
//! Generated lexers are compiled without their loop, which takes seconds instead of minutes.

use std::path::PathBuf;
use std::process::Command;

use crate::shell::{Result, output, version, write_if_changed};
use xtask::paths;

const DECLARATIONS: &str = include_str!("../wasm-libc/footnote_libc.h");
const STEP_LEXER: &str = include_str!("../wasm-libc/step_lexer.h");

/// Writes `.cargo/wasm.toml`, which `.cargo/config.toml` includes, with the absolute paths of this
/// machine.
pub fn write_config(clang: &str, archiver: &str) -> Result {
    let folder = paths::wasm_target().join("wasm-libc");
    let header = folder.join("footnote_libc.h");
    write_if_changed(&header, DECLARATIONS)?;
    let lexer = folder.join("step_lexer.h");
    write_if_changed(&lexer, STEP_LEXER)?;
    for name in ["stdio.c", "stdlib.c", "string.c"] {
        write_if_changed(
            &folder.join(name),
            "// Empty: tree-sitter brings its own C subset.\n",
        )?;
    }
    let headers = language_crate()?.join("wasm/include");
    // Several builds compile the same C files; ccache compiles each once.
    let compiler = match version("ccache") {
        Some(_) => format!("ccache {clang}"),
        None => clang.to_owned(),
    };
    // Forced: what an older version of this file says comes from the cargo that runs this program.
    let config = format!(
        "# Written by `cargo xtask`; not for the repository.\n\
         [target.wasm32-unknown-unknown.tree-sitter-language]\n\
         wasm-headers = {headers:?}\n\
         wasm-src = {folder:?}\n\n\
         [env]\n\
         CC_wasm32_unknown_unknown = {{ value = {compiler:?}, force = true }}\n\
         AR_wasm32_unknown_unknown = {{ value = {archiver:?}, force = true }}\n\
         CFLAGS_wasm32_unknown_unknown = {{ value = \"-I{} -include {} -include {}\", force = true }}\n\
         CCACHE_DIR = {:?}\n\
         CCACHE_NOHASHDIR = \"1\"\n",
        headers.display(),
        header.display(),
        lexer.display(),
        paths::wasm_target().join("ccache"),
    );
    write_if_changed(&paths::root().join(".cargo/wasm.toml"), &config)
}

/// Where cargo unpacked the crate `tree-sitter-language`.
fn language_crate() -> Result<PathBuf> {
    let json = output(Command::new("cargo").current_dir(paths::root()).args([
        "metadata",
        "--format-version=1",
        "--filter-platform=wasm32-unknown-unknown",
        "--locked",
    ]))?;
    let metadata: serde_json::Value =
        serde_json::from_str(&json).map_err(|error| error.to_string())?;
    let packages = metadata["packages"]
        .as_array()
        .ok_or("cargo metadata lists no packages")?;
    packages
        .iter()
        .find(|package| package["name"] == "tree-sitter-language")
        .and_then(|package| package["manifest_path"].as_str())
        .and_then(|manifest| Some(PathBuf::from(manifest).parent()?.to_path_buf()))
        .ok_or_else(|| "the crate tree-sitter-language is not among the dependencies".to_owned())
}
