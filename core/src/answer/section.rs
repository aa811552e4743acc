//! What documents say: the sentence of a section that is closest to the question, quoted.

use super::notes::{Notes, Source, code, text, tidy, words_of};
use super::prose::{code_list, spans};
use super::relevance::Asked;
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::lang::SymbolKind;
use crate::lines::{Line, LineRange};

/// Longest quotation, in characters; a longer sentence ends in an ellipsis.
const MAX_QUOTE: usize = 280;
/// A heading further above the quoted sentence is left out.
const MAX_LINES: u32 = 40;

struct Sentence {
    text: String,
    lines: LineRange,
}

/// States what the section in `chunk` says about the question.
pub(super) fn state(index: &Index, chunk: ChunkId, asked: &Asked, notes: &mut Notes<'_>) -> bool {
    let Some(found) = index.chunk(chunk) else {
        return false;
    };
    let (Some((file, parsed)), Some(body)) = (index.file(found.file), index.text_of(chunk)) else {
        return false;
    };
    let Some((sentence, overlap)) = sentences(body, found.lines.start())
        .into_iter()
        .map(|sentence| {
            let overlap = asked.overlap(&sentence.text);
            (sentence, overlap)
        })
        // The first of equally good sentences.
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
    else {
        return false;
    };
    if overlap <= 0.0 {
        return false;
    }
    let quoted = spans(&shortened(&sentence.text));
    let heading = parsed
        .symbols
        .iter()
        .rfind(|symbol| symbol.kind == SymbolKind::Section && symbol.lines.encloses(sentence.lines))
        .filter(|symbol| sentence.lines.end().0.saturating_sub(symbol.name_line.0) < MAX_LINES);
    let mut quotes = words_of(&quoted);
    let mut out = vec![code(&file.path)];
    let lines = match heading {
        Some(symbol) => {
            quotes.extend(words_of(&[text(&symbol.name)]));
            out.push(text(format!(" says under “{}”: “", symbol.name)));
            LineRange::new(
                symbol.name_line.min(sentence.lines.start()),
                sentence.lines.end(),
            )
        }
        None => {
            out.push(text(" says: “"));
            sentence.lines
        }
    };
    out.extend(quoted);
    out.push(text("”."));
    notes.state(
        tidy(out),
        &[Source {
            file: found.file,
            lines,
            quotes,
            why: "documentation".to_owned(),
        }],
    )
}

/// States where words of the question stand, for lines that are neither a definition nor prose.
pub(super) fn mention(index: &Index, chunk: ChunkId, asked: &Asked, notes: &mut Notes<'_>) -> bool {
    let Some(found) = index.chunk(chunk) else {
        return false;
    };
    let (Some(path), Some(body)) = (index.path_of(chunk), index.text_of(chunk)) else {
        return false;
    };
    let mut names: Vec<String> = Vec::new();
    let mut lines: Option<LineRange> = None;
    for (at, line) in body.lines().enumerate() {
        let here = Line(found.lines.start().0 + at as u32);
        for word in line.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            let is_new = word.len() > 2 && names.iter().all(|name| name != word) && names.len() < 3;
            if is_new && asked.overlap(word) > 0.0 {
                names.push(word.to_owned());
                let first = lines.map_or(here, |lines| lines.start());
                lines = Some(LineRange::new(first, here));
            }
        }
    }
    let Some(lines) = lines else {
        return false;
    };
    let mut out = vec![code(path), text(" mentions ")];
    out.extend(code_list(&names, "and"));
    out.push(text("."));
    notes.state(
        tidy(out),
        &[Source {
            file: found.file,
            lines,
            quotes: names,
            why: "mention".to_owned(),
        }],
    )
}

/// The prose sentences of a piece of Markdown, reStructuredText or plain text. Code, tables, directives
/// and headings are not prose.
fn sentences(body: &str, first: Line) -> Vec<Sentence> {
    let mut out = Vec::new();
    let mut paragraph: Vec<(Line, &str)> = Vec::new();
    let mut fenced = false;
    let lines: Vec<&str> = body.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        fenced ^= is_fence;
        let next = lines.get(at + 1).copied().unwrap_or_default();
        if fenced || is_fence || !is_prose(line) || is_ruler(next) && next.trim().len() >= 3 {
            flush(&mut paragraph, &mut out);
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
    let is_markup = ["..", "#", "|", "<", ">>>", "$ ", ":", "![", "[!["]
        .iter()
        .any(|sign| trimmed.starts_with(sign));
    !(trimmed.is_empty() || indented || is_markup || is_ruler(line))
}

/// `====`: no letters or digits, one sign over and over.
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

/// Cuts a paragraph into sentences; each knows the lines that it spans.
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
        // A sentence of one or two words is a label.
        if text.len() > 2 {
            out.push(Sentence {
                text: text.join(" "),
                lines: LineRange::new(first, last),
            });
        }
    }
}

fn ends_sentence(word: &str) -> bool {
    let word = word.trim_end_matches(['"', '\'', ')', '`', '*', '”']);
    let abbreviated = matches!(
        word.to_lowercase().as_str(),
        "e.g." | "i.e." | "etc." | "vs." | "cf."
    );
    word.ends_with(['.', '!', '?']) && !abbreviated && !word.ends_with("..")
}

/// At most [`MAX_QUOTE`] characters, cut between words and outside code spans.
fn shortened(sentence: &str) -> String {
    if sentence.chars().count() <= MAX_QUOTE {
        return sentence.to_owned();
    }
    let mut out = String::new();
    for word in sentence.split_whitespace() {
        if out.chars().count() + word.chars().count() > MAX_QUOTE {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    if out.matches('`').count() % 2 == 1
        && let Some(open) = out.rfind('`')
    {
        out.truncate(open);
    }
    format!("{} …", out.trim_end())
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
        let body = "Redirection\n-----------\n\nBy default Requests follows\nredirects, e.g. for GET. It can be\nturned off.\n\n    >>> code here it is\n\n- First item of many\n- Second item of many\n";
        let found = cut(body);
        let expected = [
            (
                "13-14",
                "By default Requests follows redirects, e.g. for GET.",
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
    fn fences_directives_and_tables_are_not_prose() {
        let body =
            "```\nnot this one here\n```\n.. note:: not this\n| not | this |\n# Not this heading\n";
        assert!(cut(body).is_empty(), "{:?}", cut(body));
    }

    #[test]
    fn long_sentences_are_cut_between_words() {
        let long = "word ".repeat(100);
        let short = shortened(&long);
        assert!(
            short.chars().count() <= MAX_QUOTE + 2 && short.ends_with("word …"),
            "{short}"
        );
        let code = format!("{} `a {} b`", "x".repeat(270), "c".repeat(20));
        assert_eq!(shortened(&code).matches('`').count(), 0);
    }
}
