use super::*;
use crate::index::Index;
use crate::index::tests::index;
use crate::pipeline::Reader;
use crate::pipeline::tests::{Words, at_once, files};
use crate::search::{Context, Lists, Params, Question, Step, Strategy};

const QUESTION: &str = "Where does a session follow a redirect?";

fn repository() -> Index {
    let files = files();
    let files = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()));
    index(&files.collect::<Vec<_>>())
}

fn lesson() -> Lesson {
    let index = repository();
    let question = Question::new(QUESTION).unwrap();
    at_once(make(&index, &question, &Words::new(&index)))
}

/// The places that a search finds, with their scores.
fn searched(strategy: &Strategy) -> Vec<(String, f64)> {
    let index = repository();
    let reader = Words::new(&index);
    let question = Question::new(QUESTION).unwrap();
    let embedding = at_once(reader.compare(&question, &[]));
    let hits = reader.with_vectors(|vectors| {
        let mut context = Context::new(&index, vectors, &question, embedding.as_ref());
        context.params = Params::default();
        context.run(strategy, usize::MAX)
    });
    let hit = |hit: &crate::search::Hit| {
        let path = index.path_of(hit.chunk).unwrap();
        let lines = index.trimmed_lines(hit.chunk).unwrap();
        (format!("{path}:{lines}"), f64::from(hit.score))
    };
    hits.iter().map(hit).collect()
}

fn taught(lesson: &Lesson, way: Way) -> Vec<(String, f64)> {
    let ranked = lesson.rank(way).into_iter();
    let row = |it: Ranked| {
        let passage = &lesson.passages[it.passage];
        let lines = match passage.start == passage.end {
            true => passage.start.to_string(),
            false => format!("{}-{}", passage.start, passage.end),
        };
        (format!("{}:{lines}", lesson.path(passage.file)), it.score)
    };
    ranked.map(row).collect()
}

#[test]
fn with_the_pipelines_numbers_it_ranks_as_the_search_does() {
    let lesson = lesson();
    let hybrid = Lists::from_name("hybrid").unwrap();
    let expansion = Step::from_name("expansion").unwrap();
    for (way, lists, steps) in [
        (Way::Words, Lists::from_name("bm25").unwrap(), vec![]),
        (Way::Meaning, Lists::from_name("dense").unwrap(), vec![]),
        (Way::Both, hybrid, vec![]),
        (Way::Imports, hybrid, vec![expansion]),
    ] {
        let expected = searched(&Strategy { lists, steps });
        let found = taught(&lesson, way);
        assert!(expected.len() > 1, "{way:?} finds something");
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.0, expected.0, "{way:?}");
            assert!(
                (found.1 - expected.1).abs() < 1e-4,
                "{way:?} {found:?} {expected:?}"
            );
        }
        assert_eq!(found.len(), expected.len(), "{way:?}");
    }
}

#[test]
fn a_number_that_is_moved_moves_the_ranks() {
    let mut lesson = lesson();
    let order = |lesson: &Lesson, way| {
        let ranked = lesson.rank(way).into_iter();
        ranked.map(|it| it.passage).collect::<Vec<_>>()
    };
    lesson.numbers.share = 0.0;
    assert_eq!(order(&lesson, Way::Both)[0], order(&lesson, Way::Words)[0]);
    lesson.numbers.share = 1.0;
    assert_eq!(
        order(&lesson, Way::Both)[0],
        order(&lesson, Way::Meaning)[0]
    );
    lesson.numbers.gamma = 0.0;
    let gains = lesson
        .rank(Way::Imports)
        .iter()
        .map(|it| it.imports)
        .sum::<f64>();
    assert_eq!(gains, 0.0);
    lesson.numbers.k = 1;
    assert!(order(&lesson, Way::Both).len() <= 2);
}

#[test]
fn it_marks_what_answers_and_says_where_each_way_puts_it() {
    let lesson = lesson();
    let marked: Vec<&str> = lesson
        .passages
        .iter()
        .filter(|it| it.marked)
        .map(|it| it.title.as_str())
        .collect();
    assert!(marked.contains(&"follow_redirect"), "{marked:?}");
    let said = lesson.said(Way::Meaning);
    assert!(
        said.starts_with("follow_redirect is number 1 here"),
        "{said}"
    );
    assert!(
        lesson.said_of_shown().contains("a model sees"),
        "{}",
        lesson.said_of_shown()
    );
}

#[test]
fn it_comes_back_as_it_was_from_json_and_from_a_page() {
    let mut lesson = lesson();
    lesson.passages[0].code = "</script><script>alert(1)</script>".to_owned();
    let json = lesson.json().unwrap();
    assert!(!json.contains('<'), "nothing in it can end a script");
    let page = format!(
        "<!DOCTYPE html><p>x</p><script type=\"application/json\" id=\"lesson\">{json}</script>"
    );
    for text in [&json, &page] {
        assert_eq!(Lesson::read(text).unwrap(), lesson);
    }
}

#[test]
fn files_that_are_not_a_lesson_or_contradict_themselves_are_refused() {
    let whole = lesson();
    let changed = |change: &dyn Fn(&mut Lesson)| {
        let mut lesson = whole.clone();
        change(&mut lesson);
        Lesson::read(&lesson.json().unwrap()).map_err(|error| error.to_string())
    };
    for (change, expected) in [
        (
            &(|it: &mut Lesson| it.format = 2) as &dyn Fn(&mut Lesson),
            "another version",
        ),
        (&|it| it.passages[0].file = 99, "in no file"),
        (&|it| it.passages[0].start = 0, "has no lines"),
        (&|it| it.neighbours[0] = vec![99], "not one of its files"),
        (&|it| it.neighbours = Vec::new(), "neighbours"),
        (&|it| it.shown[0].end = 0, "has no lines"),
        (&|it| it.numbers.gamma = 2.0, "out of range"),
        (&|it| it.numbers.k = 1 << 40, "out of range"),
        (&|it| it.passages[0].length = -1.0, "out of range"),
    ] {
        let error = changed(change).unwrap_err();
        assert!(error.contains(expected), "{error} instead of {expected}");
    }
    for text in ["", "<html></html>", "{", "{}", "PK\u{3}\u{4}"] {
        assert!(Lesson::read(text).is_err(), "{text}");
    }
}
