//! `footnote export SET.jsonl`: a question set as the files that tuning tools read, and back.

mod folder;
mod import;
mod preferences;
mod repository;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use footnote_core::eval::{Item, set::parse_set};
use footnote_core::lab::export::{self, FORMATS, Format, Options, Set, Split};
use footnote_core::lab::questions;

use crate::{Result, archive};

/// Writes a question set in the format of another tool, or reads such files back
#[derive(clap::Args)]
pub struct Args {
    /// A question set, one JSON object per line
    #[arg(value_name = "SET.jsonl", required_unless_present_any = ["list", "import"])]
    set: Option<PathBuf>,
    /// One of the formats that --list prints
    #[arg(long, value_name = "NAME", required_unless_present_any = ["list", "import"])]
    format: Option<String>,
    /// The folder to write the files to
    #[arg(long, value_name = "DIR", required_unless_present_any = ["list", "import"])]
    out: Option<PathBuf>,
    /// Overwrites files in the folder even if no earlier export wrote them
    #[arg(long)]
    force: bool,
    /// The share of the questions to measure on; parts of the split share no gold file
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = share)]
    valid: f64,
    /// Another seed splits differently
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The archive or folder that the questions are about: name, version and licence for the card
    #[arg(long, value_name = "ARCHIVE")]
    archive: Option<PathBuf>,
    /// The model to tune, by its Hugging Face name; by default those of the papers
    #[arg(long, value_name = "NAME")]
    base_model: Option<String>,
    /// Pairs of answers: objects with id, question, chosen, rejected and why
    #[arg(long, value_name = "FILE.jsonl")]
    preferences: Option<PathBuf>,
    /// Prints the formats and the tools that read them
    #[arg(long)]
    list: bool,
    /// Reads exported files or folders back instead, and adds to --into what it lacks
    #[arg(long, value_name = "FILES", num_args = 1.., requires = "into", conflicts_with = "set")]
    import: Vec<PathBuf>,
    /// The set to add the imported questions to, or the file to add imported pairs to
    #[arg(long, value_name = "SET.jsonl", requires = "import")]
    into: Option<PathBuf>,
}

/// Returns exit status 1 if no row could be imported.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    if args.list {
        for format in FORMATS {
            writeln!(out, "{:<26} {}", format.name, format.tools)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let format = args.format.as_deref().map(named).transpose()?;
    if let Some(into) = &args.into {
        return import::run(&args.import, format, into, args.archive.as_deref());
    }
    let (Some(set), Some(format), Some(folder)) = (&args.set, format, &args.out) else {
        return Err("name a set, --format and --out, or --import and --into".into());
    };
    write(args, set, format, folder, &mut out)?;
    Ok(ExitCode::SUCCESS)
}

fn named(name: &str) -> Result<&'static Format> {
    export::format(name).ok_or_else(|| {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        format!(
            "there is no format {name}; the formats are {}",
            known.join(", ")
        )
        .into()
    })
}

fn share(text: &str) -> std::result::Result<f64, String> {
    let share: Option<f64> = text.parse().ok().filter(|it| (0.0..1.0).contains(it));
    share.ok_or_else(|| "a share is a number from 0 to below 1, such as .2".to_owned())
}

fn write(
    args: &Args,
    path: &Path,
    format: &Format,
    folder: &Path,
    out: &mut impl Write,
) -> Result<()> {
    let items = read_set(path)?;
    let preferences = preferences::of(format, args.preferences.as_deref(), &items)?;
    let (repository, notes) = repository::of(&items, args.archive.as_deref())?;
    let split = split(&items, args);
    let set = Set {
        items: &items,
        split: &split,
        repository: &repository,
        preferences: &preferences,
        facts: &BTreeMap::new(),
    };
    let options = Options {
        base_model: args.base_model.clone(),
        how_made: Some(export::how_made(&items, args.seed, args.valid)),
        ..Options::default()
    };
    let export = export::export(format, &set, &options)?;
    let old = folder::write(folder, &export.files, args.force)?;
    for file in &export.files {
        let lines = file.text.lines().count();
        writeln!(out, "{:<30} {lines:>6} lines", file.name)?;
    }
    for name in old {
        writeln!(out, "{name:<30} removed: it was from an earlier export")?;
    }
    for note in notes.iter().chain(&export.notes) {
        writeln!(out, "{note}")?;
    }
    let (train, valid) = (split.train.len(), split.valid.len());
    writeln!(
        out,
        "Questions for training: {train}, for validation: {valid}."
    )?;
    Ok(())
}

fn read_set(path: &Path) -> Result<Vec<Item>> {
    parse_set(&archive::read_text(path)?)
        .map_err(|error| format!("{}: {error}", path.display()).into())
}

fn split(items: &[Item], args: &Args) -> Split {
    let questions::Split { train, valid } = questions::split(items, args.valid, args.seed);
    Split {
        train: train.into_iter().collect(),
        valid: valid.into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_below_one_so_that_something_is_left_to_learn_from() {
        assert_eq!(share(".2"), Ok(0.2));
        assert_eq!(share("0"), Ok(0.0));
        for text in ["1", "20", "-.1", "NaN", "a fifth"] {
            assert!(share(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_unknown_format_is_answered_with_the_known_ones() {
        let error = named("massages").err().map(|error| error.to_string());
        assert!(error.is_some_and(|it| it.contains("the formats are messages, ")));
    }
}
