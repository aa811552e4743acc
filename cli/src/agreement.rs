//! `footnote agreement SET.jsonl FILE…`: what several people said about the questions of a set,
//! side by side, and how far they agree.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use footnote_core::eval::set::{digest, parse_set};
use footnote_core::lab::agreement::{
    Agreement, Annotations, Levels, Merged, Report, Review, SCORES, merge, read,
};

use crate::{Result, archive};

/// The most disputed questions listed.
const LISTED: usize = 20;

/// Reports how far several people agree on the questions of a set
#[derive(clap::Args)]
pub struct Args {
    /// The question set
    set: PathBuf,
    /// The files of annotators, one per person
    files: Vec<PathBuf>,
    /// Prints a blank review file for a person of this name to fill in, instead
    #[arg(long, value_name = "NAME", conflicts_with = "files")]
    begin: Option<String>,
    /// Prints the coefficients as JSON
    #[arg(long)]
    json: bool,
}

/// Fails with fewer than two people: there is nothing to agree on.
pub fn run(args: &Args) -> Result<ExitCode> {
    let text = archive::read_text(&args.set)?;
    let items = parse_set(&text)?;
    let ids: BTreeSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
    let set = digest(&text);
    let mut out = std::io::stdout().lock();
    if let Some(name) = &args.begin {
        let blank = |id: &&str| (*id).to_owned();
        let reviews = ids.iter().map(blank).map(|id| {
            (
                id.clone(),
                Review {
                    id,
                    ..Review::default()
                },
            )
        });
        let file = Annotations {
            annotator: name.clone(),
            set,
            reviews: reviews.collect(),
        };
        out.write_all(file.to_jsonl().as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut all = Vec::new();
    for path in &args.files {
        all.push(annotations(path, &set, &ids)?);
    }
    let merged = merge(all);
    if merged.annotators.len() < 2 {
        return Err(
            "at least two people are needed: name one file for each, made with --begin NAME".into(),
        );
    }
    let report = merged.agreement();
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string_pretty(&report.to_json())?)?,
        false => print(&mut out, &merged, &report)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads one person's file; reports what is left out.
fn annotations(path: &Path, set: &str, ids: &BTreeSet<&str>) -> Result<Annotations> {
    let mut err = std::io::stderr().lock();
    let name = path.display();
    let reading = read(&archive::read_text(path)?, set, |id| ids.contains(id));
    let reading = reading.map_err(|error| format!("{name}: {error}"))?;
    for rejected in &reading.rejected {
        writeln!(
            err,
            "{name}:{}: left out: {}",
            rejected.line, rejected.reason
        )?;
    }
    for (line, review) in &reading.unknown {
        writeln!(
            err,
            "{name}:{line}: left out: the set has no question {}",
            review.id
        )?;
    }
    if reading.repeated > 0 {
        let n = reading.repeated;
        writeln!(
            err,
            "{name}: questions reviewed more than once: {n}; the last review counts"
        )?;
    }
    if reading.is_of_another_set {
        writeln!(
            err,
            "{name}: made for another set; only ids that are also in this one count"
        )?;
    }
    Ok(reading.annotations)
}

fn print(out: &mut impl Write, merged: &Merged, report: &Report) -> Result<()> {
    writeln!(
        out,
        "All {} people together (Krippendorff's alpha):",
        merged.annotators.len()
    )?;
    writeln!(out, "  {:<14} {}", "keep", told(&report.keep))?;
    writeln!(out, "  {:<14} {}", "rating", levels(&report.rating))?;
    for (scale, score) in SCORES.iter().zip(&report.scores) {
        writeln!(out, "  {:<14} {}", scale.key, levels(score))?;
    }
    writeln!(
        out,
        "\nBy pair (Cohen's kappa; for ratings, weighted by the square):"
    )?;
    for pair in &report.pairs {
        let who = format!("{} and {}", pair.first, pair.second);
        let (keep, rating) = (told(&pair.keep), told(&pair.rating));
        writeln!(out, "  {who}: keep {keep}; rating {rating}")?;
    }
    let disputed = merged.questions.iter().filter(|it| it.is_disputed());
    let disputed: Vec<_> = disputed.collect();
    if !disputed.is_empty() {
        writeln!(out, "\nDisputed, most disputed first ({}):", disputed.len())?;
    }
    for question in disputed.iter().take(LISTED) {
        let rated = question.reviews.iter().map(|review| {
            let rating = review.as_ref().and_then(|review| review.rating);
            rating.map_or("–".to_owned(), |rating| rating.to_string())
        });
        let keep = if question.is_contested {
            ", keep or delete"
        } else {
            ""
        };
        let rated: Vec<String> = rated.collect();
        writeln!(out, "  {} rated {}{keep}", question.id, rated.join(" / "))?;
    }
    Ok(())
}

fn levels(levels: &Levels) -> String {
    format!(
        "ordinal {}, interval {}",
        told(&levels.ordinal),
        told(&levels.interval)
    )
}

/// The coefficient, or why there is none; then how often all said the same.
fn told(agreement: &Agreement) -> String {
    let value = match &agreement.coefficient {
        Ok(value) => format!("{value:.3}"),
        Err(why) => why.to_string(),
    };
    let agreed = agreement
        .agreed
        .map(|share| format!(", the same in {:.0} %", share * 100.0));
    format!(
        "{value} (n = {}{})",
        agreement.n,
        agreed.unwrap_or_default()
    )
}
