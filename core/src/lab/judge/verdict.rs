//! Reads a judge's verdict on two answers, strictly: anything uncertain is a failure with a reason,
//! never a guess.

/// Which of the two answers, in the order they were shown, is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// `[[A]]`: the one shown first.
    First,
    /// `[[B]]`: the one shown second.
    Second,
    /// `[[C]]`: equally good.
    Tie,
    /// `[[D]]`: both bad; counted as a draw, and also separately.
    BothBad,
}

impl Verdict {
    /// The letter between the brackets.
    pub fn letter(self) -> char {
        match self {
            Self::First => 'A',
            Self::Second => 'B',
            Self::Tie => 'C',
            Self::BothBad => 'D',
        }
    }

    /// The verdict with this letter, in upper case.
    pub fn from_letter(letter: char) -> Option<Self> {
        [Self::First, Self::Second, Self::Tie, Self::BothBad]
            .into_iter()
            .find(|verdict| verdict.letter() == letter)
    }
}

/// Why an output of a judge has no verdict or no score. The text is short and repeats at most a
/// letter or a number of the output, so that equal reasons can be counted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The output is blank.
    #[error("the output is empty")]
    Empty,
    /// It has no `[[X]]`.
    #[error("the output has no verdict in double brackets")]
    NoVerdict,
    /// Its verdicts contradict each other, and the last line does not have exactly one.
    #[error("the output contains several verdicts and does not end with one of them")]
    Ambiguous,
    /// Its letter is not one of A to D.
    #[error("the output ends with the unknown verdict [[{0}]]")]
    Unknown(char),
    /// A criterion has no score.
    #[error("the score for {0} is missing")]
    Missing(&'static str),
    /// A criterion has two different scores.
    #[error("there are two different scores for {0}")]
    Twice(&'static str),
    /// The score of a criterion is not a number.
    #[error("the score for {0} is not a number")]
    NotANumber(&'static str),
    /// A score is not between 0 and 10.
    #[error("the score for {criterion} is {score}, outside 0 to 10")]
    OutOfRange {
        /// Name of the criterion.
        criterion: &'static str,
        /// The score that was given.
        score: f64,
    },
}

/// Reads a pairwise verdict. If all `[[X]]` in the output agree, that is the verdict. If they
/// differ, the last one counts only if it is the only one on the last non-blank line: a judge that
/// weighs `[[A]]` against `[[B]]` and then decides is understood, one that ends with `[[A]] or
/// [[B]]` is not.
pub fn parse_verdict(output: &str) -> Result<Verdict, Failure> {
    let output = output.trim();
    if output.is_empty() {
        return Err(Failure::Empty);
    }
    let marks = marks(output);
    let last = *marks.last().ok_or(Failure::NoVerdict)?;
    let agree = |marks: &[char]| marks.iter().all(|mark| *mark == last);
    let at_end = self::marks(output.lines().next_back().unwrap_or_default());
    if !agree(&marks) && (at_end.is_empty() || !agree(&at_end)) {
        return Err(Failure::Ambiguous);
    }
    Verdict::from_letter(last).ok_or(Failure::Unknown(last))
}

/// The letters of all `[[X]]`, in order. `[[ -f file ]]` of a shell script is not one.
fn marks(text: &str) -> Vec<char> {
    let letter = |(at, _): (usize, &str)| {
        let mut rest = text.get(at..)?.strip_prefix("[[")?.chars();
        let letter = rest.next().filter(char::is_ascii_uppercase)?;
        rest.as_str().starts_with("]]").then_some(letter)
    };
    text.match_indices('[').filter_map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_verdict_wins_only_if_it_is_unambiguous() {
        for (output, expected) in [
            ("A is better.\n[[A]]", Ok(Verdict::First)),
            ("[[B]]", Ok(Verdict::Second)),
            ("So: **[[C]]**\n\n", Ok(Verdict::Tie)),
            ("[[D]] Both invent a file.", Ok(Verdict::BothBad)),
            ("[[A]]\nBecause it is right.", Ok(Verdict::First)),
            (
                "[[A]] looked better at first.\nBut no:\n[[B]]",
                Ok(Verdict::Second),
            ),
            ("[[A]] or [[B]]", Err(Failure::Ambiguous)),
            ("[[A]]\n[[B]]\nHard to say.", Err(Failure::Ambiguous)),
            (
                "One would say [[A]].\nIn the end [[A]], not [[B]]",
                Err(Failure::Ambiguous),
            ),
            ("[[E]]", Err(Failure::Unknown('E'))),
            ("[[A]] first, then\n[[X]]", Err(Failure::Unknown('X'))),
            ("[A]", Err(Failure::NoVerdict)),
            ("[[a]]", Err(Failure::NoVerdict)),
            ("if [[ -f x ]]; then [[AB]]", Err(Failure::NoVerdict)),
            ("[[", Err(Failure::NoVerdict)),
            ("[[[A]]]", Ok(Verdict::First)),
            ("[[é]]", Err(Failure::NoVerdict)),
            ("A", Err(Failure::NoVerdict)),
            (" \n\t", Err(Failure::Empty)),
        ] {
            assert_eq!(parse_verdict(output), expected, "{output:?}");
        }
    }

    #[test]
    fn letters_and_verdicts_are_the_same_thing() {
        for letter in 'A'..='D' {
            assert_eq!(
                Verdict::from_letter(letter).map(Verdict::letter),
                Some(letter)
            );
        }
        assert_eq!(Verdict::from_letter('E'), None);
    }
}
