//! The answers in `tests/fixtures/answers` and the result expected for each of their citations; the
//! format is described there.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use crate::cite::Rejection;
use crate::index::tests::whole_index;
use crate::lines::{Line, LineRange};

/// One answer.
#[derive(Default)]
struct Case {
    path: PathBuf,
    title: String,
    evidence: Vec<String>,
    text: String,
    expected: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/answers")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect();
    found.sort();
    found
}

fn index() -> Index {
    let root = root().join("repository");
    let texts: Vec<(String, String)> = files(&root)
        .into_iter()
        .map(|path| {
            let name = path
                .strip_prefix(&root)
                .unwrap()
                .to_str()
                .unwrap()
                .replace('\\', "/");
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    let borrowed: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    whole_index("courier-1.4.0", &borrowed)
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for path in files(&root()) {
        let is_answers =
            path.parent() == Some(&root()) && path.extension().is_some_and(|end| end == "md");
        if !is_answers || path.ends_with("README.md") {
            continue;
        }
        for text in std::fs::read_to_string(&path)
            .unwrap()
            .split("=== ")
            .skip(1)
        {
            let (title, rest) = text.split_once('\n').unwrap();
            let file = path.file_stem().unwrap().to_string_lossy();
            let mut case = Case {
                path: path.clone(),
                title: format!("{file}: {title}"),
                ..Case::default()
            };
            for line in rest.lines() {
                if let Some(lines) = line.strip_prefix("%evidence ") {
                    case.evidence.push(lines.to_owned());
                } else if let Some(expected) = line.strip_prefix("--> ") {
                    case.expected.push(expected.to_owned());
                } else {
                    writeln!(case.text, "{line}").unwrap();
                }
            }
            case.text.truncate(case.text.trim_end().len());
            cases.push(case);
        }
    }
    cases
}

fn evidence(index: &Index, case: &Case) -> Evidence {
    if case.evidence.is_empty() {
        return Evidence::everything();
    }
    Evidence::of(case.evidence.iter().map(|written| {
        let (path, lines) = written.rsplit_once(':').unwrap();
        let (start, end) = lines.split_once('-').unwrap();
        let lines = LineRange::new(Line(start.parse().unwrap()), Line(end.parse().unwrap()));
        (index.repo.find(path).expect(path), lines)
    }))
}

/// Formats a note as the expectations write it.
fn listed(index: &Index, note: &Note) -> String {
    let reason = |rejection: &Rejection| match rejection {
        Rejection::NoSuchFile { .. } => "no-file",
        Rejection::AmbiguousPath { .. } => "ambiguous",
        Rejection::OutsideFile { .. } => "past-end",
        Rejection::Malformed { .. } => "malformed",
        Rejection::QuoteMissing { .. } => "missing",
        Rejection::Invented { .. } => "invented",
        Rejection::OtherLines { .. } => "other-lines",
    };
    let verdict = match (&note.verdict, &note.claim) {
        (Verdict::Rejected(rejection), _) => return format!("rejected {}", reason(rejection)),
        (_, None) => "auto",
        (verdict, _) => verdict.name(),
    };
    let source = note.verdict.source().unwrap();
    format!(
        "{verdict} {}:{}",
        index.repo.file(source.file()).unwrap().path,
        source.lines()
    )
}

fn reviewed(index: &Index, case: &Case, text: &str) -> Review {
    let mut reviewer = Reviewer::new();
    reviewer
        .advance(index, &evidence(index, case), text, Progress::Finished)
        .clone()
}

fn found(index: &Index, case: &Case, review: &Review) -> Vec<String> {
    let mut found: Vec<String> = review
        .notes
        .iter()
        .map(|note| listed(index, note))
        .collect();
    if case
        .expected
        .iter()
        .any(|line| line.starts_with("summary "))
    {
        found.push(format!("summary {}", review.summary()));
    }
    found
}

/// Replaces what was expected with what was found, file by file.
fn rewrite(index: &Index, cases: &[Case]) {
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    for case in cases {
        let text = texts
            .entry(case.path.clone())
            .or_insert_with(|| std::fs::read_to_string(&case.path).unwrap());
        let review = reviewed(index, case, &case.text);
        let lines = |lines: &[String]| -> String {
            lines.iter().map(|line| format!("--> {line}\n")).collect()
        };
        let old = lines(&case.expected);
        let new = lines(&found(index, case, &review));
        let head = case.title.split_once(": ").unwrap().1;
        let at = text.find(&format!("=== {head}\n")).unwrap();
        let from = at + text[at..].find(&old).unwrap();
        text.replace_range(from..from + old.len(), &new);
    }
    for (path, text) in texts {
        std::fs::write(path, text).unwrap();
    }
}

#[test]
fn every_answer_of_the_corpus_gets_the_expected_verdicts() {
    let index = index();
    let cases = cases();
    assert!(cases.len() >= 150, "only {} answers", cases.len());
    let mut wrong = String::new();
    let mut falsely_proven = 0;
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        rewrite(&index, &cases);
        return;
    }
    for case in &cases {
        let review = reviewed(&index, case, &case.text);
        let found = found(&index, case, &review);
        let notes = found.iter().zip(&case.expected);
        falsely_proven += notes
            .filter(|(found, expected)| found.starts_with("proven") && found != expected)
            .count();
        if found != case.expected {
            let whys: Vec<&str> = review.notes.iter().map(|note| note.why.as_str()).collect();
            writeln!(
                wrong,
                "{}\n{}\n  expected {:?}\n  found    {found:?}\n  {whys:?}",
                case.title, case.text, case.expected
            )
            .unwrap();
        }
    }
    assert_eq!(
        falsely_proven, 0,
        "shown as proven, but not expected to be:\n{wrong}"
    );
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn line_ends_of_windows_change_no_verdict() {
    let index = index();
    for case in cases() {
        let review = reviewed(&index, &case, &case.text.replace('\n', "\r\n"));
        assert_eq!(
            found(&index, &case, &review),
            case.expected,
            "{}",
            case.title
        );
    }
}

/// The results of auto-citation at a threshold.
#[derive(Debug, Default)]
struct Score {
    attached: u32,
    /// Of those, the ones whose lines touch the lines that the honest answer cites.
    right: u32,
    /// The others.
    elsewhere: Vec<String>,
}

/// Scores auto-citation at each threshold: on the corpus's statements whose only citation is
/// verified, with it removed, and on those that nothing supports.
fn scores(thresholds: &[f32]) -> Vec<(f32, Score)> {
    let index = index();
    let everything = Evidence::everything();
    let mut matcher = Matcher::default();
    let mut scores: Vec<(f32, Score)> = thresholds
        .iter()
        .map(|share| (*share, Score::default()))
        .collect();
    for case in cases() {
        let review = reviewed(&index, &case, &case.text);
        for statement in &review.statements {
            let cited = match statement.notes.as_slice() {
                [note] if statement.standing <= Standing::LinesExist => {
                    review.notes[*note].verdict.source()
                }
                [] if statement.standing == Standing::Uncited => None,
                _ => continue,
            };
            let text = &case.text[statement.at.clone()];
            let (atoms, _) = scan(text, 0..text.len(), true);
            let items = items(text, 0..text.len(), &atoms);
            for (share, score) in &mut scores {
                let Some((verdict, _)) = matcher.attach(&index, &everything, text, &items, *share)
                else {
                    continue;
                };
                let source = verdict.source().unwrap();
                let is_right = cited.is_some_and(|cited| {
                    source.file() == cited.file() && source.lines().overlaps(cited.lines())
                });
                score.attached += 1;
                score.right += u32::from(is_right);
                if !is_right {
                    let path = &index.repo.file(source.file()).unwrap().path;
                    score
                        .elsewhere
                        .push(format!("{path}:{} {text}", source.lines()));
                }
            }
        }
    }
    scores
}

#[test]
fn most_auto_citations_are_where_honest_answers_point() {
    let scores = scores(&[0.3, 0.4, 0.5, auto::ENOUGH_SHARE, 0.7, 0.8]);
    let chosen = &scores[3].1;
    let precision = f64::from(chosen.right) / f64::from(chosen.attached.max(1));
    assert!(chosen.attached >= 20 && precision >= 0.75, "{scores:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_answer_can_come_in_any_pieces(sizes in proptest::collection::vec(1..40usize, 1..12)) {
        let index = index();
        for case in cases() {
            let evidence = evidence(&index, &case);
            let mut reviewer = Reviewer::new();
            let mut end = 0;
            for size in sizes.iter().cycle() {
                end += size;
                if end >= case.text.len() {
                    break;
                }
                let text = &case.text[..case.text.floor_char_boundary(end)];
                reviewer.advance(&index, &evidence, text, Progress::Growing);
            }
            let review = reviewer.advance(&index, &evidence, &case.text, Progress::Finished);
            prop_assert_eq!(review, &reviewed(&index, &case, &case.text), "{}", case.title);
        }
    }
}
