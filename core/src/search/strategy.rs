//! Named ways of ranking: a list of candidates and the steps that follow it.

use super::late::Side;
use super::lists::Lists;
use super::params::Param;
use super::steps::{Group, Step, text};

/// A list of candidates and the steps that follow it, in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strategy {
    /// How the candidates are made.
    pub lists: Lists,
    /// The steps applied to them, in order.
    pub steps: Vec<Step>,
}

/// The strategy that the app uses.
impl Default for Strategy {
    fn default() -> Self {
        Self {
            lists: Lists::fused(),
            steps: Step::of(Group::Rule)
                .chain(Step::of(Group::Graph))
                .collect(),
        }
    }
}

impl Strategy {
    /// Makes a strategy without any step.
    pub fn plain(lists: Lists) -> Self {
        Self {
            lists,
            steps: Vec::new(),
        }
    }

    /// Returns the strategies with a name of their own.
    pub fn all() -> Vec<Strategy> {
        let plain = Lists::all().map(Self::plain);
        plain.chain([Self::default()]).collect()
    }

    /// Returns `default`, or a list and its steps joined by `+`: `bm25`, `hybrid+definition+kinds`.
    pub fn name(&self) -> String {
        if *self == Self::default() {
            return "default".to_owned();
        }
        let steps = self.steps.iter().map(|step| step.name());
        let parts: Vec<&str> = std::iter::once(self.lists.name()).chain(steps).collect();
        parts.join("+")
    }

    /// Parses a [`Strategy::name`]. `rules` stands for all rules, `graph` for all steps over the
    /// graph; a step after `~` is left out: `hybrid+rules+fold`, `default~stem`.
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
            _ => Self::plain(Lists::from_name(head)?),
        };
        for part in tail.split('+').filter(|part| !part.is_empty()) {
            let mut parts = part.split('~');
            match parts.next()? {
                "rules" => strategy.steps.extend(Step::of(Group::Rule)),
                "graph" => strategy.steps.extend(Step::of(Group::Graph)),
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

    /// Returns the names of its parameters.
    pub fn params(&self) -> Vec<&'static str> {
        let steps = self.steps.iter().flat_map(|step| step.spec().params);
        let all = self.lists.params().chain(steps.copied());
        all.map(Param::name).collect()
    }

    /// Returns its replacement by words, if it uses only vectors and there are none; `None` if it
    /// works as it is.
    pub fn by_words(&self) -> Option<Self> {
        let knows_vectors_only = self.lists.uses_vectors() && !self.lists.uses_words();
        knows_vectors_only.then(|| Self {
            lists: Lists::bm25(),
            steps: self.steps.clone(),
        })
    }

    /// Whether it compares vectors at all.
    pub fn uses_vectors(&self) -> bool {
        self.lists.uses_vectors() || self.uses_token_vectors()
    }

    /// Returns what it compares token by token; if several steps do, the first decides.
    pub fn compares(&self) -> Option<Side> {
        self.steps.iter().find_map(|step| step.spec().compares)
    }

    /// Whether it searches descriptions of what chunks do: see [`crate::describe`].
    pub fn uses_texts(&self) -> bool {
        let by_step = |step: &Step| step.name() == text::NAME;
        self.lists.uses_texts()
            || self.compares() == Some(Side::Text)
            || self.steps.iter().any(by_step)
    }

    /// Whether it compares token by token, so that the caller must provide scores: see
    /// [`super::late`].
    pub fn uses_token_vectors(&self) -> bool {
        self.compares().is_some()
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
        assert_eq!(rules.lists.name(), "hybrid");
        assert_eq!(rules.steps.len(), Step::of(Group::Rule).count() + 1);
        assert_eq!(Strategy::from_name(&rules.name()), Some(rules));
        assert_eq!(Strategy::from_name("nothing"), None);
        assert_eq!(Strategy::from_name("bm25+nothing"), None);
        assert_eq!(Strategy::from_name(""), None);
    }

    #[test]
    fn a_step_can_be_left_out() {
        for name in ["default~stem+fold", "fused+rules~stem+fold"] {
            let strategy = Strategy::from_name(name).unwrap();
            let names: Vec<&str> = strategy.steps.iter().map(|step| step.name()).collect();
            assert!(!names.contains(&"stem"), "{name}");
            assert!(names.contains(&"fold"), "{name}");
        }
    }
}
