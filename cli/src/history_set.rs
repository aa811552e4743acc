//! `footnote history-set CLONE OUT_DIR [LAST]`: a question set from a clone's own history, split in
//! time.
//!
//! Writes `OUT_DIR/base.tar.gz`, the repository with its `.git` as it was before the last `LAST`
//! commits (default 40); `history.jsonl`, with the subjects of those commits as questions and the
//! files that they touched as answers; and `archives.json`. These are the inputs of `evaluate`.
//! `git` and `tar` do the work.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use footnote_core::eval::Item;

use crate::Result;

const ARCHIVE: &str = "clone:base@0";
/// Subjects with fewer words, and commits with more files, do not make an answerable question.
const LEAST_WORDS: usize = 3;
const MOST_FILES: usize = 10;

/// Makes a question set for `evaluate` from a clone's last commits
#[derive(clap::Args)]
pub struct Args {
    /// A git clone
    clone: PathBuf,
    /// The folder to write the set and the archive to
    out_dir: PathBuf,
    /// How many commits to ask about
    #[arg(default_value_t = 40)]
    last: usize,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let (clone, out) = (args.clone.as_path(), args.out_dir.as_path());
    let base = base(clone, args.last)?;
    pack(clone, out, &base)?;
    let items = questions(clone, &base)?;
    let lines: Vec<String> = items
        .iter()
        .map(serde_json::to_string)
        .collect::<std::result::Result<_, _>>()?;
    std::fs::write(out.join("history.jsonl"), lines.join("\n") + "\n")?;
    let archives = serde_json::json!({ ARCHIVE: {
        "registry": "clone", "name": "base", "version": "0", "file": "base.tar.gz", "sha256": "",
    }});
    std::fs::write(out.join("archives.json"), archives.to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// The newest commit of the main line that has `last` commits after it.
fn base(clone: &Path, last: usize) -> Result<String> {
    let line = git(clone, &["rev-list", "--first-parent", "HEAD"])?;
    for commit in line.lines() {
        let after = git(
            clone,
            &[
                "rev-list",
                "--no-merges",
                "--count",
                &format!("{commit}..HEAD"),
            ],
        )?;
        if after.trim().parse::<usize>()? >= last {
            return Ok(commit.to_owned());
        }
    }
    Err("the history is too short".into())
}

fn pack(clone: &Path, out: &Path, base: &str) -> Result<()> {
    std::fs::create_dir_all(out)?;
    let (from, to) = (clone.display().to_string(), out.join("base"));
    let _ = std::fs::remove_dir_all(&to);
    git(out, &["clone", "-q", "--no-hardlinks", &from, "base"])?;
    git(&to, &["reset", "-q", "--hard", base])?;
    output(
        Command::new("tar")
            .current_dir(out)
            .args(["czf", "base.tar.gz", "base"]),
    )?;
    Ok(())
}

fn questions(clone: &Path, base: &str) -> Result<Vec<Item>> {
    let known = git(clone, &["ls-tree", "-r", "--name-only", base])?;
    let known: BTreeSet<&str> = known.lines().collect();
    let log = git(
        clone,
        &[
            "log",
            "--no-merges",
            "--format=%H %s",
            &format!("{base}..HEAD"),
        ],
    )?;
    let mut items = Vec::new();
    for (commit, subject) in log.lines().filter_map(|line| line.split_once(' ')) {
        let touched = git(
            clone,
            &["diff-tree", "--no-commit-id", "--name-only", "-r", commit],
        )?;
        let gold: Vec<String> = touched
            .lines()
            .filter(|path| known.contains(path))
            .map(str::to_owned)
            .collect();
        let is_question = subject.split_whitespace().count() >= LEAST_WORDS;
        if is_question && (1..=MOST_FILES).contains(&gold.len()) {
            items.push(Item {
                id: commit.to_owned(),
                archive: ARCHIVE.to_owned(),
                query: subject.to_owned(),
                gold_files: gold,
                gold_spans: Vec::new(),
                category: None,
                reference_answer: None,
                source: None,
            });
        }
    }
    Ok(items)
}

fn git(folder: &Path, args: &[&str]) -> Result<String> {
    output(Command::new("git").current_dir(folder).args(args))
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
