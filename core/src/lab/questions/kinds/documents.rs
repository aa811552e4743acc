//! What a section of the README or the documentation says, asked by its heading.

use super::Kind;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::world::World;
use crate::lang::resolve::names::file_name;
use crate::lang::{Role, Symbol, SymbolKind};

pub(super) const KIND: Kind = Kind {
    name: "documents",
    title: "What does a section of the documentation say?",
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
        for symbol in parsed
            .symbols
            .iter()
            .filter(|it| it.kind == SymbolKind::Section)
        {
            let Some(heading) = heading(symbol) else {
                drafts.refuse("its heading says too little, or is no plain English");
                continue;
            };
            let wordings = [
                format!("What does the documentation say about “{heading}”?"),
                format!("Where is “{heading}” documented?"),
                format!("Which part of the documentation covers “{heading}”?"),
            ];
            let answer = format!(
                "The section “{}” of `{}`, lines {}.",
                symbol.name, source.path, symbol.lines
            );
            drafts.push(&wordings, vec![(file, symbol.lines)], answer);
        }
    }
}

/// The heading without its marks, if it is fit for a question.
fn heading(symbol: &Symbol) -> Option<String> {
    let plain: String = symbol.name.replace(['`', '*', '_', '#'], "");
    let plain = plain.trim().trim_end_matches([':', '.', '!', '?']).trim();
    let lower = plain.to_lowercase();
    let has_letters = plain.chars().filter(|it| it.is_alphabetic()).count() >= 8;
    let is_dated = plain.chars().filter(char::is_ascii_digit).count() > 2;
    let is_plain = plain.is_ascii() && !plain.contains(['<', '>', '{', '[', '|', '=', '\\', '"']);
    let fits = WORDS.contains(&plain.split_whitespace().count());
    let is_fit = has_letters && is_plain && fits && !is_dated && !COMMON.contains(&lower.as_str());
    is_fit.then(|| plain.to_owned())
}
