//! The changes as they are printed; scripts read their JSON.

use footnote_core::answer::Compared;
use footnote_core::changes::{Definition, DefinitionChange, FileChange, FileWhat, Version, What};
use footnote_core::cite::Verified;
use footnote_core::source::FileId;
use serde::Serialize;

use super::times::Times;

/// All changes, detached from the indexes.
#[derive(Debug, Serialize)]
pub struct Shown {
    /// The names of the two repositories.
    pub old: String,
    pub new: String,
    /// How many files have the same path and text in both.
    pub equal_files: usize,
    pub files: Vec<File>,
    pub definitions: Vec<Changed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
}

/// A file that changed.
#[derive(Debug, Serialize)]
pub struct File {
    /// `added`, `removed`, `changed`, `moved`, `moved-and-changed`.
    pub what: &'static str,
    pub old: Option<String>,
    pub new: Option<String>,
    /// Whether only comments, documentation and layout differ.
    pub is_layout: bool,
    /// The lines of each version that differ outside definitions, from the first to the last.
    pub outside_old: Option<Lines>,
    pub outside_new: Option<Lines>,
}

/// A definition that changed.
#[derive(Debug, Serialize)]
pub struct Changed {
    /// `added`, `removed`, `changed`, `renamed`, `moved`.
    pub what: &'static str,
    pub signature: bool,
    pub body: bool,
    /// Whether it was added or removed together with its owner.
    pub is_part: bool,
    /// The file that it is listed under.
    pub file: String,
    pub old: Option<Place>,
    pub new: Option<Place>,
    /// The lines of each version that differ, from the first to the last.
    pub differs_old: Option<Lines>,
    pub differs_new: Option<Lines>,
}

/// A definition in one version.
#[derive(Debug, Serialize)]
pub struct Place {
    pub kind: &'static str,
    pub name: String,
    pub signature: String,
    pub path: String,
    pub start: u32,
    pub end: u32,
}

#[derive(Debug, Serialize)]
pub struct Lines {
    pub start: u32,
    pub end: u32,
}

impl Shown {
    /// All changes, or only those in the definition, file or folder `within`.
    pub fn new(compared: Compared<'_>, within: Option<&str>) -> Self {
        let changes = compared.changes;
        let files = changes.files.iter().map(|it| File::new(compared, it));
        let definitions = changes.definitions.iter();
        let definitions = definitions.map(|it| Changed::new(compared, it));
        Self {
            old: compared.old.repo.name.clone(),
            new: compared.new.repo.name.clone(),
            equal_files: changes.equal,
            files: files.filter(|it| it.is_within(within)).collect(),
            definitions: definitions.filter(|it| it.is_within(within)).collect(),
            times: None,
        }
    }
}

impl File {
    fn new(compared: Compared<'_>, change: &FileChange) -> Self {
        let path = |version, id: Option<FileId>| Some(path(compared, version, id?));
        Self {
            what: match change.what {
                FileWhat::Added => "added",
                FileWhat::Removed => "removed",
                FileWhat::Changed => "changed",
                FileWhat::Moved => "moved",
                FileWhat::MovedAndChanged => "moved-and-changed",
            },
            old: path(Version::Old, change.old),
            new: path(Version::New, change.new),
            is_layout: change.is_layout,
            outside_old: change.outside.old.as_ref().map(lines),
            outside_new: change.outside.new.as_ref().map(lines),
        }
    }

    fn is_within(&self, within: Option<&str>) -> bool {
        let mut paths = [&self.old, &self.new].into_iter().flatten();
        within.is_none_or(|within| paths.any(|path| is_in(path, within)))
    }
}

impl Changed {
    fn new(compared: Compared<'_>, change: &DefinitionChange) -> Self {
        let (what, signature, body) = match change.what {
            What::Added => ("added", false, false),
            What::Removed => ("removed", false, false),
            What::Changed { signature, body } => ("changed", signature, body),
            What::Renamed { signature } => ("renamed", signature, false),
            What::Moved { signature } => ("moved", signature, false),
        };
        let place = |version, it: &Option<Definition>| Some(place(compared, version, it.as_ref()?));
        Self {
            what,
            signature,
            body,
            is_part: change.is_part,
            file: listed_under(compared, change),
            old: place(Version::Old, &change.old),
            new: place(Version::New, &change.new),
            differs_old: change.differing.old.as_ref().map(lines),
            differs_new: change.differing.new.as_ref().map(lines),
        }
    }

    fn is_within(&self, within: Option<&str>) -> bool {
        let Some(within) = within else { return true };
        let mut places = [&self.old, &self.new].into_iter().flatten();
        let name = within.replace("::", ".");
        places.any(|place| is_in(&place.path, within) || is_of(&place.name, &name))
    }
}

/// The path of the file that a change is listed under: the newer one, if there is one.
fn listed_under(compared: Compared<'_>, change: &DefinitionChange) -> String {
    let file = compared.changes.files.get(change.file);
    let newer = file.and_then(|file| Some((Version::New, file.new?)));
    let older = file.and_then(|file| Some((Version::Old, file.old?)));
    let found = newer.or(older);
    found.map_or_else(String::new, |(version, file)| path(compared, version, file))
}

/// Whether a path is the file `within`, or inside that folder.
fn is_in(path: &str, within: &str) -> bool {
    let within = within.trim_start_matches("./").trim_end_matches('/');
    let (inside, ends) = (path.strip_prefix(within), path.strip_suffix(within));
    inside.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        || ends.is_some_and(|rest| rest.ends_with('/'))
}

/// Whether a definition or its owner is called `name`.
fn is_of(qualified: &str, name: &str) -> bool {
    let mut starts = qualified.match_indices(name).map(|(at, _)| at);
    starts.any(|at| {
        let (before, after) = (qualified.get(..at), qualified.get(at + name.len()..));
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
            && after.is_some_and(|after| after.is_empty() || after.starts_with('.'))
    })
}

fn place(compared: Compared<'_>, version: Version, definition: &Definition) -> Place {
    let Lines { start, end } = lines(&definition.source);
    Place {
        kind: definition.kind.name(),
        name: definition.qualified.clone(),
        signature: definition.signature.clone(),
        path: path(compared, version, definition.source.file()),
        start,
        end,
    }
}

pub fn path(compared: Compared<'_>, version: Version, file: FileId) -> String {
    let index = match version {
        Version::Old => compared.old,
        Version::New => compared.new,
    };
    let file = index.repo.file(file);
    file.map(|file| file.path.clone()).unwrap_or_default()
}

pub fn lines(of: &Verified) -> Lines {
    Lines {
        start: of.lines().start().0,
        end: of.lines().end().0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_can_be_limited_to_a_file_a_folder_or_a_name() {
        for (path, within, expected) in [
            ("src/requests/api.py", "src/requests/api.py", true),
            ("src/requests/api.py", "requests/api.py", true),
            ("src/requests/api.py", "src/requests/", true),
            ("src/requests/api.py", "src/req", false),
            ("src/requests/api.py", "pi.py", false),
        ] {
            assert_eq!(is_in(path, within), expected, "{path} {within}");
        }
        for (name, within, expected) in [
            ("Session.send", "Session", true),
            ("Session.send", "send", true),
            ("Session.send", "Session.send", true),
            ("Session.send", "end", false),
            ("Session.send", "Sess", false),
        ] {
            assert_eq!(is_of(name, within), expected, "{name} {within}");
        }
    }
}
