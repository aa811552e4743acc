//! Google's `generateContent`.

use serde_json::{Map, Value, json};

use super::{CHOOSE_A_MODEL, Kind, Preset, ServiceSpec, list_of, with_version, without_requests};
use crate::model::protocol::chat::{Chat, Message, ToolCall};
use crate::model::protocol::framing::Framing;
use crate::model::protocol::http::Header;
use crate::model::protocol::json::{list, number, text};
use crate::model::protocol::models::ModelInfo;
use crate::model::protocol::stream::FinishReason;
use crate::model::protocol::turn::Turn;

pub(super) static SPEC: ServiceSpec = ServiceSpec {
    name: "gemini",
    title: "Gemini",
    usual_address: "https://generativelanguage.googleapis.com/v1beta",
    needs_key: true,
    assumed_window: |_| 128_000,
    base_path,
    headers,
    chat: |service, chat| (chat_url(&service.base, &chat.model), body(chat)),
    framing: Framing::events,
    read,
    models_url: |base| format!("{base}/models?pageSize=1000"),
    models,
    details: None,
    own_failure: |_, _| None,
    server: |_| None,
    allow: |_, _| None,
    unknown_model: CHOOSE_A_MODEL,
};

pub(super) const PRESET: Preset = Preset {
    title: "Gemini",
    kind: Kind::GEMINI,
    address: "https://generativelanguage.googleapis.com",
};

/// The typed path up to `/models`: a model's name is part of the path of its requests.
fn base_path(typed: &str) -> String {
    let before = typed.split_once("/models");
    let path = before.map_or(typed, |(before, _)| before);
    with_version(without_requests(path), "/v1beta")
}

/// The service also accepts the key in the address, but there it could be logged on the way.
fn headers(key: Option<&str>) -> Vec<Header> {
    let header = key.map(|key| Header::secret("x-goog-api-key", key.to_owned()));
    header.into_iter().collect()
}

/// The address of a request for the next message of `model`. The model's name is part of the path.
fn chat_url(base: &str, model: &str) -> String {
    let model = model.trim_start_matches("models/");
    let model: String = model.bytes().map(in_path).collect();
    format!("{base}/models/{model}:streamGenerateContent?alt=sse")
}

/// A byte, percent-encoded unless a path may contain it.
fn in_path(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02X}")
    }
}

/// The body of a request for the next message.
fn body(chat: &Chat) -> Value {
    let mut config = Map::new();
    config.insert("maxOutputTokens".to_owned(), json!(chat.max_tokens));
    if let Some(temperature) = chat.temperature() {
        config.insert("temperature".to_owned(), json!(temperature));
    }
    if let Some(top_p) = chat.top_p() {
        config.insert("topP".to_owned(), json!(top_p));
    }
    if let Some(top_k) = chat.top_k() {
        config.insert("topK".to_owned(), json!(top_k));
    }
    if !chat.stop().is_empty() {
        config.insert("stopSequences".to_owned(), json!(chat.stop()));
    }
    if !chat.choices().is_empty() {
        config.insert("responseMimeType".to_owned(), json!("application/json"));
        config.insert("responseSchema".to_owned(), list_of(chat.choices()));
    }
    let mut body = Map::new();
    if !chat.system.is_empty() {
        let system = json!({"parts": [{"text": chat.system}]});
        body.insert("systemInstruction".to_owned(), system);
    }
    body.insert("contents".to_owned(), contents(chat));
    body.insert("generationConfig".to_owned(), Value::Object(config));
    if !chat.tools().is_empty() {
        let functions = chat.tools().iter().map(|tool| {
            json!({
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            })
        });
        let functions: Vec<Value> = functions.collect();
        body.insert(
            "tools".to_owned(),
            json!([{"functionDeclarations": functions}]),
        );
    }
    Value::Object(body)
}

