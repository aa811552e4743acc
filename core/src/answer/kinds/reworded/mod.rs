//! Questions in words that no kind foresees: read by their cues and by the names in them, and put
//! into a wording that a kind reads ([`rules`]). “Which exceptions can the `Broker` constructor
//! raise” is read as “which errors does `Broker.__init__` raise”.

mod clauses;
mod names;
mod places;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::KINDS;
use super::teller::Teller;
use super::texts::is_polar;
use super::wording::Plain;
use crate::answer::plain;
use names::{Name, Written};
use places::Place;
pub(super) use places::within;
use rules::{Named, RULES, Rule};

/// Beginnings with which a question asks for a reason or a way.
const PROSE: &str = "how why when explain describe what_if what_happens can should";

/// Words that turn what is asked into something else.
const TURNS: &str = "\
    besides except instead without rather other_than apart_from not version versions no_one nobody \
    leaving_out";

/// Maximum number of words that neither a rule nor a name explains: with more of them, the question
/// asks for something else.
const UNEXPLAINED: usize = 2;

/// The same where the question begins by asking for a list.
const UNEXPLAINED_BEHIND: usize = 6;

/// Kinds that answer yes or no themselves.
const ANSWERS_POLAR: [&str; 5] = ["uses", "calls", "usages", "raises", "path"];

/// Beginnings with which a question asks for a list.
const LISTED: &str = "which what list show all";

/// Maximum number of words before what a question begins by asking for.
const BEFORE_FIRST: usize = 2;

/// States the answer of a question that a kind reads in other words; returns the kind's name.
pub(super) fn state(teller: &mut Teller<'_, '_>) -> Option<&'static str> {
    for (at, clause) in clauses::of(teller).into_iter().enumerate() {
        if at > 0
            && let Some(kind) = told(teller, &clause)
        {
            teller
                .note
                .get_or_insert_with(|| format!("Read as “{clause}”."));
            return Some(kind);
        }
        let mut words = names::words(&clause);
        let place = places::take(teller, &mut words);
        let names = names::find(teller, &words);
        for rule in RULES {
            let Some((asked, unexplained)) = reworded(rule, &words, &names) else {
                continue;
            };
            if let Some(kind) = within(teller, place.as_ref(), |teller| {
                told_something(teller, &asked)
            }) {
                let shown = place
                    .as_ref()
                    .map_or(String::new(), |place| format!(" {}", place.shown));
                teller
                    .note
                    .get_or_insert_with(|| format!("Read as “{asked}{shown}”."));
                // A list is no yes and no no.
                let is_beside = is_polar(teller) && !ANSWERS_POLAR.contains(&kind);
                teller.is_guess |= unexplained > 0 || is_beside;
                return Some(kind);
            }
        }
    }
    None
}

/// Words of questions on who uses something; elsewhere “in tests” can be what is asked about.
const OF_USERS: &str = "call calls import imports use uses subclass subclasses extends inherits";

/// Returns “outside tests” or “under src”, if the question says so, and the question without it.
pub(super) fn place(teller: &Teller<'_, '_>) -> (Option<Place>, String) {
    let text = teller.question.text();
    let mut words = names::words(text);
    let is_of_users = cue(OF_USERS, &words, &[]).is_some();
    let place = places::take_outside_tests(teller, &mut words);
    let place = match place {
        None if is_of_users => places::take_role(teller, &mut words)
            .or_else(|| places::take_root_folder(teller, &mut words)),
        place => place,
    };
    match place {
        Some(place) => (Some(place), words.join(" ")),
        None => (None, text.to_owned()),
    }
}

/// Returns the question in the rule's wording, if the rule reads it, and how many of its words and
/// names nothing explains.
fn reworded(rule: &Rule, words: &[String], names: &[Name]) -> Option<(String, usize)> {
    let is_prose = cue(PROSE, words, names).is_some_and(|(at, _)| at == 0);
    let is_turned = cue(TURNS, words, names).or(cue(rule.without, words, names));
    let is_pattern = words.iter().any(|word| word.contains('*'));
    if is_prose && !rule.is_prose || is_turned.is_some() || is_pattern {
        return None;
    }
    let cues: Option<Vec<_>> = rule
        .cues
        .iter()
        .map(|cues| cue(cues, words, names))
        .collect();
    let cues = cues?;
    let at = *cues.first()?;
    let unexplained = unexplained(words, names, &cues);
    let most = match rule.is_first {
        true if at.0 <= BEFORE_FIRST && cue(LISTED, words, &[]).is_some_and(|(at, _)| at == 0) => {
            UNEXPLAINED_BEHIND
        }
        true => return None,
        false => UNEXPLAINED,
    };
    if unexplained > most {
        return None;
    }
    let (x, y) = chosen(rule, names, at)?;
    let is_used = |name: &&Name| {
        [x, y]
            .into_iter()
            .flatten()
            .any(|told| told.text == name.text)
    };
    let is_named = |name: &&Name| name.written == Written::AsCode;
    let untold = names
        .iter()
        .filter(is_named)
        .filter(|name| !is_used(name))
        .count();
    let fill = |word: &str| match (word, x, y) {
        ("X", Some(x), _) => x.text.clone(),
        ("Y", _, Some(y)) => y.text.clone(),
        _ => word.to_owned(),
    };
    let asked: Vec<String> = rule.wording.split(' ').map(fill).collect();
    Some((asked.join(" "), unexplained + untold))
}

