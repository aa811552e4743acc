//! Looking at the open repository on the wire: its files, lines and names.

use serde::{Deserialize, Serialize};

use super::{Highlights, PlaceView};

/// A request to look at something. Each ends with the event of the same name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SourceRequest {
    /// The first lines of a place.
    Peek(PlaceView),
    /// Text and highlighting of a file.
    File { path: String },
    /// The files that were left out.
    Skipped,
    /// Symbols whose name matches.
    Symbols { query: String, limit: u32 },
    /// Files and folders whose path resembles the text.
    Paths { written: String, limit: u32 },
    /// The meaning of a name on a line of a file.
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
    /// Names in the text that lead to a definition or a file, without duplicates.
    pub names: Vec<String>,
    /// Descriptions of its lines that language models wrote.
    pub described: Vec<DescribedView>,
}

/// A description of lines of a file that a language model wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DescribedView {
    /// First and last line.
    pub start: u32,
    pub end: u32,
    pub text: String,
    pub model: String,
    /// Whether a check raised doubts about it.
    pub is_doubtful: bool,
}

/// A definition in the shown file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DefinitionView {
    /// For example `method Session.get`.
    pub title: String,
    /// First and last line.
    pub start: u32,
    pub end: u32,
}

/// Files and folders that match the text; a folder's path ends with `/`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathsView {
    pub written: String,
    pub paths: Vec<String>,
}

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeantView {
    pub name: String,
    /// Where it is defined; several places if it is ambiguous.
    pub places: Vec<MeantPlaceView>,
    /// The library that it belongs to, which is not part of the repository.
    pub library: Option<String>,
}

/// A place that a name can mean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeantPlaceView {
    /// For example `method Session.send`.
    pub title: String,
    pub path: String,
    /// The line of the name.
    pub line: u32,
    /// The question that lists its uses.
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

/// Some lines of a file for a quick preview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeekView {
    pub place: PlaceView,
    /// The first of its lines.
    pub text: String,
    /// As in [`FileView`], with offsets into `text`.
    pub highlights: Highlights,
    /// Number of lines left out of `text`.
    pub more: u32,
}
