//! Sections of documents: which ones exist, what they say, which commands they give.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::answer::Span;
use crate::answer::notes::{QUOTED, Source, code, text, words_of};
use crate::answer::prose::{is_fence, quote, sentences};
use crate::index::Index;
use crate::index::tokens::code_tokens;
use crate::lang::{Language, Role, Symbol, SymbolKind};
use crate::lines::{Line, LineIndex, LineRange};
use crate::search::stem::stem;
use crate::search::steps::is_changelog;
use crate::source::FileId;

use super::teller::Teller;

/// Programs whose commands are shown as a document writes them.
const PROGRAMS: &[&str] = &[
    "pip",
    "pip3",
    "pipx",
    "npm",
    "yarn",
    "pnpm",
    "npx",
    "cargo",
    "go",
    "gem",
    "bundle",
    "composer",
    "brew",
    "conda",
    "poetry",
    "uv",
    "python",
    "python3",
    "make",
    "cmake",
    "mvn",
    "gradle",
    "./gradlew",
    "git",
    "tox",
    "nox",
    "pytest",
    "docker",
    "apt",
    "apt-get",
    "dotnet",
    "mix",
    "rake",
    "node",
    "deno",
    "bun",
    "expo",
    "react-native",
    "pod",
    "sudo",
];

/// A section of a document.
#[derive(Clone, Copy)]
pub(super) struct Section<'i> {
    pub file: FileId,
    pub path: &'i str,
    pub symbol: &'i Symbol,
}

/// Returns the sections of all documents: root documents first, changelogs last.
pub(super) fn sections<'i>(index: &'i Index) -> Vec<Section<'i>> {
    let mut files: Vec<(usize, &'i str, FileId)> = Vec::new();
    for (id, file) in (0..).map(FileId).zip(&index.repo.files) {
        let is_document = index.file(id).is_some_and(|(_, parsed)| {
            matches!(
                parsed.language,
                Language::Markdown | Language::Rst | Language::Text
            )
        });
        if is_document && !matches!(Role::of(&file.path), Role::Test) {
            files.push((order(&file.path), &file.path, id));
        }
    }
    files.sort();
    let of_file = |(_, path, file): (usize, &'i str, FileId)| {
        let symbols = index
            .parsed
            .get(file.0 as usize)
            .map_or(&[][..], |parsed| &parsed.symbols);
        let sections = symbols
            .iter()
            .filter(|symbol| symbol.kind == SymbolKind::Section);
        sections.map(move |symbol| Section { file, path, symbol })
    };
    files.into_iter().flat_map(of_file).collect()
}

fn order(path: &str) -> usize {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let depth = path.matches('/').count() * 10;
    let kind = match () {
        () if is_changelog(path) => 1_000,
        () if name.starts_with("readme") => 0,
        () if name.starts_with("install") || name.starts_with("contributing") => 1,
        () => 3,
    };
    depth + kind
}

impl<'i> Section<'i> {
    /// Returns the lines below its heading, up to the next heading.
    pub(crate) fn body(&self, index: &'i Index) -> (&'i str, Line) {
        let text = index.repo.file(self.file).map_or("", |file| &file.text);
        let symbols = index
            .parsed
            .get(self.file.0 as usize)
            .map_or(&[][..], |parsed| &parsed.symbols);
        let first = Line(self.symbol.name_line.0 + 1);
        let next = symbols
            .iter()
            .map(|symbol| symbol.name_line)
            .filter(|line| *line > self.symbol.name_line)
            .min();
        let end = match next {
            Some(next) => Line(next.0 - 1).min(self.symbol.lines.end()),
            None => self.symbol.lines.end(),
        };
        let whole = (first <= end).then(|| LineRange::new(first, end));
        let body = whole.and_then(|lines| LineIndex::new(text).slice(text, lines));
        (body.unwrap_or_default(), first)
    }

    /// Whether it gives a command that installs something.
    pub(crate) fn installs(&self, index: &'i Index) -> bool {
        let (body, first) = self.body(index);
        let found = commands(body, first);
        found
            .iter()
            .any(|(_, command)| command.contains(" install ") || command.contains(" add "))
    }

    /// Whether it gives a command that installs the project itself.
    pub(crate) fn installs_own(&self, index: &'i Index, name: &str) -> bool {
        let (body, first) = self.body(index);
        commands(body, first).iter().any(|(_, command)| {
            let mut words = command.split(|c: char| c.is_whitespace() || "[=@".contains(c));
            let installs = command.contains("install ") || command.contains(" add ");
            // `pip install .`
            installs && words.any(|word| word.eq_ignore_ascii_case(name) || word == ".")
        })
    }

    /// Whether it gives a command that runs tests.
    pub(crate) fn runs_tests(&self, index: &'i Index) -> bool {
        const RUNNERS: [&str; 8] = [
            "test", "tests", "check", "pytest", "tox", "nox", "unittest", "jest",
        ];
        let (body, first) = self.body(index);
        let found = commands(body, first);
        found.iter().any(|(_, command)| {
            let mut words = command.split(|c: char| c.is_whitespace() || c == ':');
            words.any(|word| RUNNERS.contains(&word))
        })
    }

