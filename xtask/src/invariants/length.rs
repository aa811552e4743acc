//! Functions and files that are too long to read at once, and comments that are too wide.

use super::source::{Crate, Function, Module, Source};
use super::violation::Violation;

/// The most lines of a function, from its signature to its last bracket.
const FUNCTION_LINES: usize = 80;
/// The most lines of a file.
const FILE_LINES: usize = 500;
/// The most columns of a comment line: rustfmt wraps code only.
const COLUMNS: usize = 100;
/// Longer files that are allowed, each with the reason.
const LONGER_FILES: [(&str, &str); 1] = [(
    "app/src/worker/serve/open/mod.rs",
    "the steps of an opening hand one state on to each other",
)];

/// Finds functions that are too long; test functions may be.
pub fn functions(code: &Crate) -> Vec<Violation> {
    let functions = |module| of_module(module);
    code.modules.iter().flat_map(functions).collect()
}

fn of_module(module: &Module) -> impl Iterator<Item = Violation> {
    let long = |function: &&Function| function.lines > FUNCTION_LINES;
    let functions = module.functions.iter().filter(long);
    functions.map(|function| Violation {
        place: format!("{}:{}", module.file, function.line),
        what: format!("`{}` has {} lines", function.name, function.lines),
        why: format!("a function of more than {FUNCTION_LINES} does several things"),
        remedy: "give each of them a function or a type".to_owned(),
    })
}

/// Finds files that are too long, including test files.
pub fn files(sources: &[Source]) -> Vec<Violation> {
    sources.iter().filter_map(long_file).collect()
}

fn long_file(source: &Source) -> Option<Violation> {
    let lines = source.text.lines().count();
    let is_excepted = LONGER_FILES.iter().any(|(path, _)| *path == source.path);
    (lines > FILE_LINES && !is_excepted).then(|| Violation {
        place: source.path.clone(),
        what: format!("the file has {lines} lines"),
        why: format!("one of more than {FILE_LINES} mixes concerns"),
        remedy: "move each concern into a module of its own below it".to_owned(),
    })
}

/// Finds comments that are too wide. Tables cannot be wrapped.
pub fn comments(sources: &[Source]) -> Vec<Violation> {
    let of_source = |source: &Source| {
        let lines = source.text.lines().enumerate();
        let wide = lines.filter(|(_, line)| is_wide_comment(line));
        let violation = |(at, line): (usize, &str)| Violation {
            place: format!("{}:{}", source.path, at + 1),
            what: format!("the comment has {} columns", line.chars().count()),
            why: format!("beyond {COLUMNS} it is cut or wrapped where it is read side by side"),
            remedy: "wrap it".to_owned(),
        };
        wide.map(violation).collect::<Vec<_>>()
    };
    sources.iter().flat_map(of_source).collect()
}

fn is_wide_comment(line: &str) -> bool {
    let text = line.trim_start();
    let Some(text) = text.strip_prefix("//") else {
        return false;
    };
    let text = text.trim_start_matches(['/', '!', ' ']);
    // A single long word, such as an address, cannot be wrapped either.
    line.chars().count() > COLUMNS && !text.starts_with('|') && text.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(violations: &[Violation]) -> Vec<String> {
        let told = |found: &Violation| format!("{}: {}", found.place, found.what);
        violations.iter().map(told).collect()
    }

    fn source(text: String) -> Source {
        Source {
            path: "core/src/a.rs".to_owned(),
            text,
        }
    }

    fn long_functions(text: String) -> Vec<String> {
        let code = Crate::read("core/src", &[source(text)]).unwrap();
        told(&functions(&code))
    }

    /// A function with this many lines.
    fn function(lines: usize) -> String {
        format!("fn f() {{\n{}}}\n", "    g();\n".repeat(lines - 2))
    }

    #[test]
    fn a_function_that_is_too_long_is_reported_wherever_it_stands() {
        assert!(long_functions(function(FUNCTION_LINES)).is_empty());
        let long = function(FUNCTION_LINES + 1);
        let what = "`f` has 81 lines";
        let found = long_functions(long.clone());
        assert_eq!(found, [format!("core/src/a.rs:1: {what}")]);
        for around in ["impl A {", "mod a {", "trait A {"] {
            let found = long_functions(format!("{around}\n{long}}}\n"));
            assert_eq!(found, [format!("core/src/a.rs:2: {what}")], "{around}");
        }
        assert!(long_functions(format!("#[cfg(test)]\nmod tests {{\n{long}}}\n")).is_empty());
        assert!(long_functions(format!("#![cfg(test)]\n{long}")).is_empty());
    }

    #[test]
    fn a_comment_that_is_too_wide_is_reported_unless_it_is_a_table_or_one_word() {
        let words = "a ".repeat(50);
        let word = "a".repeat(100);
        let wide = format!(
            "/// {words}\n    // {words}\n//! | {words} |\n// {word}\nlet a = \"{words}\";\n/// a\n"
        );
        assert_eq!(
            told(&comments(&[source(wide)])),
            [
                "core/src/a.rs:1: the comment has 104 columns",
                "core/src/a.rs:2: the comment has 107 columns",
            ]
        );
    }

    #[test]
    fn a_file_that_is_too_long_is_reported() {
        assert!(files(&[source("// a\n".repeat(FILE_LINES))]).is_empty());
        let long = source("// a\n".repeat(FILE_LINES + 1));
        assert_eq!(
            told(&files(&[long])),
            ["core/src/a.rs: the file has 501 lines"]
        );
    }
}
