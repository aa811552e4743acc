//! How four kinds of services write answers, errors and lists of models.
//!
//! Sources: the services' published API references (OpenAI Chat Completions, Anthropic Messages,
//! Gemini `generateContent`, Ollama `/api/chat`).

pub mod anthropic;
pub mod gemini;
pub mod ollama;
pub mod openai;

use serde_json::Value;

use super::http::RecordedRequest;
use super::script::{Finish, Step, ToolCall};

/// The wire format of a request, recognised by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    OpenAi,
    Anthropic,
    Gemini,
    Ollama,
}

/// What a request wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    Models,
    /// What one model can do (Ollama's `/api/show`).
    Details,
    Answer {
        model: String,
        streamed: bool,
    },
}

/// One model that a service offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    pub id: String,
    /// The context window in tokens.
    pub context_tokens: u32,
}

/// Writes one streamed answer, event by event.
pub trait Encoder {
    /// The events before the first step.
    fn start(&mut self) -> Vec<u8>;
    fn text(&mut self, text: &str) -> Vec<u8>;
    fn reasoning(&mut self, text: &str) -> Vec<u8>;
    /// One event each.
    fn tool_call(&mut self, call: &ToolCall) -> Vec<Vec<u8>>;
    fn error(&mut self, message: &str) -> Vec<u8>;
    /// The events after the last step.
    fn end(&mut self, finish: Finish) -> Vec<u8>;
}

impl Wire {
    /// The wire format and the wish of a request; `None` if no service knows the path. A base URL
    /// may add a path of its own in front.
    pub fn of(request: &RecordedRequest) -> Option<(Self, Wanted)> {
        let route = request.route();
        let body = request.json();
        let asked = |streamed_unless_said: bool| Wanted::Answer {
            model: body["model"].as_str().unwrap_or_default().to_owned(),
            streamed: body["stream"].as_bool().unwrap_or(streamed_unless_said),
        };
        match request.method.as_str() {
            "POST" if route.ends_with("/chat/completions") => Some((Self::OpenAi, asked(false))),
            "POST" if route.ends_with("/v1/messages") => Some((Self::Anthropic, asked(false))),
            "POST" if route.ends_with("/api/chat") => Some((Self::Ollama, asked(true))),
            "POST" if route.ends_with("/api/show") => Some((Self::Ollama, Wanted::Details)),
            "POST" => {
                let (_, call) = route.rsplit_once("/v1beta/models/")?;
                let (model, method) = call.split_once(':')?;
                let wanted = Wanted::Answer {
                    model: model.to_owned(),
                    streamed: method == "streamGenerateContent",
                };
                Some((Self::Gemini, wanted))
            }
            "GET" if route.ends_with("/v1beta/models") => Some((Self::Gemini, Wanted::Models)),
            "GET" if route.ends_with("/api/tags") => Some((Self::Ollama, Wanted::Models)),
            "GET" if route.ends_with("/models") => match request.header("anthropic-version") {
                Some(_) => Some((Self::Anthropic, Wanted::Models)),
                None => Some((Self::OpenAi, Wanted::Models)),
            },
            _ => None,
        }
    }

    /// The key that a request carries where this wire format expects it. Never the one in the URL:
    /// a key there would end up in logs.
    pub fn key(self, request: &RecordedRequest) -> Option<&str> {
        match self {
            Self::OpenAi | Self::Ollama => request.header("authorization")?.strip_prefix("Bearer "),
            Self::Anthropic => request.header("x-api-key"),
            Self::Gemini => request.header("x-goog-api-key"),
        }
    }

    /// The refusal of a request that lacks headers which the service demands, whatever the script
    /// says.
    pub fn demand(self, request: &RecordedRequest) -> Option<(u16, &'static str)> {
        match self {
            Self::Anthropic => anthropic::demand(request),
            _ => None,
        }
    }

    /// The status and message for a wrong key.
    pub fn wrong_key(self) -> (u16, &'static str) {
        match self {
            Self::OpenAi => (401, "Incorrect API key provided."),
            Self::Anthropic => (401, "invalid x-api-key"),
            Self::Gemini => (400, "API key not valid. Please pass a valid API key."),
            Self::Ollama => (401, "unauthorized"),
        }
    }

    /// The message of the 404 for a model that is not offered.
    pub fn unknown_model(self, model: &str) -> String {
        match self {
            Self::OpenAi => {
                format!("The model `{model}` does not exist or you do not have access to it.")
            }
            Self::Anthropic => format!("model: {model}"),
            Self::Gemini => format!("models/{model} is not found for API version v1beta"),
            Self::Ollama => format!("model '{model}' not found"),
        }
    }

    /// The content type of a streamed answer.
    pub fn stream_type(self) -> &'static str {
        match self {
            Self::Ollama => "application/x-ndjson",
            _ => "text/event-stream; charset=utf-8",
        }
    }

    /// A writer for one streamed answer.
    pub fn encoder(self, model: &str) -> Box<dyn Encoder> {
        let model = model.to_owned();
        match self {
            Self::OpenAi => Box::new(openai::Stream::new(model)),
            Self::Anthropic => Box::new(anthropic::Stream::new(model)),
            Self::Gemini => Box::new(gemini::Stream::new(model)),
            Self::Ollama => Box::new(ollama::Stream::new(model)),
        }
    }

    /// The same answer in one body.
    pub fn whole(self, model: &str, steps: &[Step], finish: Finish) -> Value {
        let whole = Whole::of(model, steps, finish);
        match self {
            Self::OpenAi => openai::whole(&whole),
            Self::Anthropic => anthropic::whole(&whole),
            Self::Gemini => gemini::whole(&whole),
            Self::Ollama => ollama::whole(&whole),
        }
    }

    /// The body that comes with an error's status.
    pub fn failure(self, status: u16, message: &str) -> Value {
        match self {
            Self::OpenAi => openai::failure(status, message),
            Self::Anthropic => anthropic::failure(status, message),
            Self::Gemini => gemini::failure(status, message),
            Self::Ollama => ollama::failure(message),
        }
    }

    /// The list of models.
    pub fn models(self, models: &[Model]) -> Value {
        match self {
            Self::OpenAi => openai::models(models),
            Self::Anthropic => anthropic::models(models),
            Self::Gemini => gemini::models(models),
            Self::Ollama => ollama::models(models),
        }
    }
}

/// An answer that is sent in one body.
pub struct Whole<'a> {
    pub model: &'a str,
    pub text: String,
    pub calls: Vec<&'a ToolCall>,
    pub finish: Finish,
}

impl<'a> Whole<'a> {
    fn of(model: &'a str, steps: &'a [Step], finish: Finish) -> Self {
        let mut text = String::new();
        let mut calls = Vec::new();
        for step in steps {
            match step {
                Step::Text(piece) => text.push_str(piece),
                Step::Repeat { text: piece, times } => text.push_str(&piece.repeat(*times)),
                Step::ToolCall(call) => calls.push(call),
                _ => {}
            }
        }
        Self {
            model,
            text,
            calls,
            finish,
        }
    }
}

/// A server-sent event without a name.
fn data(value: &Value) -> Vec<u8> {
    format!("data: {value}\n\n").into_bytes()
}
