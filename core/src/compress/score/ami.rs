//! How much less surprising the question becomes to a code language model after reading a block:
//! AMI(b, q) = PPL(q) − PPL(q|b) (RepoDistill, section 2.2, equation 2).

use std::ops::Range;

use crate::code_model::{LanguageModel, ModelError, ModelInput, TokenProbability};
use crate::index::tokens::is_stop_word;

/// How much a block lowers the question's perplexity. Larger is better; it can be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ami {
    /// Over all tokens of the question, as published.
    pub whole: f32,
    /// Over the tokens of words that are not stop words.
    pub content: f32,
}

/// The inputs that [`ami_of`] needs: the question alone, then after each block.
pub fn model_inputs<'t>(question: &'t str, blocks: &[&'t str]) -> Vec<ModelInput<'t>> {
    let all = std::iter::once("").chain(blocks.iter().copied());
    all.map(|block| ModelInput::About { block, question })
        .collect()
}

/// The AMI of each block, from a model's results for [`model_inputs`].
pub fn ami_of(question: &str, read: &[Vec<TokenProbability>]) -> Vec<Ami> {
    let content = content_words(question);
    let mut perplexities = read.iter().map(|tokens| {
        let is_content = |token: &&TokenProbability| {
            let (from, to) = (token.bytes.start, token.bytes.end);
            content
                .iter()
                .any(|word| word.start < to && from < word.end)
        };
        let content = tokens.iter().filter(is_content);
        (perplexity(tokens.iter()), perplexity(content))
    });
    let (whole, content) = perplexities.next().unwrap_or_default();
    let scores = perplexities.map(|(whole_after, content_after)| Ami {
        whole: whole - whole_after,
        content: content - content_after,
    });
    scores.collect()
}

/// The AMI of each block: one pass per block and one for the question alone.
pub fn ami(
    model: &mut dyn LanguageModel,
    question: &str,
    blocks: &[&str],
) -> Result<Vec<Ami>, ModelError> {
    Ok(ami_of(
        question,
        &model.read(&model_inputs(question, blocks))?,
    ))
}

/// The perplexity of each line of `texts`, as [`perplexities_of`] computes it from a model's
/// tokens.
pub fn line_perplexities(
    model: &mut dyn LanguageModel,
    texts: &[&str],
) -> Result<Vec<Vec<f32>>, ModelError> {
    let inputs: Vec<ModelInput> = texts.iter().map(|text| ModelInput::Text(text)).collect();
    let read = model.read(&inputs)?;
    let of = |(text, tokens): (&&str, &Vec<TokenProbability>)| perplexities_of(text, tokens);
    Ok(texts.iter().zip(&read).map(of).collect())
}

/// The perplexity of each line of a text; 1, the minimum, for a line without tokens. Lines that the
/// model did not reach are left out.
pub fn perplexities_of(text: &str, tokens: &[TokenProbability]) -> Vec<f32> {
    let reached = tokens.last().map_or(0, |token| token.bytes.start);
    let mut rest = tokens;
    let mut at = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        if at > reached {
            break;
        }
        at += line.len();
        let (own, after) = rest.split_at(rest.partition_point(|token| token.bytes.start < at));
        lines.push(perplexity(own.iter()));
        rest = after;
    }
    lines
}

/// e to the power of the mean surprise; 1 without tokens.
fn perplexity<'t>(tokens: impl Iterator<Item = &'t TokenProbability>) -> f32 {
    let (sum, n) = tokens.fold((0f64, 0u32), |(sum, n), token| {
        (sum - f64::from(token.ln), n + 1)
    });
    (sum / f64::from(n.max(1))).exp() as f32
}

/// The words that are not stop words; all words if there are no others.
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

    /// Gives a word that occurred before the probability ½, any other ⅛.
    struct Copies;

    impl LanguageModel for Copies {
        fn model_id(&self) -> &str {
            "copies"
        }

        fn read(
            &mut self,
            inputs: &[ModelInput<'_>],
        ) -> Result<Vec<Vec<TokenProbability>>, ModelError> {
            let read = |input: &ModelInput| match *input {
                ModelInput::Text(text) => Self::tokens("", text),
                ModelInput::About { block, question } => Self::tokens(block, question),
            };
            inputs.iter().map(read).collect()
        }
    }

    impl Copies {
        fn tokens(before: &str, text: &str) -> Result<Vec<TokenProbability>, ModelError> {
            if text.contains("damaged") {
                return Err(ModelError::Run("damaged".to_owned()));
            }
            let mut tokens = Vec::new();
            for word in text.split_whitespace() {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                let own = text.get(..start).unwrap_or_default();
                let mut known = before.split_whitespace().chain(own.split_whitespace());
                let is_known = known.any(|known| known == word);
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
        let blocks = ["the cookie jar", "the", "nothing", ""];
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
        let nothing = ami(&mut Copies, "", &blocks).unwrap();
        assert!(nothing.iter().all(|score| score.whole == 0.0));
        assert!(ami(&mut Copies, "word", &[]).unwrap().is_empty());
    }

    #[test]
    fn each_line_has_the_perplexity_of_its_tokens() {
        let texts = ["a b\n\na c\na b", "", "a\n \n\n"];
        let lines = line_perplexities(&mut Copies, &texts).unwrap();
        let expected = [vec![8.0, 1.0, 4.0, 2.0], vec![], vec![8.0]];
        for (lines, expected) in lines.iter().zip(expected) {
            assert_eq!(lines.len(), expected.len(), "{lines:?}");
            for (line, expected) in lines.iter().zip(expected) {
                assert!((line - expected).abs() < 1e-4, "{lines:?}");
            }
        }
    }
}
