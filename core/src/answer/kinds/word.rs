//! Which files hold a word, an identifier or a quoted phrase, and how often.

use super::Kind;
use super::scope::Scope;
use super::teller::{Teller, counted};
use super::texts::{Text, words};
use super::wording::Read;
use crate::answer::notes::{Entry, code, text};

pub(super) const KIND: Kind = Kind {
    name: "word",
    wordings: &[
        "ASK? X? files|sources|modules|places that? REL? contain|contains|containing|mention|mentions|mentioning|hold|holds|holding|include|including|with the|a? @word|words|string|text|term|phrase|identifier|keyword|literal|name? Y in|under|inside|within X",
        "ASK? X? files|sources|modules|places that? REL? contain|contains|containing|mention|mentions|mentioning|hold|holds|holding|include|including|with the|a? @word|words|string|text|term|phrase|identifier|keyword|literal|name? Y as_a_word|somewhere?",
        "ASK? source? files|sources in|under|inside|within|of X that? contain|contains|containing|mention|mentions|mentioning|hold|holds|holding|include|including|with|use|uses|using the|a? @word|words|string|text|term|phrase|identifier|keyword|literal|name? Y as_a_word|somewhere?",
        "ASK? X files use|uses|using the? @word|words|string|text|term|phrase|identifier|keyword|literal? Y",
        "where is|are|does the? @word|words|string|text|term|phrase|literal Y used|appear|appears|occur|occurs|mentioned|written|found|stand in|under? X?",
        "in which|what X? files is|are|does the? @word|words|string|text|term|phrase|literal? Y used|appear|occur|mentioned|written|found|stand",
        "ASK? occurrences|mentions REL? the? @word|words|string|text|term|phrase|identifier|literal Y in|under X",
        "ASK? occurrences|mentions REL? the? @word|words|string|text|term|phrase|identifier|literal Y",
        "how often is|does the? @word|words|string|text|term|phrase|identifier|literal? Y used|appear|occur|mentioned|written in|under? X?",
        "who|what mentions Y",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let (Some(asked), Some(scope)) = (read.y.as_deref(), Scope::read(teller, &read.x)) else {
        return false;
    };
    let quotes = ['`', '"', '“', '”', '\''];
    let is_quoted = asked.starts_with(quotes) && asked.ends_with(quotes);
    let word = asked.trim_matches(quotes);
    // Several plain words are more likely a thing than a phrase.
    let is_word = is_quoted || !word.contains(char::is_whitespace);
    if word.is_empty() || !is_word {
        return false;
    }
    let noun = match word.contains(char::is_whitespace) {
        true => "the text",
        false => "the word",
    };
    let (found, is_spelled) = find(teller, &scope, word);
    if !found.is_empty() {
        return say(teller, found, &format!("{noun} "), word, is_spelled);
    }
    if !is_quoted && read.word.is_empty() {
        return false;
    }
    let mut spans = scope.shown.clone();
    spans.extend([
        text(format!(" does not contain {noun} ")),
        code(word.to_owned()),
    ]);
    let n = counted(scope.files.len(), "file was", "files were");
    spans.push(text(format!(": {n} searched")));
    let searched = scope.searched(teller);
    teller.say(spans, &searched)
}

fn say(
    teller: &mut Teller<'_, '_>,
    found: Vec<(usize, Entry)>,
    noun: &str,
    word: &str,
    is_spelled: bool,
) -> bool {
    let n: usize = found.iter().map(|(n, _)| n).sum();
    let files = counted(found.len(), "file contains ", "files contain ");
    let mut lead = vec![text(files), text(noun), code(word.to_owned())];
    if !is_spelled {
        lead.push(text(" in a different case"));
    }
    lead.push(text(format!(", {} in all: ", times(n))));
    let entries = found.into_iter().map(|(_, entry)| entry).collect();
    teller.list(lead, entries)
}

/// Returns the files with their counts; looks for the word in lower, upper and title case if no
/// file has it as asked.
fn find(teller: &Teller<'_, '_>, scope: &Scope, word: &str) -> (Vec<(usize, Entry)>, bool) {
    let exact = in_files(teller, scope, &[word.to_owned()]);
    if !exact.is_empty() {
        return (exact, true);
    }
    let lower = word.to_lowercase();
    let mut title = lower.clone();
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let spellings = [lower, word.to_uppercase(), title];
    (in_files(teller, scope, &spellings), false)
}

fn in_files(teller: &Teller<'_, '_>, scope: &Scope, spellings: &[String]) -> Vec<(usize, Entry)> {
    let mut found = Vec::new();
    for file in &scope.files {
        let source = teller.file_text(*file);
        let places = |spelled: &String| {
            let places = words(source, spelled);
            let first = places.first().copied()?;
            Some((first, places.len(), spelled.clone()))
        };
        let mut spelled: Vec<_> = spellings.iter().filter_map(places).collect();
        spelled.sort_unstable();
        let n: usize = spelled.iter().map(|(_, n, _)| n).sum();
        let Some((first, _, quote)) = spelled.into_iter().next() else {
            continue;
        };
        if let Some(text) = Text::plain(teller.index, *file) {
            let name = text.path.to_owned();
            found.push((n, text.entry(text.line(first), name, times(n), &quote)));
        }
    }
    found
}

fn times(n: usize) -> String {
    match n {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}
