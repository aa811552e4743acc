//! Gold lines in the context that is sent: retrieval and packing, with and without compression.

use std::collections::BTreeSet;

use footnote_core::compress::policy::Local;
use footnote_core::compress::{Budget, Compressor, Piece, Scored};
use footnote_core::index::Vectors;
use footnote_core::model::prompt::{self, Block};
use footnote_core::search::pack::{self, Packing};
use footnote_core::search::{Hit, Question, Strategy, search};

use super::{Case, Options, Out, Row, Tools, kept};
use crate::Result;

/// The sizes of a context in tokens, each with how many times as much it is chosen from.
const TOKENS: [(usize, &[usize]); 3] = [(2_000, &[2, 3]), (4_000, &[2, 3]), (8_000, &[2])];
/// How many hits are packed.
const HITS: usize = 50;

/// Measures one question. Retrieval uses words and rules alone, as the app does before its vectors
/// are complete: embedding all chunks of an archive would take longer than everything else.
pub fn measure(
    case: &Case<'_>,
    options: &Options,
    question: &Question,
    tools: &mut Tools,
    out: &mut Out<'_>,
    is_explored: bool,
) -> Result<()> {
    let vectors = Vectors::new(1, 0);
    let strategy = Strategy::default();
    let hits = search(case.index, &vectors, question, None, &strategy, HITS);
    uncompressed(case, &hits, out.rows);
    for (tokens, all_wider) in TOKENS {
        for &wider in all_wider {
            let pieces = packed(case, &hits, tokens * wider);
            let scored = tools.scored(case.index, question, &pieces, options.boundaries)?;
            if is_explored {
                out.blocks
                    .push(case.blocks(&scored, &format!("context {tokens} ×{wider}")));
            }
            let suffix = format!(", ×{wider}");
            by_compressors(
                case,
                &options.compressors,
                &scored,
                tokens,
                &suffix,
                out.rows,
            );
            by_policies(case, &scored, tokens, &suffix, out.rows);
            out.held.push(case.held(
                "context".to_owned(),
                &suffix,
                scored,
                vec![(tokens as f32, Budget::Tokens(tokens))],
                BTreeSet::new(),
                true,
            ));
        }
    }
    Ok(())
}

/// Uncompressed blocks, for comparison.
fn uncompressed(case: &Case<'_>, hits: &[Hit], rows: &mut Vec<Row>) {
    for packing in [Packing::Coverage, Packing::TopK] {
        for (tokens, _) in TOKENS {
            let plain = prompt::context(case.index, hits, tokens, packing);
            let strategy = format!("uncompressed, {}", packing.name());
            rows.push(row(case, strategy, tokens, found(case, &plain)));
        }
    }
}

/// The best hits that fit in `tokens`.
fn packed(case: &Case<'_>, hits: &[Hit], tokens: usize) -> Vec<Piece> {
    let cost =
        |file, lines| Block::new(case.index, file, lines).map_or(usize::MAX, |block| block.tokens);
    let packed = pack::pack_by(case.index, hits, Packing::TopK, tokens, cost);
    Piece::of_packed(case.index, &packed, hits)
}

/// The contexts in which all blocks compete.
fn by_compressors(
    case: &Case<'_>,
    compressors: &[Compressor],
    scored: &Scored,
    tokens: usize,
    suffix: &str,
    rows: &mut Vec<Row>,
) {
    for compressor in compressors {
        let compressed = scored.compress(*compressor, &Budget::Tokens(tokens));
        assert!(compressed.tokens_after() <= tokens);
        let found = kept(case.gold, &compressed.snippets);
        let strategy = format!("{}{suffix}", compressor.name());
        rows.push(row(case, strategy, tokens, found));
    }
}

/// The contexts in which a rule says how much of each piece is kept.
fn by_policies(case: &Case<'_>, scored: &Scored, tokens: usize, suffix: &str, rows: &mut Vec<Row>) {
    for policy in Local::all() {
        let budget = Budget::Rates {
            rates: policy.rates(scored),
            total: Some(tokens),
        };
        let compressed = scored.compress(Compressor::default(), &budget);
        let found = kept(case.gold, &compressed.snippets);
        let strategy = format!("{}{suffix}", policy.name());
        rows.push(row(case, strategy, tokens, found));
    }
}

/// The row for `found` gold lines in a context of `tokens`.
fn row(case: &Case<'_>, strategy: String, tokens: usize, found: usize) -> Row {
    Row {
        set: case.set,
        strategy,
        pool: "context".to_owned(),
        keep: tokens as f32,
        gold_lines: found as f64 / case.gold.lines.len() as f64,
        names: None,
    }
}

fn found(case: &Case<'_>, blocks: &[Block]) -> usize {
    let gold = case.gold.lines.iter();
    gold.filter(|(file, line)| {
        let line = footnote_core::lines::Line(*line);
        blocks
            .iter()
            .any(|block| block.file == *file && block.lines.contains(line))
    })
    .count()
}
