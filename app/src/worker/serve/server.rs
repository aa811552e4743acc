//! The page's own site, where it is a server of many repositories (`footnote serve`): the list of
//! its index files, the files, and a search over all of them. Every request is in the ledger.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use footnote_core::index::format::Bytes as _;
use footnote_core::model::protocol::{Header, HttpRequest, Secret};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::egress::Egress;
use crate::platform::fetch::{self, FetchError};
use crate::platform::outside::Outside;
use crate::platform::workers::base_url;

/// The folder of the index files, below the page's.
pub const FOLDER: &str = "indexes";
/// Repositories that a search names at most.
const RESULTS: usize = 40;
/// Longest answer to a search or list, in bytes.
const MAX_ANSWER: u64 = 16 << 20;

/// The server, and the token that it is shown.
pub struct Server {
    egress: Rc<Egress>,
    token: RefCell<Option<Secret>>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Found {
    /// The number of repositories that were searched.
    pub searched: u32,
    /// Best first.
    pub repositories: Vec<Ranked>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Ranked {
    pub repository: String,
    /// The name of its index file.
    pub index: String,
}

/// Why the server gave no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ServerError {
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error("the server's answer cannot be read: {0}")]
    Unreadable(String),
    #[error("stopped")]
    Stopped,
}

impl Server {
    pub fn new(egress: &Rc<Egress>) -> Self {
        Self {
            egress: Rc::clone(egress),
            token: RefCell::default(),
        }
    }

    /// Shows the server this token from now on, or none; returns the one before.
    pub fn show_token(&self, token: Option<Secret>) -> Option<Secret> {
        self.token.replace(token)
    }

    pub fn has_token(&self) -> bool {
        self.token.borrow().is_some()
    }

    /// The list of the index files.
    pub async fn list(&self, name: &str) -> Result<Vec<u8>, ServerError> {
        let path = format!("{FOLDER}/{name}");
        self.answer("list of repositories", &path).await
    }

    /// The repositories that may answer a question.
    pub async fn search(&self, question: &str) -> Result<Found, ServerError> {
        let question = String::from(js_sys::encode_uri_component(question));
        let path = format!("api/search?q={question}&limit={RESULTS}");
        let answer = self.answer("question over all repositories", &path).await?;
        read(&answer)
    }

    /// An index file, whose name must have passed [`super::hosted::is_file`]; `None` if `goes_on`
    /// returned false.
    pub async fn file(
        &self,
        name: &str,
        goes_on: impl FnMut(u64, u64) -> bool,
    ) -> Result<Option<Outside>, FetchError> {
        let path = format!("{FOLDER}/{name}");
        self.get("index file", &path, goes_on).await
    }

    async fn answer(&self, purpose: &str, path: &str) -> Result<Vec<u8>, ServerError> {
        let answer = self
            .get(purpose, path, |done, _| done <= MAX_ANSWER)
            .await?;
        let answer = answer.ok_or_else(|| {
            let megabytes = MAX_ANSWER >> 20;
            ServerError::Unreadable(format!("it is larger than {megabytes} MB"))
        })?;
        let mut bytes = vec![0; answer.length()];
        answer.read(0, &mut bytes);
        Ok(bytes)
    }

    /// Sends a request below the page's own address, and enters it in the ledger.
    async fn get(
        &self,
        purpose: &str,
        path: &str,
        mut goes_on: impl FnMut(u64, u64) -> bool,
    ) -> Result<Option<Outside>, FetchError> {
        let token = self.token.borrow().clone();
        let token = token
            .as_ref()
            .map(|token| format!("Bearer {}", token.expose()));
        let shown = HttpRequest {
            method: "GET",
            url: format!("{}{path}", base_url().unwrap_or_default()),
            headers: token.iter().map(|value| authorization(value)).collect(),
            body: None,
        };
        let entry = self.egress.begin(purpose, &shown, 0);
        let received = Cell::new(0);
        let heard = |done, total| {
            received.set(done as usize);
            goes_on(done, total)
        };
        let answer = fetch::outside_file(path, token.as_deref(), heard).await;
        let outcome = match &answer {
            Ok(Some(_)) => "200".to_owned(),
            Ok(None) => "stopped".to_owned(),
            Err(FetchError::Status { status, .. }) => format!("{status}, failed"),
            Err(FetchError::Unreachable { .. }) => "not reached".to_owned(),
        };
        self.egress.end(entry, &outcome, received.get());
        answer
    }
}

fn authorization(value: &str) -> Header {
    Header {
        name: "authorization",
        value: value.to_owned(),
        secret: true,
    }
}

fn read<T: DeserializeOwned>(answer: &[u8]) -> Result<T, ServerError> {
    serde_json::from_slice(answer).map_err(|error| ServerError::Unreadable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_read_with_what_later_servers_add() {
        let answer = br#"{"searched":20,"repositories":[{"repository":"a-1","index":"a.footnote",
            "score":0.5}],"hits":[{"repository":"a-1"}],"later":true}"#;
        let found: Found = read(answer).unwrap();
        assert_eq!((found.searched, found.repositories.len()), (20, 1));
        assert_eq!(found.repositories[0].index, "a.footnote");
        for damaged in [&b""[..], b"{}", b"<html>", b"{\"searched\":-1}"] {
            assert!(read::<Found>(damaged).is_err());
        }
    }
}
