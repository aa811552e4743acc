//! A conversation with a model, in no service's words.

use serde_json::Value;

use super::failure::Failure;

/// What a model is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Chat {
    /// The id by which the service knows it.
    pub model: String,
    /// Instructions; no text of a repository may stand here.
    pub system: String,
    /// Oldest first; the last one is the question or the result of a tool.
    pub messages: Vec<Message>,
    /// What the model may call; none if empty.
    pub tools: Vec<Tool>,
    /// Tokens of the answer.
    pub max_tokens: u32,
    /// How words are chosen.
    pub sampling: Sampling,
    /// Tokens of context to ask for, where the service lets one ask: Ollama cuts what does not fit
    /// into its default, silently, from the front.
    pub window: Option<u32>,
    /// What the service said it does not support; see [`Chat::without`].
    pub omitted: Vec<ChatOption>,
}

/// How a model chooses its words.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// 0 for the likeliest words, more for others.
    pub temperature: f32,
    /// Share of the likeliest words that are chosen from, 0–1.
    pub top_p: f32,
    /// So many of the likeliest words are chosen from; any without. Sent where the service knows
    /// it.
    pub top_k: Option<u32>,
    /// What divides the likelihood of words that were used before; none without. Sent where the
    /// service knows it.
    pub repetition_penalty: Option<f32>,
    /// Texts at which the answer ends. Sent where the service knows them.
    pub stop: Vec<String>,
}

/// As Grounded (section 4.4), but for what only some services know.
impl Default for Sampling {
    fn default() -> Self {
        Self {
            temperature: 0.2,
            top_p: 0.9,
            top_k: None,
            repetition_penalty: None,
            stop: Vec::new(),
        }
    }
}

/// Something that a service or a model may refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChatOption {
    /// The older name of the limit; without it the newer one is sent.
    MaxTokens,
    /// The newer name of the limit: `max_completion_tokens`.
    MaxCompletionTokens,
    /// [`Sampling::temperature`].
    Temperature,
    /// [`Sampling::top_p`].
    TopP,
    /// [`Sampling::top_k`].
    TopK,
    /// [`Sampling::repetition_penalty`].
    RepetitionPenalty,
    /// [`Sampling::stop`].
    Stop,
    /// `stream_options.include_usage`.
    StreamOptions,
    /// [`Chat::tools`].
    Tools,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// What the user asks, with the evidence.
    User(String),
    /// What the model answered.
    Assistant {
        /// Empty if it only called tools.
        text: String,
        /// The tools that it asked for, in order.
        calls: Vec<ToolCall>,
    },
    /// What a call came to; follows the assistant's message that holds the call.
    ToolResult {
        /// Of the call.
        id: String,
        /// Of the tool.
        name: String,
        /// What the tool returned.
        text: String,
    },
}

/// A function that the model may ask the page to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// As the model calls it.
    pub name: &'static str,
    /// What it does and when to use it, for the model.
    pub description: &'static str,
    /// A JSON schema of an object. Only what all services know: `type`, `properties`, `required`,
    /// `description`.
    pub parameters: Value,
}

/// The model asks for a tool to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The service's, or made here where it gives none; its result names it.
    pub id: String,
    /// Of the tool, as the model wrote it.
    pub name: String,
    /// JSON text as the model wrote it: it may be malformed.
    pub arguments: String,
    /// What the service wants back with the call, unread: Gemini's `thoughtSignature`.
    pub signature: Option<String>,
}

impl Chat {
    /// A chat with the parameters of Grounded (section 4.4: temperature 0.2, top-p 0.9, at most
    /// 1,024 tokens) and nothing asked yet.
    pub fn new(model: impl Into<String>, system: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            system: system.into(),
            messages: Vec::new(),
            tools: Vec::new(),
            max_tokens: 1024,
            sampling: Sampling::default(),
            window: None,
            omitted: Vec::new(),
        }
    }

    /// The same chat without `option`; `None` if it is left out already, so that whoever retries on
    /// each refusal comes to an end.
    #[must_use]
    pub fn without(&self, option: ChatOption) -> Option<Chat> {
        if self.omits(option) {
            return None;
        }
        let mut chat = self.clone();
        chat.omitted.push(option);
        Some(chat)
    }

    /// What to ask instead, if `failure` says that the service does not support something that the
    /// chat can do without.
    pub fn instead(&self, failure: &Failure) -> Option<Chat> {
        self.without(failure.unsupported()?)
    }

    pub(super) fn omits(&self, option: ChatOption) -> bool {
        self.omitted.contains(&option)
    }

    pub(super) fn temperature(&self) -> Option<f64> {
        (!self.omits(ChatOption::Temperature)).then(|| decimal(self.sampling.temperature))
    }

    pub(super) fn top_p(&self) -> Option<f64> {
        (!self.omits(ChatOption::TopP)).then(|| decimal(self.sampling.top_p))
    }

    pub(super) fn top_k(&self) -> Option<u32> {
        let wanted = !self.omits(ChatOption::TopK);
        self.sampling.top_k.filter(|_| wanted)
    }

    pub(super) fn repetition_penalty(&self) -> Option<f64> {
        let wanted = !self.omits(ChatOption::RepetitionPenalty);
        self.sampling
            .repetition_penalty
            .filter(|_| wanted)
            .map(decimal)
    }

    /// Texts at which the answer ends; empty if there are none or the service knows none.
    pub(super) fn stop(&self) -> &[String] {
        match self.omits(ChatOption::Stop) {
            true => &[],
            false => &self.sampling.stop,
        }
    }

    /// The tools to offer; empty if the service knows none.
    pub fn tools(&self) -> &[Tool] {
        if self.omits(ChatOption::Tools) {
            &[]
        } else {
            &self.tools
        }
    }
}

/// `0.2f32` as the number 0.2, which is what people expect to read in the ledger.
fn decimal(value: f32) -> f64 {
    (f64::from(value) * 1000.0).round() / 1000.0
}

impl ToolCall {
    /// A call without a signature.
    pub fn new(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
            signature: None,
        }
    }

    /// The arguments as an object, as some services want them back; empty if they are none.
    pub(super) fn arguments_object(&self) -> Value {
        match serde_json::from_str(&self.arguments) {
            Ok(Value::Object(object)) => Value::Object(object),
            _ => Value::Object(serde_json::Map::new()),
        }
    }
}
