//! Whether one definition calls another.

use std::collections::BTreeMap;

use super::{MAX_BLOCKS, Say};
use crate::answer::kinds::evidence::{call_source, path, symbol, whole};
use crate::answer::kinds::subject::Subject;
use crate::answer::kinds::teller::counted;
use crate::answer::notes::{Entry, Source, capped, code, text};
use crate::index::graph::CallLink;
use crate::lang::Role;

impl Say<'_, '_> {
    /// States that X calls Y, or may; returns whether one of them holds.
    pub(crate) fn calls(&mut self, x: &Subject, y: &Subject) -> bool {
        let calls = self.certain_calls(x, y);
        if self.yes_at("Yes. ", (x, " calls ", y), calls) {
            return true;
        }
        let (Subject::Symbols(from, _), Subject::Symbols(to, _)) = (x, y) else {
            return false;
        };
        let calls = self.calls_in(from);
        let unsure = calls
            .iter()
            .filter(|call| !call.is_certain() && to.contains(&call.callee));
        let sources: Vec<Source> = unsure
            .map(|call| call_source(self.index, call))
            .take(MAX_BLOCKS)
            .collect();
        let spans = vec![
            text(" may call "),
            code(self.name(y)),
            text(", on an object of unknown type"),
        ];
        !sources.is_empty() && self.state_with("Perhaps. ", x, spans, &sources)
    }

    /// States which files call X, and how often each.
    pub(crate) fn calling_files(&mut self, x: &Subject) {
        let Subject::Symbols(symbols, _) = x else {
            return;
        };
        let mut calls = self.index.graph.callers_of_any(symbols);
        calls.dedup_by_key(|call| (call.file, call.line, call.caller));
        let mut found: BTreeMap<(bool, &str), (usize, Source)> = BTreeMap::new();
        for call in calls.iter().filter(|call| call.is_certain()) {
            let path = path(self.index, call.file);
            let key = (Role::of(path) != Role::Source, path);
            let source = || (0, call_source(self.index, call));
            found.entry(key).or_insert_with(source).0 += 1;
        }
        if found.is_empty() {
            self.callers(x);
            return;
        }
        let n = counted(found.len(), "file", "files");
        let mut spans = self.subject(x);
        spans.push(text(format!(" is called in {n}: ")));
        let entries = found.into_iter().map(|((_, path), (n, source))| Entry {
            name: path.to_owned(),
            detail: counted(n, "call", "calls"),
            source,
        });
        self.notes.list(spans, entries.collect());
        self.unsure_callers(x, &calls);
    }

    /// States that no known call in X leads to Y, and what X calls instead.
    pub(crate) fn does_not_call(&mut self, x: &Subject, y: &Subject) -> bool {
        let Subject::Symbols(from, _) = x else {
            return false;
        };
        let mut calls = self.calls_in(from);
        calls.retain(CallLink::is_certain);
        calls.sort_by_key(|call| (call.file, call.line));
        let mut names: Vec<String> = Vec::new();
        for call in &calls {
            let callee = symbol(self.index, call.callee);
            let name = callee.map_or("", |callee| callee.qualified.as_str());
            if names.iter().all(|known| known != name) {
                names.push(name.to_owned());
            }
        }
        let mut spans = vec![text(" has no known call of "), code(self.name(y))];
        if names.is_empty() {
            spans.push(text(", nor of anything else that the repository defines"));
        } else {
            let n = counted(names.len(), "definition", "definitions");
            spans.push(text(format!("; it calls {n} of the repository: ")));
            spans.extend(capped(&names));
        }
        let mut sources: Vec<Source> = whole(self.index, x).into_iter().collect();
        sources.extend(calls.iter().map(|call| call_source(self.index, call)));
        sources.truncate(MAX_BLOCKS);
        self.state_with("No. ", x, spans, &sources)
    }
}
