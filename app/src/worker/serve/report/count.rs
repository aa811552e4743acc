//! Counts saved answers. A row is a model at an address, asked about repositories of one name: to
//! its reader, a folder that was read again after a change is the same repository.
//!
//! What is counted is what is saved, so an answer that was written again counts once, as it is now.
//! A user's own conversation that was saved as a file and imported unchanged holds the same answers
//! a second time; they also count once. Answers that would make the numbers claim more than is
//! known are left out, and their number is reported: imported answers, for which it is unknown who
//! wrote them and what was sent, and answers of a version that checked less.

use std::collections::{BTreeMap, BTreeSet};

use crate::worker::protocol::{
    LeftOut, ReportRow, ReportScope, ReportView, WritingState, WrittenView,
};
use crate::worker::serve::conversations::records::{Book, Key};

/// The answers about one saved repository.
pub struct Answers {
    /// The name of the repository.
    pub repository: String,
    pub book: Book,
}

/// The report card of `all` answers.
pub fn report(scope: ReportScope, all: &[Answers]) -> ReportView {
    let mut rows: BTreeMap<(&str, &str, &str), ReportRow> = BTreeMap::new();
    let mut left_out = LeftOut::default();
    for Answers { repository, book } in all {
        let mut known = BTreeSet::new();
        let later = book.later.iter();
        left_out.later += later.filter(|key| matches!(key, Key::Turn(..))).count() as u32;
        for (&(id, at), answer) in &book.turns {
            let Some(written) = &answer.written else {
                continue;
            };
            if !known.insert((at, &written.model, &written.origin, &written.text)) {
                continue;
            }
            let is_earlier = book.earlier.contains(&(id, at));
            if let Some(why) = why_left_out(written, is_earlier) {
                left_out += why;
                continue;
            }
            let key = (
                written.model.as_str(),
                written.origin.as_str(),
                repository.as_str(),
            );
            add(rows.entry(key).or_default(), written);
        }
    }
    let named = |((model, origin, repository), row): ((&str, &str, &str), ReportRow)| ReportRow {
        model: model.to_owned(),
        origin: origin.to_owned(),
        repository: repository.to_owned(),
        ..row
    };
    ReportView {
        scope,
        rows: rows.into_iter().map(named).collect(),
        left_out,
    }
}

/// Why an answer is not counted; `None` if it is.
fn why_left_out(written: &WrittenView, is_earlier: bool) -> Option<LeftOut> {
    let mut why = LeftOut::default();
    let count = if written.is_imported {
        &mut why.imported
    } else if is_earlier {
        &mut why.earlier
    } else if written.text.trim().is_empty() {
        &mut why.empty
    } else {
        return None;
    };
    *count = 1;
    Some(why)
}

fn add(row: &mut ReportRow, written: &WrittenView) {
    row.answers += 1;
    row.unfinished += u32::from(written.state != WritingState::Finished);
    row.counts += written.counts;
    row.sent_tokens += u64::from(written.sent_tokens);
    if let Some(tokens) = written.written_tokens {
        row.written_tokens += u64::from(tokens);
        row.written_answers += 1;
    }
    if written.milliseconds.is_finite() {
        row.milliseconds += written.milliseconds.max(0.0);
    }
}
