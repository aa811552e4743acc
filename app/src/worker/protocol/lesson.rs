//! Lessons on the wire.

use footnote_core::lesson::{Lesson, Numbers};
use serde::{Deserialize, Serialize};

/// A request about a lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LessonRequest {
    /// Make a lesson on a question. Ends with the lesson.
    Make { question: String },
    /// Read a saved lesson, whose file is attached to the request. Ends with the lesson.
    Read { file_name: String },
    /// Export the last lesson in the named format, with its current numbers and marked passages.
    /// Ends with `Exported`.
    Export {
        format: String,
        numbers: Numbers,
        marked: Vec<bool>,
    },
}

/// The lesson that was made or read.
pub type LessonView = Lesson;
