//! `cargo xtask fuzz [TARGET…] [--minutes N] [--seed N]`: odd input for code that reads other
//! people's input, different in every run.
//!
//! The targets are those of `tests/fuzz`, and `properties`: every property of the workspace with a
//! fresh seed in each round, while tests use the seed set in `.cargo/config.toml`. Without a target
//! all of them run, each for the given minutes (one by default). A failure is reported with the
//! command that repeats it.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;

use crate::invariants::{self, Source};
use crate::shell::{Result, run};
use xtask::paths;

/// The target that is not part of `tests/fuzz`.
const PROPERTIES: &str = "properties";
/// Sets the seed of properties.
const SEED: &str = "PROPTEST_RNG_SEED";

/// What the command line asks for.
#[derive(Debug, PartialEq)]
struct Plan {
    /// As named; empty for all.
    targets: Vec<String>,
    minutes: f64,
    seed: Option<u64>,
}

/// Runs the targets and flags in `args`.
pub fn run_all(args: &[String]) -> Result {
    let plan = Plan::of(args)?;
    let (properties, targets): (Vec<_>, Vec<_>) =
        plan.targets.iter().partition(|name| *name == PROPERTIES);
    let all = plan.targets.is_empty();
    let of_bytes = match all || !targets.is_empty() {
        true => run(cargo()
            .args(["run", "--quiet", "--package", "footnote-tests"])
            .args(["--bin", "fuzz", "--"])
            .args(&targets)
            .args(["--minutes", &plan.minutes.to_string()])
            .args(
                plan.seed
                    .iter()
                    .flat_map(|seed| ["--seed".to_owned(), seed.to_string()]),
            )),
        false => Ok(()),
    };
    match all || !properties.is_empty() {
        true => of_bytes.and(check_properties(&plan)),
        false => of_bytes,
    }
}

impl Plan {
    fn of(args: &[String]) -> Result<Self> {
        let mut plan = Self {
            targets: Vec::new(),
            minutes: 1.0,
            seed: None,
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--minutes" => {
                    let minutes = args.next().and_then(|number| number.parse().ok());
                    plan.minutes = minutes.ok_or("--minutes needs a number behind it")?;
                }
                "--seed" => {
                    let seed = args.next().and_then(|seed| seed.parse().ok());
                    plan.seed = Some(seed.ok_or("--seed needs a whole number behind it")?);
                }
                flag if flag.starts_with('-') => return Err(format!("there is no {flag}")),
                name => plan.targets.push(name.to_owned()),
            }
        }
        Ok(plan)
    }
}

/// Runs rounds of all properties, each with a seed of its own, until the time is up.
fn check_properties(plan: &Plan) -> Result {
    let names: BTreeSet<String> = invariants::sources()?
        .iter()
        .map(properties_in)
        .collect::<Result<Vec<_>>>()?
        .concat()
        .into_iter()
        .collect();
    let time = Duration::from_secs_f64(plan.minutes.clamp(0.0, 1e6) * 60.0);
    let start = Instant::now();
    let mut seed = plan.seed.unwrap_or_else(fresh_seed);
    let mut rounds = 0;
    while rounds == 0 || start.elapsed() < time {
        run(cargo()
            .args(["test", "--quiet", "--lib"])
            .args(["--package", "footnote-core", "--package", "footnote-app"])
            .args(["--package", "footnote-cli"])
            .arg("--")
            .args(&names)
            .env(SEED, seed.to_string()))
        .map_err(|_| format!("{PROPERTIES}: again: cargo xtask fuzz {PROPERTIES} --seed {seed}"))?;
        rounds += 1;
        seed += 1;
    }
    let seconds = start.elapsed().as_secs();
    let first = seed - rounds;
    println!(
        "{PROPERTIES}: {rounds} rounds of {} in {seconds} s, seeds from {first}",
        names.len()
    );
    Ok(())
}

fn cargo() -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(paths::root());
    command
}

fn fresh_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(1, |since| since.as_nanos() as u64 % 1_000_000_000_000)
}

/// The names of the properties that a file declares: functions in `proptest!`.
fn properties_in(source: &Source) -> Result<Vec<String>> {
    let file = syn::parse_file(&source.text)
        .map_err(|error| format!("{} is no Rust: {error}", source.path))?;
    let mut found = Properties(Vec::new());
    found.visit_file(&file);
    Ok(found.0)
}

struct Properties(Vec<String>);

impl Visit<'_> for Properties {
    fn visit_macro(&mut self, called: &syn::Macro) {
        let name = called.path.segments.last();
        if name.is_some_and(|name| name.ident == "proptest") {
            self.0.extend(functions(&called.tokens));
        }
    }
}

/// The words after each `fn` that is not inside brackets.
fn functions(tokens: &TokenStream) -> Vec<String> {
    let words: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let pairs = words.windows(2);
    let named = pairs.filter_map(|pair| match pair {
        [TokenTree::Ident(word), TokenTree::Ident(name)] if word == "fn" => Some(name.to_string()),
        _ => None,
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_read() {
        let plan = |line: &str| {
            let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            Plan::of(&args)
        };
        let expected = Plan {
            targets: vec!["review".to_owned(), PROPERTIES.to_owned()],
            minutes: 2.5,
            seed: Some(7),
        };
        assert_eq!(
            plan("review --minutes 2.5 properties --seed 7"),
            Ok(expected)
        );
        for wrong in ["--minutes", "--minutes x", "--seed -1", "--hours 1"] {
            assert!(plan(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn properties_are_found_wherever_they_stand() {
        let text = "
            proptest! { #[test] fn one(a in 0..3) { fn inner() {} } }
            #[test] fn none() {}
            mod tests { proptest::proptest! {
                #![proptest_config(x())]
                #[test] fn two() {} /// Text.
                #[test] fn three() {}
            } }";
        let source = Source {
            path: "core/src/a.rs".to_owned(),
            text: text.to_owned(),
        };
        assert_eq!(properties_in(&source).unwrap(), ["one", "two", "three"]);
        let of_this_tree = invariants::sources().unwrap();
        let in_core = |source: &&Source| source.path == "core/src/answer/review/tests.rs";
        let review = of_this_tree.iter().find(in_core).unwrap();
        assert!(
            properties_in(review)
                .unwrap()
                .contains(&"no_text_is_too_odd".to_owned())
        );
    }
}
