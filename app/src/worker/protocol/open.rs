//! Opening and reading on the wire, with progress.

use serde::{Deserialize, Serialize};

use super::{ConversationView, JobId, PermalinksView, ScopeView, StrategyView};

/// A request to open something. Every job, except those of `Read` and `Close`, sends
/// [`OpenEvent`]s; once a repository is open, the job continues with `Vectors`… and ends with the
/// next opening or with `Close`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OpenRequest {
    /// Continue where the page was: restart an interrupted reading (events as for `Archive`), or
    /// otherwise open the last open repository (events as for `Saved`). Ends with `Done` if there
    /// is neither. Sent once, when the page starts.
    Resume,
    /// Read an archive; the file itself is attached to the request (`Parcel::open`). Events:
    /// `Progress`…, `Scope` if it is large or `choose` is set, `Files`…, `Opened`, and `Vectors`…
    /// until all are there.
    Archive { file_name: String, choose: bool },
    /// Read a dropped folder; its files are attached to the request, in the order of `paths`
    /// (`Parcel::open`). Events as for `Archive`.
    Folder {
        name: String,
        paths: Vec<String>,
        choose: bool,
    },
    /// Tell the job that sent a `Scope` to leave out the folders at these indices of its list. If
    /// the job is waiting for that, it continues; otherwise it starts over. This request itself has
    /// no events.
    Read { of: JobId, left_out: Vec<u32> },
    /// Read an archive that comes with the page, from its `samples` folder. Events as for
    /// `Archive`.
    Sample { file_name: String },
    /// Open an index file that lies beside the page: the name of a file in its `indexes` folder, or
    /// of a repository in that folder's list. Events as for `Saved`, and `Progress`….
    Hosted { name: String },
    /// Open all repositories of the page's server, without any of them yet (events as for `Saved`);
    /// or, while they are open, read those that a question needs: `Gathering`…, then either
    /// `Opened` again, or `Done` if all are there already.
    Across { asked: Option<AcrossQuestion> },
    /// Write the open repository as an index file. Events: `Progress`…; ends with `Exported`.
    SaveIndex,
    /// Leave these files out of the next reading, because reading them stopped an engine, and
    /// report each file from `closely` on separately. This request itself has no events.
    Without {
        files: Vec<String>,
        closely: Option<ReadingView>,
    },
    /// Rebuild the index of a saved repository from its saved files. Events as for `Archive`.
    Rebuild { repo: String },
    /// Open a saved repository. Events: `Files`…, `Opened`, then `Vectors`… if some are missing.
    Saved { repo: String },
    /// Forget the open repository, so that the next start shows none. Ends with `Done`.
    Close,
}

/// An event of an opening. More events follow each of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OpenEvent {
    Progress(ProgressView),
    /// These files are about to be read; if the engine dies, one of them is the cause.
    Reading(ReadingView),
    /// This saved repository is damaged, but its files are intact: it can be rebuilt.
    Damaged {
        repo: String,
        name: String,
    },
    /// What could be read; the job may be waiting for `Read`.
    Scope(ScopeView),
    /// Paths of files of the repository that is about to be `Opened`, folders before files; many
    /// paths come in parts, so that no task of the page takes long.
    Files(Vec<String>),
    Opened(RepoView),
    /// What is done to read the repositories that a question needs.
    Gathering(String),
    /// The index file that was opened says of its files what their text says.
    Checked,
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
    /// What is counted: `files`, `chunks`.
    pub unit: String,
    /// For example `412 skipped` or `41,208 symbols`; may be empty.
    pub note: String,
}

/// A run of files in reading order: the first one, and their number. If it is 0, no files are being
/// read.
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
    /// False if nothing can be saved (private mode).
    pub saved: bool,
    /// Milliseconds from the request to this event.
    pub ready_ms: f64,
    /// The conversation that was open last, or otherwise a new one.
    pub conversation: ConversationView,
    /// Three questions that this repository can answer, built from its symbols.
    pub suggestions: Vec<String>,
    /// The pipelines that can answer.
    pub pipelines: Vec<StrategyView>,
    /// Whether it came as an index file that has yet to be compared with its text.
    pub unchecked: bool,
    /// Where its host shows the files on the web, if the archive says so.
    /// Boxed, because most archives have none and events are passed by value.
    pub permalinks: Option<Box<PermalinksView>>,
    /// Set if this is all repositories of the page's server.
    pub across: Option<Box<AcrossView>>,
}

/// A question to all repositories of the page's server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcrossQuestion {
    pub question: String,
    /// The questions before it, oldest first, which it may refer to.
    pub earlier: Vec<String>,
}

/// All repositories of the page's server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcrossView {
    /// How many there are.
    pub repositories: u32,
    /// How many of them are read here.
    pub read: u32,
}
