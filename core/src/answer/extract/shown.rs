//! Sentences about the lines that are closest to a question: whose they are, and the words or the
//! code in them that are closest of all.

use super::Extract;
use super::asking::{asks_for_reasons, asks_how_to};
use super::passages::{LINES, Meant, Passage, stands_out};
use crate::answer::definition::{Definition, introduced};
use crate::answer::kinds::{Around, steps_around};
use crate::answer::notes::{
    CLOSEST, DEFINITION, DEFINITION_QUOTED, QUOTED, Source, code, text, tidy,
};
use crate::answer::prose::{Quote, quote, sentences};
use crate::answer::{Span, section};
use crate::lang::SymbolKind;
use crate::lines::Line;
use crate::parse::shape::Documentation;
use crate::search::Hit;
use crate::source::FileId;

/// Number of passages that are stated.
const PASSAGES: usize = 2;
/// Longest line of code that is quoted, in characters.
const MAX_CODE: usize = 120;

/// What is quoted from a passage, and the line that it begins on.
struct Words {
    /// What they are, for `the … closest to the question`.
    noun: &'static str,
    spans: Vec<Span>,
    /// What must occur in the passage.
    quotes: Vec<String>,
    line: Line,
}

impl<'i> Extract<'_, 'i> {
    /// States the passages that are closest to the question. Returns whether the best of them is
    /// clearly better than others; `None` if lines were not compared.
    pub(super) fn closest(&mut self, hits: &[Hit]) -> Option<bool> {
        let meant = self.meant()?;
        let passages = self.passages(&meant, hits);
        let mut stated: Vec<&str> = Vec::new();
        for passage in &passages {
            if stated.len() == PASSAGES {
                break;
            }
            let text = self.text_of(passage);
            // A README is often a page of the documentation, too.
            if !stated.contains(&text) && self.show(passage, &meant) {
                stated.push(text);
            }
        }
        for definition in self.said.clone() {
            self.differ(&definition);
        }
        Some(stands_out(&passages))
    }

    fn text_of(&self, passage: &Passage) -> &'i str {
        let index = self.index;
        let file = index.chunk(passage.chunk).map(|chunk| chunk.file);
        let text = file.and_then(|file| {
            let (source, _) = index.file(file)?;
            index.lines(file)?.slice(&source.text, passage.lines)
        });
        text.unwrap_or_default()
    }

    fn show(&mut self, passage: &Passage, meant: &Meant<'i>) -> bool {
        if self.is_document(passage.chunk) {
            let (chunk, lines) = (passage.chunk, passage.lines);
            let stated = section::show(self.index, chunk, lines, meant, self.notes);
            self.last_file = self.last_file.filter(|_| !stated);
            return stated || self.show_lines(passage, self.words(passage, meant));
        }
        let words = self.words(passage, meant);
        let line = words.as_ref().map_or(passage.lines.start(), |it| it.line);
        match self.owner(passage, line) {
            Some(owner) if self.is_said(&owner) => false,
            Some(owner) if owner.value().is_some() => self.define(&owner, passage.chunk),
            Some(owner) => self.show_part(&owner, passage, words),
            None => self.show_lines(passage, words),
        }
    }

    /// Returns the innermost definition around a line of a passage, else that of its chunk.
    fn owner(&self, passage: &Passage, line: Line) -> Option<Definition<'i>> {
        let chunk = self.index.chunk(passage.chunk)?;
        let (_, parsed) = self.index.file(chunk.file)?;
        let all = (0..parsed.symbols.len() as u32)
            .filter_map(|at| Definition::new(self.index, chunk.file, at))
            .filter(|it| it.symbol.lines.contains(line) && it.is_sayable());
        let is_code = |it: &Definition<'_>| {
            !matches!(it.symbol.kind, SymbolKind::Constant | SymbolKind::Variable)
        };
        let (code, values): (Vec<_>, Vec<_>) = all.partition(is_code);
        let own = |at| Definition::new(self.index, chunk.file, at);
        let inner = code.last().or(values.last()).copied();
        inner.or_else(|| chunk.symbol.and_then(own).filter(Definition::is_sayable))
    }

    /// States `X, a method in F that takes a, is documented as “…”; its line closest to the
    /// question is `code`, and its steps follow in order`.
    fn show_part(
        &mut self,
        owner: &Definition<'i>,
        passage: &Passage,
        words: Option<Words>,
    ) -> bool {
        let (mut takes, names) = owner.takes(&self.syntax.shape(owner));
        let mut documented = self.syntax.quote(owner);
        let mut quoted = names;
        quoted.extend(documented.iter().flat_map(Quote::words));
        let why = match documented.is_some() {
            true => DEFINITION_QUOTED,
            false => DEFINITION,
        };
        let mut definition = owner.source(self.notes, &quoted, why);
        if definition.is_none() {
            (takes, documented) = (Vec::new(), None);
            definition = owner.source(self.notes, &[], DEFINITION);
        }
        let Some(definition) = definition else {
            return false;
        };
        let is_known = |words: &Words| {
            let known = documented.as_ref().map(|it| it.lines);
            known.is_some_and(|lines| lines.contains(words.line))
        };
        let words = words.filter(|words| !is_known(words));
        let introduction = introduced(owner, takes, self.last_file);
        let Some(spans) = part_in_words(introduction, documented.as_ref(), words.as_ref()) else {
            return false;
        };
        let at = words.as_ref().map_or(passage.lines.start(), |it| it.line);
        let quotes = words.map(|it| it.quotes).unwrap_or_default();
        let mut sources = vec![definition];
        let is_shown = sources
            .iter()
            .any(|it| it.lines.encloses(passage.lines) && it.lines.count() <= LINES as u32);
        if !quotes.is_empty() || !is_shown {
            sources.push(cited(owner, passage, quotes));
        }
        self.finish_with_steps(spans, &sources, owner, at)
    }

    /// States what was said of a part, followed by the steps around a line of it if the question
    /// asks how something happens. Only the best passage comes with steps.
    fn finish_with_steps(
        &mut self,
        mut spans: Vec<Span>,
        sources: &[Source],
        owner: &Definition<'i>,
        at: Line,
    ) -> bool {
        let is_wanted = self.notes.statements.is_empty()
            && asks_for_reasons(self.question.text())
            && !asks_how_to(self.question.text());
        let steps = is_wanted.then(|| steps_around(owner, &self.syntax.shape(owner), at));
        let Some(Around { entries, is_whole }) = steps.flatten() else {
            return self.finish(spans, sources, owner);
        };
        spans.push(text(match is_whole {
            true => ", and its steps follow in order",
            false => ", and the nearest steps follow in order",
        }));
        let stated = self.notes.list_below(spans, sources, entries);
        self.note_said(stated, owner)
    }

    /// States `In F, the line closest to the question is `code`` for lines outside any definition.
    fn show_lines(&mut self, passage: &Passage, words: Option<Words>) -> bool {
        let found = self.index.chunk(passage.chunk);
        let path = self.index.path_of(passage.chunk);
        let (Some(found), Some(path), Some(words)) = (found, path, words) else {
            return false;
        };
        let lead = format!(", the {} closest to the question is ", words.noun);
        let mut spans = vec![text("In "), code(path), text(lead)];
        spans.extend(words.spans);
        spans.push(text("."));
        let source = Source {
            file: found.file,
            lines: passage.lines,
            quotes: words.quotes,
            why: QUOTED.to_owned(),
        };
        let stated = self.notes.state(tidy(spans), &[source]);
        self.last_file = self.last_file.filter(|_| !stated);
        stated
    }

    /// Returns what a passage says closest to the question: a line of code, or a sentence of a
    /// comment or of documentation.
    fn words(&self, passage: &Passage, meant: &Meant<'i>) -> Option<Words> {
        let found = self.index.chunk(passage.chunk)?;
        let (_, parsed) = self.index.file(found.file)?;
        let body: Vec<&str> = self.text_of(passage).lines().collect();
        let mut lines: Vec<(Line, &str, f32)> = (passage.lines.start().0..)
            .map(Line)
            .zip(body.iter().copied())
            .filter(|(line, _)| parsed.symbols.iter().all(|it| it.name_line != *line))
            .filter(|(_, said)| said.split_whitespace().count() > 1)
            .map(|(line, said)| (line, said, meant.cosine(said) + self.asked.share(said)))
            .collect();
        lines.sort_by(|a, b| b.2.total_cmp(&a.2));
        let documented = self.documented(found.file);
        lines.into_iter().find_map(|(line, said, _)| {
            let of = documented.iter().find(|it| it.lines.contains(line));
            match (of, comment(said)) {
                (Some(of), _) => words_at(&of.text.join("\n"), of.lines.start(), line, "sentence"),
                (None, Some(_)) => {
                    let (text, start) = comment_around(&body, passage.lines.start(), line);
                    words_at(&text, start, line, "comment")
                }
                (None, None) => code_at(said, line),
            }
        })
    }

    /// Returns the documentation of all definitions of a file.
    fn documented(&self, file: FileId) -> Vec<Documentation> {
        let shapes = self.index.shapes(file);
        let all = shapes.symbols.iter().flat_map(|it| &it.documentation);
        all.cloned().collect()
    }
}