/// Returns the names for `X` and `Y`, of those that stand where the rule wants them around its cue.
fn chosen<'n>(
    rule: &Rule,
    names: &'n [Name],
    cue: (usize, usize),
) -> Option<(Option<&'n Name>, Option<&'n Name>)> {
    let is_wanted = |name: &&Name| match rule.named {
        // A chain between guesses would say nothing.
        Named::Both => name.written != Written::Apart,
        _ => name.written != Written::AsWord,
    };
    let names: Vec<&Name> = names.iter().filter(is_wanted).collect();
    let before = || names.iter().copied().rfind(|name| name.end <= cue.0);
    let behind = || names.iter().copied().find(|name| name.at >= cue.1);
    Some(match (rule.named, names.as_slice()) {
        (Named::Nothing, _) => (None, None),
        (Named::One, [only]) => (Some(*only), None),
        (Named::One, _) => return None,
        (Named::Before, _) => (Some(before()?), None),
        (Named::Behind, _) => (Some(behind()?), None),
        // “from A down to B”
        (Named::Both, [first, second]) => (Some(*first), Some(*second)),
        (Named::Both, _) => (Some(before()?), Some(behind()?)),
    })
}

/// Returns the number of different words that are neither cues nor names nor words of asking.
fn unexplained(words: &[String], names: &[Name], cues: &[(usize, usize)]) -> usize {
    let is_cue = |at: usize| cues.iter().any(|cue| cue.0 <= at && at < cue.1);
    let is_name = |at: usize| names.iter().any(|name| name.at <= at && at < name.end);
    let left = words
        .iter()
        .enumerate()
        .filter(|(at, _)| !is_cue(*at) && !is_name(*at));
    let is_said = |word: &String| {
        names
            .iter()
            .any(|name| name.text.eq_ignore_ascii_case(word))
    };
    let left: BTreeSet<String> = left
        .map(|(_, word)| word.to_lowercase())
        .filter(|word| !names::is_small(word) && !is_said(word))
        .collect();
    left.len()
}

/// Returns where the first of the cues stands, outside of names: its first word and the one after
/// its last.
fn cue(cues: &str, words: &[String], names: &[Name]) -> Option<(usize, usize)> {
    let is_free = |at: usize| !names.iter().any(|name| name.at <= at && at < name.end);
    (0..words.len()).filter(|at| is_free(*at)).find_map(|at| {
        cues.split_whitespace().find_map(|cue| {
            let parts = cue.split('_').count();
            let written = words.get(at..at + parts)?.join("_").to_lowercase();
            (written == cue).then_some((at, at + parts))
        })
    })
}

/// Answers the reworded question, by the kinds that read its wording.
fn told(teller: &mut Teller<'_, '_>, asked: &str) -> Option<&'static str> {
    let plain = Plain::new(asked)?;
    super::told_by(teller, &plain, KINDS, &mut Vec::new())
}

/// Like [`told`], but not that there is nothing: the question may mean something else.
fn told_something(teller: &mut Teller<'_, '_>, asked: &str) -> Option<&'static str> {
    let before = (teller.notes.statements.len(), teller.notes.footnotes.len());
    let kind = told(teller, asked)?;
    if says_something(teller, kind) {
        return Some(kind);
    }
    teller.notes.statements.truncate(before.0);
    teller.notes.footnotes.truncate(before.1);
    teller.note = None;
    None
}

/// Whether the answer lists something, is a yes, or is a chain.
fn says_something(teller: &Teller<'_, '_>, kind: &str) -> bool {
    let mut statements = teller.notes.statements.iter();
    match kind {
        "uses" | "calls" => statements.next().is_some_and(|first| {
            let first = plain(&first.spans);
            !first.starts_with("No. ") && !first.starts_with("No, ")
        }),
        "path" => statements
            .next()
            .is_some_and(|first| !plain(&first.spans).starts_with("No ")),
        _ => statements.any(|it| !it.items.is_empty()),
    }
}
