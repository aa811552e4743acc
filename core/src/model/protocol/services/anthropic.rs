//! Anthropic's Messages API.

use serde_json::{Map, Value, json};

use super::{CHOOSE_A_MODEL, Kind, Preset, ServiceSpec, object_of, without_end, without_requests};
use crate::model::protocol::chat::{Chat, Message, ToolCall};
use crate::model::protocol::framing::Framing;
use crate::model::protocol::http::Header;
use crate::model::protocol::json::{list, number, text};
use crate::model::protocol::models::ModelInfo;
use crate::model::protocol::stream::FinishReason;
use crate::model::protocol::turn::Turn;

/// The version of the API that is used here.
const VERSION: &str = "2023-06-01";

pub(super) static SPEC: ServiceSpec = ServiceSpec {
    name: "anthropic",
    title: "Anthropic",
    usual_address: "https://api.anthropic.com",
    needs_key: true,
    assumed_window: |_| 200_000,
    base_path: |typed| without_end(without_requests(typed), &["/v1"]),
    headers,
    chat: |service, chat| (format!("{}/v1/messages", service.base), body(chat)),
    framing: Framing::events,
    read,
    // The maximum for one page.
    models_url: |base| format!("{base}/v1/models?limit=1000"),
    models,
    details: None,
    own_failure: |_, _| None,
    server: |_| None,
    allow: |service, _| {
        service.is_at("anthropic.com").then(|| {
            "The organisation of this key does not allow requests from browsers. Use a key of an organisation that does, or a proxy of your own."
                .to_owned()
        })
    },
    unknown_model: CHOOSE_A_MODEL,
};

pub(super) const PRESET: Preset = Preset {
    title: "Anthropic",
    kind: Kind::ANTHROPIC,
    address: "https://api.anthropic.com",
};

fn headers(key: Option<&str>) -> Vec<Header> {
    let mut headers = vec![
        Header::plain("anthropic-version", VERSION),
        // Without it, the service refuses requests from a browser.
        Header::plain("anthropic-dangerous-direct-browser-access", "true"),
    ];
    headers.extend(key.map(|key| Header::secret("x-api-key", key.to_owned())));
    headers
}

/// The body of a request for the next message.
///
/// Only temperature is sent, not top-p: the service advises changing only one of them, and newer
/// models refuse both together.
fn body(chat: &Chat) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(chat.model));
    body.insert("max_tokens".to_owned(), json!(chat.max_tokens));
    if !chat.system.is_empty() {
        body.insert("system".to_owned(), json!(chat.system));
    }
    body.insert("messages".to_owned(), messages(chat));
    body.insert("stream".to_owned(), json!(true));
    if let Some(temperature) = chat.temperature() {
        body.insert("temperature".to_owned(), json!(temperature));
    }
    if let Some(top_k) = chat.top_k() {
        body.insert("top_k".to_owned(), json!(top_k));
    }
    if !chat.stop().is_empty() {
        body.insert("stop_sequences".to_owned(), json!(chat.stop()));
    }
    if !chat.choices().is_empty() {
        let format = json!({"type": "json_schema", "schema": object_of(chat.choices())});
        body.insert("output_config".to_owned(), json!({"format": format}));
    }
    if !chat.tools().is_empty() {
        let tools = chat.tools().iter().map(|tool| {
            json!({
                "name": tool.name,
                "description": tool.description,
                "input_schema": tool.parameters,
            })
        });
        body.insert("tools".to_owned(), tools.collect());
    }
    Value::Object(body)
}

/// Messages that alternate between the two roles: neighbours with the same role are joined, because
/// all results of a message's calls must be in the message that follows it.
fn messages(chat: &Chat) -> Value {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in &chat.messages {
        let (role, blocks) = match message {
            Message::User(text) => ("user", text_block(text).into_iter().collect()),
            Message::Assistant { text, calls } => {
                let calls = calls.iter().map(call_block);
                (
                    "assistant",
                    text_block(text).into_iter().chain(calls).collect(),
                )
            }
            Message::ToolResult { id, text, .. } => {
                let block = json!({"type": "tool_result", "tool_use_id": id, "content": text});
                ("user", vec![block])
            }
        };
        match turns.last_mut() {
            Some((last, known)) if *last == role => known.extend(blocks),
            _ => turns.push((role, blocks)),
        }
    }
    // A message without content would be refused.
    let turns = turns.into_iter().filter(|(_, blocks)| !blocks.is_empty());
    turns
        .map(|(role, blocks)| json!({"role": role, "content": blocks}))
        .collect()
}

