//! Judges with a known bias: the figures and the sentence reveal each of them.

use super::*;
use crate::random::Random;

/// One pair, and the truth about it.
#[derive(Clone)]
struct Truth {
    id: String,
    better: Preference,
    lengths: [usize; 2],
}

/// `n` pairs. Side one is better in six of ten, independent of the lengths, and longer in eight of
/// ten.
fn truths(n: usize) -> Vec<Truth> {
    let mut random = Random::new(11);
    let truth = |n: usize| Truth {
        id: format!("q{n}"),
        better: [Preference::Two, Preference::One][usize::from(n % 10 < 6)],
        lengths: {
            let (short, more) = (200 + random.below(300), 50 + random.below(400));
            let is_longer = random.below(10) < 8;
            [[short, short + more], [short + more, short]][usize::from(is_longer)]
        },
    };
    (0..n).map(truth).collect()
}

/// The records of a judge that gives the verdict `says` for a pair in an order.
fn judged(
    truths: &[Truth],
    mut says: impl FnMut(&Truth, Side, &mut Random) -> Result<Verdict, String>,
) -> Vec<Record> {
    let mut random = Random::new(3);
    let mut records = Vec::new();
    for truth in truths {
        for first in Side::BOTH {
            for repetition in 0..REPETITIONS {
                records.push(Record {
                    id: format!("{} {first:?} {repetition}", truth.id),
                    pair: truth.id.clone(),
                    first,
                    repetition,
                    verdict: says(truth, first, &mut random),
                    lengths: truth.lengths,
                });
            }
        }
    }
    records
}

/// The verdict for a side, in an order.
fn verdict_for(preference: Preference, first: Side) -> Verdict {
    let is_it = |verdict: &Verdict| Preference::new(*verdict, first) == preference;
    let verdicts = [Verdict::First, Verdict::Second, Verdict::Tie];
    verdicts.into_iter().find(is_it).unwrap()
}

fn longer(truth: &Truth) -> Preference {
    match truth.lengths {
        [one, two] if one > two => Preference::One,
        _ => Preference::Two,
    }
}

fn own_ratings(truths: &[Truth]) -> Ratings {
    truths
        .iter()
        .map(|truth| (truth.id.clone(), truth.better))
        .collect()
}

fn report(records: &[Record], ratings: &Ratings) -> Report {
    let side = |name: &str, model: &str| Answerer {
        name: name.to_owned(),
        model: Some(model.to_owned()),
    };
    Report::new(&Comparison {
        judge: &Judge::new("gpt-4o", Some(0.7)),
        sides: &[side("Footnote", "qwen3:4b"), side("Grounded", "llama3.1")],
        planned: records.len(),
        records,
        ratings,
    })
}

fn says(report: &Report, standing: Standing, words: &[&str]) {
    let Conclusion {
        standing: found,
        sentence,
    } = &report.conclusion;
    assert_eq!(*found, standing, "{sentence}");
    for word in words {
        assert!(sentence.contains(word), "{sentence:?} lacks {word:?}");
    }
}

#[test]
fn a_judge_that_always_picks_the_first_is_unmasked() {
    let first = judged(&truths(60), |_, _, _| Ok(Verdict::First));
    let report_first = report(&first, &Ratings::new());
    assert_eq!(report_first.order.first_rate.unwrap().value, 1.0);
    assert_eq!(report_first.order.consistency.unwrap().value, 0.0);
    assert_eq!(report_first.order.repeats.unwrap().value, 1.0);
    assert_eq!(report_first.outcomes, [0, 60, 0]);
    says(
        &report_first,
        Standing::Unusable,
        &["stands first in 100 % of cases"],
    );

    let second = judged(&truths(60), |_, _, random| match random.below(10) {
        0 => Ok(Verdict::First),
        _ => Ok(Verdict::Second),
    });
    let report_second = report(&second, &own_ratings(&truths(60)));
    says(&report_second, Standing::Unusable, &["stands second in 9"]);
}

