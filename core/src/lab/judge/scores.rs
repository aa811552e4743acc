//! A judge's scores from 0 to 10 for one answer, read strictly.

use serde_json::{Value, json};

use super::verdict::Failure;

/// The five criteria of RepoDistill (section 3 and table 6), in its order.
pub const CRITERIA: [&str; 5] = [
    "correctness",
    "completeness",
    "relevance",
    "clarity",
    "reasoning",
];

/// Five scores, each from 0 to 10, in the order of [`CRITERIA`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores(pub [f64; 5]);

impl Scores {
    /// The sum, from 0 to 50; RepoDistill calls it overall.
    pub fn sum(&self) -> f64 {
        self.0.iter().sum()
    }

    /// A JSON object with one key for each criterion, and `sum`.
    pub fn to_json(&self) -> Value {
        let mut json: serde_json::Map<String, Value> = CRITERIA
            .iter()
            .zip(self.0)
            .map(|(criterion, score)| ((*criterion).to_owned(), json!(score)))
            .collect();
        json.insert("sum".to_owned(), json!(self.sum()));
        Value::Object(json)
    }

    /// Reads [`Scores::to_json`]; `None` if a score is missing or out of range.
    pub fn from_json(json: &Value) -> Option<Self> {
        from_object(json.as_object()?, CRITERIA).ok().map(Self)
    }
}

/// Reads the five scores, either from one JSON object (alone, in a code fence or after some words)
/// or from labelled lines such as `Clarity: 7.5` or `**Clarity:** 7/10`.
pub fn parse_scores(output: &str) -> Result<Scores, Failure> {
    parse(output, CRITERIA).map(Scores)
}

/// Reads the one score of the rubric: `Score: 7`, or `{"score": 7}`.
pub fn parse_rubric(output: &str) -> Result<f64, Failure> {
    parse(output, ["score"]).map(|[score]| score)
}

fn parse<const N: usize>(output: &str, labels: [&'static str; N]) -> Result<[f64; N], Failure> {
    if output.trim().is_empty() {
        return Err(Failure::Empty);
    }
    match object(output) {
        Some(object) => from_object(&object, labels),
        None => from_lines(output, labels),
    }
}

/// The JSON object between the first and the last brace; `None` if there are two.
fn object(output: &str) -> Option<serde_json::Map<String, Value>> {
    let inside = output.get(output.find('{')?..=output.rfind('}')?)?;
    match serde_json::from_str(inside) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    }
}

fn from_object<const N: usize>(
    object: &serde_json::Map<String, Value>,
    labels: [&'static str; N],
) -> Result<[f64; N], Failure> {
    let mut scores = [0.0; N];
    for (score, label) in scores.iter_mut().zip(labels) {
        let value = object.get(label).ok_or(Failure::Missing(label))?;
        *score = in_range(label, value.as_f64().ok_or(Failure::NotANumber(label))?)?;
    }
    Ok(scores)
}

fn from_lines<const N: usize>(
    output: &str,
    labels: [&'static str; N],
) -> Result<[f64; N], Failure> {
    let mut found: [Option<f64>; N] = [None; N];
    for line in output.lines() {
        let Some((name, rest)) = line.split_once(':') else {
            continue;
        };
        let is_name = |c: char| c.is_alphabetic();
        let name = name.trim_matches(|c| !is_name(c)).to_lowercase();
        for (slot, label) in found.iter_mut().zip(labels) {
            if name != label {
                continue;
            }
            let score = in_range(label, number(rest).ok_or(Failure::NotANumber(label))?)?;
            if slot.is_some_and(|earlier| earlier != score) {
                return Err(Failure::Twice(label));
            }
            *slot = Some(score);
        }
    }
    let mut scores = [0.0; N];
    for ((score, found), label) in scores.iter_mut().zip(found).zip(labels) {
        *score = found.ok_or(Failure::Missing(label))?;
    }
    Ok(scores)
}

/// The number that a text begins with. `7/10` is 7; `7/5`, `7,5` and `7 to 8` are not numbers,
/// since their meaning would be a guess.
fn number(text: &str) -> Option<f64> {
    let is_mark = |c: char| matches!(c, '*' | '_' | '`');
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || is_mark(c));
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
    let end = text.find(|c| !is_digit(c)).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    let rest = rest.trim_start_matches(is_mark);
    let rest = match rest.trim_start().strip_prefix('/') {
        Some(of) => of.trim_start().strip_prefix("10")?,
        None => rest,
    };
    let ends = !rest.starts_with(|c: char| c.is_alphanumeric());
    digits.parse().ok().filter(|_| ends && !is_range(rest))
}

/// Whether the text after a number makes it a range or gives it a decimal comma.
fn is_range(rest: &str) -> bool {
    let rest = rest.trim_start();
    ["-", "–", "—", "to ", "or ", ",", "."].iter().any(|sign| {
        let after = rest.strip_prefix(sign).map(str::trim_start);
        after.is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit()))
    })
}

