//! Vectors of one byte a number, as they are sent, stored and searched.

use super::Embedding;

/// An int8 vector: `values[i] * scale` approximates the embedding's value `i`.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantised {
    values: Vec<i8>,
    scale: f32,
}

impl Quantised {
    /// Rounds to 127 steps of the largest absolute value.
    pub fn new(embedding: &Embedding) -> Self {
        let values = embedding.values();
        let largest = values
            .iter()
            .fold(0f32, |most, value| most.max(value.abs()));
        if largest <= 0.0 || !largest.is_finite() {
            return Self {
                values: vec![0; values.len()],
                scale: 0.0,
            };
        }
        let round = |value: &f32| (value / largest * 127.0).round() as i8;
        Self {
            values: values.iter().map(round).collect(),
            scale: largest / 127.0,
        }
    }

    /// The vector of stored values, -127 to 127, and their scale.
    pub(crate) fn from_parts(values: Vec<i8>, scale: f32) -> Self {
        Self { values, scale }
    }

    /// Returns the vector that it approximates, scaled to length 1.
    pub fn to_embedding(&self) -> Embedding {
        let value = |&value: &i8| f32::from(value) * self.scale;
        Embedding::from_raw(self.values.iter().map(value).collect())
    }

    /// Returns the values as stored, -127 to 127.
    pub fn values(&self) -> &[i8] {
        &self.values
    }

    /// The values alone, -127 to 127.
    pub(crate) fn into_values(self) -> Vec<i8> {
        self.values
    }

    /// Returns the number of values.
    pub fn dimension(&self) -> usize {
        self.values.len()
    }

    /// Returns four bytes of scale (little-endian f32), then one byte per value.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.scale.to_le_bytes().to_vec();
        bytes.extend(self.values.iter().map(|value| value.to_le_bytes()[0]));
        bytes
    }

    /// Returns `None` if there are no values or the scale is not a number.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (scale, values) = bytes.split_first_chunk::<4>()?;
        let scale = f32::from_le_bytes(*scale);
        if values.is_empty() || !scale.is_finite() || scale < 0.0 {
            return None;
        }
        let values = values.iter().map(|&byte| i8::from_le_bytes([byte]));
        Some(Self {
            values: values.collect(),
            scale,
        })
    }
}
