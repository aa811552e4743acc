//! Repositories that are made of real ones.

use std::collections::BTreeMap;

use footnote_cli::database::Package;
use pgvector::HalfVector;

/// A repeatable generator, good enough to choose halves.
pub struct Random(pub u64);

impl Random {
    /// From 0 to 1.
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    /// A whole number below this one.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.next() * count as f32) as usize).min(count.saturating_sub(1))
    }
}

/// A repository with a random half of another one's chunks and the distributions of all.
pub fn like(real: &Package, number: usize, random: &mut Random) -> Package {
    let mut package = real.clone();
    package.name = format!("made-{number}");
    package.file_name = format!("made-{number}.footnote");
    package.content[..8].copy_from_slice(&(number as u64).to_le_bytes());
    let rows = &mut package.rows;
    let mut places = BTreeMap::new();
    let mut kept = Vec::new();
    for (at, chunk) in (0..).zip(&rows.chunks) {
        if random.next() < 0.5 {
            places.insert(at, kept.len() as i32);
            let mut chunk = chunk.clone();
            chunk.vector = chunk.vector.map(|vector| turned(&vector, random));
            kept.push(chunk);
        }
    }
    rows.chunks = kept;
    for word in &mut rows.words {
        let pairs = word.chunks.iter().zip(&word.impacts);
        let pairs = pairs.filter_map(|(chunk, impact)| Some((*places.get(chunk)?, *impact)));
        (word.chunks, word.impacts) = pairs.unzip();
    }
    rows.words.retain(|word| !word.chunks.is_empty());
    package
}

fn turned(vector: &HalfVector, random: &mut Random) -> HalfVector {
    let values = vector.as_slice().iter().map(|it| it.to_f32());
    let noise = values.map(|value| value + 0.04 * (random.next() - 0.5));
    HalfVector::from_f32_slice(&noise.collect::<Vec<f32>>())
}
