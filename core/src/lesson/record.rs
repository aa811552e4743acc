//! A lesson as it is stored: JSON, alone or inside the HTML file it was saved as. A file may come
//! from anyone, so all of it is checked before it is shown.

use super::{FORMAT, Lesson, MOST, Numbers, Passage};

/// The largest file that is read as a lesson, in bytes.
pub const MAX_BYTES: usize = 16_000_000;
/// The start of the JSON in an HTML file, up to the end of the tag.
const BEGIN: &str = "<script type=\"application/json\" id=\"lesson\">";
const END: &str = "</script>";
/// Most passages and files, far more than any lesson has.
const MAX_PASSAGES: usize = 5_000;
/// Most characters of a passage's code.
const MAX_CODE: usize = 100_000;

/// Why a file is not a lesson.
#[derive(Debug, thiserror::Error)]
pub enum LessonError {
    /// It is larger than [`MAX_BYTES`].
    #[error("it is larger than {} MB", MAX_BYTES / 1_000_000)]
    TooLarge,
    /// It is HTML without a lesson in it.
    #[error("it contains no lesson")]
    Missing,
    /// It is not the JSON of a lesson.
    #[error("it is damaged ({0})")]
    Damaged(#[from] serde_json::Error),
    /// Its format is not [`FORMAT`].
    #[error("another version of Footnote wrote it")]
    Format,
    /// An index in it is out of range.
    #[error("it contradicts itself: {0}")]
    Wrong(&'static str),
}

impl Lesson {
    /// Reads what [`Lesson::json`] wrote, or the HTML file around it.
    ///
    /// # Errors
    ///
    /// If it is not a lesson, or one whose parts do not fit together.
    pub fn read(text: &str) -> Result<Self, LessonError> {
        if text.len() > MAX_BYTES {
            return Err(LessonError::TooLarge);
        }
        let json = match text.trim_start().starts_with('{') {
            true => text,
            false => inside(text).ok_or(LessonError::Missing)?,
        };
        let lesson: Self = serde_json::from_str(json)?;
        lesson.check()?;
        Ok(lesson)
    }

    /// Whether HTML contains a lesson.
    pub fn is_in(html: &str) -> bool {
        inside(html).is_some()
    }

    /// The lesson as JSON that can stand inside HTML: it contains no `<`.
    ///
    /// # Errors
    ///
    /// If a number in it is not finite.
    pub fn json(&self) -> Result<String, LessonError> {
        Ok(serde_json::to_string(self)?.replace('<', "\\u003c"))
    }

    fn check(&self) -> Result<(), LessonError> {
        let files = self.files.len();
        let wrong = |what| Err(LessonError::Wrong(what));
        if self.format != FORMAT {
            return Err(LessonError::Format);
        }
        if files > MAX_PASSAGES
            || self.passages.len() > MAX_PASSAGES
            || self.shown.len() > MAX_PASSAGES
        {
            return wrong("it has too many files or passages");
        }
        if self.neighbours.len() != files {
            return wrong("the neighbours of some files are missing");
        }
        let named = self.passages.iter().map(|it| (it.file, it.start, it.end));
        let shown = self.shown.iter().map(|it| (it.file, it.start, it.end));
        let mut places = named.chain(shown);
        if !places.all(|(file, start, end)| file < files && start >= 1 && start <= end) {
            return wrong("a passage is in no file, or has no lines");
        }
        if !self.neighbours.iter().flatten().all(|&file| file < files) {
            return wrong("a neighbour is not one of its files");
        }
        if !self.passages.iter().all(is_sound) || !is_possible(&self.numbers) {
            return wrong("a number is out of range");
        }
        Ok(())
    }
}

fn inside(html: &str) -> Option<&str> {
    let (_, rest) = html.split_once(BEGIN)?;
    Some(rest.split_once(END)?.0)
}

fn is_sound(passage: &Passage) -> bool {
    let positive = |value: f64| value.is_finite() && value >= 0.0;
    let terms = passage.terms.iter();
    let mut counts = terms.flat_map(|term| [term.weight, term.count, term.elsewhere]);
    let is_near = passage.meaning.is_none_or(f64::is_finite) && passage.nearness.is_finite();
    let is_short = passage.code.len() <= MAX_CODE;
    counts.all(positive) && positive(passage.length) && is_near && is_short
}

fn is_possible(numbers: &Numbers) -> bool {
    let unit = |value: f64| (0.0..=1.0).contains(&value);
    let is_k1 = (0.0..=10.0).contains(&numbers.k1);
    let whole = numbers.k <= MOST && numbers.seeds <= MOST;
    is_k1 && whole && unit(numbers.b) && unit(numbers.share) && unit(numbers.gamma)
}
