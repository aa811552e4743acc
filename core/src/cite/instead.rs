//! What the cited lines say instead of what a sentence claims.

use super::attributed::{Item, Need, squeezed_text};
use super::held::numbers;

/// Longest line that is shown, in characters.
const MOST_SHOWN: usize = 160;
/// Maximum number of numbers that are shown.
const MOST_NUMBERS: usize = 5;
/// Share of a quotation's words that a line must contain to be what was meant.
const ENOUGH: f32 = 0.5;

/// Returns a sentence about what `text` has instead of a quotation or a number; `None` for names.
pub(super) fn instead(text: &str, item: &Item) -> Option<String> {
    match &item.need {
        Need::Quote(pieces) => Some(match closest(text, pieces) {
            Some(line) => format!("The lines say “{line}”."),
            None => "The lines say nothing like it.".to_owned(),
        }),
        Need::Number(_) => {
            let mut found: Vec<String> = numbers(text).map(|value| value.to_string()).collect();
            found.dedup();
            found.truncate(MOST_NUMBERS);
            Some(match found.is_empty() {
                true => format!("The lines contain no number, so not {} either.", item.shown),
                false => format!("The lines have {}, not {}.", found.join(", "), item.shown),
            })
        }
        Need::Words { .. } | Need::File(_) => None,
    }
}

/// Returns the line that shares most words with a quotation.
fn closest(text: &str, pieces: &[String]) -> Option<String> {
    let wanted: Vec<&str> = pieces.iter().flat_map(|piece| piece.split(' ')).collect();
    let shared = |line: &str| {
        let line = squeezed_text(line);
        let words: Vec<&str> = line.split(' ').collect();
        wanted.iter().filter(|word| words.contains(word)).count()
    };
    let best = text.lines().max_by_key(|line| shared(line))?;
    let is_like = shared(best) as f32 >= ENOUGH * wanted.len() as f32;
    is_like.then(|| {
        let line = best.trim();
        match line.chars().count() > MOST_SHOWN {
            true => line.chars().take(MOST_SHOWN).chain(['…']).collect(),
            false => line.to_owned(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(shown: &str, need: Need) -> Item {
        Item {
            shown: shown.to_owned(),
            at: 0..0,
            need,
            known: Vec::new(),
            is_context: false,
            is_doubtful: false,
        }
    }

    #[test]
    fn the_reader_sees_what_stands_there() {
        let text = "def f():\n    # Keys are never passed on.\n    return 7\n";
        let quote = item(
            "keys are passed on",
            Need::Quote(vec!["keys are passed on".into()]),
        );
        let said = instead(text, &quote).unwrap();
        assert_eq!(said, "The lines say “# Keys are never passed on.”.");
        let number = item("9", Need::Number(9.0));
        assert_eq!(instead(text, &number).unwrap(), "The lines have 7, not 9.");
        let other = item("x", Need::Quote(vec!["nothing of the kind".into()]));
        assert_eq!(
            instead(text, &other).unwrap(),
            "The lines say nothing like it."
        );
    }
}
