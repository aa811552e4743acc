//! Finds words that the repository does not have, and the ones that were probably meant.

use crate::answer::everyday::is_everyday;
use crate::answer::kinds;
use crate::index::Index;
use crate::index::tokens::{is_stop_word, question_tokens};
use crate::lang::Symbol;
use crate::search::stem::stem;

/// Number of chunks that must contain a word before it replaces another.
const MIN_USES: usize = 2;
/// Length from which on two letters may be wrong.
const LONG: usize = 8;
/// Length of the shortest word that is corrected.
const SHORT: usize = 4;

/// Slips in words that ask. A rule for them would take `consumer` for `consumed`.
const SLIPS: [(&str, &str); 16] = [
    ("enviroment", "environment"),
    ("enviroments", "environments"),
    ("dependancy", "dependency"),
    ("dependancies", "dependencies"),
    ("exeption", "exception"),
    ("exeptions", "exceptions"),
    ("funtion", "function"),
    ("funtions", "functions"),
    ("fucntion", "function"),
    ("fucntions", "functions"),
    ("varible", "variable"),
    ("varibles", "variables"),
    ("paramter", "parameter"),
    ("paramters", "parameters"),
    ("arguement", "argument"),
    ("arguements", "arguments"),
];

/// Returns the text with its misspelt words replaced, and the replacements.
pub(super) fn corrected(index: &Index, text: &str) -> Option<(String, Vec<String>)> {
    let mut out = String::new();
    let mut meant: Vec<String> = Vec::new();
    for piece in text.split_inclusive(char::is_whitespace) {
        // Names with other characters in them, such as paths, are taken as they are.
        let word = piece.trim_end_matches(|c: char| !c.is_alphabetic());
        let is_word = word.chars().all(char::is_alphabetic);
        let better = match is_word {
            true => correction(index, word).or_else(|| nearest_name(index, word)),
            false => None,
        };
        match better {
            Some(better) => {
                out.push_str(&better);
                out.push_str(piece.strip_prefix(word).unwrap_or_default());
                meant.push(better);
            }
            None => out.push_str(piece),
        }
    }
    (!meant.is_empty()).then_some((out, meant))
}

/// Returns the word of the repository that an unknown word probably means.
fn correction(index: &Index, word: &str) -> Option<String> {
    let is_plain = word.chars().all(|c| c.is_ascii_lowercase());
    let is_english = is_stop_word(word) || is_everyday(word) || is_british(word);
    let is_asking = is_english || kinds::is_word_of_asking(word);
    if !is_plain || word.len() < SHORT || is_asking {
        return None;
    }
    // The static encoder knows these, too, because people write them so often.
    if let Some((_, meant)) = SLIPS.iter().find(|(slip, _)| *slip == word) {
        return Some((*meant).to_owned());
    }
    if is_known(index, word) {
        return None;
    }
    let at_most = if word.len() >= LONG { 2 } else { 1 };
    // In a short word, only a missing letter is surely a typo.
    let fits = |term: &str| word.len() > SHORT || term.len() > word.len();
    let first = word.get(..1)?;
    let best = index
        .bm25
        .terms()
        .filter(|term| term.starts_with(first) && term.len().abs_diff(word.len()) <= at_most)
        .filter(|term| fits(term))
        .filter(|term| term.bytes().all(|byte| byte.is_ascii_lowercase()))
        .filter_map(|term| Some((distance(word, term, at_most)?, term)))
        .map(|(distance, term)| (distance, index.bm25.document_frequency(term), term))
        .filter(|(_, uses, _)| *uses >= MIN_USES)
        .min_by_key(|(distance, uses, _)| (*distance, usize::MAX - uses))?;
    // `rejected` is not `injected`, nor `handler` `handled`; other forms of the same word are found
    // anyway.
    (stem(best.2) != stem(word)).then(|| best.2.to_owned())
}

