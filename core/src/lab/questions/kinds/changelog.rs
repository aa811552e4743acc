//! What was changed for an issue, by its number in the changelog.

use std::collections::BTreeMap;

use super::Kind;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::world::World;
use crate::lang::resolve::names::file_name;
use crate::lines::{Line, LineRange};
use crate::source::FileId;

pub(super) const KIND: Kind = Kind {
    name: "changelog",
    title: "What was changed because of an issue?",
    draft,
};

/// Most lines of an entry.
const MOST: usize = 8;

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    for (file, source) in (0..).map(FileId).zip(&world.index.repo.files) {
        if !is_changelog(&file_name(&source.path).to_lowercase()) {
            continue;
        }
        let lines: Vec<&str> = source.text.lines().collect();
        // A number that occurs twice belongs to two entries.
        let mut entries: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
        for (at, line) in lines.iter().enumerate() {
            for number in numbers(line) {
                let entry = entry(&lines, at);
                let known = entries.entry(number).or_default();
                if !known.contains(&entry) {
                    known.push(entry);
                }
            }
        }
        for (number, places) in entries {
            let [(start, end)] = places[..] else {
                drafts.refuse("several entries name the number");
                continue;
            };
            let said = lines.get(start..=end).unwrap_or_default().join(" ");
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            let wordings = [
                format!("What was changed because of issue #{number}?"),
                format!("What does the changelog say about #{number}?"),
                format!("Which change belongs to #{number}?"),
            ];
            let range = LineRange::new(Line(start as u32 + 1), Line(end as u32 + 1));
            drafts.push(&wordings, vec![(file, range)], said);
        }
    }
}

/// Whether a file with this lower-case name lists changes.
pub(super) fn is_changelog(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    matches!(
        stem,
        "changes" | "changelog" | "history" | "news" | "releases" | "release_notes"
    )
}

/// The numbers of issues in a line: `#1234`, not those of other projects (`kit#612`).
fn numbers(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('#').filter_map(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let rest = line.get(at + 1..)?;
        let end = rest
            .find(|it: char| !it.is_ascii_digit())
            .unwrap_or(rest.len());
        let number = rest
            .get(..end)
            .filter(|number| (2..=6).contains(&number.len()));
        number.filter(|_| before.is_none_or(|it| !it.is_alphanumeric() && it != '/'))
    })
}

/// The first and the last line of the entry around a line, counted from 0.
fn entry(lines: &[&str], at: usize) -> (usize, usize) {
    let row = |at: usize| lines.get(at).map_or("", |line| line.trim());
    let begins = |at: usize| row(at).starts_with(['-', '*', '+', '•']);
    let mut start = at;
    while !begins(start) && start > 0 && !row(start - 1).is_empty() && at - start < MOST {
        start -= 1;
    }
    let mut end = at;
    while !row(end + 1).is_empty() && !begins(end + 1) && end - start < MOST {
        end += 1;
    }
    (start, end)
}
