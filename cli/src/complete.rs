//! `footnote complete ARCHIVE --code FILE`: what a piece of unfinished code needs from a
//! repository, asked as the page asks it.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use footnote_core::search::unfinished::{LAST_LINES, question};

use crate::{Result, archive, ask};

/// Finds what unfinished code needs from a repository, and where that is defined
#[derive(clap::Args)]
pub struct Args {
    /// A zip, tar, tar.gz, crate or whl file, or a folder
    archive: PathBuf,
    /// The unfinished code, up to where it stops; `-` reads it from standard input
    #[arg(long, value_name = "FILE")]
    code: PathBuf,
    /// The path that the code has or will have in the repository, or its language; by default the
    /// name of FILE
    #[arg(long = "as", value_name = "PATH")]
    tag: Option<String>,
    /// How many of the last lines count most
    #[arg(long, value_name = "N", default_value_t = LAST_LINES, value_parser = lines)]
    lines: usize,
    /// Prints the answer as JSON
    #[arg(long)]
    json: bool,
}

/// Returns exit status 1 if the code needs nothing that the repository has.
pub fn run(args: &Args) -> Result<ExitCode> {
    let is_standard = args.code.as_os_str() == "-";
    let code = match is_standard {
        true => {
            let mut code = String::new();
            std::io::stdin().read_to_string(&mut code)?;
            code
        }
        false => archive::read_text(&args.code)?,
    };
    if code.trim().is_empty() {
        return Err(
            "there is no code: name a file with --code, or pipe the code to `--code -`".into(),
        );
    }
    let tag = match (&args.tag, is_standard) {
        (Some(tag), _) => tag.clone(),
        (None, true) => String::new(),
        (None, false) => extension(&args.code),
    };
    let asked = question(&code, &tag, args.lines);
    ask::run_without_model(&args.archive, &asked, args.json)
}

/// The name of a file outside the repository tells its language, but not its place.
fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().into_owned()
}

/// Parses the number of lines.
fn lines(written: &str) -> std::result::Result<usize, String> {
    match written.parse() {
        Ok(n @ 1..=200) => Ok(n),
        _ => Err("a number from 1 to 200".to_owned()),
    }
}
