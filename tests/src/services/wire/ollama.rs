//! Ollama's own API: one JSON object per line.

use serde_json::{Value, json};

use super::super::script::{Finish, ToolCall};
use super::{Encoder, Model, Whole};

/// The lines of one streamed answer.
pub struct Stream {
    model: String,
}

impl Stream {
    pub fn new(model: String) -> Self {
        Self { model }
    }

    fn message(&self, message: Value) -> Vec<u8> {
        line(&json!({
            "model": self.model, "created_at": "2025-01-01T00:00:00Z", "message": message, "done": false,
        }))
    }
}

impl Encoder for Stream {
    fn start(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn text(&mut self, text: &str) -> Vec<u8> {
        self.message(json!({ "role": "assistant", "content": text }))
    }

    fn reasoning(&mut self, text: &str) -> Vec<u8> {
        self.message(json!({ "role": "assistant", "content": "", "thinking": text }))
    }

    /// Calls come in one piece.
    fn tool_call(&mut self, call: &ToolCall) -> Vec<Vec<u8>> {
        let calls = json!([function(call)]);
        vec![self.message(json!({ "role": "assistant", "content": "", "tool_calls": calls }))]
    }

    fn error(&mut self, message: &str) -> Vec<u8> {
        line(&failure(message))
    }

    fn end(&mut self, finish: Finish) -> Vec<u8> {
        let message = json!({ "role": "assistant", "content": "" });
        line(&done(&self.model, message, finish))
    }
}

fn line(value: &Value) -> Vec<u8> {
    format!("{value}\n").into_bytes()
}

fn function(call: &ToolCall) -> Value {
    json!({ "function": { "name": call.name, "arguments": call.arguments } })
}

fn done(model: &str, message: Value, finish: Finish) -> Value {
    let reason = match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
    };
    json!({
        "model": model, "created_at": "2025-01-01T00:00:00Z", "message": message, "done": true,
        "done_reason": reason, "prompt_eval_count": 0, "eval_count": 0,
    })
}

pub fn whole(answer: &Whole) -> Value {
    let mut message = json!({ "role": "assistant", "content": answer.text });
    if !answer.calls.is_empty() {
        message["tool_calls"] = answer.calls.iter().map(|call| function(call)).collect();
    }
    done(answer.model, message, answer.finish)
}

pub fn failure(message: &str) -> Value {
    json!({ "error": message })
}

pub fn models(models: &[Model]) -> Value {
    let listed = models.iter().map(|model| {
        json!({
            "name": model.id, "model": model.id, "modified_at": "2025-01-01T00:00:00Z", "size": 1,
            "digest": "0", "details": { "format": "gguf", "family": "llama", "parameter_size": "1B" },
        })
    });
    json!({ "models": listed.collect::<Vec<_>>() })
}

/// What `/api/show` says about a model.
pub fn details(model: &Model) -> Value {
    json!({
        "details": { "format": "gguf", "family": "llama" },
        "model_info": { "general.architecture": "llama", "llama.context_length": model.context_tokens },
        "capabilities": ["completion", "tools"],
    })
}
