//! Core's modules may use only those above them in the table of `core/src/lib.rs`, which is read
//! here. The modules of a row are ordered from left to right, so the whole table is one order.

use super::source::Crate;
use super::violation::Violation;

/// The modules in the first column of a table in a file's documentation, in order.
pub fn of_table(text: &str) -> Vec<String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! |"));
    let cells = rows.filter_map(|row| row.split('|').next());
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    names.map(str::to_owned).collect()
}

/// Finds uses that go against the order, modules missing from the table, and rows without a module.
/// `lib` is the file with the table.
pub fn check(lib: &str, order: &[String], code: &Crate) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut modules: Vec<&String> = code
        .modules
        .iter()
        .filter_map(|module| module.path.first())
        .collect();
    modules.sort();
    modules.dedup();
    for module in &modules {
        if !order.contains(module) {
            violations.push(forgotten(lib, module));
        }
    }
    for name in order.iter().filter(|name| !modules.contains(name)) {
        violations.push(Violation {
            place: lib.to_owned(),
            what: format!("the table names `{name}`, which is no module"),
            why: "the table is the order that is checked".to_owned(),
            remedy: "take it out of the table".to_owned(),
        });
    }
    for module in &code.modules {
        let Some(from) = module.path.first() else {
            continue;
        };
        for mention in &module.mentions {
            let target = code.follow(&mention.path);
            let [start, to, ..] = target.as_slice() else {
                continue;
            };
            let at = |name: &String| order.iter().position(|known| known == name);
            if start == "crate" && at(from).zip(at(to)).is_some_and(|(from, to)| to > from) {
                violations.push(Violation {
                    place: format!("{}:{}", module.file, mention.line),
                    what: format!("`{from}` uses `{}`", mention.path.join("::")),
                    why: format!("`{to}` stands below `{from}` in the table of {lib}, and a module uses only those above it"),
                    remedy: format!("move what both need above `{from}`, or this code to `{to}` or below it"),
                });
            }
        }
    }
    violations
}

fn forgotten(lib: &str, module: &str) -> Violation {
    Violation {
        place: lib.to_owned(),
        what: format!("the table does not name `{module}`"),
        why: "the table is the order that is checked: each module uses only those above it"
            .to_owned(),
        remedy: format!("give `{module}` a row below all that it uses"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::Source;
    use super::*;

    const TABLE: &str = "//! | module | what it does |\n//! |---|---|\n//! | [`low`] | … |\n//! | [`left`], `right` | `no` |\n";

    fn check_all(sources: &[(&str, &str)]) -> Vec<String> {
        let sources = sources.iter().map(|(path, text)| Source {
            path: format!("core/src/{path}"),
            text: (*text).to_owned(),
        });
        let code = Crate::read("core/src", &sources.collect::<Vec<_>>()).unwrap();
        let violations = check("lib.rs", &of_table(TABLE), &code).into_iter();
        violations
            .map(|found| format!("{} {}", found.place, found.what))
            .collect()
    }

    #[test]
    fn the_order_is_read_from_the_table() {
        assert_eq!(of_table(TABLE), ["low", "left", "right"]);
    }

    #[test]
    fn arrows_down_are_allowed() {
        let clean = check_all(&[
            ("low.rs", ""),
            ("left.rs", "use crate::low::X;"),
            ("right.rs", "use crate::{left, low};"),
        ]);
        assert_eq!(clean, [""; 0]);
    }

    #[test]
    fn an_arrow_up_is_reported() {
        let found = check_all(&[
            ("low/mod.rs", "mod deep;"),
            ("low/deep.rs", "\nfn f() { crate::right::g() }"),
            ("left.rs", "use super::right;"),
            ("right.rs", ""),
        ]);
        assert_eq!(
            found,
            [
                "core/src/low/deep.rs:2 `low` uses `crate::right::g`",
                "core/src/left.rs:1 `left` uses `crate::right`",
            ]
        );
    }

    #[test]
    fn table_and_modules_are_the_same() {
        let found = check_all(&[("low.rs", ""), ("left.rs", ""), ("new.rs", "")]);
        assert_eq!(
            found,
            [
                "lib.rs the table does not name `new`",
                "lib.rs the table names `right`, which is no module",
            ]
        );
    }
}
