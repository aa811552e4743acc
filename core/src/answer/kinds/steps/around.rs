//! The steps of a function around one of its lines, for answers that search found.

use super::read::{Step, steps};
use super::words::entry;
use crate::answer::definition::Definition;
use crate::answer::notes::Entry;
use crate::lines::Line;
use crate::parse::shape::{Shape, Turn};

/// Most steps that are shown.
const MAX: usize = 7;
/// Fewest steps that say more than the line does.
const MIN: usize = 3;

/// Some steps of a function, in the order of its lines.
pub(in crate::answer) struct Around {
    pub entries: Vec<Entry>,
    /// Whether these are all of them.
    pub is_whole: bool,
}

/// Returns the steps of a function that are closest to a line; `None` if there are too few to tell
/// more than the line does, or if the conditions of its calls were not read.
pub(in crate::answer) fn steps_around(
    definition: &Definition<'_>,
    shape: &Shape,
    line: Line,
) -> Option<Around> {
    if definition.is_container() || shape.called.is_empty() {
        return None;
    }
    let all = telling(steps(definition, shape));
    let at = all.partition_point(|step| step.line < line);
    let start = at
        .saturating_sub(MAX / 2)
        .min(all.len().saturating_sub(MAX));
    let shown = all.iter().skip(start).take(MAX);
    let entries: Vec<Entry> = shown.map(|step| entry(definition, step)).collect();
    (entries.len() >= MIN).then_some(Around {
        is_whole: entries.len() == all.len(),
        entries,
    })
}

/// Leaves out calls that another step shows: in its condition, or as a part of its own code.
fn telling(mut steps: Vec<Step>) -> Vec<Step> {
    let conditions = steps.iter().flat_map(|step| &step.turns);
    let mut shown: Vec<String> = conditions
        .filter_map(condition)
        .map(str::to_owned)
        .collect();
    shown.extend(steps.iter().map(|step| step.name.clone()));
    steps.retain(|step| {
        let call = format!("{}(", step.name);
        step.verb != "calls" || !shown.iter().any(|it| it.contains(&call))
    });
    steps
}

fn condition(turn: &Turn) -> Option<&str> {
    match turn {
        Turn::If(condition) | Turn::Unless(condition) | Turn::Case(condition) => Some(condition),
        Turn::Loop | Turn::Handler | Turn::Branch => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::syntax::Syntax;
    use crate::index::tests::index;

    fn names(body: &str, line: u32) -> Option<(Vec<String>, bool)> {
        let index = index(&[("net.py", body)]);
        let definition = Definition::new(&index, crate::source::FileId(0), 0)?;
        let shape = Syntax::new(&index).shape(&definition);
        let around = steps_around(&definition, &shape, Line(line))?;
        let names = around.entries.into_iter().map(|it| it.name).collect();
        Some((names, around.is_whole))
    }

    #[test]
    fn a_call_that_a_condition_shows_is_no_step_of_its_own() {
        let body = "def merge(a):\n    if isinstance(a, dict):\n        wrap(a)\n    open(a)\n    \
                    return close(a)\n";
        let (names, is_whole) = names(body, 3).unwrap();
        assert_eq!(names, ["wrap(…)", "open(…)", "close(a)"]);
        assert!(is_whole);
    }

    #[test]
    fn of_a_long_function_the_steps_around_the_line_are_shown() {
        let calls = (1..=20).map(|at| format!("    step{at}()\n"));
        let body = format!("def run():\n{}", calls.collect::<String>());
        let (names, is_whole) = names(&body, 11).unwrap();
        assert_eq!(names.first().map(String::as_str), Some("step7()"));
        assert_eq!(names.len(), MAX);
        assert!(!is_whole);
        assert_eq!(self::names("def run():\n    step()\n", 2), None);
    }
}
