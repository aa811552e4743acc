//! Steps over the graph of a small repository.

use crate::index::tests::index;
use crate::index::{Index, Vectors};
use crate::search::{Context, Hit, Lists, Question, Strategy};

const API: &str = "from .sessions import Session\n\n\ndef fetch(url):\n    \"\"\"Fetch a page.\"\"\"\n    return Session().send(url)\n";
const SESSIONS: &str = "from .errors import Refused\nfrom .limits import wait\n\n\nclass Session:\n    def send(self, url):\n        wait()\n        raise Refused(url)\n";
const LIMITS: &str = "def wait():\n    \"\"\"Sleep.\"\"\"\n";
const ERRORS: &str = "class Refused(Exception):\n    pass\n";
const TESTS: &str = "from shop.api import fetch\n\n\ndef test_fetch():\n    fetch('page')\n";

fn shop() -> Index {
    index(&[
        ("shop/api.py", API),
        ("shop/errors.py", ERRORS),
        ("shop/limits.py", LIMITS),
        ("shop/sessions.py", SESSIONS),
        ("shop/unrelated.py", "def paint():\n    return 'red'\n"),
        ("tests/test_api.py", TESTS),
    ])
}

fn run(index: &Index, strategy: &str, question: &str) -> Vec<(String, Hit)> {
    let vectors = Vectors::new(1, 0);
    let question = Question::new(question).unwrap();
    let context = Context::new(index, &vectors, &question, None);
    let hits = context.run(&Strategy::from_name(strategy).unwrap(), 100);
    let path = |hit: &Hit| index.path_of(hit.chunk).unwrap().to_owned();
    hits.into_iter().map(|hit| (path(&hit), hit)).collect()
}

fn paths(index: &Index, strategy: &str, question: &str) -> Vec<String> {
    let hits = run(index, strategy, question);
    hits.into_iter().map(|(path, _)| path).collect()
}

#[test]
fn expansion_brings_in_the_files_that_the_best_ones_import() {
    let index = shop();
    let before = paths(&index, "hybrid", "fetch a page");
    assert!(
        !before.contains(&"shop/sessions.py".to_owned()),
        "{before:?}"
    );
    let after = run(&index, "hybrid+expansion", "fetch a page");
    let bonus = |path: &str| {
        let hit = after.iter().find(|(found, _)| found == path)?;
        hit.1.raw("expansion")
    };
    assert_eq!(bonus("shop/sessions.py"), Some(0.25));
    // Neither a file two imports away nor a test gets a bonus.
    assert_eq!(bonus("shop/limits.py"), None);
    assert_eq!(bonus("tests/test_api.py"), None);
}

#[test]
fn graph_rag_ranks_the_definitions_around_the_best_ones() {
    let index = shop();
    // Without vectors, the anchors come from words.
    let found = paths(&index, "dense+graph-rag", "fetch a page");
    assert_eq!(found.first().map(String::as_str), Some("shop/api.py"));
    assert!(found.contains(&"shop/sessions.py".to_owned()), "{found:?}");
    assert!(
        !found.contains(&"shop/unrelated.py".to_owned()),
        "{found:?}"
    );
    let hits = run(&index, "bm25+graph-rag", "fetch a page");
    let supported = hits
        .iter()
        .find(|(path, _)| path == "shop/sessions.py")
        .unwrap();
    assert!(supported.1.raw("graph-rag, best neighbour") > Some(0.0));
    assert_eq!(
        paths(&index, "dense+graph-rag", "qqq"),
        Vec::<String>::new()
    );
}

#[test]
fn lists_without_hits_stay_empty_under_every_step() {
    let index = shop();
    for step in super::Step::all() {
        let strategy = Strategy {
            lists: Lists::from_name("bm25").unwrap(),
            steps: vec![step],
        };
        assert_eq!(
            paths(&index, &strategy.name(), "qqq zzz"),
            Vec::<String>::new()
        );
    }
}
