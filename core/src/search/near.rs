//! Words of the repository that are close in meaning to a word of the question: `remove` for
//! `delete`, `auth` for `authentication`. The static encoder finds them, by the rows of its table.

use super::Context;
use super::params::Param;
use super::retrieve::terms;

/// Parameters that `evaluate` can change.
pub(super) static PARAMS: &[&Param] = &[&SHARE, &LEAST, &MOST];

/// Weight of such a word, multiplied by its cosine; a word of the question has weight 1.
pub(super) static SHARE: Param = Param::new("near", 0.7);
/// Minimum cosine.
static LEAST: Param = Param::new("near_least", 0.45);
/// Maximum number of near words per word of the question.
static MOST: Param = Param::new("near_most", 6.0);

/// Minimum weight of a word, as a share of the question's most informative one, to have near words:
/// what is near to `where` and `used` is useless.
const TELLS: f32 = 0.5;

/// A word of the repository, and the word of the question that it is near to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Near {
    pub asked: String,
    pub word: String,
    pub cosine: f32,
}

/// Returns the near words of all words of the question, nearest first for each word. They are
/// computed once per search: each word is compared with every word of the repository.
pub(super) fn words<'c>(context: &'c Context<'_>) -> &'c [Near] {
    context.near.get_or_init(|| find(context))
}

fn find(context: &Context<'_>) -> Vec<Near> {
    let Some(table) = context.index.table() else {
        return Vec::new();
    };
    let own = terms(context.index, context.question);
    let most_telling = own
        .iter()
        .map(|word| table.weight(word))
        .fold(0.0, f32::max);
    let least = context.params.get(&LEAST);
    let most = context.params.get(&MOST) as usize;
    own.iter()
        .filter(|word| table.weight(word) >= TELLS * most_telling)
        .flat_map(|asked| {
            let near = table.near(asked, least, most).into_iter();
            near.map(move |(word, cosine)| Near {
                asked: asked.clone(),
                word: word.to_owned(),
                cosine,
            })
        })
        .filter(|near| !own.contains(&near.word))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::embed::table::tests::encoder;
    use crate::index::tests::index;
    use crate::index::{TableJob, Vectors};
    use crate::job::run_to_end;
    use crate::search::Question;

    fn near(text: &str, with_table: bool) -> Vec<(String, String)> {
        let index = Arc::new(index(&[(
            "a.py",
            "def remove(entry):\n    entries.remove(entry)\n\ndef paint(wall):\n    wall.paint()\n",
        )]));
        if with_table {
            let Ok(table) = run_to_end(TableJob::new(Arc::clone(&index), Arc::new(encoder())));
            index.set_table(table);
        }
        let (vectors, question) = (Vectors::new(1, 0), Question::new(text).unwrap());
        let context = Context::new(&index, &vectors, &question, None);
        let found = words(&context).iter();
        found
            .map(|near| (near.asked.clone(), near.word.clone()))
            .collect()
    }

    #[test]
    fn a_telling_word_has_the_words_of_the_repository_that_mean_the_same() {
        let expected = ("delete".to_owned(), "remove".to_owned());
        assert!(
            near("how is something deleted", true)
                .iter()
                .all(|it| it.0 != "how")
        );
        assert!(near("delete it", true).contains(&expected));
        assert_eq!(near("delete it", false), Vec::new(), "without the table");
    }

    #[test]
    fn a_word_of_the_question_is_not_added_again() {
        let found = near("delete or remove it", true);
        assert!(!found.iter().any(|(_, word)| word == "remove"), "{found:?}");
    }
}
