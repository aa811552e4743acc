//! The wording of questions about unfinished code: one line, then the code in a fence.

use crate::lang::Language;

/// Number of last lines that count most if the question gives no number.
pub const LAST_LINES: usize = 3;

/// Maximum number of last lines that can be requested.
const MAX_LAST_LINES: usize = 200;

/// Maximum number of characters of code in a question; what comes before them is left out.
const MAX_CODE_CHARS: usize = 90_000;

/// The first line that [`question`] writes.
const ASKED: &str = "What does this unfinished code need?";

/// Possible first lines, in lower case, without punctuation at the end.
const WORDINGS: [&str; 9] = [
    "what does this unfinished code need",
    "what does this unfinished function need",
    "what does this unfinished code need from the repository",
    "what do i need to complete this code",
    "what do i need to finish this code",
    "complete this code",
    "complete this function",
    "finish this code",
    "finish this function",
];

/// A piece of unfinished code as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The code; its last line is where it stops.
    pub code: String,
    /// The path of its file, if known.
    pub path: Option<String>,
    /// Its language, if known.
    pub language: Option<Language>,
    /// The number of last lines that count most.
    pub last_lines: usize,
}

impl Fragment {
    /// Takes code with a `tag`: a path (`src/app.py`), the name of a language or an extension, or
    /// nothing.
    pub fn new(code: &str, tag: &str, last_lines: usize) -> Self {
        let mut fragment = Self {
            code: code.to_owned(),
            path: None,
            language: None,
            last_lines: last_lines.clamp(1, MAX_LAST_LINES),
        };
        for word in tag.split_whitespace() {
            if word.contains(['.', '/']) {
                let path = word.replace('\\', "/");
                fragment.path = Some(path.trim_start_matches("./").to_owned());
            } else {
                fragment.language = fragment.language.or_else(|| language(word));
            }
        }
        let detected = fragment.path.as_deref();
        let detected = detected.map(|path| Language::detect(path, code));
        fragment.language = detected.filter(|it| it.is_code()).or(fragment.language);
        fragment
    }

    /// Reads the text of a question; returns `None` if it does not ask about unfinished code.
    pub fn of_question(text: &str) -> Option<Self> {
        let (first, rest) = text.trim_start().split_once('\n')?;
        let last_lines = asked(first)?;
        let rest = rest.trim_start_matches(['\n', '\r']).trim_end();
        let ticks = rest.chars().take_while(|sign| *sign == '`').count();
        if ticks < 3 {
            return None;
        }
        let fence = rest.get(..ticks)?;
        let (tag, code) = rest.get(ticks..)?.split_once('\n')?;
        let end = code.lines().position(|line| line.trim_end() == fence);
        let n_lines = code.lines().count();
        // Text after the fence asks about more than the code.
        if end.is_some_and(|end| end + 1 < n_lines) {
            return None;
        }
        let code: Vec<&str> = code.lines().take(end.unwrap_or(n_lines)).collect();
        Some(Self::new(&code.join("\n"), tag, last_lines))
    }
}

/// Whether a question is about unfinished code, by its first lines.
pub fn is_asked(text: &str) -> bool {
    let mut lines = text.trim_start().lines();
    let is_asked = lines.next().and_then(asked).is_some();
    let next = lines.find(|line| !line.trim().is_empty());
    is_asked && next.is_some_and(|line| line.starts_with("```"))
}

/// Returns the question that asks what unfinished code needs. `tag` is its path, its language or
/// nothing, and `last_lines` how many of its last lines count most.
pub fn question(code: &str, tag: &str, last_lines: usize) -> String {
    let code = ending(code);
    let fence = "`".repeat(longest_run(code).max(2) + 1);
    let lines = match last_lines {
        LAST_LINES => String::new(),
        1 => " (last line)".to_owned(),
        n => format!(" (last {n} lines)"),
    };
    let tag: Vec<&str> = tag.split_whitespace().collect();
    let tag = tag.join(" ").replace('`', "");
    format!("{ASKED}{lines}\n{fence}{tag}\n{code}\n{fence}")
}

