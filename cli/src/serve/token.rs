//! `footnote token`: makes, lists and revokes the tokens of a server's users.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::tokens;
use crate::Result;

/// Makes, lists and revokes tokens for `footnote serve`
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Makes a token and prints it once
    New {
        /// Who will use it
        name: String,
        /// The groups whose repositories it may read, besides the public ones
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        groups: Vec<String>,
        #[command(flatten)]
        file: TokenFile,
    },
    /// Lists names and groups
    List {
        #[command(flatten)]
        file: TokenFile,
    },
    /// Removes a token; a running server refuses it from the next request on
    Revoke {
        name: String,
        #[command(flatten)]
        file: TokenFile,
    },
}

#[derive(clap::Args)]
struct TokenFile {
    /// The file of tokens
    #[arg(long, value_name = "FILE", default_value = "tokens.jsonl")]
    tokens: PathBuf,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut out = io::stdout();
    match &args.command {
        Command::New { name, groups, file } => {
            let token = tokens::add(&file.tokens, name, groups)?;
            writeln!(out, "{token}")?;
            let hint = "Keep it now: it is stored nowhere. Requests send it as";
            writeln!(io::stderr(), "{hint} `Authorization: Bearer TOKEN`.")?;
        }
        Command::List { file } => {
            for entry in tokens::read(&file.tokens)? {
                let groups: Vec<&str> = entry.groups.iter().map(String::as_str).collect();
                writeln!(out, "{}\t{}", entry.name, groups.join(","))?;
            }
        }
        Command::Revoke { name, file } => tokens::revoke(&file.tokens, name)?,
    }
    Ok(ExitCode::SUCCESS)
}
