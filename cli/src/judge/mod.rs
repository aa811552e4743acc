//! `footnote judge PAIRS.jsonl`: a model compares the answers of two sides, and a report says how
//! far it can be trusted. Footnote plans the requests and reads the outputs; with `--service` it
//! also sends the requests.
//!
//! A pair has `id`, `question`, `answers` (of side one and side two) and possibly `reference`. A
//! request has `id`, `system` and `user`, an output `id` and `output`, a rating `id` and
//! `preference`: `one`, `two`, `draw`, or the name of a side.

mod asking;
mod files;
mod shown;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use footnote_core::lab::judge::{
    Answerer, Comparison, Judge, Pair, PlanError, REPETITIONS, Record, Report, Request, Standing,
    plan, remaining, sample_to_rate,
};
use serde_json::json;

use crate::{Result, service};

/// Plans requests to a model that compares pairs of answers, or reports on its outputs
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true))]
pub struct Args {
    /// Pairs of answers, one JSON object per line
    #[arg(value_name = "PAIRS.jsonl")]
    pairs: PathBuf,
    /// Writes the requests to this file, for a service or batch tool to answer; with --outputs,
    /// only those that still lack an output
    #[arg(
        long,
        value_name = "FILE.jsonl",
        group = "what",
        conflicts_with = "service"
    )]
    plan: Option<PathBuf>,
    /// Reads the model's outputs, objects with id and output, and prints the report; with
    /// --service, missing ones are requested first and added to the last file
    #[arg(long, value_name = "FILES", value_delimiter = ',', group = "what")]
    outputs: Vec<PathBuf>,
    /// Prints the ids of this many pairs, drawn at random, to rate by hand
    #[arg(long, value_name = "N", group = "what", conflicts_with_all = ["plan", "outputs", "service"])]
    sample: Option<usize>,
    /// Your own ratings, objects with id and preference: one, two, draw, or the name of a side
    #[arg(long, value_name = "FILE.jsonl", requires = "outputs")]
    ratings: Option<PathBuf>,
    /// The names of the two sides, in the order of `answers`
    #[arg(long, value_name = "A,B", default_value = "side one,side two", value_parser = two)]
    sides: Two,
    /// The models that wrote the answers, in the same order; empty for answers made by code
    #[arg(long, value_name = "A,B", value_parser = two)]
    side_models: Option<Two>,
    /// The temperature to request, if not the service's own
    #[arg(long, value_name = "NUMBER")]
    temperature: Option<f64>,
    /// How often each pair is judged in each order
    #[arg(long, value_name = "N", default_value_t = REPETITIONS)]
    repetitions: u32,
    /// Another seed orders the requests, and draws the sample, differently
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Prints the report as JSON
    #[arg(long, requires = "outputs")]
    json: bool,
    #[command(flatten)]
    service: service::Args,
}

/// Two names, separated by a comma.
#[derive(Clone)]
struct Two([String; 2]);

fn two(text: &str) -> std::result::Result<Two, String> {
    match text.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [one, two] if one != two || one.is_empty() => Ok(Two([one.to_owned(), two.to_owned()])),
        [_, _] => Err("the two names are the same".to_owned()),
        _ => Err("two names are needed, joined by one comma".to_owned()),
    }
}

