//! The parameters of the ranking rules, by name, so that `evaluate` can sweep each. Each is defined
//! beside the code that reads it.

use std::collections::BTreeMap;

use super::{files, lists, meaning, near, retrieve, steps};

/// A parameter: one `static` beside the code that reads it, and an entry in its owner's list.
pub(super) struct Param {
    name: &'static str,
    /// The best measured value; the sweeps are in `benches/runs`.
    default: f32,
    slider: Option<Slider>,
}

/// How a parameter is presented to people, who can change it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slider {
    /// Its symbol in papers: `α`, `k₁`.
    pub symbol: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The smallest value that makes sense.
    pub from: f32,
    /// The largest value that makes sense.
    pub to: f32,
    /// The step size.
    pub step: f32,
}

impl Param {
    pub(super) const fn new(name: &'static str, default: f32) -> Self {
        Self {
            name,
            default,
            slider: None,
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Lets people set the parameter `between` two values in steps.
    pub(super) const fn shown(
        self,
        symbol: &'static str,
        between: (f32, f32),
        step: f32,
        about: &'static str,
    ) -> Self {
        let (from, to) = between;
        let slider = Slider {
            symbol,
            about,
            from,
            to,
            step,
        };
        Self {
            slider: Some(slider),
            ..self
        }
    }
}

fn all() -> impl Iterator<Item = &'static Param> {
    let shared = [
        meaning::PARAMS,
        near::PARAMS,
        retrieve::PARAMS,
        files::PARAMS,
    ];
    let shared = shared.into_iter().flatten().copied();
    lists::params().chain(shared).chain(steps::params())
}

/// The parameters of the steps: the best measured values, except those that were set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Params(BTreeMap<&'static str, f32>);

impl Params {
    /// Returns the names that [`Params::set`] knows.
    pub fn names() -> Vec<&'static str> {
        all().map(|param| param.name).collect()
    }

    /// Returns the parameters that people can change, by name.
    pub fn sliders() -> impl Iterator<Item = (&'static str, Slider)> {
        all().filter_map(|param| Some((param.name, param.slider?)))
    }

    /// Sets a parameter by its name or symbol; returns whether it exists.
    pub fn set(&mut self, name: &str, value: f32) -> bool {
        let known = named(name);
        if let Some(param) = known {
            self.0.insert(param.name, value);
        }
        known.is_some()
    }

    /// Returns the value of a parameter by its name or symbol.
    pub fn value(&self, name: &str) -> Option<f32> {
        named(name).map(|param| self.get(param))
    }

    /// Returns the values that were set, by name.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, f32)> {
        self.0.iter().map(|(name, value)| (*name, *value))
    }

    pub(super) fn get(&self, param: &Param) -> f32 {
        self.0.get(param.name).copied().unwrap_or(param.default)
    }
}

fn named(name: &str) -> Option<&'static Param> {
    let has_symbol = |param: &&Param| param.slider.is_some_and(|slider| slider.symbol == name);
    let by_name = all().find(|param| param.name == name);
    by_name.or_else(|| all().find(has_symbol))
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

    #[test]
    fn a_number_is_set_by_its_symbol_too() {
        let mut params = Params::default();
        assert!(params.set("α", 0.3));
        assert_eq!(params.value("alpha"), Some(0.3));
        assert_eq!(params.changed().collect::<Vec<_>>(), [("alpha", 0.3)]);
    }

    #[test]
    fn a_slider_holds_the_default_and_explains_itself() {
        let mut symbols = BTreeSet::new();
        for (name, slider) in Params::sliders() {
            let default = Params::default().value(name).unwrap();
            assert!((slider.from..=slider.to).contains(&default), "{name}");
            assert!(slider.about.ends_with('.') && slider.step > 0.0, "{name}");
            assert!(symbols.insert(slider.symbol), "{} twice", slider.symbol);
        }
    }

    /// Recorded runs name these values and were measured with them.
    #[test]
    fn the_defaults_are_the_measured_numbers() {
        let expected = [
            ("candidates", 200.0),
            ("k", 28.0),
            ("alpha", 0.45),
            ("beta", 0.55),
            ("rrf_k", 60.0),
            ("k1", 1.2),
            ("b", 0.75),
            ("path_weight", 1.0),
            ("names_weight", 2.0),
            ("dense_prose", 0.6),
            ("dense_named", 0.4),
            ("dense_symbol", 0.3),
            ("table_share", 0.3),
            ("near", 0.7),
            ("near_least", 0.45),
            ("near_most", 6.0),
            ("forms", 0.25),
            ("title", 1.0),
            ("whole_file", 0.3),
            ("file_meaning", 0.1),
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
            ("built", 0.3),
            ("asked", 0.6),
            ("coherence", 0.1),
            ("taught", 2.0),
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
            ("seeds", 4.0),
            ("neighbours", 8.0),
            ("hops", 1.0),
            ("gamma", 0.25),
            ("delta", 0.6),
            ("anchors", 10.0),
            ("lambda", 0.5),
            ("pool", 0.15),
            ("text", 0.2),
            ("text_k", 60.0),
        ];
        let found: BTreeMap<&str, f32> = all().map(|param| (param.name, param.default)).collect();
        assert_eq!(found, BTreeMap::from(expected));
    }
}
