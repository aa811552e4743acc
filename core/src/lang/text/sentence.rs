//! Finds first sentences of prose.

/// Longest sentence kept, in characters.
const MAX_CHARS: usize = 300;

/// Returns the first sentence of `prose`, white space collapsed, at most 300 characters.
pub(super) fn first(prose: &str) -> String {
    let mut sentence = String::new();
    for word in prose.split_whitespace() {
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(word);
        if ends_sentence(word) || sentence.len() > 4 * MAX_CHARS {
            break;
        }
    }
    shorten(&sentence, MAX_CHARS)
}

fn ends_sentence(word: &str) -> bool {
    const SHORT: [&str; 10] = [
        "e.g", "i.e", "etc", "vs", "cf", "approx", "resp", "no", "fig", "incl",
    ];
    let word = word.trim_end_matches(['"', '\'', ')', '`', '*', '_', '”', '’']);
    if word.ends_with(['!', '?', '。']) {
        return true;
    }
    let Some(stem) = word.strip_suffix('.') else {
        return false;
    };
    let stem = stem.trim_start_matches(['(', '"', '`', '*', '_']);
    !stem.ends_with('.') && !SHORT.iter().any(|short| stem.eq_ignore_ascii_case(short))
}

/// Puts `text` on one line of at most `max` characters; `…` marks what was cut.
pub(super) fn one_line(text: &str, max: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > 4 * max {
            break;
        }
    }
    shorten(&line, max)
}

fn shorten(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_string();
    }
    let mut cut: String = text.chars().take(max.saturating_sub(1)).collect();
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_at_its_mark_and_not_at_an_abbreviation() {
        for (prose, sentence) in [
            ("One. Two.", "One."),
            (
                "Use it, e.g. here\nand there. More",
                "Use it, e.g. here and there.",
            ),
            ("Is it **fast?** Yes", "Is it **fast?**"),
            ("No mark at all", "No mark at all"),
            ("Version 1.2 is out. Get it", "Version 1.2 is out."),
            ("", ""),
        ] {
            assert_eq!(first(prose), sentence, "{prose:?}");
        }
        assert_eq!(first(&"ä ".repeat(400)).chars().count(), 300);
    }
}
