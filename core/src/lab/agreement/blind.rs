//! Blind ratings: a set of answers in random order, and the key that later says who made each of
//! them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::file::Annotations;
use super::merge::{Judged, merge};
use super::review::Review;
use crate::eval::set::{digest, write_set};
use crate::eval::{Interval, Item, average, bootstrap};
use crate::random::Random;

/// The format of a key, as written and read.
const FORMAT: u64 = 1;

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What made it, such as a pipeline.
    pub maker: String,
    /// Its text.
    pub answer: String,
}

/// The makers of a set's answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// The hash of the set of answers.
    pub set: String,
    /// The maker of each answer, by the answer's id.
    pub makers: BTreeMap<String, String>,
}

/// Draws `n` questions, in their order in the set; the same ones for the same seed.
pub fn draw(items: &[Item], n: usize, seed: u64) -> Vec<Item> {
    let mut places: Vec<usize> = (0..items.len()).collect();
    Random::new(seed).shuffle(&mut places);
    places.truncate(n);
    places.sort_unstable();
    let drawn = places.into_iter().filter_map(|at| items.get(at).cloned());
    drawn.collect()
}

/// A set with one item per answer. Its id is that of the question with `#1`, `#2` …, in an order
/// that depends only on the seed and that id; nothing else in it reveals the maker.
pub fn hide(questions: Vec<(Item, Vec<Candidate>)>, seed: u64) -> (Vec<Item>, Key) {
    let mut items = Vec::new();
    let mut makers = BTreeMap::new();
    for (question, mut candidates) in questions {
        Random::new(seed_of(seed, &question.id)).shuffle(&mut candidates);
        for (at, candidate) in candidates.into_iter().enumerate() {
            let nth = at + 1;
            let id = format!("{}#{nth}", question.id);
            makers.insert(id.clone(), candidate.maker);
            items.push(Item {
                id,
                category: Some(format!("answer {nth}")),
                reference_answer: Some(candidate.answer),
                ..question.clone()
            });
        }
    }
    let set = digest(&write_set(&items));
    (items, Key { set, makers })
}

fn seed_of(seed: u64, id: &str) -> u64 {
    let hash = blake3::hash(format!("{seed} {id}").as_bytes());
    let first = hash.as_bytes().iter().take(8);
    first.fold(0, |seed, byte| (seed << 8) | u64::from(*byte))
}

/// The ratings of one maker's answers on one scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// Number of answers with a rating.
    pub n: usize,
    /// Mean over the answers; each answer counts once, with the mean of its ratings.
    pub mean: f64,
    /// 95 % bootstrap interval of that mean, over the answers.
    pub interval: Interval,
}

/// The ratings of one maker's answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Revealed {
    /// The maker's name.
    pub maker: String,
    /// Number of ratings, by any number of people.
    pub ratings: usize,
    /// On the scale [`super::RATING`]; `None` if there are no ratings.
    pub rating: Option<Rated>,
    /// On the scales [`super::SCORES`], in their order.
    pub scores: [Option<Rated>; 5],
}

impl Key {
    /// The annotators' ratings of each maker, sorted by name.
    pub fn reveal(&self, files: Vec<Annotations>) -> Vec<Revealed> {
        let merged = merge(files);
        let mut by_maker: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
        for maker in self.makers.values() {
            by_maker.entry(maker).or_default();
        }
        for judged in &merged.questions {
            if let Some(maker) = self.makers.get(&judged.id) {
                by_maker.entry(maker).or_default().push(judged);
            }
        }
        by_maker
            .into_iter()
            .map(|(maker, answers)| revealed(maker, &answers))
            .collect()
    }

    /// The key as a file.
    pub fn to_json(&self) -> Value {
        json!({ "format": FORMAT, "set": self.set, "makers": self.makers })
    }

    /// Reads a key. The error is a sentence that says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| format!("the file is not one JSON object: {error}"))?;
        if value.get("format").and_then(Value::as_u64) != Some(FORMAT) {
            return Err(format!("“format” is not {FORMAT}"));
        }
        let set = value.get("set").and_then(Value::as_str);
        let set = set.ok_or("“set” is missing, so it is unknown whose answers these are")?;
        let makers = value.get("makers").and_then(Value::as_object);
        let makers = makers.ok_or("“makers” does not name a maker for each answer")?;
        let named = makers.iter().map(|(id, maker)| {
            let maker = maker.as_str().filter(|maker| !maker.is_empty());
            let maker = maker.ok_or_else(|| format!("the maker of {id} is not text"))?;
            Ok((id.clone(), maker.to_owned()))
        });
        Ok(Self {
            set: set.to_owned(),
            makers: named.collect::<Result<_, String>>()?,
        })
    }
}

fn revealed(maker: &str, answers: &[&Judged]) -> Revealed {
    let score = |at: usize| rated(answers, &|review| review.scores.get(at).copied().flatten());
    let reviews = answers.iter().flat_map(|it| it.reviews.iter().flatten());
    Revealed {
        maker: maker.to_owned(),
        ratings: reviews.filter(|review| review.rating.is_some()).count(),
        rating: rated(answers, &|review| review.rating),
        scores: [0, 1, 2, 3, 4].map(score),
    }
}

