//! What changed in a version: the changelog section whose heading names the version, entry by
//! entry.

use super::Kind;
use super::sections::{Section, sections};
use super::teller::{Teller, counted};
use super::wording::Read;
use crate::answer::notes::{Entry, QUOTED, Source, code, text, words_of};
use crate::lines::{Line, LineRange};
use crate::search::steps::is_changelog;

pub(super) const KIND: Kind = Kind {
    name: "changelog",
    wordings: &[
        "what|which|how things? was|is|were|are|has|have|got|gets been? @changed|new|added|removed|dropped|fixed|deprecated|improved|done REL? version|release? X",
        "what changed|changes REL? version|release? X",
        "ASK? changes|changelog|release_notes|news|bugfixes|fixes|bug_fixes|features|new_features|additions|improvements REL version|release? X",
        "what did version|release? X @change|add|fix|remove|drop|deprecate|bring",
        "ASK? @deprecations|removals|additions|fixes|bugfixes|bug_fixes REL version|release? X",
        "ASK? changes|changelog|release_notes version? X",
        "X changes|changelog|release_notes",
    ],
    state,
};

/// Number of entries that are quoted in sentences of their own.
const QUOTED_ENTRIES: usize = 3;

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let words: Vec<&str> = read.x.split_whitespace().collect();
    let Some(version) = words.iter().find(|word| is_version(word)) else {
        return false;
    };
    let version = version.trim_start_matches(['v', 'V']);
    let all = sections(teller.index);
    let exact = all.iter().find(|section| has_version(section, version));
    // `1.3.0-8` if there is no `1.3.0`.
    let later = |section: &&Section<'_>| {
        let mut words = section.symbol.name.split_whitespace();
        words.any(|word| {
            word.strip_prefix(version)
                .is_some_and(|rest| rest.starts_with('-'))
        })
    };
    let Some(section) = exact.or_else(|| all.iter().find(later)) else {
        return false;
    };
    let parts = of_verb(parts(&all, section), &read.word);
    let mut title = section.symbol.name.clone();
    if let Some(part) = parts
        .first()
        .filter(|part| part.symbol.name_line != start(section))
    {
        title = format!("{title}: {}", part.symbol.name);
    }
    let mut entries: Vec<Entry> = Vec::new();
    for part in parts {
        let (body, first) = part.body(teller.index);
        entries.extend(items(body, first).into_iter().map(|(lines, said)| Entry {
            detail: String::new(),
            source: Source {
                file: section.file,
                lines,
                quotes: words_of(&[text(said.clone())]),
                why: QUOTED.to_owned(),
            },
            name: said,
        }));
    }
    entries.retain(|entry| teller.notes.check(&entry.source).is_some());
    if entries.is_empty() {
        return teller.quote_section(section);
    }
    let start = start(section);
    let end = entries.iter().map(|entry| entry.source.lines.end()).max();
    let heading = Source {
        file: section.file,
        lines: LineRange::new(start, end.unwrap_or(start)),
        quotes: words_of(&[text(&title)]),
        why: QUOTED.to_owned(),
    };
    let first: Vec<Entry> = entries.iter().take(QUOTED_ENTRIES).cloned().collect();
    if entries.len() > 1 {
        let n = counted(entries.len(), "entry", "entries");
        let lead = vec![
            code(section.path),
            text(format!(" has {n} under “{title}”")),
        ];
        teller
            .notes
            .list_below(lead, std::slice::from_ref(&heading), entries);
    }
    for entry in first {
        let spans = vec![
            code(section.path),
            text(format!(" says under “{title}”: “{}”", entry.name)),
        ];
        let mut source = heading.clone();
        source.lines = LineRange::new(start, entry.source.lines.end());
        source.quotes.extend(entry.source.quotes);
        teller.say(spans, &[source]);
    }
    !teller.notes.statements.is_empty()
}

/// Returns a version's section and those inside of it. In a changelog, those that follow belong to
/// it, too, up to the next version: “Added” often has the level of the version above it.
fn parts<'a, 'i>(all: &'a [Section<'i>], version: &Section<'i>) -> Vec<&'a Section<'i>> {
    let mut own = all.iter().filter(|other| other.file == version.file);
    let encloses = |other: &Section<'i>| version.symbol.lines.encloses(other.symbol.lines);
    let is_changelog = is_changelog(version.path);
    let next = own
        .clone()
        .filter(|it| start(it) > start(version))
        .find(|it| {
            let mut words = it
                .symbol
                .name
                .split(|c: char| c.is_whitespace() || "[]()".contains(c));
            let names_version = words.any(|word| is_version(word) && word.contains('.'));
            !encloses(it) && (names_version || !is_changelog)
        });
    let end = next.map(start);
    let is_part = |it: &&Section<'i>| {
        let is_before = end.is_none_or(|end| start(it) < end);
        encloses(it) || is_changelog && start(it) > start(version) && is_before
    };
    own.by_ref().filter(is_part).collect()
}

