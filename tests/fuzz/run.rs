//! Runs a target: for a time with fresh seeds, or over the stored inputs.

use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};
use xtask::paths;

use crate::mutate::Rng;
use crate::target::Target;

/// An input that takes more processor time would block the page, and counts as a failure.
const SLOW: Duration = Duration::from_secs(10);
/// How long a failing input is reduced.
const REDUCING: Duration = Duration::from_secs(30);
/// The first seed of test runs.
#[cfg(test)]
const FIXED_SEED: u64 = 20_260_901;

thread_local! {
    /// What the last panic said, and where.
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The result of a run.
pub struct Outcome {
    cases: u64,
    seconds: f64,
    first_seed: u64,
    pub failure: Option<Failure>,
}

pub struct Failure {
    seed: u64,
    said: String,
    saved: PathBuf,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            cases,
            seconds,
            first_seed,
            ..
        } = self;
        write!(
            f,
            "{cases} inputs in {seconds:.0} s, seeds from {first_seed}"
        )?;
        match &self.failure {
            None => write!(f, ", all hold"),
            Some(Failure { seed, said, saved }) => write!(
                f,
                ", FAILED\n  {}\n  again: --seed {seed}\n  the input: {}",
                said.replace('\n', "\n  "),
                saved.display()
            ),
        }
    }
}

/// Catches and records panics, to report them at the end.
pub fn keep_quiet() {
    std::panic::set_hook(Box::new(|panic| {
        SAID.with(|said| *said.borrow_mut() = panic.to_string());
    }));
}

/// A seed that no earlier run had.
pub fn fresh_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = since.map_or(0, |since| since.as_nanos() as u64);
    // Short enough to type.
    Rng::new(nanos ^ u64::from(std::process::id())).next() % 1_000_000_000_000
}

/// Checks the stored inputs, then those of the seeds from `first_seed` on, until the time is up or
/// one fails.
pub fn run(target: &Target, first_seed: u64, time: Duration) -> Outcome {
    let folder = paths::target().join("fuzz").join(target.name);
    std::fs::create_dir_all(&folder).expect("a folder for inputs that fail");
    // A crash that cannot be caught, such as a stack overflow, leaves its input here.
    let running = folder.join("running");
    let start = Instant::now();
    let mut failure = kept(target).into_iter().find_map(|(saved, input)| {
        let said = fault(target, &input)?;
        Some(Failure {
            said,
            seed: first_seed,
            saved,
        })
    });
    let mut seed = first_seed;
    while failure.is_none() && (seed == first_seed || start.elapsed() < time) {
        let input = (target.make)(&mut Rng::new(seed));
        std::fs::write(&running, &input).expect("the input is written");
        if let Some(said) = fault(target, &input) {
            let saved = folder.join(seed.to_string());
            std::fs::write(&saved, smaller(target, input)).expect("the input is saved");
            failure = Some(Failure { said, seed, saved });
        }
        seed += 1;
    }
    let _ = std::fs::remove_file(running);
    Outcome {
        cases: seed - first_seed,
        seconds: start.elapsed().as_secs_f64(),
        first_seed,
        failure,
    }
}

/// What is wrong with how an input is read.
fn fault(target: &Target, input: &[u8]) -> Option<String> {
    let start = processor_time();
    if catch_unwind(AssertUnwindSafe(|| (target.check)(input))).is_err() {
        return Some(SAID.with(|said| said.borrow().clone()));
    }
    let took = processor_time().saturating_sub(start);
    (took > SLOW).then(|| format!("reading it took {:.1} s", took.as_secs_f64()))
}

/// The time that this thread has used. It does not pass while the machine is busy with something
/// else.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a time since the thread began")
}

/// The input with as much removed as possible while it still fails.
fn smaller(target: &Target, input: Vec<u8>) -> Vec<u8> {
    let start = Instant::now();
    let mut input = input;
    let mut size = input.len().next_power_of_two();
    while size > 0 {
        let mut at = 0;
        while at < input.len() {
            if start.elapsed() > REDUCING {
                return input;
            }
            let mut less = input.clone();
            less.drain(at..(at + size).min(input.len()));
            match fault(target, &less) {
                Some(_) => input = less,
                None => at += size,
            }
        }
        size /= 2;
    }
    input
}

/// The stored inputs: each was once read wrongly, or is a good start.
pub fn kept(target: &Target) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = paths::root().join("tests/fixtures/fuzz").join(target.name);
    let mut files = files(&folder);
    files.sort();
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("an input that is kept");
        (path, bytes)
    };
    files.into_iter().map(read).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

/// The test of a target: the stored inputs, and a number of inputs from fixed seeds.
#[cfg(test)]
pub fn test(target: &Target, cases: u64) {
    for (path, input) in kept(target) {
        println!("{}", path.display());
        (target.check)(&input);
    }
    for seed in FIXED_SEED..FIXED_SEED + cases {
        println!("cargo xtask fuzz {} --seed {seed}", target.name);
        (target.check)(&(target.make)(&mut Rng::new(seed)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_that_fails_is_reported_with_its_seed_and_made_smaller() {
        let target = Target {
            name: "planted",
            make: |rng| format!("{} and more", rng.below(4)).into_bytes(),
            check: |input| assert!(!input.contains(&b'2'), "a 2"),
        };
        let outcome = run(&target, 1, Duration::from_secs(60));
        let failure = outcome.failure.unwrap();
        let made = (target.make)(&mut Rng::new(failure.seed));
        assert!(made.starts_with(b"2"));
        assert_eq!(std::fs::read(&failure.saved).unwrap(), b"2");
        std::fs::remove_dir_all(failure.saved.parent().unwrap()).unwrap();
    }
}
