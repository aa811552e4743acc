//! What is viewed in the open repository: files, lines, names.

use super::{CodeText, Effect, Purpose, Shared, State};
use crate::worker::protocol::{SourceEvent, SourceRequest};

impl State {
    pub fn find_symbols(&mut self, query: &str, limit: u32) -> Vec<Effect> {
        let query = query.trim();
        if query.is_empty() || self.summary().is_none() {
            self.jobs.forget(|known| known == Purpose::Symbols);
            self.symbols = None;
            return Vec::new();
        }
        let query = query.to_owned();
        let request = SourceRequest::Symbols { query, limit };
        vec![Effect::send(Purpose::Symbols, request)]
    }

    /// Searches files and folders whose paths resemble what is typed after an `@`; `None` ends the
    /// search.
    pub fn find_paths(&mut self, written: Option<&str>, limit: u32) -> Vec<Effect> {
        let Some(written) = written.filter(|_| self.summary().is_some()) else {
            self.jobs.forget(|known| known == Purpose::Paths);
            self.paths = None;
            return Vec::new();
        };
        let written = written.to_owned();
        let request = SourceRequest::Paths { written, limit };
        vec![Effect::send(Purpose::Paths, request)]
    }

    pub(super) fn source_event(&mut self, purpose: Purpose, event: SourceEvent) -> Vec<Effect> {
        match (purpose, event) {
            (Purpose::Peek, SourceEvent::Peek(view)) => self.peek.arrived(view),
            (Purpose::File, SourceEvent::File(file)) => {
                self.reader.loaded(Shared::new(CodeText::new(file)));
            }
            (Purpose::Skipped, SourceEvent::Skipped(skipped)) => {
                self.skipped = Some(Shared::new(skipped));
            }
            (Purpose::Symbols, SourceEvent::Symbols(symbols)) => {
                self.symbols = Some(Shared::new(symbols));
            }
            (Purpose::Paths, SourceEvent::Paths(paths)) => {
                self.paths = Some(Shared::new(paths));
            }
            (Purpose::Meant, SourceEvent::Meant(view)) => return self.meant_arrived(view),
            // Out of date: another file or search has been asked for since.
            _ => {}
        }
        Vec::new()
    }
}
