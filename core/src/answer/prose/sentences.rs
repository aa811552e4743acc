//! Splits Markdown, reStructuredText and plain text into sentences with their lines.

use super::is_fence;
use crate::lines::{Line, LineRange};

/// A sentence of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// The text as written, white space collapsed.
    pub text: String,
    pub lines: LineRange,
}

/// Returns the prose sentences of a piece of Markdown, reStructuredText or plain text. Code,
/// tables, directives and headings are not prose.
pub(crate) fn sentences(body: &str, first: Line) -> Vec<Sentence> {
    let mut out = Vec::new();
    let mut paragraph: Vec<(Line, &str)> = Vec::new();
    let mut fenced = false;
    let lines: Vec<&str> = body.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let is_fence = is_fence(line);
        fenced ^= is_fence;
        let next = lines.get(at + 1).copied().unwrap_or_default();
        if fenced || is_fence || !is_prose(line) || is_ruler(next) && next.trim().len() >= 3 {
            let is_cut = !paragraph.is_empty() && !line.trim().is_empty();
            flush(&mut paragraph, &mut out);
            if is_cut {
                mark_cut(&mut out);
            }
            continue;
        }
        if starts_item(line) {
            flush(&mut paragraph, &mut out);
        }
        paragraph.push((Line(first.0 + at as u32), line));
    }
    flush(&mut paragraph, &mut out);
    out
}

fn is_prose(line: &str) -> bool {
    let trimmed = line.trim();
    let indented = line.starts_with("    ") || line.starts_with('\t');
    let is_markup = ["..", "#", "|", "<", ">>>", "$ ", "![", "[!["]
        .iter()
        .any(|sign| trimmed.starts_with(sign));
    let is_markup = is_markup || is_link_target(trimmed);
    !(trimmed.is_empty() || indented || is_markup || is_field(line) || is_ruler(line))
}

/// Whether a line of Markdown says where a link leads: `[name]: https://…`.
fn is_link_target(line: &str) -> bool {
    let after_name = line
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]: "));
    after_name
        .is_some_and(|(_, target)| target.contains("://") || target.starts_with(['/', '#', '.']))
}

/// Whether a line is a field, `:param x: …`, unlike one that starts with a role: ``:class:`X` ``.
pub(crate) fn is_field(line: &str) -> bool {
    let Some(field) = line.trim_start().strip_prefix(':') else {
        return false;
    };
    !field
        .split_once(':')
        .is_some_and(|(_, rest)| rest.starts_with('`'))
}

/// Marks that the last sentence continues in lines that are not prose.
fn mark_cut(out: &mut [Sentence]) {
    if let Some(last) = out.last_mut()
        && !last.text.ends_with(':')
        && !last.text.split(' ').next_back().is_some_and(ends_sentence)
    {
        last.text.push_str(" …");
    }
}

/// Whether a line is a ruler such as `====`: one repeated character, no letter or digit.
fn is_ruler(line: &str) -> bool {
    let trimmed = line.trim();
    let mut signs = trimmed.chars();
    signs
        .next()
        .is_some_and(|first| !first.is_alphanumeric() && signs.all(|sign| sign == first))
}

fn starts_item(line: &str) -> bool {
    let trimmed = line.trim_start();
    ["- ", "* ", "+ "]
        .iter()
        .any(|sign| trimmed.starts_with(sign))
        || trimmed
            .split_once(". ")
            .is_some_and(|(n, _)| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
}

/// Cuts a paragraph into sentences, each with the lines that it spans.
fn flush(paragraph: &mut Vec<(Line, &str)>, out: &mut Vec<Sentence>) {
    let words: Vec<(Line, &str)> = paragraph
        .drain(..)
        .flat_map(|(line, text)| {
            let text = text.trim_start().trim_start_matches(['-', '*', '+']);
            text.split_whitespace().map(move |word| (line, word))
        })
        .collect();
    for sentence in words.split_inclusive(|(_, word)| ends_sentence(word)) {
        let (Some(&(first, _)), Some(&(last, _))) = (sentence.first(), sentence.last()) else {
            continue;
        };
        let text: Vec<&str> = sentence.iter().map(|&(_, word)| word).collect();
        out.push(Sentence {
            text: text.join(" "),
            lines: LineRange::new(first, last),
        });
    }
}

fn ends_sentence(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '[']);
    let word = word.trim_end_matches(['"', '\'', ')', '`', '*', '”']);
    let abbreviated = matches!(
        word.to_lowercase().as_str(),
        "e.g." | "i.e." | "etc." | "vs." | "cf." | "approx." | "resp."
    );
    word.ends_with(['.', '!', '?']) && !abbreviated && !word.ends_with("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(body: &str) -> Vec<(String, String)> {
        sentences(body, Line(10))
            .into_iter()
            .map(|sentence| (sentence.lines.to_string(), sentence.text))
            .collect()
    }

    #[test]
    fn prose_is_cut_into_sentences_that_know_their_lines() {
        let body = "Redirection\n-----------\n\nBy default Requests follows\nredirects (e.g. for GET). It can be\nturned off.\n\n    >>> code here it is\n\n- First item of many\n- Second item of many\n";
        let found = cut(body);
        let expected = [
            (
                "13-14",
                "By default Requests follows redirects (e.g. for GET).",
            ),
            ("14-15", "It can be turned off."),
            ("19", "First item of many"),
            ("20", "Second item of many"),
        ];
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for ((lines, text), (want_lines, want)) in found.iter().zip(expected) {
            assert_eq!((lines.as_str(), text.as_str()), (want_lines, want));
        }
    }

    #[test]
    fn sentences_go_on_over_roles_and_say_where_they_are_cut() {
        for (body, expected) in [
            (
                "Subclasses the\n:class:`A <a.A>`. Then more.",
                "Subclasses the :class:`A <a.A>`.",
            ),
            ("It is sent\n:param x: y", "It is sent …"),
            ("It is sent if\n    it is there", "It is sent if …"),
            ("It is sent.\n    Code", "It is sent."),
            ("It is sent\n\nMore", "It is sent"),
        ] {
            assert_eq!(cut(body)[0].1, expected, "{body}");
        }
    }

    #[test]
    fn fences_directives_and_tables_are_not_prose() {
        let body =
            "```\nnot this one here\n```\n.. note:: not this\n| not | this |\n# Not this heading\n";
        assert!(cut(body).is_empty(), "{:?}", cut(body));
    }
    #[test]
    fn where_links_lead_is_not_prose_but_what_stands_in_brackets_is() {
        let links = "[syslog]: https://example.org/syslog\n[guide]: ./guide.md\n";
        assert!(cut(links).is_empty(), "{:?}", cut(links));
        assert_eq!(cut("[Warning]: it deletes files.").len(), 1);
    }
}
