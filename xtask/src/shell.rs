//! Running commands, and measuring how long they take.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

pub type Result<T = ()> = std::result::Result<T, String>;

/// Runs a command in the foreground; an error names it.
pub fn run(command: &mut Command) -> Result {
    let shown = shown(command);
    println!("$ {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{status}: {shown}")),
        Err(error) => Err(format!("could not be started ({error}): {shown}")),
    }
}

/// Runs a command and returns what it printed, trimmed.
pub fn output(command: &mut Command) -> Result<String> {
    let shown = shown(command);
    let out = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("could not be started ({error}): {shown}"))?;
    if !out.status.success() {
        return Err(format!("{}: {shown}", out.status));
    }
    Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

/// The first line that `program --version` prints, if it can be run.
pub fn version(program: impl AsRef<OsStr>) -> Option<String> {
    let out = Command::new(program)
        .arg("--version")
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    out.status
        .success()
        .then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

/// Runs `work` as a named stage and records its time.
pub fn stage<T>(
    times: &mut Vec<(String, f64)>,
    name: &str,
    work: impl FnOnce() -> Result<T>,
) -> Result<T> {
    println!("\n=== {name}");
    let start = Instant::now();
    let result = work();
    let seconds = start.elapsed().as_secs_f64();
    println!("=== {name}: {seconds:.0} s");
    times.push((name.to_owned(), seconds));
    result.map_err(|error| format!("{name}: {error}"))
}

/// Writes a file only if its content changes, so that builds that depend on it are not repeated.
pub fn write_if_changed(path: &Path, content: &str) -> Result {
    if std::fs::read_to_string(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{error}: {}", folder.display()))?;
    }
    std::fs::write(path, content).map_err(|error| format!("{error}: {}", path.display()))
}

fn shown(command: &Command) -> String {
    let mut shown = command.get_program().to_string_lossy().into_owned();
    for arg in command.get_args() {
        shown.push(' ');
        shown.push_str(&arg.to_string_lossy());
    }
    shown
}
