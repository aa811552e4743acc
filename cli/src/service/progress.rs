//! A progress line beside the output, and messages about what happens on the way.

use std::io::{IsTerminal, Write};

use super::limits::Used;

/// How many answers come between two progress lines where a line cannot be overwritten.
const EVERY: usize = 25;

/// On a terminal one line that is overwritten, elsewhere a line now and then.
#[derive(Default)]
pub struct Progress {
    done: usize,
    /// The total; 0 if unknown.
    total: usize,
    is_shown: bool,
}

impl Progress {
    pub fn expect(&mut self, total: usize) {
        self.total = total;
    }

    /// Counts one more finished request.
    pub fn step(&mut self, used: &Used) {
        self.done += 1;
        let mut err = std::io::stderr().lock();
        // Here and below: without an error output there is nobody to tell.
        if err.is_terminal() {
            let _ = write!(err, "\r\x1b[K{}", self.line(used));
            let _ = err.flush();
            self.is_shown = true;
        } else if self.done.is_multiple_of(EVERY) {
            let _ = writeln!(err, "{}", self.line(used));
        }
    }

    /// Prints a message that stays.
    pub fn say(&mut self, sentence: &str) {
        self.end();
        let _ = writeln!(std::io::stderr(), "{sentence}");
    }

    /// Ends the progress line, if one is shown.
    pub fn end(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = writeln!(std::io::stderr());
        }
    }

    /// The number of the current request, from 1.
    pub fn current(&self) -> usize {
        self.done + 1
    }

    fn line(&self, used: &Used) -> String {
        let of = match self.total {
            0 => String::new(),
            total => format!(" of {total}"),
        };
        format!(
            "{}{of} done; {} tokens read, {} written",
            self.done, used.prompt_tokens, used.answer_tokens
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_the_run_is_and_what_it_took() {
        let used = Used {
            requests: 3,
            prompt_tokens: 1200,
            answer_tokens: 80,
        };
        let mut progress = Progress {
            done: 2,
            ..Progress::default()
        };
        let line = progress.line(&used);
        assert_eq!(line, "2 done; 1200 tokens read, 80 written");
        progress.expect(9);
        assert!(progress.line(&used).starts_with("2 of 9 done;"));
    }
}
