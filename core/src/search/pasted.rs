//! What a question contains verbatim: stack traces, paths, quoted text, a "subsystem:" prefix.
//! Reads only the text; [`super::analysis`] looks it up in the repository.

use std::borrow::Cow;

/// Removes from a pasted issue what its template tells the reporter: HTML comments and checkboxes.
/// A text of one line, or with nothing else in it, stays as it is.
pub fn without_template(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        let Some((_, after)) = comment.split_once("-->") else {
            break;
        };
        kept.push_str(before);
        rest = after;
    }
    kept.push_str(rest);
    let is_box = |line: &&str| {
        let line = line.trim_start();
        ["- [ ]", "- [x]", "- [X]", "* [ ]", "* [x]"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let kept: Vec<&str> = kept.lines().filter(|line| !is_box(line)).collect();
    let kept = kept.join("\n");
    match kept.chars().any(char::is_alphanumeric) {
        true => Cow::Owned(kept),
        false => Cow::Borrowed(text),
    }
}

/// A line of a stack trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The path as written, with `\` turned into `/`.
    pub path: String,
    pub line: u32,
}

/// Maximum number of frames that are read; a recursion prints thousands.
const MAX_FRAMES: usize = 64;
/// Shortest quotation that is searched verbatim.
const MIN_QUOTE: usize = 6;

/// Returns frames such as `path:line` and `File "path", line N` in text order, each once.
pub fn frames(text: &str) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    for line in text.lines() {
        let found = python_frame(line).or_else(|| colon_frame(line));
        if let Some(frame) = found.filter(|frame| !frames.contains(frame)) {
            frames.push(frame);
        }
        if frames.len() >= MAX_FRAMES {
            break;
        }
    }
    frames
}

/// Reads `File "src/requests/api.py", line 59, in request`.
fn python_frame(line: &str) -> Option<Frame> {
    let (path, rest) = line.trim().strip_prefix("File \"")?.split_once('"')?;
    let digits = rest.trim_start_matches([',', ' ']).strip_prefix("line ")?;
    Some(Frame {
        path: path.replace('\\', "/"),
        line: leading_number(digits)?,
    })
}

/// Reads `at f (lib/router.js:46:12)`, `src/main.rs:7:5` and `Foo.java:12`.
fn colon_frame(line: &str) -> Option<Frame> {
    line.split([' ', '(', ')', '"', '\'', '`', ',', '\t'])
        .find_map(|word| {
            let dot = word.rfind('.')?;
            let colon = dot + word.get(dot..)?.find(':')?;
            let path = word.get(..colon)?.trim_start_matches("file://");
            let extension = path.rsplit_once('.')?.1;
            let is_file = (1..=5).contains(&extension.len())
                && extension.starts_with(|c: char| c.is_ascii_alphabetic());
            let line = leading_number(word.get(colon + 1..)?)?;
            is_file.then(|| Frame {
                path: path.replace('\\', "/"),
                line,
            })
        })
}

fn leading_number(text: &str) -> Option<u32> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.get(..end)?.parse().ok().filter(|&line| line > 0)
}

/// Returns words written as paths: with a `/` between names, or a file name with an extension.
pub fn paths(text: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    let ends = [
        ' ', '\n', '\t', '`', '"', '\'', '(', ')', '[', ']', '<', '>', ',', ';', ':', '?', '!',
    ];
    for word in text.split(ends) {
        let word = word.trim_end_matches('.').trim_start_matches("./");
        let is_address = word.starts_with("//") || word.starts_with("www.");
        if is_path(word) && !is_address && !paths.iter().any(|known| known == word) {
            paths.push(word.to_owned());
        }
    }
    paths
}

fn is_path(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    let extension = name.rsplit_once('.').map_or("", |(_, end)| end);
    let has_extension = (1..=4).contains(&extension.len())
        && extension.chars().all(|c| c.is_ascii_alphanumeric())
        && extension.starts_with(|c: char| c.is_ascii_lowercase());
    let inner_slash = word.trim_matches('/').contains('/');
    (inner_slash || has_extension) && word.len() > 3 && word.chars().any(char::is_alphabetic)
}

/// Returns text between quotation marks or backticks that only a search with punctuation can find:
/// a message or a piece of code, not a single name.
pub fn quotes(text: &str) -> Vec<String> {
    let mut quotes: Vec<String> = Vec::new();
    for mark in ['`', '"', '\''] {
        for quoted in text.split(mark).skip(1).step_by(2) {
            let quoted = quoted.trim();
            let is_plain = quoted.chars().all(|c| c.is_alphanumeric() || c == '_');
            let fits = (MIN_QUOTE..=200).contains(&quoted.len()) && !quoted.contains('\n');
            // The apostrophes of "doesn't … isn't" enclose half a sentence.
            let is_apostrophe = mark == '\'' && quoted.starts_with("t ");
            if fits && !is_plain && !is_apostrophe && !quotes.iter().any(|known| known == quoted) {
                quotes.push(quoted.to_owned());
            }
        }
    }
    if let Some(message) = error_message(text) {
        quotes.push(message);
    }
    quotes
}

