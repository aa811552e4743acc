//! A sentence of documentation without the markup of its language.

/// A sentence in the form for comparisons: its words in lower case.
pub(super) fn normal(sentence: &str) -> String {
    let plain = plain(sentence).to_lowercase();
    let words = plain.split(|it: char| !it.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The sentence without the markup of reStructuredText, Markdown, Javadoc and Doxygen.
pub(super) fn plain(sentence: &str) -> String {
    let mut plain = sentence.replace("``", "").replace('*', "");
    for open in ["{@link ", "{@code "] {
        while let Some(at) = plain.find(open) {
            let Some(end) = plain.get(at..).and_then(|rest| rest.find('}')) else {
                break;
            };
            let inner = plain.get(at + open.len()..at + end).unwrap_or_default();
            let inner = inner.trim_start_matches('#').to_owned();
            plain.replace_range(at..=at + end, &inner);
        }
    }
    // Roles: :class:`Session` and :py:meth:`~Session.send`.
    while let Some((at, end)) = role(&plain) {
        plain.replace_range(at..end, "`");
    }
    let plain = plain.replace("`~", "`").replace('`', "");
    // Rust's links: [`Service`] and [Service].
    let is_name = |it: &str| {
        it.chars()
            .all(|it| it.is_alphanumeric() || "_:.!()".contains(it))
    };
    let plain = plain.replace('[', "\u{0}[");
    let parts = plain.split('\u{0}').map(|part| {
        let link = part.strip_prefix('[').and_then(|part| part.split_once(']'));
        match link.filter(|(name, rest)| is_name(name) && !rest.starts_with('(')) {
            Some((name, rest)) => format!("{name}{rest}"),
            None => part.to_owned(),
        }
    });
    let plain: String = parts.collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The positions of the next `:role:` and its backtick.
fn role(text: &str) -> Option<(usize, usize)> {
    let end = text.find(":`")?;
    let before = text.get(..end)?;
    let name = before.rfind(|it: char| !(it.is_ascii_alphanumeric() || ":_-".contains(it)));
    let at = name.map_or(0, |at| at + before.get(at..).map_or(1, first_len));
    Some((at, end + 2))
}

fn first_len(text: &str) -> usize {
    text.chars().next().map_or(1, char::len_utf8)
}