/// Returns the number of last lines that a first line asks for; `None` if it is not such a
/// question.
fn asked(line: &str) -> Option<usize> {
    const LONGEST: usize = 120;
    if line.len() > LONGEST {
        return None;
    }
    let line = line.trim().to_lowercase();
    let (words, lines) = match line.split_once('(') {
        Some((words, aside)) => (words, Some(number(aside)?)),
        None => (line.as_str(), None),
    };
    let words = words.trim().trim_end_matches(['?', '.', ':', '!']).trim();
    let words = words.strip_prefix("please ").unwrap_or(words);
    let is_known = WORDINGS.contains(&words);
    is_known.then_some(lines.unwrap_or(LAST_LINES))
}

/// Reads `last 5 lines)` as 5.
fn number(aside: &str) -> Option<usize> {
    let (inside, behind) = aside.split_once(')')?;
    let is_end = behind.chars().all(|sign| "?.:! ".contains(sign));
    let inside = inside.trim().trim_start_matches("its ");
    let inside = inside.trim_start_matches("the ").strip_prefix("last ")?;
    let n = match inside {
        "line" => 1,
        other => other.strip_suffix(" lines")?.trim().parse().ok()?,
    };
    (is_end && n > 0).then_some(n)
}

/// Returns the end of long code, from the beginning of a line.
fn ending(code: &str) -> &str {
    let code = code.trim_end();
    let n = code.chars().count();
    if n <= MAX_CODE_CHARS {
        return code;
    }
    let start = code.char_indices().nth(n - MAX_CODE_CHARS);
    let rest = start.and_then(|(at, _)| code.get(at..)).unwrap_or(code);
    rest.split_once('\n').map_or(rest, |(_, rest)| rest)
}

/// Returns the longest run of backticks.
fn longest_run(code: &str) -> usize {
    let runs = code.split(|sign| sign != '`').map(str::len);
    runs.max().unwrap_or(0)
}

fn language(word: &str) -> Option<Language> {
    let word = word.to_lowercase();
    let by_extension = || Language::detect(&format!("code.{word}"), "");
    let found = Language::named(&word).unwrap_or_else(by_extension);
    found.is_code().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_composed_question_is_read_back_as_it_was() {
        for (code, tag, lines, language) in [
            ("x = 1\ny =", "python", 3, Some(Language::Python)),
            ("let a =", "src/a.ts", 1, Some(Language::TypeScript)),
            ("a\n```\nb\n````\nc", "", 7, None),
            ("fn main() {", "rs", 3, Some(Language::Rust)),
            ("x", "klingon", 3, None),
            ("", "py", 3, Some(Language::Python)),
        ] {
            let asked = question(code, tag, lines);
            let read = Fragment::of_question(&asked).unwrap();
            assert!(is_asked(&asked), "{asked}");
            assert_eq!(read.code, code, "{asked}");
            assert_eq!(read.language, language, "{asked}");
            assert_eq!(read.last_lines, lines, "{asked}");
            assert_eq!(read.path.is_some(), tag.contains('/'), "{asked}");
        }
    }

    #[test]
    fn the_first_line_decides_and_nothing_may_follow_the_code() {
        let code = "\n```py\nx = f(\n```";
        for (first, is_read) in [
            ("What does this unfinished code need?", true),
            ("Complete this code (last 5 lines):", true),
            ("Please finish this function", true),
            ("complete this code (last line)", true),
            ("What does this code do?", false),
            ("Complete this code (quickly)", false),
            ("Why does this unfinished code need a lock?", false),
            ("How is this called?", false),
            ("", false),
        ] {
            let asked = format!("{first}{code}");
            let read = Fragment::of_question(&asked);
            assert_eq!(read.is_some(), is_read, "{asked}");
        }
        for asked in [
            "Complete this code",
            "Complete this code\nx = f(",
            "Complete this code\n```py\nx\n```\nand say why",
            "Complete this code: `x = f(`",
        ] {
            assert_eq!(Fragment::of_question(asked), None, "{asked}");
        }
        let open = Fragment::of_question("Complete this code\n```py\nx = f(").unwrap();
        assert_eq!(open.code, "x = f(");
    }

    #[test]
    fn long_code_keeps_its_end() {
        let code = "é = 1\n".repeat(40_000) + "last = 2";
        let asked = question(&code, "py", 3);
        assert!(asked.chars().count() < crate::search::question::MAX_CHARS);
        let read = Fragment::of_question(&asked).unwrap();
        assert!(read.code.starts_with("é = 1\n") && read.code.ends_with("last = 2"));
    }
}
