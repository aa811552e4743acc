//! A pair as the model wrote it → a pair that is verified in the repository, and its grade.

use serde_json::{Map, Value};

use super::{Chunk, Dimension, prompts};
use crate::answer::review::{Progress, Reviewer};
use crate::chunk::metadata::module;
use crate::cite::{Evidence, Verdict};
use crate::eval::GoldSpan;
use crate::lab::questions::written::desk::Desk;
use crate::lab::questions::written::pathfinder::{question_of, unfit};
use crate::lab::questions::written::paths::{holds_word, names_file};
use crate::lab::questions::written::talk::{After, Found, Written};
use crate::lines::{Line, LineRange};
use crate::model::mend::{after_thoughts, objects};

/// Least number of words in an explanation.
pub(super) const MIN_EXPLAINED: usize = 8;

/// Least number of words in an answer, its citations included.
const MIN_ANSWER: usize = 3;

/// Least number of characters in a quotation, without spaces.
const MIN_QUOTED: usize = 3;

/// The lowest grade of pairs that are kept (RepoQA-SA, section 4.2).
const GOOD: u32 = 4;

/// Reads a pair and checks it against the repository. Fails if the reply has none.
pub(in crate::lab::questions::written) fn read_pair(
    desk: &Desk,
    chunk: &Chunk,
    text: &str,
) -> Result<After, &'static str> {
    let found = objects(after_thoughts(text));
    if found.whole.is_empty() {
        return Err(match found.is_cut {
            true => "its JSON has no end",
            false => "it holds no JSON",
        });
    }
    let is_pair =
        |object: &Map<String, Value>| question_of(object).is_some() && answer_of(object).is_some();
    let Some(object) = found.whole.into_iter().find(is_pair) else {
        return Err("it lacks \"question\" or \"answer\"");
    };
    Ok(match check(desk, chunk, &object) {
        Ok(found) => After::Next(prompts::grade(found)),
        Err(why) => After::Questions(vec![Err(why)], Vec::new()),
    })
}

fn answer_of(object: &Map<String, Value>) -> Option<&str> {
    let answer = object.get("answer").or_else(|| object.get("Answer"))?;
    let answer = answer.as_str()?.trim();
    (!answer.is_empty()).then_some(answer)
}

fn check(desk: &Desk, chunk: &Chunk, object: &Map<String, Value>) -> Written {
    let question = question_of(object).ok_or("it holds no question")?;
    let answer = answer_of(object).ok_or("it holds no answer")?;
    if let Some(why) = unfit(&question) {
        return Err(why);
    }
    if answer.split_whitespace().count() < MIN_ANSWER {
        return Err("the answer is too short");
    }
    let path = desk.path(chunk.file);
    let lower = question.to_lowercase();
    let is_named = names_file(&question, path) || holds_word(&lower, &module(path).to_lowercase());
    if chunk.dimension != Dimension::Meta && !is_named {
        return Err("the question does not name its file");
    }
    if let Some(library) = &chunk.absent {
        let is_asked = holds_word(&lower, &library.to_lowercase());
        let mut words = answer.split(|it: char| !it.is_alphanumeric());
        let first = words.find(|word| !word.is_empty());
        if !is_asked || !first.is_some_and(|word| word.eq_ignore_ascii_case("no")) {
            return Err("the question should have been one whose answer is no");
        }
    }
    let lines = lines_of(object).ok_or("it names no lines")?;
    check_lines(desk, chunk, lines, object)?;
    check_citations(desk, chunk, answer)?;
    Ok(Found {
        question,
        files: vec![path.to_owned()],
        spans: vec![GoldSpan {
            file: path.to_owned(),
            start: lines.start().0,
            end: lines.end().0,
        }],
        answer: Some(answer.to_owned()),
        dimension: Some(chunk.dimension.name()),
    })
}

/// Checks that the lines exist, were shown, and contain the quotation.
fn check_lines(
    desk: &Desk,
    chunk: &Chunk,
    lines: LineRange,
    object: &Map<String, Value>,
) -> Result<(), &'static str> {
    let all = desk.index.lines(chunk.file);
    let text = all.and_then(|all| all.slice(desk.text(chunk.file), lines));
    let text = text.ok_or("its lines do not exist")?;
    if !chunk.lines.iter().any(|shown| shown.encloses(lines)) {
        return Err("its lines were not shown");
    }
    let quote = object.get("quote").and_then(Value::as_str);
    let quote = squeezed(
        &quote
            .unwrap_or_default()
            .lines()
            .map(unnumbered)
            .collect::<String>(),
    );
    if quote.chars().count() < MIN_QUOTED {
        return Err("it quotes no code");
    }
    match squeezed(text).contains(&quote) {
        true => Ok(()),
        false => Err("its quote is not in its lines"),
    }
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).collect()
}

