//! Comma-separated values (RFC 4180) that spreadsheets do not take for formulas.

/// One line of cells, with its line end.
pub(super) fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|it| cell(it)).collect();
    cells.join(",") + "\r\n"
}

/// A cell. Text that a spreadsheet would run as a formula is prefixed with an apostrophe, as
/// OWASP's "CSV Injection" advises.
fn cell(text: &str) -> String {
    let starts_formula = text.trim_start().starts_with(['=', '+', '-', '@']);
    let safe = match starts_formula && !is_number(text) {
        true => format!("'{text}"),
        false => text.to_owned(),
    };
    match safe.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", safe.replace('"', "\"\"")),
        false => safe,
    }
}

/// Rust parses "-inf" as a number, a spreadsheet does not.
fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        for (text, expected) in [
            ("plain", "plain"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("-0.25", "-0.25"),
            ("+1e-3", "+1e-3"),
            ("-inf", "'-inf"),
            ("-1+2", "'-1+2"),
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("-2,=3", "\"'-2,=3\""),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            ("a=b", "a=b"),
        ] {
            assert_eq!(cell(text), expected);
        }
        let cells = ["a".to_owned(), "b,c".to_owned()];
        assert_eq!(line(&cells), "a,\"b,c\"\r\n");
    }
}
