//! `footnote repobench ARCHIVE…`: cuts lines out of real code and measures which ranking finds the
//! definition that a line uses among everything its file imports, as RepoBench-R and Code2Text do.

mod rankers;
mod report;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use footnote_core::chunk::Chunking;
use footnote_core::describe::describe_definition;
use footnote_core::eval::unfinished::{Case, cases};
use footnote_core::search::unfinished::{Fragment, LAST_LINES, Reader, Weights};

use crate::{Result, archive, model};
use rankers::Rankers;
use report::Report;

/// Measures which ranking finds what the next line of unfinished code uses
#[derive(clap::Args)]
pub struct Args {
    /// Archives or folders to cut cases out of
    #[arg(required = true)]
    archives: Vec<PathBuf>,
    /// Maximum cases per archive
    #[arg(long, default_value_t = 60)]
    count: usize,
    /// Seed of the draw; another seed cuts out other lines
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Uses only files of this language
    #[arg(long, value_name = "NAME")]
    language: Option<String>,
    /// Writes the cases to this file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,
    /// Also ranks by the page's encoder, with mean vectors and token by token; takes a second per
    /// case
    #[arg(long)]
    encoder: bool,
    /// Prints the marks as JSON
    #[arg(long)]
    json: bool,
}

/// The orders of `footnote complete` to compare.
const WEIGHTS: [(&str, Weights); 3] = [
    ("Footnote, as it answers", Weights::NEEDS),
    ("Footnote, text alone", Weights::TEXT),
    ("Footnote, unused imports first", Weights::UNUSED),
];

/// Makes the search text of a case.
type Text = Box<dyn Fn(&Case) -> Result<String>>;

/// A way to ask for the next line: its name, and the text to search with.
struct Query {
    /// The name in the table.
    name: &'static str,
    /// Makes the text of a case.
    text: Text,
}

/// The queries that need no language model. A model that predicts the next line would be one more.
fn queries() -> Vec<Query> {
    vec![
        Query {
            name: "last lines",
            text: Box::new(|case| Ok(case.last_lines(LAST_LINES))),
        },
        Query {
            name: "the line itself",
            text: Box::new(|case| Ok(case.masked.clone())),
        },
    ]
}

/// Returns exit status 1 if no case could be cut.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut out = match &args.cases {
        Some(path) => Some(BufWriter::new(File::create(path)?)),
        None => None,
    };
    let mut rankers = Rankers::open(args.encoder)?;
    let mut report = Report::default();
    for path in &args.archives {
        measure(args, path, &mut rankers, &mut report, out.as_mut())?;
    }
    let mut stdout = std::io::stdout().lock();
    match args.json {
        true => writeln!(stdout, "{:#}", report.to_json())?,
        false => write!(stdout, "{}", report.table())?,
    }
    Ok(match report.is_empty() {
        false => ExitCode::SUCCESS,
        true => ExitCode::from(1),
    })
}

fn measure(
    args: &Args,
    path: &Path,
    rankers: &mut Rankers,
    report: &mut Report,
    out: Option<&mut BufWriter<File>>,
) -> Result<()> {
    let repo = archive::archive_or_folder(path)?;
    let index = model::with_table(archive::index(repo, Chunking::FUNCTION)?)?;
    let wanted = args.language.as_deref().map(str::to_lowercase);
    let is_wanted = |name: &str| wanted.as_deref().is_none_or(|it| it == name.to_lowercase());
    let cut = cases(&index, args.count, args.seed, |it| is_wanted(it.name()));
    writeln!(
        std::io::stderr(),
        "{}: {} cases",
        index.repo.name,
        cut.len()
    )?;
    if let Some(out) = out {
        for case in &cut {
            writeln!(out, "{}", case.to_json(&index.repo.name))?;
        }
        out.flush()?;
    }
    let queries = queries();
    let reader = Reader::new(&index);
    for case in &cut {
        report.begin(case);
        let codes: Vec<String> = case.candidates.iter().map(|it| it.code.clone()).collect();
        let describe = |symbol| describe_definition(&index, symbol, Some(case.file));
        let texts = case.candidates.iter().map(|it| describe(it.symbol));
        let texts: Vec<String> = texts.collect();
        for query in &queries {
            let asked = (query.text)(case)?;
            for (ranker, of_code, of_text) in rankers.scores(&asked, &codes, &texts)? {
                report.add(query.name, ranker, &of_code, &of_text);
            }
        }
        let fragment = Fragment::new(&case.before, &case.path, LAST_LINES);
        let symbols: Vec<_> = case.candidates.iter().map(|it| it.symbol).collect();
        for (name, weights) in WEIGHTS {
            let scores = reader.scores(&fragment, &symbols, &weights);
            report.add_one("all the code above", name, &scores);
        }
    }
    Ok(())
}
