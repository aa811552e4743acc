//! The strategies that the app offers to compare, in words.

use super::Strategy;

/// A strategy as offered to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name, as [`Strategy::from_name`] reads it.
    pub name: &'static str,
    /// A few words, for a list of choices.
    pub title: &'static str,
    /// One sentence about it.
    pub about: &'static str,
}

impl Preset {
    /// Returns the strategy that it names.
    pub fn strategy(&self) -> Option<Strategy> {
        Strategy::from_name(self.name)
    }
}

/// All presets, from the one that the app uses down to the plain lists.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "default",
        title: "Default",
        about: "Words and meaning in one list, then the rules and the steps along the graph that measured well.",
    },
    Preset {
        name: "default+late",
        title: "Default, token by token",
        about: "The best 30 of the default compared again, every word of the question with every \
                word of the chunk (BERTScore, as in Code2Text).",
    },
    Preset {
        name: "default+taught",
        title: "Default, taught",
        about: "The default, weighed against the files that taught questions lead to (after \
                PathFinder).",
    },
    Preset {
        name: "code-and-text",
        title: "Code and text",
        about: "Code, and descriptions of what each chunk does; words and meaning of both, joined \
                by rank (after Code2Text).",
    },
    Preset {
        name: "text+bertscore-text",
        title: "Text by BERTScore, as in Code2Text",
        about: "Descriptions of what each chunk does; the best 30 ranked again, token by token.",
    },
    Preset {
        name: "bm25",
        title: "Words only (BM25)",
        about: "Chunks that contain the rare words of the question.",
    },
    Preset {
        name: "dense",
        title: "Meaning only",
        about: "Chunks whose vectors point the same way as the question's.",
    },
    Preset {
        name: "table",
        title: "Meaning of single words",
        about: "Chunks whose words mean what the question's do, by the static encoder, which has read every chunk.",
    },
    Preset {
        name: "hybrid",
        title: "Hybrid, as in Grounded",
        about: "The best 28 by words and by meaning, each list scaled from 0 to 1, weighted .45 to \
                .55.",
    },
    Preset {
        name: "rrf",
        title: "Reciprocal ranks",
        about: "Both lists joined by their ranks alone.",
    },
    Preset {
        name: "fused",
        title: "Default without rules",
        about: "The list that the default begins with: the share of meaning follows from the wording.",
    },
    Preset {
        name: "hybrid+rules",
        title: "Hybrid with rules",
        about: "Grounded's list, then the ranking rules.",
    },
    Preset {
        name: "hybrid+expansion",
        title: "Import expansion, as in Grounded",
        about: "Grounded's list; files that the best four import, or that import them, score \
                higher.",
    },
    Preset {
        name: "dense+graph-rag",
        title: "GraphRAG, as in RepoDistill",
        about: "The definitions nearest in meaning, what they call, what calls them and what lies \
                between.",
    },
    Preset {
        name: "fused+rules",
        title: "Default without the graph",
        about: "Words, meaning and the rules that read text, names and paths.",
    },
];

/// Returns the preset with this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_a_different_strategy() {
        let mut seen = std::collections::BTreeSet::new();
        for preset in PRESETS {
            let strategy = preset.strategy();
            assert!(strategy.is_some(), "{}", preset.name);
            assert!(seen.insert(strategy), "{} twice", preset.name);
        }
        assert_eq!(
            preset("default").and_then(Preset::strategy),
            Some(Strategy::default())
        );
    }
}