/// Returns the definition that an unknown name probably means.
fn nearest_name(index: &Index, word: &str) -> Option<String> {
    let is_name = word.len() >= LONG && word.chars().skip(1).any(char::is_uppercase);
    if !is_name {
        return None;
    }
    let symbols = || index.parsed.iter().flat_map(|parsed| &parsed.symbols);
    let is_file = |path: &str| {
        path.rsplit('/')
            .next()
            .is_some_and(|name| name.starts_with(word))
    };
    let mut files = index.repo.files.iter();
    // `bufferSize` is the parameter `_bufferSize`.
    let is_there = |symbol: &Symbol| symbol.name == word || symbol.signature.contains(word);
    if symbols().any(is_there) || files.any(|file| is_file(&file.path)) {
        return None;
    }
    let near = symbols().filter(|symbol| symbol.name.len().abs_diff(word.len()) <= 2);
    near.filter_map(|symbol| Some((distance(word, &symbol.name, 2)?, symbol.name.as_str())))
        .min()
        .map(|(_, name)| name.to_owned())
}

/// `organised`, `colour`, `licence`: the code spells them differently, and both are right.
fn is_british(word: &str) -> bool {
    let ends = [
        "ise", "ised", "ises", "ising", "iser", "yse", "ysed", "our", "ours", "oured", "ence",
        "tre", "lled", "lling", "ller",
    ];
    word.contains("isation") || ends.iter().any(|end| word.ends_with(end))
}

/// Whether the repository has the word in some form, or the static encoder has it: `stale` is a
/// word, even if the code only has `state`.
fn is_known(index: &Index, word: &str) -> bool {
    if index.table().is_some_and(|table| table.knows(word)) {
        return true;
    }
    let forms = question_tokens(word);
    let stem = stem(word);
    // `resolver` counts if `resolve` is there.
    let shorter = [
        "r", "er", "st", "est", "or", "d", "ion", "ment", "able", "ly", "al",
    ]
    .iter()
    .filter_map(|end| word.strip_suffix(end))
    .any(|form| form.len() > 3 && index.bm25.document_frequency(form) > 0);
    shorter
        || forms
            .iter()
            .map(String::as_str)
            .chain([stem.as_str()])
            .any(|form| {
                index.bm25.document_frequency(form) > 0
                    || ["s", "ed", "ing", "e", "es", "er"]
                        .iter()
                        .any(|end| index.bm25.document_frequency(&format!("{form}{end}")) > 0)
            })
}

/// Returns how many bytes to remove, insert, change or swap, if they are no more than `at_most`.
fn distance(a: &str, b: &str, at_most: usize) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX / 2);
            let changed = at(&last, j) + usize::from(x != y);
            let mut least = changed.min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                least = least.min(at(&before, j - 1) + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|found| *found <= at_most)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::embed::table::tests::encoder;
    use crate::index::TableJob;
    use crate::index::tests::whole_index;
    use crate::job::run_to_end;

    #[test]
    fn letters_are_counted() {
        for (a, b, expected) in [
            ("sesion", "session", Some(1)),
            ("coookies", "cookies", Some(1)),
            ("reqeust", "request", Some(1)),
            ("websocket", "blanket", None),
        ] {
            assert_eq!(distance(a, b, 2), expected, "{a} {b}");
        }
    }

    #[test]
    fn only_words_that_the_repository_lacks_are_corrected() {
        let index = whole_index(
            "a-1",
            &[
                ("a.py", "def session():\n    return cookies\n"),
                ("b.py", "def close_session(cookies):\n    pass\n"),
            ],
        );
        let corrected = |text| corrected(&index, text).map(|(text, _)| text);
        let expected = Some("where are session cookies".to_owned());
        assert_eq!(corrected("where are sesion coookies"), expected);
        assert_eq!(corrected("where are sessions closed"), None);
        assert_eq!(corrected("does it speak websocket"), None);
        let expected = Some("which environment variables are read".to_owned());
        assert_eq!(corrected("which enviroment variables are read"), expected);
        assert_eq!(corrected("where is the consumer"), None);
    }

    #[test]
    fn a_word_of_the_static_encoder_is_not_a_slip() {
        let file = (
            "a.py",
            "def state():\n    pass\n\n\ndef states(state):\n    pass\n",
        );
        let asked = "where are stale logins";
        let index = whole_index("a-1", &[file]);
        assert_eq!(
            corrected(&index, asked).map(|(text, _)| text),
            Some("where are state logins".to_owned())
        );
        let index = Arc::new(index);
        let table = run_to_end(TableJob::new(index.clone(), Arc::new(encoder()))).unwrap();
        index.set_table(table);
        assert_eq!(corrected(&index, asked), None);
    }
}