/// A line without the number it was shown with: `12| x = 1`.
fn unnumbered(line: &str) -> &str {
    match line.trim_start().split_once("| ") {
        Some((number, rest)) if number.bytes().all(|it| it.is_ascii_digit()) => rest,
        _ => line,
    }
}

/// Checks that the answer has a citation, and that all of them hold.
fn check_citations(desk: &Desk, chunk: &Chunk, answer: &str) -> Result<(), &'static str> {
    let evidence = Evidence::of(chunk.lines.iter().map(|lines| (chunk.file, *lines)));
    let mut reviewer = Reviewer::new();
    let review = reviewer.advance(&desk.index, &evidence, answer, Progress::Finished);
    let mut cited = review.notes.iter().filter(|note| note.claim.is_some());
    let holds = |verdict: &Verdict| {
        matches!(
            verdict,
            Verdict::Proven(_) | Verdict::Supported(_) | Verdict::LinesExist(_)
        )
    };
    match cited.clone().next() {
        None => Err("its answer cites no lines"),
        Some(_) => match cited.all(|note| holds(&note.verdict)) {
            true => Ok(()),
            false => Err("a citation of its answer is wrong"),
        },
    }
}

/// Reads `[3, 9]`, `"3-9"`, `"a.py:3-9"`, `3`, or `start` and `end`.
fn lines_of(object: &Map<String, Value>) -> Option<LineRange> {
    let numbers = |value: &Value| -> Vec<u32> {
        match value {
            Value::String(text) => {
                let lines = text.rsplit(':').next().unwrap_or(text);
                let digits = lines.split(|it: char| !it.is_ascii_digit());
                digits.filter_map(|it| it.parse().ok()).collect()
            }
            Value::Array(list) => list.iter().filter_map(number).collect(),
            value => number(value).into_iter().collect(),
        }
    };
    let from_lines = object.get("lines").map(numbers).unwrap_or_default();
    let found = match from_lines.is_empty() {
        false => from_lines,
        true => ["start", "end"]
            .iter()
            .filter_map(|name| number(object.get(*name)?))
            .collect(),
    };
    let (first, last) = (*found.first()?, *found.last()?);
    (found.len() <= 2 && first > 0 && last > 0).then(|| LineRange::new(Line(first), Line(last)))
}

fn number(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

/// Reads the grade of a pair, and keeps or drops the pair. Fails if there is no grade.
pub(in crate::lab::questions::written) fn read_grade(
    found: &Found,
    text: &str,
) -> Result<After, &'static str> {
    let grade = grade_of(after_thoughts(text)).ok_or("it has no grade from 1 to 5")?;
    let written = match grade >= GOOD {
        true => Ok(found.clone()),
        false => Err("the model itself grades it below 4"),
    };
    Ok(After::Questions(vec![written], Vec::new()))
}

/// The number after the last `Score`, or a number alone.
fn grade_of(text: &str) -> Option<u32> {
    let lower = text.to_lowercase();
    let after = match lower.rfind("score") {
        Some(at) => lower.get(at + "score".len()..)?,
        None => lower.trim(),
    };
    let after = after.trim_start_matches(|it: char| !it.is_alphanumeric());
    let digits = after.find(|it: char| !it.is_ascii_digit());
    let (grade, rest) = after.split_at_checked(digits.unwrap_or(after.len()))?;
    let is_alone = lower.contains("score") || rest.trim().is_empty();
    let grade: u32 = grade.parse().ok()?;
    ((1..=5).contains(&grade) && is_alone).then_some(grade)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn grades_are_read_as_models_write_them() {
        for (text, expected) in [
            ("It is clear.\nScore: 4", Some(4)),
            ("**Score:** 5/5", Some(5)),
            ("score 2. Score: <3>", Some(3)),
            ("4", Some(4)),
            ("Score: 7", None),
            ("Score: four", None),
            ("5 reasons against it", None),
            ("A good answer.", None),
            ("", None),
        ] {
            assert_eq!(grade_of(text), expected, "{text}");
        }
    }

    #[test]
    fn lines_are_read_as_models_write_them() {
        for (object, expected) in [
            (json!({"lines": [3, 9]}), Some("3-9")),
            (json!({"lines": "L3-L9"}), Some("3-9")),
            (json!({"lines": "[src/a2.py:3-9]"}), Some("3-9")),
            (json!({"lines": [3, 5, 9]}), None),
            (json!({"lines": 4}), Some("4")),
            (json!({"start": 9, "end": 3}), Some("3-9")),
            (json!({"lines": [0, 3]}), None),
            (json!({"lines": []}), None),
            (json!({"lines": [-1, 99999999999u64]}), None),
        ] {
            let Value::Object(object) = object else {
                panic!("{object}");
            };
            let lines = lines_of(&object).map(|it| it.to_string());
            assert_eq!(lines.as_deref(), expected, "{object:?}");
        }
    }
}
