//! Ollama's own API.

use serde_json::{Map, Value, json};

use super::{Details, Kind, Preset, Server, ServiceSpec};
use super::{bearer, list_of, openai, without_end, without_requests};
use crate::model::protocol::chat::{Chat, Message, ToolCall};
use crate::model::protocol::failure::Failure;
use crate::model::protocol::framing::Framing;
use crate::model::protocol::json::{list, number, text};
use crate::model::protocol::models::ModelInfo;
use crate::model::protocol::stream::FinishReason;
use crate::model::protocol::turn::Turn;

pub(super) static SPEC: ServiceSpec = ServiceSpec {
    name: "ollama",
    title: "Ollama",
    usual_address: "http://localhost:11434",
    needs_key: false,
    // It is often started with no more, and silently cuts what is too long.
    assumed_window: |_| 8_192,
    base_path: |typed| without_end(without_requests(typed), &["/api", "/v1"]),
    headers: bearer,
    chat: |service, chat| (format!("{}/api/chat", service.base), body(chat)),
    framing: Framing::ndjson,
    read,
    models_url: |base| format!("{base}/api/tags"),
    models,
    details: Some(Details {
        request: |base, model| (format!("{base}/api/show"), json!({"model": model})),
        read: details,
    }),
    // It refuses a page's origin with an empty 403.
    own_failure: |status, body| (status == 403 && body.is_empty()).then_some(Failure::CorsRefused),
    server: |_| Some(&SERVER),
    allow: |_, _| None,
    unknown_model: "Choose a model from the list, or fetch it first with: ollama pull MODEL",
};

pub(super) const PRESET: Preset = Preset {
    title: "Ollama",
    kind: Kind::OLLAMA,
    address: "http://localhost:11434",
};

pub(super) static SERVER: Server = Server {
    port: 11434,
    allow: |any| {
        format!(
            "Ollama: set the environment variable OLLAMA_ORIGINS={any} where Ollama is started, \
             and restart it."
        )
    },
    start: "Start Ollama (ollama serve).",
};

/// The body of a request for the next message.
fn body(chat: &Chat) -> Value {
    let mut options = Map::new();
    options.insert("num_predict".to_owned(), json!(chat.max_tokens));
    if let Some(window) = chat.window {
        options.insert("num_ctx".to_owned(), json!(window));
    }
    if let Some(temperature) = chat.temperature() {
        options.insert("temperature".to_owned(), json!(temperature));
    }
    if let Some(top_p) = chat.top_p() {
        options.insert("top_p".to_owned(), json!(top_p));
    }
    if let Some(top_k) = chat.top_k() {
        options.insert("top_k".to_owned(), json!(top_k));
    }
    if let Some(penalty) = chat.repetition_penalty() {
        options.insert("repeat_penalty".to_owned(), json!(penalty));
    }
    if !chat.stop().is_empty() {
        options.insert("stop".to_owned(), json!(chat.stop()));
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(chat.model));
    body.insert("messages".to_owned(), messages(chat));
    body.insert("stream".to_owned(), json!(true));
    body.insert("options".to_owned(), Value::Object(options));
    if !chat.choices().is_empty() {
        body.insert("format".to_owned(), list_of(chat.choices()));
    }
    if !chat.tools().is_empty() {
        body.insert("tools".to_owned(), openai::tools(chat));
    }
    Value::Object(body)
}

fn messages(chat: &Chat) -> Value {
    let mut messages = Vec::new();
    if !chat.system.is_empty() {
        messages.push(json!({"role": "system", "content": chat.system}));
    }
    for message in &chat.messages {
        messages.push(match message {
            Message::User(text) => json!({"role": "user", "content": text}),
            Message::Assistant { text, calls } if calls.is_empty() => {
                json!({"role": "assistant", "content": text})
            }
            Message::Assistant { text, calls } => json!({
                "role": "assistant",
                "content": text,
                "tool_calls": calls.iter().map(call).collect::<Vec<Value>>(),
            }),
            Message::ToolResult { name, text, .. } => {
                json!({"role": "tool", "tool_name": name, "content": text})
            }
        });
    }
    Value::Array(messages)
}

fn call(call: &ToolCall) -> Value {
    json!({"function": {"name": call.name, "arguments": call.arguments_object()}})
}

/// Reads one line.
fn read(turn: &mut Turn, value: &Value) {
    if let Some(part) = text(value, "/message/thinking") {
        turn.thinking(part);
    }
    if let Some(part) = value.pointer("/message/content").and_then(Value::as_str) {
        turn.text(part);
    }
    for call in list(value, "/message/tool_calls") {
        let name = text(call, "/function/name").unwrap_or_default();
        let arguments = match call.pointer("/function/arguments") {
            Some(Value::String(text)) => text.clone(),
            Some(object) => object.to_string(),
            None => String::new(),
        };
        let id = text(call, "/id").unwrap_or_default();
        turn.whole_call(ToolCall::new(id, name, arguments));
    }
    if value.get("done").and_then(Value::as_bool) == Some(true) {
        turn.usage(
            number(value, "/prompt_eval_count"),
            number(value, "/eval_count"),
        );
        turn.stop(match text(value, "/done_reason") {
            Some("length") => FinishReason::Length,
            _ => FinishReason::End,
        });
        turn.end();
    }
}

/// The models in a list; `None` if it is not a list.
fn models(value: &Value) -> Option<Vec<ModelInfo>> {
    let models = value.get("models")?.as_array()?;
    let models = models.iter().filter_map(|model| {
        let id = text(model, "/name").or_else(|| text(model, "/model"))?;
        Some(ModelInfo {
            id: id.to_owned(),
            window: None,
            tools: tools(model),
        })
    });
    Some(models.collect())
}

/// A model as `/api/show` describes it; `None` if the answer is something else.
fn details(id: &str, value: &Value) -> Option<ModelInfo> {
    let info = value.get("model_info")?.as_object()?;
    // The key begins with the architecture: `qwen3.context_length`.
    let window = info
        .iter()
        .find(|(name, _)| name.ends_with(".context_length"))
        .and_then(|(_, tokens)| number(tokens, ""));
    Some(ModelInfo {
        id: id.to_owned(),
        window,
        tools: tools(value),
    })
}

fn tools(model: &Value) -> Option<bool> {
    let capabilities = model.get("capabilities")?.as_array()?;
    Some(capabilities.iter().any(|known| known == "tools"))
}
