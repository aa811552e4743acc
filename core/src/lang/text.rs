//! Text formats → sections and keys.
//!
//! Markdown and reStructuredText become sections, data formats their top-level keys and tables;
//! other text has no symbols. Every format gives places to cut at.

mod entries;
mod ini;
mod json;
mod markdown;
mod outline;
mod rows;
mod rst;
mod sentence;
mod toml;
mod yaml;

use super::{Break, Language, Parsed};
use crate::lines::Row;
pub(crate) use entries::Entry;
pub(crate) use ini::entries as ini_entries;
pub(crate) use json::entries as json_entries;
pub(crate) use rows::Rows;
pub(crate) use rst::titles as rst_titles;
pub(crate) use toml::entries as toml_entries;

/// Longest name of a section or key, in characters.
const NAME_CHARS: usize = 120;

/// Longest signature, in characters.
const SIGNATURE_CHARS: usize = 300;

/// Parses a text format. Never fails; code is cut at blank lines like any other text.
pub(crate) fn parse_text(language: Language, text: &str) -> Parsed {
    let rows = Rows::new(text);
    let mut parsed = Parsed::empty(language);
    let breaks;
    (parsed.symbols, breaks) = match language {
        Language::Markdown => markdown::parse(&rows),
        Language::Rst => rst::parse(&rows),
        Language::Toml => toml::parse(&rows),
        Language::Yaml => yaml::parse(&rows),
        Language::Json => json::parse(&rows),
        Language::Ini => ini::parse(&rows),
        _ => (Vec::new(), paragraphs(&rows)),
    };
    parsed.breaks = tidy(breaks);
    parsed
}

/// A place to cut at, by row.
#[derive(Clone, Copy, Debug)]
struct Cut {
    row: u32,
    depth: u16,
}

/// One break a line, sorted, the shallowest depth of each.
fn tidy(mut cuts: Vec<Cut>) -> Vec<Break> {
    cuts.sort_by_key(|cut| (cut.row, cut.depth));
    cuts.dedup_by_key(|cut| cut.row);
    cuts.into_iter()
        .map(|cut| Break {
            line: Row(cut.row).into(),
            depth: cut.depth,
        })
        .collect()
}

/// The first row after each blank one; an indented paragraph belongs to the one before it.
fn paragraphs(rows: &Rows<'_>) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut after_blank = true;
    for (row, line) in rows.iter() {
        let is_blank = line.trim().is_empty();
        if after_blank && !is_blank {
            let depth = u16::from(line.starts_with([' ', '\t']));
            cuts.push(Cut { row, depth });
        }
        after_blank = is_blank;
    }
    cuts
}
