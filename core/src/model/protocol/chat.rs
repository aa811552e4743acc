//! A conversation with a model, independent of any service.

use serde_json::Value;

use super::failure::Failure;

/// The content of a request to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Chat {
    /// The service's id of the model.
    pub model: String,
    /// The instructions; they must not contain text of a repository.
    pub system: String,
    /// Oldest first; the last one is the question or the result of a tool.
    pub messages: Vec<Message>,
    /// The tools that the model may call; empty for none.
    pub tools: Vec<Tool>,
    /// If not empty, the answer is a JSON list of some of these texts. Services that can constrain
    /// an answer allow nothing else; the instructions must say so too, for those that cannot.
    pub choices: Vec<String>,
    /// Most tokens of the answer.
    pub max_tokens: u32,
    /// How words are chosen.
    pub sampling: Sampling,
    /// Tokens of context to ask for, if the service allows it: Ollama silently cuts the beginning
    /// of what does not fit into its default.
    pub window: Option<u32>,
    /// Options that the service said it does not support; see [`Chat::without`].
    pub omitted: Vec<ChatOption>,
}

/// How a model chooses its words.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// 0 for the most likely words; higher values allow others.
    pub temperature: f32,
    /// Only the most likely words with this total probability are considered, 0–1.
    pub top_p: f32,
    /// Only this many of the most likely words are considered; no limit if `None`. Sent to services
    /// that support it.
    pub top_k: Option<u32>,
    /// Divides the likelihood of words that were used before; no penalty if `None`. Sent to
    /// services that support it.
    pub repetition_penalty: Option<f32>,
    /// Texts at which the answer ends. Sent to services that support them.
    pub stop: Vec<String>,
}

/// As in Grounded (section 4.4), without what only some services support.
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

/// An option that a service or model may refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChatOption {
    /// The older name of the limit; without it, the newer one is sent.
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
    /// [`Chat::choices`].
    Choices,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The user's question, with the evidence.
    User(String),
    /// The model's answer.
    Assistant {
        /// Empty if it only called tools.
        text: String,
        /// The tools that it called, in order.
        calls: Vec<ToolCall>,
    },
    /// The result of a call; it follows the assistant's message with the call.
    ToolResult {
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
        /// What the tool returned.
        text: String,
    },
}

/// A function that the model may ask the page to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// The name that the model uses.
    pub name: &'static str,
    /// What it does and when to use it, for the model.
    pub description: &'static str,
    /// A JSON schema of an object, limited to what all services support: `type`, `properties`,
    /// `required`, `description`.
    pub parameters: Value,
}

/// A tool call by the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The service's id, or one made here if it gives none; the result refers to it.
    pub id: String,
    /// The tool's name, as the model wrote it.
    pub name: String,
    /// JSON text, as the model wrote it: it may be malformed.
    pub arguments: String,
    /// Data that the service wants back with the call, not interpreted: Gemini's
    /// `thoughtSignature`.
    pub signature: Option<String>,
}

impl Chat {
    /// A chat with the parameters of Grounded (section 4.4: temperature 0.2, top-p 0.9, at most
    /// 1,024 tokens) and no messages.
    pub fn new(model: impl Into<String>, system: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            system: system.into(),
            messages: Vec::new(),
            tools: Vec::new(),
            choices: Vec::new(),
            max_tokens: 1024,
            sampling: Sampling::default(),
            window: None,
            omitted: Vec::new(),
        }
    }

    /// What a person is shown before it is sent: the instructions and the user's messages.
    pub fn said(&self) -> String {
        let users = self.messages.iter().filter_map(|message| match message {
            Message::User(text) => Some(text.as_str()),
            _ => None,
        });
        let all = std::iter::once(self.system.as_str()).chain(users);
        all.collect::<Vec<_>>().join("\n\n")
    }

    /// The same chat without `option`; `None` if it is left out already, so that a caller that
    /// retries after each refusal terminates.
    #[must_use]
    pub fn without(&self, option: ChatOption) -> Option<Chat> {
        if self.omits(option) {
            return None;
        }
        let mut chat = self.clone();
        chat.omitted.push(option);
        Some(chat)
    }

    /// The chat to send instead, if `failure` says that the service does not support something that
    /// the chat can do without. Services word it in many ways when they cannot limit an answer to
    /// these choices, so any refusal without a known reason is taken as that.
    pub fn instead(&self, failure: &Failure) -> Option<Chat> {
        let may_be_choices = !self.choices().is_empty();
        match failure {
            Failure::WrongRequest {
                unsupported: None, ..
            } if may_be_choices => self.without(ChatOption::Choices),
            failure => self.without(failure.unsupported()?),
        }
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

    /// Texts at which the answer ends; empty if there are none or the service does not support
    /// them.
    pub(super) fn stop(&self) -> &[String] {
        match self.omits(ChatOption::Stop) {
            true => &[],
            false => &self.sampling.stop,
        }
    }

    /// What the answer is constrained to; empty if it is free or the service cannot constrain it.
    pub(super) fn choices(&self) -> &[String] {
        match self.omits(ChatOption::Choices) {
            true => &[],
            false => &self.choices,
        }
    }

    /// The tools to offer; empty if the service does not support them.
    pub fn tools(&self) -> &[Tool] {
        if self.omits(ChatOption::Tools) {
            &[]
        } else {
            &self.tools
        }
    }
}

/// `0.2f32` as the number 0.2, as people expect to read it in the ledger.
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

    /// The arguments as an object, as some services want them back; empty if they are not one.
    pub(super) fn arguments_object(&self) -> Value {
        match serde_json::from_str(&self.arguments) {
            Ok(Value::Object(object)) => Value::Object(object),
            _ => Value::Object(serde_json::Map::new()),
        }
    }
}
