//! Ranking rules over a small repository.

use super::pack::{BUDGET_CHARS, Packing, pack};
use super::*;
use crate::index::tests::index;

const SESSIONS: &str = "class Session:\n    def send(self, request):\n        return self.resolve_redirects(request)\n\n    def resolve_redirects(self, request):\n        raise InvalidSchema(f\"No connection adapters for {url!r}\")\n";
const COOKIES: &str = "def merge_cookies(jar, cookies):\n    for cookie in cookies:\n        jar.set_cookie(cookie)\n    return jar\n";
const CHANGES: &str =
    "# Changes\n\nThe session follows redirects. Merge cookies. Send the request.\n";
const TESTS: &str =
    "def test_merge_cookies():\n    session = Session()\n    assert merge_cookies(jar, cookies)\n";

fn small() -> Index {
    index(&[
        ("CHANGES.md", CHANGES),
        ("src/shop/cookies.py", COOKIES),
        ("src/shop/sessions.py", SESSIONS),
        ("tests/test_shop.py", TESTS),
        ("vendor_copy/packages/cookies.py", COOKIES),
    ])
}

fn with<T>(index: &Index, text: &str, then: impl FnOnce(&Context<'_>) -> T) -> T {
    let vectors = Vectors::new(1, 0);
    let question = Question::new(text).unwrap();
    then(&Context::new(index, &vectors, &question, None))
}

fn best(index: &Index, text: &str) -> String {
    with(index, text, |context| {
        let hits = context.run(&Strategy::default(), 10);
        let first = hits.first().expect("a hit");
        let lines = index.chunk(first.chunk).unwrap().lines;
        format!("{}:{lines}", index.path_of(first.chunk).unwrap())
    })
}

#[test]
fn definitions_places_and_quotations_lead_to_their_lines() {
    let index = small();
    for (question, expected) in [
        ("what does merge_cookies do", "src/shop/cookies.py:1-4"),
        ("what does merge_cookeis do", "src/shop/cookies.py:1-4"),
        ("how are redirects resolved", "src/shop/sessions.py:1-6"),
        ("Session.send", "src/shop/sessions.py:1-6"),
        (
            "Traceback (most recent call last):\n  File \"/x/shop/sessions.py\", line 6, in resolve\nInvalidSchema: nothing",
            "src/shop/sessions.py:1-6",
        ),
        (
            "who raises \"No connection adapters for\"",
            "src/shop/sessions.py:1-6",
        ),
        ("which tests cover cookies", "tests/test_shop.py:1-3"),
    ] {
        assert_eq!(best(&index, question), expected, "{question}");
    }
}

#[test]
fn every_step_alone_keeps_hits_distinct_sorted_and_finite() {
    let index = small();
    let question = "docs: why does `Session.send` in src/shop/sessions.py fail with \"No connection adapters\" in python\nat f (sessions.py:6:1)";
    with(&index, question, |context| {
        for lists in Lists::all() {
            for step in Step::all() {
                let strategy = Strategy {
                    lists,
                    steps: vec![step],
                };
                let hits = context.run(&strategy, 100);
                let mut chunks: Vec<_> = hits.iter().map(|hit| hit.chunk).collect();
                assert!(hits.windows(2).all(|pair| pair[0].score >= pair[1].score));
                assert!(hits.iter().all(|hit| hit.score.is_finite()));
                chunks.sort();
                chunks.dedup();
                assert_eq!(chunks.len(), hits.len(), "{}", strategy.name());
            }
        }
    });
}

#[test]
fn the_score_of_a_hit_is_the_sum_of_its_parts() {
    let index = small();
    with(&index, "how does Session.send merge cookies", |context| {
        for hit in context.run(&Strategy::default(), 100) {
            let sum: f32 = hit.parts.iter().map(|part| part.weighted).sum();
            assert!((hit.score - sum).abs() < 1e-4, "{hit:?}");
        }
    });
}

#[test]
fn an_empty_repository_answers_nothing() {
    let index = index(&[]);
    with(&index, "how does Session.send work", |context| {
        assert_eq!(context.run(&Strategy::default(), 10), Vec::new());
    });
}

#[test]
fn the_trace_ends_with_the_result_and_says_what_moved() {
    let index = small();
    with(&index, "what does merge_cookies do", |context| {
        let strategy = Strategy::default();
        let trace = context.trace(&strategy, 10, || 0.0);
        assert_eq!(trace.hits, context.run(&strategy, 10));
        assert_eq!(trace.entries.len(), strategy.steps.len() + 1);
        let definition = trace
            .entries
            .iter()
            .find(|entry| entry.name == "definition");
        let moves = &definition.unwrap().moves;
        assert!(
            moves
                .iter()
                .any(|m| m.why == "defines `merge_cookies`" && m.gain > 0.0)
        );
        let kinds = trace.entries.iter().find(|entry| entry.name == "kinds");
        assert!(
            kinds
                .unwrap()
                .moves
                .iter()
                .any(|m| m.why == "list of changes" && m.gain < 0.0)
        );
    });
}

#[test]
fn a_question_is_read_against_the_repository() {
    let index = small();
    let analysis = |text| Analysis::new(&index, &Question::new(text).unwrap());
    let resolved = analysis("how to resolve redirects");
    let split = &resolved.mentions[0];
    assert_eq!(split.name, "resolve_redirects");
    assert_eq!(split.spelling, mentions::Spelling::Split);
    assert_eq!(analysis("Session").wording, analysis::Wording::Symbol);
    assert_eq!(resolved.wording, analysis::Wording::Prose);
    assert_eq!(analysis("see shop/cookies.py").files.len(), 1);
    assert_eq!(analysis("cookies: merge all").subsystem, ["cookies"]);
    assert_eq!(
        analysis("how in Python").language,
        Some(crate::lang::Language::Python)
    );
    assert_eq!(analysis("at f (C:\\shop\\sessions.py:6:1)").frames.len(), 1);
    assert_eq!(analysis("at f (/elsewhere.py:6:1)").frames, Vec::new());
}

#[test]
fn coverage_prefers_two_chunks_of_each_file_before_a_third() {
    let many: String = (0..6)
        .map(|n| format!("def send_{n}(request):\n    return request\n\n\n"))
        .collect();
    let index = index(&[("a.py", &many), ("b.py", SESSIONS)]);
    with(&index, "send request", |context| {
        let hits = context.run(&Strategy::plain(Lists::from_name("bm25").unwrap()), 20);
        let files = |packing, budget| -> Vec<u32> {
            let packed = pack(&index, &hits, packing, budget);
            let chars: usize = packed.iter().map(|part| part.chars).sum();
            assert!(chars <= budget);
            packed
                .iter()
                .map(|part| index.chunk(part.chunk).unwrap().file.0)
                .collect()
        };
        let covered = files(Packing::Coverage, BUDGET_CHARS);
        assert_eq!(covered.len(), hits.len(), "everything fits");
        let third = |files: &[u32]| {
            (0..files.len())
                .find(|&at| files[..=at].iter().filter(|&&f| f == files[at]).count() == 3)
        };
        let before_third = &covered[..third(&covered).unwrap()];
        assert!(
            before_third.contains(&0) && before_third.contains(&1),
            "{covered:?}"
        );
        assert_eq!(files(Packing::PerFile(1), BUDGET_CHARS).len(), 2);
        assert_eq!(files(Packing::TopK, 0), Vec::<u32>::new());
    });
}

#[test]
fn a_paraphrase_finds_by_the_table_what_no_word_finds() {
    let files = [
        (
            "a.py",
            "def purge(store):\n    for stale in store.expired():\n        store.evict(stale)\n",
        ),
        (
            "b.py",
            "def draw(canvas, colour):\n    canvas.fill(colour)\n",
        ),
        ("c.py", "def parse(text):\n    return int(text)\n"),
    ];
    let index = std::sync::Arc::new(index(&files));
    let question = "where are old entries deleted from the cache";
    with(&index, question, |context| {
        assert!(
            context
                .run(&Strategy::from_name("bm25").unwrap(), 10)
                .is_empty()
        );
    });
    let encoder = std::sync::Arc::new(crate::embed::table::tests::encoder());
    let job = crate::index::TableJob::new(std::sync::Arc::clone(&index), encoder);
    let Ok(table) = crate::job::run_to_end(job);
    index.set_table(table);
    with(&index, question, |context| {
        for strategy in ["table", "fused", "default"] {
            let hits = context.run(&Strategy::from_name(strategy).unwrap(), 10);
            let first = hits.first().expect("a hit");
            assert_eq!(index.path_of(first.chunk), Some("a.py"), "{strategy}");
            let sum: f32 = first.parts.iter().map(|part| part.weighted).sum();
            assert!(
                (sum - first.score).abs() < 1e-5,
                "the score is the sum of its parts"
            );
        }
    });
}
