//! Tests of whose reviews count after files were read and names entered.

use footnote_core::eval::Item;
use footnote_core::lab::agreement::{Annotations, Review};

use super::{Reviewing, nothing};

const SET: &str = "9be2";

fn items() -> Vec<Item> {
    ["a", "b", "c"]
        .map(|id| Item {
            id: id.to_owned(),
            archive: "pypi:x@1".to_owned(),
            query: format!("where is {id}?"),
            gold_files: vec!["x.py".to_owned()],
            gold_spans: Vec::new(),
            category: None,
            reference_answer: None,
            source: None,
        })
        .to_vec()
}

fn rated(id: &str, rating: u8) -> Review {
    Review {
        rating: Some(rating),
        ..nothing(id)
    }
}

fn file(annotator: &str, set: &str, reviews: &[Review]) -> String {
    let reviews = reviews.iter().map(|it| (it.id.clone(), it.clone()));
    let annotations = Annotations {
        annotator: annotator.to_owned(),
        set: set.to_owned(),
        reviews: reviews.collect(),
    };
    annotations.to_jsonl()
}

/// Ada has rated the first question with 7.
fn ada() -> Reviewing {
    let mut reviewing = Reviewing::default();
    reviewing.turn_to(SET.to_owned());
    reviewing.name(" Ada ");
    reviewing.put([rated("a", 7)].into_iter());
    reviewing
}

/// A name, and the ratings by question id.
type Ratings = (String, Vec<(String, Option<u8>)>);

fn ratings(reviewing: &Reviewing) -> Vec<Ratings> {
    let all = reviewing.all().into_iter();
    all.map(|it| {
        let reviews = it.reviews.into_iter();
        let reviews = reviews.map(|(id, review)| (id, review.rating));
        (it.annotator, reviews.collect())
    })
    .collect()
}

#[test]
fn files_of_others_are_put_side_by_side_and_a_second_one_continues_the_first() {
    let mut reviewing = ada();
    let first = file("Ben", SET, &[rated("a", 2), rated("b", 3)]);
    let taken = reviewing.read("ben.jsonl", &first, &items());
    assert_eq!(taken.told, "ben.jsonl: 2 reviews by Ben.");
    assert_eq!(taken.reviews, []);
    let second = file("Ben", SET, &[rated("b", 9)]);
    reviewing.read("again.jsonl", &second, &items());
    let of = |id: &str, rating| (id.to_owned(), Some(rating));
    assert_eq!(
        ratings(&reviewing),
        [
            ("Ada".to_owned(), vec![of("a", 7)]),
            ("Ben".to_owned(), vec![of("a", 2), of("b", 9)]),
        ]
    );
    assert!(reviewing.begun().has_others);
    reviewing.forget("Ben");
    assert_eq!(ratings(&reviewing).len(), 1);
}

#[test]
fn the_users_own_file_fills_in_reviews_that_are_missing_here() {
    let mut reviewing = ada();
    let own = file("Ada", SET, &[rated("a", 1), rated("b", 2)]);
    let taken = reviewing.read("ada.jsonl", &own, &items());
    assert_eq!(taken.reviews, [rated("b", 2)]);
    assert!(taken.told.ends_with("Kept as they are on this page: 1."));
    assert_eq!(reviewing.said.own["a"], rated("a", 7));
    assert!(!reviewing.begun().has_others);
}

#[test]
fn a_name_that_is_typed_in_late_takes_over_its_file() {
    let mut reviewing = Reviewing::default();
    reviewing.turn_to(SET.to_owned());
    reviewing.put([rated("a", 7)].into_iter());
    reviewing.read("ben.jsonl", &file("Ben", SET, &[rated("b", 3)]), &items());
    assert_eq!(ratings(&reviewing)[0].0, super::NAMELESS);
    let taken = reviewing.name("Ben");
    assert_eq!(taken.reviews, [rated("b", 3)]);
    assert_eq!(ratings(&reviewing).len(), 1);
    assert_eq!(reviewing.own().reviews.len(), 2);
}

#[test]
fn parts_of_a_file_that_do_not_count_are_reported() {
    let mut reviewing = ada();
    let text = file("Ben", "other", &[rated("a", 2), rated("z", 3)])
        + "nonsense\n{\"id\": \"b\", \"rating\": 11}\n{\"id\": \"a\", \"rating\": 4}\n";
    let told = reviewing.read("ben.jsonl", &text, &items()).told;
    for part in [
        "1 review by Ben.",
        "made for another set",
        "1 more review is left out",
        "Reviewed more than once: 1 of its questions",
        "2 lines are left out (line 4: the line is not JSON",
        "“rating” is 11",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let told = reviewing.read("prose.txt", "Dear all,\n", &items()).told;
    assert!(
        told.starts_with("prose.txt was not opened: line 1"),
        "{told}"
    );
    assert_eq!(ratings(&reviewing).len(), 2);
}

#[test]
fn a_set_that_is_opened_again_finds_its_reviews_again() {
    let mut reviewing = ada();
    reviewing.turn_to("another".to_owned());
    assert_eq!(reviewing.begun().reviews, []);
    reviewing.put([rated("a", 1)].into_iter());
    reviewing.turn_to(SET.to_owned());
    assert_eq!(reviewing.begun().reviews[0].rating, Some(7));
    assert_eq!(reviewing.own().annotator, "Ada");
}

#[test]
fn an_emptied_review_no_longer_counts() {
    let mut reviewing = ada();
    reviewing.put([nothing("a")].into_iter());
    assert_eq!(ratings(&reviewing), []);
}

#[test]
fn dropped_questions_are_not_kept_nor_are_reviews_of_removed_ones() {
    let mut reviewing = ada();
    let dropped = Review {
        keep: Some(false),
        ..nothing("b")
    };
    reviewing.put([dropped].into_iter());
    let ids = |reviewing: &Reviewing| -> Vec<String> {
        let kept = reviewing.kept(&items()).into_iter();
        kept.map(|item| item.id).collect()
    };
    assert_eq!(ids(&reviewing), ["a", "c"]);
    reviewing.without(&["b".to_owned()], "fewer".to_owned());
    assert_eq!(ids(&reviewing), ["a", "b", "c"]);
    assert_eq!(reviewing.own().set, "fewer");
}
