//! One annotator's review of one question.

use serde_json::{Map, Value, json};

use super::rubric::{RATING, SCORES, Scale};

/// Most characters of a question, an answer or a note.
const MAX_TEXT: usize = 50_000;
/// Most characters of an id.
const MAX_ID: usize = 500;
/// Most tags per question.
const MAX_TAGS: usize = 50;
/// Most characters of a tag.
const MAX_TAG: usize = 100;

/// One annotator's review of one question. Everything but the id may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// The question's id.
    pub id: String,
    /// Whether the question stays in the set.
    pub keep: Option<bool>,
    /// On the scale [`RATING`], 1 to 10.
    pub rating: Option<u8>,
    /// On the scales [`SCORES`], in their order, each 0 to 10.
    pub scores: [Option<u8>; 5],
    /// The annotator's own tags.
    pub tags: Vec<String>,
    /// The annotator's wording of the question; `None` keeps the original.
    pub question: Option<String>,
    /// The annotator's wording of the answer; `None` keeps the original.
    pub answer: Option<String>,
    /// A free note; may be empty.
    pub note: String,
}

impl Review {
    /// The review as a JSON object. Missing values are left out.
    pub fn to_json(&self) -> Value {
        let scores: Map<String, Value> = SCORES
            .iter()
            .zip(self.scores)
            .filter_map(|(scale, score)| Some((scale.key.to_owned(), score?.into())))
            .collect();
        let fields = [
            ("id", Some(json!(self.id))),
            ("keep", self.keep.map(Value::from)),
            ("rating", self.rating.map(Value::from)),
            ("scores", (!scores.is_empty()).then(|| scores.into())),
            (
                "tags",
                (!self.tags.is_empty()).then(|| self.tags.clone().into()),
            ),
            ("question", self.question.clone().map(Value::from)),
            ("answer", self.answer.clone().map(Value::from)),
            ("note", (!self.note.is_empty()).then(|| json!(self.note))),
        ];
        let said = fields
            .into_iter()
            .filter_map(|(key, value)| Some((key.to_owned(), value?)));
        Value::Object(said.collect())
    }

    /// Reads a review. Nothing is guessed: an unknown field, a wrong type or a value out of range
    /// is an error, and the sentence names the field.
    pub fn from_json(value: &Value) -> Result<Self, String> {
        let object = value.as_object().ok_or("the line is not a JSON object")?;
        let mut review = Self::default();
        for (key, value) in object {
            match key.as_str() {
                "id" => review.id = text(key, value, MAX_ID)?,
                "keep" => review.keep = flag(key, value)?,
                "rating" => review.rating = on_scale(&RATING, value)?,
                "scores" => review.scores = scores(value)?,
                "tags" => review.tags = tags(value)?,
                "question" => review.question = optional_text(key, value)?,
                "answer" => review.answer = optional_text(key, value)?,
                "note" => review.note = optional_text(key, value)?.unwrap_or_default(),
                _ => return Err(format!("“{}” is not a field of a review", short(key))),
            }
        }
        if review.id.is_empty() {
            return Err("“id” is missing, so the question is unknown".to_owned());
        }
        Ok(review)
    }
}

/// The start of a text, for quoting in an error.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

fn flag(key: &str, value: &Value) -> Result<Option<bool>, String> {
    match value {
        Value::Null => Ok(None),
        Value::Bool(it) => Ok(Some(*it)),
        _ => Err(format!("“{key}” is not true or false")),
    }
}

/// An integer on the scale. Spreadsheets write 7 as 7.0, which is accepted.
fn on_scale(scale: &Scale, value: &Value) -> Result<Option<u8>, String> {
    if value.is_null() {
        return Ok(None);
    }
    let (low, high) = (scale.low(), scale.high());
    let number = value.as_f64();
    let found = (low..=high).find(|&it| number == Some(f64::from(it)));
    found.map(Some).ok_or_else(|| {
        let (key, given) = (scale.key, short(&value.to_string()));
        format!("“{key}” is {given}, not a whole number from {low} to {high}")
    })
}

