//! OpenAI's Chat Completions, which OpenRouter, vLLM, LM Studio, llama.cpp and Ollama's `/v1` speak
//! too.

use serde_json::{Value, json};

use super::super::script::{Finish, ToolCall};
use super::{Encoder, Model, Whole, data};

/// The chunks of one streamed completion.
pub struct Stream {
    model: String,
    n_calls: usize,
}

impl Stream {
    pub fn new(model: String) -> Self {
        Self { model, n_calls: 0 }
    }

    fn chunk(&self, delta: Value, finish_reason: Value) -> Vec<u8> {
        data(&json!({
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1_700_000_000,
            "model": self.model,
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish_reason }],
        }))
    }
}

impl Encoder for Stream {
    fn start(&mut self) -> Vec<u8> {
        self.chunk(json!({ "role": "assistant", "content": "" }), Value::Null)
    }

    fn text(&mut self, text: &str) -> Vec<u8> {
        self.chunk(json!({ "content": text }), Value::Null)
    }

    fn reasoning(&mut self, text: &str) -> Vec<u8> {
        self.chunk(json!({ "reasoning_content": text }), Value::Null)
    }

    fn tool_call(&mut self, call: &ToolCall) -> Vec<Vec<u8>> {
        let index = self.n_calls;
        self.n_calls += 1;
        let arguments = call.arguments.to_string();
        let middle = arguments.floor_char_boundary(arguments.len() / 2);
        let (first, second) = arguments.split_at(middle);
        let opening = json!({ "tool_calls": [{
            "index": index, "id": call.id, "type": "function",
            "function": { "name": call.name, "arguments": first },
        }] });
        let rest =
            json!({ "tool_calls": [{ "index": index, "function": { "arguments": second } }] });
        vec![
            self.chunk(opening, Value::Null),
            self.chunk(rest, Value::Null),
        ]
    }

    fn error(&mut self, message: &str) -> Vec<u8> {
        data(&failure(500, message))
    }

    fn end(&mut self, finish: Finish) -> Vec<u8> {
        let mut bytes = self.chunk(json!({}), finish_reason(finish, self.n_calls > 0).into());
        bytes.extend_from_slice(b"data: [DONE]\n\n");
        bytes
    }
}

fn finish_reason(finish: Finish, calls: bool) -> &'static str {
    match finish {
        Finish::Length => "length",
        Finish::Stop if calls => "tool_calls",
        Finish::Stop => "stop",
    }
}

pub fn whole(answer: &Whole) -> Value {
    let mut message = json!({ "role": "assistant", "content": answer.text });
    if !answer.calls.is_empty() {
        let calls = answer.calls.iter().map(|call| {
            let arguments = call.arguments.to_string();
            json!({ "id": call.id, "type": "function",
                    "function": { "name": call.name, "arguments": arguments } })
        });
        message["tool_calls"] = calls.collect();
    }
    let reason = finish_reason(answer.finish, !answer.calls.is_empty());
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": answer.model,
        "choices": [{ "index": 0, "message": message, "finish_reason": reason }],
        "usage": { "prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0 },
    })
}

pub fn failure(status: u16, message: &str) -> Value {
    let (kind, code) = match status {
        400 => ("invalid_request_error", Value::Null),
        401 => ("invalid_request_error", "invalid_api_key".into()),
        403 => (
            "invalid_request_error",
            "unsupported_country_region_territory".into(),
        ),
        404 => ("invalid_request_error", "model_not_found".into()),
        413 => ("invalid_request_error", "context_length_exceeded".into()),
        429 => ("requests", "rate_limit_exceeded".into()),
        _ => ("server_error", Value::Null),
    };
    json!({ "error": { "message": message, "type": kind, "param": null, "code": code } })
}

/// The names for the context window are OpenRouter's `context_length` and vLLM's `max_model_len`.
pub fn models(models: &[Model]) -> Value {
    let listed = models.iter().map(|model| {
        json!({
            "id": model.id, "object": "model", "created": 1_700_000_000, "owned_by": "tests",
            "context_length": model.context_tokens, "max_model_len": model.context_tokens,
        })
    });
    json!({ "object": "list", "data": listed.collect::<Vec<_>>() })
}
