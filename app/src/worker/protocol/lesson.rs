//! The wire's part on lessons.

use footnote_core::lesson::{Lesson, Numbers};
use serde::{Deserialize, Serialize};

/// What is asked about a lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LessonRequest {
    /// A lesson on a question. Ends with the lesson.
    Make { question: String },
    /// A saved lesson, whose file travels beside the request. Ends with the lesson.
    Read { file_name: String },
    /// The last lesson in a format by its name, with the numbers and the marked passages that it
    /// has now. Ends with `Exported`.
    Export {
        format: String,
        numbers: Numbers,
        marked: Vec<bool>,
    },
}

/// The lesson that was made or read.
pub type LessonView = Lesson;
