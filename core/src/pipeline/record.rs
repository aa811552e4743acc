//! A [`Pipeline`] as it is stored: names and numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Budget, Keep, Pipeline, Query};
use crate::chunk::{Chunking, Cut, Header};
use crate::compress::policy::Local;
use crate::compress::{Boundaries, Compressor, LAMBDA};
use crate::model::protocol::Sampling;
use crate::search::pack::Packing;
use crate::search::{Params, Strategy};

/// In the order they are written.
#[derive(Serialize, Deserialize)]
struct Record {
    name: String,
    chunking: String,
    /// Size and overlap of its windows; 0 if it has none.
    window: (u32, u32),
    header: String,
    /// Missing in records from before there was a choice.
    #[serde(default = "original")]
    query: String,
    search: String,
    #[serde(default)]
    numbers: BTreeMap<String, f32>,
    hits: usize,
    compare: usize,
    /// Missing in records from before a model could choose.
    #[serde(default)]
    choose: Option<usize>,
    keep: KeepRecord,
    budget: BudgetRecord,
    rules: bool,
    sampling: SamplingRecord,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum KeepRecord {
    Chunks {
        packing: String,
        lines: Option<u32>,
        most: Option<usize>,
    },
    Lines {
        compressor: String,
        boundaries: String,
        policy: Option<String>,
        read: Option<usize>,
        /// Missing in records from before it could be set.
        #[serde(default = "published_lambda")]
        lambda: f32,
    },
    Files,
    Nothing,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum BudgetRecord {
    Tokens(usize),
    Characters(usize),
}

#[derive(Serialize, Deserialize)]
struct SamplingRecord {
    temperature: f32,
    top_p: f32,
    top_k: Option<u32>,
    repetition_penalty: Option<f32>,
    stop: Vec<String>,
}

fn original() -> String {
    Query::default().name().to_owned()
}

fn published_lambda() -> f32 {
    LAMBDA
}

impl Serialize for Pipeline {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Record::from(self).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Pipeline {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let record = Record::deserialize(from)?;
        record.pipeline().map_err(de::Error::custom)
    }
}

impl From<&Pipeline> for Record {
    fn from(from: &Pipeline) -> Self {
        let numbers = from.numbers.changed();
        Self {
            name: from.name.clone(),
            chunking: from.cut.chunking.name().to_owned(),
            window: from.cut.chunking.window(),
            header: header_name(from.cut.header).to_owned(),
            query: from.query.name().to_owned(),
            search: from.search.name(),
            numbers: numbers
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            hits: from.hits,
            compare: from.compare,
            choose: from.choose,
            keep: KeepRecord::from(&from.keep),
            budget: match from.budget {
                Budget::Tokens(n) => BudgetRecord::Tokens(n),
                Budget::Characters(n) => BudgetRecord::Characters(n),
            },
            rules: from.rules,
            sampling: SamplingRecord::from(&from.sampling),
        }
    }
}

impl From<&Keep> for KeepRecord {
    fn from(from: &Keep) -> Self {
        match from {
            Keep::Chunks {
                packing,
                lines,
                most,
            } => Self::Chunks {
                packing: packing_name(*packing),
                lines: *lines,
                most: *most,
            },
            Keep::Lines {
                compressor,
                boundaries,
                policy,
                read,
                lambda,
            } => Self::Lines {
                read: *read,
                lambda: *lambda,
                compressor: compressor.name().to_owned(),
                boundaries: boundaries.name(),
                policy: policy.map(|policy| policy.name().to_owned()),
            },
            Keep::Files => Self::Files,
            Keep::Nothing => Self::Nothing,
        }
    }
}

impl From<&Sampling> for SamplingRecord {
    fn from(from: &Sampling) -> Self {
        Self {
            temperature: from.temperature,
            top_p: from.top_p,
            top_k: from.top_k,
            repetition_penalty: from.repetition_penalty,
            stop: from.stop.clone(),
        }
    }
}

impl Record {
    /// The pipeline; the error names what this version does not know.
    fn pipeline(self) -> Result<Pipeline, String> {
        let chunking = named("way of cutting", &self.chunking, Chunking::from_name)?;
        let (size, overlap) = self.window;
        let mut numbers = Params::default();
        for (name, value) in self.numbers {
            if !numbers.set(&name, value) {
                return Err(format!("there is no number “{name}”"));
            }
        }
        Ok(Pipeline {
            cut: Cut {
                chunking: chunking.sized(size, overlap),
                header: named("header", &self.header, header)?,
            },
            query: named("query", &self.query, Query::from_name)?,
            search: named("search", &self.search, Strategy::from_name)?,
            numbers,
            keep: self.keep.keep()?,
            budget: match self.budget {
                BudgetRecord::Tokens(n) => Budget::Tokens(n),
                BudgetRecord::Characters(n) => Budget::Characters(n),
            },
            sampling: Sampling {
                temperature: self.sampling.temperature,
                top_p: self.sampling.top_p,
                top_k: self.sampling.top_k,
                repetition_penalty: self.sampling.repetition_penalty,
                stop: self.sampling.stop,
            },
            name: self.name,
            hits: self.hits,
            compare: self.compare,
            choose: self.choose,
            rules: self.rules,
        })
    }
}

impl KeepRecord {
    fn keep(self) -> Result<Keep, String> {
        Ok(match self {
            Self::Chunks {
                packing,
                lines,
                most,
            } => Keep::Chunks {
                packing: named("packing", &packing, self::packing)?,
                lines,
                most,
            },
            Self::Lines {
                compressor,
                boundaries,
                policy,
                read,
                lambda,
            } => Keep::Lines {
                read,
                lambda,
                compressor: named("way of choosing lines", &compressor, Compressor::from_name)?,
                boundaries: named("rule for blocks", &boundaries, Boundaries::parse)?,
                policy: policy
                    .map(|policy| named("policy", &policy, Local::from_name))
                    .transpose()?,
            },
            Self::Files => Keep::Files,
            Self::Nothing => Keep::Nothing,
        })
    }
}

fn named<T>(what: &str, name: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, String> {
    read(name).ok_or_else(|| format!("there is no {what} “{name}”"))
}

const HEADERS: [(&str, Header); 3] = [
    ("symbol", Header::Symbol),
    ("file-path", Header::FilePath),
    ("metadata", Header::Metadata),
];

fn header(name: &str) -> Option<Header> {
    let found = HEADERS.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, header)| header)
}

fn header_name(header: Header) -> &'static str {
    let found = HEADERS.into_iter().find(|(_, known)| *known == header);
    found.map_or("symbol", |(name, _)| name)
}

