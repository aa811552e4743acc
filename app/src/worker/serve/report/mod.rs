//! The report card of the models that answered: [`count`] computes it from saved answers, the
//! [`formats`] write it.

mod count;
mod csv;
pub(super) mod formats;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::rc::Rc;

use self::count::{Answers, report};
use super::conversations::records::Book;
use super::export;
use super::notices;
use super::records::prefix;
use super::repo::OpenRepo;
use super::services::Services;
use super::shelf::Shelf;
use crate::platform::idb::StorageError;
use crate::worker::protocol::{Event, JobId, ReportRequest, ReportScope, ReportView};

/// Names of repositories by their keys.
type Names = BTreeMap<String, String>;

/// Reports on the models that answered.
pub struct Reporter {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
}

impl Reporter {
    pub fn new(services: &Rc<Services>, shelf: &Rc<Shelf>) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
        })
    }

    pub async fn serve(&self, job: JobId, request: ReportRequest) {
        match request {
            ReportRequest::Make(scope) => match self.report(scope).await {
                Ok(view) => self.services.end(job, view),
                Err(error) => self.services.fail(job, notices::storage(&error)),
            },
            ReportRequest::Export { scope, format } => self.export(job, scope, &format).await,
        }
    }

    async fn export(&self, job: JobId, scope: ReportScope, format: &str) {
        let view = match self.report(scope).await {
            Ok(view) => view,
            Err(error) => return self.services.fail(job, notices::storage(&error)),
        };
        let open = self.shelf.current();
        let about = match (scope, &open) {
            (ReportScope::This, Some(open)) => open.index.repo.name.as_str(),
            _ => "",
        };
        let stem = export::stem("models", about);
        match export::file(&formats::ALL, format, &stem, |write| write(&view)) {
            Ok(file) => self.services.end(job, Event::Exported(file)),
            Err(error) => self.services.fail(job, notices::not_exported(&error)),
        }
    }

    async fn report(&self, scope: ReportScope) -> Result<ReportView, StorageError> {
        let open = self.shelf.current();
        let this = open.as_ref().map(|open| open.index.repo.name.as_str());
        let mut all = Vec::new();
        for (repo, name) in self.names(open.as_deref()).await? {
            if scope == ReportScope::All || this == Some(name.as_str()) {
                let records = self.records(&repo, open.as_deref()).await?;
                let book = Book::read(&repo, records);
                all.push(Answers {
                    repository: name,
                    book,
                });
            }
        }
        Ok(report(scope, &all))
    }

    /// Returns the names of repositories by their keys. If nothing can be saved, only the open one
    /// is known.
    async fn names(&self, open: Option<&OpenRepo>) -> Result<Names, StorageError> {
        let mut names = or_nothing(self.services.storage.names().await)?;
        names.extend(open.map(|open| (open.key.clone(), open.index.repo.name.clone())));
        Ok(names)
    }

    /// Returns the records of all conversations about a repository, including the unsaved ones.
    async fn records(
        &self,
        repo: &str,
        open: Option<&OpenRepo>,
    ) -> Result<Vec<(String, String)>, StorageError> {
        let prefix = prefix(repo);
        let saved = self.services.storage.conversation_records(&prefix).await;
        let saved = or_nothing(saved)?;
        Ok(match open.filter(|open| open.key == repo) {
            Some(open) => open.unsaved.over(&prefix, saved),
            None => saved,
        })
    }
}

/// If nothing can be saved, nothing is stored either.
fn or_nothing<T: Default>(read: Result<T, StorageError>) -> Result<T, StorageError> {
    match read {
        Err(StorageError::Unavailable(_)) => Ok(T::default()),
        read => read,
    }
}
