//! States what happened to a file.

use super::Teller;
use super::read::Asked;
use super::subject::{differing, list};
use crate::answer::Span;
use crate::answer::notes::{code, text};
use crate::changes::{FileChange, FileWhat, Version};
use crate::index::Index;

/// Why the first line of a file is cited.
pub(super) const FILE: &str = "the file";

/// States what changed in the files whose path ends with `path`.
pub(super) fn tell(teller: &mut Teller<'_>, asked: Asked, path: &str) {
    let compared = teller.compared;
    let lead = |n: usize| match n {
        1 => vec![text("1 definition in "), code(path), text(" changed: ")],
        n => vec![
            text(format!("{n} definitions in ")),
            code(path),
            text(" changed: "),
        ],
    };
    let is_there = |file: &str| {
        let before = file.strip_suffix(path.trim_start_matches("./"));
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    for change in &compared.changes.files {
        let paths = paths(teller, change);
        let mut sides = paths.iter().flatten();
        if sides.any(|path| is_there(path)) {
            tell_of(teller, change, &paths);
        }
    }
    list(teller, asked, lead, |version, definition| {
        is_there(compared.path(version, definition))
    });
    let has = |index: &Index| index.repo.files.iter().any(|file| is_there(&file.path));
    if teller.answer.statements.is_empty() && has(compared.old) && has(compared.new) {
        let (old, new) = (teller.old_name(), teller.new_name());
        teller.nothing(format!(
            "{path} is the same in {old} and {new}, apart from comments, documentation and layout."
        ));
    }
}

/// Returns the path of a file in each version.
fn paths<'a>(teller: &Teller<'a>, change: &FileChange) -> [Option<&'a str>; 2] {
    let sides = [(Version::Old, change.old), (Version::New, change.new)];
    sides.map(|(version, file)| {
        let file = teller.compared.index(version).repo.file(file?)?;
        Some(file.path.as_str())
    })
}

/// States what happened to the file itself, and where it differs outside definitions.
fn tell_of(teller: &mut Teller<'_>, change: &FileChange, paths: &[Option<&str>; 2]) {
    let (old, new) = (teller.old_name(), teller.new_name());
    let name = |path: &Option<&str>| code(path.unwrap_or_default());
    let [before, after] = paths;
    let (version, spans): (Version, Vec<Span>) = match change.what {
        FileWhat::Added => (
            Version::New,
            vec![name(after), text(format!(" is in {new} and not in {old}"))],
        ),
        FileWhat::Removed => (
            Version::Old,
            vec![name(before), text(format!(" is in {old} and not in {new}"))],
        ),
        FileWhat::Moved | FileWhat::MovedAndChanged => (
            Version::New,
            vec![
                name(before),
                text(format!(" of {old} is ")),
                name(after),
                text(format!(" in {new}")),
            ],
        ),
        FileWhat::Changed => {
            differing(teller, "Outside definitions, it differs", &change.outside);
            return;
        }
    };
    let file = match version {
        Version::Old => change.old,
        Version::New => change.new,
    };
    if let Some(source) = file.and_then(|file| teller.first_line(version, file)) {
        teller.say(spans, &[(version, &source, FILE)], Vec::new());
    }
    differing(teller, "Outside definitions, it differs", &change.outside);
}
