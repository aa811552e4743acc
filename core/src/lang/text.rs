//! Parses text formats into sections and keys.
//!
//! Markdown and reStructuredText become sections, data formats their top-level keys and tables;
//! other text has no symbols. Every format yields places to cut at.

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

use super::highlight::{data, markup};
use super::spec::{LanguageSpec, Reader};
use super::{Break, Language, Parsed, Symbol};
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

/// Returns the sections or keys of a text, and where it may be cut.
pub(crate) type Outline = fn(&Rows<'_>) -> (Vec<Symbol>, Vec<Cut>);

pub(super) static MARKDOWN: LanguageSpec = LanguageSpec {
    name: "Markdown",
    extensions: &[
        "md", "markdown", "mdown", "mkd", "mkdn", "mdx", "qmd", "rmd",
    ],
    reader: Reader::Text {
        outline: markdown::parse,
        highlight: markup::markdown,
    },
    ..LanguageSpec::PLAIN
};

pub(super) static RST: LanguageSpec = LanguageSpec {
    name: "reStructuredText",
    extensions: &["rst", "rest"],
    reader: Reader::Text {
        outline: rst::parse,
        highlight: markup::rst,
    },
    ..LanguageSpec::PLAIN
};

pub(super) static TOML: LanguageSpec = LanguageSpec {
    name: "TOML",
    extensions: &["toml"],
    file_names: &[
        "Pipfile",
        "Cargo.lock",
        "poetry.lock",
        "uv.lock",
        "pdm.lock",
    ],
    reader: Reader::Text {
        outline: toml::parse,
        highlight: data::toml,
    },
    ..LanguageSpec::PLAIN
};

pub(super) static YAML: LanguageSpec = LanguageSpec {
    name: "YAML",
    extensions: &["yml", "yaml", "cff"],
    file_names: &[".clang-format", ".clang-tidy", ".clangd"],
    reader: Reader::Text {
        outline: yaml::parse,
        highlight: data::yaml,
    },
    ..LanguageSpec::PLAIN
};

pub(super) static JSON: LanguageSpec = LanguageSpec {
    name: "JSON",
    extensions: &[
        "json",
        "jsonc",
        "json5",
        "geojson",
        "webmanifest",
        "ipynb",
        "code-workspace",
    ],
    file_names: &[
        "Pipfile.lock",
        "composer.lock",
        ".babelrc",
        ".prettierrc",
        ".eslintrc",
        ".jshintrc",
        ".swcrc",
        ".watchmanconfig",
    ],
    reader: Reader::Text {
        outline: json::parse,
        highlight: data::json,
    },
    ..LanguageSpec::PLAIN
};

pub(super) static INI: LanguageSpec = LanguageSpec {
    name: "INI",
    extensions: &["ini", "cfg", "properties", "desktop", "service"],
    file_names: &[
        ".editorconfig",
        ".gitconfig",
        ".gitmodules",
        ".flake8",
        ".pylintrc",
        "pylintrc",
        ".coveragerc",
        ".pypirc",
        ".npmrc",
        ".style.yapf",
        ".isort.cfg",
    ],
    claims: Some(|extension, text| extension == "conf" && starts_with_table(text)),
    reader: Reader::Text {
        outline: ini::parse,
        highlight: data::ini,
    },
    ..LanguageSpec::PLAIN
};

pub(super) static TEXT: LanguageSpec = LanguageSpec {
    name: "Text",
    // Qt's translation files share their extension with TypeScript.
    claims: Some(|extension, text| extension == "ts" && text.trim_start().starts_with("<?xml")),
    ..LanguageSpec::PLAIN
};

/// Whether the first significant line is `[table]`.
fn starts_with_table(text: &str) -> bool {
    let mut lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with(['#', ';']));
    lines
        .next()
        .is_some_and(|line| line.starts_with('[') && line.ends_with(']'))
}

/// Parses a text format. Never fails; code is cut at blank lines like any other text.
pub(crate) fn parse_text(language: Language, text: &str) -> Parsed {
    let rows = Rows::new(text);
    let mut parsed = Parsed::empty(language);
    let breaks;
    (parsed.symbols, breaks) = match &language.spec().reader {
        Reader::Text { outline, .. } => outline(&rows),
        Reader::Code(_) | Reader::Plain => (Vec::new(), paragraphs(&rows)),
    };
    parsed.breaks = tidy(breaks);
    parsed
}

/// A place to cut at, as a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    row: u32,
    depth: u16,
}

/// Returns one break per line, sorted, with the smallest depth on each line.
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

/// Cuts at the first row after each blank one; an indented paragraph belongs to the previous one.
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
