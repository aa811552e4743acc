//! Chunks that define a name of the question (methods, section 6). The gain measured best at about
//! .6 of the score range, and only weighted by rarity, since ordinary words are names too.

use std::collections::BTreeMap;

use super::with_new;
use super::{Group, StepSpec};
use crate::chunk::{ChunkId, ChunkKind};
use crate::search::mentions::Spelling;
use crate::search::params::Param;
use crate::search::{Context, Hit};

/// Maximum number of plain words whose definitions become candidates by themselves; for names
/// written as code, all definitions do.
const MAX_NEW: usize = 8;

/// Gain of a chunk that defines a name of the question.
static GAIN: Param = Param::new("definition", 0.5);
/// Share of [`GAIN`] for a plain word that is also a name.
static PLAIN_WORD: Param = Param::new("definition_word", 0.6);

pub(super) static DEFINITION: StepSpec = StepSpec {
    name: "definition",
    about: "The chunk defines a name that the question mentions.",
    why: |analysis, hit| {
        let mut mentioned = analysis.mentions.iter();
        match mentioned.find(|mention| mention.definers.contains(&hit.chunk)) {
            Some(mention) => format!("defines `{}`", mention.name),
            None => "defines a name of the question".to_owned(),
        }
    },
    group: Group::Rule,
    compares: None,
    params: &[&GAIN, &PLAIN_WORD],
    apply: definition,
};

fn definition(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let params = &context.params;
    let known: std::collections::BTreeSet<ChunkId> = hits.iter().map(|hit| hit.chunk).collect();
    let mut gains: BTreeMap<ChunkId, f32> = BTreeMap::new();
    for mention in &context.analysis.mentions {
        let share = match mention.spelling {
            Spelling::Code | Spelling::Fuzzy => 1.0,
            Spelling::Split | Spelling::Word => params.get(&PLAIN_WORD),
        };
        let gain = params.get(&GAIN) * share * mention.weight;
        let may_add = share >= 1.0 || mention.definers.len() <= MAX_NEW;
        for &chunk in &mention.definers {
            if !known.contains(&chunk) && !may_add {
                continue;
            }
            // If a symbol is split into parts, only the first holds its name and signature.
            let is_part = context
                .index
                .chunk(chunk)
                .is_some_and(|chunk| chunk.kind == ChunkKind::Part);
            let gain = if is_part { gain / 2.0 } else { gain };
            let best = gains.entry(chunk).or_insert(0.0);
            *best = best.max(gain);
        }
    }
    gains.retain(|_, gain| *gain > 0.0);
    with_new("definition", hits, &gains)
}
