//! Scores how much the code needs what was found: imports and names first, then text.

use std::collections::{BTreeMap, BTreeSet};

use super::read::Code;
use super::{Found, Need};
use crate::chunk::ChunkId;
use crate::hash::FastMap;
use crate::index::Index;
use crate::index::graph::SymbolId;
use crate::index::tokens::{code_tokens, is_stop_word, name_parts};
use crate::lang::Role;

/// Number of hits by words and by meaning that are compared.
const HITS: usize = 60;

/// Maximum number of distinct words of the last lines that are looked up.
const MAX_WORDS: usize = 64;

/// The weight of each reason.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// An import.
    pub imported: f32,
    /// An import that no line names yet.
    pub unused: f32,
    /// A name anywhere in the code.
    pub named: f32,
    /// A name in the last lines.
    pub in_last: f32,
    /// Similarity of its text to the last lines.
    pub similar: f32,
    /// The share of its name's parts that also occur in the last lines.
    pub shared: f32,
}

impl Weights {
    /// For what the code needs: what the last lines name comes first.
    pub const NEEDS: Self = Self {
        imported: 1.0,
        unused: 0.0,
        named: 0.5,
        in_last: 2.0,
        similar: 2.0,
        shared: 1.0,
    };

    /// For what the next line needs, by text alone: the last lines already have what they name.
    pub const TEXT: Self = Self {
        imported: 0.0,
        named: 0.0,
        in_last: 0.0,
        ..Self::NEEDS
    };

    /// Like [`Weights::TEXT`], with imported but still unused names first.
    pub const UNUSED: Self = Self {
        unused: 0.5,
        ..Self::TEXT
    };
}

/// Factor of a member that is not imported: other types have members with that name too.
const MEMBER_SHARE: f32 = 0.5;

/// Definitions that resemble the last lines, with their similarity, 0–1.
pub(super) type Similar = BTreeMap<SymbolId, f32>;

/// Returns the definitions of the repository that resemble the last lines most.
pub(super) fn similar(index: &Index, code: &Code) -> Similar {
    const MOST: usize = 5;
    const LEAST: f32 = 0.55;
    let words = words(code);
    let mut scored: FastMap<ChunkId, f32> = FastMap::default();
    let hits = index.bm25.search(&words, HITS);
    let best = hits.first().map_or(0.0, |(_, score)| *score);
    for (chunk, score) in &hits {
        scored.insert(*chunk, 0.5 * score / best.max(f32::MIN_POSITIVE));
    }
    if let Some((table, vector)) = by_meaning(index, code) {
        for (chunk, cosine) in table.vectors().nearest(&vector, HITS) {
            *scored.entry(chunk).or_default() += 0.5 * cosine.max(0.0);
        }
    } else {
        scored.values_mut().for_each(|score| *score *= 2.0);
    }
    let mut of_symbols: Vec<(SymbolId, f32)> = scored
        .into_iter()
        .filter_map(|(chunk, score)| Some((symbol_of(index, code, chunk)?, score)))
        .filter(|(_, score)| *score >= LEAST)
        .collect();
    of_symbols.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    of_symbols.truncate(MOST);
    let mut similar = Similar::new();
    for (symbol, score) in of_symbols {
        similar.entry(symbol).or_insert(score.min(1.0));
    }
    similar
}