fn scores(value: &Value) -> Result<[Option<u8>; 5], String> {
    let mut scores = [None; 5];
    if value.is_null() {
        return Ok(scores);
    }
    let object = value.as_object().ok_or("“scores” is not a JSON object")?;
    for (key, value) in object {
        let mut places = SCORES.iter().zip(&mut scores);
        let (scale, place) = places
            .find(|(scale, _)| scale.key == key)
            .ok_or_else(|| format!("“{}” is not one of the five scores", short(key)))?;
        *place = on_scale(scale, value)?;
    }
    Ok(scores)
}

fn tags(value: &Value) -> Result<Vec<String>, String> {
    if value.is_null() {
        return Ok(Vec::new());
    }
    let list = value.as_array().ok_or("“tags” is not a list")?;
    if list.len() > MAX_TAGS {
        return Err(format!("more than {MAX_TAGS} tags"));
    }
    let tags = list.iter().map(|tag| text("tags", tag, MAX_TAG));
    tags.collect()
}

fn optional_text(key: &str, value: &Value) -> Result<Option<String>, String> {
    match value {
        Value::Null => Ok(None),
        _ => text(key, value, MAX_TEXT).map(Some),
    }
}

/// A text of at most `max` characters.
fn text(key: &str, value: &Value, max: usize) -> Result<String, String> {
    let Value::String(text) = value else {
        return Err(format!("“{key}” is not text"));
    };
    if text.chars().nth(max).is_some() {
        return Err(format!("“{key}” has more than {max} characters"));
    }
    Ok(text.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_comes_back_as_it_was_written() {
        let full = Review {
            id: "q1".to_owned(),
            keep: Some(false),
            rating: Some(10),
            scores: [Some(0), None, Some(10), None, Some(5)],
            tags: vec!["vague".to_owned(), "two files".to_owned()],
            question: Some("Where?\n\"There\"".to_owned()),
            answer: Some(String::new()),
            note: "ü".to_owned(),
        };
        let bare = Review {
            id: "q2".to_owned(),
            ..Review::default()
        };
        for review in [full, bare] {
            assert_eq!(Review::from_json(&review.to_json()), Ok(review));
        }
    }

    #[test]
    fn a_wrong_field_is_named() {
        for (json, reason) in [
            (json!([]), "the line is not a JSON object"),
            (json!({"keep": true}), "“id” is missing"),
            (json!({"id": 3}), "“id” is not text"),
            (
                json!({"id": "q", "keep": "yes"}),
                "“keep” is not true or false",
            ),
            (
                json!({"id": "q", "rating": 0}),
                "“rating” is 0, not a whole number from 1 to 10",
            ),
            (json!({"id": "q", "rating": 7.5}), "“rating” is 7.5"),
            (json!({"id": "q", "rating": "7"}), "“rating” is \"7\""),
            (json!({"id": "q", "ratng": 7}), "“ratng” is not a field"),
            (
                json!({"id": "q", "scores": {"style": 1}}),
                "“style” is not one",
            ),
            (
                json!({"id": "q", "scores": {"clarity": 11}}),
                "“clarity” is 11",
            ),
            (json!({"id": "q", "tags": "a"}), "“tags” is not a list"),
            (
                json!({"id": "q", "note": "x".repeat(MAX_TEXT + 1)}),
                "“note” has more than",
            ),
        ] {
            let error = Review::from_json(&json).unwrap_err();
            assert!(error.starts_with(reason), "{error}");
        }
    }

    #[test]
    fn a_whole_number_may_be_written_with_a_point_and_null_says_nothing() {
        let json = json!({"id": "q", "rating": 7.0, "keep": null, "scores": {"clarity": null}});
        let review = Review::from_json(&json).unwrap();
        assert_eq!((review.rating, review.keep), (Some(7), None));
        assert_eq!(review.scores, [None; 5]);
    }
}
