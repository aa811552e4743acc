//! Changes a pipeline by the names of its settings, for command lines and links.

use super::{Budget, Keep, Pipeline, Query};
use crate::chunk::Chunking;
use crate::compress::Compressor;
use crate::compress::policy::Local;
use crate::search::pack::Packing;
use crate::search::{Params, Strategy};

/// Why a setting cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// There is no setting with that name.
    #[error("there is no setting “{name}”; the settings are {known}")]
    Unknown {
        /// The name, as given.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// The value is not valid.
    #[error("“{value}” is not a value for {name}; expected: {wanted}")]
    Value {
        /// The setting's name.
        name: String,
        /// The value, as given.
        value: String,
        /// The values that are valid.
        wanted: String,
    },
    /// The pipeline keeps something else, so the setting does not apply.
    #[error("{name} cannot be set: this pipeline {instead}")]
    NotHere {
        /// The setting's name.
        name: String,
        /// What the pipeline does instead.
        instead: &'static str,
    },
}

/// A setting that is not a number of the ranking.
struct Setting {
    name: &'static str,
    about: &'static str,
    set: fn(&mut Pipeline, &str) -> Result<(), SetError>,
}

/// The name under which λ of MMR is set.
pub const LAMBDA_NAME: &str = "mmr-lambda";

static SETTINGS: &[Setting] = &[
    Setting {
        name: "budget",
        about: "tokens in the context",
        set: |pipeline, value| {
            pipeline.budget = Budget::Tokens(whole("budget", value)?);
            Ok(())
        },
    },
    Setting {
        name: "characters",
        about: "characters in the context, instead of tokens",
        set: |pipeline, value| {
            pipeline.budget = Budget::Characters(whole("characters", value)?);
            Ok(())
        },
    },
    Setting {
        name: "hits",
        about: "maximum number of hits",
        set: |pipeline, value| {
            pipeline.hits = whole("hits", value)?;
            Ok(())
        },
    },
    Setting {
        name: "compare",
        about: "chunks to compare by meaning, best by words first: a number, or all",
        set: |pipeline, value| {
            pipeline.compare = match value {
                "all" => usize::MAX,
                value => whole("compare", value)?,
            };
            Ok(())
        },
    },
    Setting {
        name: "choose",
        about: "files from which a language model chooses those that answer: a number, or none",
        set: |pipeline, value| {
            pipeline.choose = match value {
                "none" => None,
                value => Some(whole("choose", value)?),
            };
            Ok(())
        },
    },
    Setting {
        name: "query",
        about: "what is searched for: original, auto, pred, pred-explain",
        set: |pipeline, value| {
            let known: Vec<&str> = Query::all().map(Query::name).collect();
            pipeline.query = named("query", value, &known.join(", "), Query::from_name)?;
            Ok(())
        },
    },
    Setting {
        name: "search",
        about: "a ranking: bm25, hybrid+expansion, default~stem",
        set: |pipeline, value| {
            let wanted = "a list and its steps, such as hybrid+expansion";
            pipeline.search = named("search", value, wanted, Strategy::from_name)?;
            Ok(())
        },
    },
    Setting {
        name: "chunk",
        about: "how files are cut: function, sliding-window, fixed-chars",
        set: |pipeline, value| {
            let known: Vec<&str> = Chunking::all().map(Chunking::name).collect();
            let read = Chunking::from_name;
            pipeline.cut.chunking = named("chunk", value, &known.join(", "), read)?;
            Ok(())
        },
    },
    Setting {
        name: "chunks",
        about: "maximum number of chunks in the context",
        set: |pipeline, value| match &mut pipeline.keep {
            Keep::Chunks { most, .. } => {
                *most = Some(whole("chunks", value)?);
                Ok(())
            }
            other => Err(not_here("chunks", other)),
        },
    },
    Setting {
        name: "packing",
        about: "which chunks: coverage, top-k",
        set: |pipeline, value| match &mut pipeline.keep {
            Keep::Chunks { packing, .. } => {
                let known: Vec<&str> = Packing::ALL.map(Packing::name).to_vec();
                let read = |name: &str| Packing::ALL.into_iter().find(|it| it.name() == name);
                *packing = named("packing", value, &known.join(", "), read)?;
                Ok(())
            }
            other => Err(not_here("packing", other)),
        },
    },
    Setting {
        name: "compressor",
        about: "which lines: ranked, ami-mmr, knapsack",
        set: |pipeline, value| match &mut pipeline.keep {
            Keep::Lines { compressor, .. } => {
                let known: Vec<&str> = Compressor::all().map(Compressor::name).collect();
                let read = Compressor::from_name;
                *compressor = named("compressor", value, &known.join(", "), read)?;
                Ok(())
            }
            other => Err(not_here("compressor", other)),
        },
    },
    Setting {
        name: "read",
        about: "tokens of the chunks that lines are chosen from",
        set: |pipeline, value| match &mut pipeline.keep {
            Keep::Lines { read, .. } => {
                *read = Some(whole("read", value)?);
                Ok(())
            }
            other => Err(not_here("read", other)),
        },
    },
    Setting {
        name: LAMBDA_NAME,
        about: "λ of MMR, 0 to 1: the share of relevance against novelty",
        set: |pipeline, value| match &mut pipeline.keep {
            Keep::Lines { lambda, .. } => {
                let read = |value: &str| {
                    let number: Option<f32> = value.parse().ok();
                    number.filter(|it| (0.0..=1.0).contains(it))
                };
                *lambda = named(LAMBDA_NAME, value, "a number from 0 to 1", read)?;
                Ok(())
            }
            other => Err(not_here(LAMBDA_NAME, other)),
        },
    },
    Setting {
        name: "policy",
        about: "how much of each chunk: graded, keep-or-drop, none",
        set: |pipeline, value| match &mut pipeline.keep {
            Keep::Lines { policy, .. } => {
                let read = |name: &str| match name {
                    "none" => Some(None),
                    name => Local::from_name(name).map(Some),
                };
                *policy = named("policy", value, "graded, keep-or-drop, none", read)?;
                Ok(())
            }
            other => Err(not_here("policy", other)),
        },
    },
];

