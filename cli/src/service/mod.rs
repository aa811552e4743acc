//! A language model service that the program itself asks: what all commands that do so share.
//!
//! [`Args`] say where and how, [`Args::open`] makes an [`Asker`], [`Asker::confirm`] tells the user
//! what will be sent and asks for permission, [`Asker::ask`] sends one chat and stores its reply.
//! Core decides what is sent and how replies are read; this module only transports them.

mod advice;
mod asker;
mod consent;
mod http;
mod kept;
mod limits;
mod progress;
mod wait;

use std::path::Path;
use std::time::Duration;

use footnote_core::model::protocol::{Kind, Secret, Service};

pub use asker::{Asker, Came, NoReply};
pub use consent::Outlook;

use crate::Result;
use http::Line;
use kept::Kept;
use limits::Limits;

/// Where a model is, and how much it may be asked.
#[derive(clap::Args)]
#[group(id = "connection")]
#[command(next_help_heading = "Language model service")]
pub struct Args {
    /// Asks the language model service at this address. Questions, answers and code are sent there;
    /// the command first prints what it sends and how much
    #[arg(long, value_name = "URL", requires = "model")]
    service: Option<String>,
    /// The model, by its name at the service
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// The protocol of the service, if its address does not show it: openai, anthropic, gemini or
    /// ollama
    #[arg(long, value_name = "KIND", requires = "service", value_parser = kind)]
    service_kind: Option<Kind>,
    /// The environment variable that holds the key; there is no option for the key itself, since
    /// other programs could read it
    #[arg(long, value_name = "VARIABLE", default_value = KEY_VARIABLE)]
    key_env: String,
    /// Maximum seconds for one request, including its whole answer
    #[arg(long, value_name = "SECONDS", default_value_t = 180,
          value_parser = clap::value_parser!(u64).range(1..))]
    time_limit: u64,
    /// Maximum tokens in one answer, including the model's reasoning
    #[arg(long, value_name = "N", requires = "service",
          value_parser = clap::value_parser!(u32).range(1..))]
    answer_tokens: Option<u32>,
    /// Maximum requests, including those that are sent again
    #[arg(long, value_name = "N", requires = "service")]
    pub max_requests: Option<u32>,
    /// Maximum tokens in all requests and answers; a request that could exceed it is not sent
    #[arg(long, value_name = "N", requires = "service")]
    pub max_tokens: Option<u64>,
    /// Sends without asking first
    #[arg(long, requires = "service")]
    yes: bool,
}

/// Where the key is looked for if no other variable is named.
const KEY_VARIABLE: &str = "FOOTNOTE_KEY";

fn kind(name: &str) -> std::result::Result<Kind, String> {
    let known = || Kind::ALL.map(Kind::name).join(", ");
    Kind::from_name(name).ok_or_else(|| format!("choose one of {}", known()))
}

impl Args {
    /// Whether a service is to be asked.
    pub fn is_given(&self) -> bool {
        self.service.is_some()
    }

    /// Checks address and key, and opens the file that stores replies. Nothing is sent yet.
    pub fn open(&self, replies: Option<&Path>) -> Result<Asker> {
        let typed = self.service.as_deref().unwrap_or_default();
        let service = match self.service_kind {
            Some(kind) => Service::new(kind, typed),
            None => Service::guess(typed),
        };
        let service = service.map_err(|error| format!("--service {typed}: {error}"))?;
        let key = self.key()?;
        if key.is_none() && service.kind.needs_key() {
            let (title, variable) = (service.kind.title(), &self.key_env);
            return Err(format!("{title} needs a key: put it into the variable {variable}").into());
        }
        let kept = replies.map(Kept::open).transpose()?;
        let limit = Duration::from_secs(self.time_limit);
        Ok(Asker::new(
            Line::new(service, key, limit),
            Limits::new(self.max_requests, self.max_tokens),
            kept,
            self.answer_tokens,
        ))
    }

    /// Whether the user wants to be asked before anything is sent.
    pub fn wants_to_be_asked(&self) -> bool {
        !self.yes
    }

    fn key(&self) -> Result<Option<Secret>> {
        let variable = &self.key_env;
        let Some(value) = std::env::var_os(variable) else {
            return match variable == KEY_VARIABLE {
                true => Ok(None),
                false => Err(format!(
                    "the variable {variable} is not set; it must contain the key"
                )
                .into()),
            };
        };
        let value = value.to_str().unwrap_or_default();
        let key =
            Secret::new(value).map_err(|error| format!("the variable {variable}: {error}"))?;
        Ok(Some(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_by_its_name_only() {
        assert_eq!(kind("ollama"), Ok(Kind::OLLAMA));
        let known = "choose one of openai, anthropic, gemini, ollama".to_owned();
        assert_eq!(kind("Ollama"), Err(known));
    }
}
