//! The wire's part on what is read and opened, and how far that is.

use serde::{Deserialize, Serialize};

use super::{ConversationView, JobId, ScopeView, StrategyView};

/// What is to be opened. Each job but those of `Read` and `Close` tells [`OpenEvent`]s; when a
/// repository is open it goes on with `Vectors`… and ends with the next opening or with `Close`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OpenRequest {
    /// Go on where the page was: an interrupted reading is started again (events as for `Archive`),
    /// else the repository that was open last is opened (events as for `Saved`). Ends with `Done`
    /// if there is neither. Sent once, when the page starts.
    Resume,
    /// Read an archive; the file itself travels beside the request (`Parcel::open`). Tells
    /// `Progress`…, `Scope` if it is large or `choose` is set, `Files`…, `Opened`, and `Vectors`…
    /// until all are there.
    Archive { file_name: String, choose: bool },
    /// Read a dropped folder; its files travel beside the request, in the order of `paths`
    /// (`Parcel::open`). Events as for `Archive`.
    Folder {
        name: String,
        paths: Vec<String>,
        choose: bool,
    },
    /// Have the job that told a `Scope` leave out the folders at these places of its list. Waits it
    /// for that, it goes on; else it begins anew. Nothing is told for this request itself.
    Read { of: JobId, left_out: Vec<u32> },
    /// Read an archive that comes with the page, in its `samples` folder. Events as for `Archive`.
    Sample { file_name: String },
    /// Read what is asked for next without these files, because reading them stopped an engine; and
    /// tell of each file from `closely` on by itself. Nothing is told for this request itself.
    Without {
        files: Vec<String>,
        closely: Option<ReadingView>,
    },
    /// Build the index of a saved repository anew from its saved files. Events as for `Archive`.
    Rebuild { repo: String },
    /// Open a saved repository. Tells `Files`…, `Opened`, then `Vectors`… if some are missing.
    Saved { repo: String },
    /// Forget the open repository, so that the next start shows none. Ends with `Done`.
    Close,
}

/// What is told of an opening. Every one of them has more to follow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OpenEvent {
    Progress(ProgressView),
    /// These files are about to be read; should the engine die, one of them is the reason.
    Reading(ReadingView),
    /// This saved repository is damaged, but its files are whole: it can be rebuilt.
    Damaged {
        repo: String,
        name: String,
    },
    /// What could be read; the job may wait for `Read`.
    Scope(ScopeView),
    /// Paths of files of the repository that is about to be `Opened`, folders before files; of many
    /// in parts, so that none of the page's tasks takes long.
    Files(Vec<String>),
    Opened(RepoView),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    Unpack,
    Parse,
    Words,
    Save,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgressView {
    pub stage: Stage,
    pub done: u64,
    /// 0 while unknown.
    pub total: u64,
    /// What the counts are: `files`, `chunks`.
    pub unit: String,
    /// Such as `412 skipped` or `41,208 symbols`; may be empty.
    pub note: String,
}

/// Some files in the order in which they are read: the first, and how many there are. None are
/// being read if there are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingView {
    pub path: String,
    pub files: u32,
}

/// The open repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepoView {
    /// Key of the saved repository.
    pub repo: String,
    pub name: String,
    pub files: u32,
    pub skipped: u32,
    pub symbols: u32,
    pub chunks: u32,
    /// False where nothing can be saved (private mode).
    pub saved: bool,
    /// Milliseconds from request to this event.
    pub ready_ms: f64,
    /// The conversation that was open last, else a new one.
    pub conversation: ConversationView,
    /// Three questions that this repository can answer, made from its symbols.
    pub suggestions: Vec<String>,
    /// The pipelines that can answer.
    pub pipelines: Vec<StrategyView>,
}
