//! What a file, a folder, a class or the project makes public, by the rule of each language: see
//! [`super::public`].

use super::Kind;
use super::definitions::entry;
use super::listing::{Place, in_files, is_in_tests, members, n_of, named, none, parsed, place};
use super::public::{Publics, rule_in_words};
use super::teller::Teller;
use super::wanted::{Wanted, thing, things};
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{Entry, Source, code, text};
use crate::index::graph::Target;
use crate::lang::{Role, Symbol, SymbolId};
use crate::lines::{LineIndex, LineRange};
use crate::source::FileId;

pub(super) const KIND: Kind = Kind {
    name: "public-api",
    wordings: &[
        concat!("ASK? public|exported|exposed ", things!(), " REL X"),
        concat!(
            "ASK? public|exported|exposed ",
            things!(),
            " does|do X define|have|contain|export|provide"
        ),
        concat!(
            "ASK? every|each|any|all public|exported ",
            thing!(),
            " REL X"
        ),
        concat!("ASK ", things!(), " does|do X export|expose|make_public"),
        concat!("ASK ", things!(), " exported|exposed by|from|in X"),
        concat!("ASK ", things!(), " REL X are|is public|exported"),
        concat!("ASK ", things!(), " REL? public|exported in|by|from X"),
        concat!("ASK ", things!(), " are|is exported|exposed by|from|in X"),
        concat!("ASK ", things!(), " X exports|exposes"),
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
        "what can I|i|one|you|we import|use from X",
        "what|which parts? of X is|are public|exported",
        "X public_api|exports",
        concat!("ASK? public|exported ", things!(), " REL?"),
        "ASK? public_api|public_interface|api_surface|public_surface REL?",
        "what is|are public|exported",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let wanted = Wanted::of(&read.word);
    let fits = |symbol: &Symbol| wanted.is_none_or(|wanted| wanted.kinds.contains(&symbol.kind));
    let called = wanted.map_or(("definition", "definitions"), |wanted| {
        (wanted.one, wanted.many)
    });
    match place(teller, &read.x) {
        Some(Place::Files(files, shown)) => {
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
            said.fold(false, |any, said| any || said)
        }
        None => false,
    }
}

/// The public definitions of the files for which a rule is known.
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

/// What a file passes on: names of `__all__` that it does not define, and `export … from`.
fn passed_on(teller: &Teller<'_, '_>, file: FileId, known: &[Entry]) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    let publics = Publics::new(teller, file);
    if let Some((id, names)) = publics.and_then(|publics| publics.all)
        && let Some(symbol) = teller.index.symbol(id)
    {
        let lines = symbol.lines;
        let new = names
            .into_iter()
            .filter(|name| known.iter().all(|known| known.name != *name));
        found.extend(new.map(|name| passed(file, lines, name)));
    }
    if found.is_empty() && teller.path(file).ends_with("__init__.py") {
        found.extend(brought_in(teller, file));
    }
    let text = teller.file_text(file);
    let lines = LineIndex::new(text);
    let imports = parsed(teller, file).map_or(&[][..], |parsed| &parsed.imports);
    for import in imports {
        let written = lines
            .slice(text, import.lines)
            .unwrap_or_default()
            .trim_start();
        let is_passed = written.starts_with("export ")
            || written.starts_with("pub use ") && !import.names.is_empty();
        for name in import.names.iter().filter(|_| is_passed) {
            let shown = match (&name.alias, name.name.as_str()) {
                (Some(alias), _) => alias.clone(),
                (None, "*") => import.module.clone(),
                (None, name) => name.to_owned(),
            };
            let mut entry = passed(file, import.lines, shown);
            if name.name == "*" && name.alias.is_none() {
                entry.detail = "all that it exports".to_owned();
            }
            found.push(entry);
        }
    }
    found
}

/// The names that the file of a package brings in from the package's other files.
fn brought_in(teller: &Teller<'_, '_>, file: FileId) -> Vec<Entry> {
    let imports = parsed(teller, file).map_or(&[][..], |parsed| &parsed.imports);
    let links = teller.index.graph.imports(file).iter();
    let own = links.filter(|link| matches!(link.target, Target::File(_)));
    let names = own.filter_map(|link| {
        let name = imports
            .get(link.import as usize)?
            .names
            .get(link.name? as usize)?;
        let shown = name.alias.as_ref().unwrap_or(&name.name);
        (!shown.starts_with('_') && shown != "*").then(|| passed(file, link.lines, shown.clone()))
    });
    names.collect()
}

fn passed(file: FileId, lines: LineRange, name: String) -> Entry {
    Entry {
        source: Source {
            file,
            lines,
            quotes: vec![name.clone()],
            why: "export".to_owned(),
        },
        name,
        detail: "imported and passed on".to_owned(),
    }
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

/// The rule of the files' languages in words; `None` if there are none.
fn rule(teller: &Teller<'_, '_>, files: &[FileId]) -> Option<String> {
    let mut rules: Vec<String> = Vec::new();
    for file in files
        .iter()
        .filter(|file| Role::of(teller.path(**file)) == Role::Source)
    {
        let publics = Publics::new(teller, *file)?;
        let language = parsed(teller, *file)?.language;
        let rule = match publics.all {
            Some(_) => "named in `__all__`".to_owned(),
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
        symbol.is_some_and(|symbol| fits(symbol) && publics.has(teller, symbol))
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
