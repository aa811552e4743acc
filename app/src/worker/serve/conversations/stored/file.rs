//! A file of the set that answers a question, as saved and exported.

use serde::{Deserialize, Serialize};

use crate::worker::protocol::AnswerFileView;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    pub path: String,
    pub confidence: f32,
}

impl From<AnswerFileView> for FileRecord {
    fn from(from: AnswerFileView) -> Self {
        let AnswerFileView { path, confidence } = from;
        Self { path, confidence }
    }
}

impl From<FileRecord> for AnswerFileView {
    fn from(from: FileRecord) -> Self {
        let FileRecord { path, confidence } = from;
        Self { path, confidence }
    }
}
