//! Names in archives → paths that are safe to show, match and cite.

use super::limits::{MAX_DEPTH, MAX_PATH_BYTES};

/// The `/`-separated path for `raw`, without `.` components; `None` if it is absolute, climbs with
/// `..`, contains control or direction-changing characters, or is absurdly long or deep. The empty
/// path stands for the root itself (`./`).
pub(super) fn clean(raw: &str) -> Option<String> {
    if raw.len() > MAX_PATH_BYTES || raw.chars().any(is_deceptive) {
        return None;
    }
    let unified = raw.replace('\\', "/");
    if unified.starts_with('/') || has_drive(&unified) {
        return None;
    }
    let mut path = String::with_capacity(unified.len());
    let mut depth = 0;
    for component in unified.split('/') {
        match component {
            "" | "." => continue,
            ".." => return None,
            _ => {}
        }
        if depth > 0 {
            path.push('/');
        }
        path.push_str(component);
        depth += 1;
    }
    (depth <= MAX_DEPTH + 1).then_some(path)
}

/// Whether [`clean`] leaves the path of a file as it is.
pub(crate) fn is_clean(path: &str) -> bool {
    !path.is_empty() && clean(path).as_deref() == Some(path)
}

/// Whether it begins with `C:` or `C:/…`, which Windows takes for a place outside the archive.
fn has_drive(path: &str) -> bool {
    let mut bytes = path.bytes();
    matches!((bytes.next(), bytes.next()), (Some(letter), Some(b':')) if letter.is_ascii_alphabetic())
}

/// Control characters break `path:line` citations; direction marks make a path look like another.
pub(crate) fn is_deceptive(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// An unsafe name for display: escaped, and cut if it is absurdly long.
pub(crate) fn shown(raw: &str) -> String {
    const SHOWN_CHARS: usize = 200;
    let mut text = String::new();
    for (count, character) in raw.chars().enumerate() {
        if count == SHOWN_CHARS {
            text.push('…');
            break;
        }
        if is_deceptive(character) {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    text
}

/// The last component.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The lower-case text after the last dot of the file name; empty for `Makefile` and `.gitignore`.
pub(super) fn extension(path: &str) -> String {
    match file_name(path).rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_ascii_lowercase(),
        _ => String::new(),
    }
}

/// The folders above the file, from the top.
pub(super) fn folders(path: &str) -> impl Iterator<Item = &str> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    folder.split('/').filter(|component| !component.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_names_become_clean_paths() {
        for (raw, path) in [
            ("a/b.py", "a/b.py"),
            ("./a//b.py", "a/b.py"),
            ("a\\b\\c.rs", "a/b/c.rs"),
            ("a/./b", "a/b"),
            ("./", ""),
            ("dir/", "dir"),
            ("..a/b..c", "..a/b..c"),
            ("héllo/wörld.md", "héllo/wörld.md"),
        ] {
            assert_eq!(clean(raw).as_deref(), Some(path), "{raw:?}");
        }
    }

    #[test]
    fn unsafe_names_are_refused() {
        let long = "x".repeat(MAX_PATH_BYTES + 1);
        let deep = "d/".repeat(MAX_DEPTH + 1) + "f";
        for raw in [
            "../evil.py",
            "a/../../evil",
            "a/..",
            "..\\evil",
            "/etc/passwd",
            "\\\\server\\share",
            "C:\\windows\\x",
            "c:evil",
            "a\0b",
            "a\nb",
            "a\u{202e}yp.exe",
            long.as_str(),
            deep.as_str(),
        ] {
            assert_eq!(clean(raw), None, "{raw:?}");
        }
    }

    #[test]
    fn unsafe_names_are_shown_escaped_and_cut() {
        assert_eq!(shown("a\0b\n"), "a\\u{0}b\\n");
        assert_eq!(shown(&"x".repeat(5000)).chars().count(), 201);
    }

    #[test]
    fn extensions_come_from_the_file_name() {
        for (path, expected) in [
            ("a.b/c", ""),
            ("a/B.PY", "py"),
            (".gitignore", ""),
            ("x.tar.gz", "gz"),
        ] {
            assert_eq!(extension(path), expected, "{path}");
        }
        assert_eq!(folders("a/b/c.py").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(folders("c.py").count(), 0);
    }
}
