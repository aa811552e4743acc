//! Statements about imports and calls. Each goes through [`Notes::state`].

mod calls;
mod computed;
mod couple;
mod denied;
mod paths;
mod reach;

use std::collections::BTreeMap;

use super::built;
use super::evidence::{
    all_imports, call_source, definition_source, files, import_source, imports, leads_to, path,
    symbol, whole,
};
use super::subject::Subject;
use super::teller::{Teller, counted};
use super::uses::Other;
use crate::answer::Span;
use crate::answer::notes::{Entry, MAX_NAMES, Notes, Source, code, text, tidy};
use crate::index::Index;
use crate::index::graph::{CallLink, ImportLink, SymbolId, Target};
use crate::lang::Role;
use crate::source::FileId;

/// Maximum number of import blocks cited to show that something is missing.
const MAX_BLOCKS: usize = 8;

/// A name to show, and the lines that prove it.
type Proven = (String, Source);

pub(super) struct Say<'a, 'i> {
    index: &'i Index,
    notes: &'a mut Notes<'i>,
    /// Number of statements that existed before.
    before: usize,
    /// Whether the answer may be wrong ([`Teller::is_guess`]).
    is_guess: &'a mut bool,
}

impl<'a, 'i> Say<'a, 'i> {
    pub(crate) fn new<'t: 'a>(teller: &'a mut Teller<'t, 'i>) -> Self {
        Self {
            index: teller.index,
            before: teller.notes.statements.len(),
            notes: teller.notes,
            is_guess: &mut teller.is_guess,
        }
    }

    /// Whether something was stated.
    pub(crate) fn is_said(&self) -> bool {
        self.notes.statements.len() > self.before
    }
}

