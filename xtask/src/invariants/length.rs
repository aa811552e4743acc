//! Functions and files that hold more than can be read at once.

use super::source::{Crate, Function, Module, Source};
use super::violation::Violation;

/// Lines of a function, from its signature to its last bracket.
const FUNCTION_LINES: usize = 80;
/// Lines of a file.
const FILE_LINES: usize = 500;
/// Files that are longer, each with the reason.
const LONGER_FILES: [(&str, &str); 1] = [(
    "app/src/worker/serve/open/mod.rs",
    "the steps of an opening hand one state on to each other",
)];

/// Functions that are too long; those of tests may be.
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

/// Files that are too long, those of tests too.
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

    /// A function of so many lines.
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
    fn a_file_that_is_too_long_is_reported() {
        assert!(files(&[source("// a\n".repeat(FILE_LINES))]).is_empty());
        let long = source("// a\n".repeat(FILE_LINES + 1));
        assert_eq!(
            told(&files(&[long])),
            ["core/src/a.rs: the file has 501 lines"]
        );
    }
}