/// Returns how much each of these definitions resembles the last lines.
pub(super) fn similar_among(index: &Index, code: &Code, candidates: &[SymbolId]) -> Similar {
    let words = words(code);
    let by_meaning = by_meaning(index, code);
    let mut similar = Similar::new();
    let score = |symbol: SymbolId| {
        let chunk = index.chunk_of(symbol)?;
        let parts = index.bm25.explain(&words, chunk);
        let by_words: f32 = parts.iter().map(|part| part.score).sum();
        let cosine = by_meaning.as_ref();
        let cosine = cosine.and_then(|(table, vector)| table.vectors().cosine(vector, chunk));
        Some((by_words, cosine.unwrap_or(0.0).max(0.0)))
    };
    let scores: Vec<(f32, f32)> = candidates
        .iter()
        .map(|symbol| score(*symbol).unwrap_or_default())
        .collect();
    let best = scores
        .iter()
        .map(|it| it.0)
        .fold(f32::MIN_POSITIVE, f32::max);
    for (symbol, (by_words, cosine)) in candidates.iter().zip(scores) {
        similar.insert(*symbol, 0.5 * by_words / best + 0.5 * cosine);
    }
    similar
}

/// Combines the reasons; returns the needs, best first.
pub(super) fn ranked(
    index: &Index,
    code: &Code,
    found: BTreeMap<SymbolId, Found>,
    similar: &Similar,
    weights: &Weights,
) -> Vec<Need> {
    let words: BTreeSet<String> = words(code).into_iter().collect();
    let needs = found.into_iter().map(|(symbol, found)| {
        let is_in_last = found.used.iter().any(|line| code.is_last(*line));
        let similarity = similar.get(&symbol).copied().unwrap_or(0.0);
        let mut by_name = 0.0;
        if !found.used.is_empty() {
            by_name += weights.named;
        }
        if is_in_last {
            by_name += weights.in_last;
        }
        match found.imported {
            Some(_) if found.used.is_empty() => by_name += weights.imported + weights.unused,
            Some(_) => by_name += weights.imported,
            None if found.is_member => by_name *= MEMBER_SHARE,
            None => {}
        }
        let by_text = weights.similar * similarity + weights.shared * shared(index, symbol, &words);
        Need {
            symbol,
            imported: found.imported,
            used: found.used,
            is_in_last,
            similarity,
            score: by_name + by_text,
        }
    });
    let mut needs: Vec<Need> = needs.collect();
    needs.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.symbol.cmp(&b.symbol)));
    needs
}

/// Returns the share of a definition's name parts that also occur in the last lines.
fn shared(index: &Index, symbol: SymbolId, words: &BTreeSet<String>) -> f32 {
    let name = index.symbol(symbol).map_or("", |it| it.name.as_str());
    let parts = name_parts(name);
    let common = parts.iter().filter(|part| words.contains(*part)).count();
    common as f32 / parts.len().max(1) as f32
}

/// Returns the words of the last lines and of the heads around them.
fn words(code: &Code) -> Vec<String> {
    let text = searched(code);
    let mut words = code_tokens(&text);
    words.retain(|word| !is_stop_word(word) && word.len() > 1);
    let mut seen = BTreeSet::new();
    words.retain(|word| seen.insert(word.clone()));
    words.truncate(MAX_WORDS);
    words
}

fn searched(code: &Code) -> String {
    let mut text = code.last_lines();
    for head in code.around() {
        text.push('\n');
        text.push_str(head);
    }
    text
}

fn by_meaning<'i>(
    index: &'i Index,
    code: &Code,
) -> Option<(&'i crate::index::TableVectors, crate::embed::Embedding)> {
    let table = index.table()?;
    let vector = table.embed(&searched(code))?;
    Some((table, vector))
}

/// Returns the definition of a chunk of code, unless it is the code itself, or a test.
fn symbol_of(index: &Index, code: &Code, chunk: ChunkId) -> Option<SymbolId> {
    let found = index.chunk(chunk)?;
    let symbol = SymbolId {
        file: found.file,
        at: found.symbol?,
    };
    let (file, parsed) = index.file(found.file)?;
    let family = code.parsed.language.spec().family;
    let is_code = parsed.language.is_code() && parsed.language.spec().family == family;
    let own = index.symbol(symbol)?;
    let is_itself = code.own.contains(&own.name);
    (is_code && !is_itself && Role::of(&file.path) == Role::Source).then_some(symbol)
}