fn text_block(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}))
}

fn call_block(call: &ToolCall) -> Value {
    json!({
        "type": "tool_use",
        "id": call.id,
        "name": call.name,
        "input": call.arguments_object(),
    })
}

/// Reads one event of a stream, or a whole message.
fn read(turn: &mut Turn, value: &Value) {
    let index = value.get("index").and_then(Value::as_u64);
    match text(value, "/type") {
        Some("message_start") => {
            turn.begin();
            read_usage(turn, value, "/message/usage");
        }
        Some("content_block_start") => {
            turn.begin();
            if let Some(block) = value.get("content_block") {
                read_block(turn, index, block, true);
            }
        }
        Some("content_block_delta") => read_delta(turn, index, value),
        Some("message_delta") => {
            read_usage(turn, value, "/usage");
            if let Some(reason) = text(value, "/delta/stop_reason") {
                turn.stop(finish_reason(reason));
            }
        }
        Some("message_stop") => turn.end(),
        Some("message") => read_message(turn, value),
        Some("ping") => turn.begin(),
        // `content_block_stop`, and future events: the documentation asks clients to ignore unknown
        // events.
        _ => {}
    }
}

fn read_delta(turn: &mut Turn, index: Option<u64>, value: &Value) {
    if let Some(part) = text(value, "/delta/text") {
        turn.text(part);
    }
    if let Some(part) = text(value, "/delta/thinking") {
        turn.thinking(part);
    }
    if let Some(part) = text(value, "/delta/partial_json") {
        turn.call(index, None, None, part);
    }
}

/// Reads a block, at its start or complete. A call that starts with empty input is filled by the
/// events that follow.
fn read_block(turn: &mut Turn, index: Option<u64>, block: &Value, is_start: bool) {
    match text(block, "/type") {
        Some("text") => turn.text(text(block, "/text").unwrap_or_default()),
        Some("thinking") => turn.thinking(text(block, "/thinking").unwrap_or_default()),
        Some("tool_use") => {
            let input = block.get("input").filter(|input| {
                let is_empty = input.as_object().is_none_or(Map::is_empty);
                !is_start || !is_empty
            });
            let input = input.map(Value::to_string).unwrap_or_default();
            turn.call(index, text(block, "/id"), text(block, "/name"), &input);
        }
        _ => {}
    }
}

fn read_message(turn: &mut Turn, value: &Value) {
    turn.begin();
    read_usage(turn, value, "/usage");
    for (at, block) in (0..).zip(list(value, "/content")) {
        read_block(turn, Some(at), block, false);
    }
    turn.stop(text(value, "/stop_reason").map_or(FinishReason::End, finish_reason));
}

/// Tokens read from a cache count as prompt tokens too.
fn read_usage(turn: &mut Turn, value: &Value, at: &str) {
    let count = |name: &str| number(value, &format!("{at}/{name}"));
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
    let cached = cached.iter().filter_map(|name| count(name)).sum::<u32>();
    let prompt = count("input_tokens").map(|tokens| tokens.saturating_add(cached));
    turn.usage(prompt, count("output_tokens"));
}

fn finish_reason(reason: &str) -> FinishReason {
    match reason {
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "tool_use" => FinishReason::Tools,
        "refusal" => FinishReason::Refused {
            why: reason.to_owned(),
        },
        _ => FinishReason::End,
    }
}

/// The models in a list; `None` if it is not a list.
fn models(value: &Value) -> Option<Vec<ModelInfo>> {
    let models = value.get("data")?.as_array()?;
    let models = models.iter().filter_map(|model| {
        Some(ModelInfo {
            id: text(model, "/id")?.to_owned(),
            window: number(model, "/max_input_tokens").filter(|&n| n > 0),
            // Every model of the service takes tools.
            tools: Some(true),
        })
    });
    Some(models.collect())
}