fn in_range(criterion: &'static str, score: f64) -> Result<f64, Failure> {
    if (0.0..=10.0).contains(&score) {
        Ok(score)
    } else {
        Err(Failure::OutOfRange { criterion, score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "Correctness: 8\n- **Completeness:** 6.5/10\n3. Relevance: 9 (all of it)\n\
                         Clarity: **7** / 10\n`Reasoning`: 10";

    #[test]
    fn five_scores_are_read_from_json_and_from_labelled_lines() {
        let json = r#"{"correctness": 8, "completeness": 6.5, "relevance": 9.0,
            "clarity": 7, "reasoning": 10, "x": "y"}"#;
        let fenced = format!("Here it is:\n```json\n{json}\n```\n");
        for output in [json, &fenced, LINES] {
            let scores = parse_scores(output).unwrap();
            assert_eq!(scores, Scores([8.0, 6.5, 9.0, 7.0, 10.0]), "{output}");
            assert_eq!(scores.sum(), 40.5);
            assert_eq!(Scores::from_json(&scores.to_json()), Some(scores));
        }
    }

    #[test]
    fn missing_doubtful_and_out_of_range_scores_fail_with_a_reason() {
        let with = |line: &str| format!("{}\n{line}", LINES.replace("Correctness: 8\n", ""));
        let out = |score| Failure::OutOfRange {
            criterion: "correctness",
            score,
        };
        for (output, failure) in [
            (String::new(), Failure::Empty),
            ("No.".to_owned(), Failure::Missing("correctness")),
            (with(""), Failure::Missing("correctness")),
            (
                with("Correctness: good"),
                Failure::NotANumber("correctness"),
            ),
            (with("Correctness: 7,5"), Failure::NotANumber("correctness")),
            (with("Correctness: 7-8"), Failure::NotANumber("correctness")),
            (
                with("Correctness: 7 – 8"),
                Failure::NotANumber("correctness"),
            ),
            (
                with("Correctness: 7 to 8"),
                Failure::NotANumber("correctness"),
            ),
            (with("Correctness: 4/5"), Failure::NotANumber("correctness")),
            (
                with("Correctness: 4 / 5"),
                Failure::NotANumber("correctness"),
            ),
            (with("Correctness: 7e0"), Failure::NotANumber("correctness")),
            (
                with("Correctness: 7/100"),
                Failure::NotANumber("correctness"),
            ),
            (with("Correctness: NaN"), Failure::NotANumber("correctness")),
            (with("Correctness: 10.5"), out(10.5)),
            (with("Correctness: -1"), out(-1.0)),
            (
                with("Correctness: 7\nCorrectness: 8"),
                Failure::Twice("correctness"),
            ),
            (
                r#"{"correctness": "8"}"#.to_owned(),
                Failure::NotANumber("correctness"),
            ),
            (r#"{"correctness": 80}"#.to_owned(), out(80.0)),
            (
                r#"{"correctness": 8}"#.to_owned(),
                Failure::Missing("completeness"),
            ),
            (
                r#"{"correctness": 8} {}"#.to_owned(),
                Failure::Missing("completeness"),
            ),
        ] {
            assert_eq!(parse_scores(&output), Err(failure), "{output}");
        }
    }

    #[test]
    fn the_rubric_is_one_score() {
        for (output, expected) in [
            ("It misses one point.\nScore: 7", Ok(7.0)),
            ("{\"score\": 0}", Ok(0.0)),
            ("Score: 7\nScore: 7", Ok(7.0)),
            (
                "Score: 11",
                Err(Failure::OutOfRange {
                    criterion: "score",
                    score: 11.0,
                }),
            ),
            ("seven", Err(Failure::Missing("score"))),
        ] {
            assert_eq!(parse_rubric(output), expected, "{output}");
        }
    }
}
