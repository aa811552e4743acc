//! Writes an answer as text with its footnotes in brackets after each statement, as models and
//! people write them.

use super::{Answer, Footnote, Outcome, Statement};
use crate::source::Repo;

impl Answer {
    /// Returns one line per statement, `The name is `a`. [src/a.py:3-9]`, and lists with one entry
    /// per line; if there is nothing, the reason.
    pub fn cited(&self, repo: &Repo) -> String {
        match &self.outcome {
            Outcome::Nothing { why } => why.clone(),
            Outcome::Found {
                statements,
                footnotes,
            } => {
                let lines = statements.iter().flat_map(|it| lines(it, footnotes, repo));
                lines.collect::<Vec<_>>().join("\n")
            }
        }
    }
}

fn lines(statement: &Statement, footnotes: &[Footnote], repo: &Repo) -> Vec<String> {
    let place = |number: &u32| {
        let footnote = footnotes.iter().find(|it| it.number == *number)?;
        let source = &footnote.source;
        let path = &repo.file(source.file())?.path;
        Some(format!(" [{path}:{}]", source.lines()))
    };
    let places = |numbers: &[u32]| numbers.iter().filter_map(place).collect::<String>();
    let mut lines = vec![statement.plain() + &places(&statement.footnotes)];
    lines.extend(statement.items.iter().map(|item| {
        let detail = match item.detail.is_empty() {
            true => String::new(),
            false => format!(": {}", item.detail),
        };
        format!("- `{}`{detail}{}", item.name, places(&[item.footnote]))
    }));
    lines
}

#[cfg(test)]
mod tests {
    use crate::answer::tests::answered;
    use crate::cite::find;
    use crate::index::tests::index;

    #[test]
    fn every_statement_carries_its_places_in_brackets_that_can_be_read_back() {
        let code = "def pour(cup):\n    \"\"\"Pours tea.\"\"\"\n    fill(cup)\n\n\ndef fill(cup):\n    pass\n";
        let index = index(&[("pot.py", code)]);
        let text = answered(&index, "who calls fill?").cited(&index.repo);
        assert!(text.contains("[pot.py:"), "{text}");
        assert!(!find(&text).is_empty(), "{text}");
        let nothing = answered(&index, "where is the database migrated?");
        assert!(!nothing.cited(&index.repo).is_empty());
    }
}
