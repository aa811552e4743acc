//! The encoder's second build, with relaxed vector instructions, which Trunk cannot make: its flags are those of the
//! whole page.
//!
//! Only the workspace's own crates are compiled again. Cargo calls a wrapper for those and no others, this program,
//! which adds the target feature; the dependencies are those of the first build.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::prepare::Toolchain;
use crate::shell::{Result, run};
use xtask::paths;

/// The files beside the page are `{NAME}.js` and `{NAME}_bg.wasm`; `app/src/platform/workers.rs` picks them.
pub const NAME: &str = "encoder_relaxed";

const TARGET: &str = "wasm32-unknown-unknown";

/// Set where cargo calls this program as its compiler.
const AS_COMPILER: &str = "FOOTNOTE_XTASK_AS_COMPILER";

/// Builds the encoder into `dist`, as Trunk does: cargo, wasm-bindgen, wasm-opt.
pub fn encoder(tools: &Toolchain) -> Result {
    let own = std::env::current_exe().map_err(|error| format!("where is xtask? {error}"))?;
    run(tools
        .wasm_command("cargo")
        .args(["build", "--release", "--offline", "--target", TARGET])
        .args(["--package", "footnote-app", "--bin", "encoder"])
        .args(["--no-default-features", "--features", "encoder"])
        .env("RUSTC_WORKSPACE_WRAPPER", own)
        .env(AS_COMPILER, "1"))?;
    let built = paths::wasm_target()
        .join(TARGET)
        .join("release/encoder.wasm");
    let bound = paths::wasm_target().join("wasm-bindgen").join(NAME);
    run(tools
        .command("wasm-bindgen")
        .args([
            "--target",
            "no-modules",
            "--no-typescript",
            "--out-name",
            NAME,
            "--out-dir",
        ])
        .args([&bound, &built]))?;
    let wasm = format!("{NAME}_bg.wasm");
    run(tools
        .command("wasm-opt")
        .args(["-O1", "--output"])
        .args([paths::dist().join(&wasm), bound.join(&wasm)]))?;
    copy(&bound, &paths::dist(), &format!("{NAME}.js"))
}

fn copy(from: &Path, to: &Path, name: &str) -> Result {
    let copied = std::fs::copy(from.join(name), to.join(name));
    copied
        .map(drop)
        .map_err(|error| format!("{error}: {}", to.join(name).display()))
}

/// Runs the compiler if cargo called this program instead of it: `args` are its path and arguments.
pub fn as_compiler(args: &[String]) -> Option<ExitCode> {
    std::env::var_os(AS_COMPILER)?;
    let (compiler, rest) = args.split_first()?;
    let is_for_target = rest.iter().any(|argument| argument.contains(TARGET));
    let feature: &[&str] = if is_for_target {
        &["-C", "target-feature=+relaxed-simd"]
    } else {
        &[]
    };
    let status = Command::new(compiler).args(rest).args(feature).status();
    let is_done = status.is_ok_and(|status| status.success());
    Some(if is_done {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
