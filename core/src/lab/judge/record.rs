//! The record of each request: enough for every figure of the report, and nothing of the answers.

use serde_json::{Value, json};

use super::verdict::Verdict;

/// One of the two sides of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side whose win rate is reported.
    One,
    /// The side it is compared with.
    Two,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// Its name in records: `one` or `two`.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Two => "two",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::BOTH.into_iter().find(|side| side.name() == name)
    }
}

/// Which side's answer is better, whatever order they were shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Preference {
    /// Side one's.
    One,
    /// Neither.
    Draw,
    /// Side two's.
    Two,
}

impl Preference {
    /// The preference behind a verdict if the answer of `first` came first; both bad is a draw.
    pub fn new(verdict: Verdict, first: Side) -> Self {
        match (verdict, first) {
            (Verdict::First, Side::One) | (Verdict::Second, Side::Two) => Self::One,
            (Verdict::First, Side::Two) | (Verdict::Second, Side::One) => Self::Two,
            (Verdict::Tie | Verdict::BothBad, _) => Self::Draw,
        }
    }

    /// Its contribution to the win rate of side one: 1, ½ or 0.
    pub fn score(self) -> f64 {
        match self {
            Self::One => 1.0,
            Self::Draw => 0.5,
            Self::Two => 0.0,
        }
    }

    /// Its name in files: `one`, `draw` or `two`.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Draw => "draw",
            Self::Two => "two",
        }
    }

    /// Reads [`Preference::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::One, Self::Draw, Self::Two]
            .into_iter()
            .find(|preference| preference.name() == name)
    }
}

/// The outcome of one request. Only outputs of the judge have records; a request that failed on the
/// way has none and is sent again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Record {
    /// The request's id: [`Request::id`](super::Request).
    pub id: String,
    /// The pair's id.
    pub pair: String,
    /// The side whose answer came first.
    pub first: Side,
    /// The number of the repetition, from 0.
    pub repetition: u32,
    /// The verdict, or why the output has none.
    pub verdict: Result<Verdict, String>,
    /// Lengths of the answers of side one and side two, in characters; in this order whichever came
    /// first.
    pub lengths: [usize; 2],
}

impl Record {
    /// The record as one line of a run's file.
    pub fn to_json(&self) -> Value {
        let (verdict, failure) = match &self.verdict {
            Ok(verdict) => (Some(verdict.letter().to_string()), None),
            Err(reason) => (None, Some(reason)),
        };
        json!({
            "id": self.id,
            "pair": self.pair,
            "first": self.first.name(),
            "repetition": self.repetition,
            "verdict": verdict,
            "failure": failure,
            "lengths": self.lengths,
        })
    }

    /// Reads [`Record::to_json`]; `None` if a field is missing or malformed.
    pub fn from_json(json: &Value) -> Option<Self> {
        let text = |key: &str| json.get(key)?.as_str().map(str::to_owned);
        let length = |at: usize| {
            let length = json.get("lengths")?.get(at)?.as_u64()?;
            usize::try_from(length).ok()
        };
        let verdict = match text("verdict") {
            Some(letter) => {
                let mut chars = letter.chars();
                let verdict = chars.next().and_then(Verdict::from_letter)?;
                chars.next().is_none().then_some(Ok(verdict))?
            }
            None => Err(text("failure")?),
        };
        Some(Self {
            id: text("id")?,
            pair: text("pair")?,
            first: Side::from_name(&text("first")?)?,
            repetition: u32::try_from(json.get("repetition")?.as_u64()?).ok()?,
            verdict,
            lengths: [length(0)?, length(1)?],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_json_and_a_broken_one_is_refused() {
        for verdict in [Ok(Verdict::BothBad), Err("the output is empty".to_owned())] {
            let record = Record {
                id: "7".to_owned(),
                pair: "q\"1".to_owned(),
                first: Side::Two,
                repetition: 2,
                verdict,
                lengths: [10, 0],
            };
            let json = record.to_json();
            assert_eq!(Record::from_json(&json), Some(record));
            for key in ["id", "pair", "first", "repetition", "lengths"] {
                let mut broken = json.clone();
                broken[key] = json!({"not": "this"});
                assert_eq!(Record::from_json(&broken), None, "{key}");
            }
            let mut broken = json.clone();
            broken["verdict"] = json!("AB");
            assert_eq!(Record::from_json(&broken), None);
        }
    }

    #[test]
    fn a_verdict_means_the_same_whichever_stood_first() {
        for (verdict, first, expected) in [
            (Verdict::First, Side::One, Preference::One),
            (Verdict::First, Side::Two, Preference::Two),
            (Verdict::Second, Side::One, Preference::Two),
            (Verdict::Second, Side::Two, Preference::One),
            (Verdict::Tie, Side::One, Preference::Draw),
            (Verdict::BothBad, Side::Two, Preference::Draw),
        ] {
            assert_eq!(Preference::new(verdict, first), expected);
            assert_eq!(Preference::from_name(expected.name()), Some(expected));
        }
    }
}
