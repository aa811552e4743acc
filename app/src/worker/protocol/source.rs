//! The wire's part on what is looked at in the open repository: its files, lines and names.

use serde::{Deserialize, Serialize};

use super::{Highlights, PlaceView};

/// What is to be looked at. Each ends with the event of its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SourceRequest {
    /// The first lines of a place.
    Peek(PlaceView),
    /// Text and highlighting of a file.
    File { path: String },
    /// The files left out.
    Skipped,
    /// Symbols whose name matches.
    Symbols { query: String, limit: u32 },
    /// Files and folders whose path is like what is written.
    Paths { written: String, limit: u32 },
    /// What a name on a line of a file means.
    Meant {
        path: String,
        line: u32,
        name: String,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SourceEvent {
    Peek(PeekView),
    File(FileView),
    Skipped(Vec<SkippedView>),
    Symbols(Vec<SymbolView>),
    Paths(PathsView),
    Meant(MeantView),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileView {
    pub path: String,
    pub text: String,
    pub highlights: Highlights,
    pub definitions: Vec<DefinitionView>,
    /// Names in it that lead to a definition or a file, each once.
    pub names: Vec<String>,
    /// What language models wrote of its lines.
    pub described: Vec<DescribedView>,
}

/// What lines of a file do, in words that a language model wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DescribedView {
    /// First and last line.
    pub start: u32,
    pub end: u32,
    pub text: String,
    pub model: String,
    /// Whether something about it is doubtful.
    pub is_doubtful: bool,
}

/// A definition of the file that is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DefinitionView {
    /// Such as `method Session.get`.
    pub title: String,
    /// First and last line.
    pub start: u32,
    pub end: u32,
}

/// Files and folders that fit what is written; a folder's path ends with `/`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathsView {
    pub written: String,
    pub paths: Vec<String>,
}

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeantView {
    pub name: String,
    /// Where it is defined; several where nothing tells which of them is meant.
    pub places: Vec<MeantPlaceView>,
    /// The library that it belongs to, which the repository does not hold.
    pub library: Option<String>,
}

/// A place that a name can mean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeantPlaceView {
    /// Such as `method Session.send`.
    pub title: String,
    pub path: String,
    /// The line of the name.
    pub line: u32,
    /// The question that lists where it is used.
    pub uses: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymbolView {
    /// `function`, `class`, …
    pub kind: String,
    pub qualified: String,
    pub path: String,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedView {
    pub path: String,
    pub reason: String,
}

/// Some lines of a file, to be looked at in passing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeekView {
    pub place: PlaceView,
    /// The first of its lines.
    pub text: String,
    /// As in [`FileView`], into `text`.
    pub highlights: Highlights,
    /// Lines that are not in `text`.
    pub more: u32,
}
