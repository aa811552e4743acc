//! Gold lines in the context that is sent: retrieval, packing, and compression or not.

use std::collections::BTreeSet;

use footnote_core::compress::policy::Local;
use footnote_core::compress::{Budget, Piece, Strategy as Compression};
use footnote_core::index::Vectors;
use footnote_core::model::prompt::{self, Block};
use footnote_core::search::pack::{self, Packing};
use footnote_core::search::{Question, Strategy, search};

use super::{Case, Options, Out, Row, Tools, kept};
use crate::Result;

/// Tokens of a context, and of how many times as much it is chosen.
const TOKENS: [(usize, &[usize]); 3] = [(2_000, &[2, 3]), (4_000, &[2, 3]), (8_000, &[2])];
/// Hits that are packed.
const HITS: usize = 50;

/// Retrieval is by words and rules alone, as in the app before its vectors are complete: the vectors of all chunks
/// of an archive would take longer than everything else.
pub fn measure(
    case: &Case<'_>,
    options: &Options,
    question: &Question,
    tools: &mut Tools,
    out: &mut Out<'_>,
    is_explored: bool,
) -> Result<()> {
    let vectors = Vectors::new(1, 0);
    let hits = search(
        case.index,
        &vectors,
        question,
        None,
        &Strategy::default(),
        HITS,
    );
    let add = |rows: &mut Vec<Row>, strategy: String, tokens: usize, found: usize| {
        rows.push(Row {
            set: case.set,
            strategy,
            pool: "context".to_owned(),
            keep: tokens as f32,
            gold_lines: found as f64 / case.gold.lines.len() as f64,
            names: None,
        });
    };
    for packing in [Packing::Coverage, Packing::TopK] {
        for (tokens, _) in TOKENS {
            let plain = prompt::context(case.index, &hits, tokens, packing);
            add(
                out.rows,
                format!("uncompressed, {}", packing.name()),
                tokens,
                found(case, &plain),
            );
        }
    }
    for (tokens, all_wider) in TOKENS {
        for &wider in all_wider {
            let cost = |file, lines| {
                Block::new(case.index, file, lines).map_or(usize::MAX, |block| block.tokens)
            };
            let packed = pack::pack_by(case.index, &hits, Packing::TopK, tokens * wider, cost);
            let pieces = Piece::of_packed(case.index, &packed, &hits);
            let scored = tools.scored(case.index, question, &pieces, options.boundaries)?;
            if is_explored {
                out.blocks
                    .push(case.blocks(&scored, &format!("context {tokens} ×{wider}")));
            }
            for &strategy in &options.strategies {
                let compressed = scored.compress(strategy, &Budget::Tokens(tokens));
                assert!(compressed.tokens_after() <= tokens);
                add(
                    out.rows,
                    format!("{}, ×{wider}", strategy.name()),
                    tokens,
                    kept(case.gold, &compressed),
                );
            }
            let suffix = format!(", ×{wider}");
            let budgets = vec![(tokens as f32, Budget::Tokens(tokens))];
            let held = case.held(
                "context".to_owned(),
                &suffix,
                scored.clone(),
                budgets,
                BTreeSet::new(),
                true,
            );
            out.held.push(held);
            for policy in Local::ALL {
                let budget = Budget::Rates {
                    rates: policy.rates(&scored),
                    total: Some(tokens),
                };
                let compressed = scored.compress(Compression::default(), &budget);
                add(
                    out.rows,
                    format!("{}, ×{wider}", policy.name()),
                    tokens,
                    kept(case.gold, &compressed),
                );
            }
        }
    }
    Ok(())
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
