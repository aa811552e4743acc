//! Tasks for the connected model: their cost, shown before anything is sent, and the run, which
//! only asks the model that the user granted.

use std::rc::Rc;

use footnote_core::lab::questions::{Budget, Estimate};
use footnote_core::model::prompt::chat_tokens;
use footnote_core::model::protocol::Chat;

use super::Laboratory;
use crate::worker::protocol::{
    JobId, LabBudgetView, LabEstimateView, LabEvent, LabGrantView, LabTask, Notice,
};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::connect::Connection;
use crate::worker::serve::notices;
use crate::worker::serve::repo::OpenRepo;

/// The cost of a task, and the text of its first request.
pub struct Outlook {
    pub estimate: Estimate,
    pub first: Option<Chat>,
}

impl Outlook {
    /// Computes the outlook of known requests, each with an answer of about `answer_tokens`.
    pub fn of(chats: &[Chat], answer_tokens: u64) -> Self {
        let n = chats.len();
        Self {
            estimate: Estimate {
                requests: n as u32,
                prompt_tokens: chats.iter().map(|chat| chat_tokens(chat) as u64).sum(),
                answer_tokens: n as u64 * answer_tokens,
            },
            first: chats.first().cloned(),
        }
    }
}

impl Laboratory {
    /// Estimates the cost of a task. Nothing is sent.
    pub(super) async fn estimate(
        &self,
        job: JobId,
        task: LabTask,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        let Some((open, connection)) = self.connected(job, cancel).await? else {
            return Ok(());
        };
        let outlook = match &task {
            LabTask::Write(order) => Self::outlook_of_writing(&open, &connection, order),
            LabTask::Answer(wanted) => {
                let outlook = self.outlook_of_answers(&open, &connection, wanted, cancel);
                outlook.await?
            }
            LabTask::Judge => self.outlook_of_judging(&connection)?,
            LabTask::Describe(order) => {
                self.outlook_of_describing(&open, &connection, order)
                    .await?
            }
        };
        if self.is_wanted(&open, job) {
            let view = estimate_view(&outlook, &connection);
            self.services.end(job, LabEvent::Estimated(view));
        }
        Ok(())
    }

    pub(super) async fn run_task(
        &self,
        job: JobId,
        task: LabTask,
        grant: LabGrantView,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        self.begin(job);
        let Some((open, connection)) = self.connected(job, cancel).await? else {
            return Ok(());
        };
        if (&connection.model, &connection.service.base) != (&grant.model, &grant.address) {
            return Err(notices::other_model(&connection.model));
        }
        let with = (&open, &connection);
        match task {
            LabTask::Write(order) => self.write(job, with, order, grant, cancel).await,
            LabTask::Answer(wanted) => {
                self.have_answered(job, with, wanted, grant.most, cancel)
                    .await
            }
            LabTask::Judge => self.judge(job, with, grant.most, cancel).await,
            LabTask::Describe(order) => self.describe(job, with, order, grant, cancel).await,
        }
    }

    /// Returns the open repository and the connected model.
    async fn connected(
        &self,
        job: JobId,
        cancel: &Cancel,
    ) -> Result<Option<(Rc<OpenRepo>, Rc<Connection>)>, Notice> {
        let connection = self.connector.connection();
        let connection = connection.ok_or_else(notices::no_connection)?;
        let open = self.shelf.when_open(job, cancel).await;
        Ok(open.map(|open| (open, connection)))
    }
}

fn estimate_view(outlook: &Outlook, connection: &Connection) -> LabEstimateView {
    let Estimate {
        requests,
        prompt_tokens,
        answer_tokens,
    } = outlook.estimate;
    let Budget {
        requests: most_requests,
        tokens: most_tokens,
    } = outlook.estimate.with_room();
    LabEstimateView {
        requests,
        sent_tokens: small(prompt_tokens),
        written_tokens: small(answer_tokens),
        first: outlook.first.as_ref().map_or_else(String::new, Chat::said),
        grant: LabGrantView {
            model: connection.model.clone(),
            address: connection.service.base.clone(),
            most: LabBudgetView {
                requests: most_requests,
                tokens: small(most_tokens),
            },
        },
    }
}

fn small(tokens: u64) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}
