//! The encoder's second build, with relaxed vector instructions. Its flags differ from those of the
//! other programs, so only the workspace's own crates are compiled again.

use crate::compiler::Role;
use crate::page::binary::Binary;
use crate::prepare::Toolchain;
use crate::shell::Result;

/// The files beside the page are `{NAME}.js` and `{NAME}_bg.wasm`; `app/src/platform/workers.rs`
/// chooses between the builds.
pub const NAME: &str = "encoder_relaxed";
/// The program of which this is a second build.
const FIRST: &str = "encoder";

/// The second build of a program, if it has one.
pub fn of(first: &Binary) -> Option<Binary> {
    (first.name == FIRST).then(|| first.named(NAME))
}

/// Builds it into `dist`, after the first build.
pub fn build(tools: &Toolchain, binary: &Binary) -> Result {
    binary.compile(tools, &Role::Relaxed.environment()?)?;
    binary.finish(tools)
}
