//! What the code language model reads in advance: once a strategy that needs it has been used, it
//! reads the lines of the repository's definitions whenever nothing else is to be done.

use std::rc::Rc;

use footnote_core::chunk::{ChunkId, ChunkKind};
use footnote_core::compress::Piece;
use footnote_core::lang::Role;
use wasm_bindgen_futures::spawn_local;

use super::CodeModels;
use crate::platform::clock::sleep;
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::repo::OpenRepo;

/// Most definitions to read: minutes of one core. The rest is read when it is found.
const MAX_AHEAD: usize = 2_000;
/// Definitions to read at a time: a question has to wait for them.
const BATCH: usize = 2;
/// Milliseconds the engine must be idle before the next batch.
const QUIET_MS: u32 = 100;

impl CodeModels {
    /// Reads on while the model is loaded, one batch at a time.
    pub fn read_ahead(self: &Rc<Self>, open: &Rc<OpenRepo>) {
        if self.is_ahead.replace(true) {
            return;
        }
        let (models, open) = (Rc::clone(self), Rc::clone(open));
        spawn_local(async move {
            let definitions = definitions(&open);
            for batch in definitions.chunks(BATCH) {
                let texts: Vec<String> = batch
                    .iter()
                    .filter_map(|&chunk| {
                        Piece::of_chunk(&open.index, chunk, 0.0)?.text(&open.index)
                    })
                    .collect();
                let is_there = models.when_quiet(&open).await;
                let cancel = Cancel::default();
                if !is_there || models.perplexities(&open, &texts, &cancel).await.is_err() {
                    break;
                }
            }
            models.is_ahead.set(false);
        });
    }

    /// Waits until all vectors are computed and no request is running; returns false once the
    /// repository or the model is gone.
    async fn when_quiet(&self, open: &OpenRepo) -> bool {
        loop {
            sleep(QUIET_MS).await;
            if !self.shelf.is_current(open) || self.running.borrow().is_none() {
                return false;
            }
            let has_vectors =
                open.vectors.borrow().is_complete() || open.work.borrow().failed.is_some();
            if has_vectors && self.services.jobs.count() == 0 {
                return true;
            }
        }
    }
}

/// Returns the definitions outside tests, in file order.
fn definitions(open: &OpenRepo) -> Vec<ChunkId> {
    let is_source = |id: ChunkId| {
        let path = open.index.path_of(id).unwrap_or_default();
        Role::of(path) == Role::Source
    };
    let all = open.index.chunk_ids();
    let definitions = all.filter(|(_, chunk)| chunk.kind == ChunkKind::Symbol);
    definitions
        .map(|(id, _)| id)
        .filter(|&id| is_source(id))
        .take(MAX_AHEAD)
        .collect()
}
