//! Descriptions of what chunks do, instead of their code (Code2Text, section 3.1). Fused by rank,
//! words and meaning of the descriptions equally. Uses the code's own words until a description
//! exists.

use super::{ListSpec, by_table, by_words, most};
use crate::search::fusion::{self, Ranked};
use crate::search::params::Param;
use crate::search::retrieve::terms;
use crate::search::{Context, in_scope};

/// Rank offset of both lists.
static K: Param = Param::new("text_k", 60.0);

pub(super) static TEXT: ListSpec = ListSpec {
    name: "text",
    about: "Descriptions of what each chunk does: their words and meaning, joined by rank.",
    uses_words: true,
    uses_vectors: false,
    uses_texts: true,
    params: &[&K],
    make: |context| {
        let n = most(context);
        let [words, meaning] = lists(context, n);
        let k = context.params.get(&K).max(0.0);
        fusion::by_rank(&[("text words", &words), ("text meaning", &meaning)], k)
    },
};

pub(super) static CODE_AND_TEXT: ListSpec = ListSpec {
    name: "code-and-text",
    about: "Code, and descriptions of what each chunk does: words and meaning of both, joined by \
            rank.",
    uses_words: true,
    uses_vectors: false,
    uses_texts: true,
    params: &[],
    make: |context| {
        let n = most(context);
        let [words, meaning] = lists(context, n);
        let (code, table) = (by_words(context, n), by_table(context, n));
        let k = context.params.get(&K).max(0.0);
        let lists = [
            ("bm25", &code),
            ("table", &table),
            ("text words", &words),
            ("text meaning", &meaning),
        ];
        fusion::by_rank(&lists, k)
    },
};

/// Returns the lists by words and by meaning of the descriptions.
fn lists(context: &Context<'_>, n: usize) -> [Ranked; 2] {
    let (index, question) = (context.index, context.question);
    let Some(texts) = index.texts() else {
        return [by_words(context, n), Vec::new()];
    };
    let terms = terms(index, question);
    let params = context.bm25_params();
    let words = in_scope(index, question, n, |n| texts.by_words(&params, &terms, n));
    let meaning = context.table.as_ref().map_or_else(Vec::new, |table| {
        let list = |n| texts.by_meaning(table.embedding(), n);
        in_scope(index, question, n, list)
    });
    [words, meaning]
}
