//! This program in the place of the compiler. Cargo calls a wrapper for the workspace's own crates
//! and no others, so the dependencies come from the usual builds.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::page::binary::TARGET;
use crate::shell::Result;
use xtask::paths;

/// Set when cargo calls this program as its compiler: the name of a [`Role`].
const AS_COMPILER: &str = "FOOTNOTE_XTASK_AS_COMPILER";

/// What this program does in the place of the compiler.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Compiles with relaxed vector instructions.
    Relaxed,
    /// Compiles with Clippy, which lints on the way, and refuses warnings. To check first and then
    /// compile would read every crate twice.
    Linted,
}

impl Role {
    const ALL: [Self; 2] = [Self::Relaxed, Self::Linted];

    fn name(self) -> &'static str {
        match self {
            Self::Relaxed => "relaxed",
            Self::Linted => "linted",
        }
    }

    /// What cargo needs in its environment.
    pub fn environment(self) -> Result<[(&'static str, &'static Path); 2]> {
        Ok([
            ("RUSTC_WORKSPACE_WRAPPER", paths::own()?),
            (AS_COMPILER, Path::new(self.name())),
        ])
    }

    /// The command that compiles: `compiler` is what cargo would have called, with `args`.
    fn command(self, compiler: &str, args: &[String]) -> Command {
        // Build scripts run here, where the feature is unknown.
        let is_for_wasm = args.iter().any(|argument| argument.contains(TARGET));
        let (mut command, added): (Command, &[&str]) = match self {
            Self::Relaxed if is_for_wasm => (
                Command::new(compiler),
                &["-C", "target-feature=+relaxed-simd"],
            ),
            Self::Relaxed => (Command::new(compiler), &[]),
            Self::Linted => {
                let mut driver = Command::new("clippy-driver");
                driver.arg(compiler);
                (driver, &["-D", "warnings"])
            }
        };
        command.args(args).args(added);
        command
    }
}

/// Runs the compiler if cargo called this program instead of it: `args` are the compiler's path and
/// arguments.
pub fn run(args: &[String]) -> Option<ExitCode> {
    let name = std::env::var(AS_COMPILER).ok()?;
    let role = Role::ALL.into_iter().find(|role| role.name() == name)?;
    let (compiler, rest) = args.split_first()?;
    let mut command = role.command(compiler, rest);
    Some(match command.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        // The compiler has said why.
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            let program = command.get_program().to_string_lossy();
            eprintln!(
                "xtask: {program} could not be started: {error}. If it is Clippy that is missing, \
                 “rustup component add clippy” installs it."
            );
            ExitCode::FAILURE
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_calls_its_compiler_with_what_it_adds() {
        let wasm = ["--target", TARGET].map(str::to_owned);
        let called = |role: Role, args: &[String]| format!("{:?}", role.command("rustc", args));
        assert_eq!(
            called(Role::Relaxed, &wasm),
            format!("\"rustc\" \"--target\" \"{TARGET}\" \"-C\" \"target-feature=+relaxed-simd\"")
        );
        assert_eq!(called(Role::Relaxed, &[]), "\"rustc\"", "a build script");
        assert_eq!(
            called(Role::Linted, &[]),
            "\"clippy-driver\" \"rustc\" \"-D\" \"warnings\""
        );
    }
}
