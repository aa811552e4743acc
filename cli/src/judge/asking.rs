//! Sends the requests of a plan to a service, in order, and stores each output as it arrives.

use std::path::Path;

use footnote_core::lab::judge::{Pair, Request};
use footnote_core::model::prompt::chat_tokens;
use footnote_core::model::protocol::{Chat, ChatOption, Message};

use crate::Result;
use crate::service::{self, Outlook};

/// Asks the requests and adds the outputs to the file `kept`. Returns an error if the run could not
/// go on; the outputs up to then are kept.
pub fn ask(
    args: &service::Args,
    temperature: Option<f64>,
    kept: &Path,
    pairs: &[Pair],
    open: &[Request],
) -> Result<()> {
    let mut asker = args.open(Some(kept))?;
    if temperature.is_some() {
        // Without it, these would be the verdicts of another judge.
        asker.fix(ChatOption::Temperature);
    }
    let model = args.model.as_deref().unwrap_or_default();
    let chat = |request: &Request| {
        let pair = pairs.get(request.index)?;
        let mut chat = chat(model, temperature, pair, request);
        chat.max_tokens = asker.answer_tokens();
        Some((request.id.clone(), chat))
    };
    let chats: Vec<(String, Chat)> = open.iter().filter_map(chat).collect();
    if chats.is_empty() {
        return Ok(());
    }
    asker.confirm(
        args,
        Outlook {
            requests: chats.len(),
            prompt_tokens: chats.iter().map(|(_, chat)| chat_tokens(chat) as u64).sum(),
            answer_tokens: chats.len() as u64 * u64::from(asker.answer_tokens()),
            most: None,
        },
    )?;
    // The next call asks again for what got no answer, so nothing is done about that here.
    let mut chats = chats.into_iter();
    asker.ask_all(|_| chats.next())
}

fn chat(model: &str, temperature: Option<f64>, pair: &Pair, request: &Request) -> Chat {
    let prompt = pair.prompt(request.first);
    let mut chat = Chat::new(model, prompt.system);
    chat.messages.push(Message::User(prompt.user));
    // A judge is described by its temperature alone.
    chat.omitted.push(ChatOption::TopP);
    match temperature {
        Some(temperature) => chat.sampling.temperature = temperature as f32,
        None => chat.omitted.push(ChatOption::Temperature),
    }
    chat
}
