//! Gemini's `generateContent` and `streamGenerateContent?alt=sse`.

use serde_json::{Value, json};

use super::super::script::{Finish, ToolCall};
use super::{Encoder, Model, Whole, data};

/// The events of one streamed answer. Its end is marked only by the finish reason and the end of
/// the body.
pub struct Stream {
    model: String,
}

impl Stream {
    pub fn new(model: String) -> Self {
        Self { model }
    }

    fn part(&self, part: Value) -> Vec<u8> {
        data(&response(&self.model, vec![part], None))
    }
}

impl Encoder for Stream {
    fn start(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn text(&mut self, text: &str) -> Vec<u8> {
        self.part(json!({ "text": text }))
    }

    fn reasoning(&mut self, text: &str) -> Vec<u8> {
        self.part(json!({ "text": text, "thought": true }))
    }

    /// Calls come in one piece.
    fn tool_call(&mut self, call: &ToolCall) -> Vec<Vec<u8>> {
        vec![self.part(function_call(call))]
    }

    fn error(&mut self, message: &str) -> Vec<u8> {
        data(&failure(503, message))
    }

    fn end(&mut self, finish: Finish) -> Vec<u8> {
        let part = json!({ "text": "" });
        data(&response(&self.model, vec![part], Some(finish)))
    }
}

fn function_call(call: &ToolCall) -> Value {
    json!({ "functionCall": { "id": call.id, "name": call.name, "args": call.arguments } })
}

fn response(model: &str, parts: Vec<Value>, finish: Option<Finish>) -> Value {
    let mut candidate = json!({ "content": { "parts": parts, "role": "model" }, "index": 0 });
    if let Some(finish) = finish {
        candidate["finishReason"] = match finish {
            Finish::Stop => "STOP".into(),
            Finish::Length => "MAX_TOKENS".into(),
        };
    }
    json!({
        "candidates": [candidate],
        "usageMetadata": { "promptTokenCount": 0, "totalTokenCount": 0 },
        "modelVersion": model,
    })
}

pub fn whole(answer: &Whole) -> Value {
    let mut parts = vec![json!({ "text": answer.text })];
    parts.extend(answer.calls.iter().map(|call| function_call(call)));
    response(answer.model, parts, Some(answer.finish))
}

pub fn failure(status: u16, message: &str) -> Value {
    let name = match status {
        400 | 413 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        503 => "UNAVAILABLE",
        _ => "INTERNAL",
    };
    json!({ "error": { "code": status, "message": message, "status": name } })
}

pub fn models(models: &[Model]) -> Value {
    let listed = models.iter().map(|model| {
        json!({
            "name": format!("models/{}", model.id), "displayName": model.id,
            "inputTokenLimit": model.context_tokens, "outputTokenLimit": 8192,
            "supportedGenerationMethods": ["generateContent", "countTokens"],
        })
    });
    json!({ "models": listed.collect::<Vec<_>>() })
}
