//! Converts changes to what the page shows.

use std::collections::BTreeMap;

use footnote_core::answer::{ChangedAnswer, Compared, Statement};
use footnote_core::changes::{
    Definition, DefinitionChange, Differing, FileChange, FileWhat, Version, What,
};
use footnote_core::cite::Verified;
use footnote_core::source::FileId;

use crate::worker::protocol::{
    ChangeView, ChangedAnswerView, ChangedFileView, ChangedItemView, ChangedStatementView,
    ChangesView, PlaceView, VersionedPlaceView,
};
use crate::worker::serve::views;

/// Most entries of a file to send.
const MAX_ENTRIES: usize = 500;

pub fn changes(compared: Compared<'_>, is_open_newer: bool) -> ChangesView {
    let mut by_file: BTreeMap<usize, Vec<&DefinitionChange>> = BTreeMap::new();
    for change in &compared.changes.definitions {
        by_file.entry(change.file).or_default().push(change);
    }
    let files = compared.changes.files.iter().enumerate();
    ChangesView {
        repo: String::new(),
        old: compared.name(Version::Old).to_owned(),
        new: compared.name(Version::New).to_owned(),
        is_open_newer,
        equal_files: compared.changes.equal as u32,
        files: files
            .map(|(at, change)| {
                let definitions = by_file.remove(&at).unwrap_or_default();
                file(compared, change, &definitions)
            })
            .collect(),
        milliseconds: 0.0,
    }
}

fn file(
    compared: Compared<'_>,
    change: &FileChange,
    definitions: &[&DefinitionChange],
) -> ChangedFileView {
    let path_in = |version, file: Option<FileId>| file.map(|file| path(compared, version, file));
    let (old, new) = (
        path_in(Version::Old, change.old),
        path_in(Version::New, change.new),
    );
    let what = match (change.what, &old) {
        (FileWhat::Added, _) => "added".to_owned(),
        (FileWhat::Removed, _) => "removed".to_owned(),
        (FileWhat::Moved, Some(old)) => format!("was {old}, the same text"),
        (FileWhat::MovedAndChanged, Some(old)) => format!("was {old}"),
        _ if change.is_layout => "comments, documentation or layout".to_owned(),
        _ => String::new(),
    };
    let shown = definitions.iter().take(MAX_ENTRIES);
    let mut entries: Vec<ChangeView> = shown.map(|it| entry(compared, it)).collect();
    entries.extend(outside(compared, &change.outside));
    ChangedFileView {
        path: new.or(old).unwrap_or_default(),
        what,
        entries,
        more: definitions.len().saturating_sub(MAX_ENTRIES) as u32,
    }
}

fn entry(compared: Compared<'_>, change: &DefinitionChange) -> ChangeView {
    let place_in = |version, it: &Option<Definition>| {
        let it = it.as_ref()?;
        Some(place(compared, version, &it.source))
    };
    let was = change.old.as_ref().map_or("", |old| &old.qualified);
    let from = change.old.as_ref();
    let from = from.map(|old| path(compared, Version::Old, old.source.file()));
    let to = change.new.as_ref();
    let to = to.map(|new| path(compared, Version::New, new.source.file()));
    let with = |signature: bool| if signature { ", signature changed" } else { "" };
    let what = match change.what {
        What::Added => "added".to_owned(),
        What::Removed => "removed".to_owned(),
        What::Changed { signature, body } => match (signature, body) {
            (true, true) => "signature and body".to_owned(),
            (true, false) => "signature".to_owned(),
            _ => "body".to_owned(),
        },
        What::Renamed { signature } => format!("was {was}{}", with(signature)),
        What::Moved { signature } if from == to => format!("was {was}{}", with(signature)),
        What::Moved { signature } => {
            format!("moved from {}{}", from.unwrap_or_default(), with(signature))
        }
    };
    ChangeView {
        what,
        name: change
            .shown()
            .map(|(_, shown)| shown.qualified.clone())
            .unwrap_or_default(),
        is_part: change.is_part,
        old: place_in(Version::Old, &change.old),
        new: place_in(Version::New, &change.new),
    }
}