#[test]
fn a_judge_that_always_picks_the_longer_is_unmasked() {
    let records = judged(&truths(100), |truth, first, _| {
        Ok(verdict_for(longer(truth), first))
    });
    let report_longer = report(&records, &Ratings::new());
    assert_eq!(report_longer.order.consistency.unwrap().value, 1.0);
    assert_eq!(report_longer.order.first_rate.unwrap().value, 0.5);
    assert_eq!(report_longer.length.longer_rate.unwrap().value, 1.0);
    assert!(report_longer.win_rate.unwrap().interval.low > 0.6);
    let reason = report_longer.length.reason.as_deref().unwrap();
    assert!(
        reason.contains("the difference in length decides"),
        "{reason}"
    );
    says(
        &report_longer,
        Standing::Unusable,
        &["picks the longer answer in 100 % of cases"],
    );
    // The user's ratings do not depend on lengths, so they reveal it too.
    let rated = report(&records, &own_ratings(&truths(100)));
    assert!(rated.own.kappa.unwrap().holds(0.0), "{:?}", rated.own.kappa);
    says(
        &rated,
        Standing::Unusable,
        &["100 of your own ratings", "chance (κ "],
    );
}

#[test]
fn a_judge_that_always_picks_the_shorter_is_unmasked() {
    let records = judged(&truths(100), |truth, first, _| {
        let shorter = match longer(truth) {
            Preference::One => Preference::Two,
            _ => Preference::One,
        };
        Ok(verdict_for(shorter, first))
    });
    let report = report(&records, &Ratings::new());
    says(
        &report,
        Standing::Unusable,
        &["picks the shorter answer in 100 % of cases"],
    );
}

#[test]
fn a_judge_that_only_leans_to_length_loses_its_winner_at_equal_length() {
    let records = judged(&truths(150), |truth, first, random| {
        let preference = match random.below(100) {
            0..45 => longer(truth),
            n => [Preference::One, Preference::Two][n % 2],
        };
        Ok(verdict_for(preference, first))
    });
    let report = report(&records, &Ratings::new());
    assert!(report.win_rate.unwrap().interval.low > 0.5);
    says(
        &report,
        Standing::NoDifference,
        &["prefers Footnote", "length alone may explain"],
    );
    let lean = |warning: &String| warning.contains("leans towards the longer");
    assert!(report.warnings.iter().any(lean), "{:?}", report.warnings);
}

#[test]
fn a_coin_is_unmasked() {
    let records = judged(&truths(80), |_, _, random| {
        Ok([Verdict::First, Verdict::Second][random.below(2)])
    });
    let report = report(&records, &Ratings::new());
    assert!(report.order.consistency.unwrap().holds(0.5));
    assert!(report.order.first_rate.unwrap().holds(0.5));
    assert!(report.order.repeats.unwrap().holds(0.5));
    assert!(report.order.kappa.unwrap().holds(0.0));
    says(
        &report,
        Standing::Unusable,
        &["contradicts itself", "chance"],
    );
}

#[test]
fn a_perfect_judge_is_believed_as_far_as_own_ratings_reach() {
    let truths = truths(200);
    let records = judged(&truths, |truth, first, _| {
        Ok(verdict_for(truth.better, first))
    });
    let unrated = report(&records, &own_ratings(&truths[..18]));
    assert_eq!(unrated.outcomes, [120, 0, 80]);
    assert_eq!(unrated.win_rate.unwrap().value, 0.6);
    assert_eq!(unrated.order.consistency.unwrap().value, 1.0);
    assert_eq!(unrated.order.first_rate.unwrap().value, 0.5);
    assert!(unrated.length.longer_rate.unwrap().holds(0.5));
    assert!(unrated.own.corrected.is_err());
    let words = [
        "prefers Footnote",
        ".60",
        "not known whether the judge is right: 12 more ratings of your own",
    ];
    says(&unrated, Standing::PrefersOne, &words);

    let rated = report(&records, &own_ratings(&truths[..100]));
    assert_eq!(rated.own.kappa.unwrap().value, 1.0);
    assert_eq!(rated.own.sensitivity.unwrap().value, 1.0);
    assert_eq!(rated.own.specificity.unwrap().value, 1.0);
    assert!((rated.own.corrected.unwrap().value - 0.6).abs() < 1e-12);
    says(
        &rated,
        Standing::OneBetter,
        &["Footnote is better", "100 of your own ratings", ".60"],
    );
}