/// Says of a definition what documents it and what in it is closest to the question; `None` if
/// there is neither.
fn part_in_words(
    introduction: Vec<Span>,
    documented: Option<&Quote>,
    words: Option<&Words>,
) -> Option<Vec<Span>> {
    let mut spans = introduction;
    match (documented, words) {
        (None, None) => return None,
        (None, Some(words)) => {
            spans.insert(0, text("In "));
            spans.push(text(format!(
                " the {} closest to the question is ",
                words.noun
            )));
        }
        (Some(documented), words) => {
            spans.push(text(" is documented as "));
            spans.extend(documented.in_quotes());
            let lead = |words: &Words| format!("; its {} closest to the question is ", words.noun);
            spans.extend(words.map(lead).map(text));
        }
    }
    spans.extend(words.into_iter().flat_map(|it| it.spans.clone()));
    Some(spans)
}

/// Quotes the sentence of a text that stands at a line; `None` if prose does not stand there.
fn words_at(body: &str, start: Line, line: Line, noun: &'static str) -> Option<Words> {
    let said = sentences(body, start);
    let at = said.iter().position(|it| it.lines.contains(line))?;
    let quote = quote(&said, at)?;
    Some(Words {
        noun,
        spans: quote.in_quotes(),
        quotes: quote.words(),
        line,
    })
}

