//! What is looked at in the open repository: files, lines, names.

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
            (Purpose::Meant, SourceEvent::Meant(view)) => return self.meant_arrived(view),
            // Another file or another search is wanted by now.
            _ => {}
        }
        Vec::new()
    }
}
