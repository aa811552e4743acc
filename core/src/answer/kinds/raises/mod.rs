//! Which errors a function, a file or a folder raises, and who raises an error.
//!
//! Read from the code by the expressions with which each language raises errors. What a called
//! function raises does not count as raised by its caller.

mod declared;
mod sites;

use std::collections::BTreeSet;

use super::Kind;
use super::named;
use super::scope::Scope;
use super::teller::{Teller, counted};
use super::texts::{Text, is_callable, is_test, polar};
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{Entry, SEARCHED, Source, code, text};
use crate::index::graph::SymbolId;
use crate::lang::Role;
use crate::source::FileId;
use sites::{Site, in_file};

pub(super) const KIND: Kind = Kind {
    name: "raises",
    wordings: &[
        "ASK? kinds|types|sorts? of? errors|error|exceptions|exception|error_types|exception_types|error_classes|exception_classes|rejections|failures|panics types|type|kinds|classes? does|do|can|could|will|would|might|may X raise|throw|return|deliver|emit|produce|cause|panic_with|reject_with|give if|when|for|on|in|with? Y?",
        "ASK? kinds|types|sorts? of? errors|error|exceptions|exception|error_types|exception_types|error_classes|exception_classes|rejections|panics types|type|kinds|classes? that|which? are|is|get|gets|can|may? be? raised|thrown|returned|emitted by|in|inside|from|within|under X and? where?",
        "ASK? kinds|types|sorts? of? errors|error|exceptions|exception|error_types|exception_types|rejections that|which? X can|may|might|could|will|does? raise|raises|throw|throws|return|returns|deliver|delivers|emit|emits",
        "what|which does|do|can|could|will|would|might|may X raise|throw|panic_with if|when|for|on|in? Y?",
        "in_which|in_what|under_which|under_what|on_which|for_which cases|situations|circumstances|conditions|case|condition|inputs does|do|can|could|will|would|might|may X raise|throw|panic|fail|reject Y?",
        "when|why does|do|can|could|will|would|might|may X raise|throw|panic Y?",
        "ASK? raises|throws|panics in|of X",
        "ASK? exceptions|errors of X",
        "X raises|throws|panics what|which? errors|exceptions?",
        "who|what|where @raises|raise|throws|throw X",
        "ASK? functions|methods|function|method|places|place|code|files|classes|tests that|which? @raise|raises|raising|throw|throws|throwing|returns|return the? X",
        "where|when|by_what|by_whom|in_which_functions|in_which_function is|are the? X @raised|thrown from?",
        "by? what|which functions|methods|places|code? is|are X @raised|thrown by|from|in?",
        "does|do|can|could|will X raise|throw|panic Y?",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    if !read.word.is_empty() {
        return raisers(teller, &read.x);
    }
    let x = read.x.replace("()", "");
    if let Some((ids, name)) = named::symbols(teller, &x) {
        return of_symbols(teller, &ids, &name);
    }
    match Scope::read(teller, &x) {
        Some(scope) => of_files(teller, scope),
        None => false,
    }
}

/// States the errors that functions declare and those that they raise themselves; if none, those of
/// what they certainly call.
fn of_symbols(teller: &mut Teller<'_, '_>, ids: &[SymbolId], name: &str) -> bool {
    let ids = without_tests(teller, ids);
    let ids = ids.as_slice();
    let is_declared = !asks_for_panics(teller) && declared::state(teller, ids, name);
    let own = sites_of(teller, ids);
    if own.iter().all(|site| site.error.is_none()) && !asks_for_panics(teller) {
        if is_declared {
            return true;
        }
        // An error of unknown type is an error all the same.
        if declared::is_declared(teller, ids) {
            return false;
        }
    }
    let mut lead = vec![code(name.to_owned())];
    match ids {
        [only] => lead.extend([text(" in "), code(teller.path(only.file))]),
        _ => lead.push(text(format!(" ({} definitions)", ids.len()))),
    }
    if own.iter().any(|site| site.error.is_some()) {
        return list(teller, lead, own);
    }
    if asks_for_panics(teller) {
        return no_panic(teller, lead, searched(teller, ids));
    }
    let again: Vec<Source> = own.iter().map(|site| site.entry.source.clone()).collect();
    lead.push(text(match again.is_empty() {
        true => " raises no error itself",
        false => " raises no new error itself, only those that it is given or catches",
    }));
    let called = of_callees(teller, ids);
    if !called.is_empty() {
        lead.push(text("; the functions that it calls raise "));
        return teller.list(lead, called);
    }
    lead.push(text(", and no function that it certainly calls raises one"));
    let sources = match again.is_empty() {
        true => searched(teller, ids),
        false => again,
    };
    teller.say(lead, &sources)
}

/// States that nothing says that it panics. Much else can: an index, a division.
fn no_panic(teller: &mut Teller<'_, '_>, mut lead: Vec<Span>, searched: Vec<Source>) -> bool {
    teller.is_guess = true;
    lead.push(text(
        " has no statement that says that it panics; what `unwrap`, `expect`, an index or a call \
         may do was not examined",
    ));
    !searched.is_empty() && teller.say(lead, &searched)
}

/// Leaves out definitions of tests if there are others.
fn without_tests(teller: &Teller<'_, '_>, ids: &[SymbolId]) -> Vec<SymbolId> {
    let is_own = |id: &&SymbolId| {
        let line = teller.index.symbol(**id).map(|symbol| symbol.name_line);
        line.is_some_and(|line| !is_test(teller.index, id.file, line))
    };
    let own: Vec<SymbolId> = ids.iter().filter(is_own).copied().collect();
    if own.is_empty() { ids.to_vec() } else { own }
}

/// Whether the question is about what ends the program, not about errors that are returned.
fn asks_for_panics(teller: &Teller<'_, '_>) -> bool {
    teller.question.text().to_lowercase().contains("panic")
}

/// Keeps the places that the question is about: where code panics, or where it raises errors. In a
/// language in which nothing is returned when code panics, that is not the same.
fn of_wanted(teller: &Teller<'_, '_>, source: &Text<'_>, sites: Vec<Site>) -> Vec<Site> {
    let panics = source.parsed.language.spec().panics;
    let wants_panics = asks_for_panics(teller);
    let is_panic = |site: &Site| {
        let error = site.error.as_deref().unwrap_or_default();
        panics.contains(&error)
    };
    let is_wanted = |site: &Site| panics.is_empty() || is_panic(site) == wants_panics;
    sites.into_iter().filter(is_wanted).collect()
}

/// Returns what the functions that `ids` certainly call raise.
fn of_callees(teller: &Teller<'_, '_>, ids: &[SymbolId]) -> Vec<Entry> {
    let calls = ids.iter().flat_map(|id| teller.index.graph.callees(*id));
    let mut callees: Vec<SymbolId> = Vec::new();
    for call in calls.filter(|call| call.is_certain()) {
        let symbol = teller.index.symbol(call.callee);
        let is_function = symbol.is_some_and(|symbol| is_callable(symbol.kind));
        if is_function && !callees.contains(&call.callee) && !ids.contains(&call.callee) {
            callees.push(call.callee);
        }
    }
    let sites = sites_of(teller, &callees).into_iter();
    sites
        .filter(|site| site.error.is_some())
        .map(|site| Entry {
            detail: format!("in {}: {}", site.place, site.entry.detail),
            ..site.entry
        })
        .collect()
}

/// Cites the definitions as what was searched.
fn searched(teller: &Teller<'_, '_>, ids: &[SymbolId]) -> Vec<Source> {
    let lines = named::lines(teller, ids).into_iter();
    let sources = lines.map(|(file, lines)| Source {
        file,
        lines,
        quotes: Vec::new(),
        why: SEARCHED.to_owned(),
    });
    sources.collect()
}

/// Returns the places inside definitions at which something is raised.
fn sites_of(teller: &Teller<'_, '_>, ids: &[SymbolId]) -> Vec<Site> {
    let mut found = Vec::new();
    for (file, lines) in named::lines(teller, ids) {
        if let Some(source) = Text::new(teller.index, file) {
            let inside = |site: &Site| lines.contains(site.line);
            let sites = of_wanted(teller, &source, in_file(teller, &source));
            found.extend(sites.into_iter().filter(inside));
        }
    }
    found
}

fn of_files(teller: &mut Teller<'_, '_>, scope: Scope) -> bool {
    let mut scope = scope.only_code(teller);
    // What tests and examples raise, nobody meets who uses the project.
    let is_source = |file: &FileId| Role::of(teller.path(*file)) == Role::Source;
    if scope.files.iter().any(is_source) {
        scope.files.retain(is_source);
    }
    if scope.files.is_empty() {
        return false;
    }
    let mut found: Vec<Site> = Vec::new();
    for file in scope.files.clone() {
        let Some(source) = Text::new(teller.index, file) else {
            continue;
        };
        let is_single = scope.files.len() == 1;
        let mut sites = of_wanted(teller, &source, in_file(teller, &source));
        sites.retain(|site| is_single || !is_test(teller.index, file, site.line));
        for site in &mut sites {
            site.entry.detail = format!("in {}: {}", site.place, site.entry.detail);
        }
        found.extend(sites);
    }
    let lead = match scope.shown.as_slice() {
        [Span::Text(_)] => vec![text("The code of the repository")],
        _ => scope.shown.clone(),
    };
    if found.iter().any(|site| site.error.is_some()) {
        return list(teller, lead, found);
    }
    if asks_for_panics(teller) {
        let searched = scope.searched(teller);
        return no_panic(teller, lead, searched);
    }
    let mut spans = vec![text(polar(teller, false))];
    spans.extend(lead);
    let n = counted(scope.files.len(), "searched file", "searched files");
    spans.push(text(format!(
        " raises no error: there is no such statement in {n}"
    )));
    let searched = scope.searched(teller);
    teller.say(spans, &searched)
}

/// States the errors, and where errors that were caught or passed in are raised.
fn list(teller: &mut Teller<'_, '_>, mut lead: Vec<Span>, sites: Vec<Site>) -> bool {
    let (known, again): (Vec<Site>, Vec<Site>) =
        sites.into_iter().partition(|site| site.error.is_some());
    let names: BTreeSet<&str> = known
        .iter()
        .filter_map(|site| site.error.as_deref())
        .collect();
    let n = counted(names.len(), "kind of error", "kinds of errors");
    let places = counted(known.len(), "place", "places");
    lead.insert(0, text(polar(teller, true)));
    lead.push(text(match asks_for_panics(teller) {
        true => format!(" panics at {places}: "),
        false => format!(" raises {n} itself, at {places}: "),
    }));
    let entries = known.into_iter().map(|site| site.entry).collect();
    let is_said = teller.list(lead, entries);
    if is_said && !again.is_empty() {
        let n = counted(again.len(), "place", "places");
        let lead = format!("At {n} it raises an error that it was given or has caught: in ");
        let entries = again.into_iter().map(|site| Entry {
            name: site.place,
            ..site.entry
        });
        teller.list(vec![text(lead)], entries.collect());
    }
    is_said
}

/// States who raises an error.
fn raisers(teller: &mut Teller<'_, '_>, words: &str) -> bool {
    let error = named::bare(words);
    let name = error.rsplit(['.', ':']).next().unwrap_or(&error).to_owned();
    let is_name = !name.is_empty() && name.chars().all(super::texts::is_of_word);
    let Some(scope) = Scope::read(teller, "").filter(|_| is_name) else {
        return false;
    };
    let mut entries: Vec<Entry> = Vec::new();
    for file in scope.only_code(teller).files {
        if !teller.file_text(file).contains(name.as_str()) {
            continue;
        }
        let Some(source) = Text::new(teller.index, file) else {
            continue;
        };
        for site in in_file(teller, &source) {
            let raised = site.error.as_deref().unwrap_or_default();
            // `ParseError::Empty` is a `ParseError`.
            if raised == error || raised.split(['.', ':']).any(|part| part == name) {
                entries.push(Entry {
                    name: site.place,
                    ..site.entry
                });
            }
        }
    }
    if entries.is_empty() {
        return not_raised(teller, &name);
    }
    let n = counted(entries.len(), "place", "places");
    let lead = vec![code(name), text(format!(" is raised at {n}: in "))];
    teller.list(lead, entries)
}

/// States that an error is defined and never raised.
fn not_raised(teller: &mut Teller<'_, '_>, name: &str) -> bool {
    let Some((ids, name)) = teller.symbols(name) else {
        return false;
    };
    let is_class = |id: &SymbolId| {
        let symbol = teller.index.symbol(*id);
        symbol.is_some_and(|symbol| symbol.kind.is_container())
    };
    let classes: Vec<SymbolId> = ids.into_iter().filter(is_class).collect();
    // It can be raised by a variable, or by what makes it.
    teller.is_guess = true;
    let sources = searched(teller, &classes);
    let spans = vec![
        code(name),
        text(" is raised nowhere: no statement in the repository’s code raises it by name"),
    ];
    !sources.is_empty() && teller.say(spans, &sources)
}

#[cfg(test)]
mod tests {
    use crate::answer::tests::answered;
    use crate::index::tests::index;

    const LIB: &str = "use crate::err::TryError;\n\npub type Result<T> = std::result::Result<T, \
                       Fault>;\n\npub enum Fault {\n    Lost,\n    Late,\n}\n\npub fn wait() -> \
                       Result<u8> {\n    inner().map_err(Fault::from)\n}\n\npub fn try_it(n: u8) -> \
                       std::result::Result<u8, TryError<u8>> {\n    assert!(n > 0);\n    \
                       Err(TryError::Full)\n}\n\npub fn plain(n: u8) {\n    assert!(n > 0);\n}\n\n\
                       #[cfg(test)]\nmod tests {\n    #[test]\n    fn wait() {\n        \
                       panic!(\"no\");\n    }\n}\n";

    #[test]
    fn declared_errors_come_first_and_panics_are_no_errors() {
        let index = index(&[("src/lib.rs", LIB)]);
        for (question, expected, not) in [
            (
                "what errors does wait return?",
                "`wait` in `src/lib.rs` can fail with `Fault`, as its signature says.",
                "panic",
            ),
            (
                "what errors does wait return?",
                "has 2 variants: `Fault.Lost` and `Fault.Late`",
                "raises no error",
            ),
            (
                "what errors does try_it return?",
                "`try_it` in `src/lib.rs` can fail with `TryError`, as its signature says.",
                "assert",
            ),
            ("when does try_it panic?", "`assert`", "TryError"),
            ("does plain panic?", "Yes. `plain`", "no error"),
        ] {
            let said = answered(&index, question).cited(&index.repo);
            assert!(said.contains(expected), "{question}: {said}");
            assert!(!said.contains(not), "{question}: {said}");
        }
    }
}
