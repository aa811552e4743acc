//! A statement and its citations → verdicts. Lines shown as verified must exist.

use footnote_core::answer::review::{Progress, Reviewer};
use footnote_core::cite::{Evidence, Verdict, check as check_claim, find};
use footnote_core::lines::{Line, LineRange};
use footnote_core::source::FileId;

use crate::mutate::Rng;
use crate::sample::{INDEX, has};
use crate::target::Target;
use crate::text;

pub const TARGET: Target = Target {
    name: "citation",
    make,
    check,
};

fn make(rng: &mut Rng) -> Vec<u8> {
    text::odd(rng).into_bytes()
}

fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let file = INDEX.repo.find("src/queue.py").expect("a file");
    let sent = LineRange::new(Line(4), Line(7));
    for evidence in [Evidence::everything(), Evidence::of([(file, sent)])] {
        for (at, claim) in find(&text).into_iter().enumerate() {
            assert_eq!(text.get(claim.at.clone()), Some(claim.raw.as_str()));
            assert!(claim.bracket.start <= claim.at.start && claim.at.end <= claim.bracket.end);
            // Each of these reads the whole text.
            if at < 6 {
                let verdict = check_claim(&INDEX, &evidence, &claim, &text);
                holds(&verdict, Some((&claim.path, claim.lines)), &evidence);
            }
        }
        let mut reviewer = Reviewer::new();
        let review = reviewer.advance(&INDEX, &evidence, &text, Progress::Finished);
        for note in &review.notes {
            let claim = note.claim.as_ref().map(|it| (it.path.as_str(), it.lines));
            holds(&note.verdict, claim, &evidence);
        }
        let notes = review.statements.iter().flat_map(|it| &it.notes);
        for &note in notes {
            assert!(note < review.notes.len(), "a note that is not there");
        }
    }
}

fn holds(verdict: &Verdict, claim: Option<(&str, Option<LineRange>)>, evidence: &Evidence) {
    let Some(source) = verdict.source() else {
        return;
    };
    let lines = source.lines();
    let path = &INDEX.repo.file(source.file()).expect("a file").path;
    let (start, end) = (lines.start().0, lines.end().0);
    assert!(has(path, start, end), "{path}:{lines} is not there");
    let is_as_written = matches!(
        verdict,
        Verdict::Proven(_)
            | Verdict::Supported(_)
            | Verdict::LinesExist(_)
            | Verdict::Contradicted { .. }
    );
    if let (true, Some((claimed, claimed_lines))) = (is_as_written, claim) {
        assert_eq!((claimed, claimed_lines), (path.as_str(), Some(lines)));
        assert!(was_sent(evidence, source.file(), lines), "it was not sent");
    }
}

/// Whether a model knows some of the lines; empty evidence means everything.
fn was_sent(evidence: &Evidence, file: FileId, lines: LineRange) -> bool {
    let mut ranges = evidence.ranges().peekable();
    ranges.peek().is_none()
        || ranges.any(|(sent, range)| {
            sent == file && range.start() <= lines.end() && lines.start() <= range.end()
        })
}

#[test]
fn no_line_is_shown_that_is_not_there_whatever_a_statement_says() {
    crate::run::test(&TARGET, 200);
}
