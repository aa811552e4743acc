//! The storage of conversations. Every answer, rating and title is a record of its own: JSON under
//! a key that begins with the repository's key. So two tabs that write to one conversation do not
//! undo each other's changes, and deleting everything under the repository's prefix deletes all of
//! it.
//!
//! | key | value |
//! |---|---|
//! | `repo/turn/CONVERSATION/TIME` | the answer to the question asked at that time, an [`AnswerRecord`] |
//! | `repo/TIME` | the same in [`ConversationId::EARLIER`], as all earlier versions saved it |
//! | `repo/rating/CONVERSATION/TIME` | the reader's rating of that answer |
//! | `repo/about/CONVERSATION` | [`About`] |
//! | `repo/open` | the conversation that was open last |
//!
//! If a later Footnote saved something, the page says so, and nothing overwrites it ([`stored`]).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::stored::{self, AnswerRecord, RatingRecord, Unread};
use crate::worker::protocol::{
    AnswerView, ConversationEntry, ConversationId, ConversationView, Rating, TurnView,
};
use crate::worker::serve::records::prefix;

/// Most answers of a conversation to read back, newest first.
const MAX_TURNS: usize = 200;
/// Most characters of a question that serves as a title.
const TITLE_CHARS: usize = 80;

/// Shown for a conversation that an earlier version imported, which believed the file's claims
/// about what was sent.
pub const IMPORTED_EARLIER: &str = "Imported by an earlier version of Footnote. It is not known who wrote it or what was sent to a model, so nothing in it is shown as proven.";

/// What a key stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Open,
    About(ConversationId),
    Turn(ConversationId, u64),
    Rating(ConversationId, u64),
}

impl Key {
    pub fn of(self, repo: &str) -> String {
        match self {
            Key::Open => format!("{repo}/open"),
            Key::About(id) => format!("{repo}/about/{}", number(id.0)),
            Key::Turn(ConversationId::EARLIER, at) => prefix(repo) + &number(at),
            Key::Turn(id, at) => turns_of(repo, id) + &number(at),
            Key::Rating(id, at) => ratings_of(repo, id) + &number(at),
        }
    }

    /// Parses `key` of `repo`; `None` for keys of other versions.
    pub fn read(repo: &str, key: &str) -> Option<Self> {
        let rest = key.strip_prefix(repo)?.strip_prefix('/')?;
        let parts: Vec<&str> = rest.split('/').collect();
        let read = |digits: &str| digits.parse::<u64>().ok();
        let id = |digits: &str| read(digits).map(ConversationId);
        match parts.as_slice() {
            ["open"] => Some(Key::Open),
            ["about", conversation] => Some(Key::About(id(conversation)?)),
            ["turn", conversation, at] => Some(Key::Turn(id(conversation)?, read(at)?)),
            ["rating", conversation, at] => Some(Key::Rating(id(conversation)?, read(at)?)),
            [at] => Some(Key::Turn(ConversationId::EARLIER, read(at)?)),
            _ => None,
        }
    }
}

/// Fifteen digits, so that keys sort by time for the next 30,000 years.
fn number(number: u64) -> String {
    format!("{number:015}")
}

/// The prefix of the keys of a conversation's answers. Times begin with a zero until the year 5138,
/// which distinguishes them from the words that begin the other keys.
pub fn turns_of(repo: &str, id: ConversationId) -> String {
    match id {
        ConversationId::EARLIER => prefix(repo) + "0",
        _ => format!("{repo}/turn/{}/", number(id.0)),
    }
}

pub fn ratings_of(repo: &str, id: ConversationId) -> String {
    format!("{repo}/rating/{}/", number(id.0))
}

pub fn abouts(repo: &str) -> String {
    format!("{repo}/about/")
}

/// The record of a conversation, besides its answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The user's title; may be empty.
    pub title: String,
    /// Its first question, stored here so that the list need not read answers.
    pub first: String,
    /// A sentence for the reader, such as where it was imported from.
    pub about: Option<String>,
}

impl About {
    /// The conversation's title in the list.
    pub fn shown(&self) -> String {
        match (self.title.trim(), headline(&self.first)) {
            ("", first) if first.is_empty() => "Earlier questions".to_owned(),
            ("", first) => first,
            (title, _) => title.to_owned(),
        }
    }
}