/// Contents that alternate between the two roles; neighbours with the same role are joined.
fn contents(chat: &Chat) -> Value {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in &chat.messages {
        let (role, parts) = match message {
            Message::User(text) => ("user", vec![json!({"text": text})]),
            Message::Assistant { text, calls } => {
                let text = (!text.is_empty()).then(|| json!({"text": text}));
                (
                    "model",
                    text.into_iter()
                        .chain(calls.iter().map(call_part))
                        .collect(),
                )
            }
            Message::ToolResult { id, name, text } => {
                let mut response = Map::new();
                if !is_made_here(id) {
                    response.insert("id".to_owned(), json!(id));
                }
                response.insert("name".to_owned(), json!(name));
                response.insert("response".to_owned(), json!({"output": text}));
                ("user", vec![json!({"functionResponse": response})])
            }
        };
        match turns.last_mut() {
            Some((last, known)) if *last == role => known.extend(parts),
            _ => turns.push((role, parts)),
        }
    }
    let turns = turns.into_iter().filter(|(_, parts)| !parts.is_empty());
    turns
        .map(|(role, parts)| json!({"role": role, "parts": parts}))
        .collect()
}

/// Older models give their calls no id, and refuse one.
fn is_made_here(id: &str) -> bool {
    id.is_empty() || id.starts_with("call_")
}

fn call_part(call: &ToolCall) -> Value {
    let mut function = Map::new();
    if !is_made_here(&call.id) {
        function.insert("id".to_owned(), json!(call.id));
    }
    function.insert("name".to_owned(), json!(call.name));
    function.insert("args".to_owned(), call.arguments_object());
    let mut part = Map::new();
    part.insert("functionCall".to_owned(), Value::Object(function));
    // Thinking models refuse a call that is returned without its signature.
    if let Some(signature) = &call.signature {
        part.insert("thoughtSignature".to_owned(), json!(signature));
    }
    Value::Object(part)
}

/// Reads one event of a stream, or a whole answer: they have the same form.
fn read(turn: &mut Turn, value: &Value) {
    let answer = number(value, "/usageMetadata/candidatesTokenCount");
    let thought = number(value, "/usageMetadata/thoughtsTokenCount");
    turn.usage(
        number(value, "/usageMetadata/promptTokenCount"),
        answer.map(|tokens| tokens.saturating_add(thought.unwrap_or(0))),
    );
    if let Some(why) = text(value, "/promptFeedback/blockReason") {
        turn.stop(FinishReason::Refused {
            why: why.to_owned(),
        });
    }
    let Some(candidate) = list(value, "/candidates").first() else {
        return;
    };
    turn.begin();
    for part in list(candidate, "/content/parts") {
        read_part(turn, part);
    }
    if let Some(reason) = text(candidate, "/finishReason") {
        turn.stop(finish_reason(reason));
    }
}

fn read_part(turn: &mut Turn, part: &Value) {
    if let Some(call) = part.get("functionCall") {
        let arguments = call.get("args").map(Value::to_string);
        let name = text(call, "/name").unwrap_or_default();
        let id = text(call, "/id").unwrap_or_default();
        let mut call = ToolCall::new(id, name, arguments.unwrap_or_default());
        call.signature = text(part, "/thoughtSignature").map(str::to_owned);
        turn.whole_call(call);
    } else if let Some(piece) = text(part, "/text") {
        if part.get("thought").and_then(Value::as_bool) == Some(true) {
            turn.thinking(piece);
        } else {
            turn.text(piece);
        }
    }
}

fn finish_reason(reason: &str) -> FinishReason {
    match reason {
        "STOP" | "FINISH_REASON_UNSPECIFIED" => FinishReason::End,
        "MAX_TOKENS" => FinishReason::Length,
        // SAFETY, RECITATION, BLOCKLIST, PROHIBITED_CONTENT, SPII, MALFORMED_FUNCTION_CALL …
        other => FinishReason::Refused {
            why: other.to_owned(),
        },
    }
}

/// The models in a list that can answer questions; `None` if it is not a list.
fn models(value: &Value) -> Option<Vec<ModelInfo>> {
    let models = value.get("models")?.as_array()?;
    let answers = |model: &&Value| {
        let methods = list(model, "/supportedGenerationMethods");
        methods.is_empty() || methods.iter().any(|method| method == "generateContent")
    };
    let models = models.iter().filter(answers).filter_map(|model| {
        let name = text(model, "/name")?;
        Some(ModelInfo {
            id: name.strip_prefix("models/").unwrap_or(name).to_owned(),
            window: number(model, "/inputTokenLimit").filter(|&n| n > 0),
            tools: None,
        })
    });
    Some(models.collect())
}
