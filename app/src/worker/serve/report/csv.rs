//! A report card as CSV (RFC 4180): a line of names, then a line for each row. An unknown value is
//! an empty field.
//!
//! The names of models and repositories come from others, and spreadsheets execute a field that
//! begins like a formula. Such a field gets a leading apostrophe, so that spreadsheets show it as
//! text.

use super::formats::Format;
use crate::worker::protocol::{Cell, Column, FormatSpec, ReportView};

pub const FORMAT: Format = Format {
    spec: FormatSpec {
        name: "csv",
        title: "CSV",
        about: "for a spreadsheet",
        extension: "csv",
        media_type: "text/csv",
    },
    write: |view| Ok(file(view)),
};

/// First characters of a formula; some spreadsheets skip a tab or a line end before it.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

fn file(view: &ReportView) -> String {
    let head = line(Column::all().map(|column| column.name().to_owned()));
    let rows = view.rows.iter();
    let rows = rows.map(|row| line(Column::all().map(|column| field(&column.cell(row)))));
    std::iter::once(head).chain(rows).collect()
}

fn line(fields: impl Iterator<Item = String>) -> String {
    let fields: Vec<String> = fields.collect();
    fields.join(",") + "\r\n"
}

fn field(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => quoted(text),
        Cell::Number(number) => number.to_string(),
        Cell::Seconds(seconds) => format!("{seconds:.1}"),
        Cell::Unknown => String::new(),
    }
}

fn quoted(text: &str) -> String {
    let guard = if text.starts_with(FORMULA) { "'" } else { "" };
    let text = format!("{guard}{text}");
    match text.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{ReportRow, VerdictView};

    #[test]
    fn fields_are_quoted_where_necessary_and_are_never_formulas() {
        for (text, expected) in [
            ("qwen3:8b", "qwen3:8b"),
            ("a, b", "\"a, b\""),
            ("the \"best\"", "\"the \"\"best\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            (
                "=HYPERLINK(\"http://a\",\"b\")",
                "\"'=HYPERLINK(\"\"http://a\"\",\"\"b\"\")\"",
            ),
            (" =1", " =1"),
            ("", ""),
        ] {
            assert_eq!(quoted(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_row_is_a_line_with_as_many_fields_as_there_are_names() {
        let row = ReportRow {
            model: "tiny-1".into(),
            origin: "http://localhost:9".into(),
            repository: "courier".into(),
            answers: 2,
            counts: [VerdictView::Proven, VerdictView::Uncited]
                .into_iter()
                .collect(),
            sent_tokens: 4_000,
            milliseconds: 1_260.0,
            ..ReportRow::default()
        };
        let view = ReportView {
            rows: vec![row],
            ..ReportView::default()
        };
        let expected = "model,address,repository,answers,unfinished,statements,self-cited,proven,\
            supported,lines-exist,repaired,outside-evidence,rejected,contradicted,auto-cited,uncited,\
            tokens-sent,tokens-written,answers-with-tokens-written,seconds\r\n\
            tiny-1,http://localhost:9,courier,2,0,2,1,1,0,0,0,0,0,0,0,1,4000,,0,1.3\r\n";
        assert_eq!(file(&view), expected);
    }
}
