//! What a file, a folder, a class or the project makes public, by the rule of each language: see
//! [`super::public`].

use super::Kind;
use super::built;
use super::definitions::entry;
use super::evidence::files;
use super::exports::passed_on;
use super::listing::{Place, in_files, is_in_tests, members, n_of, named, none, parsed, place};
use super::public::{Publics, rule_in_words};
use super::subject::{self, Subject};
use super::teller::Teller;
use super::wanted::{Wanted, thing, things};
use super::wording::Read;
use crate::answer::notes::{Entry, code, text};
use crate::answer::{Span, facts};
use crate::lang::{Role, Symbol, SymbolId};
use crate::source::FileId;

pub(super) const KIND: Kind = Kind {
    name: "public-api",
    wordings: &[
        concat!("ASK? public|pub|exported|exposed ", things!(), " REL X"),
        concat!(
            "ASK? public|exported|exposed ",
            things!(),
            " does|do X define|have|contain|export|provide"
        ),
        concat!(
            "ASK? every|each|any|all public|pub|exported ",
            thing!(),
            " REL X"
        ),
        concat!("ASK ", things!(), " does|do X export|expose|make_public"),
        concat!("ASK ", things!(), " exported|exposed by|from|in X"),
        concat!("ASK ", things!(), " REL X are|is public|exported"),
        concat!("ASK ", things!(), " REL? public|exported in|by|from X"),
        concat!("ASK ", things!(), " are|is exported|exposed by|from|in X"),
        concat!(
            "ASK? ",
            things!(),
            " that|which? X exports|exposes|makes_public"
        ),
        "ASK? everything|every_name|all_names|everything_that_is exported|exposed|public by|from|in X",
        "what does|do X export|expose publicly|to_others|to_users",
        "what does|do X export|expose|list in|through|by Y",
        concat!("how_many public|exported ", things!(), " REL X"),
        concat!(
            "how_many public|exported ",
            things!(),
            " does|do X define|have|contain|export"
        ),
        "ASK? public_api|public_apis|api_surface|public_interface|public_surface|exports|public_names|exported_names|public_part REL X",
        "ASK? public|exported names|symbols|things|items|entities|definitions REL X",
        "what does|do X export|expose|make_public",
        "what things|names|symbols? is|are exported|exposed|public|made_public by|from|in|of X",
        "what can i|one|you|we import|use from X",
        "what|which parts? of X is|are public|exported",
        "X public_api|exports",
        "ASK? names|symbols? REL Y of|in|from X",
        concat!("ASK? public|exported ", things!(), " REL?"),
        "ASK? public_api|public_interface|api_surface|public_surface REL?",
        "what is|are public|exported",
        "what is|are exported|exposed|public|available at|from|in|on the? top-level|top_level|crate_root|package_root|root|main_entry REL? X?",
        "what can be imported ANY from the? top-level|top_level|root|main_entry|main_entry_point|package_root ANY",
    ],
    state,
};

/// Names of files through which a project is imported.
const ENTRIES: [&str; 6] = [
    "__init__.py",
    "lib.rs",
    "index.ts",
    "index.js",
    "index.mjs",
    "mod.ts",
];

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    // If a third thing is named, it can only be the export list of a Python module.
    if read
        .y
        .as_ref()
        .is_some_and(|words| !words.contains("__all__"))
    {
        return false;
    }
    let root = [
        "top level package",
        "top-level package",
        "root package",
        "package root",
    ];
    let x = match root.contains(&subject::bare_lower(&read.x).as_str()) {
        true => "",
        false => read.x.as_str(),
    };
    let wanted = Wanted::of(&read.word);
    let fits = |symbol: &Symbol| wanted.is_none_or(|wanted| wanted.kinds.contains(&symbol.kind));
    let called = wanted.map_or(("definition", "definitions"), |wanted| {
        (wanted.one, wanted.many)
    });
    if wanted.is_none() && of_entry(teller, x) {
        return true;
    }
    match place(teller, x) {
        Some(Place::Files(files, shown)) => {
            let files = match read.y.is_some() {
                true => with_list(teller, files),
                false => files,
            };
            let is_one = files.len() == 1;
            let is_all = wanted.is_none();
            let outer =
                |symbol: &Symbol| fits(symbol) && !(is_all && symbol.qualified.contains('.'));
            let said = of_files(teller, &files, shown, called, &outer);
            if said && is_one && is_all {
                let shown = vec![text("They have")];
                let inner = |symbol: &Symbol| symbol.qualified.contains('.');
                let found = public(teller, &files, &inner);
                list(teller, found, shown, "", ("member", "members"));
            }
            said
        }
        Some(Place::Symbols(symbols)) => {
            let said = symbols
                .iter()
                .map(|id| of_class(teller, *id, called, &fits));
            said.filter(|said| *said).count() > 0
        }
        None => false,
    }
}

/// Returns the outermost of the files that have `__all__`, by which a package exports; else all.
fn with_list(teller: &Teller<'_, '_>, files: Vec<FileId>) -> Vec<FileId> {
    let has_list =
        |file: &&FileId| Publics::new(teller, **file).is_some_and(|publics| publics.all.is_some());
    let depth = |file: &&FileId| {
        let path = teller.path(**file);
        (path.matches('/').count(), !path.ends_with("__init__.py"))
    };
    let outermost = files.iter().filter(has_list).min_by_key(depth).copied();
    outermost.map_or(files, |file| vec![file])
}

