//! `footnote verify ARCHIVE ANSWER.md [--evidence FILE.json]`: checks every citation of an answer
//! against an archive, for scripts and CI.
//!
//! The evidence is what the author of the answer was given, a list of `{"file": …, "start": …,
//! "end": …}`; without it, the whole archive. Paths are those inside the repository, without the
//! archive's single top folder.
//!
//! Prints a JSON list, one object per citation in the order of the answer: `raw` (as written),
//! `file`, `start` and `end` (what the reader is shown; for a rejected citation what it names,
//! `null` if it names nothing), `verdict`, `reason` (a sentence), and `instead`: what is there
//! instead of what a contradicted sentence says, else `null`. Statements without a citation are not
//! listed; a line on the error output says how many there are.
//!
//! | verdict | |
//! |---|---|
//! | `proven` | the lines bear out the whole sentence; only this counts as verified |
//! | `supported` | its names and numbers are there; what it means was not checked |
//! | `lines-exist` | nothing in the sentence could be checked |
//! | `contradicted` | the lines or the graph contradict it |
//! | `repaired` | another place is cited, and only these lines can be meant |
//! | `outside-evidence` | the lines exist, but most of them were not given to the author |
//! | `rejected` | the lines do not exist, or do not hold what is attributed to them |
//!
//! `docs/verdicts.md` says more about each.
//!
//! Exit status: 0 if nothing is contradicted, rejected or outside the evidence, else 1 (the list is
//! still printed); 2 if nothing could be checked: wrong usage, a file that cannot be read. Status 0
//! does not mean that everything is proven.

mod corpus;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use footnote_core::answer::review::{Note, Progress, Review, Reviewer};
use footnote_core::cite::{Evidence, Verdict};
use footnote_core::index::Index;
use footnote_core::lines::{Line, LineRange};

use crate::{Result, archive};

/// Checks every citation of an answer against an archive and prints a JSON list of them
#[derive(clap::Args)]
pub struct Args {
    /// The archive that the answer is about; with --corpus, the folder with the archives
    archive: PathBuf,
    /// The answer, as Markdown
    #[arg(required_unless_present = "corpus")]
    answer: Option<PathBuf>,
    /// Statements known to be true or false: prints how they are shown, by class
    #[arg(long, value_name = "DIR", conflicts_with_all = ["answer", "evidence"])]
    corpus: Option<PathBuf>,
    /// With --corpus: lists the statements that would mislead a reader
    #[arg(long, requires = "corpus")]
    failures: bool,
    /// What the author of the answer was given, a JSON list of {file, start, end}; without it,
    /// everything
    #[arg(long, value_name = "FILE.json")]
    evidence: Option<PathBuf>,
}

#[derive(serde::Deserialize)]
struct Sent {
    file: String,
    start: u32,
    end: u32,
}

#[derive(serde::Serialize)]
struct Listed<'r> {
    raw: &'r str,
    file: &'r str,
    start: Option<u32>,
    end: Option<u32>,
    verdict: &'static str,
    reason: &'r str,
    instead: Option<&'r str>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(folder) = &args.corpus {
        corpus::run(folder, &args.archive, args.failures)?;
        return Ok(ExitCode::SUCCESS);
    }
    let answer = args.answer.as_deref().unwrap_or(std::path::Path::new("-"));
    let mut errors = std::io::stderr();
    let index = archive::open(&args.archive)?;
    let evidence = match &args.evidence {
        Some(file) => sent(&index, &archive::read(file)?, &mut errors)?,
        None => Evidence::everything(),
    };
    // Bytes that are not UTF-8 are shown as such; no existing path can contain them.
    let text = String::from_utf8_lossy(&archive::read(answer)?).into_owned();
    let mut reviewer = Reviewer::new();
    let review = reviewer.advance(&index, &evidence, &text, Progress::Finished);
    let listed: Vec<Listed> = review
        .notes
        .iter()
        .filter_map(|note| listed(&index, note))
        .collect();
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &listed)?;
    writeln!(out)?;
    writeln!(errors, "{}", line(review))?;
    let mut verdicts = review.notes.iter().map(|note| &note.verdict);
    Ok(match verdicts.all(holds) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}

/// Whether a verdict finds no fault with a citation.
fn holds(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Proven(_)
        | Verdict::Supported(_)
        | Verdict::LinesExist(_)
        | Verdict::Repaired { .. } => true,
        Verdict::Contradicted { .. } | Verdict::OutsideEvidence(_) | Verdict::Rejected(_) => false,
    }
}

/// The evidence in a JSON list. Lines of files that the archive does not have are left out and
/// reported.
fn sent(index: &Index, json: &[u8], errors: &mut impl Write) -> Result<Evidence> {
    let list: Vec<Sent> = serde_json::from_slice(json)
        .map_err(|error| format!("the evidence is not a list of {{file, start, end}}: {error}"))?;
    let mut evidence = Evidence::default();
    for Sent { file, start, end } in list {
        match index.repo.find(&file) {
            Some(id) => evidence.add(id, LineRange::new(Line(start), Line(end))),
            None => writeln!(
                errors,
                "verify: the evidence names a file that the archive does not contain: {file}"
            )?,
        }
    }
    Ok(evidence)
}

/// A citation of the answer; `None` for one that Footnote would attach itself.
fn listed<'r>(index: &'r Index, note: &'r Note) -> Option<Listed<'r>> {
    let claim = note.claim.as_ref()?;
    let source = note.verdict.source();
    let lines = source.map(|source| source.lines()).or(claim.lines);
    let shown = source.and_then(|source| index.repo.file(source.file()));
    Some(Listed {
        raw: &claim.raw,
        file: shown.map_or(claim.path.as_str(), |file| file.path.as_str()),
        start: lines.map(|lines| lines.start().0),
        end: lines.map(|lines| lines.end().0),
        verdict: note.verdict.name(),
        reason: &note.why,
        instead: match &note.verdict {
            Verdict::Contradicted { instead, .. } => Some(instead),
            _ => None,
        },
    })
}

fn line(review: &Review) -> String {
    let summary = review.summary();
    match summary.details().as_str() {
        "" => summary.to_string(),
        details => format!("{summary}: {details}"),
    }
}
