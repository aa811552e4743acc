//! An answer that arrives in pieces → the same review as for the whole answer. The input is text
//! with [`CUT`](crate::target::CUT)s.

use footnote_core::answer::review::{Progress, Review, Reviewer};
use footnote_core::cite::Evidence;

use crate::mutate::Rng;
use crate::sample::INDEX;
use crate::target::{Target, cut, pieces};
use crate::text;

pub const TARGET: Target = Target {
    name: "review",
    make,
    check,
};

fn make(rng: &mut Rng) -> Vec<u8> {
    let text = text::odd(rng);
    cut(rng, text.as_bytes())
}

fn check(input: &[u8]) {
    let (bytes, cuts) = pieces(input);
    let text = String::from_utf8_lossy(&bytes);
    let everything = Evidence::everything();
    for end in [Progress::Finished, Progress::Cut] {
        let whole = Reviewer::new()
            .advance(&INDEX, &everything, &text, end)
            .clone();
        for cuts in [cuts.clone(), (0..text.len()).collect()] {
            let mut reviewer = Reviewer::new();
            let mut seen = Review::default();
            for cut in cuts {
                let part = &text[..text.floor_char_boundary(cut)];
                let review = reviewer.advance(&INDEX, &everything, part, Progress::Growing);
                assert!(stays(&seen, review), "what was said stays, {end:?}");
                seen = review.clone();
            }
            let review = reviewer.advance(&INDEX, &everything, &text, end);
            assert!(
                stays(&seen, review),
                "what was said stays at the end, {end:?}"
            );
            assert_eq!(review, &whole, "in pieces, and whole, {end:?}");
        }
        for note in &whole.notes {
            let claim = note.claim.as_ref();
            assert!(claim.is_none_or(|it| text.get(it.at.clone()) == Some(it.raw.as_str())));
        }
        let places: Vec<_> = whole.statements.iter().map(|it| it.at.clone()).collect();
        assert!(places.is_sorted_by(|a, b| a.end <= b.start), "{places:?}");
    }
}

/// Whether `now` only adds to `before`.
fn stays(before: &Review, now: &Review) -> bool {
    now.statements.starts_with(&before.statements) && now.notes.starts_with(&before.notes)
}

#[test]
fn a_stream_shows_what_the_whole_text_shows() {
    crate::run::test(&TARGET, 400);
}