impl<'i> Say<'_, 'i> {
    /// States which libraries X imports.
    pub(crate) fn libraries(&mut self, x: &Subject, third_party_only: bool) {
        let links = imports(self.index, x);
        let (standard, mut found): (Vec<Proven>, Vec<Proven>) = self
            .by_library(&links)
            .into_iter()
            .partition(|(name, source)| self.is_standard(name, source.file));
        if third_party_only && !found.is_empty() {
            let n = counted(found.len(), "third-party library", "third-party libraries");
            self.list(x, &format!(" imports {n}: "), found);
            return;
        }
        if !found.is_empty() && !standard.is_empty() {
            let n = counted(found.len(), "third-party library", "third-party libraries");
            self.list(x, &format!(" imports {n}: "), found);
            let n = counted(standard.len(), "module", "modules");
            self.list(
                x,
                &format!(" imports {n} of the standard library: "),
                standard,
            );
            return;
        }
        found.extend(standard);
        if found.is_empty() {
            self.none(x, " imports no library", &links);
        } else {
            let one = format!(
                " imports {}: ",
                counted(found.len(), "library", "libraries")
            );
            self.list(x, &one, found);
        }
    }

    /// Whether a library is part of the standard library of the importing file's language.
    fn is_standard(&self, library: &str, file: FileId) -> bool {
        let parsed = self.index.parsed.get(file.0 as usize);
        parsed.is_some_and(|parsed| (parsed.language.spec().family.is_standard)(library))
    }

    /// States what X imports: files of the repository, then libraries.
    pub(crate) fn imports(&mut self, x: &Subject, files_only: bool) {
        let links = imports(self.index, x);
        let own = files(self.index, x);
        let inside = self.by_file(&links, &own);
        let libraries = self.by_library(&links);
        if inside.is_empty() && libraries.is_empty() {
            self.none(x, " imports nothing", &links);
            return;
        }
        if !inside.is_empty() {
            let n = counted(inside.len(), "file", "files");
            self.list(x, &format!(" imports from {n} of the repository: "), inside);
        }
        let is_enough = files_only && self.is_said();
        if !libraries.is_empty() && !is_enough {
            let n = counted(libraries.len(), "library", "libraries");
            self.list(x, &format!(" imports {n}: "), libraries);
        }
    }

    /// States what imports or uses X.
    pub(crate) fn importers(&mut self, x: &Subject) {
        let own = match x {
            Subject::Symbols(..) => Vec::new(),
            _ => files(self.index, x),
        };
        let all = self.index.graph.all_imports().iter();
        let mut links: Vec<&ImportLink> = all
            .filter(|link| !own.contains(&link.file) && leads_to(self.index, link, x))
            .collect();
        // A built file imports what its source does: only the source is listed.
        let is_own = |link: &&ImportLink| !built::is_built(self.index, link.file);
        if links.iter().any(is_own) {
            links.retain(is_own);
        }
        let mut found: BTreeMap<(bool, &str), Source> = BTreeMap::new();
        for link in &links {
            let path = path(self.index, link.file);
            let key = (Role::of(path) != Role::Source, path);
            found
                .entry(key)
                .or_insert_with(|| import_source(self.index, link));
        }
        let found: Vec<Proven> = found
            .into_iter()
            .map(|((_, path), source)| (path.to_owned(), source))
            .collect();
        if !found.is_empty() {
            let n = counted(found.len(), "file", "files");
            self.list(x, &format!(" is imported by {n}: "), found);
        }
        let importers = links.iter().map(|link| link.file).collect();
        self.named_in_paths(x, &importers);
        if let Subject::Symbols(symbols, _) = x {
            self.say_callers(symbols, x, links.is_empty());
        } else if links.is_empty() {
            let n = self.index.graph.all_imports().len();
            let lead =
                format!(" is imported by no other file: none of the {n} imports leads to it");
            let source: Vec<Source> = whole(self.index, x).into_iter().collect();
            self.state(x, vec![text(lead)], &source);
        }
    }

    /// States whether X uses Y.
    pub(crate) fn uses(&mut self, x: &Subject, y: &Other) {
        let links = imports(self.index, x);
        let Other::Known(known) = y else {
            if let Other::Unknown(name) = y
                && !self.is_named(x, name)
            {
                self.no("No. ", x, name, &links);
            }
            return;
        };
        if self.yes("Yes. ", x, known, &links) {
            return;
        }
        if let Subject::Library(library) = known
            && self.is_named(x, self.index.graph.library(*library))
        {
            return;
        }
        let name = self.name(known);
        self.no("No. ", x, &name, &links);
        self.through(x, known);
    }

    /// States who calls X.
    pub(crate) fn callers(&mut self, x: &Subject) {
        if let Subject::Symbols(symbols, _) = x {
            self.say_callers(symbols, x, true);
        }
    }

    /// States what X calls.
    pub(crate) fn callees(&mut self, x: &Subject) {
        let Subject::Symbols(symbols, _) = x else {
            return;
        };
        let calls = self.calls_in(symbols);
        let mut found: BTreeMap<SymbolId, (u32, Source)> = BTreeMap::new();
        for call in calls.iter().filter(|call| call.is_certain()) {
            let source = || (call.line.0, call_source(self.index, call));
            found.entry(call.callee).or_insert_with(source);
        }
        let mut found: Vec<(u32, Proven)> = found
            .into_iter()
            .filter_map(|(callee, (line, source))| {
                let name = symbol(self.index, callee)?.qualified.clone();
                Some((line, (name, source)))
            })
            .collect();
        found.sort_by_key(|(line, _)| *line);
        let found: Vec<Proven> = found.into_iter().map(|(_, proven)| proven).collect();
        if found.is_empty() {
            let lead = vec![text(" calls nothing that the repository certainly defines")];
            let source: Vec<Source> = whole(self.index, x).into_iter().collect();
            self.state(x, lead, &source);
        } else {
            self.list(x, " calls ", found);
        }
        let unsure = calls.iter().filter(|call| !call.is_certain());
        self.unsure(unsure, " may also call ", x, |call| call.callee);
    }

    fn say_callers(&mut self, symbols: &[SymbolId], x: &Subject, says_none: bool) {
        let mut calls = self.index.graph.callers_of_any(symbols);
        calls.dedup_by_key(|call| (call.file, call.line, call.caller));
        let mut certain: Vec<(bool, Proven)> = Vec::new();
        for call in calls.iter().filter(|call| call.is_certain()) {
            let path = path(self.index, call.file);
            let caller = call.caller.and_then(|caller| symbol(self.index, caller));
            let name = caller.map_or(path, |caller| caller.qualified.as_str());
            let source = call_source(self.index, call);
            certain.push((Role::of(path) != Role::Source, (name.to_owned(), source)));
        }
        certain.sort_by_key(|(is_test, _)| *is_test);
        let n_calls = certain.len();
        let found: Vec<Proven> = certain.into_iter().map(|(_, proven)| proven).collect();
        if !found.is_empty() {
            let n = counted(n_calls, "place", "places");
            self.list(x, &format!(" is called at {n}: in "), found);
        } else if says_none {
            let n = self.index.graph.stats().calls.all;
            let lead = format!(" has no certain call: none of the {n} calls can mean only it");
            let source = symbols
                .iter()
                .filter_map(|id| definition_source(self.index, *id));
            let source: Vec<Source> = source.take(MAX_BLOCKS).collect();
            self.state(x, vec![text(lead)], &source);
        }
        self.unsure_callers(x, &calls);
    }

    fn unsure_callers(&mut self, x: &Subject, calls: &[CallLink]) {
        let unsure = calls.iter().filter(|call| !call.is_certain());
        let lead = " may also be called, on objects of unknown type, by ";
        self.unsure(unsure, lead, x, |call| call.caller.unwrap_or(call.callee));
    }

    /// States the calls that may mean something else, so that nobody takes the certain ones for
    /// all.
    fn unsure<'c>(
        &mut self,
        calls: impl Iterator<Item = &'c CallLink>,
        lead: &str,
        x: &Subject,
        shown: impl Fn(&CallLink) -> SymbolId,
    ) {
        let mut found: BTreeMap<SymbolId, Proven> = BTreeMap::new();
        for call in calls {
            let id = shown(call);
            let Some(symbol) = symbol(self.index, id) else {
                continue;
            };
            found
                .entry(id)
                .or_insert_with(|| (symbol.qualified.clone(), call_source(self.index, call)));
        }
        if !found.is_empty() {
            self.list(x, lead, found.into_values().collect());
        }
    }

    /// Returns the calls in definitions and their members.
    fn calls_in(&self, symbols: &[SymbolId]) -> Vec<CallLink> {
        let mut calls = Vec::new();
        for id in symbols {
            let of_file = self
                .index
                .file(id.file)
                .map(|(_, parsed)| parsed.symbols.as_slice());
            let of_file = of_file.unwrap_or_default();
            let Some(whole) = of_file.get(id.at as usize) else {
                continue;
            };
            let inside = (0..).zip(of_file).skip(id.at as usize);
            for (at, inner) in
                inside.take_while(|(_, inner)| inner.lines.start() <= whole.lines.end())
            {
                if whole.lines.encloses(inner.lines) {
                    calls.extend(self.index.graph.callees(SymbolId { file: id.file, at }));
                }
            }
        }
        calls
    }

    /// Returns the lines at which X certainly calls Y.
    pub(crate) fn certain_calls(&self, x: &Subject, y: &Subject) -> Vec<Source> {
        let (Subject::Symbols(from, _), Subject::Symbols(to, _)) = (x, y) else {
            return Vec::new();
        };
        let calls = self.calls_in(from);
        let calls = calls
            .iter()
            .filter(|call| call.is_certain() && to.contains(&call.callee));
        calls.map(|call| call_source(self.index, call)).collect()
    }

    /// Returns the imports of X that lead to Y, each line once.
    fn links(&self, y: &Subject, links: &[&ImportLink]) -> Vec<Source> {
        let mut sources: Vec<Source> = Vec::new();
        for link in links.iter().filter(|link| leads_to(self.index, link, y)) {
            let source = import_source(self.index, link);
            let is_new = |known: &Source| (known.file, known.lines) != (source.file, source.lines);
            if sources.iter().all(is_new) {
                sources.push(source);
            }
        }
        sources
    }

    /// Whether X imports or calls Y.
    pub(crate) fn is_used(&self, x: &Subject, y: &Subject) -> bool {
        !self.certain_calls(x, y).is_empty() || !self.links(y, &imports(self.index, x)).is_empty()
    }

    /// States that X calls Y, or else that it imports it; returns whether it does.
    fn yes(&mut self, word: &str, x: &Subject, y: &Subject, links: &[&ImportLink]) -> bool {
        let calls = self.certain_calls(x, y);
        match calls.is_empty() {
            true => self.yes_at(word, (x, " imports ", y), self.links(y, links)),
            false => self.yes_at(word, (x, " calls ", y), calls),
        }
    }

    /// States that X does something with Y at these places, if there are any.
    fn yes_at(
        &mut self,
        word: &str,
        (x, verb, y): (&Subject, &str, &Subject),
        mut sources: Vec<Source>,
    ) -> bool {
        if sources.is_empty() {
            return false;
        }
        let more = sources.len().saturating_sub(MAX_NAMES);
        sources.truncate(MAX_NAMES);
        let mut spans = vec![text(verb), code(self.name(y))];
        if sources.len() + more > 1 {
            spans.push(text(format!(" at {} places", sources.len() + more)));
        }
        if more > 0 {
            spans.push(text(format!(", of which {MAX_NAMES} are cited")));
        }
        self.state_with(word, x, spans, &sources)
    }

    /// Returns each library once with its first import, the most imported first.
    fn by_library(&self, links: &[&ImportLink]) -> Vec<Proven> {
        let mut found: Vec<(usize, String, Source)> = Vec::new();
        for link in links {
            let Target::Library(id) = link.target else {
                continue;
            };
            let name = self.index.graph.library(id);
            match found.iter_mut().find(|(_, known, _)| known == name) {
                Some((count, ..)) => *count += 1,
                None => found.push((1, name.to_owned(), import_source(self.index, link))),
            }
        }
        found.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
        found
            .into_iter()
            .map(|(_, name, source)| (name, source))
            .collect()
    }

    /// Returns each file of the repository once with its first import.
    fn by_file(&self, links: &[&ImportLink], own: &[FileId]) -> Vec<Proven> {
        let mut found: Vec<(FileId, Source)> = Vec::new();
        for link in links {
            if let Target::File(file) = link.target
                && !own.contains(&file)
                && found.iter().all(|(known, _)| *known != file)
            {
                found.push((file, import_source(self.index, link)));
            }
        }
        let named = found.into_iter();
        named
            .map(|(file, source)| (path(self.index, file).to_owned(), source))
            .collect()
    }

    /// States X, a verb, and names, each with its footnote.
    fn list(&mut self, x: &Subject, lead: &str, found: Vec<Proven>) {
        let mut spans = self.subject(x);
        spans.push(text(lead));
        let entries = found.into_iter().map(|(name, source)| Entry {
            name,
            detail: String::new(),
            source,
        });
        self.notes.list(spans, entries.collect());
    }

    fn none(&mut self, x: &Subject, lead: &str, links: &[&ImportLink]) {
        let mut sources = all_imports(self.index, x, links);
        sources.truncate(MAX_BLOCKS);
        self.state(x, vec![text(lead)], &sources);
    }

    fn state(&mut self, x: &Subject, spans: Vec<Span>, sources: &[Source]) -> bool {
        self.state_with("", x, spans, sources)
    }

    fn state_with(
        &mut self,
        before: &str,
        x: &Subject,
        spans: Vec<Span>,
        sources: &[Source],
    ) -> bool {
        let mut all = vec![text(before)];
        all.extend(self.subject(x));
        all.extend(spans);
        all.push(text("."));
        all.retain(|span| *span != text(""));
        self.notes.state(tidy(all), sources)
    }

    /// Returns X as the subject of a sentence.
    fn subject(&self, x: &Subject) -> Vec<Span> {
        match x {
            Subject::Project => vec![text("The project’s own code")],
            Subject::Symbols(symbols, name) => {
                let mut spans = vec![code(name.clone())];
                if let [only] = symbols.as_slice() {
                    spans.extend([text(" in "), code(path(self.index, only.file))]);
                } else {
                    spans.push(text(format!(" ({} definitions)", symbols.len())));
                }
                spans
            }
            other => vec![code(self.name(other))],
        }
    }

    fn name(&self, subject: &Subject) -> String {
        match subject {
            Subject::Project => self.index.repo.name.clone(),
            Subject::Files(_, name) | Subject::Symbols(_, name) => name.clone(),
            Subject::Library(id) => self.index.graph.library(*id).to_owned(),
        }
    }
}