/// The names of all settings, with descriptions.
pub fn settings() -> impl Iterator<Item = (&'static str, &'static str)> {
    let numbers = Params::sliders().map(|(name, slider)| (name, slider.about));
    let own = SETTINGS.iter().map(|it| (it.name, it.about));
    own.chain(numbers)
}

impl Pipeline {
    /// Changes a setting by its name, or a number of the ranking by its symbol: `budget`, `alpha`,
    /// `α`.
    ///
    /// # Errors
    /// [`SetError`] lists the valid names or values; the pipeline stays unchanged.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        if let Some(setting) = SETTINGS.iter().find(|it| it.name == name) {
            return (setting.set)(self, value);
        }
        if self.numbers.value(name).is_none() {
            let known: Vec<&str> = settings().map(|(name, _)| name).collect();
            return Err(SetError::Unknown {
                name: name.to_owned(),
                known: known.join(", "),
            });
        }
        let number = value.parse().ok().filter(|it: &f32| it.is_finite());
        let number = number.ok_or_else(|| wrong(name, value, "a number"))?;
        self.numbers.set(name, number);
        Ok(())
    }

    /// The changes for [`Pipeline::set`] that give `other` the numbers, the budget and the limits
    /// of this pipeline.
    pub fn changes_from(&self, other: &Self) -> Vec<(&'static str, String)> {
        let numbers = self.numbers.changed();
        let numbers = numbers.filter(|(name, value)| other.numbers.value(name) != Some(*value));
        let mut changes: Vec<(&'static str, String)> = numbers
            .map(|(name, value)| (name, value.to_string()))
            .collect();
        if self.budget != other.budget {
            changes.push(match self.budget {
                Budget::Tokens(n) => ("budget", n.to_string()),
                Budget::Characters(n) => ("characters", n.to_string()),
            });
        }
        if let (Keep::Lines { lambda, .. }, Keep::Lines { lambda: known, .. }) =
            (&self.keep, &other.keep)
            && lambda != known
        {
            changes.push((LAMBDA_NAME, lambda.to_string()));
        }
        if self.compare != other.compare {
            changes.push(("compare", self.compare.to_string()));
        }
        changes
    }
}

fn whole(name: &str, value: &str) -> Result<usize, SetError> {
    let read = value.parse().ok();
    read.ok_or_else(|| wrong(name, value, "a whole number"))
}

fn named<T>(
    name: &str,
    value: &str,
    wanted: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, SetError> {
    read(value).ok_or_else(|| wrong(name, value, wanted))
}

fn wrong(name: &str, value: &str, wanted: &str) -> SetError {
    SetError::Value {
        name: name.to_owned(),
        value: value.to_owned(),
        wanted: wanted.to_owned(),
    }
}

fn not_here(name: &str, keep: &Keep) -> SetError {
    let instead = match keep {
        Keep::Chunks { .. } => "keeps whole chunks",
        Keep::Lines { .. } => "chooses lines",
        Keep::Files => "keeps whole files",
        Keep::Nothing => "shows a model nothing",
    };
    SetError::NotHere {
        name: name.to_owned(),
        instead,
    }
}
