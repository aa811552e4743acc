//! How long work reports and stops. A wasm worker that is busy in a loop cannot hear "cancel", so
//! long work is a value that is stepped: the caller looks at its clock and its messages between
//! steps. Dropping the value cancels the work.

/// How far a job has come, in units that the job names in its documentation (entries, files,
/// chunks).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Units that are finished.
    pub done: u64,
    /// 0 while the total is not known.
    pub total: u64,
}

/// What one step of a job came to.
#[derive(Debug)]
pub enum Step<T> {
    /// There is more to do; so far has it come.
    Working(Progress),
    /// The work is finished, and this is what it made.
    Done(T),
}

/// Resumable work. A step is short (one entry, one file, one batch): a few milliseconds as a rule.
pub trait Job {
    /// What the whole work makes.
    type Output;
    /// Why the work cannot go on.
    type Error;

    /// Does the next unit of work. Not called again after `Done` or an error.
    fn step(&mut self) -> Result<Step<Self::Output>, Self::Error>;
}

/// Runs a job without looking at a clock, for tests and command-line use.
pub fn run_to_end<J: Job>(mut job: J) -> Result<J::Output, J::Error> {
    loop {
        if let Step::Done(output) = job.step()? {
            return Ok(output);
        }
    }
}
