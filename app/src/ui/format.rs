//! Numbers in readable form.

pub use crate::words::{count, thousands, with_thousands};

/// A duration in words that suit its length; `seconds` is at least 0.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{} ms", (s * 1000.0).round()),
        s if s < 9.95 => format!("{s:.1} s"),
        s if s < 90.0 => format!("{} s", s.round()),
        s if s < 5400.0 => format!("{} min", (s / 60.0).round()),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Decimal units, as in browsers and file managers.
pub fn bytes(number: f64) -> String {
    match number {
        n if n < 1e3 => format!("{n} bytes"),
        n if n < 1e6 => format!("{} kB", (n / 1e3).round()),
        n if n < 1e9 => format!("{:.1} MB", n / 1e6),
        n => format!("{:.1} GB", n / 1e9),
    }
}

/// How long ago something was, `milliseconds` before now.
pub fn ago(milliseconds: f64) -> String {
    let minutes = (milliseconds / 60_000.0).floor().max(0.0) as u64;
    match minutes {
        0 => "just now".into(),
        1..60 => format!("{} ago", count(minutes, "minute")),
        60..1440 => format!("{} ago", count(minutes / 60, "hour")),
        _ => format!("{} ago", count(minutes / 1440, "day")),
    }
}

/// Units per second: `85/s`, `3.2/s`.
pub fn rate(per_second: f64) -> String {
    if per_second < 10.0 {
        format!("{per_second:.1}/s")
    } else {
        format!("{}/s", thousands(per_second.round() as u64))
    }
}

/// `159–281`, or `159` for one line.
pub fn lines(start: u32, end: u32) -> String {
    if start == end {
        start.to_string()
    } else {
        format!("{start}–{end}")
    }
}

/// `lines 159–281`, or `line 159`.
pub fn spoken_lines(start: u32, end: u32) -> String {
    let word = if start == end { "line" } else { "lines" };
    format!("{word} {}", lines(start, end))
}

/// Splits a path into its folder, with a trailing `/`, and its name.
pub fn split_path(path: &str) -> (&str, &str) {
    let name_at = path.rfind('/').map_or(0, |at| at + 1);
    path.split_at(name_at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three_from_the_end() {
        for (number, shown) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1234567, "1,234,567"),
        ] {
            assert_eq!(thousands(number), shown);
        }
    }

    #[test]
    fn numbers_inside_a_text_are_grouped_too() {
        let text = "44435 files, 412 skipped, links in 1103 ms";
        let shown = "44,435 files, 412 skipped, links in 1,103 ms";
        assert_eq!(with_thousands(text), shown);
    }

    #[test]
    fn one_of_a_thing_has_no_plural() {
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(0, "file"), "0 files");
        assert_eq!(count(6871, "file"), "6,871 files");
        assert_eq!(count(1, "repository"), "1 repository");
        assert_eq!(count(2, "day"), "2 days");
        assert_eq!(count(20, "repository"), "20 repositories");
    }

    #[test]
    fn time_uses_the_unit_that_fits() {
        for (seconds, shown) in [
            (0.0312, "31 ms"),
            (6.84, "6.8 s"),
            (9.96, "10 s"),
            (61.0, "61 s"),
            (120.0, "2 min"),
            (7200.0, "2.0 h"),
        ] {
            assert_eq!(duration(seconds), shown);
        }
    }

    #[test]
    fn sizes_use_the_unit_that_fits() {
        for (size, shown) in [
            (12.0, "12 bytes"),
            (45_300.0, "45 kB"),
            (12_340_000.0, "12.3 MB"),
            (2.5e9, "2.5 GB"),
        ] {
            assert_eq!(bytes(size), shown);
        }
    }

    #[test]
    fn past_times_use_whole_units() {
        for (milliseconds, shown) in [
            (-5.0, "just now"),
            (59_000.0, "just now"),
            (60_000.0, "1 minute ago"),
            (7_200_000.0, "2 hours ago"),
            (3.0 * 86_400_000.0, "3 days ago"),
        ] {
            assert_eq!(ago(milliseconds), shown);
        }
    }

    #[test]
    fn a_path_is_split_before_its_name() {
        assert_eq!(split_path("src/a/b.py"), ("src/a/", "b.py"));
        assert_eq!(split_path("b.py"), ("", "b.py"));
    }
}
