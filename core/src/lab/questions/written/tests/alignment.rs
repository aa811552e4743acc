//! Explanation, pair, grade.

use super::*;

const EXPLANATION: &str =
    "The class Store of src/app/store.py keeps values by their keys. Line 11 writes one.";

/// The stage of the request: an explanation, a pair or a grade.
fn stage(ask: &Ask) -> &'static str {
    match ask
        .chat
        .system
        .split(' ')
        .take(2)
        .collect::<Vec<_>>()
        .join(" ")
        .as_str()
    {
        "You teach" => "explanation",
        "You write" => "pair",
        "You grade" => "grade",
        other => panic!("{other}"),
    }
}

/// The path, first line and last line that are shown.
fn shown(ask: &Ask) -> (String, u32, u32) {
    let said = said(ask);
    let said = said.split("About the").last().unwrap();
    let place = said.split('[').nth(1).unwrap().split(']').next().unwrap();
    let (path, lines) = place.rsplit_once(':').unwrap();
    let (start, end) = lines.split_once('-').unwrap();
    (
        path.to_owned(),
        start.parse().unwrap(),
        end.parse().unwrap(),
    )
}

/// A line of the repository.
fn row(path: &str, at: u32) -> &'static str {
    let (_, text) = FILES.iter().find(|(it, _)| *it == path).unwrap();
    text.lines().nth(at as usize - 1).unwrap()
}

/// A good pair about the lines shown; `n` makes its question distinct.
fn pair(ask: &Ask, n: usize) -> serde_json::Value {
    let (path, start, _) = shown(ask);
    let quote = row(&path, start);
    let name = path.rsplit('/').next().unwrap();
    let said = said(ask);
    let absent = said
        .split("imports `")
        .nth(1)
        .map(|it| it.split('`').next().unwrap().to_owned());
    let (about, answer) = match absent {
        Some(library) => (
            format!("does it import {library}?"),
            format!(
                "No. It imports other things: `{}` [{path}:{start}-{start}].",
                quote.trim()
            ),
        ),
        None => (
            nth(n),
            format!(
                "It stands there: `{}` [{path}:{start}-{start}].",
                quote.trim()
            ),
        ),
    };
    json!({
        "question": format!("In {name}, {about}"),
        "answer": answer,
        "lines": [start, start],
        "quote": quote,
    })
}

fn good(n: &mut usize) -> impl FnMut(&Ask) -> String {
    move |ask| match stage(ask) {
        "explanation" => EXPLANATION.to_owned(),
        "grade" => "Clear.\nScore: 5".to_owned(),
        _ => {
            *n += 1;
            pair(ask, *n).to_string()
        }
    }
}

#[test]
fn a_chunk_is_explained_asked_about_and_graded() {
    let mut writing = writing(&FILES, order(&["alignment"]));
    let asks = run(&mut writing, good(&mut 0));
    let made = writing.made();
    check(&made);
    let stages: Vec<&str> = asks.iter().take(3).map(stage).collect();
    assert_eq!(
        stages,
        ["explanation", "pair", "grade"],
        "the first chunk is code"
    );
    let explained = said(&asks[1]);
    assert!(
        explained.contains("keeps values by their keys. Line 11"),
        "{explained}"
    );
    for (ask, temperature) in asks.iter().take(3).zip([0.7, 0.7, 0.0]) {
        assert_eq!(ask.chat.sampling.temperature, temperature);
    }
    let dropped = &made.counts[0].dropped;
    assert!(
        dropped
            .keys()
            .all(|why| why.contains("the set already has")),
        "{dropped:?}"
    );
    for about in ["semantics", "dependencies", "meta-information"] {
        let is_about = |item: &&Item| item.source.as_deref().unwrap().contains(about);
        let item = made
            .items
            .iter()
            .find(is_about)
            .unwrap_or_else(|| panic!("{about}: {made:#?}"));
        assert_eq!(item.category.as_deref(), Some("alignment"));
        let span = &item.gold_spans[0];
        assert_eq!(item.gold_files, std::slice::from_ref(&span.file));
        let answer = item.reference_answer.as_deref().unwrap();
        assert!(
            answer.contains(row(&span.file, span.start).trim()),
            "{answer}"
        );
    }
    let is_no = |item: &&Item| item.reference_answer.as_deref().unwrap().starts_with("No.");
    assert!(made.items.iter().any(|item| is_no(&item)), "{made:#?}");
    let tables: Vec<String> = asks
        .iter()
        .map(said)
        .filter(|it| it.contains("The table:"))
        .collect();
    assert!(
        tables
            .iter()
            .any(|it| it.contains("| library import | httpx | all of it |"))
    );
    assert!(
        tables
            .iter()
            .any(|it| it.contains("| import from a file | src/app/store.py | Store | class"))
    );
}

