//! `cargo xtask test`: everything that has to hold before a change lands.
//!
//! The page and the native programs are built at the same time, while the rest is prepared: much of
//! either build is one long compilation or link at a time, which leaves a core idle. Lints run
//! natively alone: only the start of each program and one kernel are for wasm32 alone, and checking
//! all dependencies for it takes minutes.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Instant;

use crate::compiler::Role;
use crate::shell::{Result, output, run, stage, version};
use crate::{build, fixtures, invariants, prepare, services, workflows};
use xtask::paths;

/// Archives for the browser tests and for `cli/tests/packages.rs`.
const STORIES: [&str; 9] = [
    "django-5.2.4.tar.gz",
    "requests-2.31.0.tar.gz",
    "requests-2.32.5.tar.gz",
    "flask-3.1.1.tar.gz",
    "express-5.1.0.tgz",
    "axum-0.8.8.crate",
    "rxjs-7.8.2.tgz",
    "trpc-server-11.0.0.tgz",
    "immer-10.1.1.tgz",
];

/// Which tests run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    Usual,
    /// Also those marked as ignored: what they need takes minutes to build.
    All,
}

impl Extent {
    /// The extent that a command's arguments ask for: none, or `--all`.
    pub fn of(args: &[String]) -> Result<Self> {
        match args {
            [] => Ok(Self::Usual),
            [flag] if flag == "--all" => Ok(Self::All),
            _ => Err(format!("only --all can be added, not {}", args.join(" "))),
        }
    }
}

/// The argument with which this program runs the page's stages in a second process.
const PAGE: &str = "--page";

/// Runs the tests; `args` are empty or `--all`.
pub fn run_all(args: &[String]) -> Result {
    let mut times = Vec::new();
    let result = match args {
        [flag] if flag == PAGE => page_stages(&mut times),
        _ => stages(&mut times, Extent::of(args)?),
    };
    println!("\nTime of each stage:");
    for (name, seconds) in &times {
        println!("{seconds:7.0} s  {name}");
    }
    println!(
        "{:7.0} s  together",
        times.iter().map(|(_, seconds)| seconds).sum::<f64>()
    );
    result
}

/// The native build needs nothing that is prepared here, so it runs from the start; the page's
/// begins as soon as its tools are there. What is downloaded meanwhile costs no time.
fn stages(times: &mut Vec<(String, f64)>, extent: Extent) -> Result {
    stage(times, "format", || {
        run(cargo().args(["fmt", "--all", "--check"]))
    })?;
    stage(times, "invariants", invariants::run_all)?;
    let native = Beside::start("native", &mut native_build()?)?;
    stage(times, "prepare the build", || {
        prepare::for_build().map(drop)
    })?;
    let page = Beside::start("page", Command::new(paths::own()?).args(["test", PAGE]))?;
    stage(times, "prepare the tests", || {
        prepare::for_browser()?;
        prepare::for_gpu()?;
        prepare::for_python()?;
        fixtures::fetch(&STORIES)?;
        services::install(extent)
    })?;
    stage(times, "workflows", workflows::check)?;
    let native = native.end(times);
    // While the page is linked, which keeps one core busy.
    let native = native.and_then(|()| stage(times, "native tests", || native_tests(extent)));
    // Waits for it in any case: its output says whether the page is at fault too.
    let page = page.end(times);
    native.and(page)?;
    stage(times, "browser tests", || browser_tests(extent))
}

/// A command that runs beside others; its output is printed in one piece when it ends. If this
/// program fails first, the command is stopped.
struct Beside {
    name: &'static str,
    process: Child,
    log: PathBuf,
    start: Instant,
}

impl Beside {
    fn start(name: &'static str, command: &mut Command) -> Result<Self> {
        let log = paths::target().join(format!("test-{name}.log"));
        let io = |error: std::io::Error| format!("{error}: {}", log.display());
        std::fs::create_dir_all(paths::target()).map_err(io)?;
        let output = File::create(&log).map_err(io)?;
        let process = command
            .stdout(output.try_clone().map_err(io)?)
            .stderr(output)
            .spawn()
            .map_err(|error| format!("{command:?} could not be started: {error}"))?;
        println!(
            "The {name} build runs beside this; its output goes to {}",
            log.display()
        );
        let start = Instant::now();
        Ok(Self {
            name,
            process,
            log,
            start,
        })
    }

    fn end(mut self, times: &mut Vec<(String, f64)>) -> Result {
        let name = format!("waiting for the {} build", self.name);
        stage(times, &name, || {
            let status = self.process.wait().map_err(|error| error.to_string())?;
            println!("{}", std::fs::read_to_string(&self.log).unwrap_or_default());
            println!("{:.0} s since it began", self.start.elapsed().as_secs_f64());
            match status.success() {
                true => Ok(()),
                false => Err(format!("{status}: see above")),
            }
        })
    }
}

impl Drop for Beside {
    /// Ends it with all that it started, unless it has ended: what still compiles would write the
    /// files of the next build.
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            end_tree(self.process.id());
            let _ = self.process.wait();
        }
    }
}

fn end_tree(id: u32) {
    let id = id.to_string();
    let children = output(Command::new("pgrep").args(["-P", &id])).unwrap_or_default();
    let _ = Command::new("kill").arg(&id).status();
    for child in children.lines().filter_map(|line| line.parse().ok()) {
        end_tree(child);
    }
}

fn page_stages(times: &mut Vec<(String, f64)>) -> Result {
    let tools = prepare::for_build()?;
    stage(times, "page and workers", || build::page(&tools))
}

/// Builds everything native, and lints and documents it on the way.
fn native_build() -> Result<Command> {
    let mut command = linted()?;
    command.args(["build", "--workspace", "--all-targets"]);
    Ok(command)
}

fn cargo() -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(paths::root());
    command
}

/// Cargo with a compiler that lints and documents. Every command that compiles or runs native tests
/// uses it, so that each finds what the one before built.
fn linted() -> Result<Command> {
    let mut command = cargo();
    command.envs(Role::Linted.environment()?);
    Ok(command)
}

/// Runs with nextest if it is installed, else with cargo's own runner. Both runs name the whole
/// workspace, so that the second finds everything built.
fn native_tests(extent: Extent) -> Result {
    if version("cargo-nextest").is_some() {
        return nextest("not binary(e2e)", &[], extent);
    }
    run(linted()?
        .args([
            "test",
            "--workspace",
            "--lib",
            "--bins",
            "--test",
            "footnote",
            "--test",
            "ask_example",
            "--test",
            "packages",
            "--test",
            "database",
            "--",
        ])
        .args(ignored(extent, "--include-ignored")))
}

/// The runner's flag for tests marked as ignored.
fn ignored(extent: Extent, flag: &'static str) -> Option<&'static str> {
    (extent == Extent::All).then_some(flag)
}

/// Runs two browsers at a time: on two cores, more would only wait for each other.
fn browser_tests(extent: Extent) -> Result {
    let two = ["--test-threads", "2"];
    if version("cargo-nextest").is_some() {
        return nextest("binary(e2e)", &two, extent);
    }
    run(linted()?
        .args(["test", "--workspace", "--test", "e2e", "--"])
        .args(two)
        .args(ignored(extent, "--include-ignored")))
}

fn nextest(filter: &str, flags: &[&str], extent: Extent) -> Result {
    run(linted()?
        .args([
            "nextest",
            "run",
            "--workspace",
            "--no-fail-fast",
            "-E",
            filter,
        ])
        .args(flags)
        .args(ignored(extent, "--run-ignored=all")))
}
