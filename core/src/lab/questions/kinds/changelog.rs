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
    title: "What does the changelog say about an issue?",
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
        for (number, places) in entries(&lines) {
            let [(start, end)] = places[..] else {
                drafts.refuse("several entries name the number");
                continue;
            };
            // The point above says which part or dependency was changed.
            let above = above(&lines, start);
            let rows = |from: usize, to: usize| lines.get(from..=to).unwrap_or_default().join(" ");
            let said = above.map_or(String::new(), |(from, to)| rows(from, to) + " ");
            let said = said + &rows(start, end);
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            let wordings = [
                format!("What does the changelog say about #{number}?"),
                format!("What was changed because of #{number}?"),
            ];
            let range = |(start, end): (usize, usize)| {
                let lines = LineRange::new(Line(start as u32 + 1), Line(end as u32 + 1));
                (file, lines)
            };
            let gold = above.into_iter().chain([(start, end)]).map(range).collect();
            drafts.push(&wordings, gold, said);
        }
    }
}

/// The entries that name each number; one that occurs twice belongs to two. A line that only says
/// where a number links to (`[#1]: https://…`) is none.
fn entries<'l>(lines: &[&'l str]) -> BTreeMap<&'l str, Vec<(usize, usize)>> {
    let mut entries: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    let is_target = |line: &str| line.starts_with('[') && line.contains("]: ");
    let rows = lines.iter().copied().enumerate();
    for (at, line) in rows.filter(|(_, line)| !is_target(line)) {
        for number in numbers(line) {
            let entry = entry(lines, at);
            let known = entries.entry(number).or_default();
            if !known.contains(&entry) {
                known.push(entry);
            }
        }
    }
    entries
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

/// The first and the last line of the entry around a line, counted from 0, with the points below it
/// that are indented further.
fn entry(lines: &[&str], at: usize) -> (usize, usize) {
    let row = |at: usize| lines.get(at).map_or("", |line| line.trim());
    let mut start = at;
    while !is_point(row(start)) && start > 0 && !row(start - 1).is_empty() && at - start < MOST {
        start -= 1;
    }
    let is_next = |at: usize| {
        let own = lines.get(start).map_or(0, |line| indent(line));
        is_point(row(at)) && lines.get(at).is_some_and(|line| indent(line) <= own)
    };
    let mut end = at;
    while !row(end + 1).is_empty() && !is_next(end + 1) && end - start < MOST {
        end += 1;
    }
    (start, end)
}

/// The first lines of the entry that the one at `start` is a point of.
fn above(lines: &[&str], start: usize) -> Option<(usize, usize)> {
    let own = indent(lines.get(start)?);
    let mut rows = (0..start).rev();
    let is_above = |at: &usize| {
        let line = lines.get(*at).copied().unwrap_or_default();
        is_point(line.trim()) && indent(line) < own
    };
    let at = rows.by_ref().take(MOST * 3).find(is_above)?;
    let is_own = |at: &usize| {
        let line = lines.get(*at).map_or("", |line| line.trim());
        !line.is_empty() && !is_point(line)
    };
    let more = (at + 1..start).take_while(is_own).count();
    Some((at, at + more))
}

fn is_point(row: &str) -> bool {
    row.starts_with(['-', '*', '+', '•'])
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