/// Returns the file by which the project is imported: the one that its manifest names, or the only
/// one nearest to the root that has a usual name.
pub(super) fn entry_file(teller: &Teller<'_, '_>) -> Option<FileId> {
    let named = facts::entry_paths(teller.index);
    let named = named.iter().find_map(|path| teller.index.repo.find(path));
    if let Some(named) = named {
        return Some(built::source_of(teller.index, named, "").unwrap_or(named));
    }
    let own = files(teller.index, &Subject::Project);
    let is_entry = |file: &FileId| {
        let path = teller.path(*file);
        ENTRIES
            .iter()
            .any(|name| path.rsplit('/').next() == Some(name))
    };
    let depth = |file: &FileId| teller.path(*file).matches('/').count();
    let entries: Vec<FileId> = own.into_iter().filter(is_entry).collect();
    let least = entries.iter().map(depth).min();
    let mut nearest = entries
        .into_iter()
        .filter(|file| Some(depth(file)) == least);
    nearest.next().filter(|_| nearest.next().is_none())
}

/// For a project: states what its entry file exports, if there is exactly one such file.
fn of_entry(teller: &mut Teller<'_, '_>, words: &str) -> bool {
    let is_project = words.is_empty() || teller.subject(words) == Some(Subject::Project);
    if !is_project {
        return false;
    }
    let Some(entry) = entry_file(teller) else {
        return false;
    };
    let outer = |symbol: &Symbol| !symbol.qualified.contains('.');
    let known = public(teller, &[entry], &outer);
    if known.is_empty() && passed_on(teller, entry, &[]).is_empty() {
        return false;
    }
    let shown = vec![
        code(teller.path(entry)),
        text(", by which the project is imported,"),
    ];
    let called = ("definition", "definitions");
    of_files(teller, &[entry], shown, called, &outer)
}

/// Returns the public definitions of the files for which a rule is known.
fn public(teller: &Teller<'_, '_>, files: &[FileId], fits: &dyn Fn(&Symbol) -> bool) -> Vec<Entry> {
    let mut found = Vec::new();
    for file in files {
        let Some(publics) = Publics::new(teller, *file) else {
            continue;
        };
        for (id, symbol) in teller.defined_in(*file) {
            if fits(symbol)
                && symbol.name != "__all__"
                && publics.has(teller, symbol)
                && !is_in_tests(teller, id)
            {
                found.extend(entry(teller, id));
            }
        }
    }
    found
}

fn of_files(
    teller: &mut Teller<'_, '_>,
    files: &[FileId],
    shown: Vec<Span>,
    called: (&str, &str),
    fits: &dyn Fn(&Symbol) -> bool,
) -> bool {
    let has_rule = |file: &&FileId| Publics::new(teller, **file).is_some();
    let files: Vec<FileId> = files.iter().filter(has_rule).copied().collect();
    let Some(rule) = rule(teller, &files) else {
        return false;
    };
    let mut entries = public(teller, &files, fits);
    if called.0 == "definition" {
        let known = entries.clone();
        let of_file = |file: &FileId| passed_on(teller, *file, &known);
        let is_one = files.len() == 1;
        entries.extend(
            files
                .iter()
                .filter(|_| is_one)
                .flat_map(of_file)
                .collect::<Vec<_>>(),
        );
    }
    match entries.is_empty() {
        true => none(
            teller,
            &files,
            shown,
            "has",
            &format!("{} {rule}", called.0),
        ),
        false => {
            let mut shown = shown;
            shown.push(text(" has"));
            list(teller, entries, shown, &format!(" ({rule})"), called)
        }
    }
}

/// Returns the rule of the files' languages in words; `None` if there is none.
fn rule(teller: &Teller<'_, '_>, files: &[FileId]) -> Option<String> {
    let mut rules: Vec<String> = Vec::new();
    for file in files
        .iter()
        .filter(|file| Role::of(teller.path(**file)) == Role::Source)
    {
        let publics = Publics::new(teller, *file)?;
        let language = parsed(teller, *file)?.language;
        let rule = match publics.all {
            Some(list) if list.is_whole => "named in `__all__`".to_owned(),
            Some(_) => "named in `__all__`, as far as it is written out".to_owned(),
            None => rule_in_words(language),
        };
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    (!rules.is_empty()).then(|| rules.join("; "))
}

fn list(
    teller: &mut Teller<'_, '_>,
    mut entries: Vec<Entry>,
    mut lead: Vec<Span>,
    rule: &str,
    (one, many): (&str, &str),
) -> bool {
    let n = n_of(
        teller,
        &mut entries,
        &format!("public {one}"),
        &format!("public {many}"),
    );
    if entries.is_empty() {
        return false;
    }
    lead.push(text(format!(" {n}{}", in_files(&entries))));
    let mut parts = rule.split('`').enumerate();
    lead.extend(parts.by_ref().map(|(at, part)| match at % 2 {
        0 => text(part),
        _ => code(part),
    }));
    lead.push(text(": "));
    teller.list(lead, entries)
}

fn of_class(
    teller: &mut Teller<'_, '_>,
    id: SymbolId,
    called: (&str, &str),
    fits: &dyn Fn(&Symbol) -> bool,
) -> bool {
    let Some(publics) = Publics::new(teller, id.file) else {
        return false;
    };
    let own = members(teller, id);
    let is_public = |id: &SymbolId| {
        let symbol = teller.index.symbol(*id);
        symbol.is_some_and(|symbol| fits(symbol) && publics.is_declared(teller, symbol))
    };
    let entries: Vec<Entry> = own
        .iter()
        .filter(|id| is_public(id))
        .filter_map(|id| entry(teller, *id))
        .collect();
    let mut lead = named(teller, id);
    lead.push(text(" has"));
    list(teller, entries, lead, "", called)
}
