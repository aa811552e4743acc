//! Pairs of answers, one per line: `id`, `question`, `chosen`, `rejected` and, if known, `why`,
//! named as in an export's metadata.

use std::path::Path;

use footnote_core::eval::Item;
use footnote_core::lab::export::{Format, Preference, Why};
use serde::{Deserialize, Serialize};

use crate::{Result, json_lines};

#[derive(Deserialize, Serialize)]
struct Line {
    id: String,
    /// The question of the set, if absent.
    #[serde(default)]
    question: Option<String>,
    chosen: String,
    rejected: String,
    #[serde(default)]
    why: Option<Reason>,
}

#[derive(Deserialize, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Reason {
    Rating { chosen: f64, rejected: f64 },
    Judge { win_rate: f64 },
    Reward { chosen: f64, rejected: f64 },
}

/// The pairs that an export in `format` needs; formats of answers take none.
pub fn of(format: &Format, path: Option<&Path>, items: &[Item]) -> Result<Vec<Preference>> {
    match (format.answers(), path) {
        (true, None) => Ok(Vec::new()),
        (false, Some(path)) => read(path, items),
        (true, Some(_)) => Err(format!(
            "the format {} has no place for pairs of answers: leave --preferences out, or choose \
             a format of pairs, such as preference",
            format.name
        )
        .into()),
        (false, None) => Err(format!(
            "the format {} is for pairs of answers, and a set has none: name a file of pairs with \
             --preferences",
            format.name
        )
        .into()),
    }
}

/// Reads the pairs of a file; bad lines are named and left out.
pub fn read(path: &Path, items: &[Item]) -> Result<Vec<Preference>> {
    let lines: Vec<Line> = json_lines::read(path, &mut std::io::stderr().lock())?;
    Ok(lines.into_iter().map(|line| line.pair(items)).collect())
}

/// The format that [`read`] reads, one pair per line.
pub fn to_lines(pairs: &[Preference]) -> Result<String> {
    let mut lines = String::new();
    for pair in pairs {
        lines.push_str(&serde_json::to_string(&Line::new(pair))?);
        lines.push('\n');
    }
    Ok(lines)
}

impl Line {
    fn new(pair: &Preference) -> Self {
        let why = match pair.why {
            Why::Rating { chosen, rejected } => Some(Reason::Rating { chosen, rejected }),
            Why::Judge { win_rate } => Some(Reason::Judge { win_rate }),
            Why::Reward { chosen, rejected } => Some(Reason::Reward { chosen, rejected }),
            Why::Unknown => None,
        };
        Self {
            id: pair.id.clone(),
            question: Some(pair.question.clone()),
            chosen: pair.chosen.clone(),
            rejected: pair.rejected.clone(),
            why,
        }
    }

    fn pair(self, items: &[Item]) -> Preference {
        let why = match self.why {
            Some(Reason::Rating { chosen, rejected }) => Why::Rating { chosen, rejected },
            Some(Reason::Judge { win_rate }) => Why::Judge { win_rate },
            Some(Reason::Reward { chosen, rejected }) => Why::Reward { chosen, rejected },
            None => Why::Unknown,
        };
        let of_set = || {
            let item = items.iter().find(|item| item.id == self.id);
            item.map(|item| item.query.clone()).unwrap_or_default()
        };
        Preference {
            question: self.question.unwrap_or_else(of_set),
            id: self.id,
            chosen: self.chosen,
            rejected: self.rejected,
            why,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn pairs_survive_their_file() {
        let whys = [
            Why::Rating {
                chosen: 9.0,
                rejected: 3.0,
            },
            Why::Judge { win_rate: 0.75 },
            Why::Reward {
                chosen: 1.5,
                rejected: -0.5,
            },
            Why::Unknown,
        ];
        let pairs = whys.map(|why| Preference {
            id: "q".to_owned(),
            question: "why?\n".to_owned(),
            chosen: "so".to_owned(),
            rejected: "no".to_owned(),
            why,
        });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.jsonl");
        std::fs::write(&path, to_lines(&pairs).unwrap()).unwrap();
        assert_eq!(read(&path, &[]).unwrap(), pairs);
    }
}
