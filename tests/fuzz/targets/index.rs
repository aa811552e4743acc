//! Saved sections → an index that can be searched, or an error. The input is text, one change per
//! line:
//!
//! ```text
//! set SECTION OFFSET BYTE
//! cut SECTION LENGTH
//! add SECTION OFFSET BYTE
//! take SECTION FROM
//! drop SECTION
//! seal
//! ```
//!
//! Offsets are taken modulo the section's length. `take` replaces the bytes of a section with those
//! of another. `seal` corrects the checksums, so that the changes before it are believed.

use std::sync::LazyLock;

use footnote_core::index::format::{HEAD, checksum, decode, encode};
use footnote_core::index::{Index, Vectors};
use footnote_core::search::{Question, Strategy, search};

use crate::mutate::Rng;
use crate::sample::INDEX;
use crate::target::Target;

pub const TARGET: Target = Target {
    name: "index",
    make,
    check,
};

type Sections = Vec<(&'static str, Vec<u8>)>;

static SECTIONS: LazyLock<Sections> = LazyLock::new(|| sections(&INDEX));

/// Magic and version, which the checksum of the head does not cover.
const BEFORE_HEAD: usize = 12;

fn sections(index: &Index) -> Sections {
    encode(index)
        .map(|section| (section.name, section.into_bytes()))
        .collect()
}

fn make(rng: &mut Rng) -> Vec<u8> {
    let mut lines = Vec::new();
    for _ in 0..=rng.below(4) {
        let (section, bytes) = rng.pick(&SECTIONS);
        // Counts and lengths are at the front.
        let at = match rng.one_in(3) {
            true => rng.below(24),
            false => rng.below(bytes.len()),
        };
        let odd = *rng.pick(&[0, 1, 2, 0x7f, 0x80, 0xff]);
        let byte = if rng.one_in(2) { odd } else { rng.below(256) };
        lines.push(match rng.below(24) {
            0 => format!("cut {section} {at}"),
            1 => format!("add {section} {at} {byte}"),
            2 => format!("take {section} {}", rng.pick(&SECTIONS).0),
            3 => format!("drop {section}"),
            _ => format!("set {section} {at} {byte}"),
        });
    }
    if !rng.one_in(6) {
        lines.push("seal".to_owned());
    }
    lines.join("\n").into_bytes()
}

fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut changed = SECTIONS.clone();
    let mut is_sealed = false;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        is_sealed |= words == ["seal"];
        if change(&mut changed, &words).is_none() {
            return;
        }
    }
    let is_same = changed == *SECTIONS;
    match decode(changed) {
        Err(_) => assert!(!is_same, "what was saved can be read"),
        Ok(index) => {
            assert!(is_sealed || is_same, "a change that was not seen");
            is_used(&index);
        }
    }
}

/// Carries out a line; `None` if that is impossible.
fn change(sections: &mut Sections, words: &[&str]) -> Option<()> {
    if words == ["seal"] {
        seal(sections);
        return Some(());
    }
    let wanted = words.get(1)?;
    let at = sections.iter().position(|(name, _)| name == wanted)?;
    let number = |word: usize| words.get(word)?.parse::<usize>().ok();
    let length = sections[at].1.len();
    match *words.first()? {
        "set" if length > 0 => sections[at].1[number(2)? % length] = number(3)? as u8,
        "add" => sections[at]
            .1
            .insert(number(2)? % (length + 1), number(3)? as u8),
        "cut" => sections[at].1.truncate(number(2)? % (length + 1)),
        "take" => {
            let other = words.get(2)?;
            let from = sections.iter().find(|(name, _)| name == other)?;
            sections[at].1 = from.1.clone();
        }
        "drop" => {
            sections.remove(at);
        }
        _ => return None,
    }
    Some(())
}

/// Writes the checksums of the present sections into the head, if it can be read.
fn seal(sections: &mut Sections) -> Option<()> {
    let sums: Vec<u64> = SECTIONS
        .iter()
        .filter(|(name, _)| *name != HEAD)
        .filter_map(|(name, _)| sections.iter().find(|(found, _)| found == name))
        .map(|(_, bytes)| checksum(bytes))
        .collect();
    let (_, head) = sections.iter_mut().find(|(name, _)| *name == HEAD)?;
    let body = head.get(BEFORE_HEAD..head.len().checked_sub(8)?)?;
    let ((name, _), skipped) = postcard::take_from_bytes::<(String, Vec<u64>)>(body).ok()?;
    let mut sealed = postcard::to_stdvec(&(name, sums)).ok()?;
    sealed.extend(skipped);
    head.truncate(BEFORE_HEAD);
    let sum = checksum(&sealed);
    head.extend(sealed);
    head.extend(sum.to_le_bytes());
    Some(())
}

/// Uses an index as the page does. It may contain nonsense, since the input can seal a damaged
/// section; it must not panic.
fn is_used(index: &Index) {
    for (id, _) in index.chunk_ids() {
        let _ = (index.path_of(id), index.text_of(id), index.title(id));
        let _ = (index.trimmed_lines(id), index.embedding_text(id));
        let _ = (index.symbol_of(id), index.symbols_in(id).count());
    }
    let question = Question::new("which job does lease take").expect("a question");
    let vectors = Vectors::new(1, 0);
    let hits = search(index, &vectors, &question, None, &Strategy::default(), 10);
    let _ = footnote_core::answer::answer(index, &question, &hits);
    let again = decode(sections(index)).expect("what is saved can be read");
    assert_eq!(again.chunks.len(), index.chunks.len());
}

#[test]
fn damaged_sections_are_an_error_or_an_index_that_can_be_searched() {
    crate::run::test(&TARGET, 300);
}

#[test]
fn sealing_without_a_change_gives_the_saved_sections() {
    let mut sealed = SECTIONS.clone();
    seal(&mut sealed).unwrap();
    assert_eq!(sealed, *SECTIONS);
}
