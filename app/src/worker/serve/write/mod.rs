//! Answers by the connected language model: [`prepare`] finds what the model is shown, [`rounds`]
//! asks it, [`progress`] sends the page what it has written, and a draft checks this as it arrives.

mod prepare;
mod progress;
mod rounds;

use std::rc::Rc;

use footnote_core::cite::Evidence;
use footnote_core::model::prompt::Block;

use prepare::Prepared;
use progress::Progress;
use rounds::Rounds;

use super::cancel::Cancel;
use super::connect::{Connection, Connector};
use super::context::Chooser;
use super::conversations::Conversations;
use super::draft::{Draft, place};
use super::egress;
use super::encoders::Encoders;
use super::notices;
use super::repo::OpenRepo;
use super::services::Services;
use super::shelf::Shelf;
use crate::worker::protocol::{
    AnswerView, JobId, OutgoingPartView, OutgoingView, Permission, WriteEvent, WriteView,
    WritingState, WrittenView,
};

/// Has answers written by the connected language model.
pub struct Writer {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    encoders: Rc<Encoders>,
    connector: Rc<Connector>,
    chooser: Rc<Chooser>,
    conversations: Rc<Conversations>,
}

impl Writer {
    pub fn new(
        services: &Rc<Services>,
        shelf: &Rc<Shelf>,
        encoders: &Rc<Encoders>,
        connector: &Rc<Connector>,
        chooser: &Rc<Chooser>,
        conversations: &Rc<Conversations>,
    ) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            encoders: Rc::clone(encoders),
            connector: Rc::clone(connector),
            chooser: Rc::clone(chooser),
            conversations: Rc::clone(conversations),
        })
    }

    /// Has the connected model write an answer, or reports what it would be sent.
    pub async fn write(&self, job: JobId, write: WriteView, cancel: &Cancel) {
        let Some(connection) = self.connector.connection() else {
            return self.services.fail(job, notices::no_connection());
        };
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return;
        };
        // For a follow-up there are two requests; both are shown.
        let first = prepare::rewording(&connection, &write);
        let is_covered = first.is_none_or(|letter| write.permission.covers(letter.tally().bytes));
        if write.permission == Permission::Preview || !is_covered {
            return self.preview(job, &open, &connection, &write, cancel).await;
        }
        match self.written(job, &open, &connection, &write, cancel).await {
            Ok(written) => self.keep_written(job, &open, &write, written).await,
            Err(view) => self.services.end(job, WriteEvent::Outgoing(*view)),
        }
    }

    /// Reports what would be sent, without sending anything.
    async fn preview(
        &self,
        job: JobId,
        open: &Rc<OpenRepo>,
        connection: &Connection,
        write: &WriteView,
        cancel: &Cancel,
    ) {
        let question = write.standalone.as_ref().unwrap_or(&write.question);
        match self
            .prepare_chat(open, connection, question, write, cancel)
            .await
        {
            Ok(prepared) => {
                let view = outgoing(open, connection, write, &prepared);
                self.services.end(job, WriteEvent::Outgoing(view));
            }
            Err(notice) => self.services.fail(job, notice),
        }
    }

    /// Rewrites a follow-up, finds evidence, asks, and checks. If more would be sent than is
    /// permitted, reports that instead.
    async fn written(
        &self,
        job: JobId,
        open: &Rc<OpenRepo>,
        connection: &Rc<Connection>,
        write: &WriteView,
        cancel: &Cancel,
    ) -> Result<WrittenView, Box<OutgoingView>> {
        // Held from the start: what an encoder has begun takes another half second.
        let _hold = self.encoders.hold();
        let mut view = WrittenView {
            model: connection.model.clone(),
            origin: connection.service.origin(),
            ..WrittenView::default()
        };
        view.count(write.spent);
        let draft = Draft::new(view, Evidence::default());
        let progress = Progress::new(&self.services, open, job, draft);
        let patience = progress.patience(write.patience_s);
        let standalone = match self
            .standalone(connection, write, &progress, &patience, cancel)
            .await
        {
            Ok(standalone) => standalone,
            Err(state) => return Ok(progress.end(state)),
        };
        let question = standalone.as_ref().unwrap_or(&write.question).clone();
        let prepared = match self
            .prepare_chat(open, connection, &question, write, cancel)
            .await
        {
            Ok(prepared) => prepared,
            Err(notice) => return Ok(progress.end(WritingState::Failed(notice))),
        };
        let bytes = prepared.letter(connection).tally().bytes;
        if !write.permission.covers(bytes) {
            let write = WriteView {
                standalone,
                spent: progress.read(|draft| draft.view.tally()),
                ..write.clone()
            };
            return Err(Box::new(outgoing(open, connection, &write, &prepared)));
        }
        progress.change(|draft| {
            draft.view.state = WritingState::Sent;
            draft.view.standalone = standalone;
            for block in prepared.kept() {
                for lines in block.sent_lines() {
                    draft.evidence.add(block.file, lines);
                    let place = place(&open.index, block.file, lines);
                    draft.view.sent.push(place);
                }
            }
        });
        let rounds = Rounds {
            connector: &self.connector,
            open,
            connection,
            progress: &progress,
            cancel,
            patience: &patience,
        };
        let state = rounds.run(prepared.chat).await;
        Ok(progress.end(state))
    }

    /// Saves what was written with the answer that it belongs to.
    async fn keep_written(
        &self,
        job: JobId,
        open: &OpenRepo,
        write: &WriteView,
        written: WrittenView,
    ) {
        let conversation = self
            .conversations
            .of(&open.key, &open.index, &open.unsaved, write.conversation)
            .await;
        let mut answers = conversation.turns.into_iter().map(|turn| turn.answer);
        // There is none if the conversation was deleted in the meantime.
        if let Some(answer) = answers.find(|answer| answer.asked_at == write.asked_at) {
            let answer = AnswerView {
                written: Some(written),
                ..answer
            };
            self.conversations
                .keep_answer(job, open, write.conversation, write.asked_at, &answer)
                .await;
        }
    }
}

fn lines_sent(block: &Block) -> u32 {
    block.sent_lines().iter().map(|run| run.count()).sum()
}

/// What would be sent, for the user to review.
fn outgoing(
    open: &OpenRepo,
    connection: &Connection,
    write: &WriteView,
    prepared: &Prepared,
) -> OutgoingView {
    let letter = prepared.letter(connection);
    let request = letter.request.redacted();
    let parts = prepared
        .blocks
        .iter()
        .map(|(block, is_kept)| OutgoingPartView {
            place: place(&open.index, block.file, block.lines),
            left_out: block
                .left_out
                .iter()
                .map(|run| (run.start().0, run.end().0))
                .collect(),
            tokens: block.tokens as u32,
            is_kept: *is_kept,
        });
    let mut files: Vec<_> = prepared.kept().map(|block| block.file).collect();
    files.sort_unstable();
    files.dedup();
    OutgoingView {
        origin: connection.service.origin(),
        model: connection.model.clone(),
        parts: parts.collect(),
        files: files.len() as u32,
        lines: prepared.kept().map(lines_sent).sum(),
        tokens: letter.tokens,
        window: connection.window,
        bytes: request.body_bytes() as u32,
        headers: egress::headers(&request),
        rewrites_first: prepare::rewording(connection, write).is_some(),
        standalone: write.standalone.clone(),
        spent: write.spent,
        url: request.url,
        body: request.body.unwrap_or_default(),
    }
}
