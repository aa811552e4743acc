//! The frame: the words around a sentence's quotations, and whether they say no more than where the
//! quotations stand.

use std::collections::BTreeSet;

use super::super::names::parts;
use super::super::scene::Scene;
use super::super::token::{Style, Term, Token};
use super::super::{Proof, is_among};
use super::{plain_text, quoted, text_of};
use crate::index::tokens::identifiers;
use crate::lang::Symbol;
use crate::lines::{Line, LineRange};
use crate::search::stem::stem;

/// Words that report something.
const REPORTS: &str = "\
    according adds announces called calls captioned carries cites comment comments contains \
    counts describe described describes doc docs docstring documentation documented documents \
    error explains headed heading labelled lists mentions message note notes puts quoted \
    quotes read readme reads remark remarks reports said say saying says state stated states \
    text title titled warning warns";

/// Words that say a quotation documents the named thing.
const DOCUMENTED: &str = "doc docs docstring documentation documented documents";

/// Words that only introduce a quotation.
const FRAME: &str = "\
    a about above also among an and are as at attribute be below block briefly by changelog \
    class clearly constant constructor description entry enum exception explicitly expressly \
    field file following for from function given has have header help helper here in inside \
    interface is it its itself line literally method modestly module name of on one own \
    package paragraph parameter plainly project property reference release section source \
    string struct that the there this to trait type version which with word words written";

/// Words that claim more than where something stands, whatever the lines around it say.
const CLAIMS: &str = "\
    after all always any because before but cannot else every except first free however if \
    instead last must neither never no none nor not nothing once only otherwise rather safe \
    safely since therefore unless until when while without";

/// Maximum number of words that the lines around a quotation may explain.
const MOST_EXPLAINED: usize = 3;
/// Number of lines around a quotation that can explain words.
const NEAR: u32 = 6;
/// Maximum number of comment lines below a quotation inside the comment.
const MOST_COMMENT: u32 = 40;

/// Whether the frame says no more than where the quotations stand.
pub(super) fn is_frame(scene: &Scene<'_>, tokens: &[Token], proofs: &[Proof]) -> bool {
    let near = near(scene, proofs);
    let says = |word: &Token| matches!(word, Token::Word(word) if is_among(DOCUMENTED, word));
    let is_documented = tokens.iter().any(says);
    let quotes: Vec<String> = tokens.iter().filter_map(quoted).map(plain).collect();
    let mut explained = 0;
    let mut reports = 0;
    for token in tokens {
        match token {
            Token::Term(_) if quoted(token).is_some() => {}
            Token::Term(term) => {
                let is_there = |proof: &Proof| match term.style {
                    Style::Path => {
                        let path = term.text.trim_start_matches("./");
                        scene.path(proof.file).ends_with(path)
                    }
                    Style::Number => {
                        let line = term.text.parse().map(Line);
                        let is_line = line.is_ok_and(|line| proof.lines.contains(line));
                        is_line || near.contains(&term.text)
                    }
                    _ => is_named(scene, &parts(&term.text), proof, is_documented, &quotes),
                };
                if !proofs.iter().all(is_there) {
                    return false;
                }
            }
            Token::Sign(_) => {}
            Token::Word(word) => {
                let word = word.as_str();
                if is_among(CLAIMS, word) || word.ends_with("n't") || word.ends_with("n’t") {
                    return false;
                }
                let is_report = is_among(REPORTS, word);
                reports += usize::from(is_report);
                if is_report || is_among(FRAME, word) {
                    continue;
                }
                let mut parts = word.split('.').filter(|part| !part.is_empty());
                if !parts.all(|part| near.contains(&stem(part))) {
                    return false;
                }
                explained += 1;
            }
        }
    }
    reports > 0 && explained <= MOST_EXPLAINED
}

/// Returns the stems of the words around the quotations and in their paths.
fn near(scene: &Scene<'_>, proofs: &[Proof]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for proof in proofs {
        let path = scene.path(proof.file);
        let last = scene
            .index
            .lines(proof.file)
            .map_or(Line(1), |lines| Line(lines.line_count()));
        let first = Line(proof.lines.start().0.saturating_sub(NEAR).max(1));
        let around = LineRange::new(first, Line((proof.lines.end().0 + NEAR).min(last.0)));
        let text = text_of(scene, proof.file, around).unwrap_or_default();
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.chain(path.split(|c: char| !c.is_alphanumeric()));
        let symbols = scene
            .parsed(proof.file)
            .map_or(&[][..], |parsed| parsed.symbols.as_slice());
        let owners = symbols
            .iter()
            .filter(|symbol| symbol.lines.encloses(proof.lines));
        let words = words.chain(owners.flat_map(|symbol| symbol.qualified.split('.')));
        found.extend(
            words
                .filter(|word| !word.is_empty())
                .map(|word| stem(&word.to_lowercase())),
        );
    }
    found
}

/// Whether a name says where a quotation stands: in a definition, above one, or beside the name on
/// its line. What documents a thing must stand in its own documentation, not in that of a member.
fn is_named(
    scene: &Scene<'_>,
    named: &[&str],
    proof: &Proof,
    is_documented: bool,
    quotes: &[String],
) -> bool {
    let Some(name) = named.last() else {
        return false;
    };
    let is_meant = |symbol: &Symbol| {
        let path: Vec<&str> = symbol.qualified.split('.').collect();
        path.ends_with(named)
    };
    let symbols = scene
        .parsed(proof.file)
        .map_or(&[][..], |parsed| parsed.symbols.as_slice());
    let around: Vec<&Symbol> = symbols
        .iter()
        .filter(|symbol| symbol.lines.encloses(proof.lines))
        .collect();
    let holds = |text: &str| identifiers(text).any(|word| word == *name);
    // A name inside the quotation does not say where it stands.
    let beside = || {
        let line = text_of(scene, proof.file, proof.lines)?;
        let line = quotes
            .iter()
            .fold(plain_text(line), |line, quote| line.replace(quote, " "));
        Some(holds(&line))
    };
    let is_around = match is_documented {
        true => around.last().is_some_and(|symbol| is_meant(symbol)),
        false => around.iter().any(|symbol| is_meant(symbol)),
    };
    let is_near = || beside() == Some(true) || below(scene, proof).is_some_and(holds);
    is_around || named.len() == 1 && is_near()
}

fn plain(term: &Term) -> String {
    plain_text(&term.text)
        .trim_end_matches([',', '.'])
        .to_owned()
}

/// Returns the first line of code below a comment or attribute: what it belongs to.
fn below<'a>(scene: &Scene<'a>, proof: &Proof) -> Option<&'a str> {
    let lines = scene.index.lines(proof.file)?;
    let after = Line(proof.lines.end().0 + 1);
    let last = Line((after.0 + MOST_COMMENT).min(lines.line_count()));
    if after > last || !is_above(text_of(scene, proof.file, proof.lines)?) {
        return None;
    }
    let text = text_of(scene, proof.file, LineRange::new(after, last))?;
    text.lines()
        .find(|line| !line.trim().is_empty() && !is_above(line))
}

/// Whether a line is a comment or an attribute, which stands above what it belongs to.
fn is_above(line: &str) -> bool {
    ["//", "/*", "*", "#", "@", "--"]
        .iter()
        .any(|sign| line.trim_start().starts_with(sign))
}
