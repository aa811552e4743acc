//! `cargo xtask COMMAND`: all automation of Footnote. `docs/measuring.md` lists the commands.
// This program talks to a person at a terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod bench_browser;
mod build;
mod compiler;
mod fixtures;
mod fuzz;
mod invariants;
mod models;
mod offline;
mod page;
mod prepare;
mod recipe;
mod relaxed;
mod sample;
mod serve;
mod services;
mod shell;
mod test;
mod wasm_libc;
mod workflows;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask serve          prepare, build the release page, serve it on http://localhost:8080
cargo xtask test           prepare, then every check and test; --all: those too that build for minutes
cargo xtask invariants     check the rules of docs/architecture.md: dependencies, names, lengths, packages, documents
cargo xtask build          prepare and build the release page into dist/
cargo xtask dist           build, and pack the page with licences, bill of materials and checksums
cargo xtask fixtures       download the archives that tests and measurements use
cargo xtask fuzz           feed odd input to what reads input of others; [TARGET…] [--minutes N] [--seed N]
cargo xtask bench-browser  measure the built page in headless Chromium
cargo xtask models         build the embedding model from its published weights
cargo xtask models code-lm train the code language model from published packages; hours
cargo xtask models code-table train the static encoder from published packages; an hour
cargo xtask services       install the services of the tests; --all: llama.cpp too, from source; postgres: run that one
cargo xtask sample         pack the sample repository that the page offers";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some(code) = compiler::run(&args) {
        return code;
    }
    // Noted before a build replaces the file; whoever needs it reports the error.
    let _ = xtask::paths::own();
    let (command, rest) = args
        .split_first()
        .map_or(("", &args[..]), |(first, rest)| (first.as_str(), rest));
    let result = match command {
        "serve" => serve::run_all(),
        "test" => test::run_all(rest),
        "invariants" => invariants::run_all(),
        "build" => build::run_all(),
        "dist" => build::dist(),
        "bench-browser" => bench_browser::run_all(rest),
        "models" => match rest.split_first() {
            Some((name, stages)) if recipe::NAMES.contains(&name.as_str()) => {
                recipe::run_all(name, stages)
            }
            _ => models::run_all(),
        },
        "services" => services::run_all(rest),
        "sample" => sample::run(),
        "fixtures" => fixtures::run_all(rest),
        "fuzz" => fuzz::run_all(rest),
        _ => Err(format!("say what to do:\n{USAGE}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
