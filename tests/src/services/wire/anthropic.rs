//! Anthropic's Messages.

use serde_json::{Value, json};

use super::super::http::RecordedRequest;
use super::super::script::{Finish, ToolCall};
use super::{Encoder, Model, Whole};

/// The events of one streamed message: content blocks are opened, filled and closed one after
/// another.
pub struct Stream {
    model: String,
    /// The index and the kind of the open block.
    open: Option<(usize, &'static str)>,
    n_blocks: usize,
    calls: bool,
}

impl Stream {
    pub fn new(model: String) -> Self {
        Self {
            model,
            open: None,
            n_blocks: 0,
            calls: false,
        }
    }

    /// Closes the open block and opens another.
    fn switch(&mut self, kind: &'static str, block: Value) -> Vec<u8> {
        let mut bytes = self.close();
        let index = self.n_blocks;
        self.n_blocks += 1;
        self.open = Some((index, kind));
        let value =
            json!({ "type": "content_block_start", "index": index, "content_block": block });
        bytes.extend(event(&value));
        bytes
    }

    fn close(&mut self) -> Vec<u8> {
        let Some((index, _)) = self.open.take() else {
            return Vec::new();
        };
        event(&json!({ "type": "content_block_stop", "index": index }))
    }

    /// An increment of the open block.
    fn delta(&self, delta: Value) -> Vec<u8> {
        let index = self.open.map_or(0, |(index, _)| index);
        event(&json!({ "type": "content_block_delta", "index": index, "delta": delta }))
    }

    fn is_open(&self, wanted: &str) -> bool {
        self.open.is_some_and(|(_, kind)| kind == wanted)
    }
}

impl Encoder for Stream {
    fn start(&mut self) -> Vec<u8> {
        let message = json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": self.model, "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": { "input_tokens": 0, "output_tokens": 0 },
        });
        let mut bytes = event(&json!({ "type": "message_start", "message": message }));
        bytes.extend(event(&json!({ "type": "ping" })));
        bytes
    }

    fn text(&mut self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        if !self.is_open("text") {
            bytes = self.switch("text", json!({ "type": "text", "text": "" }));
        }
        bytes.extend(self.delta(json!({ "type": "text_delta", "text": text })));
        bytes
    }

    fn reasoning(&mut self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        if !self.is_open("thinking") {
            let block = json!({ "type": "thinking", "thinking": "", "signature": "" });
            bytes = self.switch("thinking", block);
        }
        bytes.extend(self.delta(json!({ "type": "thinking_delta", "thinking": text })));
        bytes
    }

    fn tool_call(&mut self, call: &ToolCall) -> Vec<Vec<u8>> {
        self.calls = true;
        let block = json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": {} });
        let opening = self.switch("tool_use", block);
        let arguments = call.arguments.to_string();
        let middle = arguments.floor_char_boundary(arguments.len() / 2);
        let (first, second) = arguments.split_at(middle);
        let part = |partial: &str| {
            self.delta(json!({ "type": "input_json_delta", "partial_json": partial }))
        };
        vec![opening, part(first), part(second)]
    }

    fn error(&mut self, message: &str) -> Vec<u8> {
        event(&failure(529, message))
    }

    fn end(&mut self, finish: Finish) -> Vec<u8> {
        let mut bytes = self.close();
        let delta =
            json!({ "stop_reason": stop_reason(finish, self.calls), "stop_sequence": null });
        bytes.extend(event(&json!({
            "type": "message_delta", "delta": delta, "usage": { "output_tokens": 0 },
        })));
        bytes.extend(event(&json!({ "type": "message_stop" })));
        bytes
    }
}

/// An event is named after its `type`.
fn event(value: &Value) -> Vec<u8> {
    let name = value["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {value}\n\n").into_bytes()
}

fn stop_reason(finish: Finish, calls: bool) -> &'static str {
    match finish {
        Finish::Length => "max_tokens",
        Finish::Stop if calls => "tool_use",
        Finish::Stop => "end_turn",
    }
}

/// Requires a version with every request and, from a browser, consent to expose the key there.
pub fn demand(request: &RecordedRequest) -> Option<(u16, &'static str)> {
    if request.header("anthropic-version").is_none() {
        return Some((400, "anthropic-version: header is required"));
    }
    let consent = "anthropic-dangerous-direct-browser-access";
    if request.header("origin").is_some() && request.header(consent) != Some("true") {
        let message = "CORS requests must set 'anthropic-dangerous-direct-browser-access' header";
        return Some((401, message));
    }
    None
}

pub fn whole(answer: &Whole) -> Value {
    let mut content = vec![json!({ "type": "text", "text": answer.text })];
    content.extend(answer.calls.iter().map(|call| {
        json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments })
    }));
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": answer.model,
        "content": content, "stop_reason": stop_reason(answer.finish, !answer.calls.is_empty()),
        "stop_sequence": null, "usage": { "input_tokens": 0, "output_tokens": 0 },
    })
}

pub fn failure(status: u16, message: &str) -> Value {
    let kind = match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    };
    json!({ "type": "error", "error": { "type": kind, "message": message } })
}

pub fn models(models: &[Model]) -> Value {
    let listed = models.iter().map(|model| {
        json!({
            "type": "model", "id": model.id, "display_name": model.id,
            "created_at": "2025-01-01T00:00:00Z", "max_input_tokens": model.context_tokens,
        })
    });
    let listed: Vec<Value> = listed.collect();
    json!({
        "data": listed, "has_more": false,
        "first_id": models.first().map(|model| &model.id), "last_id": models.last().map(|model| &model.id),
    })
}
