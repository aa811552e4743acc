//! What a part of the code uses and what uses it, for questions that name it and ask for a relation
//! in words that nothing else reads: “`reserve_inner` gets hit by which methods”. Always a guess.

use super::mentions::{self, Mention};
use super::verbs;
use crate::answer::kinds::Kind;
use crate::answer::kinds::calls;
use crate::answer::kinds::path;
use crate::answer::kinds::say::Say;
use crate::answer::kinds::subject::Subject;
use crate::answer::kinds::teller::Teller;
use crate::answer::kinds::wording::{Read, is_one_of};
use crate::index::tokens::is_stop_word;

pub(in crate::answer::kinds) const KIND: Kind = Kind {
    name: "relation",
    wordings: &["ANY"],
    state,
};

/// Words with which a question asks for a reason, a way, or what happens in some case.
const PROSE: &str = "how why explain describe when if unless before after until because";

/// Words for a relation, besides the verbs that [`verbs`] reads.
const RELATED: &str = "\
    feed feeds feeding fed go goes going gone went through via hit hits land lands arrive arrives \
    stop stops break breaks borrow borrows hand hands sit sits top tangled know knows touch touches \
    need needs involve involves involved compile compiling";

/// Arrows, as in “f <- ?”.
const ARROWS: [&str; 6] = ["<-", "->", "→", "←", "=>", "<="];

/// Words for something that other kinds tell of.
const OTHER: &str = "\
    error errors exception exceptions raise raises raised throw throws default defaults test tests \
    tested value values argument arguments parameter parameters return returns returned version \
    versions documented documentation defined declared";

/// Maximum number of words that may say something else beside names and relations.
const UNEXPLAINED: usize = 4;

/// Words that ask for a part of the code.
const ASKED: &str = "which what who whom whose where";

/// Words that ask whether something is so, unless one of [`ASKED`] stands before the names, too.
const POLAR: &str = "is are does do did has have can could will would any whether";

fn state(teller: &mut Teller<'_, '_>, _: &Read) -> bool {
    let text = teller.question.text().to_owned();
    let words = verbs::words(&text);
    let is_other = |word: &String| is_one_of(word, PROSE) || is_one_of(word, OTHER);
    if words.iter().any(is_other) {
        return false;
    }
    let mut mentions = mentions::find(teller, &words);
    mentions.retain(|it| is_as_code(&text, &words, it));
    if !is_of_relation(&text, &words, &mentions) || unexplained(&words, &mentions) > UNEXPLAINED {
        return false;
    }
    teller.is_guess = true;
    match mentions.as_slice() {
        [only] if !is_polar(&words, only) => around(teller, &words, only),
        // “what in a.py feeds f”, where f is defined in a.py
        [place, only] | [only, place]
            if matches!(place.subject, Subject::Files(..)) && super::holds(teller, place, only) =>
        {
            around(teller, &words, only)
        }
        [first, second] => between(teller, &words, first, second),
        _ => false,
    }
}

/// Whether a mention is written as code is, and is not the project.
fn is_as_code(text: &str, words: &[String], mention: &Mention) -> bool {
    if mention.subject == Subject::Project {
        return false;
    }
    let written = words.get(mention.at..mention.end).unwrap_or_default();
    written.iter().any(|word| {
        let inner = word.chars().skip(1);
        word.contains(['_', '.', '/', ':'])
            || inner.clone().any(char::is_uppercase) && inner.clone().any(char::is_lowercase)
            || text.contains(&format!("`{word}"))
            || text.contains(&format!("{word}("))
    })
}

fn is_of_relation(text: &str, words: &[String], mentions: &[Mention]) -> bool {
    ARROWS.iter().any(|arrow| text.contains(arrow))
        || verbs::find(words, mentions).is_some()
        || words.iter().any(|word| is_one_of(word, RELATED))
}

/// Returns the number of words that are neither names nor words of asking.
fn unexplained(words: &[String], mentions: &[Mention]) -> usize {
    let is_named = |at: usize| mentions.iter().any(|it| it.at <= at && at < it.end);
    let others = words.iter().enumerate().filter(|(at, _)| !is_named(*at));
    let is_other = |word: &String| {
        let is_relation = verbs::is_verb_of(word) || is_one_of(word, RELATED);
        !is_relation && !is_stop_word(word) && !crate::answer::kinds::is_word_of_asking(word)
    };
    let others = others.map(|(_, word)| word.to_lowercase());
    others.filter(is_other).count()
}

/// States what uses the part and what it uses, first what is rather asked for.
fn around(teller: &mut Teller<'_, '_>, words: &[String], only: &Mention) -> bool {
    let x = &only.subject;
    let is_outward = is_outward(words, only.at);
    let mut say = Say::new(teller);
    for is_outward in [is_outward, !is_outward] {
        match (x, is_outward) {
            (Subject::Symbols(..), true) => say.callees(x),
            (Subject::Symbols(..), false) => say.callers(x),
            (Subject::Files(..), true) => say.imports(x, true),
            (Subject::Files(..), false) => say.importers(x),
            (_, true) => {}
            (_, false) => say.importers(x),
        }
    }
    say.is_said()
}

