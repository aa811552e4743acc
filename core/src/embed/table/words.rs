//! Text → words as the table knows them: identifiers split at case, underscores and digits, in
//! lower case.

/// Calls `word` with each maximal run of letters or of ASCII digits, in lower case. Letters are
/// also split before a capital that follows a lower-case letter, and before the last capital of a
/// run that begins a word (`HTTPServer` → `http`, `server`). Everything else separates words.
pub(super) fn each(text: &str, mut word: impl FnMut(&str)) {
    let mut letters = text.chars().peekable();
    let mut current = String::new();
    let mut before = None;
    while let Some(letter) = letters.next() {
        let kind = Kind::of(letter);
        if before.is_some_and(|before| cuts(before, letter, letters.peek().copied())) {
            flush(&mut current, &mut word);
        }
        match kind {
            Kind::Other => {}
            Kind::Letter if letter.is_ascii() => current.push(letter.to_ascii_lowercase()),
            // Some letters become a letter and a combining mark in lower case; the mark separates.
            Kind::Letter => {
                for part in letter.to_lowercase() {
                    match part.is_alphabetic() {
                        true => current.push(part),
                        false => flush(&mut current, &mut word),
                    }
                }
            }
            Kind::Digit => current.push(letter),
        }
        before = Some(letter);
    }
    flush(&mut current, &mut word);
}

fn flush(current: &mut String, word: &mut impl FnMut(&str)) {
    if !current.is_empty() {
        word(current);
        current.clear();
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Other,
}

impl Kind {
    fn of(letter: char) -> Self {
        match letter {
            '0'..='9' => Self::Digit,
            _ if letter.is_alphabetic() => Self::Letter,
            _ => Self::Other,
        }
    }
}

/// Whether a word ends between two letters; `next` is the one after them.
fn cuts(before: char, letter: char, next: Option<char>) -> bool {
    if Kind::of(before) != Kind::of(letter) {
        return true;
    }
    if !letter.is_ascii_uppercase() {
        return false;
    }
    before.is_ascii_lowercase()
        || before.is_ascii_uppercase() && next.is_some_and(|next| next.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_cut_into_words() {
        for (text, expected) in [
            ("", ""),
            ("resolve_redirects(self)", "resolve redirects self"),
            ("HTTPServer2 getURL", "http server 2 get url"),
            ("fooBar.baz-QUX", "foo bar baz qux"),
            ("sha256sum v1.2", "sha 256 sum v 1 2"),
            ("Größe ÉCOLE λx", "größe école λx"),
            ("读取文件 x", "读取文件 x"),
            ("İstanbul", "i stanbul"),
            ("!?\n\t_", ""),
        ] {
            let mut words = Vec::new();
            each(text, |word| words.push(word.to_owned()));
            assert_eq!(words.join(" "), expected, "{text}");
        }
    }
}
