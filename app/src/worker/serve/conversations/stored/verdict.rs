//! Verdicts as saved and exported: by the names of the registry. What the first version called
//! verified had passed only the check of its lines, and is read as that.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::worker::protocol::{CheckView, CountsView, VerdictView};

/// The result of checking a footnote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckRecord {
    Proven,
    Supported,
    #[default]
    #[serde(alias = "Verified")]
    LinesExist,
    Contradicted {
        instead: String,
    },
    #[serde(alias = "Repaired")]
    Repaired {
        original: String,
        why: String,
    },
    #[serde(alias = "OutsideEvidence")]
    OutsideEvidence {
        original: String,
    },
    #[serde(alias = "Rejected")]
    Rejected {
        original: String,
        why: String,
    },
    #[serde(alias = "AutoCited")]
    AutoCited,
}

/// Number of statements per verdict, by the verdict's name. Other fields, such as their sum in the
/// first version, are skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CountsRecord(BTreeMap<String, u32>);

impl From<CountsView> for CountsRecord {
    fn from(from: CountsView) -> Self {
        let counts = from.each();
        Self(
            counts
                .map(|(spec, count)| (spec.name.to_owned(), count))
                .collect(),
        )
    }
}

impl From<CountsRecord> for CountsView {
    fn from(from: CountsRecord) -> Self {
        let mut counts = Self::default();
        for (name, number) in from.0 {
            let name = match name.as_str() {
                "verified" => "lines-exist",
                "outside" => "outside-evidence",
                "auto_cited" => "auto-cited",
                name => name,
            };
            if let Some(verdict) = VerdictView::from_name(name) {
                counts.add(verdict, number);
            }
        }
        counts
    }
}

impl From<CheckView> for CheckRecord {
    fn from(from: CheckView) -> Self {
        match from {
            CheckView::Proven => Self::Proven,
            CheckView::Supported => Self::Supported,
            CheckView::LinesExist => Self::LinesExist,
            CheckView::Contradicted { instead } => Self::Contradicted { instead },
            CheckView::Repaired { original, why } => Self::Repaired { original, why },
            CheckView::OutsideEvidence { original } => Self::OutsideEvidence { original },
            CheckView::Rejected { original, why } => Self::Rejected { original, why },
            CheckView::AutoCited => Self::AutoCited,
        }
    }
}

impl From<CheckRecord> for CheckView {
    fn from(from: CheckRecord) -> Self {
        match from {
            CheckRecord::Proven => Self::Proven,
            CheckRecord::Supported => Self::Supported,
            CheckRecord::LinesExist => Self::LinesExist,
            CheckRecord::Contradicted { instead } => Self::Contradicted { instead },
            CheckRecord::Repaired { original, why } => Self::Repaired { original, why },
            CheckRecord::OutsideEvidence { original } => Self::OutsideEvidence { original },
            CheckRecord::Rejected { original, why } => Self::Rejected { original, why },
            CheckRecord::AutoCited => Self::AutoCited,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_saved_by_the_name_of_its_verdict() {
        let (original, why) = (String::new(), String::new());
        for check in [
            CheckView::Proven,
            CheckView::Supported,
            CheckView::LinesExist,
            CheckView::Contradicted {
                instead: String::new(),
            },
            CheckView::Repaired {
                original: original.clone(),
                why: why.clone(),
            },
            CheckView::OutsideEvidence {
                original: original.clone(),
            },
            CheckView::Rejected { original, why },
            CheckView::AutoCited,
        ] {
            let name = check.verdict().spec().name;
            let saved = serde_json::to_value(CheckRecord::from(check.clone())).unwrap();
            let is_named = saved == name || saved.get(name).is_some();
            assert!(is_named, "{saved} is not {name}");
            let read: CheckRecord = serde_json::from_value(saved).unwrap();
            assert_eq!(CheckView::from(read), check);
        }
    }
}
