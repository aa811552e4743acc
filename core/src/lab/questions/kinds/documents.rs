//! What the README or the documentation says about something, asked by a section's heading.

use super::Kind;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::world::World;
use crate::lang::resolve::names::file_name;
use crate::lang::{Parsed, Role, Symbol, SymbolKind};

pub(super) const KIND: Kind = Kind {
    name: "documents",
    title: "What does the documentation say about something?",
    draft,
};

/// Headings that every project has; they are too general for a question.
const COMMON: [&str; 14] = [
    "table of contents",
    "what's new",
    "whats new",
    "bug fixes",
    "new features",
    "api reference",
    "see also",
    "breaking changes",
    "release notes",
    "getting help",
    "indices and tables",
    "list of contributors",
    "project links",
    "other changes",
];

/// Files that are the same in every project.
const BOILERPLATE: [&str; 6] = [
    "code_of_conduct",
    "code-of-conduct",
    "copying",
    "licen",
    "security",
    "governance",
];

/// Words that say nothing of a project: a heading of these alone could be of any.
const GENERAL: &str = "\
    a about additional advanced all an and another approach available basic basics best \
    between common community complete concept concepts considerations custom description \
    detailed details different docs documentation example examples faq feature features first \
    for from full further general getting guide guidelines hello help how important in \
    information instructions intro introduction issue issues it key known limitations links \
    list main minimal miscellaneous more notable note notes of on options other our overview \
    part practices project projects questions quick quickstart read reading reference \
    references related resources section security simple some start started step steps summary \
    support the things this tips to top tricks tutorial up usage use useful using versions \
    what why with world your";

/// Words of headings above lists of people.
const PEOPLE: [&str; 12] = [
    "acknowledgements",
    "authors",
    "backers",
    "committee",
    "contributors",
    "credits",
    "emeriti",
    "emeritus",
    "maintainers",
    "members",
    "sponsors",
    "thanks",
];

/// Words that stand for something outside of a heading.
const POINTING: [&str; 7] = ["that", "this", "it", "them", "they", "these", "those"];

/// Most characters of a section in the answer.
const SHOWN: usize = 240;

/// Number of words in a heading.
const WORDS: std::ops::RangeInclusive<usize> = 2..=8;

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    for file in world.files(Role::Docs) {
        let Some((source, parsed)) = world.index.file(file) else {
            continue;
        };
        let name = file_name(&source.path).to_lowercase();
        let is_boilerplate = BOILERPLATE.iter().any(|start| name.starts_with(start));
        if is_boilerplate || super::changelog::is_changelog(&name) {
            continue;
        }
        let lines: Vec<&str> = source.text.lines().collect();
        for symbol in sections(parsed) {
            let Some(heading) = heading(symbol) else {
                drafts.refuse("its heading says too little, or is not plain English");
                continue;
            };
            let wordings = [
                format!("What does the documentation say about “{heading}”?"),
                format!("Where does the documentation describe “{heading}”?"),
            ];
            let answer = format!(
                "The section “{}” of `{}`, lines {}: {}",
                symbol.name,
                source.path,
                symbol.lines,
                beginning(&lines, symbol)
            );
            drafts.push(&wordings, vec![(file, symbol.lines)], answer);
        }
    }
}

/// The sections of a document, without the one that is the whole document.
fn sections(parsed: &Parsed) -> impl Iterator<Item = &Symbol> {
    let is_whole = |at: u32| at == 0 && parsed.symbols.iter().any(|it| it.parent == Some(0));
    let all = (0u32..).zip(&parsed.symbols);
    all.filter(move |(at, it)| it.kind == SymbolKind::Section && !is_whole(*at))
        .map(|(_, it)| it)
}

/// The first paragraph below a heading.
fn beginning(lines: &[&str], symbol: &Symbol) -> String {
    let (from, to) = (symbol.name_line.0 as usize, symbol.lines.end().0 as usize);
    let rows = lines.get(from..to.min(lines.len())).unwrap_or_default();
    // `.. versionadded:: 3.0` is not text.
    let is_text = |row: &&&str| row.chars().any(char::is_alphanumeric) && !row.starts_with("..");
    let rows = rows.iter().skip_while(|row| !is_text(row));
    let rows: Vec<&str> = rows.take_while(is_text).map(|row| row.trim()).collect();
    rows.join(" ").chars().take(SHOWN).collect()
}

/// The heading without its marks, if it is fit for a question.
fn heading(symbol: &Symbol) -> Option<String> {
    let plain: String = symbol.name.replace(['`', '*', '#'], "");
    let plain = plain.trim_matches([' ', '_', ':', '.', '!', '?']);
    let lower = plain.to_lowercase();
    let has_letters = plain.chars().filter(|it| it.is_alphabetic()).count() >= 8;
    let is_dated = plain.chars().filter(char::is_ascii_digit).count() > 2;
    let is_plain = plain.is_ascii() && !plain.contains(['<', '>', '{', '[', '|', '=', '\\', '"']);
    let fits = WORDS.contains(&plain.split_whitespace().count());
    let is_fit = has_letters && is_plain && fits && !is_dated && !COMMON.contains(&lower.as_str());
    let words: Vec<&str> = lower.split(|it: char| !it.is_alphanumeric()).collect();
    let says = |word: &&str| word.len() > 1 && GENERAL.split_whitespace().all(|it| it != *word);
    // “What if I don't want that” means something only after what stands above it.
    let points = words.iter().any(|word| POINTING.contains(word));
    let is_shouted = plain.chars().filter(|it| it.is_uppercase()).count() * 2 > plain.len();
    let is_of_people = words.iter().any(|word| PEOPLE.contains(word));
    let is_fit = is_fit && !points && !is_of_people && !is_shouted && words.iter().any(says);
    is_fit.then(|| plain.to_owned())
}
