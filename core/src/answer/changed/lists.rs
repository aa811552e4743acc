//! Lists of all changes: one sentence for each way in which definitions changed, and the files that
//! hold no changed definition.

use std::collections::HashSet;

use super::read::{About, Asked};
use super::{DEFINITION, Teller, file::FILE};
use crate::answer::notes::{MAX_NAMES, capped, code, text};
use crate::answer::{Item, Span};
use crate::changes::{DefinitionChange, FileWhat, Version, What};
use crate::cite::Verified;

/// Maximum number of entries kept in a list.
const MAX_ENTRIES: usize = 2_000;

/// A way in which definitions changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Signature,
    Body,
    Added,
    Removed,
    Renamed,
    Moved,
}

impl Group {
    const ALL: [Self; 6] = [
        Self::Signature,
        Self::Body,
        Self::Added,
        Self::Removed,
        Self::Renamed,
        Self::Moved,
    ];

    pub(super) fn of(what: What) -> Self {
        match what {
            What::Added => Self::Added,
            What::Removed => Self::Removed,
            What::Changed {
                signature: true, ..
            } => Self::Signature,
            What::Changed { .. } => Self::Body,
            What::Renamed { .. } => Self::Renamed,
            What::Moved { .. } => Self::Moved,
        }
    }

    /// Whether a question asks about it.
    pub(super) fn is_asked(self, about: About) -> bool {
        match about {
            About::All => true,
            About::Added => self == Self::Added,
            About::Removed => self == Self::Removed,
            About::Renamed => self == Self::Renamed,
            About::Moved => self == Self::Moved,
            About::Signatures => self == Self::Signature,
        }
    }
}

/// States everything that was asked for.
pub(super) fn tell(teller: &mut Teller<'_>, asked: Asked) {
    let all = &teller.compared.changes.definitions;
    let is_of_kind = |change: &&DefinitionChange| {
        let shown = change.shown().map(|(_, shown)| shown.kind);
        let kinds = asked.kinds.zip(shown);
        kinds.is_none_or(|(kinds, kind)| kinds.contains(&kind))
    };
    for group in Group::ALL.into_iter().filter(|it| it.is_asked(asked.about)) {
        let is_it = |change: &&DefinitionChange| Group::of(change.what) == group;
        let found: Vec<_> = all.iter().filter(is_it).filter(is_of_kind).collect();
        list(teller, group, &found);
    }
    if asked.about == About::All && asked.kinds.is_none() {
        moved_files(teller);
        other_files(teller);
    }
    if teller.answer.statements.is_empty() {
        let (old, new) = (teller.old_name(), teller.new_name());
        let what = match asked.about {
            About::All => "No definition changed",
            About::Added => "No definition was added",
            About::Removed => "No definition was removed",
            About::Renamed => "No definition is known to have been renamed",
            About::Moved => "No definition is known to have moved",
            About::Signatures => "No signature changed",
        };
        teller.nothing(format!("{what} between {old} and {new}."));
    }
}

/// States one sentence about all definitions that changed in the same way.
fn list(teller: &mut Teller<'_>, group: Group, found: &[&DefinitionChange]) {
    // A definition added or removed together with its owner is not listed separately.
    let own: Vec<&&DefinitionChange> = found.iter().filter(|change| !change.is_part).collect();
    let parts = found.len() - own.len();
    if own.is_empty() {
        return;
    }
    let mut spans = lead(teller, group, own.len());
    let names: Vec<String> = own.iter().map(|change| name(change)).collect();
    spans.extend(capped(&names));
    if parts > 0 {
        let with = match parts {
            1 => "; 1 more belongs to them".to_owned(),
            parts => format!("; {parts} more belong to them"),
        };
        spans.push(text(with));
    }
    let sources: Vec<(Version, &Verified, &str)> = own
        .iter()
        .take(MAX_NAMES)
        .filter_map(|change| {
            let (version, shown) = change.shown()?;
            Some((version, &shown.source, DEFINITION))
        })
        .collect();
    let items: Vec<Item> = own
        .iter()
        .take(MAX_ENTRIES)
        .filter_map(|change| item(teller, change))
        .collect();
    teller.say(spans, &sources, items);
}

/// Returns a definition's name, or both names if it was renamed.
fn name(change: &DefinitionChange) -> String {
    let shown = change.shown().map(|(_, shown)| shown.qualified.clone());
    shown.unwrap_or_default()
}

fn item(teller: &mut Teller<'_>, change: &DefinitionChange) -> Option<Item> {
    let (version, shown) = change.shown()?;
    let path = teller.compared.path(version, shown);
    let before = change.old.as_ref().filter(|_| change.new.is_some());
    let from = before.map(|old| (old, teller.compared.path(Version::Old, old)));
    let detail = match (change.what, from) {
        (What::Renamed { .. }, Some((old, _))) => format!("was {}, {path}", old.qualified),
        (What::Moved { .. }, Some((_, from))) if from != path => format!("from {from} to {path}"),
        (What::Moved { .. }, Some((old, _))) => format!("was {}, {path}", old.qualified),
        _ => path.to_owned(),
    };
    Some(Item {
        name: shown.qualified.clone(),
        detail,
        footnote: teller.number(version, &shown.source, DEFINITION),
    })
}

