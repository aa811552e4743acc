//! The numbers of the ranking rules, by name, so that `evaluate` can sweep each. Each stands beside what reads it.

use std::collections::BTreeMap;

use super::{files, lists, retrieve, steps};

/// A number: one `static` beside what reads it, and a place in its owner's list.
pub(super) struct Param {
    name: &'static str,
    /// What measured best; the sweeps are kept in `benches/runs`.
    default: f32,
}

impl Param {
    pub(super) const fn new(name: &'static str, default: f32) -> Self {
        Self { name, default }
    }
}

fn all() -> impl Iterator<Item = &'static Param> {
    let shared = [lists::PARAMS, retrieve::PARAMS, files::PARAMS];
    shared.into_iter().flatten().copied().chain(steps::params())
}

/// What the steps multiply with: the measured best, but for what was set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Params(BTreeMap<&'static str, f32>);

impl Params {
    /// The names that [`Params::set`] knows.
    pub fn names() -> Vec<&'static str> {
        all().map(|param| param.name).collect()
    }

    /// Sets a parameter by name; whether there is one of that name.
    pub fn set(&mut self, name: &str, value: f32) -> bool {
        let known = all().find(|param| param.name == name);
        if let Some(param) = known {
            self.0.insert(param.name, value);
        }
        known.is_some()
    }

    pub(super) fn get(&self, param: &Param) -> f32 {
        self.0.get(param.name).copied().unwrap_or(param.default)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_parameter_can_be_set_by_its_name_which_no_other_has() {
        let mut params = Params::default();
        let mut names = BTreeSet::new();
        for param in all() {
            assert!(names.insert(param.name), "{} twice", param.name);
            assert_eq!(params.get(param), param.default);
            assert!(params.set(param.name, 7.0), "{}", param.name);
            assert_eq!(params.get(param), 7.0);
        }
        assert!(!params.set("no such", 1.0));
    }

    /// Recorded runs name them, and were measured with these.
    #[test]
    fn the_numbers_are_those_that_were_measured() {
        let expected = [
            ("candidates", 200.0),
            ("dense_prose", 0.6),
            ("dense_named", 0.4),
            ("dense_symbol", 0.3),
            ("forms", 0.25),
            ("title", 1.0),
            ("whole_file", 0.3),
            ("definition", 0.5),
            ("definition_word", 0.6),
            ("names", 0.2),
            ("stem", 0.25),
            ("path", 0.1),
            ("named_path", 0.6),
            ("subsystem", 0.4),
            ("frames", 1.0),
            ("quotes", 0.4),
            ("history", 0.2),
            ("language", 0.1),
            ("tests", 0.3),
            ("docs", 0.3),
            ("examples", 0.3),
            ("config", 0.2),
            ("changelog", 0.2),
            ("vendored", 0.5),
            ("asked", 0.6),
            ("coherence", 0.1),
            ("callees", 0.25),
            ("callers", 0.05),
            ("delegate", 0.1),
            ("reexport", 0.5),
            ("walk", 0.25),
            ("walk_change", 0.25),
            ("walk_back", 0.5),
            ("walk_imports", 0.2),
            ("walk_power", 2.0),
            ("copy", 0.5),
            ("late", 0.2),
            ("pool", 0.15),
        ];
        let found: BTreeMap<&str, f32> = all().map(|param| (param.name, param.default)).collect();
        assert_eq!(found, BTreeMap::from(expected));
    }
}
