//! Converts core's types to what the page shows.

use std::cmp::Ordering;

use footnote_core::answer::{Answer, Fit, Outcome, Span, Statement};
use footnote_core::index::{Index, Permalinks};
use footnote_core::lang::Symbol;
use footnote_core::lines::{Line, LineRange};
use footnote_core::model::prompt::Block;
use footnote_core::search::Hit;
use footnote_core::source::{FileId, Repo};

use crate::worker::protocol::{
    AnswerFileView, AnswerView, CheckView, EvidenceView, FitView, FootnoteView, ItemView,
    OfferedView, PartView, PermalinksView, PlaceView, SkippedView, SpanView, StatementView,
    SymbolView,
};

/// Lines of text shown for a piece of evidence.
const EXCERPT_LINES: usize = 12;
/// Most characters of a line in an excerpt; a file with a single line can have millions.
const EXCERPT_WIDTH: usize = 400;
/// Ranked line ranges shown with an answer.
const MAX_EVIDENCE: usize = 20;

/// Where its host shows a repository's files, if the archive says so.
pub fn permalinks(repo: &Repo) -> Option<Box<PermalinksView>> {
    let found = Permalinks::of(repo)?;
    Some(Box::new(PermalinksView {
        host: found.host.to_owned(),
        before: found.before,
        folder: found.folder,
        lines: found.lines.map(str::to_owned),
        commit: found.commit,
    }))
}

/// The lines that would be shown to a model.
pub fn offered(block: &Block) -> OfferedView {
    let left_out = block.left_out.iter();
    OfferedView {
        place: PlaceView {
            path: block.path.clone(),
            start: block.lines.start().0,
            end: block.lines.end().0,
        },
        left_out: left_out.map(|run| (run.start().0, run.end().0)).collect(),
    }
}

/// Returns the paths of all files, in the order of the page's tree.
pub fn files(index: &Index) -> Vec<&str> {
    let files = index.repo.files.iter();
    let mut paths: Vec<&str> = files.map(|file| file.path.as_str()).collect();
    paths.sort_by(|a, b| as_shown(a, b));
    paths
}

/// Folders before files; folders by name, files by name ignoring case.
fn as_shown(mut a: &str, mut b: &str) -> Ordering {
    loop {
        match (a.split_once('/'), b.split_once('/')) {
            (Some((folder, inside)), Some((other, also_inside))) => {
                if folder != other {
                    return folder.cmp(other);
                }
                (a, b) = (inside, also_inside);
            }
            (Some(_), None) => return Ordering::Less,
            (None, Some(_)) => return Ordering::Greater,
            (None, None) => {
                return lowercase(a).cmp(lowercase(b)).then_with(|| a.cmp(b));
            }
        }
    }
}

fn lowercase(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().flat_map(char::to_lowercase)
}

pub fn skipped(index: &Index) -> Vec<SkippedView> {
    let all = index.repo.skipped.iter();
    all.map(|skipped| SkippedView {
        path: skipped.path.clone(),
        reason: skipped.reason.to_string(),
    })
    .collect()
}

pub fn symbol_count(index: &Index) -> u32 {
    let counts = index.parsed.iter().map(|parsed| parsed.symbols.len());
    counts.sum::<usize>() as u32
}

pub fn symbol(path: &str, symbol: &Symbol) -> SymbolView {
    SymbolView {
        kind: symbol.kind.name().to_owned(),
        qualified: symbol.qualified.clone(),
        path: path.to_owned(),
        start: symbol.lines.start().0,
        end: symbol.lines.end().0,
    }
}

/// Returns symbols whose qualified name contains `query`, ignoring case. Exact names come first,
/// then names that begin with it, then the rest; shorter names come before longer ones.
pub fn find_symbols(index: &Index, query: &str, limit: usize) -> Vec<SymbolView> {
    let query = query.trim().to_lowercase();
    let mut found = Vec::new();
    for (file, parsed) in index.repo.files.iter().zip(index.parsed.iter()) {
        for found_symbol in &parsed.symbols {
            let qualified = found_symbol.qualified.to_lowercase();
            if !qualified.contains(&query) {
                continue;
            }
            let name = found_symbol.name.to_lowercase();
            let rank = match () {
                () if name == query || qualified == query => 0,
                () if name.starts_with(&query) => 1,
                () => 2,
            };
            found.push(((rank, qualified.len()), file, found_symbol));
        }
    }
    found.sort_by_key(|(rank, _, _)| *rank);
    let best = found.into_iter().take(limit);
    best.map(|(_, file, found)| symbol(&file.path, found))
        .collect()
}

/// Measurements taken while answering.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub refined: bool,
    pub milliseconds: f64,
    pub compared_by_meaning: u32,
}