/// The first line of a question, shortened to fit on one line.
pub fn headline(question: &str) -> String {
    let line = question
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty());
    let line = line.unwrap_or_default();
    match line.char_indices().nth(TITLE_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line).trim_end()),
        None => line.to_owned(),
    }
}

/// The records of a repository, parsed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Book {
    pub open: Option<ConversationId>,
    pub abouts: BTreeMap<ConversationId, About>,
    pub turns: BTreeMap<(ConversationId, u64), AnswerView>,
    pub ratings: BTreeMap<(ConversationId, u64), Rating>,
    /// Records that a later version of Footnote saved.
    pub later: Vec<Key>,
    /// Answers saved by an earlier version, which checked less.
    pub earlier: BTreeSet<(ConversationId, u64)>,
}

impl Book {
    /// Parses records. Those of a later version are listed in [`Book::later`]; damaged ones are
    /// skipped.
    pub fn read(repo: &str, records: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut book = Self::default();
        for (key, value) in records {
            let Some(key) = Key::read(repo, &key) else {
                continue;
            };
            if let Err(Unread::Later(_)) = book.take_in(key, &value) {
                book.later.push(key);
            }
        }
        book
    }

    fn take_in(&mut self, key: Key, value: &str) -> Result<(), Unread> {
        match key {
            Key::Open => self.open = value.parse().ok().map(ConversationId),
            Key::About(id) => {
                let (mut about, version) = stored::read_with_version::<About>(value)?;
                if version < 2 && about.about.is_some() {
                    about.about = Some(IMPORTED_EARLIER.to_owned());
                }
                self.abouts.insert(id, about);
            }
            Key::Turn(id, at) => {
                let (answer, version) = stored::read_with_version::<AnswerRecord>(value)?;
                if version < stored::VERSION {
                    self.earlier.insert((id, at));
                }
                self.turns.insert((id, at), settled(answer.into(), at));
            }
            Key::Rating(id, at) => {
                let rating = serde_json::from_str::<RatingRecord>(value).ok();
                self.ratings
                    .extend(rating.map(|rating| ((id, at), rating.into())));
            }
        }
        Ok(())
    }

    /// The title of a conversation.
    pub fn title(&self, id: ConversationId) -> String {
        let about = self.abouts.get(&id).cloned().unwrap_or_default();
        if !about.title.trim().is_empty() || id != ConversationId::EARLIER {
            return about.shown();
        }
        let first = self.of(id).next();
        let first = first.map(|(_, answer)| headline(&answer.question));
        first.unwrap_or_else(|| about.shown())
    }

    fn of(&self, id: ConversationId) -> impl DoubleEndedIterator<Item = (u64, &AnswerView)> {
        let all = self.turns.range((id, 0)..=(id, u64::MAX));
        all.map(|((_, at), answer)| (*at, answer))
    }

    /// The turns of a conversation, oldest first; if there are very many, only the newest.
    pub fn turns_of(&self, id: ConversationId) -> Vec<TurnView> {
        let newest = self.of(id).rev().take(MAX_TURNS);
        let mut turns: Vec<_> = newest
            .map(|(at, answer)| TurnView {
                answer: answer.clone(),
                rating: self.ratings.get(&(id, at)).copied(),
            })
            .collect();
        turns.reverse();
        turns
    }

    /// A note for the reader about answers that a later version saved.
    fn about_later(&self, id: ConversationId) -> Option<String> {
        let turns = self.later.iter();
        let turns = turns.filter(|key| matches!(key, Key::Turn(of, _) if *of == id));
        match turns.count() {
            0 => None,
            1 => Some(
                "A later version of Footnote saved one answer of this conversation: it is kept, \
                 and that version shows it."
                    .to_owned(),
            ),
            n => Some(format!(
                "A later version of Footnote saved {n} answers of this conversation: they are \
                 kept, and that version shows them."
            )),
        }
    }

    /// Whether an earlier version imported it.
    pub fn is_imported_earlier(&self, id: ConversationId) -> bool {
        let about = self
            .abouts
            .get(&id)
            .and_then(|about| about.about.as_deref());
        about == Some(IMPORTED_EARLIER)
    }

