//! The named ways of ranking: a list of candidates and the steps that follow it.

use super::steps::Step;

/// How the first list of candidates is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lists {
    /// Words only.
    Bm25,
    /// Meaning only: cosine of question and chunk.
    Dense,
    /// Min–max fusion of the best 28 of both lists (Grounded, section 3.3).
    Hybrid,
    /// Reciprocal rank fusion of both lists.
    Rrf,
    /// Words and meaning of one common list, each candidate with both scores; the share of meaning
    /// follows from the wording.
    Fused,
}

impl Lists {
    /// In the order in which they are offered.
    pub const ALL: [Lists; 5] = [
        Lists::Bm25,
        Lists::Dense,
        Lists::Hybrid,
        Lists::Rrf,
        Lists::Fused,
    ];

    /// As the command line and saved traces name it.
    pub fn name(self) -> &'static str {
        match self {
            Lists::Bm25 => "bm25",
            Lists::Dense => "dense",
            Lists::Hybrid => "hybrid",
            Lists::Rrf => "rrf",
            Lists::Fused => "fused",
        }
    }

    /// Where the candidates come from, in a sentence for people.
    pub fn about(self) -> &'static str {
        match self {
            Lists::Bm25 => "Chunks that hold the words of the question, rare words first.",
            Lists::Dense => "Chunks whose meaning is nearest to the question's.",
            Lists::Hybrid => "The best 28 of both lists, scaled from 0 to 1 and added.",
            Lists::Rrf => "Both lists, joined by rank.",
            Lists::Fused => "Words and meaning; every candidate has both scores.",
        }
    }
}

/// A list of candidates and the steps that follow it, in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strategy {
    /// How the candidates are made.
    pub lists: Lists,
    /// What is then done to them, in order.
    pub steps: Vec<Step>,
}

/// What the app uses.
impl Default for Strategy {
    fn default() -> Self {
        Self {
            lists: Lists::Fused,
            steps: [Step::RULES, Step::GRAPH].concat(),
        }
    }
}

impl Strategy {
    /// A list of candidates without any step.
    pub fn plain(lists: Lists) -> Self {
        Self {
            lists,
            steps: Vec::new(),
        }
    }

    /// The strategies with a name of their own.
    pub fn all() -> Vec<Strategy> {
        let plain = Lists::ALL.into_iter().map(Self::plain);
        plain.chain([Self::default()]).collect()
    }

    /// `default`, or a list and its steps joined by `+`: `bm25`, `hybrid+definition+kinds`.
    pub fn name(&self) -> String {
        if *self == Self::default() {
            return "default".to_owned();
        }
        let steps = self.steps.iter().map(|step| step.name());
        let parts: Vec<&str> = std::iter::once(self.lists.name()).chain(steps).collect();
        parts.join("+")
    }

    /// Reads a [`Strategy::name`]. `rules` stands for all rules, `graph` for all steps over the graph, a step after `~` is left
    /// out: `hybrid+rules+fold`, `default~stem`.
    pub fn from_name(name: &str) -> Option<Self> {
        let end = name.find(['+']).unwrap_or(name.len());
        let (mut head, tail) = name.split_at_checked(end)?;
        let mut removed = Vec::new();
        while let Some((rest, step)) = head.rsplit_once('~') {
            removed.push(step);
            head = rest;
        }
        let mut strategy = match head {
            "default" => Self::default(),
            _ => Self::plain(Lists::ALL.into_iter().find(|lists| lists.name() == head)?),
        };
        for part in tail.split('+').filter(|part| !part.is_empty()) {
            let mut parts = part.split('~');
            match parts.next()? {
                "rules" => strategy.steps.extend(Step::RULES),
                "graph" => strategy.steps.extend(Step::GRAPH),
                step => strategy.steps.push(Step::from_name(step)?),
            }
            removed.extend(parts);
        }
        for step in removed {
            let step = Step::from_name(step)?;
            strategy.steps.retain(|&kept| kept != step);
        }
        Some(strategy)
    }

    /// Whether it compares vectors at all.
    pub fn uses_vectors(&self) -> bool {
        self.lists != Lists::Bm25 || self.uses_token_vectors()
    }

    /// Whether it compares token by token, so that the caller has to bring scores: see [`super::late`].
    pub fn uses_token_vectors(&self) -> bool {
        self.steps.contains(&Step::Late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for strategy in Strategy::all() {
            assert_eq!(Strategy::from_name(&strategy.name()), Some(strategy));
        }
        let rules = Strategy::from_name("hybrid+rules+fold").unwrap();
        assert_eq!(rules.lists, Lists::Hybrid);
        assert_eq!(rules.steps.len(), Step::RULES.len() + 1);
        assert_eq!(Strategy::from_name(&rules.name()), Some(rules));
        assert_eq!(Strategy::from_name("nothing"), None);
        assert_eq!(Strategy::from_name("bm25+nothing"), None);
        assert_eq!(Strategy::from_name(""), None);
    }

    #[test]
    fn a_step_can_be_left_out() {
        for name in ["default~stem+fold", "fused+rules~stem+fold"] {
            let strategy = Strategy::from_name(name).unwrap();
            assert!(!strategy.steps.contains(&Step::Stem), "{name}");
            assert!(strategy.steps.contains(&Step::Fold), "{name}");
        }
    }
}