pub fn answer(
    index: &Index,
    question: &str,
    answer: &Answer,
    hits: &[Hit],
    measured: Measured,
) -> AnswerView {
    let (nothing, statements, footnotes) = match &answer.outcome {
        Outcome::Nothing { why } => (Some(why.clone()), Vec::new(), Vec::new()),
        Outcome::Found {
            statements,
            footnotes,
        } => {
            let footnotes = footnotes.iter().map(|footnote| FootnoteView {
                number: footnote.number,
                path: path(index, footnote.source.file()),
                start: footnote.source.lines().start().0,
                end: footnote.source.lines().end().0,
                why: footnote.why.clone(),
                // Footnote derived the statement from these lines.
                check: CheckView::Proven,
                is_imported: false,
            });
            let statements = statements.iter().map(statement);
            (None, statements.collect(), footnotes.collect())
        }
    };
    AnswerView {
        question: question.to_owned(),
        asked_at: 0.0,
        refined: measured.refined,
        asked_as: None,
        kind: answer.kind.map(str::to_owned),
        fit: fit(answer.fit),
        nothing,
        note: answer.note.clone(),
        statements,
        footnotes,
        evidence: evidence(index, hits),
        files: answer
            .files
            .iter()
            .map(|file| AnswerFileView {
                path: path(index, file.file),
                confidence: file.confidence,
            })
            .collect(),
        milliseconds: measured.milliseconds,
        chunks: index.chunks.len() as u32,
        compared_by_meaning: measured.compared_by_meaning,
        written: None,
        is_imported: false,
        by: None,
        asks_first: None,
    }
}

fn fit(fit: Fit) -> FitView {
    match fit {
        Fit::Exact => FitView::Exact,
        Fit::Likely => FitView::Likely,
        Fit::Closest => FitView::Closest,
    }
}

pub fn spans(spans: &[Span]) -> Vec<SpanView> {
    let spans = spans.iter().map(|span| match span {
        Span::Text(text) => SpanView::Text(text.clone()),
        Span::Code(code) => SpanView::Code(code.clone()),
    });
    spans.collect()
}

fn statement(statement: &Statement) -> StatementView {
    let items = statement.items.iter().map(|item| ItemView {
        name: item.name.clone(),
        detail: item.detail.clone(),
        footnote: item.footnote,
    });
    StatementView {
        spans: spans(&statement.spans),
        footnotes: statement.footnotes.clone(),
        items: items.collect(),
    }
}

fn evidence(index: &Index, hits: &[Hit]) -> Vec<EvidenceView> {
    let best = hits.iter().take(MAX_EVIDENCE);
    best.filter_map(|hit| evidence_of(index, hit)).collect()
}

/// The lines of a hit, with the parts of its score.
pub fn evidence_of(index: &Index, hit: &Hit) -> Option<EvidenceView> {
    let chunk = index.chunk(hit.chunk)?;
    let lines = index.trimmed_lines(hit.chunk)?;
    let text = index
        .lines(chunk.file)?
        .slice(&index.repo.file(chunk.file)?.text, lines)?;
    let parts = hit.parts.iter().map(|part| PartView {
        name: part.name.to_owned(),
        raw: part.raw,
        weighted: part.weighted,
    });
    Some(EvidenceView {
        path: path(index, chunk.file),
        start: lines.start().0,
        end: lines.end().0,
        title: index.title(hit.chunk),
        score: hit.score,
        parts: parts.collect(),
        excerpt: excerpt(text),
    })
}

fn excerpt(text: &str) -> String {
    let lines = text.lines().take(EXCERPT_LINES);
    let short = lines.map(|line| match line.char_indices().nth(EXCERPT_WIDTH) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line)),
        None => line.to_owned(),
    });
    short.collect::<Vec<_>>().join("\n")
}

/// The file and lines of a place; `None` if they are not in the repository.
pub fn lines_at(index: &Index, place: &PlaceView) -> Option<(FileId, LineRange)> {
    let file = index.repo.find(&place.path)?;
    let lines = LineRange::new(Line(place.start), Line(place.end));
    index.lines(file)?.bytes(lines)?;
    Some((file, lines))
}

pub fn path(index: &Index, file: FileId) -> String {
    index
        .repo
        .file(file)
        .map(|file| file.path.clone())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_stand_before_files_and_case_does_not_part_names() {
        let mut paths = [
            "README.md",
            "src/setup.py",
            "pyproject.toml",
            "src/requests/sessions.py",
            "docs/index.md",
            "src/requests/Api.py",
        ];
        paths.sort_by(|a, b| as_shown(a, b));
        let expected = [
            "docs/index.md",
            "src/requests/Api.py",
            "src/requests/sessions.py",
            "src/setup.py",
            "pyproject.toml",
            "README.md",
        ];
        assert_eq!(paths, expected);
    }

    #[test]
    fn excerpts_are_short_in_both_directions() {
        let text = format!("{}\n{}", "é".repeat(1_000), "b\n".repeat(30));
        let excerpt = excerpt(&text);
        assert_eq!(excerpt.lines().count(), EXCERPT_LINES);
        let first = excerpt.lines().next().unwrap();
        assert_eq!(first.chars().count(), EXCERPT_WIDTH + 1);
    }
}
