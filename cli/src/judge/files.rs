//! Pairs, outputs and ratings, one per line of a file. Good lines are used; what is left out is
//! reported.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use footnote_core::lab::judge::{Pair, Preference, Ratings, Record, Request, Side, parse_verdict};
use serde::Deserialize;

use crate::{Result, json_lines};

#[derive(Deserialize)]
struct PairLine {
    id: String,
    question: String,
    answers: [String; 2],
    #[serde(default)]
    reference: Option<String>,
}

#[derive(Deserialize)]
struct OutputLine {
    id: String,
    output: String,
}

#[derive(Deserialize)]
struct RatingLine {
    id: String,
    preference: String,
}

pub fn pairs(path: &Path, err: &mut impl Write) -> Result<Vec<Pair>> {
    let lines: Vec<PairLine> = json_lines::read(path, err)?;
    let pair = |line: PairLine| Pair {
        id: line.id,
        question: line.question,
        answers: line.answers,
        reference: line.reference,
    };
    Ok(lines.into_iter().map(pair).collect())
}

/// The outputs that belong to a request of the plan. An output that cannot be read as a verdict
/// makes a record too.
pub fn records(
    paths: &[PathBuf],
    pairs: &[Pair],
    requests: &[Request],
    err: &mut impl Write,
) -> Result<Vec<Record>> {
    let by_id: BTreeMap<&str, &Request> = requests.iter().map(|it| (it.id.as_str(), it)).collect();
    let (mut records, mut strange, mut repeated) = (Vec::new(), 0, 0);
    let mut seen = BTreeSet::new();
    for path in paths {
        let lines: Vec<OutputLine> = json_lines::read(path, err)?;
        for OutputLine { id, output } in lines {
            let request = by_id.get(id.as_str());
            let pair = request.and_then(|request| pairs.get(request.index));
            let (Some(request), Some(pair)) = (request, pair) else {
                strange += 1;
                continue;
            };
            repeated += usize::from(!seen.insert(request.id.as_str()));
            records.push(pair.record(request, parse_verdict(&output)));
        }
    }
    if strange > 0 {
        writeln!(
            err,
            "Outputs left out because no request has their id: {strange}. An id depends on the \
             pair, on --model and --temperature: give them as for the plan, and as many \
             --repetitions."
        )?;
    }
    if repeated > 0 {
        writeln!(
            err,
            "Outputs of a request that already has one: {repeated}. A request whose verdicts \
             differ counts as unreadable."
        )?;
    }
    Ok(records)
}

pub fn ratings(
    path: &Path,
    pairs: &[Pair],
    sides: &[String; 2],
    err: &mut impl Write,
) -> Result<Ratings> {
    let lines: Vec<RatingLine> = json_lines::read(path, err)?;
    let known: BTreeSet<&str> = pairs.iter().map(|pair| pair.id.as_str()).collect();
    let mut ratings = Ratings::new();
    let (mut of_others, mut unreadable, mut repeated) = (0, 0, 0);
    for RatingLine { id, preference } in lines {
        match preferred(&preference, sides) {
            _ if !known.contains(id.as_str()) => of_others += 1,
            None => unreadable += 1,
            Some(preference) => {
                repeated += usize::from(ratings.insert(id, preference).is_some());
            }
        }
    }
    let [one, two] = sides;
    for (n, what) in [
        (
            of_others,
            "left out because no pair has their id".to_owned(),
        ),
        (
            unreadable,
            format!("left out because a preference must be one, two, draw, {one} or {two}"),
        ),
        (
            repeated,
            "replaced by a later one of the same pair".to_owned(),
        ),
    ] {
        if n > 0 {
            writeln!(err, "{}: ratings {what}: {n}.", path.display())?;
        }
    }
    Ok(ratings)
}

fn preferred(text: &str, sides: &[String; 2]) -> Option<Preference> {
    let of_side = |(side, name): (Side, &String)| {
        (name == text).then_some(match side {
            Side::One => Preference::One,
            Side::Two => Preference::Two,
        })
    };
    let by_name = Side::BOTH.into_iter().zip(sides).find_map(of_side);
    by_name.or_else(|| Preference::from_name(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preference_is_a_side_by_number_or_name_or_a_draw() {
        let sides = ["grounded".to_owned(), "plain".to_owned()];
        for (text, expected) in [
            ("one", Some(Preference::One)),
            ("plain", Some(Preference::Two)),
            ("draw", Some(Preference::Draw)),
            ("A", None),
        ] {
            assert_eq!(preferred(text, &sides), expected, "{text}");
        }
        let swapped = ["two".to_owned(), "one".to_owned()];
        assert_eq!(preferred("two", &swapped), Some(Preference::One));
    }
}
