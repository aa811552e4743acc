use proptest::prelude::{ProptestConfig, prop};
use proptest::{prop_assert, prop_assert_eq, proptest};

use super::*;

fn built(chunks: &[(&str, &str, &[&str])]) -> Bm25 {
    let mut builder = Bm25::builder();
    for (body, path, names) in chunks {
        builder.add(body, path, names.iter().copied());
    }
    builder.finish()
}

fn ids(found: &[(ChunkId, f32)]) -> Vec<u32> {
    found.iter().map(|(id, _)| id.0).collect()
}

#[test]
fn with_the_body_alone_the_score_is_the_published_formula() {
    let mut bm25 = built(&[
        ("apple pear apple", "", &[]),
        ("pear", "", &[]),
        ("fig", "", &[]),
    ]);
    bm25.set_params(Bm25Params::PLAIN);
    let (k1, b, average) = (1.2f32, 0.75f32, 5.0f32 / 3.0);
    let idf = ((3.0f32 - 1.0 + 0.5) / (1.0 + 0.5) + 1.0).ln();
    let norm = k1 * (1.0 - b + b * 3.0 / average);
    let expected = idf * 2.0 * (k1 + 1.0) / (2.0 + norm);
    let found = bm25.search(&["apple"], 10);
    assert_eq!(ids(&found), [0]);
    assert!(
        (found[0].1 - expected).abs() < 1e-5,
        "{} {expected}",
        found[0].1
    );
}

#[test]
fn rare_terms_count_more_and_frequent_ones_never_count_negative() {
    let bm25 = built(&[("the rare", "", &[]), ("the", "", &[]), ("the", "", &[])]);
    assert!(bm25.idf("rare") > bm25.idf("the") && bm25.idf("the") > 0.0);
    assert!(bm25.idf("nowhere") > bm25.idf("rare"));
    assert_eq!(bm25.document_frequency("the"), 3);
    assert_eq!(bm25.document_frequency("nowhere"), 0);
}

#[test]
fn impacts_times_rarity_are_the_scores_of_a_search() {
    let bm25 = built(&[
        ("calls send here and there", "a.py", &[]),
        ("def send body of it all send", "b.py", &["Session.send"]),
        ("nothing of that kind here", "send.py", &[]),
    ]);
    let impacts: std::collections::BTreeMap<&str, Vec<(ChunkId, f32)>> = bm25.impacts().collect();
    assert!(impacts.keys().copied().eq(bm25.terms()));
    for term in ["send", "here", "session"] {
        let mut scored = impacts[term].clone();
        for (_, score) in &mut scored {
            *score *= bm25.idf(term);
        }
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let found = bm25.search(&[term], 10);
        assert_eq!(ids(&scored), ids(&found), "{term}");
        for (a, b) in scored.iter().zip(&found) {
            assert!((a.1 - b.1).abs() < 1e-5, "{term}: {} {}", a.1, b.1);
        }
    }
}

#[test]
fn a_name_outweighs_a_mention_and_the_path_counts() {
    let bm25 = built(&[
        ("calls send here and there", "a.py", &[]),
        ("def send body of it all", "b.py", &["Session.send"]),
        ("nothing of that kind here", "send.py", &[]),
        ("unrelated words only here", "c.py", &[]),
    ]);
    let found = bm25.search(&["send"], 10);
    assert_eq!(found[0].0, ChunkId(1));
    assert_eq!(found.len(), 3);
}

#[test]
fn explained_parts_add_up_to_the_score() {
    let bm25 = built(&[
        ("send the request", "http/send.py", &["send"]),
        ("request", "b.py", &[]),
    ]);
    let tokens = ["send", "request", "request", "absent"];
    for (chunk, score) in bm25.search(&tokens, 10) {
        let parts = bm25.explain(&tokens, chunk);
        let sum: f32 = parts.iter().map(|part| part.score).sum();
        assert!((sum - score).abs() < 1e-5, "{chunk:?}: {sum} {score}");
        for part in parts {
            assert!(
                (part.fields.iter().sum::<f32>() - part.score).abs() < 1e-5,
                "{part:?}"
            );
            assert_ne!(part.term, "absent");
        }
    }
    assert!(bm25.explain(&tokens, ChunkId(9)).is_empty());
}

#[test]
fn equal_scores_come_in_order_of_their_ids() {
    let bm25 = built(&[
        ("x", "", &[]),
        ("y", "", &[]),
        ("x", "", &[]),
        ("x", "", &[]),
    ]);
    assert_eq!(ids(&bm25.search(&["x"], 10)), [0, 2, 3]);
    assert_eq!(ids(&bm25.search(&["x"], 2)), [0, 2]);
    assert!(bm25.search(&["x"], 0).is_empty());
}

#[test]
fn terms_that_are_out_of_order_are_damage() {
    let bytes = built(&[("aa bb", "", &[])]).to_bytes();
    let place = |term: &[u8]| bytes.windows(2).position(|word| word == term).unwrap();
    let (first, second) = (place(b"aa"), place(b"bb"));
    for (terms, expected) in [
        ([b"aa", b"bb"], None),
        ([b"bb", b"aa"], Some(BytesError::OutOfOrder)),
        ([b"aa", b"aa"], Some(BytesError::OutOfOrder)),
    ] {
        let mut changed = bytes.clone();
        changed[first..first + 2].copy_from_slice(terms[0]);
        changed[second..second + 2].copy_from_slice(terms[1]);
        assert_eq!(Bm25::from_bytes(&changed).err(), expected);
    }
}

#[test]
fn frequencies_above_255_are_capped_but_lengths_are_not() {
    let text = "word ".repeat(1_000);
    let bm25 = built(&[(&text, "", &[])]);
    assert_eq!(bm25.postings("word"), Some((&[0][..], &[[255, 0, 0]][..])));
    assert_eq!(bm25.lengths[0], [1_000, 0, 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn bytes_give_the_same_index_back(
        chunks in prop::collection::vec(("[a-fA-Fé_ ]{0,60}", "[a-c/]{0,8}", "[a-c]{0,3}"), 0..12),
        question in prop::collection::vec("[a-fé]{1,3}", 0..6),
    ) {
        let mut builder = Bm25::builder();
        for (body, path, name) in &chunks {
            builder.add(body, path, [name.as_str()]);
        }
        let bm25 = builder.finish();
        let read = Bm25::from_bytes(&bm25.to_bytes()).unwrap();
        prop_assert_eq!(read.search(&question, 5), bm25.search(&question, 5));
        prop_assert!(read.terms().eq(bm25.terms()));
        prop_assert_eq!(read.to_bytes(), bm25.to_bytes());
    }

    #[test]
    fn damaged_bytes_are_an_error_or_another_index_but_no_panic(
        at in 0usize..200,
        to in 0u8..=255,
        cut in 0usize..200,
    ) {
        let bytes = built(&[("send the request", "a/b.py", &["send"]), ("é ö", "c", &[])]).to_bytes();
        let mut changed = bytes.clone();
        let place = at % changed.len();
        changed[place] = to;
        if let Ok(index) = Bm25::from_bytes(&changed) {
            index.search(&["send", "request"], 3);
        }
        let cut = cut % bytes.len();
        prop_assert!(Bm25::from_bytes(&bytes[..cut]).is_err(), "cut at {}", cut);
    }
}
