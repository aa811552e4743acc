//! Circular imports between the modules of one folder: its files and its folders, each with
//! everything below it, and what is in the folder's own `mod.rs`. What that file only re-exports
//! belongs to the module it comes from.

use std::collections::{BTreeMap, VecDeque};

use super::source::Crate;
use super::violation::Violation;

/// Arrows between modules, each with its place in the code for the report.
type Arrows<'a> = BTreeMap<&'a str, BTreeMap<&'a str, String>>;

/// The folder's own file.
const OWN: &str = "mod.rs";

/// Finds circles between the direct children of the module at `path` (`worker`, `serve`); reports
/// each once.
pub fn check(path: &[String], code: &Crate) -> Vec<Violation> {
    let targets: Vec<Vec<Vec<String>>> = code
        .modules
        .iter()
        .map(|module| {
            module
                .mentions
                .iter()
                .map(|mention| code.follow(&mention.path))
                .collect()
        })
        .collect();
    let children: Vec<&str> = code
        .modules
        .iter()
        .filter_map(|module| child(path, &module.path))
        .collect();
    let mut arrows = Arrows::new();
    for (module, targets) in code.modules.iter().zip(&targets) {
        let from = match child(path, &module.path) {
            Some(child) => child,
            None if module.path == path => OWN,
            None => continue,
        };
        for (mention, target) in module.mentions.iter().zip(targets) {
            if from == OWN && mention.is_export {
                continue;
            }
            let inner = target.strip_prefix(&["crate".to_owned()]);
            let inner = inner.filter(|inner| inner.starts_with(path));
            let to = inner.map(|inner| match child(path, inner) {
                Some(child) if children.contains(&child) => child,
                _ => OWN,
            });
            if let Some(to) = to.filter(|to| *to != from) {
                let place = || format!("{}:{}", module.file, mention.line);
                arrows
                    .entry(from)
                    .or_default()
                    .entry(to)
                    .or_insert_with(place);
            }
        }
    }
    circles(&arrows)
        .iter()
        .map(|circle| report(circle, &arrows))
        .collect()
}

/// The part of `path` directly below `folder`.
fn child<'a>(folder: &[String], path: &'a [String]) -> Option<&'a str> {
    path.strip_prefix(folder)?.first().map(String::as_str)
}

/// The shortest circle through each module that is in no circle found earlier.
fn circles<'a>(arrows: &Arrows<'a>) -> Vec<Vec<&'a str>> {
    let mut circles: Vec<Vec<&str>> = Vec::new();
    for start in arrows.keys() {
        if circles.iter().flatten().any(|known| known == start) {
            continue;
        }
        circles.extend(shortest(start, arrows));
    }
    circles
}

/// The shortest way from `start` back to it.
fn shortest<'a>(start: &'a str, arrows: &Arrows<'a>) -> Option<Vec<&'a str>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for &next in arrows.get(at).into_iter().flat_map(BTreeMap::keys) {
            if next == start {
                let mut circle = vec![at];
                while let Some(before) = circle.last().and_then(|last| came_from.get(last)) {
                    circle.push(before);
                }
                circle.reverse();
                return Some(circle);
            }
            if !came_from.contains_key(next) {
                came_from.insert(next, at);
                queue.push_back(next);
            }
        }
    }
    None
}

fn report(circle: &[&str], arrows: &Arrows<'_>) -> Violation {
    let nexts = circle.iter().skip(1).chain(circle.first());
    let steps = circle.iter().zip(nexts).filter_map(|(from, to)| {
        let place = arrows.get(from)?.get(to)?;
        Some((place.clone(), format!("`{from}` uses `{to}` ({place})")))
    });
    let (places, steps): (Vec<String>, Vec<String>) = steps.unzip();
    Violation {
        place: places.into_iter().next().unwrap_or_default(),
        what: format!("modules use each other in a circle: {}", steps.join(", ")),
        why: "none of them can be understood, tested or moved without the others".to_owned(),
        remedy: "move what they share into a module of its own that uses none of them".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::Source;
    use super::*;

    fn check_all(sources: &[(&str, &str)]) -> Vec<String> {
        let sources = sources.iter().map(|(path, text)| Source {
            path: format!("app/src/serve/{path}"),
            text: (*text).to_owned(),
        });
        let code = Crate::read("app/src", &sources.collect::<Vec<_>>()).unwrap();
        let violations = check(&["serve".to_owned()], &code).into_iter();
        violations.map(|found| found.what).collect()
    }

    #[test]
    fn arrows_without_a_circle_are_allowed() {
        let clean = check_all(&[
            (
                "mod.rs",
                "mod a;\nmod b;\npub use a::A;\nuse b::B;\npub struct Shared;",
            ),
            ("a.rs", "use super::Shared;\nuse super::b::B;"),
            ("b/mod.rs", "mod c;\nuse c::C;"),
            ("b/c.rs", "use super::B;"),
        ]);
        assert_eq!(clean, [""; 0]);
    }

    #[test]
    fn code_in_the_folder_itself_is_part_of_a_circle() {
        let found = check_all(&[
            ("mod.rs", "mod a;\nuse a::A;\npub struct Engine(A);"),
            ("a.rs", "use super::Engine;\npub struct A;"),
        ]);
        assert_eq!(
            found,
            [
                "modules use each other in a circle: `a` uses `mod.rs` (app/src/serve/a.rs:1), \
              `mod.rs` uses `a` (app/src/serve/mod.rs:2)"
            ]
        );
    }

    #[test]
    fn a_circle_is_reported_with_each_arrow_and_once() {
        let found = check_all(&[
            ("mod.rs", "mod a;\nmod b;\nmod c;\npub use a::A;"),
            ("a.rs", "\nuse super::b::B;"),
            ("b/mod.rs", "mod deep;"),
            ("b/deep.rs", "use super::super::c;"),
            // Through what the folder re-exports.
            ("c.rs", "fn f(a: &crate::serve::A) {}"),
        ]);
        assert_eq!(
            found,
            [
                "modules use each other in a circle: `a` uses `b` (app/src/serve/a.rs:2), \
              `b` uses `c` (app/src/serve/b/deep.rs:1), `c` uses `a` (app/src/serve/c.rs:1)"
            ]
        );
    }
}
