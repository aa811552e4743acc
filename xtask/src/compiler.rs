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
    /// Compiles with Clippy, which lints on the way, then documents the crate, and refuses warnings
    /// of both. `cargo clippy` and `cargo doc` would read every dependency once more.
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

/// The command that documents what `args` compile; `None` for tests, examples, benchmarks, programs
/// of one file and build scripts, and if nothing is compiled.
fn documentation(args: &[String]) -> Option<Command> {
    let source = args.iter().find(|it| it.ends_with(".rs"))?;
    // Programs of one file have little to document, and loading their libraries takes ten seconds.
    let is_aside = ["/examples/", "/benches/", "/src/bin/", "build.rs"];
    let has = |flag: &str| args.iter().any(|argument| argument == flag);
    if has("--test") || !has("--crate-name") || is_aside.iter().any(|at| source.contains(at)) {
        return None;
    }
    let mut command = Command::new("rustdoc");
    let name = source.replace(['/', '\\', '.'], "-");
    let mut args = args.iter();
    while let Some(argument) = args.next() {
        match argument.as_str() {
            "--out-dir" => _ = args.next(),
            emit if emit.starts_with("--emit") => {}
            known => _ = command.arg(known),
        }
    }
    // A folder of its own: in a shared one, each crate would write the search index of all again.
    command.arg("--out-dir");
    command.arg(paths::target().join("documented").join(name));
    // Private items are documented too, so links to them lead somewhere.
    command.args(["--document-private-items", "-D", "warnings"]);
    command.args(["-A", "rustdoc::private_intra_doc_links"]);
    Some(command)
}

/// Runs the compiler if cargo called this program instead of it: `args` are the compiler's path and
/// arguments.
pub fn run(args: &[String]) -> Option<ExitCode> {
    let name = std::env::var(AS_COMPILER).ok()?;
    let role = Role::ALL.into_iter().find(|role| role.name() == name)?;
    let (compiler, rest) = args.split_first()?;
    let compile = role.command(compiler, rest);
    let document = match role {
        Role::Linted => documentation(rest),
        Role::Relaxed => None,
    };
    let mut commands = std::iter::once(compile).chain(document);
    Some(match commands.all(succeeds) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Runs a command that says itself what is wrong.
fn succeeds(mut command: Command) -> bool {
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            let program = command.get_program().to_string_lossy();
            eprintln!(
                "xtask: {program} could not be started: {error}. If it is Clippy that is missing, \
                 “rustup component add clippy” installs it."
            );
            false
        }
    }
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

    #[test]
    fn libraries_and_programs_with_modules_are_documented_and_nothing_else() {
        let called = |args: &str| {
            let args: Vec<String> = args.split(' ').map(str::to_owned).collect();
            documentation(&args).map(|command| format!("{command:?}"))
        };
        let library = "--crate-name a a/src/lib.rs --emit=metadata,link --out-dir x --cfg y";
        let documented = called(library).unwrap();
        assert!(
            documented.starts_with(r#""rustdoc" "--crate-name" "a" "a/src/lib.rs" "--cfg" "y""#)
        );
        assert!(!documented.contains("emit") && !documented.contains("\"x\""));
        assert!(called("--crate-name a a/src/main.rs --crate-type bin").is_some());
        for aside in [
            "--crate-name a a/src/lib.rs --test",
            "--crate-name ask a/examples/ask.rs",
            "--crate-name bm25 a/benches/bm25.rs",
            "--crate-name fuzz a/src/bin/fuzz.rs",
            "--crate-name build_script_build a/build.rs",
            "-vV",
            "- --crate-name ___ --print=file-names",
        ] {
            assert_eq!(called(aside), None, "{aside}");
        }
    }
}
