//! Repository names that end with a version: `requests-2.32.5`.

use std::cmp::Ordering;

/// One of two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// The older one.
    Old,
    /// The newer one.
    New,
}

impl Version {
    /// The other version.
    pub fn other(self) -> Self {
        match self {
            Self::Old => Self::New,
            Self::New => Self::Old,
        }
    }
}

/// A repository's name, split into name and version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedVersion<'n> {
    /// The name without the version: `requests`.
    pub name: &'n str,
    /// The version, such as `2.32.5`; `None` if the name has none.
    pub version: Option<&'n str>,
}

/// The fewest digits of a commit hash in an archive's name.
const HASH_DIGITS: usize = 7;

impl<'n> NamedVersion<'n> {
    /// Splits the name of a repository. The version comes last, after a hyphen or underscore, and
    /// begins with a digit; or it is a commit hash.
    pub fn of(full: &'n str) -> Self {
        let signs = full
            .char_indices()
            .filter(|(_, sign)| matches!(sign, '-' | '_'));
        for (at, _) in signs {
            let (name, rest) = (full.get(..at), full.get(at + 1..));
            if let (Some(name), Some(rest)) = (name, rest)
                && !name.is_empty()
                && is_version(rest)
            {
                return Self {
                    name,
                    version: Some(rest),
                };
            }
        }
        Self {
            name: full,
            version: None,
        }
    }

    /// Whether both name versions of one repository.
    pub fn is_of(&self, other: &NamedVersion<'_>) -> bool {
        let plain = |name: &str| name.replace(['_', '.'], "-").to_lowercase();
        plain(self.name) == plain(other.name)
    }

    /// The version, or the whole name if there is none.
    pub fn shown(&self) -> &'n str {
        self.version.unwrap_or(self.name)
    }
}

fn is_version(written: &str) -> bool {
    let is_hash = written.len() >= HASH_DIGITS && written.bytes().all(|it| it.is_ascii_hexdigit());
    let number = written.strip_prefix(['v', 'V']).unwrap_or(written);
    let allowed =
        |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | '+' | '_');
    is_hash || number.starts_with(|sign: char| sign.is_ascii_digit()) && number.chars().all(allowed)
}

/// Compares two versions, number by number. A version with a word after the same numbers
/// (`1.0-rc1`) comes before the one without. Equal if nothing tells them apart.
pub fn older_first(a: &str, b: &str) -> Ordering {
    let (a, b) = (parts(a), parts(b));
    for at in 0..a.len().max(b.len()) {
        let order = match (a.get(at), b.get(at)) {
            (Some(Part::Number(a)), Some(Part::Number(b))) => a.cmp(b),
            (Some(Part::Word(a)), Some(Part::Word(b))) => a.cmp(b),
            (Some(Part::Number(0)), None) | (None, Some(Part::Number(0))) => Ordering::Equal,
            (Some(Part::Number(_)), _) | (None, Some(Part::Word(_))) => Ordering::Greater,
            (_, Some(Part::Number(_))) | (Some(Part::Word(_)), None) => Ordering::Less,
            (None, None) => Ordering::Equal,
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Number(u64),
    Word(String),
}

fn parts(version: &str) -> Vec<Part> {
    let version = version.strip_prefix(['v', 'V']).unwrap_or(version);
    let mut parts = Vec::new();
    let mut word = String::new();
    let mut close = |word: &mut String| {
        let written = std::mem::take(word);
        if !written.is_empty() {
            parts.push(match written.parse() {
                Ok(number) => Part::Number(number),
                Err(_) => Part::Word(written.to_lowercase()),
            });
        }
    };
    for sign in version.chars() {
        let is_other = |last: char| last.is_ascii_digit() != sign.is_ascii_digit();
        if !sign.is_alphanumeric() || word.chars().last().is_some_and(is_other) {
            close(&mut word);
        }
        if sign.is_alphanumeric() {
            word.push(sign);
        }
    }
    close(&mut word);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_the_end_of_a_name() {
        for (full, name, version) in [
            ("requests-2.32.5", "requests", Some("2.32.5")),
            ("scikit-learn-1.5.0rc1", "scikit-learn", Some("1.5.0rc1")),
            ("axum-0.8.8", "axum", Some("0.8.8")),
            ("tool-v1", "tool", Some("v1")),
            ("tool-1.0-beta-2", "tool", Some("1.0-beta-2")),
            ("flask-0a1b2c3d", "flask", Some("0a1b2c3d")),
            ("h2-py", "h2-py", None),
            ("base64-0.22", "base64", Some("0.22")),
            ("project", "project", None),
            ("-1", "-1", None),
            ("", "", None),
        ] {
            let found = NamedVersion::of(full);
            assert_eq!((found.name, found.version), (name, version), "{full}");
        }
    }

    #[test]
    fn names_are_compared_as_package_registries_do() {
        let is_same = |a, b| NamedVersion::of(a).is_of(&NamedVersion::of(b));
        assert!(is_same("Flask-3.0", "flask-2.1"));
        assert!(is_same("typing_extensions-4.1", "typing-extensions-4.2"));
        assert!(!is_same("requests-2.31.0", "requests-mock-1.0"));
    }

    #[test]
    fn versions_follow_each_other_by_their_numbers() {
        for (older, newer) in [
            ("2.9.0", "2.10"),
            ("2.31.0", "2.32.5"),
            ("1.0-rc1", "1.0"),
            ("1.0rc1", "1.0rc2"),
            ("v1", "2"),
            ("1.0", "1.0.1"),
        ] {
            assert_eq!(older_first(older, newer), Ordering::Less, "{older} {newer}");
            assert_eq!(older_first(newer, older), Ordering::Greater);
        }
        assert_eq!(older_first("1.0", "1.0.0"), Ordering::Equal);
        assert_eq!(older_first("", ""), Ordering::Equal);
    }
}