/// Returns the message of `SomeError: message`, and of the last line of a Python traceback,
/// whatever the class is called.
fn error_message(text: &str) -> Option<String> {
    let is_traceback = text.contains("Traceback (");
    text.lines().rev().find_map(|line| {
        let (kind, message) = line.trim().split_once(": ")?;
        let name = kind.rsplit('.').next()?;
        let ends = ["Error", "Exception", "Warning"];
        let is_error = is_traceback || ends.iter().any(|end| name.ends_with(end));
        let message = message.trim();
        let is_message = is_error && !kind.contains(' ') && message.len() >= MIN_QUOTE;
        is_message.then(|| message.to_owned())
    })
}

/// Returns the part of the repository that the question starts with: `docs` in
/// `docs: explain hooks`, `gh-pages/css` in `gh-pages/css: fix`. Prefixes such as `fix:` and
/// `feat:` name a kind of change instead.
pub fn subsystem(text: &str) -> Option<&str> {
    let (prefix, rest) = text.lines().next()?.split_once(':')?;
    // In the conventional `fix(parser): …`, the scope is the subsystem.
    let scope = prefix
        .split_once('(')
        .and_then(|(_, scope)| scope.strip_suffix(')'));
    let name = scope.unwrap_or(prefix).trim();
    let is_name = !name.is_empty()
        && name.len() <= 40
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.'));
    let is_kind = scope.is_none() && KINDS_OF_CHANGE.contains(&name.to_lowercase().as_str());
    (is_name && !is_kind && rest.starts_with(char::is_whitespace)).then_some(name)
}

const KINDS_OF_CHANGE: [&str; 16] = [
    "fix", "feat", "feature", "chore", "refactor", "perf", "style", "build", "ci", "revert", "bug",
    "note", "question", "wip", "issue", "error",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_template_is_not_part_of_an_issue() {
        for (text, expected) in [
            (
                "It fails\n<!-- Please describe\nthe bug -->\nwith 3\n- [x] I have checked the docs\nalways",
                "It fails\n\nwith 3\nalways",
            ),
            ("what does <!-- toc --> do", "what does <!-- toc --> do"),
            ("<!-- a -->\n- [ ] b", "<!-- a -->\n- [ ] b"),
            ("open\n<!-- without end", "open\n<!-- without end"),
            ("a\r\nb", "a\nb"),
        ] {
            assert_eq!(without_template(text), expected);
        }
    }

    #[test]
    fn frames_are_read_out_of_a_pasted_traceback() {
        let python = "Traceback (most recent call last):\n  File \"/home/me/x/requests/api.py\", line 59, in request\n    return session.request()\n  File \"C:\\py\\requests\\adapters.py\", line 700, in send\nrequests.exceptions.ConnectionError: refused";
        let frame = |path: &str, line| Frame {
            path: path.into(),
            line,
        };
        assert_eq!(
            frames(python),
            [
                frame("/home/me/x/requests/api.py", 59),
                frame("C:/py/requests/adapters.py", 700)
            ]
        );
        for (line, path, number) in [
            (
                "    at next (/app/node_modules/express/lib/router/route.js:137:13)",
                "/app/node_modules/express/lib/router/route.js",
                137,
            ),
            ("   --> src/main.rs:7:5", "src/main.rs", 7),
            ("\tat com.example.Foo.bar(Foo.java:12)", "Foo.java", 12),
            ("main.go:33 +0x1d", "main.go", 33),
        ] {
            assert_eq!(frames(line), [frame(path, number)], "{line}");
        }
        for line in [
            "at 12:30 o'clock",
            "version 1.2:3",
            "see https://a.example:80/x",
            "x.py:",
            "a.b:0",
        ] {
            assert_eq!(frames(line), [], "{line}");
        }
    }

    #[test]
    fn paths_are_words_with_slashes_or_extensions() {
        for (text, expected) in [
            (
                "What does src/requests/api.py do?",
                vec!["src/requests/api.py"],
            ),
            (
                "explain `lib/router` and utils.js.",
                vec!["lib/router", "utils.js"],
            ),
            ("either and/or", vec!["and/or"]),
            (
                "see https://example.org/a and version 2.32.5, e.g. 1.5",
                vec![],
            ),
            ("How does Session.send work", vec!["Session.send"]),
        ] {
            assert_eq!(paths(text), expected, "{text}");
        }
    }

    #[test]
    fn quotes_keep_their_punctuation() {
        assert_eq!(
            quotes("where is \"Invalid URL %r\" raised, and `x.get(1, None)`, not `name`"),
            ["x.get(1, None)", "Invalid URL %r"]
        );
        assert_eq!(quotes("it doesn't and it isn't so"), Vec::<String>::new());
        assert_eq!(
            quotes(
                "Traceback (most recent call last):\nrequests.exceptions.MissingSchema: Invalid URL 'x'"
            ),
            ["Invalid URL 'x'"]
        );
    }

    #[test]
    fn a_subsystem_is_a_prefix_that_is_not_a_kind_of_change() {
        for (text, expected) in [
            ("docs: explain hooks", Some("docs")),
            ("fix(parser): keep quotes", Some("parser")),
            ("gh-pages/css: fix", Some("gh-pages/css")),
            ("fix: keep quotes", None),
            ("how does it work: slowly", None),
            ("std::fmt is used", None),
            ("http://x", None),
        ] {
            assert_eq!(subsystem(text), expected, "{text}");
        }
    }
}
