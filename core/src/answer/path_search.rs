//! Finds paths of the repository that resemble what the user is typing.

use crate::index::Index;
use crate::source::FileId;

/// How well a path matches, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The path begins with it.
    Path,
    /// The last part of the path begins with it.
    Name,
    /// The last part of the path contains it.
    InName,
    /// The path contains it.
    InPath,
    /// The path contains its characters in this order.
    Signs,
    /// The last part of both begins alike: the typed text may be misspelt.
    Start,
}

/// Number of leading characters of a name that must agree if nothing else does.
const LEAST_START: usize = 3;

/// Returns at most `limit` files and folders, a folder with a trailing `/`: best matches first,
/// shorter ones before longer ones; the top-level ones if nothing is typed yet. Visits each path
/// once and copies only what may be shown.
pub fn paths_like(index: &Index, written: &str, limit: usize) -> Vec<String> {
    let written = written.trim_start_matches("./");
    let mut best: Vec<(Key, &str)> = Vec::new();
    let mut before = "";
    for (_, file) in (0..).map(FileId).zip(&index.repo.files) {
        let path = file.path.as_str();
        let shared = shared_folders(before, path);
        let cuts = path.match_indices('/').map(|(at, _)| at + 1);
        let folders = cuts.filter(|end| *end > shared);
        for candidate in folders.filter_map(|end| path.get(..end)).chain([path]) {
            offer(&mut best, written, candidate, limit);
        }
        before = path;
    }
    best.dedup();
    best.into_iter().map(|(_, path)| path.to_owned()).collect()
}

/// Sort key: match, depth, length.
type Key = (Fit, usize, usize);

/// Keeps a candidate if it is one of the best so far.
fn offer<'p>(best: &mut Vec<(Key, &'p str)>, written: &str, candidate: &'p str, limit: usize) {
    let Some(fit) = fit(candidate, written) else {
        return;
    };
    let plain = candidate.trim_end_matches('/');
    let key = match fit {
        Fit::Start => {
            let same = same_start(name(plain), name(written));
            (fit, usize::MAX - same, plain.len())
        }
        _ => (fit, plain.matches('/').count(), plain.len()),
    };
    let entry = (key, candidate);
    let at = best.partition_point(|known| *known < entry);
    if at < limit && best.get(at) != Some(&entry) {
        best.insert(at, entry);
        best.truncate(limit);
    }
}

/// Returns how `path` matches `written`; `None` if it does not.
fn fit(path: &str, written: &str) -> Option<Fit> {
    if written.is_empty() {
        return Some(Fit::Path);
    }
    let plain = path.trim_end_matches('/');
    let last = name(plain);
    let name_at = plain.len() - last.len();
    let found = find(path, written);
    // Text typed with a folder's slash must be found with it.
    let in_name = find(path.get(name_at..).unwrap_or_default(), written);
    match (found, in_name) {
        (Some(0), _) => Some(Fit::Path),
        (_, Some(0)) => Some(Fit::Name),
        (_, Some(_)) => Some(Fit::InName),
        (Some(_), _) => Some(Fit::InPath),
        _ if has_in_order(path, written) => Some(Fit::Signs),
        _ => {
            let same = same_start(last, name(written));
            (same >= LEAST_START).then_some(Fit::Start)
        }
    }
}

/// Returns the number of bytes of the leading folders that two paths share.
fn shared_folders(a: &str, b: &str) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let start = b.as_bytes().get(..same).unwrap_or_default();
    start
        .iter()
        .rposition(|byte| *byte == b'/')
        .map_or(0, |at| at + 1)
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the number of bytes before `wanted` in a text, ignoring ASCII case.
fn find(text: &str, wanted: &str) -> Option<usize> {
    let (text, wanted) = (text.as_bytes(), wanted.as_bytes());
    let first = wanted.first()?.to_ascii_lowercase();
    let last = text.len().checked_sub(wanted.len())?;
    (0..=last).find(|at| {
        let here = text.get(*at..*at + wanted.len()).unwrap_or_default();
        here.first()
            .is_some_and(|byte| byte.to_ascii_lowercase() == first)
            && here.eq_ignore_ascii_case(wanted)
    })
}

fn has_in_order(text: &str, wanted: &str) -> bool {
    let mut text = text.bytes();
    let mut wanted = wanted.bytes();
    wanted.all(|sign| text.any(|byte| byte.eq_ignore_ascii_case(&sign)))
}

/// Returns the number of leading bytes that two names share.
fn same_start(a: &str, b: &str) -> usize {
    let pairs = a.bytes().zip(b.bytes());
    pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::tests::index;

    #[test]
    fn paths_are_offered_by_their_start_their_name_and_what_stands_in_them() {
        let index = index(&[
            ("README.md", "# A\n"),
            ("src/requests/sessions.py", "x = 1\n"),
            ("src/requests/utils.py", "x = 1\n"),
            ("tests/test_sessions.py", "x = 1\n"),
        ]);
        for (written, expected) in [
            ("", &["src/", "tests/", "README.md"][..]),
            ("src/", &["src/", "src/requests/", "src/requests/utils.py"]),
            (
                "sess",
                &[
                    "src/requests/sessions.py",
                    "tests/test_sessions.py",
                    "src/requests/",
                ],
            ),
            ("README", &["README.md"]),
            ("readme.md", &["README.md"]),
            ("req/uti", &["src/requests/utils.py"]),
            ("src/requests/session.py", &["src/requests/sessions.py"]),
            ("uti_ls", &["src/requests/utils.py"]),
            ("zzz", &[]),
        ] {
            assert_eq!(paths_like(&index, written, 3), expected, "{written}");
        }
    }
}