/// `per-file-2`: the name with the number of chunks.
fn packing_name(packing: Packing) -> String {
    match packing {
        Packing::PerFile(n) => format!("per-file-{n}"),
        packing => packing.name().to_owned(),
    }
}

fn packing(name: &str) -> Option<Packing> {
    match name.strip_prefix("per-file-") {
        Some(n) => n.parse().ok().map(Packing::PerFile),
        None => [Packing::Coverage, Packing::TopK]
            .into_iter()
            .find(|packing| packing.name() == name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::PRESETS;

    #[test]
    fn unknown_names_in_a_saved_pipeline_are_reported() {
        let whole = serde_json::to_string(&Pipeline::default()).unwrap();
        for (from, to, expected) in [
            ("\"default\"", "\"best\"", "there is no search “best”"),
            (
                "\"ranked\"",
                "\"all\"",
                "there is no way of choosing lines “all”",
            ),
            (
                "\"function\"",
                "\"lines\"",
                "there is no way of cutting “lines”",
            ),
            ("\"symbol\"", "\"none\"", "there is no header “none”"),
            (
                "\"numbers\":{}",
                "\"numbers\":{\"x\":1}",
                "there is no number “x”",
            ),
        ] {
            let changed = whole.replace(from, to);
            assert_ne!(changed, whole, "{from}");
            let error = serde_json::from_str::<Pipeline>(&changed).unwrap_err();
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }

    #[test]
    fn every_packing_and_header_is_read_back() {
        for packing in [Packing::Coverage, Packing::TopK, Packing::PerFile(3)] {
            assert_eq!(super::packing(&packing_name(packing)), Some(packing));
        }
        for preset in PRESETS {
            let own = (preset.make)().cut.header;
            assert_eq!(header(header_name(own)), Some(own));
        }
    }
}