/// Returns exit status 1 if the judge is of no use, or if there is too little to say anything.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let mut err = std::io::stderr().lock();
    let pairs = files::pairs(&args.pairs, &mut err)?;
    if let Some(count) = args.sample {
        for id in sample_to_rate(&pairs, count, args.seed) {
            writeln!(out, "{id}")?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let judge = Judge::new(
        args.service.model.as_deref().unwrap_or("unnamed"),
        args.temperature,
    );
    let requests = plan(&pairs, &judge, args.repetitions, args.seed)
        .map_err(|error| unplanned(&args.pairs, &error))?;
    let records = files::records(&there(args), &pairs, &requests, &mut err)?;
    if let Some(path) = &args.plan {
        return write_plan(path, &pairs, &requests, &records, &mut out);
    }
    let Some(kept) = args.outputs.last().filter(|_| args.service.is_given()) else {
        return report(args, &judge, &pairs, &requests, &records);
    };
    let open = remaining(&requests, &records);
    let asked = asking::ask(&args.service, args.temperature, kept, &pairs, &open);
    // Problems in the lines that were there before have been reported above.
    let records = files::records(&there(args), &pairs, &requests, &mut std::io::sink())?;
    if records.is_empty() {
        return asked.and(Err("no request was answered".into()));
    }
    let status = report(args, &judge, &pairs, &requests, &records)?;
    asked.and(Ok(status))
}

/// The output files that exist; a service may create the others.
fn there(args: &Args) -> Vec<PathBuf> {
    let is_there = |path: &&PathBuf| !args.service.is_given() || path.exists();
    args.outputs.iter().filter(is_there).cloned().collect()
}

fn unplanned(path: &Path, error: &PlanError) -> String {
    let todo = match error {
        PlanError::NoPairs => "a line has id, question and answers, a list of two",
        PlanError::Duplicate(_) => "give each pair an id of its own",
    };
    format!("{}: {error}; {todo}", path.display())
}

fn write_plan(
    path: &Path,
    pairs: &[Pair],
    requests: &[Request],
    records: &[Record],
    out: &mut impl Write,
) -> Result<ExitCode> {
    let open = remaining(requests, records);
    let mut lines = String::new();
    for request in &open {
        let Some(pair) = pairs.get(request.index) else {
            continue;
        };
        let prompt = pair.prompt(request.first);
        let line = json!({"id": request.id, "system": prompt.system, "user": prompt.user});
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    fs::write(path, lines).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    writeln!(
        out,
        "{} of {} requests are in {}: let a model answer each, and keep {{\"id\": …, \"output\": \
         …}} per line for --outputs, with the same --model, --temperature and --repetitions.",
        open.len(),
        requests.len(),
        path.display()
    )?;
    Ok(ExitCode::SUCCESS)
}

fn report(
    args: &Args,
    judge: &Judge,
    pairs: &[Pair],
    requests: &[Request],
    records: &[Record],
) -> Result<ExitCode> {
    let (mut out, mut err) = (std::io::stdout().lock(), std::io::stderr().lock());
    let Two(names) = &args.sides;
    let ratings = match &args.ratings {
        Some(path) => files::ratings(path, pairs, names, &mut err)?,
        None => Default::default(),
    };
    let report = Report::new(&Comparison {
        judge,
        sides: &answerers(names, args.side_models.as_ref()),
        planned: requests.len(),
        records,
        ratings: &ratings,
    });
    match args.json {
        true => writeln!(out, "{:#}", report.to_json())?,
        false => shown::print(&report, &mut out)?,
    }
    // If no output fits the plan, asking again would not help, and a message has said so.
    if report.n_missing() > 0 && !records.is_empty() {
        let todo = match args.service.is_given() {
            true => "run the same command again to ask for those.",
            false => {
                "add --plan REST.jsonl to this command to write those, have them answered, and \
                 name both files with --outputs A.jsonl,B.jsonl."
            }
        };
        let (missing, planned) = (report.n_missing(), report.planned);
        writeln!(
            err,
            "{missing} of {planned} requests have no output yet: {todo}"
        )?;
    }
    Ok(match report.conclusion.standing {
        Standing::Unusable | Standing::TooFew => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

fn answerers(names: &[String; 2], models: Option<&Two>) -> [Answerer; 2] {
    let models = models.map_or([const { String::new() }; 2], |Two(models)| models.clone());
    let [one, two] = names.clone();
    let [model_one, model_two] = models;
    [(one, model_one), (two, model_two)].map(|(name, model)| Answerer {
        name,
        model: Some(model).filter(|model| !model.is_empty()),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn sides_are_two_names_and_a_model_may_be_missing() {
        assert_eq!(two("grounded, plain").unwrap().0, ["grounded", "plain"]);
        assert_eq!(two("gpt-5,").unwrap().0, ["gpt-5", ""]);
        for text in ["one", "a,a", "a,b,c"] {
            assert!(two(text).is_err(), "{text}");
        }
        let [one, two] = answerers(&two("a,b").unwrap().0, Some(&two("gpt-5,").unwrap()));
        assert_eq!(one.model.as_deref(), Some("gpt-5"));
        assert_eq!(two.model, None);
    }
}
