//! An answer in the form in which it is exported: the text of a language model and the statements
//! made without one become the same blocks and footnotes, so that Markdown and HTML need to handle
//! only one form.

use crate::worker::protocol::{
    AnswerView, Below, BlockView, ConversationView, FootnoteView, IMPORTED, InlineView, ItemView,
    SpanView, StatementView, VerdictView, WritingState, WrittenView,
};

/// A conversation with the data around it.
#[derive(Clone, Debug)]
pub struct Handout<'a> {
    pub title: &'a str,
    /// Name of the repository.
    pub repository: &'a str,
    /// The day of the export: `2026-11-22`.
    pub day: &'a str,
    pub conversation: &'a ConversationView,
}

/// A body with footnotes.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Distinguishes it from the other part of the same answer; empty if there is only one.
    pub heading: &'static str,
    pub blocks: Vec<BlockView>,
    pub notes: Vec<FootnoteView>,
    /// Who made it, and the verdicts of its statements; a sentence or two.
    pub made: String,
}

/// The parts of an answer, with the text of a language model first.
pub fn parts(answer: &AnswerView) -> Vec<Part> {
    let found = found(answer);
    match &answer.written {
        None => vec![found],
        Some(written) => {
            let heading = "Found without a language model";
            vec![self::written(written), Part { heading, ..found }]
        }
    }
}

fn written(written: &WrittenView) -> Part {
    let mut made = format!("{}. {}.", author(written), written.counts.told());
    match &written.state {
        WritingState::CutOff => made.push_str(" The model stopped at its limit."),
        WritingState::Stopped => made.push_str(" The reader stopped it before the end."),
        WritingState::Failed(notice) => made.push_str(&format!(" It ends here: {}", notice.what)),
        _ => {}
    }
    if let Some(standalone) = &written.standalone {
        made.push_str(&format!(" It was asked as: {standalone}"));
    }
    Part {
        heading: "",
        blocks: written.blocks.clone(),
        notes: written.footnotes.clone(),
        made,
    }
}

/// Who wrote it; for an imported answer, only what its file claims.
fn author(written: &WrittenView) -> String {
    let (model, origin) = (written.model.as_str(), written.origin.as_str());
    match (written.is_imported, model, origin) {
        (true, "", _) => format!("Writer unknown ({IMPORTED})"),
        (true, model, _) => format!("Said to be written by “{model}” ({IMPORTED})"),
        (false, "", _) => "Written by a language model".to_owned(),
        (false, model, "") => format!("Written by {model}"),
        (false, model, origin) => format!("Written by {model} ({origin})"),
    }
}

fn found(answer: &AnswerView) -> Part {
    let closest = answer.is_closest().then(|| "Closest I found:".to_owned());
    let said = answer.nothing.iter().chain(&answer.note).chain(&closest);
    let said = said.map(|text| BlockView::Paragraph(vec![InlineView::Text(text.clone())]));
    let mut blocks: Vec<BlockView> = said.collect();
    for statement in &answer.statements {
        blocks.push(paragraph(answer, statement));
        if statement.below() != Below::Nothing {
            blocks.push(list(statement));
        }
    }
    let mut made = match answer.is_imported {
        false => "Made without a language model.".to_owned(),
        true => format!("Said to be made without a language model ({IMPORTED})."),
    };
    if answer.is_closest() {
        made.push_str(&format!(" {}.", answer.counts().told_as_closest()));
    } else if !answer.statements.is_empty() {
        made.push_str(&format!(" {}.", answer.counts().told()));
    }
    Part {
        heading: "",
        blocks,
        notes: answer.footnotes.clone(),
        made,
    }
}

fn paragraph(answer: &AnswerView, statement: &StatementView) -> BlockView {
    let spans = statement.spans.iter().map(|span| match span {
        SpanView::Text(text) => InlineView::Text(text.clone()),
        SpanView::Code(code) => InlineView::Code(code.clone()),
    });
    let spans: Vec<InlineView> = spans.collect();
    let mut inlines = match answer.verdict(statement) {
        VerdictView::Contradicted => vec![InlineView::Wrong(spans)],
        _ => spans,
    };
    inlines.extend(statement.footnotes.iter().copied().map(InlineView::Note));
    if statement.footnotes.is_empty() {
        inlines.push(InlineView::Uncited);
    }
    BlockView::Paragraph(inlines)
}

/// The list below a statement.
fn list(statement: &StatementView) -> BlockView {
    let item = |item: &ItemView| {
        let mut inlines = vec![InlineView::Code(item.name.clone())];
        if !item.detail.is_empty() {
            inlines.push(InlineView::Text(format!(" – {}", item.detail)));
        }
        inlines.push(InlineView::Note(item.footnote));
        vec![BlockView::Paragraph(inlines)]
    };
    BlockView::List {
        start: statement.introduces().then_some(1),
        items: statement.items.iter().map(item).collect(),
    }
}

/// Formats a time in milliseconds since 1970 as a day: `2026-11-22` (days of the proleptic
/// Gregorian calendar, after Howard Hinnant, “chrono-compatible low-level date algorithms”).
pub fn day(today_ms: f64) -> String {
    let days = (today_ms / 86_400_000.0).floor() as i64 + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_the_calendar() {
        for (seconds, expected) in [
            (0.0, "1970-01-01"),
            (951_782_400.0, "2000-02-29"),
            (951_868_800.0, "2000-03-01"),
            (1_795_343_999.0, "2026-11-22"),
        ] {
            assert_eq!(day(seconds * 1000.0), expected);
        }
    }
}
