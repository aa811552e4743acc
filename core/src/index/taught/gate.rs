//! The gate: how likely a file belongs to the answer, given what the search, the head and the
//! memory say about it.

/// A logistic model over features from the search (`crate::search`), fitted to one repository.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// One per feature, in the order of the search's list.
    pub coefficients: Vec<f32>,
    /// The probability from which on a file belongs to the set, 0–1.
    pub threshold: f32,
    /// Two cosines with the nearest taught question. Below the first, the question is of a
    /// different sort: it is answered as if nothing had been taught. From the second on, the
    /// teaching has full weight.
    pub near: [f32; 2],
}

impl Gate {
    /// Returns how far the teaching is trusted for a question, 0–1, by its cosine with the nearest
    /// taught one.
    pub fn trust(&self, nearest: f32) -> f32 {
        let [low, high] = self.near;
        match nearest < low {
            true => 0.0,
            false if high > low => ((nearest - low) / (high - low)).clamp(f32::EPSILON, 1.0),
            false => 1.0,
        }
    }

    /// Returns the probability of a file with these features; .5 if nothing was fitted.
    pub fn probability(&self, features: &[f32]) -> f32 {
        let products = features.iter().zip(&self.coefficients).map(|(x, c)| x * c);
        1.0 / (1.0 + (-products.sum::<f32>()).exp())
    }
}
