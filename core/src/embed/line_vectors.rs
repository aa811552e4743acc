//! The vectors of each line of a text, from one pass of an encoder over the whole text ("late
//! chunking"). They give the mean vector of any run of lines without another pass.

use std::ops::Range;

use super::Embedding;

/// For each line, the number of its tokens and the sum of their vectors as the model returned them.
/// Lines past the model's window have no tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineVectors {
    dimension: usize,
    /// Row by row, one per line.
    sums: Vec<f32>,
    counts: Vec<u32>,
}

impl LineVectors {
    /// An empty one, without tokens.
    pub fn new(dimension: usize, lines: usize) -> Self {
        Self {
            dimension,
            sums: vec![0.0; dimension * lines],
            counts: vec![0; lines],
        }
    }

    /// Adds a token of `line`. Ignored if there is no such line or the vector has another length.
    pub fn add(&mut self, line: usize, vector: &[f32]) {
        let start = line * self.dimension;
        let sums = self.sums.get_mut(start..start + self.dimension);
        if let (Some(sums), Some(count)) = (sums, self.counts.get_mut(line))
            && vector.len() == self.dimension
        {
            sums.iter_mut().zip(vector).for_each(|(sum, v)| *sum += v);
            *count += 1;
        }
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The unit vector of a run of lines: the mean of their tokens' vectors, scaled to length 1.
    /// `None` if they have no token.
    pub fn mean(&self, lines: Range<usize>) -> Option<Embedding> {
        let counts = self.counts.get(lines.clone())?;
        if counts.iter().all(|&count| count == 0) {
            return None;
        }
        let mut sum = vec![0.0; self.dimension];
        let rows = self
            .sums
            .get(lines.start * self.dimension..lines.end * self.dimension)?;
        for row in rows.chunks_exact(self.dimension.max(1)) {
            sum.iter_mut().zip(row).for_each(|(sum, v)| *sum += v);
        }
        Some(Embedding::from_raw(sum))
    }

    /// Appends the lines `from` of `other`, to join the windows of a long text.
    pub fn append(&mut self, other: &LineVectors, from: Range<usize>) {
        if self.counts.is_empty() {
            self.dimension = other.dimension;
        }
        for line in from {
            let start = line * other.dimension;
            let row = other.sums.get(start..start + other.dimension);
            let is_fitting = other.dimension == self.dimension;
            let row = row.filter(|_| is_fitting);
            match row {
                Some(row) => self.sums.extend(row),
                None => self.sums.extend(std::iter::repeat_n(0.0, self.dimension)),
            }
            let count = other.counts.get(line).copied();
            self.counts.push(row.and(count).unwrap_or(0));
        }
    }

    /// Encodes for messages between programs and for caches: dimension and number of lines
    /// (little-endian u32), then for each line the number of tokens (u32), the step (f32) and one
    /// byte per value, in 127 steps of the line's largest.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.dimension as u32).to_le_bytes().to_vec();
        bytes.extend((self.counts.len() as u32).to_le_bytes());
        let rows = self.sums.chunks_exact(self.dimension.max(1));
        for (row, count) in rows.zip(&self.counts) {
            let largest = row.iter().fold(0f32, |most, value| most.max(value.abs()));
            let step = largest.max(f32::MIN_POSITIVE) / 127.0;
            bytes.extend(count.to_le_bytes());
            bytes.extend(step.to_le_bytes());
            let rounded = row.iter().map(|value| (value / step).round() as i8);
            bytes.extend(rounded.map(|value| value.to_le_bytes()[0]));
        }
        bytes
    }

    /// Reads [`to_bytes`](Self::to_bytes). `None` if the bytes are not of that form.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (dimension, rest) = bytes.split_first_chunk::<4>()?;
        let (lines, rest) = rest.split_first_chunk::<4>()?;
        let dimension = u32::from_le_bytes(*dimension) as usize;
        let lines = u32::from_le_bytes(*lines) as usize;
        let record = dimension.checked_add(8)?;
        if dimension == 0 || rest.len() != record.checked_mul(lines)? {
            return None;
        }
        let mut vectors = Self {
            dimension,
            ..Self::default()
        };
        for record in rest.chunks_exact(record) {
            let (count, record) = record.split_first_chunk::<4>()?;
            let (step, values) = record.split_first_chunk::<4>()?;
            let step = Some(f32::from_le_bytes(*step)).filter(|step| step.is_finite())?;
            vectors.counts.push(u32::from_le_bytes(*count));
            let value = |&byte: &u8| f32::from(i8::from_le_bytes([byte])) * step;
            vectors.sums.extend(values.iter().map(value));
        }
        Some(vectors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> LineVectors {
        let mut vectors = LineVectors::new(2, 3);
        vectors.add(0, &[3.0, 0.0]);
        vectors.add(0, &[1.0, 0.0]);
        vectors.add(2, &[0.0, 4.0]);
        vectors.add(7, &[1.0, 1.0]);
        vectors.add(1, &[1.0]);
        vectors
    }

    #[test]
    fn a_run_of_lines_has_the_mean_of_its_tokens() {
        let vectors = sample();
        for (lines, mean) in [
            (0..1, Some(vec![1.0, 0.0])),
            (1..2, None),
            (0..3, Some(vec![0.5f32.sqrt(), 0.5f32.sqrt()])),
            (0..4, None),
            (2..2, None),
        ] {
            let own = vectors.mean(lines.clone());
            let own = own.map(|own| own.values().to_vec());
            match (own, mean) {
                (Some(own), Some(mean)) => {
                    let close = own.iter().zip(&mean).all(|(a, b)| (a - b).abs() < 1e-6);
                    assert!(close, "{lines:?}: {own:?}");
                }
                (own, mean) => assert_eq!(own, mean, "{lines:?}"),
            }
        }
    }

    #[test]
    fn windows_become_one_text() {
        let mut whole = LineVectors::default();
        whole.append(&sample(), 0..2);
        whole.append(&sample(), 2..5);
        assert_eq!(whole.len(), 5);
        assert_eq!(whole.mean(2..3), sample().mean(2..3));
        assert_eq!(whole.mean(3..5), None);
        whole.append(&LineVectors::new(3, 1), 0..1);
        assert_eq!((whole.len(), whole.mean(5..6)), (6, None));
    }

    #[test]
    fn bytes_keep_directions_and_foreign_bytes_are_refused() {
        let back = LineVectors::from_bytes(&sample().to_bytes()).unwrap();
        assert_eq!(back.counts, sample().counts);
        let cosine = back
            .mean(0..3)
            .unwrap()
            .cosine(&sample().mean(0..3).unwrap());
        assert!(cosine > 0.999, "{cosine}");
        let bytes = sample().to_bytes();
        for bytes in [&[][..], &[0; 8], &bytes[..bytes.len() - 1], &[255; 40]] {
            assert_eq!(LineVectors::from_bytes(bytes), None, "{bytes:?}");
        }
    }
}
