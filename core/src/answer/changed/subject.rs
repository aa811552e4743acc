//! States what happened to one definition or file.

use super::lists::Group;
use super::read::Asked;
use super::{DEFINITION, Teller, file, named};
use crate::answer::notes::{MAX_NAMES, capped, code, text};
use crate::answer::{Item, Span};
use crate::changes::{Definition, DefinitionChange, Differing, Version, What};
use crate::cite::{Citation, Verified, verify};
use crate::index::Index;

/// Why lines are cited: they differ from those of the other version.
const DIFFERS: &str = "where it differs";

/// Maximum number of definitions described for one question.
const MAX_TOLD: usize = 5;

/// States what happened to what the question names.
pub(super) fn tell(teller: &mut Teller<'_>, asked: Asked, name: &str) {
    let plain = plain(name);
    let all = &teller.compared.changes.definitions;
    let is_it = |change: &&DefinitionChange| {
        let sides = [&change.old, &change.new];
        let mut sides = sides.into_iter().flatten();
        sides.any(|side| is_named(&side.qualified, &plain))
    };
    let own: Vec<&DefinitionChange> = all.iter().filter(is_it).collect();
    for change in own.iter().take(MAX_TOLD) {
        tell_of(teller, change);
    }
    if own.is_empty() {
        unchanged(teller, &plain);
    }
    members(teller, asked, &plain);
    if teller.answer.statements.is_empty() {
        file::tell(teller, asked, name);
    }
    if teller.answer.statements.is_empty() && teller.answer.nothing.is_none() {
        let (old, new) = (teller.old_name(), teller.new_name());
        teller.nothing(format!(
            "Neither {old} nor {new} has a definition or a code file called “{name}”."
        ));
    }
}

/// Returns a name as Footnote writes it: `Session.send` for `Session::send` and `Session#send`.
fn plain(name: &str) -> String {
    name.replace("::", ".").replace('#', ".")
}

/// Whether a definition has this name, with or without its owners.
fn is_named(qualified: &str, name: &str) -> bool {
    let before = qualified.strip_suffix(name);
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Whether a definition belongs to one that has this name.
fn belongs(qualified: &str, name: &str) -> bool {
    let mut at = qualified.match_indices('.');
    at.any(|(at, _)| {
        let owner = qualified.get(..at);
        owner.is_some_and(|owner| is_named(owner, name))
    })
}

/// States what happened to one definition, in a sentence or two.
fn tell_of(teller: &mut Teller<'_>, change: &DefinitionChange) {
    let (before, after) = (change.old.as_ref(), change.new.as_ref());
    let (old, new) = (teller.old_name(), teller.new_name());
    match (change.what, before, after) {
        (What::Added, _, Some(after)) => tell_of_one(teller, Version::New, after),
        (What::Removed, Some(before), _) => tell_of_one(teller, Version::Old, before),
        (What::Changed { signature, body }, Some(before), Some(after)) => {
            tell_changed(teller, change, before, after, (signature, body));
        }
        (What::Renamed { signature }, Some(before), Some(after)) => {
            let spans = vec![
                named(before),
                text(format!(" of {old} is called ")),
                named(after),
                text(format!(" in {new}; its body is the same")),
            ];
            teller.say(spans, &both(before, after), Vec::new());
            if signature {
                signatures(teller, before, after);
            }
        }
        (What::Moved { signature }, Some(before), Some(after)) => {
            let from = teller.compared.path(Version::Old, before);
            let to = teller.compared.path(Version::New, after);
            let spans = match from == to {
                true => vec![
                    named(before),
                    text(format!(" of {old} is ")),
                    named(after),
                    text(format!(" in {new}, with the same body")),
                ],
                false => vec![
                    named(after),
                    text(" moved from "),
                    code(from),
                    text(" to "),
                    code(to),
                    text(", with the same body"),
                ],
            };
            teller.say(spans, &both(before, after), Vec::new());
            if signature {
                signatures(teller, before, after);
            }
        }
        _ => {}
    }
}

/// States a definition that only one version has. If the other version has one of the same name,
/// both are named: the name alone would deny the other.
fn tell_of_one(teller: &mut Teller<'_>, at: Version, definition: &Definition) {
    let (here, there) = match at {
        Version::Old => (teller.old_name(), teller.new_name()),
        Version::New => (teller.new_name(), teller.old_name()),
    };
    let path = teller.compared.path(at, definition);
    let mut spans = vec![named(definition)];
    let mut sources = vec![(at, &definition.source, DEFINITION)];
    let namesake = find(teller.compared.index(at.other()), &definition.qualified);
    let namesake = namesake.filter(|(qualified, _)| *qualified == definition.qualified);
    if namesake.is_some() {
        spans.extend([text(" as defined in "), code(path)]);
    }
    spans.push(text(format!(" is in {here} and not in {there}")));
    if let Some((_, other)) = &namesake {
        let path = teller.compared.index(at.other()).repo.file(other.file());
        spans.push(text(", which has another in "));
        spans.push(code(path.map_or("", |file| &file.path)));
        sources.push((at.other(), other, DEFINITION));
    }
    teller.say(spans, &sources, Vec::new());
}

fn both<'d>(
    before: &'d Definition,
    after: &'d Definition,
) -> [(Version, &'d Verified, &'static str); 2] {
    [
        (Version::Old, &before.source, DEFINITION),
        (Version::New, &after.source, DEFINITION),
    ]
}

