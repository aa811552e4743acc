//! Turns text with markup, and lists of names, into spans.

use crate::answer::Span;

/// Turns text with markup into spans: code spans of Markdown and reStructuredText become
/// [`Span::Code`]; roles (``:class:`X` ``), links and emphasis lose their markup.
pub(crate) fn spans(text: &str) -> Vec<Span> {
    // Rust documentation links names as [`Name`].
    let text = text.replace("[`", "`").replace("`]", "`");
    let mut spans = Vec::new();
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('`') {
        let (before, from) = rest.split_at(at);
        let ticks = from.len() - from.trim_start_matches('`').len();
        let fence = from.get(..ticks).unwrap_or("`");
        let inner = from.get(ticks..).unwrap_or_default();
        let Some(end) = inner.find(fence) else {
            break;
        };
        plain.push_str(without_role(before));
        let code = reference(inner.get(..end).unwrap_or_default());
        rest = inner.get(end + ticks..).unwrap_or_default();
        rest = rest
            .strip_prefix("__")
            .or(rest.strip_prefix('_'))
            .unwrap_or(rest);
        if code.is_empty() {
            continue;
        }
        push_text(&mut spans, &mut plain);
        spans.push(Span::Code(code));
    }
    plain.push_str(&rest.replace('`', ""));
    push_text(&mut spans, &mut plain);
    spans
}

fn push_text(spans: &mut Vec<Span>, plain: &mut String) {
    if !plain.is_empty() {
        spans.push(Span::Text(without_marks(plain)));
        plain.clear();
    }
}

/// Removes a role: `:class:` before a code span is markup.
fn without_role(before: &str) -> &str {
    let Some(open) = before.strip_suffix(':') else {
        return before;
    };
    match open.rfind(':') {
        Some(at)
            if open.get(at + 1..).is_some_and(|role| {
                !role.is_empty() && role.chars().all(|c| c.is_ascii_lowercase() || c == ':')
            }) =>
        {
            open.get(..at).unwrap_or(before)
        }
        _ => before,
    }
}

/// Resolves a reference: `Session <requests.Session>` → `Session`; `~requests.Session` → `Session`.
fn reference(code: &str) -> String {
    let code = match code.split_once(" <") {
        Some((name, _)) => name,
        None => code,
    };
    match code.strip_prefix('~') {
        Some(path) => path.rsplit('.').next().unwrap_or(path),
        None => code,
    }
    .trim()
    .to_owned()
}

/// Removes emphasis marks, and replaces Markdown links by their text.
fn without_marks(text: &str) -> String {
    let text = text.replace("**", "");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(open) = rest.find('[') {
        let link = rest.get(open + 1..).and_then(|from| {
            let (label, after) = from.split_once(']')?;
            let target = after
                .strip_prefix('(')
                .and_then(|t| t.split_once(')'))
                .or_else(|| after.strip_prefix('[').and_then(|t| t.split_once(']')))?;
            (!label.contains('[')).then_some((label, target.1))
        });
        let Some((label, after)) = link else {
            let upto = open + 1;
            out.push_str(rest.get(..upto).unwrap_or_default());
            rest = rest.get(upto..).unwrap_or_default();
            continue;
        };
        out.push_str(rest.get(..open).unwrap_or_default());
        out.push_str(label);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Lists names as code: `a`, `b` and `c`.
pub(crate) fn code_list(names: &[String], last: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    for (at, name) in names.iter().enumerate() {
        if at > 0 {
            let is_last = at + 1 == names.len();
            spans.push(Span::Text(if is_last {
                format!(" {last} ")
            } else {
                ", ".to_owned()
            }));
        }
        spans.push(Span::Code(name.clone()));
    }
    spans
}

/// Lists at most `max` names as code: `a`, `b` and 3 more.
pub(crate) fn code_some(names: &[String], max: usize) -> Vec<Span> {
    if names.len() <= max {
        return code_list(names, "and");
    }
    let shown = names.get(..max.saturating_sub(1)).unwrap_or_default();
    let mut spans = Vec::new();
    for (at, name) in shown.iter().enumerate() {
        if at > 0 {
            spans.push(Span::Text(", ".to_owned()));
        }
        spans.push(Span::Code(name.clone()));
    }
    spans.push(Span::Text(format!(
        " and {} more",
        names.len() - shown.len()
    )));
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(spans: &[Span]) -> String {
        crate::answer::Statement {
            spans: spans.to_vec(),
            footnotes: Vec::new(),
            items: Vec::new(),
        }
        .plain()
    }

    #[test]
    fn markup_of_documentation_stays_readable() {
        for (doc, expected) in [
            (
                "Sends :class:`Request <requests.Request>` objects",
                "Sends `Request` objects",
            ),
            (
                "Parses ``a.b`` and [links](http://x).",
                "Parses `a.b` and links.",
            ),
            ("**Never** calls [`Queue`]", "Never calls `Queue`"),
        ] {
            assert_eq!(plain(&spans(doc)), expected);
        }
    }

    #[test]
    fn unclosed_marks_do_no_harm() {
        assert_eq!(plain(&spans("a `b [c](d")), "a b [c](d");
        assert_eq!(plain(&spans("[[x]] and [y]")), "[[x]] and [y]");
        assert_eq!(plain(&spans("see `~a.B`_ now")), "see `B` now");
    }

    #[test]
    fn lists_end_with_and() {
        let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(plain(&code_list(&names, "and")), "`a`, `b` and `c`");
        assert_eq!(plain(&code_list(&names[..1], "and")), "`a`");
        assert_eq!(plain(&code_some(&names, 3)), "`a`, `b` and `c`");
        assert_eq!(plain(&code_some(&names, 2)), "`a` and 2 more");
    }
}