/// Describes the changes outside definitions.
fn outside(compared: Compared<'_>, differing: &Differing) -> Option<ChangeView> {
    if *differing == Differing::default() {
        return None;
    }
    let place_in = |version, it: &Option<Verified>| Some(place(compared, version, it.as_ref()?));
    Some(ChangeView {
        what: "outside definitions".to_owned(),
        name: String::new(),
        is_part: false,
        old: place_in(Version::Old, &differing.old),
        new: place_in(Version::New, &differing.new),
    })
}

pub fn answer(
    compared: Compared<'_>,
    is_open_newer: bool,
    question: String,
    answer: &ChangedAnswer,
) -> ChangedAnswerView {
    let note = |number: u32| {
        let mut notes = answer.footnotes.iter();
        let note = notes.find(|note| note.number == number)?;
        Some(VersionedPlaceView {
            is_open: (note.version == Version::New) == is_open_newer,
            place: place(compared, note.version, &note.source),
        })
    };
    let statement = |statement: &Statement| ChangedStatementView {
        spans: views::spans(&statement.spans),
        notes: statement
            .footnotes
            .iter()
            .filter_map(|number| note(*number))
            .collect(),
        items: statement
            .items
            .iter()
            .filter_map(|item| {
                Some(ChangedItemView {
                    name: item.name.clone(),
                    detail: item.detail.clone(),
                    note: note(item.footnote)?,
                })
            })
            .collect(),
    };
    ChangedAnswerView {
        question,
        statements: answer.statements.iter().map(statement).collect(),
        nothing: answer.nothing.clone(),
    }
}

fn path(compared: Compared<'_>, version: Version, file: FileId) -> String {
    let index = match version {
        Version::Old => compared.old,
        Version::New => compared.new,
    };
    views::path(index, file)
}

fn place(compared: Compared<'_>, version: Version, source: &Verified) -> PlaceView {
    PlaceView {
        path: path(compared, version, source.file()),
        start: source.lines().start().0,
        end: source.lines().end().0,
    }
}

#[cfg(test)]
mod tests {
    use footnote_core::answer::changed;
    use footnote_core::changes::compare;
    use footnote_core::chunk::Chunking;
    use footnote_core::index::{Index, IndexBuilder};
    use footnote_core::job::run_to_end;
    use footnote_core::source::{Repo, SourceFile};

    use super::*;

    fn index(name: &str, files: &[(&str, &str)]) -> Index {
        let files = files.iter().map(|(path, text)| SourceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        });
        let repo = Repo {
            name: name.to_owned(),
            files: files.collect(),
            ..Repo::default()
        };
        let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
        index
    }

    #[test]
    fn changes_are_listed_by_file_with_their_lines_in_both_versions() {
        let old = index(
            "mail-1.0",
            &[
                ("a.py", "import x\n\ndef f(a):\n    return a\n"),
                ("b.md", "Words.\n"),
            ],
        );
        let new = index(
            "mail-1.1",
            &[
                ("a.py", "import y\n\n\ndef f(a, b):\n    return a\n"),
                ("b.md", "Words.\n"),
                ("c.md", "More.\n"),
            ],
        );
        let changes = compare(&old, &new);
        let compared = Compared {
            old: &old,
            new: &new,
            changes: &changes,
        };
        let view = super::changes(compared, true);
        assert_eq!((view.old.as_str(), view.new.as_str()), ("1.0", "1.1"));
        assert_eq!((view.equal_files, view.files.len()), (1, 2));
        let said: Vec<_> = view.files[0]
            .entries
            .iter()
            .map(|it| {
                let lines = |place: &Option<PlaceView>| place.as_ref().map(|it| (it.start, it.end));
                (
                    it.name.as_str(),
                    it.what.as_str(),
                    lines(&it.old),
                    lines(&it.new),
                )
            })
            .collect();
        let expected = [
            ("f", "signature", Some((3, 4)), Some((4, 5))),
            ("", "outside definitions", Some((1, 1)), Some((1, 1))),
        ];
        assert_eq!(said, expected);
        assert_eq!(view.files[1].what, "added");

        let found = changed(compared, "what changed in f").unwrap();
        for is_open_newer in [true, false] {
            let answer = answer(compared, is_open_newer, "q".into(), &found);
            let notes = &answer.statements[0].notes;
            let open: Vec<bool> = notes.iter().map(|note| note.is_open).collect();
            assert_eq!(open, [!is_open_newer, is_open_newer]);
        }
    }
}