#[test]
fn a_pair_is_checked_against_the_repository() {
    let change = |key: &'static str, value: serde_json::Value| {
        move |pair: &mut serde_json::Value| pair[key] = value.clone()
    };
    type Change = Box<dyn Fn(&mut serde_json::Value)>;
    let cases: Vec<(Change, &str)> = vec![
        (
            Box::new(change("question", json!("What does it do here, and why?"))),
            "the question does not name its file",
        ),
        (
            Box::new(change("lines", json!([9_000, 9_001]))),
            "its lines do not exist",
        ),
        (
            Box::new(change("lines", json!("none"))),
            "it names no lines",
        ),
        (
            Box::new(change("lines", json!([1, 1]))),
            "its lines were not shown",
        ),
        (
            Box::new(change("quote", json!("import antigravity"))),
            "its quote is not in its lines",
        ),
        (Box::new(change("quote", json!(""))), "it quotes no code"),
        (
            Box::new(change("answer", json!("It stands there, as you see."))),
            "its answer cites no lines",
        ),
        (
            Box::new(change(
                "answer",
                json!("It calls `explode_now` [src/app/store.py:11-14]."),
            )),
            "a citation of its answer is wrong",
        ),
        (
            Box::new(change(
                "answer",
                json!("It stands there [src/app/gone.py:1-2]."),
            )),
            "a citation of its answer is wrong",
        ),
    ];
    for (change, why) in cases {
        let mut writing = writing(&FILES[..1], order(&["alignment"]));
        let asks = run(&mut writing, |ask| match stage(ask) {
            "pair" => {
                let mut pair = pair(ask, 1);
                change(&mut pair);
                pair.to_string()
            }
            "explanation" => EXPLANATION.to_owned(),
            _ => "Score: 5".to_owned(),
        });
        let made = writing.made();
        check(&made);
        let dropped = count(&made, "alignment").dropped;
        assert!(dropped.contains_key(why), "{why}: {dropped:?}");
        if why != "its lines were not shown" {
            assert!(asks.iter().all(|ask| stage(ask) != "grade"), "{why}");
        }
    }
}

#[test]
fn white_space_and_line_numbers_do_not_matter_in_a_quotation() {
    let mut writing = writing(&FILES[..1], order(&["alignment"]));
    let asks = run(&mut writing, |ask| match stage(ask) {
        "pair" => {
            let mut pair = pair(ask, said(ask).len());
            let (path, start, end) = shown(ask);
            let rows: Vec<String> = (start..=end)
                .map(|at| format!("{at}|  {}", row(&path, at)))
                .collect();
            pair["lines"] = json!(format!("{start}-{end}"));
            pair["quote"] = json!(rows.join("\n").replace("    ", "\t"));
            pair.to_string()
        }
        "explanation" => EXPLANATION.to_owned(),
        _ => "Score: 5".to_owned(),
    });
    assert!(asks.iter().any(|ask| stage(ask) == "grade"));
    assert!(!writing.made().items.is_empty());
}

#[test]
fn pairs_that_the_model_grades_below_four_are_dropped() {
    for (grade, why) in [
        ("Score: 3", "the model itself grades it below 4"),
        ("Very good!", "the model gave it no grade"),
    ] {
        let mut writing = writing(&FILES, order(&["alignment"]));
        let mut n = 0;
        let mut good = good(&mut n);
        let asks = run(&mut writing, |ask| match stage(ask) {
            "grade" => grade.to_owned(),
            _ => good(ask),
        });
        let made = writing.made();
        check(&made);
        let count = count(&made, "alignment");
        assert_eq!(
            (count.kept, count.dropped.get(why)),
            (0, Some(&3)),
            "{count:?}"
        );
        assert_eq!(count.rests, Some("its last 3 attempts gave nothing new"));
        assert!(asks.len() <= 12);
    }
}

#[test]
fn later_pairs_are_written_with_kept_ones_as_examples_in_a_second_round_too() {
    let mut writing = writing(&FILES, order(&["alignment"]));
    let asks = run(&mut writing, good(&mut 0));
    let pairs: Vec<String> = asks
        .iter()
        .filter(|ask| stage(ask) == "pair")
        .map(said)
        .collect();
    let with = |text: &&String| text.contains("Good pairs about this repository");
    let first = pairs.iter().position(|it| with(&it)).unwrap();
    assert_eq!(first, 3, "after three kept pairs");
    assert!(pairs[first..].iter().all(|it| with(&it)));
    assert_eq!(
        pairs[first]
            .split("About the lines")
            .next()
            .unwrap()
            .matches("Answer: ")
            .count(),
        2
    );
    let units = super::super::alignment::plan(&super::super::desk::Desk::new(
        Arc::new(index(&FILES)),
        &order(&[]),
    ));
    assert_eq!(pairs.len(), units.len());

    // Without three good pairs there is no second round.
    let mut bad = super::writing(&FILES[2..3], order(&["alignment"]));
    let asks = run(&mut bad, good(&mut 0));
    assert!(asks.iter().filter(|ask| stage(ask) == "pair").count() < 4);
}

#[test]
fn an_explanation_of_nothing_is_asked_for_once_more() {
    let mut writing = writing(&FILES, order(&["alignment"]));
    writing.request("m").unwrap();
    writing.answer(reply("No."));
    let again = writing.request("m").unwrap();
    assert!(said(&again).contains("cannot be used: it explains nothing"));
    writing.answer(reply("No."));
    assert_eq!(
        writing.counts()[0].failed.get("it explains nothing"),
        Some(&1)
    );
}
