//! Budgets, pauses, caches, duplicates, turns.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::embed::table::tests::encoder;
use crate::index::TableJob;
use crate::job::run_to_end;

/// A model that writes two questions about some of the files shown, but prose if asked for a pair.
fn model(n: &mut usize) -> impl FnMut(&Ask) -> String {
    move |ask| {
        let shown = said(ask);
        let there = FILES
            .iter()
            .map(|(path, _)| *path)
            .filter(|path| shown.contains(path));
        let there: Vec<&str> = there.take(2).collect();
        *n += 2;
        questions(&[(&nth(*n), &there), (&nth(*n + 1), &there)])
    }
}

#[test]
fn a_run_ends_with_as_many_as_were_wanted_from_all_strategies() {
    let mut writing = writing(
        &FILES,
        WrittenOrder {
            count: 10,
            ..order(&[])
        },
    );
    run(&mut writing, model(&mut 0));
    let made = writing.made();
    check(&made);
    assert_eq!((made.items.len(), made.short), (10, None));
    let given = made.counts.iter().filter(|it| it.kept > 0).count();
    assert_eq!(given, 5, "two of each reply, ten in all");
    assert_eq!(writing.request("m"), None);
}

#[test]
fn a_run_that_is_fed_from_a_cache_comes_to_the_same_at_no_cost() {
    let order = || WrittenOrder {
        count: 12,
        seed: 3,
        ..order(&[])
    };
    let mut cache: BTreeMap<String, String> = BTreeMap::new();
    let mut first = writing(&FILES, order());
    let mut n = 0;
    let mut real = model(&mut n);
    for _ in 0..4 {
        let ask = first.request("m").unwrap();
        let text = real(&ask);
        first.answer(reply(&text));
        cache.insert(ask.key, text);
    }
    let paused = first.made();
    check(&paused);
    assert!(paused.short.unwrap().contains("has not finished"));

    // After a reload.
    let mut second = writing(&FILES, order());
    for _ in 0..4 {
        let ask = second.request("m").unwrap();
        let text = &cache[&ask.key];
        second.answer(Reply {
            from_cache: true,
            ..reply(text)
        });
    }
    assert_eq!(second.spent(), Spent::default());
    assert_eq!(second.made().items, paused.items);
    assert_eq!(second.made().counts, paused.counts);
    assert_eq!(second.request("m"), first.request("m"));
    assert_ne!(
        second.request("other").unwrap().key,
        first.request("m").unwrap().key
    );
}

#[test]
fn another_seed_asks_in_another_order() {
    let first = |seed| {
        let mut writing = writing(
            &FILES,
            WrittenOrder {
                seed,
                ..order(&["s1"])
            },
        );
        let keys = run(&mut writing, model(&mut 0))
            .into_iter()
            .map(|it| it.key);
        keys.collect::<Vec<_>>()
    };
    assert_eq!(first(1), first(1));
    assert!((2..9).any(|seed| first(seed) != first(1)));
}

#[test]
fn near_duplicates_are_folded_by_the_static_encoder() {
    let index = Arc::new(index(&FILES));
    let Ok(table) = run_to_end(TableJob::new(index.clone(), Arc::new(encoder())));
    index.set_table(table);
    let mut writing = Writing::new(index, order(&["s2"]));
    writing.request("m").unwrap();
    let (store, retry) = (["src/app/store.py"], ["src/net/retry.py"]);
    writing.answer(reply(&questions(&[
        ("How are values written under their key?", &store),
        ("Under their key, how are values written?", &store),
        ("How ARE values written, under their key", &store),
        ("How are values written under their key ?", &retry),
        ("What happens when a call fails and is tried again?", &retry),
    ])));
    let made = writing.made();
    check(&made);
    assert_eq!(made.items.len(), 2, "{:#?}", made.items);
    let dropped = count(&made, "s2").dropped;
    assert_eq!(
        dropped.get("the set already has the same question"),
        Some(&2)
    );
    assert_eq!(
        dropped.get("the set already has nearly the same question"),
        Some(&1)
    );
}

#[test]
fn more_than_were_wanted_are_balanced() {
    let mut writing = writing(
        &FILES,
        WrittenOrder {
            count: 3,
            ..order(&["s2", "s3"])
        },
    );
    let (store, retry) = (["src/app/store.py"], ["src/net/retry.py"]);
    for at in 0..2 {
        writing.request("m").unwrap();
        let all: Vec<String> = (0..5).map(|n| nth(10 * at + n)).collect();
        let all: Vec<(&str, &[&str])> = all
            .iter()
            .enumerate()
            .map(|(n, it)| (it.as_str(), if n < 4 { &store[..] } else { &retry[..] }))
            .collect();
        writing.answer(reply(&questions(&all[..if at == 0 { 2 } else { 5 }])));
    }
    let made = writing.made();
    check(&made);
    assert_eq!(made.items.len(), 3);
    let of_second: Vec<_> = made
        .items
        .iter()
        .filter(|it| it.category.as_deref() == Some("s3"))
        .collect();
    assert!(!of_second.is_empty() && of_second.len() < 3);
    let files: std::collections::BTreeSet<_> =
        made.items.iter().flat_map(|it| &it.gold_files).collect();
    assert_eq!(
        files.len(),
        2,
        "the one question of the other folder is among them"
    );
}

#[test]
fn an_estimate_grows_with_the_wanted_count_up_to_what_there_is() {
    let estimate = |count| {
        writing(
            &FILES,
            WrittenOrder {
                count,
                ..order(&[])
            },
        )
        .estimate()
    };
    let (few, many, all) = (estimate(4), estimate(20), estimate(100_000));
    assert!(few.requests >= 4 && few.requests < many.requests);
    assert!(few.prompt_tokens > 300 * u64::from(few.requests) && few.answer_tokens > 0);
    assert!(
        many.requests <= all.requests && all.requests < 200,
        "{all:?}"
    );
    assert_eq!(estimate(0), Estimate::default());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_budget_is_ever_exceeded(
        requests in 0u32..25,
        tokens in 0u64..60_000,
        answers in proptest::collection::vec((0u32..400, 0u8..4), 1..9),
    ) {
        let order = WrittenOrder { budget: Budget { requests, tokens }, ..order(&[]) };
        let mut writing = writing(&FILES, order);
        let (mut n, mut real) = (0, 0);
        let mut model = model(&mut real);
        while let Some(ask) = writing.request("m") {
            let (answer_tokens, what) = answers[n % answers.len()];
            n += 1;
            let text = model(&ask);
            match what {
                0 => writing.fail("no"),
                1 => writing.answer(reply("prose")),
                _ => writing.answer(Reply {
                    answer_tokens: Some(answer_tokens),
                    from_cache: what == 3,
                    ..reply(&text)
                }),
            }
            prop_assert!(n < 200);
        }
        let spent = writing.spent();
        prop_assert!(n as u32 <= requests && spent.requests <= requests);
        prop_assert!(spent.prompt_tokens + spent.answer_tokens <= tokens);
        let made = writing.made();
        check(&made);
        prop_assert_eq!(made.short.is_some(), made.items.len() < 100);
    }
}