fn lead(teller: &Teller<'_>, group: Group, n: usize) -> Vec<Span> {
    let (old, new) = (teller.old_name(), teller.new_name());
    let is_one = n == 1;
    let counted = |one: &str, more: &str| match is_one {
        true => format!("1 {one}"),
        false => format!("{n} {more}"),
    };
    let definitions = counted("definition", "definitions");
    let is = if is_one { "is" } else { "are" };
    let said = match group {
        Group::Signature => format!(
            "{} between {old} and {new}: ",
            counted("signature changed", "signatures changed")
        ),
        Group::Body => format!(
            "{} between {old} and {new}: ",
            counted(
                "definition changed in its body",
                "definitions changed in their bodies"
            )
        ),
        Group::Added => format!("{definitions} of {new} {is} not in {old}: "),
        Group::Removed => format!("{definitions} of {old} {is} not in {new}: "),
        Group::Renamed => format!("{definitions} {is} named differently in {new}: "),
        Group::Moved => format!("{definitions} {is} in another place in {new}: "),
    };
    vec![text(said)]
}

/// States where files are now that moved with all or most of their text unchanged.
fn moved_files(teller: &mut Teller<'_>) {
    let Teller { compared, .. } = *teller;
    let moved = compared.changes.files.iter();
    let moved = moved.filter(|it| matches!(it.what, FileWhat::Moved | FileWhat::MovedAndChanged));
    let mut items = Vec::new();
    for change in moved.take(MAX_ENTRIES) {
        let paths = change.old.zip(change.new).and_then(|(old, new)| {
            let path = |version, id| Some(compared.index(version).repo.file(id)?.path.clone());
            let source = teller.first_line(Version::New, new)?;
            Some((path(Version::Old, old)?, path(Version::New, new)?, source))
        });
        let Some((from, name, source)) = paths else {
            continue;
        };
        let item = Item {
            name,
            detail: format!("was {from}"),
            footnote: teller.number(Version::New, &source, FILE),
        };
        items.push((source, item));
    }
    let new = teller.new_name();
    say_files(teller, Version::New, items, |n| match n {
        1 => [String::new(), format!(" has another path in {new}")],
        n => [
            format!("{n} files have another path in {new}, such as "),
            String::new(),
        ],
    });
}

/// States which files differ although no definition in them does: documents, configuration, code
/// outside definitions.
fn other_files(teller: &mut Teller<'_>) {
    let (old, new) = (teller.old_name(), teller.new_name());
    for what in [FileWhat::Changed, FileWhat::Added, FileWhat::Removed] {
        let (version, detail) = match what {
            FileWhat::Added => (Version::New, "added"),
            FileWhat::Removed => (Version::Old, "removed"),
            _ => (Version::New, "changed"),
        };
        let items = without_definitions(teller, what, version, detail);
        let are = if items.len() == 1 { "is" } else { "are" };
        let said = match what {
            FileWhat::Added => format!("of {new} {are} not in {old}"),
            FileWhat::Removed => format!("of {old} {are} not in {new}"),
            _ => format!("changed outside definitions between {old} and {new}"),
        };
        say_files(teller, version, items, |n| match n {
            1 => [String::new(), format!(" {said}")],
            n => [format!("{n} files {said}, such as "), String::new()],
        });
    }
}

/// Returns the files that this happened to and in which no definition changed.
fn without_definitions(
    teller: &mut Teller<'_>,
    what: FileWhat,
    version: Version,
    detail: &str,
) -> Vec<(Verified, Item)> {
    let Teller { compared, .. } = *teller;
    let named = compared.changes.definitions.iter().map(|it| it.file);
    let named: HashSet<usize> = named.collect();
    let files = compared.changes.files.iter().enumerate();
    let files = files.filter(|(at, it)| it.what == what && !it.is_layout && !named.contains(at));
    let items = files.take(MAX_ENTRIES).filter_map(|(_, change)| {
        let id = match version {
            Version::New => change.new,
            Version::Old => change.old,
        }?;
        let name = compared.index(version).repo.file(id)?.path.clone();
        let source = teller.first_line(version, id)?;
        let footnote = teller.number(version, &source, FILE);
        let detail = detail.to_owned();
        let item = Item {
            name,
            detail,
            footnote,
        };
        Some((source, item))
    });
    items.collect()
}

/// States one sentence about files of a version. The first ones are named between two texts, and
/// all are entries.
fn say_files(
    teller: &mut Teller<'_>,
    version: Version,
    items: Vec<(Verified, Item)>,
    around: impl FnOnce(usize) -> [String; 2],
) {
    let Some((first, item)) = items.first().cloned() else {
        return;
    };
    let [before, after] = around(items.len());
    let mut spans = vec![text(before), code(item.name), text(after)];
    spans.retain(|span| !matches!(span, Span::Text(text) if text.is_empty()));
    let items = items.into_iter().map(|(_, item)| item).collect();
    teller.say(spans, &[(version, &first, FILE)], items);
}