fn tell_changed(
    teller: &mut Teller<'_>,
    change: &DefinitionChange,
    before: &Definition,
    after: &Definition,
    (signature, body): (bool, bool),
) {
    let (old, new) = (teller.old_name(), teller.new_name());
    let what = match (signature, body) {
        (true, true) => "its signature and in its body",
        (true, false) => "its signature; its body is the same",
        _ => "its body; its signature is the same",
    };
    let spans = vec![
        named(after),
        text(format!(" differs between {old} and {new} in {what}")),
    ];
    teller.say(spans, &both(before, after), Vec::new());
    if signature {
        signatures(teller, before, after);
    }
    differing(teller, "Its code differs", &change.differing);
}

/// States within which lines of each version something differs.
pub(super) fn differing(teller: &mut Teller<'_>, what: &str, differing: &Differing) {
    let (old, new) = (teller.old_name(), teller.new_name());
    let lines = |of: &Verified| match of.lines().count() {
        1 => format!("line {}", of.lines()),
        _ => format!("lines {}", of.lines()),
    };
    let mut sources = Vec::new();
    for (version, lines) in [
        (Version::Old, &differing.old),
        (Version::New, &differing.new),
    ] {
        sources.extend(lines.as_ref().map(|lines| (version, lines, DIFFERS)));
    }
    let said = match (&differing.old, &differing.new) {
        (Some(before), Some(after)) => format!(
            "{what} within {} of {old} and {} of {new}",
            lines(before),
            lines(after)
        ),
        (Some(only), None) => format!(
            "{what} within {} of {old}, where {new} has nothing",
            lines(only)
        ),
        (None, Some(only)) => format!(
            "{what} within {} of {new}, where {old} has nothing",
            lines(only)
        ),
        (None, None) => return,
    };
    teller.say(vec![text(said)], &sources, Vec::new());
}

/// States a definition's old and new signature.
fn signatures(teller: &mut Teller<'_>, before: &Definition, after: &Definition) {
    let (old, new) = (teller.old_name(), teller.new_name());
    if before.signature == after.signature {
        let spans = vec![
            text("The part before the body of "),
            named(after),
            text(" differs, for example a decorator or an attribute"),
        ];
        teller.say(spans, &both(before, after), Vec::new());
        return;
    }
    let spans = vec![
        text(format!("In {old} it is declared as ")),
        code(before.signature.clone()),
        text(format!(", in {new} as ")),
        code(after.signature.clone()),
    ];
    teller.say(spans, &both(before, after), Vec::new());
}