fn rated(answers: &[&Judged], value: &dyn Fn(&Review) -> Option<u8>) -> Option<Rated> {
    let mean_of = |judged: &&Judged| {
        let given = judged.reviews.iter().flatten().filter_map(value);
        average(given.map(f64::from))
    };
    let means: Vec<f64> = answers.iter().filter_map(mean_of).collect();
    Some(Rated {
        n: means.len(),
        mean: average(means.iter().copied())?,
        interval: bootstrap(&means),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: &str) -> Item {
        Item {
            id: id.to_owned(),
            archive: "a".to_owned(),
            query: format!("what is {id}?"),
            gold_files: vec!["a.py".to_owned()],
            gold_spans: Vec::new(),
            category: Some("calls".to_owned()),
            reference_answer: Some("as it is".to_owned()),
            source: None,
        }
    }

    /// Answers of two makers to `n` questions.
    fn asked(n: usize) -> Vec<(Item, Vec<Candidate>)> {
        let candidates = |id: &str| {
            let candidate = |maker: &str| Candidate {
                maker: maker.to_owned(),
                answer: format!("{id}, in other words"),
            };
            vec![candidate("one"), candidate("two")]
        };
        let questions = (0..n).map(|n| item(&format!("q{n}")));
        questions
            .map(|it| (it.clone(), candidates(&it.id)))
            .collect()
    }

    fn file(name: &str, rating: impl Fn(&str) -> u8, key: &Key) -> Annotations {
        let reviews = key.makers.iter().map(|(id, maker)| {
            let review = Review {
                id: id.clone(),
                rating: Some(rating(maker)),
                ..Review::default()
            };
            (id.clone(), review)
        });
        Annotations {
            annotator: name.to_owned(),
            set: key.set.clone(),
            reviews: reviews.collect(),
        }
    }

    #[test]
    fn a_set_of_answers_does_not_tell_who_made_them() {
        let (items, key) = hide(asked(40), 7);
        assert_eq!((items.len(), key.makers.len()), (80, 80));
        let text = write_set(&items);
        assert!(!text.contains("one") && !text.contains("two"));
        let first = key.makers.iter().filter(|(id, _)| id.ends_with("#1"));
        let n_one = first.filter(|(_, maker)| *maker == "one").count();
        assert!((10..=30).contains(&n_one), "{n_one} of 40");
        assert_eq!(items[1].id, "q0#2");
        assert_eq!(items[1].category.as_deref(), Some("answer 2"));
    }

    #[test]
    fn the_order_depends_on_seed_and_question_alone() {
        let (_, key) = hide(asked(40), 7);
        assert_eq!(hide(asked(40), 7).1, key);
        assert_ne!(hide(asked(40), 8).1.makers, key.makers);
        let (_, fewer) = hide(asked(3), 7);
        assert!(
            fewer
                .makers
                .iter()
                .all(|(id, maker)| key.makers[id] == *maker)
        );
    }

    #[test]
    fn questions_are_drawn_in_their_order() {
        let items: Vec<Item> = asked(30).into_iter().map(|(item, _)| item).collect();
        let drawn = draw(&items, 5, 1);
        assert_eq!(drawn.len(), 5);
        assert_eq!(drawn, draw(&items, 5, 1));
        assert_ne!(drawn, draw(&items, 5, 2));
        let places = drawn
            .iter()
            .map(|it| items.iter().position(|item| item == it));
        assert!(places.is_sorted());
        assert_eq!(draw(&items, 99, 1), items);
    }

    #[test]
    fn each_answer_counts_once_however_many_rated_it() {
        let (_, key) = hide(asked(10), 7);
        let ada = file("Ada", |maker| if maker == "one" { 8 } else { 4 }, &key);
        let mut ben = file("Ben", |maker| if maker == "one" { 6 } else { 2 }, &key);
        ben.reviews.retain(|id, _| key.makers[id] == "one");
        let revealed = key.reveal(vec![ada, ben]);
        let told: Vec<_> = revealed
            .iter()
            .map(|it| (it.maker.as_str(), it.ratings, it.rating.unwrap().mean))
            .collect();
        assert_eq!(told, [("one", 20, 7.0), ("two", 10, 4.0)]);
        let interval = revealed[0].rating.unwrap().interval;
        assert_eq!((interval.low, interval.high), (7.0, 7.0));
        assert_eq!(revealed[0].scores, [None; 5]);
        assert_eq!(key.reveal(Vec::new())[1].rating, None);
    }

    #[test]
    fn a_key_comes_back_as_it_was_written_and_a_wrong_file_is_named() {
        let (_, key) = hide(asked(2), 7);
        assert_eq!(Key::read(&key.to_json().to_string()), Ok(key));
        for (text, reason) in [
            ("nothing", "the file is not one JSON object"),
            ("{}", "“format” is not 1"),
            (r#"{"format": 1}"#, "“set” is missing"),
            (r#"{"format": 1, "set": "a"}"#, "“makers” does not name"),
            (
                r#"{"format": 1, "set": "a", "makers": {"q#1": 3}}"#,
                "the maker of q#1 is not text",
            ),
        ] {
            let error = Key::read(text).unwrap_err();
            assert!(error.starts_with(reason), "{error}");
        }
    }
}
