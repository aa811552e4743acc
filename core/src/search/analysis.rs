//! What a question asks for: read from its text and looked up in the repository once, before any
//! candidate is ranked.

use std::collections::BTreeMap;

use super::Question;
use super::asks::{Asks, asks};
use super::mentions::{Mention, Spelling, mentions};
use super::pasted;
use super::retrieve::{forms, terms};
use super::stem::stem;
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::index::tokens::name_parts;
use crate::lang::Language;
use crate::lines::Line;
use crate::source::FileId;

/// Whether the question is a name or a sentence, which decides the share of meaning in its ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// A name alone.
    Symbol,
    /// A sentence with a name written as code.
    Named,
    /// A sentence without such a name.
    Prose,
}

/// How rare a word of the question is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rarity {
    /// 0–1: how few paths contain it; 0 for a word in every path.
    pub in_paths: f32,
    /// 0–1: how few chunks have it among their names.
    pub in_names: f32,
}

/// Everything that the rules need to know about a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Whether it is a name or a sentence.
    pub wording: Wording,
    /// What kind of thing it asks for.
    pub asks: Asks,
    /// The names of the repository that it mentions.
    pub mentions: Vec<Mention>,
    /// Files whose paths occur in the question.
    pub files: Vec<FileId>,
    /// Chunks that a pasted stack trace passes through, the place of the error first.
    pub frames: Vec<ChunkId>,
    /// Messages and code quoted in the question.
    pub quotes: Vec<String>,
    /// Names of a "subsystem:" prefix, lower-cased.
    pub subsystem: Vec<String>,
    /// The language that the question names, if it names one.
    pub language: Option<Language>,
    /// The question's words, by stem.
    pub words: BTreeMap<String, Rarity>,
}

impl Analysis {
    /// Looks the words, names and paths of the question up in the index.
    pub fn new(index: &Index, question: &Question) -> Self {
        let text = question.text();
        let mentions = mentions(index, question);
        Self {
            wording: wording(text, &mentions),
            asks: asks(text),
            mentions,
            files: files(index, text),
            frames: frames(index, text),
            quotes: pasted::quotes(text),
            subsystem: pasted::subsystem(text)
                .map(|name| name.to_lowercase().split('/').map(str::to_owned).collect())
                .unwrap_or_default(),
            language: language(text),
            words: words(index, question),
        }
    }
}

/// Classifies the wording. A symbol is one word that is a name in the repository, or up to three
/// words with one written as code.
fn wording(text: &str, mentions: &[Mention]) -> Wording {
    let n_words = text.split_whitespace().count();
    let has_code = mentions.iter().any(|m| m.spelling == Spelling::Code);
    let has_name = mentions.iter().any(|m| m.spelling != Spelling::Fuzzy);
    if (n_words <= 1 && has_name) || (n_words <= 3 && has_code) {
        Wording::Symbol
    } else if has_code {
        Wording::Named
    } else {
        Wording::Prose
    }
}

/// Returns the files whose path ends with a path in the question.
fn files(index: &Index, text: &str) -> Vec<FileId> {
    let paths = pasted::paths(text);
    let named = |path: &String| -> Vec<FileId> { ending_with(index, path) };
    let mut files: Vec<FileId> = paths.iter().flat_map(named).collect();
    files.sort();
    files.dedup();
    files
}

fn ending_with(index: &Index, path: &str) -> Vec<FileId> {
    let path = path.trim_matches('/');
    let is_it = |whole: &str| {
        let end = whole.strip_suffix(path);
        end.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    (0..)
        .map(FileId)
        .zip(&index.repo.files)
        .filter(|(_, file)| is_it(&file.path))
        .map(|(id, _)| id)
        .collect()
}

/// Returns the chunks of the frames whose file is in the repository. Files are matched by the
/// longest common end of the path, since a trace names where the package is installed.
fn frames(index: &Index, text: &str) -> Vec<ChunkId> {
    let is_python = text.contains("File \"");
    let mut frames = pasted::frames(text);
    // Python prints the place of the error last, other languages first.
    if is_python {
        frames.reverse();
    }
    let mut chunks = Vec::new();
    for frame in frames {
        let mut rest = frame.path.as_str();
        let file = loop {
            match ending_with(index, rest).as_slice() {
                [file] => break Some(*file),
                [] => match rest.split_once('/') {
                    Some((_, shorter)) => rest = shorter,
                    None => break None,
                },
                _ => break None,
            }
        };
        let chunk = file.and_then(|file| index.chunk_at(file, Line(frame.line)));
        chunks.extend(chunk.filter(|chunk| !chunks.contains(chunk)));
    }
    chunks
}

/// Languages whose names are not common words.
fn language(text: &str) -> Option<Language> {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !(c.is_alphanumeric() || matches!(c, '+' | '#')));
    words.find_map(Language::named)
}

/// Returns the parts of the question's words with their rarity, from the fields of the word index.
fn words(index: &Index, question: &Question) -> BTreeMap<String, Rarity> {
    let mut words = BTreeMap::new();
    for term in terms(index, question) {
        for part in name_parts(&term) {
            let key = stem(&part);
            words
                .entry(key)
                .or_insert_with_key(|key| rarity(index, &part, key));
        }
    }
    words
}

/// Counts a word in all its forms: "redirects" finds a file called `redirect.py`.
fn rarity(index: &Index, word: &str, stem: &str) -> Rarity {
    let total = index.chunks.len().max(2) as f32;
    let (mut paths, mut names) = (0u32, 0u32);
    for form in forms(index, word, stem).chain(std::iter::once(word)) {
        let counts = index.bm25.postings(form).map(|(_, counts)| counts);
        for counts in counts.unwrap_or_default() {
            paths += u32::from(counts[1] > 0);
            names += u32::from(counts[2] > 0);
        }
    }
    let share = |n: u32| 1.0 - (n as f32 + 1.0).ln() / (total + 1.0).ln();
    Rarity {
        in_paths: share(paths).max(0.0),
        in_names: share(names).max(0.0),
    }
}
