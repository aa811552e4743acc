//! Names as sentences write them.

use crate::cite::attributed::squeezed;

/// Returns the parts of a name: `a`, `b` of `a.b()`, `A::b`, `self.b`, `A#b`; empty if it is not a
/// name.
pub(crate) fn parts(written: &str) -> Vec<&str> {
    let bare = written.trim_start_matches(['@', '&', '*', '$']);
    let bare = bare.strip_prefix("new ").unwrap_or(bare);
    let bare = match bare.find('(') {
        Some(open) if bare.ends_with(')') => bare.get(..open).unwrap_or(bare),
        _ => bare,
    };
    let bare = match bare.find('<') {
        Some(open) if bare.ends_with('>') => bare.get(..open).unwrap_or(bare),
        _ => bare,
    };
    let bare = bare.trim_end_matches('!');
    let separated = bare.split(['.', '#']).flat_map(|part| part.split("::"));
    let separated = separated.flat_map(|part| part.split("->"));
    let found: Vec<&str> = separated.filter(|part| !part.is_empty()).collect();
    match found.iter().all(|part| is_identifier(part)) {
        true => found,
        false => Vec::new(),
    }
}

fn is_identifier(part: &str) -> bool {
    part.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
        && part
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

/// Whether a written name ends with these parts: `fmt::Display` with `Display`, and with both.
pub(crate) fn ends_with(written: &str, path: &[&str]) -> bool {
    parts(written).ends_with(path)
}

/// Whether two pieces of code are the same, apart from white space and quotation marks; numbers are
/// compared by value.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (trimmed(a), trimmed(b));
    inner(a) == inner(b)
        || squeezed(a) == squeezed(b)
        || number(a).is_some_and(|value| number(b) == Some(value))
}

fn trimmed(code: &str) -> &str {
    code.trim().trim_end_matches([';', ','])
}

/// Removes the quotation marks around a string.
fn inner(code: &str) -> &str {
    let marks = ['"', '\'', '`'];
    let inner = marks.iter().find_map(|mark| {
        let inner = code.strip_prefix(*mark)?.strip_suffix(*mark)?;
        (!inner.contains(*mark)).then_some(inner)
    });
    inner.unwrap_or(code)
}

/// Returns the value of a number without its type suffix: `64`, `1_000`, `0x10`, `3.5`, `10u32`.
pub(crate) fn number(code: &str) -> Option<f64> {
    let digits = code.replace(['_', ','], "");
    if let Some(hex) = digits.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok().map(|value| value as f64);
    }
    let end = digits
        .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'))
        .unwrap_or(digits.len());
    let (value, unit) = digits.split_at_checked(end)?;
    let units = [
        "", "u8", "u16", "u32", "u64", "usize", "i32", "i64", "f32", "f64", "L", "n", "f",
    ];
    let value = value.strip_suffix('.').unwrap_or(value);
    units.contains(&unit).then(|| value.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_parts() {
        for (written, expected) in [
            ("a", "a"),
            ("a.b()", "a b"),
            ("A::b", "A b"),
            ("self.b(x, y)", "self b"),
            ("new A()", "A"),
            ("println!", "println"),
            ("a + b", ""),
            ("3", ""),
            ("'a'", ""),
        ] {
            assert_eq!(parts(written).join(" "), expected, "{written}");
        }
    }

    #[test]
    fn values_are_the_same_however_they_are_written() {
        for (a, b, expected) in [
            ("'GET'", "GET", true),
            ("\"a b\"", "a b", true),
            ("1_000", "1000", true),
            ("64 << 20", "64<<20", true),
            ("0x10", "16", true),
            ("None", "none", false),
            ("3", "30", false),
            ("'a b'", "ab", false),
        ] {
            assert_eq!(is_same(a, b), expected, "{a} {b}");
        }
    }
}
