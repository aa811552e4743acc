//! The vectors of a text's tokens, for a finer comparison than that of two mean vectors.

/// One vector of length 1 for each token of a text, in order, without the tokens that a model adds
/// at both ends.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenVectors {
    dimension: usize,
    /// Row by row.
    values: Vec<f32>,
}

impl TokenVectors {
    /// Scales each row of `dimension` values to length 1. A zero row stays zero; an incomplete last
    /// row is dropped.
    pub fn from_raw(dimension: usize, mut values: Vec<f32>) -> Self {
        values.truncate(values.len() - values.len().checked_rem(dimension).unwrap_or(0));
        if dimension == 0 {
            values.clear();
        }
        for row in values.chunks_exact_mut(dimension.max(1)) {
            let norm = row.iter().map(|value| value * value).sum::<f32>().sqrt();
            if norm > 0.0 {
                row.iter_mut().for_each(|value| *value /= norm);
            }
        }
        Self { dimension, values }
    }

    /// Length of a row.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The vectors, one per token.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.values.chunks_exact(self.dimension.max(1))
    }

    /// Encodes for messages between programs, in a quarter of the memory: the dimension
    /// (little-endian u32), then one byte per value, each row in 127 steps of its largest value.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.dimension as u32).to_le_bytes().to_vec();
        for row in self.rows() {
            let largest = row.iter().fold(0f32, |most, value| most.max(value.abs()));
            let step = largest.max(f32::MIN_POSITIVE) / 127.0;
            let rounded = row.iter().map(|value| (value / step).round() as i8);
            bytes.extend(rounded.map(|value| value.to_le_bytes()[0]));
        }
        bytes
    }

    /// Reads [`to_bytes`](Self::to_bytes). `None` if the bytes do not form full rows.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (dimension, values) = bytes.split_first_chunk::<4>()?;
        let dimension = u32::from_le_bytes(*dimension) as usize;
        if values.len().checked_rem(dimension)? != 0 {
            return None;
        }
        let value = |&byte: &u8| f32::from(i8::from_le_bytes([byte]));
        Some(Self::from_raw(
            dimension,
            values.iter().map(value).collect(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_length_one_and_what_fills_none_is_dropped() {
        let vectors = TokenVectors::from_raw(2, vec![3.0, 4.0, 0.0, 0.0, 1.0]);
        let rows: Vec<&[f32]> = vectors.rows().collect();
        assert_eq!(rows, [&[0.6, 0.8], &[0.0, 0.0]]);
        assert_eq!(TokenVectors::from_raw(0, vec![1.0]).rows().len(), 0);
        assert_eq!(TokenVectors::from_raw(4, vec![]).rows().len(), 0);
    }

    #[test]
    fn bytes_keep_directions_and_foreign_bytes_are_refused() {
        let values = (0..64).map(|n| (n as f32).sin()).collect();
        let vectors = TokenVectors::from_raw(16, values);
        let back = TokenVectors::from_bytes(&vectors.to_bytes()).unwrap();
        assert_eq!(back.dimension(), 16);
        for (a, b) in vectors.rows().zip(back.rows()) {
            let cosine: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
            assert!(cosine > 0.9999, "{cosine}");
        }
        for bytes in [&[][..], &[2, 0, 0], &[0; 4], &[0; 9], &[2, 0, 0, 0, 1]] {
            assert_eq!(TokenVectors::from_bytes(bytes), None, "{bytes:?}");
        }
    }
}
