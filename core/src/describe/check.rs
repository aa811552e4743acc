//! Checks whether a model's text can be about the lines it claims to describe: its names must
//! exist, and enough of them must occur in these lines.

use std::collections::BTreeSet;

use crate::chunk::ChunkId;
use crate::index::Index;
use crate::index::tokens::{code_tokens, identifiers, question_tokens};

/// Most names that a doubt lists.
const MAX_NAMES: usize = 5;

/// The least share of a text's words that must occur in its lines, or in the names around them.
const LEAST_SHARED: f32 = 0.2;

/// The largest share of other chunks that may be nearer to a text in meaning than its own chunk; in
/// a small repository, this many chunks.
const NEARER_SHARE: f32 = 0.02;
const NEARER: usize = 20;

/// Number of other chunks that a text is compared with.
const COMPARED: usize = 1_000;

/// Doubts about a text that describes a chunk, one sentence each. Code cannot check whether its
/// sentences are true, so no doubt is about that.
pub fn doubts(index: &Index, chunk: ChunkId, text: &str) -> Vec<String> {
    let own = Own::new(index, chunk);
    let mut doubts = Vec::new();
    let unknown: Vec<&str> = names(text)
        .into_iter()
        .filter(|name| !own.names.contains(*name) && !exists(index, name))
        .collect();
    if !unknown.is_empty() {
        let shown = unknown.iter().take(MAX_NAMES);
        let shown: Vec<String> = shown.map(|name| format!("`{name}`")).collect();
        doubts.push(format!(
            "It names {}, which this repository does not have.",
            shown.join(", ")
        ));
    }
    if is_about_other_lines(index, chunk, text, &own) {
        doubts
            .push("It may describe something else: its words are not those of these lines.".into());
    }
    doubts
}

/// What the lines of a chunk contain.
struct Own<'i> {
    names: BTreeSet<&'i str>,
    words: BTreeSet<String>,
}

impl<'i> Own<'i> {
    fn new(index: &'i Index, chunk: ChunkId) -> Self {
        let text = index.text_of(chunk).unwrap_or_default();
        let path = index.path_of(chunk).unwrap_or_default();
        let words = code_tokens(text).into_iter().chain(code_tokens(path));
        let title = index.title(chunk);
        Self {
            names: identifiers(text).chain(identifiers(path)).collect(),
            words: words.chain(code_tokens(&title)).collect(),
        }
    }
}

/// The names in a text that are written as code: in backticks, with `_`, with a capital inside, or
/// before a bracket.
fn names(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let quoted = text.split('`').skip(1).step_by(2);
    found.extend(quoted.filter(|it| !it.contains(' ')).flat_map(identifiers));
    let bare = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '`'));
    for word in bare {
        let is_called = word.contains("()");
        let names = identifiers(word);
        found.extend(names.filter(|name| is_called || looks_like_code(name)));
    }
    let mut seen = BTreeSet::new();
    found.retain(|name| name.chars().any(char::is_alphabetic) && seen.insert(*name));
    found
}

/// `snake_case`, `camelCase`, `PascalCase`; not `JSON` or `GitHub's`.
fn looks_like_code(name: &str) -> bool {
    let inner = name.trim_matches('_');
    let has_underscore = inner.contains('_');
    let starts_small = name.starts_with(|c: char| c.is_lowercase());
    let has_capital = inner.chars().skip(1).any(char::is_uppercase);
    has_underscore || (starts_small && has_capital)
}

/// Whether a name occurs anywhere in the repository.
fn exists(index: &Index, name: &str) -> bool {
    let mut tokens = code_tokens(name).into_iter().peekable();
    // The name as a whole, and each of its parts.
    tokens.peek().is_some() && tokens.all(|token| index.bm25.document_frequency(&token) > 0)
}

/// Whether few of the text's words are in the lines and many other chunks are nearer to it in
/// meaning.
fn is_about_other_lines(index: &Index, chunk: ChunkId, text: &str, own: &Own<'_>) -> bool {
    let words: BTreeSet<String> = question_tokens(text).into_iter().collect();
    let shared = words.iter().filter(|word| own.words.contains(*word));
    let share = shared.count() as f32 / words.len().max(1) as f32;
    if share < LEAST_SHARED / 2.0 {
        return true;
    }
    match nearer(index, chunk, text) {
        Some(nearer) => {
            let few = NEARER as f32 / index.chunks.len().max(1) as f32;
            nearer > few.max(NEARER_SHARE)
        }
        None => share < LEAST_SHARED,
    }
}

/// The share of chunks that are nearer to a text than its own, in an evenly spread sample; `None`
/// if vectors are missing.
fn nearer(index: &Index, chunk: ChunkId, text: &str) -> Option<f32> {
    let table = index.table()?;
    let embedding = table.embed(text)?;
    let own = table.vectors().cosine(&embedding, chunk)?;
    let step = index.chunks.len().div_ceil(COMPARED).max(1);
    let others = index.chunk_ids().map(|(other, _)| other).step_by(step);
    let cosines = others.filter_map(|other| table.vectors().cosine(&embedding, other));
    let (nearer, all) = cosines.fold((0, 0), |(nearer, all), cosine| {
        (nearer + usize::from(cosine > own), all + 1)
    });
    Some(nearer as f32 / (all as f32).max(1.0))
}
