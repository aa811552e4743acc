//! Numbers footnotes in reading order: first those of the sentences, then those of the lists that
//! are opened below them.

use std::collections::BTreeMap;

use super::{Footnote, Statement};

/// Renumbers the footnotes.
pub(super) fn sentences_first(statements: &mut [Statement], footnotes: &mut [Footnote]) {
    let mut new: BTreeMap<u32, u32> = BTreeMap::new();
    let mut number = |old: &mut u32| {
        let next = new.len() as u32 + 1;
        *old = *new.entry(*old).or_insert(next);
    };
    for statement in statements.iter_mut() {
        statement.footnotes.iter_mut().for_each(&mut number);
    }
    for item in statements.iter_mut().flat_map(|it| &mut it.items) {
        number(&mut item.footnote);
    }
    for footnote in footnotes.iter_mut() {
        number(&mut footnote.number);
    }
    footnotes.sort_by_key(|footnote| footnote.number);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Item;
    use crate::cite::{Citation, verify};
    use crate::lines::{Line, LineRange};
    use crate::source::{Repo, SourceFile};

    fn footnote(repo: &Repo, number: u32) -> Footnote {
        let citation = Citation {
            path: "a.py".to_owned(),
            lines: LineRange::new(Line(number), Line(number)),
            quotes: Vec::new(),
        };
        Footnote {
            number,
            source: verify(repo, &citation).unwrap(),
            why: String::new(),
        }
    }

    fn statement(footnotes: &[u32], items: &[u32]) -> Statement {
        let items = items.iter().map(|footnote| Item {
            name: String::new(),
            detail: String::new(),
            footnote: *footnote,
        });
        Statement {
            spans: Vec::new(),
            footnotes: footnotes.to_vec(),
            items: items.collect(),
        }
    }

    #[test]
    fn footnotes_of_lists_are_numbered_after_those_of_sentences() {
        let repo = Repo {
            files: vec![SourceFile {
                path: "a.py".to_owned(),
                text: "x\n".repeat(9),
            }],
            ..Repo::default()
        };
        let mut statements = [statement(&[1, 2], &[1, 2, 3, 4]), statement(&[5, 2], &[])];
        let mut footnotes: Vec<Footnote> = (1..=5).map(|at| footnote(&repo, at)).collect();
        sentences_first(&mut statements, &mut footnotes);
        let [list, other] = &statements;
        assert_eq!(
            (&list.footnotes[..], &other.footnotes[..]),
            (&[1, 2][..], &[3, 2][..])
        );
        let items: Vec<u32> = list.items.iter().map(|item| item.footnote).collect();
        assert_eq!(items, [1, 2, 4, 5]);
        let lines: Vec<_> = footnotes
            .iter()
            .map(|note| (note.number, note.source.lines().start().0))
            .collect();
        assert_eq!(lines, [(1, 1), (2, 2), (3, 5), (4, 3), (5, 4)]);
    }
}