fn start(section: &Section<'_>) -> Line {
    section.symbol.name_line
}

/// Returns the parts that are about what the question's verb says, if the section has a part for
/// it: “what was deprecated in 2.0” asks for what stands under “Deprecated”.
fn of_verb<'a, 'i>(parts: Vec<&'a Section<'i>>, verb: &str) -> Vec<&'a Section<'i>> {
    const HEADINGS: [(&str, &[&str]); 4] = [
        ("deprecat", &["deprecat"]),
        ("remov", &["remov"]),
        ("add", &["add", "new", "feature"]),
        ("fix", &["fix", "bug"]),
    ];
    let verb = match verb {
        verb if verb.starts_with("drop") => "remov",
        verb if verb.starts_with("bug") => "fix",
        verb => verb,
    };
    let Some((_, stems)) = HEADINGS.iter().find(|(stem, _)| verb.starts_with(stem)) else {
        return parts;
    };
    let is_about = |part: &&Section<'i>| {
        let heading = part.symbol.name.to_lowercase();
        let mut words = heading.split(|c: char| !c.is_alphanumeric());
        words.any(|word| stems.iter().any(|stem| word.starts_with(stem)))
    };
    // The first part is the version's own heading.
    let found = parts.iter().skip(1).copied().find(is_about);
    found.map_or(parts, |part| vec![part])
}

/// Whether a word is a version: `2.31`, `v1.0.0`, `8.1.x`.
fn is_version(word: &str) -> bool {
    let word = word.trim_start_matches(['v', 'V']);
    word.starts_with(|c: char| c.is_ascii_digit())
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'))
}

/// Whether the heading names exactly this version.
fn has_version(section: &Section<'_>, version: &str) -> bool {
    let heading = &section.symbol.name;
    let mut words = heading.split(|c: char| c.is_whitespace() || "[]()/:,@".contains(c));
    words.any(|word| word.trim_start_matches(['v', 'V']) == version)
}

/// Returns the entries of a list on one line each, without the bullet, with their line ranges.
pub(super) fn items(body: &str, first: Line) -> Vec<(LineRange, String)> {
    let mut found: Vec<(LineRange, String)> = Vec::new();
    let mut is_open = false;
    let mut depth = usize::MAX;
    for (at, line) in body.lines().enumerate() {
        let here = Line(first.0 + at as u32);
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        let sign = ["- ", "* ", "+ ", "• "]
            .iter()
            .find_map(|sign| trimmed.strip_prefix(sign));
        match sign {
            Some(said) if indent <= depth => {
                depth = indent;
                is_open = true;
                found.push((LineRange::new(here, here), said.trim().to_owned()));
            }
            _ if trimmed.is_empty() => is_open = false,
            _ if is_open => {
                if let Some((lines, said)) = found.last_mut() {
                    *lines = LineRange::new(lines.start(), here);
                    said.push(' ');
                    said.push_str(trimmed);
                }
            }
            _ => {}
        }
    }
    for (_, said) in &mut found {
        *said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::answer::tests::answered;
    use crate::index::tests::index;

    const LOG: &str = "# Change Log\n\n## [0.8.7] - 2019-11-25\n\n## Changed\n\n* Upgraded the \
                       lock.\n\n## [0.8.6] - 2019-10-19\n\n## Added\n\n* Data of connections.\n\n## \
                       Fixed\n\n* A leak.\n\n## [0.8.5] - 2019-06-06\n\n### Fixed\n\n* A crash.\n";

    #[test]
    fn a_version_ends_where_the_next_begins_whatever_the_level_of_its_parts() {
        let index = index(&[("CHANGELOG.md", LOG), ("src/lib.rs", "pub fn get() {}\n")]);
        for (question, expected, not) in [
            ("what changed in 0.8.6?", "Data of connections.", "A crash."),
            ("what changed in 0.8.6?", "A leak.", "the lock"),
            (
                "what was fixed in 0.8.6?",
                "A leak.",
                "Data of connections.",
            ),
            ("what changed in 0.8.5?", "A crash.", "A leak."),
        ] {
            let said = answered(&index, question).cited(&index.repo);
            assert!(said.contains(expected), "{question}: {said}");
            assert!(!said.contains(not), "{question}: {said}");
        }
    }
}
