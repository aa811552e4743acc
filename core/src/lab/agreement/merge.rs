//! Several annotators' reviews side by side, the disputed ones first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::file::Annotations;
use super::review::Review;

/// One question with all its reviews.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The question's id.
    pub id: String,
    /// One entry for each of [`Merged::annotators`]; `None` if that annotator did not review it.
    pub reviews: Vec<Option<Review>>,
    /// Whether one annotator wants to keep it and another to delete it.
    pub is_contested: bool,
    /// The largest difference between two annotators, over the rating and the five scores: 0 to 10.
    pub spread: u8,
}

/// The reviews of all annotators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Their names, in order of first appearance.
    pub annotators: Vec<String>,
    /// Contested questions first, then by spread (largest first), then by id.
    pub questions: Vec<Judged>,
    /// Number of reviews that were replaced by one in a later file of the same annotator.
    pub replaced: usize,
}

/// Merges the files. Two files with the same name belong to one annotator, and the later one
/// counts.
pub fn merge(files: Vec<Annotations>) -> Merged {
    let mut merged = Merged::default();
    let mut by_id: BTreeMap<String, Vec<Option<Review>>> = BTreeMap::new();
    for file in files {
        let known = merged
            .annotators
            .iter()
            .position(|it| *it == file.annotator);
        let annotator = known.unwrap_or(merged.annotators.len());
        if known.is_none() {
            merged.annotators.push(file.annotator);
        }
        for (id, review) in file.reviews {
            let places = by_id.entry(id).or_default();
            places.resize(places.len().max(annotator + 1), None);
            if let Some(place) = places.get_mut(annotator) {
                merged.replaced += usize::from(place.is_some());
                *place = Some(review);
            }
        }
    }
    let n = merged.annotators.len();
    merged.questions = by_id
        .into_iter()
        .map(|(id, mut reviews)| {
            reviews.resize(n, None);
            Judged {
                is_contested: range(&reviews, |review| review.keep.map(u8::from)) > 0,
                spread: spread(&reviews),
                id,
                reviews,
            }
        })
        .collect();
    let rank = |it: &Judged| (Reverse(it.is_contested), Reverse(it.spread));
    merged.questions.sort_by_key(rank);
    merged
}

fn spread(reviews: &[Option<Review>]) -> u8 {
    let scores = (0..5).map(|at| range(reviews, |it| it.scores.get(at).copied().flatten()));
    let rating = range(reviews, |review| review.rating);
    scores.chain([rating]).max().unwrap_or(0)
}

/// The largest minus the smallest value; 0 with fewer than two values.
fn range(reviews: &[Option<Review>], value: impl Fn(&Review) -> Option<u8>) -> u8 {
    let values = reviews.iter().flatten().filter_map(value);
    let ends = values.fold(None, |ends, value| match ends {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    });
    ends.map_or(0, |(low, high)| high - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(annotator: &str, reviews: &[(&str, Option<bool>, Option<u8>)]) -> Annotations {
        let reviews = reviews.iter().map(|&(id, keep, rating)| {
            let review = Review {
                id: id.to_owned(),
                keep,
                rating,
                ..Review::default()
            };
            (id.to_owned(), review)
        });
        Annotations {
            annotator: annotator.to_owned(),
            set: "s".to_owned(),
            reviews: reviews.collect(),
        }
    }

    #[test]
    fn disputed_questions_come_first() {
        let (yes, no) = (Some(true), Some(false));
        let ada = file(
            "Ada",
            &[
                ("a", yes, Some(5)),
                ("b", yes, Some(1)),
                ("c", yes, Some(9)),
                ("d", yes, None),
                ("e", no, Some(3)),
            ],
        );
        let ben = file(
            "Ben",
            &[
                ("a", yes, Some(5)),
                ("b", yes, Some(9)),
                ("c", no, Some(9)),
                ("f", no, Some(1)),
                ("e", no, Some(5)),
            ],
        );
        let merged = merge(vec![ada, ben]);
        assert_eq!(merged.annotators, ["Ada", "Ben"]);
        let order = merged.questions.iter();
        let order = order.map(|it| (it.id.as_str(), it.is_contested, it.spread));
        assert_eq!(
            order.collect::<Vec<_>>(),
            [
                ("c", true, 0),
                ("b", false, 8),
                ("e", false, 2),
                ("a", false, 0),
                ("d", false, 0),
                ("f", false, 0),
            ]
        );
        let who = |it: &Judged| it.reviews.iter().map(Option::is_some).collect::<Vec<_>>();
        assert_eq!(who(&merged.questions[4]), [true, false]);
        assert_eq!(who(&merged.questions[5]), [false, true]);
    }

    #[test]
    fn a_score_counts_for_the_spread_as_the_rating_does() {
        let mut ada = file("Ada", &[("a", None, Some(5))]);
        let mut ben = file("Ben", &[("a", None, Some(6))]);
        ada.reviews.get_mut("a").unwrap().scores = [None, None, Some(10), None, None];
        ben.reviews.get_mut("a").unwrap().scores = [Some(0), None, Some(3), None, None];
        assert_eq!(merge(vec![ada, ben]).questions[0].spread, 7);
    }

    #[test]
    fn a_second_file_with_the_same_name_continues_the_first() {
        let merged = merge(vec![
            file("Ada", &[("a", None, Some(1)), ("b", None, Some(2))]),
            file("Ben", &[("a", None, Some(9))]),
            file("Ada", &[("a", None, Some(8)), ("c", None, Some(3))]),
        ]);
        assert_eq!(merged.annotators.len(), 2);
        assert_eq!((merged.replaced, merged.questions.len()), (1, 3));
        let ratings = |at: usize| -> Vec<Option<u8>> {
            let reviews = merged.questions[at].reviews.iter();
            reviews.map(|it| it.as_ref()?.rating).collect()
        };
        assert_eq!(ratings(0), [Some(8), Some(9)]);
        assert_eq!(ratings(2), [Some(3), None]);
        assert_eq!(merge(Vec::new()), Merged::default());
    }
}
