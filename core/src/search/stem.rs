//! A light stemmer that compares words of questions with words of code: `redirects`, `redirected`
//! and `redirection` have the same stem. Used to judge overlap, not in the index.

/// Returns the stem of a lower-case word. Words of up to three letters or with digits stay as they
/// are.
pub fn stem(word: &str) -> String {
    if word.chars().count() <= 3 || !word.chars().all(|c| c.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let word = without_plural(word);
    let word = without_verb_ending(&word);
    match word.strip_suffix('e') {
        Some(rest) if rest.len() >= 3 => rest.to_owned(),
        _ => word,
    }
}

fn without_plural(word: &str) -> String {
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| rest.len() >= 2) {
        return format!("{rest}y");
    }
    for ending in ["sses", "xes", "ches", "shes", "zes"] {
        if word.ends_with(ending) {
            return word.get(..word.len() - 2).unwrap_or(word).to_owned();
        }
    }
    let keeps = ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    match word.strip_suffix('s') {
        Some(rest) if !keeps => rest.to_owned(),
        _ => word.to_owned(),
    }
}

fn without_verb_ending(word: &str) -> String {
    if let Some(rest) = word.strip_suffix("ied").filter(|rest| rest.len() >= 2) {
        return format!("{rest}y");
    }
    for ending in ["ing", "ed", "ion", "or", "er"] {
        let Some(rest) = word.strip_suffix(ending) else {
            continue;
        };
        let is_stem = rest.len() >= 3 && rest.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        // `header` and `order` are not forms of `head` and `ord`; only the endings -ator and -izer
        // are safe.
        let is_agent = matches!(ending, "or" | "er");
        if !is_stem || (is_agent && !rest.ends_with("at") && !rest.ends_with("iz")) {
            continue;
        }
        return undoubled(rest);
    }
    word.to_owned()
}

/// Removes a doubled final letter: `stopp` → `stop`, but `call` and `pass` stay.
fn undoubled(stem: &str) -> String {
    let mut last = stem.bytes().rev();
    match (last.next(), last.next()) {
        (Some(a), Some(b)) if a == b && !matches!(a, b'l' | b's' | b'z' | b'e') => {
            stem.get(..stem.len() - 1).unwrap_or(stem).to_owned()
        }
        _ => stem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_meet() {
        for group in [
            vec![
                "redirect",
                "redirects",
                "redirected",
                "redirecting",
                "redirection",
            ],
            vec![
                "validate",
                "validates",
                "validated",
                "validation",
                "validator",
            ],
            vec!["retry", "retries", "retried"],
            vec!["stop", "stops", "stopped", "stopping"],
            vec!["pass", "passes", "passed", "passing"],
            vec!["cache", "caches", "cached", "caching"],
        ] {
            let stems: Vec<String> = group.iter().map(|word| stem(word)).collect();
            assert!(stems.iter().all(|s| *s == stems[0]), "{group:?} {stems:?}");
        }
    }

    #[test]
    fn different_words_stay_apart() {
        for (a, b) in [
            ("header", "heading"),
            ("status", "state"),
            ("user", "use"),
            ("string", "strict"),
            ("sha256", "sha25"),
            ("bus", "bu"),
        ] {
            assert_ne!(stem(a), stem(b), "{a} {b}");
        }
    }
}
