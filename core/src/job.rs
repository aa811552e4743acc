//! How long-running work reports and stops. A wasm worker that is busy in a loop cannot receive
//! "cancel", so long work is a value that is stepped: the caller checks its clock and its messages
//! between steps. Dropping the value cancels the work.

/// Progress of a job, in units that the job's documentation names (entries, files, chunks).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of finished units.
    pub done: u64,
    /// Number of all units; 0 while it is not known.
    pub total: u64,
}

/// The result of one step of a job.
#[derive(Debug)]
pub enum Step<T> {
    /// There is more to do; this is the progress so far.
    Working(Progress),
    /// The work is finished; this is its result.
    Done(T),
}

/// Resumable work. A step is short (one entry, one file, one batch): a few milliseconds as a rule.
pub trait Job {
    /// The result of the whole work.
    type Output;
    /// Why the work cannot continue.
    type Error;

    /// Does the next unit of work. Must not be called again after `Done` or an error.
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