/// Whether the question asks what the name uses: “f leans on which helpers”, “what runs inside f”.
fn is_outward(words: &[String], at: usize) -> bool {
    let asked = words.iter().position(|word| is_one_of(word, ASKED));
    let is_by = asked
        .and_then(|asked| words.get(asked.checked_sub(1)?))
        .is_some_and(|word| is_one_of(word, "by from"));
    match asked {
        // “f feeds which functions” asks what uses it.
        Some(asked) if asked > at => !is_by && !verbs::has(words, &["feed", "feeds", "feeding"]),
        // “which helpers does f lean on”
        _ => at
            .checked_sub(1)
            .and_then(|before| words.get(before))
            .is_some_and(|word| is_one_of(word, "inside within does do did can may will")),
    }
}

/// Whether a question asks if something is so.
fn is_polar(words: &[String], first: &Mention) -> bool {
    let before = words.get(..first.at).unwrap_or_default();
    let has = |list: &str| before.iter().any(|word| is_one_of(word, list));
    has(POLAR) && !has(ASKED)
}

/// States how one part leads to the other.
fn between(
    teller: &mut Teller<'_, '_>,
    words: &[String],
    first: &Mention,
    second: &Mention,
) -> bool {
    let (x, y) = (&first.subject, &second.subject);
    let (Subject::Symbols(from, _), Subject::Symbols(to, _)) = (x, y) else {
        let mut say = Say::new(teller);
        say.coupled(x, y, false);
        return say.is_said();
    };
    if is_polar(words, first) {
        return calls::tell(teller, x, y);
    }
    path::state_certain(teller, from, to, "") || path::state_certain(teller, to, from, "")
}

#[cfg(test)]
mod tests {
    use crate::answer::kinds::{self, Reading};
    use crate::answer::notes::Notes;
    use crate::answer::plain;
    use crate::index::tests::whole_index;
    use crate::search::Question;

    const FILES: &[(&str, &str)] = &[
        (
            "src/post.py",
            "def put_label(item):\n    pass\n\n\ndef weigh_item(item):\n    put_label(item)\n\n\n\
             def carry_item(item):\n    weigh_item(item)\n",
        ),
        (
            "src/desk.py",
            "from post import weigh_item\n\n\ndef serve(item):\n    weigh_item(item)\n",
        ),
    ];

    /// Returns the first statement, and whether it is a guess.
    fn said(question: &str) -> Option<(String, bool)> {
        let index = whole_index("post-1.0", FILES);
        let mut notes = Notes::new(&index.repo);
        let question = Question::new(question).unwrap();
        let reading = kinds::state(&index, &question, &mut notes);
        let first = notes.statements.first().map(|it| plain(&it.spans));
        match reading {
            Reading::Told { is_guess, .. } => Some((first?, is_guess)),
            _ => None,
        }
    }

    #[test]
    fn a_relation_in_any_words_is_answered_as_a_guess() {
        for (question, expected) in [
            (
                "weigh_item gets hit by which functions",
                "`weigh_item` in `src/post.py` is called at 2 places: in `serve` and `carry_item`.",
            ),
            (
                "weigh_item <- ?",
                "`weigh_item` in `src/post.py` is called at 2 places: in `serve` and `carry_item`.",
            ),
            (
                "weigh_item hands its work over to which helper",
                "`weigh_item` in `src/post.py` calls `put_label`.",
            ),
            (
                "any chance that carry_item goes through weigh_item",
                "Yes. `carry_item` in `src/post.py` calls `weigh_item`.",
            ),
            (
                "Via which stops does carry_item land in put_label?",
                "`carry_item` calls `weigh_item`, which calls `put_label`.",
            ),
            (
                "name all that sits on top of weigh_item",
                "`weigh_item` in `src/post.py` is called at 2 places: in `serve` and `carry_item`.",
            ),
            (
                "what in src/post.py feeds weigh_item",
                "`weigh_item` in `src/post.py` is called at 2 places: in `serve` and `carry_item`.",
            ),
            (
                "src/post.py feeds who",
                "`src/post.py` is imported by 1 file: `src/desk.py`.",
            ),
        ] {
            let found = said(question);
            assert_eq!(found, Some((expected.to_owned(), true)), "{question}");
        }
    }

    #[test]
    fn other_questions_are_left_to_the_search() {
        for question in [
            "why does weigh_item hit the limit",
            "which errors land in weigh_item",
            "does weigh_item need anything",
            "is the scale touched when somebody forgets their parcel before weigh_item was ready",
        ] {
            assert_eq!(said(question), None, "{question}");
        }
    }
}
