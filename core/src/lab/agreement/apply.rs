//! The set that results from one annotator's reviews.

use super::file::Annotations;
use super::merge::Judged;
use crate::eval::Item;

/// Ratings that differ by more than this are a dispute.
const NEAR: u8 = 1;

impl Annotations {
    /// The questions that remain: without those that the annotator deletes, and with the
    /// annotator's wording where there is one. Ids and gold stay as they are.
    pub fn apply(&self, items: &[Item]) -> Vec<Item> {
        let stays = |item: &&Item| {
            let review = self.reviews.get(&item.id);
            review.and_then(|review| review.keep) != Some(false)
        };
        items
            .iter()
            .filter(stays)
            .map(|item| self.worded(item))
            .collect()
    }

    fn worded(&self, item: &Item) -> Item {
        let mut item = item.clone();
        if let Some(review) = self.reviews.get(&item.id) {
            if let Some(question) = &review.question {
                item.query.clone_from(question);
            }
            if let Some(answer) = &review.answer {
                item.reference_answer = (!answer.trim().is_empty()).then(|| answer.clone());
            }
        }
        item
    }
}

impl Judged {
    /// Whether the annotators should discuss it: one keeps what another deletes, or two of their
    /// values differ by more than one.
    pub fn is_disputed(&self) -> bool {
        self.is_contested || self.spread > NEAR
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::agreement::Review;

    fn item(id: &str) -> Item {
        Item {
            id: id.to_owned(),
            archive: "a".to_owned(),
            query: format!("what is {id}?"),
            gold_files: vec![format!("{id}.py")],
            gold_spans: Vec::new(),
            category: None,
            reference_answer: Some(format!("it is {id}")),
            source: None,
        }
    }

    fn applied(review: Review) -> Vec<Item> {
        let annotations = Annotations {
            reviews: [("b".to_owned(), review)].into(),
            ..Annotations::default()
        };
        annotations.apply(&[item("a"), item("b")])
    }

    #[test]
    fn deleted_questions_are_left_out_and_undecided_ones_stay() {
        for (keep, expected) in [(Some(false), 1), (Some(true), 2), (None, 2)] {
            let review = Review {
                keep,
                rating: Some(1),
                ..Review::default()
            };
            assert_eq!(applied(review).len(), expected, "{keep:?}");
        }
    }

    #[test]
    fn a_reworded_question_keeps_its_id_and_its_gold() {
        let review = Review {
            question: Some("which is it?".to_owned()),
            answer: Some(" ".to_owned()),
            ..Review::default()
        };
        let expected = Item {
            query: "which is it?".to_owned(),
            reference_answer: None,
            ..item("b")
        };
        assert_eq!(applied(review), [item("a"), expected]);
    }

    #[test]
    fn values_that_are_one_apart_are_not_disputed() {
        let judged = |is_contested, spread| Judged {
            id: String::new(),
            reviews: Vec::new(),
            is_contested,
            spread,
        };
        assert!(!judged(false, 1).is_disputed());
        assert!(judged(false, 2).is_disputed());
        assert!(judged(true, 0).is_disputed());
    }
}
