//! What a piece of unfinished code needs from the repository. The first line of the question asks
//! for it, then the code follows in a fence.

use super::scope::Scope;
use super::teller::{Teller, counted};
use super::texts::shown;
use crate::answer::notes::{Entry, SEARCHED, Source, code, text};
use crate::lines::{Line, LineIndex};
use crate::search::unfinished::{Fragment, Need, Needs, Reader, Unknown};
use crate::source::FileId;

/// The name in records.
pub(super) const NAME: &str = "unfinished";

/// Maximum number of lines of the code named for one definition.
const MAX_LINES: usize = 3;

/// Answers a question about unfinished code; returns false if it is not one.
pub(super) fn state(teller: &mut Teller<'_, '_>) -> bool {
    let Some(fragment) = Fragment::of_question(teller.question.text()) else {
        return false;
    };
    let needs = Reader::new(teller.index).needs(&fragment);
    let last = last(needs.last_lines);
    let mut is_said = false;
    for (lead, needs) in by_reason(&needs, &last) {
        is_said |= list(teller, &lead, &needs);
    }
    is_said |= files(teller, &needs);
    for unknown in &needs.unknown {
        is_said |= missing(teller, unknown);
    }
    if !is_said {
        let language = match needs.language.is_code() {
            true => format!(" (read as {})", needs.language.name()),
            false => String::new(),
        };
        teller.note = Some(format!(
            "The code{language} imports and names nothing that the repository defines, and nothing \
             in it resembles its {last}. Paste more of it, with its imports, or name its language \
             after the opening fence."
        ));
    }
    true
}

/// Groups the needs by their reason, each group with its introduction. Only an import says which
/// definition is meant; a name alone may mean another one with that name, and shared words are only
/// a score.
fn by_reason<'n>(needs: &'n Needs, last: &str) -> [(String, Vec<&'n Need>); 5] {
    let of = |is: fn(&Need) -> bool| -> Vec<&'n Need> {
        needs.needs.iter().filter(|need| is(need)).collect()
    };
    let used = of(|it| it.imported.is_some() && it.is_in_last);
    let imported = of(|it| it.imported.is_some() && !it.is_in_last);
    let named = of(|it| it.imported.is_none() && it.is_in_last);
    let above = of(|it| it.imported.is_none() && !it.is_in_last && !it.used.is_empty());
    let similar = of(|it| it.imported.is_none() && it.used.is_empty());
    let n = |needs: &[&Need]| counted(needs.len(), "definition", "definitions");
    let uses = if needs.last_lines == 1 { "uses" } else { "use" };
    [
        (
            format!(
                "The {last} of the code {uses} {} that it imports: ",
                n(&used)
            ),
            used,
        ),
        (
            format!("The code also imports {}: ", n(&imported)),
            imported,
        ),
        (
            format!("By name alone, the {last} may mean {}: ", n(&named)),
            named,
        ),
        (
            format!("By name alone, lines above may mean {}: ", n(&above)),
            above,
        ),
        (
            format!("By the words they share with the {last}, these come first: "),
            similar,
        ),
    ]
}

/// Returns `last line` or `last 3 lines`.
fn last(n: usize) -> String {
    match n {
        1 => "last line".to_owned(),
        n => format!("last {n} lines"),
    }
}

fn list(teller: &mut Teller<'_, '_>, lead: &str, needs: &[&Need]) -> bool {
    let entries = needs.iter().filter_map(|need| entry(teller, need));
    let entries: Vec<Entry> = entries.collect();
    !entries.is_empty() && teller.list(vec![text(lead)], entries)
}

/// Makes an entry of a definition, with the lines of the code that import and name it, proven by
/// the line with its name.
fn entry(teller: &Teller<'_, '_>, need: &Need) -> Option<Entry> {
    let mut entry = teller.defined(need.symbol)?;
    let symbol = teller.index.symbol(need.symbol)?;
    let mut reasons = Vec::new();
    if let Some(line) = need.imported {
        reasons.push(imported_in(line));
    }
    let lines: Vec<String> = need.used.iter().map(|line| line.0.to_string()).collect();
    match lines.as_slice() {
        [] => {}
        [line] => reasons.push(format!("named in line {line}")),
        _ => {
            let more = if lines.len() > MAX_LINES { " …" } else { "" };
            let first = lines.get(..lines.len().min(MAX_LINES)).unwrap_or_default();
            reasons.push(format!("named in lines {}{more}", first.join(", ")));
        }
    }
    if reasons.is_empty() {
        reasons.push("shared words".to_owned());
    }
    entry.detail = format!("{}; {}", reasons.join(", "), shown(&symbol.signature));
    Some(entry)
}

/// States the files that the code imports as a whole.
fn files(teller: &mut Teller<'_, '_>, needs: &Needs) -> bool {
    let entries = needs.files.iter().map(|&(file, line)| Entry {
        name: teller.path(file).to_owned(),
        detail: imported_in(line),
        source: whole(teller, file, "the imported file"),
    });
    let entries: Vec<Entry> = entries.collect();
    let n = counted(entries.len(), "file", "files");
    let lead = format!("It imports {n} of the repository as a whole: ");
    !entries.is_empty() && teller.list(vec![text(lead)], entries)
}

fn imported_in(line: Line) -> String {
    format!("imported in line {}", line.0)
}

fn whole(teller: &Teller<'_, '_>, file: FileId, why: &str) -> Source {
    Source {
        file,
        lines: LineIndex::new(teller.file_text(file)).all(),
        quotes: Vec::new(),
        why: why.to_owned(),
    }
}

/// States a name that was not found.
fn missing(teller: &mut Teller<'_, '_>, unknown: &Unknown) -> bool {
    let line = unknown.line.0;
    let name = code(unknown.name.clone());
    if let Some(file) = unknown.file {
        let spans = vec![
            text(format!("Line {line} imports ")),
            name,
            text(" from "),
            code(teller.path(file)),
            text(", and nothing of that name was found there"),
        ];
        return teller.say(spans, &[whole(teller, file, SEARCHED)]);
    }
    let Some(scope) = Scope::read(teller, "").map(|scope| scope.only_code(teller)) else {
        return false;
    };
    let n = counted(scope.files.len(), "file", "files");
    let spans = vec![
        text(format!("Line {line} calls ")),
        name,
        text(format!(
            ", which neither the code nor any of the repository’s {n} of code defines or calls"
        )),
    ];
    let searched = scope.searched(teller);
    !searched.is_empty() && teller.say(spans, &searched)
}
