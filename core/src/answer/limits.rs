//! Answers to a question that is limited to some files: which part of an answer lies in them, and
//! how the answer says so.

use std::collections::BTreeSet;

use super::notes::{Entry, text};
use super::prose::code_list;
use super::{Footnote, Span, Statement, plain};
use crate::search::Within;

/// Keeps the entries of a list that lie in the files, and says so in its sentence. A list that has
/// none stays as it is: the answer as a whole says that it lies outside.
pub(super) fn of_list(within: &Within, lead: Vec<Span>, entries: &mut Vec<Entry>) -> Vec<Span> {
    let is_inside = |entry: &Entry| within.holds(entry.source.file);
    let n = entries.iter().filter(|entry| is_inside(entry)).count();
    if n == 0 || n == entries.len() {
        return lead;
    }
    entries.retain(is_inside);
    // A sentence that counts continues with the count; one that only names stays true with fewer
    // names.
    let at = lead
        .iter()
        .rposition(|span| matches!(span, Span::Text(text) if text.contains(':')));
    let mut out = Vec::new();
    for (here, span) in lead.into_iter().enumerate() {
        match span {
            Span::Text(words) if Some(here) == at => {
                let (before, behind) = words.rsplit_once(':').unwrap_or((&words, ""));
                out.push(text(format!("{before}, {n} of them ")));
                out.extend(place(within));
                out.push(text(format!(":{behind}")));
            }
            span => out.push(span),
        }
    }
    out
}

/// Keeps the statements that lead into the files, if there are any; adds a sentence that says which
/// files those are.
pub(super) fn of_answer(
    within: &Within,
    statements: &mut Vec<Statement>,
    footnotes: &mut Vec<Footnote>,
) -> String {
    let inside: BTreeSet<u32> = footnotes
        .iter()
        .filter(|note| within.holds(note.source.file()))
        .map(|note| note.number)
        .collect();
    let leads_in = |it: &Statement| it.footnotes.iter().any(|number| inside.contains(number));
    if !statements.iter().any(leads_in) {
        let names = plain(&named(within));
        return format!("Nothing in {names} answers this. The lines shown are from elsewhere.");
    }
    statements.retain(leads_in);
    let cited: BTreeSet<u32> = statements
        .iter()
        .flat_map(|it| {
            it.footnotes
                .iter()
                .copied()
                .chain(it.items.iter().map(|it| it.footnote))
        })
        .collect();
    footnotes.retain(|note| cited.contains(&note.number));
    only(within)
}

/// Returns a sentence that says which files a question is limited to.
pub(super) fn only(within: &Within) -> String {
    format!("Only in {}.", plain(&named(within)))
}

/// Returns where they are: “in `lib/`”, “outside test files”.
fn place(within: &Within) -> Vec<Span> {
    match within.phrase() {
        Some(phrase) => vec![text(phrase.to_owned())],
        None => [vec![text("in ")], named(within)].concat(),
    }
}

fn named(within: &Within) -> Vec<Span> {
    code_list(within.names(), "and")
}

#[cfg(test)]
mod tests {
    use crate::answer::{Fit, Outcome, ask_after};
    use crate::index::tests::index;
    use crate::index::{Index, Vectors};
    use crate::search::Question;

    fn shop() -> Index {
        index(&[
            (
                "lib/slug.py",
                "def slug(text):\n    \"\"\"Makes a short name of a title.\"\"\"\n    return text.lower()\n",
            ),
            (
                "shop/cart.py",
                "from lib.slug import slug\n\n\ndef add(it):\n    return slug(it)\n\n\ndef drop(it):\n    return slug(it)\n",
            ),
            (
                "mail/parcel.py",
                "from lib.slug import slug\n\n\ndef label(it):\n    \"\"\"Names a parcel by its title.\"\"\"\n    return slug(it)\n",
            ),
        ])
    }

    /// Returns the note, the sentences, and the files that they lead to.
    fn told(question: &str) -> (String, Vec<String>, Vec<String>) {
        let index = shop();
        let question = Question::new(question).unwrap();
        let asked = ask_after(&index, &Vectors::new(1, 0), &question, None, &[]);
        let (mut sentences, mut paths) = (Vec::new(), Vec::new());
        if let Outcome::Found {
            statements,
            footnotes,
        } = &asked.answer.outcome
        {
            sentences = statements.iter().map(|it| it.plain()).collect();
            paths = footnotes
                .iter()
                .map(|it| index.repo.file(it.source.file()).unwrap().path.clone())
                .collect();
            paths.sort();
            paths.dedup();
            let numbers: Vec<u32> = footnotes.iter().map(|it| it.number).collect();
            assert_eq!(numbers, (1..=footnotes.len() as u32).collect::<Vec<_>>());
        }
        (asked.answer.note.unwrap_or_default(), sentences, paths)
    }

    #[test]
    fn a_list_holds_the_entries_of_the_scope_and_says_of_how_many() {
        let (note, sentences, paths) = told("@shop/ who calls slug?");
        assert_eq!(note, "Only in `shop/`.");
        assert_eq!(paths, ["shop/cart.py"]);
        assert!(
            sentences[0].contains("2 of them in `shop/`"),
            "{sentences:?}"
        );
        assert!(!sentences[0].contains("label"), "{sentences:?}");
    }

    #[test]
    fn search_finds_only_what_lies_in_the_scope() {
        let (note, _, paths) = told("@mail/ how does a title become a name");
        assert!(note.starts_with("Only in `mail/`."), "{note}");
        assert_eq!(paths, ["mail/parcel.py"]);
    }

    #[test]
    fn an_answer_that_lies_outside_of_the_scope_says_so() {
        let (note, sentences, paths) = told("@mail/ where is slug defined?");
        assert!(
            note.starts_with("Nothing in `mail/` answers this"),
            "{note} {sentences:?}"
        );
        assert_eq!(paths, ["lib/slug.py"]);
    }

    #[test]
    fn an_exact_answer_stays_exact() {
        let index = shop();
        let question = Question::new("@shop/ who calls slug?").unwrap();
        let asked = ask_after(&index, &Vectors::new(1, 0), &question, None, &[]);
        assert_eq!(
            (asked.answer.kind, asked.answer.fit),
            (Some("callers"), Fit::Exact)
        );
    }
}
