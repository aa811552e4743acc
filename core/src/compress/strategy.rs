//! The named ways of choosing lines.

/// How the lines of a context are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// Whole pieces, as far as they fit.
    None,
    /// The first lines of each piece.
    Head,
    /// Single lines by the question's words.
    Bm25Lines,
    /// Blocks by the question's words, by root of their length.
    Bm25Blocks,
    /// Blocks by meaning ("late chunking"), by root of their length.
    EmbeddingBlocks,
    /// Blocks by words and meaning, by root of their length.
    Fused,
    /// As [`Strategy::Fused`], and less the lower the retrieval ranked the piece.
    Ranked,
    /// 0/1 knapsack on AMI (LongCodeZip).
    Knapsack,
    /// AMI against what was chosen before (RepoDistill, section 2.2).
    AmiMmr,
    /// A fitted mix of all that is known of a block.
    Fitted,
}

/// What measured best: see `benches/runs/2026-11-compress`.
impl Default for Strategy {
    fn default() -> Self {
        Self::Ranked
    }
}

/// What a strategy needs and does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Missing {
    /// Vectors of lines: the encoder is asked, then the strategy can be used.
    #[error("the encoder has not read these lines")]
    Encoder,
    /// Perplexities: a code language model is asked, then the strategy can be used.
    #[error("no code language model has read these lines")]
    Model,
}

impl Strategy {
    /// In the order in which they are offered.
    pub const ALL: [Strategy; 10] = [
        Strategy::None,
        Strategy::Head,
        Strategy::Bm25Lines,
        Strategy::Bm25Blocks,
        Strategy::EmbeddingBlocks,
        Strategy::Fused,
        Strategy::Ranked,
        Strategy::Knapsack,
        Strategy::AmiMmr,
        Strategy::Fitted,
    ];

    /// As the command line and saved settings know it.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::None => "none",
            Strategy::Head => "head",
            Strategy::Bm25Lines => "bm25-lines",
            Strategy::Bm25Blocks => "bm25-blocks",
            Strategy::EmbeddingBlocks => "embedding-blocks",
            Strategy::Fused => "fused",
            Strategy::Ranked => "ranked",
            Strategy::Knapsack => "knapsack",
            Strategy::AmiMmr => "ami-mmr",
            Strategy::Fitted => "fitted",
        }
    }

    /// What it does, in a sentence for people.
    pub fn about(self) -> &'static str {
        match self {
            Strategy::None => "Whole pieces, the best first, as far as they fit.",
            Strategy::Head => "The first lines of each piece.",
            Strategy::Bm25Lines => "The lines that hold the rarest words of the question.",
            Strategy::Bm25Blocks => {
                "The blocks that hold the words of the question; long blocks count less."
            }
            Strategy::EmbeddingBlocks => {
                "The blocks whose meaning is nearest to the question's; long blocks count less."
            }
            Strategy::Fused => {
                "Words and meaning of each block, to equal parts; long blocks count less."
            }
            Strategy::Ranked => {
                "Words and meaning of each block; long blocks, and those of pieces far down the list, count less."
            }
            Strategy::Knapsack => {
                "The set of blocks that makes the question least surprising to a code model (LongCodeZip)."
            }
            Strategy::AmiMmr => {
                "Blocks that make the question less surprising to a code model and repeat no other (RepoDistill)."
            }
            Strategy::Fitted => {
                "Words, meaning, place and names of each block, weighed as measured on other repositories."
            }
        }
    }

    /// How many of the lines that answer were in a context of 4,000 tokens, in percent: 71 questions on two
    /// repositories, `benches/runs/2026-11-compress`.
    pub fn measured(self) -> f32 {
        match self {
            Strategy::None => 66.8,
            Strategy::Head => 19.4,
            Strategy::Bm25Lines => 60.1,
            Strategy::Bm25Blocks => 60.4,
            Strategy::EmbeddingBlocks => 66.6,
            Strategy::Fused => 66.5,
            Strategy::Ranked => 70.4,
            Strategy::Knapsack => 62.1,
            Strategy::AmiMmr => 62.6,
            Strategy::Fitted => 69.8,
        }
    }

    /// Reads a [`Strategy::name`].
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Whether it compares vectors.
    pub fn uses_vectors(self) -> bool {
        matches!(
            self,
            Self::EmbeddingBlocks | Self::Fused | Self::Ranked | Self::Fitted
        )
    }

    /// Whether it needs a code language model.
    pub fn uses_model(self) -> bool {
        matches!(self, Self::Knapsack | Self::AmiMmr)
    }

    /// The strategy that is used where some of what this one needs is missing, and what that is.
    pub fn with(self, has_vectors: bool, has_model: bool) -> (Self, Option<Missing>) {
        let without_model = match has_vectors {
            true => Self::default(),
            false => Self::Bm25Blocks,
        };
        if self.uses_model() && !has_model {
            (without_model, Some(Missing::Model))
        } else if self.uses_vectors() && !has_vectors {
            (Self::Bm25Blocks, Some(Missing::Encoder))
        } else {
            (self, None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for strategy in Strategy::ALL {
            assert_eq!(Strategy::parse(strategy.name()), Some(strategy));
            assert!(strategy.about().ends_with('.'), "{strategy:?}");
        }
        assert_eq!(Strategy::parse("nothing"), None);
    }

    #[test]
    fn the_default_is_what_measured_best() {
        let best = Strategy::ALL
            .into_iter()
            .max_by(|a, b| a.measured().total_cmp(&b.measured()));
        assert_eq!(best, Some(Strategy::default()));
    }

    #[test]
    fn what_is_missing_is_named_and_replaced_by_something_that_needs_no_more() {
        for strategy in Strategy::ALL {
            for (has_vectors, has_model) in
                [(false, false), (true, false), (false, true), (true, true)]
            {
                let (used, missing) = strategy.with(has_vectors, has_model);
                assert!(has_vectors || !used.uses_vectors(), "{strategy:?}");
                assert!(has_model || !used.uses_model(), "{strategy:?}");
                assert_eq!(used == strategy, missing.is_none(), "{strategy:?}");
            }
        }
    }
}
