//! `fuzz [TARGET…] [--minutes N] [--seed N]`: feeds odd input to code that reads other people's
//! input, until the time is up or a target fails. `cargo xtask fuzz` runs it; see there.
//!
//! A [`Target`] makes an input from a seed and checks it. A failing input is reduced and saved
//! under `target/fuzz/TARGET`, and its seed is printed: `fuzz TARGET --seed N` starts with the same
//! input. Once the bug is fixed, the input is added to `tests/fixtures/fuzz/TARGET`, which every
//! test run reads first.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr
)]

mod mutate;
mod run;
mod sample;
mod target;
mod targets;
mod text;

use std::process::ExitCode;
use std::time::Duration;

use target::Target;
use targets::TARGETS;

/// How long each target runs by default.
const MINUTES: f64 = 1.0;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match Plan::of(&args) {
        Ok(plan) => plan.run(),
        Err(message) => {
            eprintln!("fuzz: {message}");
            ExitCode::from(2)
        }
    }
}

/// What the command line asks for.
struct Plan {
    targets: Vec<&'static Target>,
    /// For each target.
    time: Duration,
    seed: u64,
}

impl Plan {
    fn of(args: &[String]) -> Result<Self, String> {
        let mut plan = Self {
            targets: Vec::new(),
            time: Duration::from_secs_f64(MINUTES * 60.0),
            seed: run::fresh_seed(),
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut number = || {
                let number = args.next().and_then(|number| number.parse::<f64>().ok());
                let number = number.filter(|number| (0.0..1e7).contains(number));
                number.ok_or_else(|| format!("{arg} needs a number behind it"))
            };
            match arg.as_str() {
                "--minutes" => plan.time = Duration::from_secs_f64(number()? * 60.0),
                "--seed" => {
                    let seed = args.next().and_then(|seed| seed.parse().ok());
                    plan.seed = seed.ok_or("--seed needs a whole number behind it")?;
                }
                name => plan.targets.push(named(name)?),
            }
        }
        if plan.targets.is_empty() {
            plan.targets = TARGETS.iter().collect();
        }
        Ok(plan)
    }

    fn run(&self) -> ExitCode {
        run::keep_quiet();
        let failed = self.targets.iter().filter(|target| {
            let outcome = run::run(target, self.seed, self.time);
            println!("{}: {outcome}", target.name);
            outcome.failure.is_some()
        });
        match failed.count() {
            0 => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        }
    }
}

fn named(name: &str) -> Result<&'static Target, String> {
    let found = TARGETS.iter().find(|target| target.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        format!("there is no target {name}, only {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_read() {
        let plan = |line: &str| {
            let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let plan = Plan::of(&args)?;
            let names: Vec<&str> = plan.targets.iter().map(|target| target.name).collect();
            Ok((names.join(" "), plan.time.as_secs()))
        };
        let all = "archive citation review stream import index index-file";
        assert_eq!(plan(""), Ok((all.to_owned(), 60)));
        assert_eq!(
            plan("review stream --minutes 0.5"),
            Ok(("review stream".to_owned(), 30))
        );
        for wrong in ["reviews", "--minutes", "--minutes x", "--seed 1.5"] {
            let told: Result<_, String> = plan(wrong);
            assert!(told.is_err(), "{wrong}");
        }
    }
}