    /// Whether its document is for those who work on the project.
    pub(crate) fn is_for_developers(&self) -> bool {
        let name = self
            .path
            .rsplit('/')
            .next()
            .unwrap_or(self.path)
            .to_lowercase();
        ["contribut", "develop", "hacking"]
            .iter()
            .any(|word| name.starts_with(word))
    }

    /// Cites where its heading stands.
    fn heading(&self) -> Source {
        Source {
            file: self.file,
            lines: LineRange::new(self.symbol.name_line, self.symbol.name_line),
            quotes: words_of(&[text(&self.symbol.name)]),
            why: QUOTED.to_owned(),
        }
    }
}

impl<'i> Teller<'_, 'i> {
    /// States what a section says first.
    pub(crate) fn quote_section(&mut self, section: &Section<'i>) -> bool {
        self.quote_section_about(section, &BTreeSet::new())
    }

    /// States the sentence of a section that has the most of these words, given by their stems.
    pub(crate) fn quote_section_about(
        &mut self,
        section: &Section<'i>,
        words: &BTreeSet<String>,
    ) -> bool {
        let (body, first) = section.body(self.index);
        let all = sentences(body, first);
        let is_label = |text: &str| text.split(' ').count() <= 2;
        let of_words = |text: &str| {
            let stems: BTreeSet<String> = code_tokens(text).iter().map(|it| stem(it)).collect();
            words.intersection(&stems).count()
        };
        let said = all.iter().enumerate();
        let begin = said
            .filter(|(_, sentence)| !is_label(&sentence.text))
            .max_by_key(|(at, sentence)| {
                let is_statement = !sentence.text.ends_with('?');
                (of_words(&sentence.text), is_statement, Reverse(*at))
            });
        let Some(quote) = begin.and_then(|(at, _)| quote(&all, at)) else {
            return false;
        };
        if self.notes.have_quoted(&quote) {
            return false;
        }
        // Without words, the section's commands have been stated.
        let quote = match words.is_empty() {
            true => quote,
            false => quote.with_code_below(body, first),
        };
        let mut spans = under(section);
        spans.push(text(": "));
        spans.extend(quote.in_quotes());
        let mut source = section.heading();
        source.lines = LineRange::new(
            source.lines.start(),
            quote.lines.end().max(source.lines.end()),
        );
        source.quotes.extend(quote.words());
        self.say(spans, &[source])
    }

    /// States the commands that a section gives, at most three.
    pub(crate) fn commands_of(&mut self, section: &Section<'i>) -> bool {
        let (body, first) = section.body(self.index);
        let found = commands(body, first);
        let Some((last, _)) = found.last().cloned() else {
            return false;
        };
        let mut spans = vec![code(section.path), text(" gives ")];
        spans.push(text(match found.len() {
            1 => "the command ",
            _ => "the commands ",
        }));
        let mut source = section.heading();
        source.lines = LineRange::new(source.lines.start(), last);
        for (at, (_, command)) in found.iter().enumerate() {
            if at > 0 {
                spans.push(text(if at + 1 == found.len() { " and " } else { ", " }));
            }
            spans.push(code(command.clone()));
            source.quotes.push(command.clone());
        }
        spans.push(text(format!(" under “{}”", section.symbol.name)));
        self.say(spans, &[source])
    }
}

fn under(section: &Section<'_>) -> Vec<Span> {
    vec![
        code(section.path),
        text(format!(" says under “{}”", section.symbol.name)),
    ]
}

/// Returns the lines of code blocks that call a known program.
fn commands(body: &str, first: Line) -> Vec<(Line, String)> {
    let mut found: Vec<(Line, String)> = Vec::new();
    let mut is_fenced = false;
    // How far the paragraph is indented that introduces a literal block of reStructuredText.
    let mut literal: Option<usize> = None;
    for (at, line) in body.lines().enumerate() {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        if !trimmed.is_empty() && literal.is_none_or(|around| indent <= around) {
            literal = trimmed.ends_with("::").then_some(indent);
        }
        if is_fence(line) {
            is_fenced = !is_fenced;
            continue;
        }
        let is_code = is_fenced
            || literal.is_some_and(|around| indent > around)
            || line.starts_with("    ")
            || line.starts_with('\t')
            || trimmed.starts_with("$ ");
        let command = trimmed.trim_start_matches(['$', '>', '%']).trim();
        let program = command.split_whitespace().next().unwrap_or_default();
        let is_new = found.iter().all(|(_, known)| known != command);
        if is_code
            && is_new
            && found.len() < 3
            && PROGRAMS.contains(&program)
            && command.len() < 120
        {
            found.push((Line(first.0 + at as u32), command.to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_stand_in_code_blocks_of_any_document() {
        for (body, expected) in [
            (
                "```sh\npip install a\n```\npip install b",
                "1 pip install a",
            ),
            (
                "Use it::\n\n  pip install a\n\npip install b",
                "2 pip install a",
            ),
            (
                "- With pip::\n\n    pip install a\n\n- Or\n  pip install b",
                "2 pip install a",
            ),
            ("    $ cargo add a\n    see cargo", "0 cargo add a"),
        ] {
            let found = commands(body, Line(0));
            let found: Vec<String> = found
                .iter()
                .map(|(at, it)| format!("{} {it}", at.0))
                .collect();
            assert_eq!(found.join(", "), expected, "{body}");
        }
    }
}