    pub fn conversation(&self, id: ConversationId) -> ConversationView {
        let about = self.abouts.get(&id).cloned().unwrap_or_default();
        ConversationView {
            id,
            title: about.title,
            about: match (about.about, self.about_later(id)) {
                (Some(about), Some(later)) => Some(format!("{about} {later}")),
                (about, later) => about.or(later),
            },
            turns: self.turns_of(id),
        }
    }
}

/// The list of conversations, built only from keys and records about each; `earliest` is the first
/// question of [`ConversationId::EARLIER`].
pub fn list(
    repo: &str,
    keys: &[String],
    abouts: &BTreeMap<ConversationId, About>,
    earliest: Option<&str>,
) -> Vec<ConversationEntry> {
    let turns = keys.iter().filter_map(|key| match Key::read(repo, key) {
        Some(Key::Turn(id, at)) => Some((id, at)),
        _ => None,
    });
    let entry = |(id, questions, last): (ConversationId, u32, u64)| {
        let mut about = abouts.get(&id).cloned().unwrap_or_default();
        if let (ConversationId::EARLIER, Some(earliest)) = (id, earliest) {
            about.first = earliest.to_owned();
        }
        ConversationEntry {
            id,
            title: about.shown(),
            questions,
            asked_at: last as f64,
        }
    };
    newest_first(turns).into_iter().map(entry).collect()
}

/// Each conversation with its number of questions and the time of the last one, most recently asked
/// first.
fn newest_first(
    turns: impl Iterator<Item = (ConversationId, u64)>,
) -> Vec<(ConversationId, u32, u64)> {
    let mut counted: BTreeMap<ConversationId, (u32, u64)> = BTreeMap::new();
    for (id, at) in turns {
        let (questions, last) = counted.entry(id).or_default();
        *questions += 1;
        *last = at.max(*last);
    }
    let mut list: Vec<_> = counted
        .into_iter()
        .map(|(id, (questions, last))| (id, questions, last))
        .collect();
    list.sort_by_key(|&(id, _, last)| std::cmp::Reverse((last, id)));
    list
}

/// Finalises an answer whose refining was cut short by a reload: no more events will come for it.
fn settled(answer: AnswerView, at: u64) -> AnswerView {
    AnswerView {
        refined: true,
        asked_at: at as f64,
        ..answer
    }
}

pub fn answer_record(answer: &AnswerView) -> Result<String, serde_json::Error> {
    stored::write(&AnswerRecord::from(answer.clone()))
}

