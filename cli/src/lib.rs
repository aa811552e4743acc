//! `footnote`, the native program: one file or folder per subcommand, each with its arguments and a
//! function `run`.
//!
//! Exit status: 0 for success; 1 if the answer is no (`ask` or `complete` found nothing, `verify`
//! found a citation that is contradicted, rejected or outside the evidence, `judge` found a judge
//! that says nothing, `teach` brought no gain, `push --delete` nothing to delete, `enqueue` shows a
//! job that ended badly, `doctor` found something wrong); 2 if the command could not be carried
//! out: wrong usage, a file that cannot be read.

mod agreement;
mod answers;
mod archive;
mod ask;
mod changes;
mod complete;
pub mod database;
mod describe;
mod enqueue;
mod evaluate;
mod export;
pub mod gpu;
mod graph;
mod hex;
mod history_set;
pub mod index;
mod json_lines;
mod judge;
pub mod model;
mod push;
mod questions;
mod reading;
mod relevance;
mod repobench;
pub mod serve;
mod service;
mod teach;
mod users;
mod vectors;
mod verify;
mod worker;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

/// The result of a subcommand; errors are sentences for the user.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Asks questions about a repository's archive, and measures how good the answers are.
#[derive(Parser)]
#[command(name = "footnote", version, args_override_self = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Ask(ask::Args),
    Changes(changes::Args),
    Complete(complete::Args),
    Describe(describe::Args),
    Verify(verify::Args),
    Evaluate(Box<evaluate::Args>),
    Graph(graph::Args),
    Index(index::Args),
    Questions(questions::Args),
    Teach(teach::Args),
    Export(export::Args),
    Judge(Box<judge::Args>),
    Agreement(agreement::Args),
    Answers(answers::Args),
    Relevance(relevance::Args),
    Repobench(repobench::Args),
    HistorySet(history_set::Args),
    Push(push::Args),
    Users(users::Args),
    Enqueue(enqueue::Args),
    Worker(worker::Args),
    Serve(Box<serve::Args>),
    Token(serve::token::Args),
    Doctor(serve::doctor::Args),
}

/// Runs the program with these arguments; the first is the name of the program.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let (name, result) = match Cli::parse_from(args).command {
        Command::Ask(args) => ("ask", ask::run(&args)),
        Command::Changes(args) => ("changes", changes::run(&args)),
        Command::Complete(args) => ("complete", complete::run(&args)),
        Command::Describe(args) => ("describe", describe::run(&args)),
        Command::Verify(args) => ("verify", verify::run(&args)),
        Command::Evaluate(args) => ("evaluate", evaluate::run(*args)),
        Command::Graph(args) => ("graph", graph::run(&args)),
        Command::Index(args) => ("index", index::run(&args)),
        Command::Questions(args) => ("questions", questions::run(&args)),
        Command::Teach(args) => ("teach", teach::run(&args)),
        Command::Export(args) => ("export", export::run(&args)),
        Command::Judge(args) => ("judge", judge::run(&args)),
        Command::Agreement(args) => ("agreement", agreement::run(&args)),
        Command::Answers(args) => ("answers", answers::run(&args)),
        Command::Relevance(args) => ("relevance", relevance::run(&args)),
        Command::Repobench(args) => ("repobench", repobench::run(&args)),
        Command::HistorySet(args) => ("history-set", history_set::run(&args)),
        Command::Push(args) => ("push", push::run(&args)),
        Command::Users(args) => ("users", users::run(&args)),
        Command::Enqueue(args) => ("enqueue", enqueue::run(&args)),
        Command::Worker(args) => ("worker", worker::run(&args)),
        Command::Serve(args) => ("serve", serve::run(&args)),
        Command::Token(args) => ("token", serve::token::run(&args)),
        Command::Doctor(args) => ("doctor", serve::doctor::run(&args)),
    };
    result.unwrap_or_else(|error| {
        // Without an error output there is nobody to tell.
        let _ = writeln!(std::io::stderr(), "{name}: {error}");
        ExitCode::from(2)
    })
}

/// Runs one subcommand with the arguments of this process, for programs that offer nothing else.
pub fn run_as(subcommand: &str) -> ExitCode {
    let name = ["footnote", subcommand].map(OsString::from);
    run(name.into_iter().chain(std::env::args_os().skip(1)))
}
