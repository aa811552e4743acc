//! The native program `footnote`, run as its users run it: to index archives, and to serve them
//! with the page.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Stdio};

use serde_json::Value;

use crate::process::Owned;

/// The program, which lies beside this one, or beside the folder of the test programs.
fn program() -> PathBuf {
    let own = std::env::current_exe().expect("this program's path");
    let folders = own.ancestors().skip(1).take(2);
    let mut programs = folders.map(|folder| folder.join("footnote"));
    let program = programs.find(|program| program.is_file());
    program.unwrap_or_else(|| panic!("build footnote first: cargo build --workspace"))
}

/// The program with these arguments.
pub fn footnote<I: AsRef<OsStr>>(args: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new(program());
    command.args(args).stdin(Stdio::null());
    command.env_remove("FOOTNOTE_DATABASE");
    command
}

/// Runs the program to its end and returns what it printed.
///
/// # Panics
/// If it fails; the message holds what it said.
pub fn run<I: AsRef<OsStr>>(args: impl IntoIterator<Item = I>) -> String {
    let done = footnote(args).output().expect("the program starts");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{}: {said}", done.status);
    String::from_utf8_lossy(&done.stdout).trim().to_owned()
}

/// A running `footnote serve`; it ends when dropped.
pub struct Served {
    address: String,
    _process: Owned,
    /// Closed, it would end the server's log.
    _log: BufReader<ChildStderr>,
}

impl Served {
    /// Starts a server on a free port, with the built page and these further arguments.
    pub fn start<I: AsRef<OsStr>>(args: impl IntoIterator<Item = I>) -> Self {
        let mut command = footnote(["serve", "--port", "0", "--page"]);
        command.arg(xtask::paths::dist()).args(args);
        let mut child: Child = command
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut log = BufReader::new(child.stderr.take().expect("its log"));
        let process = Owned(child);
        loop {
            let mut line = String::new();
            let read = log.read_line(&mut line).expect("a log");
            assert_ne!(read, 0, "the server ended");
            let said: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
            if let Some(address) = said["address"].as_str() {
                let port = address.rsplit(':').next().unwrap_or_default();
                return Self {
                    address: format!("http://localhost:{port}"),
                    _process: process,
                    _log: log,
                };
            }
        }
    }

    /// The address to open, such as `http://localhost:8080`.
    pub fn url(&self) -> &str {
        &self.address
    }
}
