//! Prepares what the model is shown: the question, made standalone if it is a follow-up, and the
//! lines that were found for it.

use std::rc::Rc;

use footnote_core::compress::Compressor;
use footnote_core::index::Index;
use footnote_core::lines::{Line, LineRange};
use footnote_core::model::prompt::{self, Block, Turn};
use footnote_core::model::protocol::{Chat, Failure};
use footnote_core::model::tools;
use footnote_core::pipeline::{Keep, Pipeline, preset};

use super::Writer;
use super::progress::Progress;
use crate::worker::protocol::{Notice, OfferedView, StepView, WriteView, WritingState};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::connect::{Connection, Letter, Patience};
use crate::worker::serve::context::Limits;
use crate::worker::serve::draft::place;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::views;

/// A request that is ready to be sent.
pub struct Prepared {
    pub chat: Chat,
    /// The evidence, most valuable first, and whether each block is part of the chat.
    pub blocks: Vec<(Block, bool)>,
}

impl Prepared {
    pub fn kept(&self) -> impl Iterator<Item = &Block> {
        let kept = self.blocks.iter().filter(|(_, is_kept)| *is_kept);
        kept.map(|(block, _)| block)
    }

    /// The first request for the answer.
    pub fn letter(&self, connection: &Connection) -> Letter {
        Letter::chat("answer", connection, &self.chat)
    }
}

/// The request that rewrites the question as a standalone one; `None` if the question can be used
/// as it is.
pub fn rewording(connection: &Connection, write: &WriteView) -> Option<Letter> {
    if write.standalone.is_some() || !needs_rewriting(write) {
        return None;
    }
    let chat = prompt::standalone(&connection.model, &history(write), &write.question);
    let chat = connection.adapted(chat);
    Some(Letter::chat("rewording of a follow-up", connection, &chat))
}

/// The query for the search. A rewording by the model or the user says what is meant.
fn searched<'a>(write: &'a WriteView, text: &'a str) -> &'a str {
    match &write.asked_as {
        Some(asked_as) if text == write.question => asked_as,
        _ => text,
    }
}

/// Whether the question can be understood only with the conversation before it.
fn needs_rewriting(write: &WriteView) -> bool {
    !write.history.is_empty() && prompt::needs_context(&write.question)
}

impl Writer {
    /// Returns the follow-up as a standalone question; `None` if it is standalone already. A
    /// service that fails at this can still answer: then the question is asked as it is.
    pub(super) async fn standalone(
        &self,
        connection: &Connection,
        write: &WriteView,
        progress: &Progress,
        patience: &Patience,
        cancel: &Cancel,
    ) -> Result<Option<String>, WritingState> {
        let Some(letter) = rewording(connection, write) else {
            return Ok(write.standalone.clone());
        };
        progress.change(|draft| {
            draft.view.state = WritingState::Rewriting;
            draft.view.count(letter.tally());
        });
        match self
            .connector
            .one_answer(connection, &letter, cancel, Some(patience))
            .await
        {
            Ok(whole) => {
                progress.wrote(whole.tokens);
                Ok(prompt::read_standalone(&whole.text))
            }
            Err(Failure::Stopped) => Err(WritingState::Stopped),
            Err(failure) => {
                // The service may have written something before it failed.
                progress.wrote(None);
                let summary = format!("The follow-up was asked unchanged: {}", failure.what());
                progress.step(StepView {
                    summary,
                    places: Vec::new(),
                });
                Ok(None)
            }
        }
    }

    /// Searches for the question and returns the lines that say most, as many as fit into the
    /// model's context window.
    async fn find(
        &self,
        open: &Rc<OpenRepo>,
        connection: &Connection,
        text: &str,
        write: &WriteView,
        cancel: &Cancel,
    ) -> Result<Vec<Block>, Notice> {
        let compressor = Compressor::from_name(&write.compression).unwrap_or_default();
        let budget = prompt::evidence_budget(connection.window, text);
        let limits = Limits::new(budget as u32, &write.policy);
        let text = searched(write, text);
        let chosen = self
            .chooser
            .chosen(open, text, compressor, limits, cancel)
            .await?;
        Ok(chosen.evidence(&open.index))
    }

    /// Combines question, evidence and conversation into a chat for the model.
    pub(super) async fn prepare_chat(
        &self,
        open: &Rc<OpenRepo>,
        connection: &Connection,
        text: &str,
        write: &WriteView,
        cancel: &Cancel,
    ) -> Result<Prepared, Notice> {
        let index = &open.index;
        let found = match &write.offered {
            // There may be more vectors than when the user looked: exactly what was shown is sent.
            Some(offered) => offered
                .iter()
                .filter_map(|offered| offered_block(index, offered))
                .collect(),
            None => self.find(open, connection, text, write, cancel).await?,
        };
        let is_wanted = |block: &Block| {
            let place = place(index, block.file, block.lines);
            !write.without.contains(&place)
        };
        let wanted: Vec<Block> = found
            .iter()
            .filter(|block| is_wanted(block))
            .cloned()
            .collect();
        let pipeline = write.pipeline.as_deref().and_then(preset);
        let pipeline = pipeline.map_or_else(Pipeline::default, |preset| (preset.make)());
        let (window, model) = (connection.window, &connection.model);
        let (prompt, tools) = match pipeline.keep {
            Keep::Nothing => (prompt::alone(text, &index.repo.name, window), Vec::new()),
            _ => (
                prompt::build(text, &wanted, &history(write), window),
                tools::tools(),
            ),
        };
        let mut chat = prompt.chat(model, tools);
        chat.sampling = pipeline.sampling;
        chat.max_tokens = prompt::answer_tokens(connection.window);
        // What does not fit into a small context window is not sent, so it is not evidence either.
        let mut left = wanted.len() - prompt.sent.dropped_blocks;
        let blocks = found.into_iter().filter_map(|block| {
            let is_kept = is_wanted(&block);
            if is_kept {
                left = left.checked_sub(1)?;
            }
            Some((block, is_kept))
        });
        Ok(Prepared {
            chat: connection.adapted(chat),
            blocks: blocks.collect(),
        })
    }
}

/// Returns the block of evidence that the user was shown.
fn offered_block(index: &Index, offered: &OfferedView) -> Option<Block> {
    let (file, lines) = views::lines_at(index, &offered.place)?;
    let runs = offered.left_out.iter();
    let left_out = runs.map(|&(start, end)| LineRange::new(Line(start), Line(end)));
    Block::without(index, file, lines, left_out.collect())
}

fn history(write: &WriteView) -> Vec<Turn> {
    let exchanges = write.history.iter().map(|exchange| Turn {
        question: exchange.question.clone(),
        answer: exchange.answer.clone(),
    });
    exchanges.collect()
}
