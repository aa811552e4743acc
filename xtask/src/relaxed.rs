//! The encoder's second build, with relaxed vector instructions. Its flags differ from those of the
//! other programs.
//!
//! Only the workspace's own crates are compiled again. Cargo calls a wrapper for those and no
//! others: this program, which adds the target feature. The dependencies come from the first build.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::page::binary::{Binary, TARGET};
use crate::prepare::Toolchain;
use crate::shell::Result;

/// The files beside the page are `{NAME}.js` and `{NAME}_bg.wasm`; `app/src/platform/workers.rs`
/// chooses between the builds.
pub const NAME: &str = "encoder_relaxed";
/// The program of which this is a second build.
const FIRST: &str = "encoder";

/// Set when cargo calls this program as its compiler.
const AS_COMPILER: &str = "FOOTNOTE_XTASK_AS_COMPILER";

/// The second build of a program, if it has one.
pub fn of(first: &Binary) -> Option<Binary> {
    (first.name == FIRST).then(|| first.named(NAME))
}

/// Builds it into `dist`, after the first build.
pub fn build(tools: &Toolchain, binary: &Binary) -> Result {
    let own = std::env::current_exe().map_err(|error| format!("where is xtask? {error}"))?;
    binary.build(
        tools,
        &[
            ("RUSTC_WORKSPACE_WRAPPER", &own),
            (AS_COMPILER, Path::new("1")),
        ],
    )
}

/// Runs the compiler if cargo called this program instead of it: `args` are the compiler's path and
/// arguments.
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
