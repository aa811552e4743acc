//! Ways to compare a text with the candidates of a case.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use footnote_core::embed::{Embedder, Embedding, TableEncoder, TokenVectors};
use footnote_core::index::question_tokens;
use footnote_core::search::bert_score;

use crate::{Result, model};

/// How many texts keep their token vectors, 0.3 MB each.
const MAX_KEPT: usize = 600;

/// The name of a ranking, and its scores of the candidates' code and of their texts.
pub type Scored = (&'static str, Vec<f32>, Vec<f32>);

/// The models and their results.
pub struct Rankers {
    table: Arc<TableEncoder>,
    encoder: Option<Box<dyn Embedder + Send>>,
    known: HashMap<String, Rc<TokenVectors>>,
}

impl Rankers {
    pub fn open(encoder: bool) -> Result<Self> {
        Ok(Self {
            table: model::table()?,
            encoder: encoder.then(model::open).transpose()?,
            known: HashMap::new(),
        })
    }

    /// All rankings of the candidates for a query.
    pub fn scores(
        &mut self,
        query: &str,
        codes: &[String],
        texts: &[String],
    ) -> Result<Vec<Scored>> {
        let own = self.table.vector(query);
        let by_table = |all: &[String]| -> Vec<f32> {
            let vectors = all.iter().map(|text| self.table.vector(text));
            vectors.map(|vector| own.cosine(&vector)).collect()
        };
        let mut all = vec![
            ("Jaccard", jaccard(query, codes), jaccard(query, texts)),
            ("BM25", bm25(query, codes), bm25(query, texts)),
            ("static table, cosine", by_table(codes), by_table(texts)),
        ];
        if self.encoder.is_some() {
            let own = self.tokens(query)?;
            let (code_mean, code_late) = self.by_encoder(&own, codes)?;
            let (text_mean, text_late) = self.by_encoder(&own, texts)?;
            all.push(("MiniLM, cosine", code_mean, text_mean));
            all.push(("MiniLM, BERTScore", code_late, text_late));
        }
        Ok(all)
    }

    /// The cosines of the mean vectors, and the F1 of BERTScore.
    fn by_encoder(
        &mut self,
        query: &TokenVectors,
        texts: &[String],
    ) -> Result<(Vec<f32>, Vec<f32>)> {
        let own = mean(query);
        let (mut means, mut late) = (Vec::new(), Vec::new());
        for text in texts {
            let tokens = self.tokens(text)?;
            means.push(own.cosine(&mean(&tokens)));
            late.push(bert_score(query, &tokens).f1);
        }
        Ok((means, late))
    }

    fn tokens(&mut self, text: &str) -> Result<Rc<TokenVectors>> {
        if let Some(known) = self.known.get(text) {
            return Ok(Rc::clone(known));
        }
        let encoder = self.encoder.as_mut().ok_or("there is no encoder")?;
        let made = encoder.token_vectors(&[text])?.pop();
        let made = Rc::new(made.ok_or("the model gave no vectors")?);
        if self.known.len() >= MAX_KEPT {
            self.known.clear();
        }
        self.known.insert(text.to_owned(), Rc::clone(&made));
        Ok(made)
    }
}

/// The mean of a text's token vectors.
fn mean(tokens: &TokenVectors) -> Embedding {
    let mut sum = vec![0.0; tokens.dimension()];
    for row in tokens.rows() {
        for (sum, value) in sum.iter_mut().zip(row) {
            *sum += value;
        }
    }
    Embedding::from_raw(sum)
}

/// The share of common words among all words of both.
fn jaccard(query: &str, texts: &[String]) -> Vec<f32> {
    let words = |text: &str| -> BTreeSet<String> { question_tokens(text).into_iter().collect() };
    let own = words(query);
    let share = |text: &String| {
        let other = words(text);
        let common = own.intersection(&other).count() as f32;
        common / (own.union(&other).count().max(1)) as f32
    };
    texts.iter().map(share).collect()
}

/// BM25 with the usual parameters; document frequencies are counted among the candidates.
fn bm25(query: &str, texts: &[String]) -> Vec<f32> {
    const K1: f32 = 1.2;
    const B: f32 = 0.75;
    let documents: Vec<Vec<String>> = texts.iter().map(|text| question_tokens(text)).collect();
    let n = documents.len().max(1) as f32;
    let length = documents.iter().map(Vec::len).sum::<usize>() as f32 / n;
    let query: BTreeSet<String> = question_tokens(query).into_iter().collect();
    let mut scores = vec![0.0; documents.len()];
    for word in &query {
        let count = |document: &Vec<String>| document.iter().filter(|it| *it == word).count();
        let counts: Vec<f32> = documents.iter().map(|it| count(it) as f32).collect();
        let with = counts.iter().filter(|count| **count > 0.0).count() as f32;
        let idf = ((n - with + 0.5) / (with + 0.5)).ln_1p();
        for ((score, count), document) in scores.iter_mut().zip(counts).zip(&documents) {
            let long = 1.0 - B + B * document.len() as f32 / length.max(1.0);
            *score += idf * count * (K1 + 1.0) / (count + K1 * long);
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_common_decide_where_there_is_no_model() {
        let texts = ["def send_url(url)", "class Pot", ""].map(str::to_owned);
        for scores in [jaccard("send_url(x", &texts), bm25("send_url(x", &texts)] {
            assert!(scores[0] > scores[1], "{scores:?}");
            assert_eq!(&scores[1..], [0.0, 0.0]);
        }
        assert!(jaccard("", &[]).is_empty() && bm25("", &[]).is_empty());
    }
}
