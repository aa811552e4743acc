//! Dependency questions in any wording. Reads which relation is asked for, and in which direction,
//! from the verb, its voice, and where the names stand around it. Tried if no wording of another
//! kind fits.

pub(super) mod connections;
mod mentions;
mod verbs;

use super::Kind;
use super::calls;
use super::say::Say;
use super::subject::Subject;
use super::teller::Teller;
use super::uses::Other;
use super::wording::{Plain, Read, is_one_of};
use crate::index::tokens::is_stop_word;
use mentions::Mention;
use verbs::{Group, Verb};

pub(super) const KIND: Kind = Kind {
    name: "relation",
    wordings: &["ANY"],
    state,
};

/// Words with which a question asks for a reason or a way: these get an answer in prose.
const PROSE: &str = "how why explain describe where when";

/// Words that turn a question into one that these rules do not read.
const TURNS: &str = "\
    without except besides outside standard builtin built-in builtins stdlib arrive arrives route path chain lands stops reach reaches \
    when then optional dev count version versions never both but neither nor public private try \
    override overrides default defaults want argument arguments parameter parameters params args \
    kwargs signature";

/// Maximum number of words that may say something else.
const UNEXPLAINED: usize = 2;

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let plain = Plain::new(teller.question.text()).map(|plain| plain.text());
    let words = verbs::words(&plain.unwrap_or_default());
    let is_prose = words.first().is_some_and(|first| is_one_of(first, PROSE));
    let is_what_if = matches!(words.as_slice(), [what, then, ..]
        if what.eq_ignore_ascii_case("what") && is_one_of(then, "if happens"));
    if is_prose || is_what_if {
        return false;
    }
    let mut mentions = mentions::find(teller, &words);
    let Some(verb) = verbs::find(&words, &mentions) else {
        return false;
    };
    if mentions.len() > 1 {
        mentions.retain(|mention| mention.subject != Subject::Project);
    }
    if mentions.is_empty() {
        return false;
    }
    // What search finds is at best part of such an answer.
    teller.is_recognised = true;
    let takes = verbs::has(&words, &["take", "takes"]) && !verbs::has(&words, &["from"]);
    let is_turned = takes || words.iter().any(|word| is_one_of(word, TURNS));
    if is_turned || is_about_more(&words, &mentions) {
        return false;
    }
    let is_list = verbs::asks_for_a_list(&words, mentions.len());
    if let (true, [first, second]) = (is_list, mentions.as_slice()) {
        // “what calls f in a.py”: a.py only says where f, or its caller, is.
        let placed = [second, first]
            .into_iter()
            .find(|it| verbs::stands_in(&words, it.at));
        let Some(place) = placed.cloned() else {
            return false;
        };
        mentions.retain(|mention| mention.at != place.at);
        if !mentions
            .first()
            .is_some_and(|only| holds(teller, &place, only))
        {
            return false;
        }
    }
    match mentions.as_slice() {
        [only] if is_list => one(teller, &words, only, &verb, read.is_indirect),
        [first, second] if !is_list => two(teller, first, second, &verb, read.is_indirect, &words),
        _ => false,
    }
}

/// Whether the question has several words that neither name something nor help to ask, and what it
/// names are words like any other: then a relation of those is hardly what is asked for.
fn is_about_more(words: &[String], mentions: &[Mention]) -> bool {
    let is_named = |at: usize| mentions.iter().any(|it| it.at <= at && at < it.end);
    let is_code = |(at, word): (usize, &String)| {
        is_named(at)
            && (word.contains(['_', '.', '/', ':']) || word.chars().any(char::is_uppercase))
    };
    if words.iter().enumerate().any(is_code) {
        return false;
    }
    let others = words.iter().enumerate().filter(|(at, _)| !is_named(*at));
    let others = others.map(|(_, word)| word.to_lowercase());
    let is_more = |word: &String| {
        !is_stop_word(word) && !super::is_word_of_asking(word) && !verbs::is_verb_of(word)
    };
    others.filter(is_more).count() > UNEXPLAINED
}

/// Whether a place holds everything that a name means, so that it narrows nothing.
fn holds(teller: &Teller<'_, '_>, place: &Mention, only: &Mention) -> bool {
    let Subject::Symbols(symbols, _) = &only.subject else {
        return false;
    };
    let files = super::evidence::files(teller.index, &place.subject);
    symbols.iter().all(|symbol| files.contains(&symbol.file))
}

/// States whether one uses the other.
fn two(
    teller: &mut Teller<'_, '_>,
    first: &Mention,
    second: &Mention,
    verb: &Verb,
    is_far: bool,
    words: &[String],
) -> bool {
    let both = verbs::has(
        words,
        &[
            "other", "another", "mutual", "mutually", "both", "circular", "cyclic",
        ],
    );
    if verb.group == Group::Couple || both {
        Say::new(teller).coupled(&first.subject, &second.subject, both);
        return !teller.notes.statements.is_empty();
    }
    // “is A used by B”, “the use of A in B”, “is A something that B uses”
    let is_turned = verb.is_passive
        || verb.at < first.at && verbs::stands_in(words, second.at)
        || verb.at > second.at && !verb.is_noun();
    let (x, y) = match is_turned {
        true => (second, first),
        false => (first, second),
    };
    let is_of_code = [x, y]
        .iter()
        .all(|it| matches!(it.subject, Subject::Symbols(..)));
    if is_of_code && !is_far && verb.group == Group::Call {
        return calls::tell(teller, &x.subject, &y.subject);
    }
    let is_far = is_far && !matches!(x.subject, Subject::Symbols(..));
    // A “no” is exact for imports only: calls can be made in ways that the graph does not see.
    let is_import = verb.group == Group::Use && !matches!(x.subject, Subject::Symbols(..));
    if !is_far && !is_import && !Say::new(teller).is_used(&x.subject, &y.subject) {
        return false;
    }
    let y = Other::Known(y.subject.clone());
    let mut say = Say::new(teller);
    match is_far {
        true => say.reaches(&x.subject, &y),
        false => say.uses(&x.subject, &y),
    }
    say.is_said()
}

/// States what uses the subject, or what it uses.
fn one(
    teller: &mut Teller<'_, '_>,
    words: &[String],
    only: &Mention,
    verb: &Verb,
    is_far: bool,
) -> bool {
    if only.subject == Subject::Project && verb.group != Group::Use {
        return false;
    }
    let x = &only.subject;
    let is_outward = verb.is_outward(words, only.at);
    let is_code = matches!(x, Subject::Symbols(..));
    let mut say = Say::new(teller);
    match (verb.group, is_outward) {
        (Group::Call, true) if is_code => say.callees(x),
        (Group::Call, false) if is_code && verbs::asks_for_files(words) => say.calling_files(x),
        (Group::Call, false) if is_code => say.callers(x),
        (Group::Use, true) if verbs::asks_for_libraries(words) => {
            say.libraries(
                x,
                verbs::has(words, &["external", "third", "third-party", "party", "npm"]),
            );
        }
        (Group::Use, true) if is_code => say.callees(x),
        (Group::Use, true) => say.imports(x, verbs::has(words, &["files", "file", "modules"])),
        (Group::Use, false) if *x == Subject::Project => return false,
        (Group::Use, false) if is_far => say.dependents(x),
        (Group::Use, false) => say.importers(x),
        _ => return false,
    }
    say.is_said()
}