/// Quotes a line of code, if it can be shown inside a sentence.
fn code_at(said: &str, line: Line) -> Option<Words> {
    let said = said.trim();
    let is_quotable = !said.contains('`') && said.chars().count() <= MAX_CODE;
    is_quotable.then(|| Words {
        noun: "line",
        spans: vec![code(said)],
        quotes: vec![said.to_owned()],
        line,
    })
}

/// Returns the comment around a line, without its signs, and the line that it begins on.
fn comment_around(body: &[&str], first: Line, line: Line) -> (String, Line) {
    let row = line.0.saturating_sub(first.0) as usize;
    let text_of = |row: usize| body.get(row).copied().and_then(comment);
    let start = (0..row).rev().take_while(|it| text_of(*it).is_some());
    let start = start.last().unwrap_or(row);
    let texts: Vec<&str> = (start..).map_while(text_of).collect();
    (texts.join("\n"), Line(first.0 + start as u32))
}

fn cited(owner: &Definition<'_>, passage: &Passage, quotes: Vec<String>) -> Source {
    Source {
        file: owner.file,
        lines: passage.lines,
        quotes,
        why: CLOSEST.to_owned(),
    }
}

/// Returns the text of a line that is a comment.
pub(super) fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    let signs = ["///", "//!", "//", "# ", "/**", "/*", "* ", "-- "];
    let text = signs.iter().find_map(|sign| line.strip_prefix(sign))?;
    let text = text.trim_end_matches("*/").trim();
    text.chars().any(char::is_alphabetic).then_some(text)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::answer::tests::answered;
    use crate::embed::table::tests::encoder;
    use crate::index::TableJob;
    use crate::index::tests::index;
    use crate::job::run_to_end;

    #[test]
    fn the_telling_lines_of_a_body_are_quoted_and_cited() {
        let filler = "    total = total + 1\n".repeat(20);
        let file = format!(
            "def connect(host):\n    total = 0\n{filler}    # Try again after the connection was \
             lost.\n    reconnect(host)\n{filler}    return total\n\n\ndef paint(wall):\n    \
             wall.paint()\n"
        );
        let index = Arc::new(index(&[("net.py", file.as_str())]));
        let Ok(table) = run_to_end(TableJob::new(Arc::clone(&index), Arc::new(encoder())));
        index.set_table(table);
        let text = answered(&index, "what happens when the connection is lost?").cited(&index.repo);
        let said = "closest to the question is “Try again after the connection was lost.”";
        assert!(text.contains(said), "{text}");
    }

    #[test]
    fn a_page_that_two_documents_hold_is_quoted_once() {
        let page = "# Proxies\n\nTo use a proxy, set the variable `ALL_PROXY` to its address.\n";
        let index = Arc::new(index(&[("README.md", page), ("docs/index.md", page)]));
        let Ok(table) = run_to_end(TableJob::new(Arc::clone(&index), Arc::new(encoder())));
        index.set_table(table);
        let text = answered(&index, "how do we make use of some proxy?").cited(&index.repo);
        assert_eq!(text.matches("set the variable").count(), 1, "{text}");
    }

    #[test]
    fn comments_are_distinguished_from_code() {
        for (line, expected) in [
            ("    // Try again.", Some("Try again.")),
            ("# Try again.", Some("Try again.")),
            (" * Try again. */", Some("Try again.")),
            ("#[test]", None),
            ("x = 1  # again", None),
            ("//////", None),
        ] {
            assert_eq!(comment(line), expected, "{line}");
        }
    }
}