/// The bare word, as ratings were saved before records had versions.
pub fn rating_record(rating: Rating) -> Result<String, serde_json::Error> {
    serde_json::to_string(&RatingRecord::from(rating))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::serve::conversations::tests::answer;
    use proptest::prelude::*;

    const LATER: ConversationId = ConversationId(1_700_000_000_500);

    fn records(all: &[(Key, String)]) -> Vec<(String, String)> {
        let records = all.iter().map(|(key, value)| (key.of("ab"), value.clone()));
        records.collect()
    }

    fn saved(question: &str) -> String {
        answer_record(&answer(question, &["a.py"])).unwrap()
    }

    #[test]
    fn answers_of_earlier_versions_are_one_conversation() {
        let old = vec![
            ("ab/001700000000000".to_owned(), saved("first?")),
            ("ab/001700000000900".to_owned(), saved("second?")),
        ];
        let book = Book::read("ab", old);
        let view = book.conversation(ConversationId::EARLIER);
        let asked: Vec<_> = view.turns.iter().map(|turn| turn.answer.asked_at).collect();
        assert_eq!(asked, [1_700_000_000_000.0, 1_700_000_000_900.0]);
        assert_eq!(book.title(ConversationId::EARLIER), "first?");
    }

    #[test]
    fn an_answer_saved_before_there_were_times_in_it_can_be_read() {
        let mut value: serde_json::Value = serde_json::from_str(&saved("then?")).unwrap();
        let fields = value.as_object_mut().unwrap();
        fields.remove("asked_at");
        fields.remove("written");
        fields.remove("version");
        let book = Book::read("ab", [("ab/001700000000000".to_owned(), value.to_string())]);
        assert_eq!(book.turns.len(), 1);
    }

    #[test]
    fn the_list_names_the_last_asked_first_and_needs_no_answers() {
        let about = |title: &str, first: &str| About {
            title: title.into(),
            first: first.into(),
            about: None,
        };
        let keys = [
            Key::Turn(ConversationId(5), 5),
            Key::Turn(ConversationId(5), 90),
            Key::Turn(LATER, 40),
            Key::Turn(ConversationId::EARLIER, 1),
            Key::Rating(ConversationId(7), 7),
        ];
        let keys: Vec<String> = keys.iter().map(|key| key.of("ab")).collect();
        let abouts = BTreeMap::from([
            (ConversationId(5), about("", "how?\nand why?")),
            (LATER, about("Release", "what?")),
        ]);
        let list = list("ab", &keys, &abouts, Some("the first"));
        let shown: Vec<_> = list
            .iter()
            .map(|entry| (entry.title.as_str(), entry.questions, entry.asked_at))
            .collect();
        assert_eq!(
            shown,
            [
                ("how?", 2, 90.0),
                ("Release", 1, 40.0),
                ("the first", 1, 1.0)
            ]
        );
    }

    #[test]
    fn ratings_and_titles_are_found_with_their_conversation() {
        let all = records(&[
            (Key::Open, "1700000000500".into()),
            (Key::About(LATER), r#"{"title":"Mine","new":1}"#.into()),
            (Key::Turn(LATER, 9), saved("what?")),
            (Key::Turn(LATER, 11), "{broken".into()),
            (Key::Rating(LATER, 9), r#""good""#.into()),
        ]);
        let book = Book::read("ab", all);
        assert_eq!(book.open, Some(LATER));
        let view = book.conversation(LATER);
        assert_eq!((view.title.as_str(), view.turns.len()), ("Mine", 1));
        assert_eq!(view.turns[0].rating, Some(Rating::Good));
    }

    #[test]
    fn records_of_a_later_version_are_mentioned_and_the_rest_is_read() {
        let later = r#"{"version":3,"question":["in another form"]}"#;
        let mut all = records(&[
            (Key::About(LATER), r#"{"version":9,"title":{}}"#.into()),
            (Key::Turn(LATER, 9), saved("what?")),
            (Key::Turn(LATER, 11), later.into()),
        ]);
        let book = Book::read("ab", all.clone());
        assert_eq!(book.later, [Key::About(LATER), Key::Turn(LATER, 11)]);
        let view = book.conversation(LATER);
        assert_eq!(view.turns.len(), 1);
        assert_eq!(
            view.about.unwrap(),
            "A later version of Footnote saved one answer of this conversation: it is kept, and \
             that version shows it."
        );
        all.extend(records(&[(Key::Turn(LATER, 12), later.into())]));
        let about = Book::read("ab", all).conversation(LATER).about.unwrap();
        assert!(about.contains("saved 2 answers"), "{about}");
        assert_eq!(book.conversation(ConversationId(5)).about, None);
    }

    #[test]
    fn a_long_question_is_cut_to_a_title() {
        for (question, title) in [
            ("", String::new()),
            ("\n  where? \nTraceback", "where?".to_owned()),
            (&"é".repeat(200), format!("{}…", "é".repeat(TITLE_CHARS))),
        ] {
            assert_eq!(headline(question), title);
        }
    }

    proptest! {
        #[test]
        fn keys_come_back_and_lie_under_what_they_are_read_by(
            id in prop_oneof![Just(0), 1..99_999_999_999_999_u64],
            at in 0..99_999_999_999_999_u64,
        ) {
            let id = ConversationId(id);
            for key in [Key::Open, Key::About(id), Key::Turn(id, at), Key::Rating(id, at)] {
                let text = key.of("ab");
                prop_assert_eq!(Key::read("ab", &text), Some(key));
                prop_assert!(text.starts_with(&prefix("ab")));
                prop_assert_eq!(text.starts_with(&turns_of("ab", id)), matches!(key, Key::Turn(..)));
                prop_assert_eq!(text.starts_with(&ratings_of("ab", id)), matches!(key, Key::Rating(..)));
                prop_assert_eq!(text.starts_with(&abouts("ab")), matches!(key, Key::About(_)));
            }
        }
    }
}
