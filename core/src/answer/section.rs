//! Quotes what documents say: the sentence of a section that is closest to the question.

use super::extract::Meant;
use super::notes::{CLOSEST, Notes, QUOTED, Source, code, text, tidy, words_of};
use super::prose::{Sentence, code_list, quote, sentences};
use super::relevance::Asked;
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::lang::SymbolKind;
use crate::lines::{Line, LineRange};

/// Maximum number of lines between a heading and the quoted sentence for the heading to be cited.
const MAX_LINES: u32 = 40;

/// States what the section in `chunk` says about the question.
pub(super) fn state(index: &Index, chunk: ChunkId, asked: &Asked, notes: &mut Notes<'_>) -> bool {
    let closest = |sentences: &[Sentence]| closest(sentences, |it| asked.overlap(&it.text));
    say(index, chunk, None, closest, notes)
}

/// States what the section in `chunk` says in these lines, and shows all of them.
pub(super) fn show(
    index: &Index,
    chunk: ChunkId,
    lines: LineRange,
    meant: &Meant<'_>,
    notes: &mut Notes<'_>,
) -> bool {
    let closest = |sentences: &[Sentence]| {
        let is_shown = |it: &Sentence| it.lines.overlaps(lines);
        closest(sentences, |it| {
            if is_shown(it) {
                meant.cosine(&it.text)
            } else {
                0.0
            }
        })
    };
    say(index, chunk, Some(lines), closest, notes)
}

/// States the sentence that `closest` chooses from a section, and cites `shown` beside it.
fn say(
    index: &Index,
    chunk: ChunkId,
    shown: Option<LineRange>,
    closest: impl Fn(&[Sentence]) -> Option<usize>,
    notes: &mut Notes<'_>,
) -> bool {
    let Some(found) = index.chunk(chunk) else {
        return false;
    };
    let (Some((file, parsed)), Some(body)) = (index.file(found.file), index.text_of(chunk)) else {
        return false;
    };
    let sentences = sentences(body, found.lines.start());
    let Some(quote) = closest(&sentences).and_then(|at| quote(&sentences, at)) else {
        return false;
    };
    if notes.have_quoted(&quote) {
        return false;
    }
    let heading = parsed
        .symbols
        .iter()
        .rfind(|symbol| symbol.kind == SymbolKind::Section && symbol.lines.encloses(quote.lines))
        .filter(|symbol| quote.lines.end().0.saturating_sub(symbol.name_line.0) < MAX_LINES);
    let quote = quote.with_code_below(body, found.lines.start());
    let mut quotes = quote.words();
    let mut out = vec![code(&file.path)];
    let lines = match heading {
        Some(symbol) => {
            quotes.extend(words_of(&[text(&symbol.name)]));
            out.push(text(format!(" says under “{}”: ", symbol.name)));
            LineRange::new(symbol.name_line.min(quote.lines.start()), quote.lines.end())
        }
        None => {
            out.push(text(" says: "));
            quote.lines
        }
    };
    out.extend(quote.in_quotes());
    out.push(text("."));
    let source = |lines: LineRange, quotes: Vec<String>, why: &str| Source {
        file: found.file,
        lines,
        quotes,
        why: why.to_owned(),
    };
    let mut sources = vec![source(lines, quotes, QUOTED)];
    let shown = shown.filter(|shown| !lines.encloses(*shown));
    sources.extend(shown.map(|shown| source(shown, Vec::new(), CLOSEST)));
    notes.state(tidy(out), &sources)
}

/// Returns the first of the sentences with the best score. A sentence of one or two words is a
/// label.
fn closest(sentences: &[Sentence], score: impl Fn(&Sentence) -> f32) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (at, sentence) in sentences.iter().enumerate() {
        let overlap = score(sentence);
        let is_label = sentence.text.split(' ').count() <= 2;
        if overlap > best.map_or(0.0, |(_, best)| best) && !is_label {
            best = Some((at, overlap));
        }
    }
    best.map(|(at, _)| at)
}

/// States where words of the question occur, for lines that are neither a definition nor prose.
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
