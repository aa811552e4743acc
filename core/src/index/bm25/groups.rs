//! BM25 over runs of chunks: the same postings, read as if each file were one document.

use super::Bm25;

impl Bm25 {
    /// Returns the score of every group that contains a token, by group. Group `g` is the chunks
    /// from `starts[g]` to before `starts[g + 1]`. So a file whose parts together say what the
    /// question asks is found even if no part says all of it. Body and names count; the path does
    /// not, because each chunk repeats it.
    pub(crate) fn score_groups(
        &self,
        tokens: &[(impl AsRef<str>, f32)],
        starts: &[u32],
    ) -> Vec<(u32, f32)> {
        let n_groups = starts.len().saturating_sub(1);
        let lengths = self.group_lengths(starts);
        let average = (lengths.iter().sum::<f32>() / n_groups.max(1) as f32).max(f32::MIN_POSITIVE);
        let mut scores = vec![0f32; n_groups];
        for (term, weight) in tokens {
            let groups = self.group_frequencies(term.as_ref(), starts);
            let (total, with) = (n_groups as f32, groups.len() as f32);
            let gain = weight * ((total - with + 0.5) / (with + 0.5)).ln_1p();
            for (group, frequency) in groups {
                let length = lengths.get(group).copied().unwrap_or_default();
                let norm = 0.25 + 0.75 * length / average;
                let k1 = self.params.k1;
                if let Some(score) = scores.get_mut(group) {
                    *score += gain * frequency * (k1 + 1.0) / (frequency + k1 * norm);
                }
            }
        }
        (0..)
            .zip(scores)
            .filter(|&(_, score)| score > 0.0)
            .collect()
    }

    fn group_lengths(&self, starts: &[u32]) -> Vec<f32> {
        let length = |bounds: &[u32]| {
            let range = match bounds {
                &[from, to] => from as usize..to as usize,
                _ => 0..0,
            };
            let chunks = self.lengths.get(range).unwrap_or_default();
            let sum = |lengths: &[u32; 3]| u64::from(lengths[0]) + u64::from(lengths[2]);
            chunks.iter().map(sum).sum::<u64>() as f32
        };
        starts.windows(2).map(length).collect()
    }

    /// Returns the groups with the term and its number of occurrences there, ascending.
    fn group_frequencies(&self, term: &str, starts: &[u32]) -> Vec<(usize, f32)> {
        let Some((chunks, counts)) = self.postings(term) else {
            return Vec::new();
        };
        let mut groups: Vec<(usize, f32)> = Vec::new();
        let mut end = 0;
        for (&chunk, counts) in chunks.iter().zip(counts) {
            let frequency = f32::from(counts[0]) + 2.0 * f32::from(counts[2]);
            if frequency <= 0.0 {
                continue;
            }
            match groups.last_mut() {
                Some((_, sum)) if chunk < end => *sum += frequency,
                _ => {
                    let after = starts.partition_point(|&start| start <= chunk);
                    end = starts.get(after).copied().unwrap_or(u32::MAX);
                    groups.push((after.saturating_sub(1), frequency));
                }
            }
        }
        groups
    }
}
