//! The tokens of the table: whole words, and the pieces that other words are made of.

use serde_json::Value;

use crate::embed::EmbedError;
use crate::hash::FastMap;

/// Words, and pieces that continue a word, each with its row of the table.
pub(super) struct Vocabulary {
    words: FastMap<Box<str>, u32>,
    /// Continuing pieces, without their `##`.
    inner: FastMap<Box<str>, u32>,
    /// Longer words are not words but keys, digests or data.
    max_word: usize,
}

impl Vocabulary {
    /// Reads `model.vocab` of a `tokenizer.json`.
    pub(super) fn read(json: &[u8], max_word: usize) -> Result<Self, EmbedError> {
        let wrong = |what: String| EmbedError::Model(format!("tokenizer.json: {what}"));
        let json: Value = serde_json::from_slice(json).map_err(|error| wrong(error.to_string()))?;
        let entries = json.get("model").and_then(|model| model.get("vocab"));
        let entries = entries.and_then(Value::as_object);
        let entries = entries.ok_or_else(|| wrong("no vocabulary".to_owned()))?;
        let (mut words, mut inner) = (FastMap::default(), FastMap::default());
        for (token, row) in entries {
            let row = row.as_u64().and_then(|row| u32::try_from(row).ok());
            let row = row.ok_or_else(|| wrong(format!("the token {token} has no row")))?;
            match token.strip_prefix("##").filter(|rest| !rest.is_empty()) {
                Some(rest) => inner.insert(rest.into(), row),
                None => words.insert(token.as_str().into(), row),
            };
        }
        Ok(Self {
            words,
            inner,
            max_word,
        })
    }

    /// Number of tokens.
    pub(super) fn size(&self) -> usize {
        self.words.len() + self.inner.len()
    }

    /// The whole words with their rows.
    pub(super) fn words(&self) -> impl Iterator<Item = (&str, u32)> {
        self.words.iter().map(|(word, &row)| (&**word, row))
    }

    /// The row of a whole word.
    pub(super) fn word(&self, word: &str) -> Option<u32> {
        self.words.get(word).copied()
    }

    /// Appends the rows of a word: its own, else those of the longest pieces from the left. Appends
    /// nothing if pieces cannot make up the word.
    pub(super) fn pieces(&self, word: &str, rows: &mut Vec<u32>) {
        if let Some(&row) = self.words.get(word) {
            return rows.push(row);
        }
        let before = rows.len();
        if word.chars().count() > self.max_word || !self.cut(word, rows) {
            rows.truncate(before);
        }
    }

    /// Whether the whole word could be cut into pieces.
    fn cut(&self, word: &str, rows: &mut Vec<u32>) -> bool {
        let mut rest = word;
        while !rest.is_empty() {
            let known = match rest.len() == word.len() {
                true => &self.words,
                false => &self.inner,
            };
            let ends = rest.char_indices().rev().map(|(at, c)| at + c.len_utf8());
            let found = ends
                .filter_map(|end| Some((rest.get(end..)?, *known.get(rest.get(..end)?)?)))
                .next();
            let Some((after, row)) = found else {
                return false;
            };
            rows.push(row);
            rest = after;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_into_the_longest_pieces_from_the_left_or_left_out() {
        let json = br###"{"model": {"vocab": {"re": 0, "redirect": 1, "##s": 2, "##direct": 3, "##d": 4}}}"###;
        let vocabulary = Vocabulary::read(json, 40).unwrap();
        assert_eq!(vocabulary.size(), 5);
        for (word, expected) in [
            ("redirect", vec![1]),
            ("redirects", vec![1, 2]),
            ("red", vec![0, 4]),
            ("redirectx", vec![]),
            ("x", vec![]),
            ("", vec![]),
        ] {
            let mut rows = Vec::new();
            vocabulary.pieces(word, &mut rows);
            assert_eq!(rows, expected, "{word}");
        }
        let mut rows = vec![9];
        vocabulary.pieces(&"redirect".repeat(6), &mut rows);
        assert_eq!(rows, [9], "too long");
    }

    #[test]
    fn a_damaged_vocabulary_is_refused_with_the_reason() {
        for (json, expected) in [
            ("{", "tokenizer.json: EOF"),
            ("{}", "tokenizer.json: no vocabulary"),
            (
                r#"{"model": {"vocab": {"a": -1}}}"#,
                "the token a has no row",
            ),
        ] {
            let error = Vocabulary::read(json.as_bytes(), 40)
                .err()
                .unwrap()
                .to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