#[test]
fn the_other_side_wins_under_its_own_name() {
    let mut truths = truths(200);
    for truth in &mut truths {
        truth.better = match truth.better {
            Preference::One => Preference::Two,
            _ => Preference::One,
        };
    }
    let records = judged(&truths, |truth, first, _| {
        Ok(verdict_for(truth.better, first))
    });
    let unrated = report(&records, &Ratings::new());
    says(
        &unrated,
        Standing::PrefersTwo,
        &["prefers Grounded", "is .60", "30 more"],
    );
    let rated = report(&records, &own_ratings(&truths));
    says(
        &rated,
        Standing::TwoBetter,
        &["Grounded is better", "is .60"],
    );
}

#[test]
fn no_more_is_claimed_than_the_interval_allows() {
    let truths = truths(40);
    let records = judged(&truths, |truth, first, _| {
        Ok(verdict_for(truth.better, first))
    });
    let unrated = report(&records, &Ratings::new());
    assert!(unrated.win_rate.unwrap().holds(0.5));
    says(
        &unrated,
        Standing::NoDifference,
        &["No difference can be seen", "contains .5"],
    );
    let rated = report(&records, &own_ratings(&truths));
    let words = [
        "No difference can be seen",
        "corrected by 40 of your own ratings",
        "contains .5",
    ];
    says(&rated, Standing::NoDifference, &words);
}

#[test]
fn a_judge_that_never_decides_is_unmasked() {
    for verdict in [Verdict::Tie, Verdict::BothBad] {
        let records = judged(&truths(60), |_, _, _| Ok(verdict));
        let report = report(&records, &Ratings::new());
        let win_rate = report.win_rate.unwrap();
        assert!(
            win_rate.interval.low < 0.4 && win_rate.interval.high > 0.6,
            "{win_rate:?}"
        );
        assert_eq!(
            (report.outcomes, report.order.first_rate),
            ([0, 60, 0], None)
        );
        says(&report, Standing::Unusable, &["decides nothing", "100 %"]);
    }
}

#[test]
fn a_judge_that_cannot_be_read_is_unmasked() {
    let unreadable = |share: usize| {
        judged(&truths(60), move |truth, first, random| {
            match random.below(100) < share {
                true => parse_verdict("It depends.").map_err(|failure| failure.to_string()),
                false => Ok(verdict_for(truth.better, first)),
            }
        })
    };
    let often = report(&unreadable(40), &Ratings::new());
    assert!(often.failure_rate() > 0.3, "{}", often.failure_rate());
    assert_eq!(often.failures.len(), 1);
    says(&often, Standing::Unusable, &["of 360) could not be read"]);
    let always = report(&unreadable(100), &Ratings::new());
    assert_eq!((always.n_complete, always.win_rate), (0, None));
    says(
        &always,
        Standing::Unusable,
        &["100 % of its outputs (360 of 360)"],
    );
    let seldom = report(&unreadable(6), &Ratings::new());
    let warns = |warning: &String| warning.contains("could not be read");
    assert!(seldom.warnings.iter().any(warns), "{:?}", seldom.warnings);
    assert_ne!(seldom.conclusion.standing, Standing::Unusable);
}

#[test]
fn a_biased_judge_with_own_ratings_is_corrected_and_not_condemned() {
    // It takes two for one in four of ten pairs: it says .76 where .60 is true.
    let truths = truths(300);
    let records = judged(&truths, |truth, first, _| {
        let n: usize = truth.id[1..].parse().unwrap();
        let is_wrong = truth.better == Preference::Two && n / 10 % 10 < 4;
        let preference = if is_wrong {
            Preference::One
        } else {
            truth.better
        };
        Ok(verdict_for(preference, first))
    });
    let report = report(&records, &own_ratings(&truths[..100]));
    let (raw, corrected) = (report.win_rate.unwrap(), report.own.corrected.unwrap());
    assert!(
        (raw.value - 0.76).abs() < 1e-9 && !raw.holds(0.6),
        "{raw:?}"
    );
    assert!(
        (corrected.value - 0.6).abs() < 1e-9 && corrected.holds(0.6),
        "{corrected:?}"
    );
    assert!(
        corrected.interval.high - corrected.interval.low > raw.interval.high - raw.interval.low
    );
}

