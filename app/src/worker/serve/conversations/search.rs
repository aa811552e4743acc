//! Search over questions and answers. It looks for plain words in plain text: a conversation has a
//! few hundred lines, and whoever searches it remembers a word from it.

use std::ops::Range;

use super::records::Book;
use crate::worker::protocol::{AnswerView, FoundTurn, FoundView, SpanView, StatementView};

/// Most turns to list.
const MAX_FOUND: usize = 50;
/// Characters of a line shown before and after the word.
const BEFORE: usize = 40;
const AFTER: usize = 110;

/// Returns the turns that contain every word of `query`, newest first.
pub fn search(book: &Book, query: &str) -> FoundView {
    let words: Vec<&str> = query.split_whitespace().collect();
    let mut found = FoundView {
        query: query.to_owned(),
        ..FoundView::default()
    };
    if words.is_empty() {
        return found;
    }
    let mut turns: Vec<_> = book.turns.iter().collect();
    turns.sort_by_key(|((_, at), _)| std::cmp::Reverse(*at));
    for (&(id, at), answer) in turns {
        let Some(line) = best_line(&lines(answer), &words) else {
            continue;
        };
        if found.turns.len() >= MAX_FOUND {
            found.more += 1;
            continue;
        }
        found.turns.push(FoundTurn {
            conversation: id,
            title: book.title(id),
            asked_at: at as f64,
            question: answer.question.clone(),
            line,
        });
    }
    found
}

/// The searchable text of a turn, line by line.
fn lines(answer: &AnswerView) -> Vec<String> {
    let mut lines: Vec<String> = answer.question.lines().map(str::to_owned).collect();
    if let Some(written) = &answer.written {
        lines.extend(written.text.lines().map(str::to_owned));
    }
    for statement in &answer.statements {
        lines.push(plain(statement));
        let items = statement.items.iter();
        lines.extend(items.map(|item| format!("{} {}", item.name, item.detail)));
    }
    lines.extend(answer.nothing.clone());
    let written = answer.written.iter().flat_map(|written| &written.footnotes);
    for note in answer.footnotes.iter().chain(written) {
        lines.push(format!("{}:{}-{}", note.path, note.start, note.end));
    }
    lines
}

/// A statement as plain text.
pub fn plain(statement: &StatementView) -> String {
    let spans = statement.spans.iter().map(|span| match span {
        SpanView::Text(text) | SpanView::Code(text) => text.as_str(),
    });
    spans.collect()
}

/// Returns the line with most of the words, cut around the first of them, if the lines together
/// contain all words.
fn best_line(lines: &[String], words: &[&str]) -> Option<(String, String, String)> {
    let has = |line: &String, word: &&str| find(line, word).is_some();
    if !words
        .iter()
        .all(|word| lines.iter().any(|line| has(line, word)))
    {
        return None;
    }
    let count = |line: &&String| words.iter().filter(|word| has(line, word)).count();
    // Of equally good lines, takes the first: the question before the answer.
    let best = lines.iter().rev().max_by_key(count)?;
    let hit = words.iter().find_map(|word| find(best, word))?;
    Some(cut(best, hit))
}

fn cut(line: &str, hit: Range<usize>) -> (String, String, String) {
    let (before, rest) = line.split_at(hit.start);
    let (word, after) = rest.split_at(hit.end - hit.start);
    let skipped = before.chars().count().saturating_sub(BEFORE);
    let start: String = before.chars().skip(skipped).collect();
    let start = match skipped {
        0 => start,
        _ => format!("…{start}"),
    };
    let mut end: String = after.chars().take(AFTER).collect();
    if end.len() < after.len() {
        end.push('…');
    }
    (start.trim_start().to_owned(), word.to_owned(), end)
}

/// Finds `word` in `text`, ignoring case.
fn find(text: &str, word: &str) -> Option<Range<usize>> {
    let wanted: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    let starts = text.char_indices().map(|(at, _)| at);
    starts
        .filter_map(|start| Some(start..start + matching(text.get(start..)?, &wanted)?))
        .next()
}

/// The length in bytes of the start of `text` that equals the wanted characters in lower case.
fn matching(text: &str, wanted: &[char]) -> Option<usize> {
    let mut left = wanted;
    for (at, character) in text.char_indices() {
        for lower in character.to_lowercase() {
            let (first, rest) = left.split_first()?;
            if *first != lower {
                return None;
            }
            left = rest;
        }
        if left.is_empty() {
            return Some(at + character.len_utf8());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{ConversationId, ItemView};
    use crate::worker::serve::conversations::tests::answer;
    use proptest::prelude::*;

    fn book(questions: &[(u64, u64, &str)]) -> Book {
        let turns = questions.iter().map(|(id, at, question)| {
            let key = (ConversationId(*id), *at);
            (key, answer(question, &["src/Session.py"]))
        });
        Book {
            turns: turns.collect(),
            ..Book::default()
        }
    }

    #[test]
    fn all_words_must_be_there_but_not_in_one_line() {
        let book = book(&[
            (1, 10, "How are cookies merged?"),
            (2, 20, "Where is it sent?"),
        ]);
        for (query, found) in [
            ("COOKIES", vec![10]),
            ("cookies session.py", vec![10]),
            ("cookies sent", vec![]),
            ("session", vec![20, 10]),
            ("is here", vec![20, 10]),
            ("  ", vec![]),
        ] {
            let turns = search(&book, query).turns;
            let times: Vec<u64> = turns.iter().map(|turn| turn.asked_at as u64).collect();
            assert_eq!(times, found, "{query}");
        }
    }

    #[test]
    fn items_in_a_list_below_a_statement_are_found() {
        let mut book = book(&[(1, 10, "How?")]);
        let answer = book.turns.values_mut().next().unwrap();
        answer.statements[0].items = vec![ItemView {
            name: "Session.send".into(),
            detail: "in tests".into(),
            footnote: 1,
        }];
        assert_eq!(search(&book, "session.send tests").turns.len(), 1);
    }

    #[test]
    fn the_line_is_cut_around_the_word_as_it_stands_there() {
        let long = format!("{} Straße {}", "ä".repeat(100), "ö".repeat(300));
        let book = book(&[(1, 10, &long)]);
        let turns = search(&book, "STRASSE straße").turns;
        assert!(turns.is_empty(), "ß is one letter here: {turns:?}");
        let turns = search(&book, "STRAßE").turns;
        let (before, word, after) = &turns[0].line;
        assert_eq!(word, "Straße");
        assert_eq!(before.chars().count(), BEFORE + 1);
        assert_eq!(after.chars().count(), AFTER + 1);
    }

    #[test]
    fn results_that_are_not_listed_are_counted() {
        let many: Vec<_> = (0..MAX_FOUND as u64 + 7)
            .map(|at| (1, at, "the same"))
            .collect();
        let found = search(&book(&many), "same");
        assert_eq!((found.turns.len(), found.more), (MAX_FOUND, 7));
    }

    proptest! {
        #[test]
        fn any_word_is_found_in_any_text_that_holds_it(before in ".{0,20}", word in "\\S{1,8}", after in ".{0,20}") {
            let text = format!("{before}{word}{after}");
            let at = find(&text, &word);
            prop_assert!(at.is_some());
            let (start, hit, end) = cut(&text, at.unwrap());
            prop_assert!(text.contains(&hit));
            prop_assert!(start.chars().count() <= BEFORE + 1 && end.chars().count() <= AFTER + 1);
        }
    }
}
