//! How much less surprising a block makes the question to a code language model: AMI(b, q) =
//! PPL(q) − PPL(q|b) (RepoDistill, section 2.2, equation 2).

use std::ops::Range;

use crate::index::tokens::is_stop_word;

/// Between a block and the question.
const SEPARATOR: &str = "\n\n";

/// A token of a text and how likely it is after all before it.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenProbability {
    /// Where it stands in the text.
    pub bytes: Range<usize>,
    /// Natural logarithm, at most 0.
    pub ln: f32,
}

/// Why a model did not read a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the code model failed on a text: {0}")]
pub struct ModelError(pub String);

/// A language model for code.
pub trait LanguageModel {
    /// Of each token but the first, in order. Of a text over the model's window the end is read.
    fn log_probabilities(&mut self, text: &str) -> Result<Vec<TokenProbability>, ModelError>;
}

/// What a block does to the question's perplexity; more is better, less than 0 is possible.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ami {
    /// Of all its tokens, as published.
    pub whole: f32,
    /// Of the tokens in words that are no stop words.
    pub content: f32,
}

/// The AMI of each block, one pass a block and one for the question alone.
pub fn ami(
    model: &mut dyn LanguageModel,
    question: &str,
    blocks: &[String],
) -> Result<Vec<Ami>, ModelError> {
    let (whole, content) = perplexities(model, "", question)?;
    let score = |block: &String| {
        let (whole_after, content_after) = perplexities(model, block, question)?;
        Ok(Ami {
            whole: whole - whole_after,
            content: content - content_after,
        })
    };
    blocks.iter().map(score).collect()
}

/// The perplexity of each line of `text`; 1, the least, of one without tokens.
pub fn line_perplexities(
    model: &mut dyn LanguageModel,
    text: &str,
) -> Result<Vec<f32>, ModelError> {
    let tokens = model.log_probabilities(text)?;
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let bytes = at..at + line.len();
        at = bytes.end;
        perplexity(
            tokens
                .iter()
                .filter(|token| bytes.contains(&token.bytes.start)),
        )
    });
    Ok(lines.collect())
}

/// Of the question after `before`: of all its tokens, of those in content words.
fn perplexities(
    model: &mut dyn LanguageModel,
    before: &str,
    question: &str,
) -> Result<(f32, f32), ModelError> {
    let text = format!("{before}{SEPARATOR}{question}");
    let start = text.len() - question.len();
    let content = content_words(question);
    let tokens = model.log_probabilities(&text)?;
    let own = tokens.iter().filter(|token| token.bytes.end > start);
    let is_content = |token: &&TokenProbability| {
        let from = token.bytes.start.saturating_sub(start);
        let to = token.bytes.end.saturating_sub(start);
        content
            .iter()
            .any(|word| word.start < to && from < word.end)
    };
    Ok((perplexity(own.clone()), perplexity(own.filter(is_content))))
}

/// e to the mean surprise; 1 without tokens.
fn perplexity<'t>(tokens: impl Iterator<Item = &'t TokenProbability>) -> f32 {
    let (sum, n) = tokens.fold((0f64, 0u32), |(sum, n), token| {
        (sum - f64::from(token.ln), n + 1)
    });
    (sum / f64::from(n.max(1))).exp() as f32
}

/// The words that say something; all if none does.
fn content_words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, c) in text
        .char_indices()
        .filter(|(_, c)| c.is_alphanumeric() || *c == '_')
    {
        match words.last_mut() {
            Some(word) if word.end == at => word.end = at + c.len_utf8(),
            _ => words.push(at..at + c.len_utf8()),
        }
    }
    let says = |word: &Range<usize>| {
        let word = text.get(word.clone()).unwrap_or_default();
        !is_stop_word(&word.to_lowercase())
    };
    let content: Vec<Range<usize>> = words.iter().filter(|word| says(word)).cloned().collect();
    if content.is_empty() { words } else { content }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word that occurred before has the probability ½, any other ⅛.
    pub struct Copies;

    impl LanguageModel for Copies {
        fn log_probabilities(&mut self, text: &str) -> Result<Vec<TokenProbability>, ModelError> {
            if text.contains("damaged") {
                return Err(ModelError("damaged".to_owned()));
            }
            let mut tokens = Vec::new();
            for word in text.split_whitespace() {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                let before = text.get(..start).unwrap_or_default();
                let is_known = before.split_whitespace().any(|known| known == word);
                let ln: f32 = if is_known { 0.5f32.ln() } else { 0.125f32.ln() };
                tokens.push(TokenProbability {
                    bytes: start..start + word.len(),
                    ln,
                });
            }
            Ok(tokens)
        }
    }

    #[test]
    fn a_block_that_holds_the_questions_words_makes_it_less_surprising() {
        let blocks = ["the cookie jar", "the", "nothing", ""].map(str::to_owned);
        let scores = ami(&mut Copies, "the cookie jar", &blocks).unwrap();
        for (score, whole, content) in [
            (scores[0], 6.0, 6.0),
            (
                scores[1],
                8.0 - 8f32.powf(2.0 / 3.0) * 2f32.powf(1.0 / 3.0),
                0.0,
            ),
            (scores[2], 0.0, 0.0),
            (scores[3], 0.0, 0.0),
        ] {
            assert!((score.whole - whole).abs() < 1e-4, "{score:?}");
            assert!((score.content - content).abs() < 1e-4, "{score:?}");
        }
        assert!(ami(&mut Copies, "damaged", &blocks).is_err());
        assert!(
            ami(&mut Copies, "", &blocks)
                .unwrap()
                .iter()
                .all(|score| score.whole == 0.0)
        );
    }

    #[test]
    fn each_line_has_the_perplexity_of_its_tokens() {
        let lines = line_perplexities(&mut Copies, "a b\n\na c\na b").unwrap();
        let expected = [8.0, 1.0, 4.0, 2.0];
        assert_eq!(lines.len(), 4);
        for (line, expected) in lines.iter().zip(expected) {
            assert!((line - expected).abs() < 1e-4, "{lines:?}");
        }
        assert!(line_perplexities(&mut Copies, "").unwrap().is_empty());
    }
}