#[test]
fn few_pairs_and_none_conclude_nothing() {
    let truths = truths(19);
    let records = judged(&truths, |truth, first, _| {
        Ok(verdict_for(truth.better, first))
    });
    let few = report(&records, &Ratings::new());
    says(&few, Standing::TooFew, &["19 pairs have", "at least 20"]);
    let none = report(&[], &Ratings::new());
    says(&none, Standing::TooFew, &["0 pairs"]);
    assert!(none.to_json()["win_rate"].is_null());
    assert!(none.warnings.is_empty(), "{:?}", none.warnings);
}

#[test]
fn the_order_of_the_records_changes_nothing() {
    let truths = truths(50);
    let mut records = judged(&truths, |truth, first, random| match random.below(10) {
        0 => Err("the output is empty".to_owned()),
        1 => Ok(Verdict::First),
        2 => Ok(Verdict::BothBad),
        _ => Ok(verdict_for(truth.better, first)),
    });
    let ratings = own_ratings(&truths[..35]);
    let before = report(&records, &ratings);
    for seed in 0..3 {
        Random::new(seed).shuffle(&mut records);
        assert_eq!(report(&records, &ratings), before);
    }
}

#[test]
fn the_report_warns_of_relatives_and_gaps() {
    let records = judged(&truths(30), |truth, first, _| {
        Ok(verdict_for(truth.better, first))
    });
    let side = |model: Option<&str>| Answerer {
        name: "Footnote".to_owned(),
        model: model.map(str::to_owned),
    };
    let warnings = |model: Option<&str>, other: Option<&str>, records: &[Record]| {
        let report = Report::new(&Comparison {
            judge: &Judge::new("openai/gpt-4o", Some(0.0)),
            sides: &[side(model), side(other)],
            planned: 180,
            records,
            ratings: &Ratings::new(),
        });
        report.warnings.join("\n")
    };
    let own_kind = warnings(Some("gpt-4o-mini"), None, &records);
    assert!(own_kind.contains("the same family (gpt)") && own_kind.contains("behind Footnote"));
    let both = warnings(Some("gpt-4o-mini"), Some("o3"), &records);
    assert!(both.contains("as the models it judges"), "{both}");
    assert!(own_kind.contains("temperature 0"), "{own_kind}");
    assert!(!warnings(Some("qwen3"), None, &records).contains("family"));
    let gap = warnings(None, None, &records[..177]);
    assert!(
        gap.contains("3 of 180 planned") && gap.contains("1 of 30 pairs"),
        "{gap}"
    );
}

#[test]
fn the_report_has_the_promised_keys_and_no_number_that_json_cannot_write() {
    let truths = truths(60);
    let records = judged(&truths, |truth, first, _| {
        Ok(verdict_for(truth.better, first))
    });
    let json = report(&records, &own_ratings(&truths)).to_json();
    let plain = "judge temperature prompt_hash sides standing conclusion warnings n_planned \
        n_requests n_missing n_failures failure_rate failures verdicts n_pairs \
        n_complete_pairs wins \
        draws losses n_longer n_equal_length n_shorter n_own_ratings";
    for key in plain.split_whitespace() {
        assert!(!json[key].is_null(), "{key}");
    }
    let estimates = "win_share draw_share loss_share win_rate order_consistency order_kappa \
        first_position_rate repeat_consistency longer_rate length_controlled_win_rate own_kappa \
        sensitivity specificity corrected_win_rate";
    for key in estimates.split_whitespace() {
        let interval = &json[format!("{key}_ci95")];
        let [low, value, high] =
            [&interval[0], &json[key], &interval[1]].map(|v| v.as_f64().unwrap());
        assert!(low <= value && value <= high, "{key}: {low} {value} {high}");
    }
    assert!(json["no_corrected_win_rate"].is_null() && json["no_length_control"].is_null());
    let empty = report(&[], &Ratings::new()).to_json();
    let keys = |json: &serde_json::Value| {
        json.as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(&json), keys(&empty));
}