/// States a definition that is in both versions and was not listed.
fn unchanged(teller: &mut Teller<'_>, name: &str) {
    let compared = teller.compared;
    let (before, after) = (find(compared.old, name), find(compared.new, name));
    let (Some((qualified, before)), Some((_, after))) = (before, after) else {
        return;
    };
    let (old, new) = (teller.old_name(), teller.new_name());
    let spans = vec![
        code(qualified),
        text(format!(
            " itself is the same in {old} and {new}, apart from comments, documentation and layout"
        )),
    ];
    let sources = [
        (Version::Old, &before, DEFINITION),
        (Version::New, &after, DEFINITION),
    ];
    teller.say(spans, &sources, Vec::new());
}

/// Returns the first definition of a version that has this name, preferring one whose fully
/// qualified name matches.
fn find(index: &Index, name: &str) -> Option<(String, Verified)> {
    let files = index.repo.files.iter().zip(index.parsed.iter());
    let code = files.filter(|(_, parsed)| parsed.language.is_code());
    let mut all = code.flat_map(|(file, parsed)| {
        let symbols = parsed.symbols.iter();
        symbols.map(move |symbol| (file, symbol))
    });
    let exact = all.clone().find(|(_, symbol)| symbol.qualified == name);
    let found = exact.or_else(|| all.find(|(_, symbol)| is_named(&symbol.qualified, name)));
    let (file, symbol) = found?;
    let citation = Citation {
        path: file.path.clone(),
        lines: symbol.lines,
        quotes: Vec::new(),
    };
    let source = verify(&index.repo, &citation).ok()?;
    Some((symbol.qualified.clone(), source))
}

/// States what changed in the members of a definition.
fn members(teller: &mut Teller<'_>, asked: Asked, name: &str) {
    let lead = |n: usize| match n {
        1 => vec![text("1 member of "), code(name), text(" changed: ")],
        n => vec![
            text(format!("{n} members of ")),
            code(name),
            text(" changed: "),
        ],
    };
    list(teller, asked, lead, |_, definition| {
        belongs(&definition.qualified, name)
    });
}

/// States the changes to some definitions, each with what happened to it.
pub(super) fn list(
    teller: &mut Teller<'_>,
    asked: Asked,
    lead: impl FnOnce(usize) -> Vec<Span>,
    is_wanted: impl Fn(Version, &Definition) -> bool,
) {
    let found: Vec<(Version, &Definition, What)> = teller
        .compared
        .changes
        .definitions
        .iter()
        .filter(|change| Group::of(change.what).is_asked(asked.about))
        .filter_map(|change| {
            let sides = [(Version::Old, &change.old), (Version::New, &change.new)];
            let mut sides = sides
                .into_iter()
                .filter_map(|(at, it)| Some((at, it.as_ref()?)));
            let is_it = sides.any(|(version, definition)| is_wanted(version, definition));
            let (version, shown) = change.shown().filter(|_| is_it)?;
            let kinds = asked.kinds;
            let is_of_kind = kinds.is_none_or(|kinds| kinds.contains(&shown.kind));
            is_of_kind.then_some((version, shown, change.what))
        })
        .collect();
    if found.is_empty() {
        return;
    }
    let mut spans = lead(found.len());
    let names: Vec<String> = found
        .iter()
        .map(|(_, it, _)| it.qualified.clone())
        .collect();
    spans.extend(capped(&names));
    let items: Vec<Item> = found
        .iter()
        .map(|(version, definition, what)| Item {
            name: definition.qualified.clone(),
            detail: happened(*what).to_owned(),
            footnote: teller.number(*version, &definition.source, DEFINITION),
        })
        .collect();
    let sources: Vec<(Version, &Verified, &str)> = found
        .iter()
        .take(MAX_NAMES)
        .map(|(version, definition, _)| (*version, &definition.source, DEFINITION))
        .collect();
    teller.say(spans, &sources, items);
}

/// Returns what happened to a definition, in a word or two.
fn happened(what: What) -> &'static str {
    match what {
        What::Added => "added",
        What::Removed => "removed",
        What::Changed {
            signature: true,
            body: true,
        } => "signature and body changed",
        What::Changed {
            signature: true, ..
        } => "signature changed",
        What::Changed { .. } => "body changed",
        What::Renamed { .. } => "renamed",
        What::Moved { .. } => "moved",
    }
}
