//! `/chat/completions` as OpenAI defined it and many servers speak it, each a little differently.

use serde_json::{Map, Value, json};

use super::{CHOOSE_A_MODEL, Kind, Preset, SERVERS, Server, ServiceSpec};
use super::{bearer, object_of, with_version, without_requests};
use crate::model::protocol::chat::{Chat, ChatOption, Message, ToolCall};
use crate::model::protocol::framing::Framing;
use crate::model::protocol::json::{list, number, text};
use crate::model::protocol::models::ModelInfo;
use crate::model::protocol::service::Service;
use crate::model::protocol::stream::FinishReason;
use crate::model::protocol::turn::Turn;

pub(super) static SPEC: ServiceSpec = ServiceSpec {
    name: "openai",
    title: "OpenAI-compatible",
    usual_address: "https://api.openai.com/v1",
    needs_key: false,
    assumed_window: |service| match service.is_at("openai.com") {
        // That of its smallest current models.
        true => 128_000,
        // Many local servers are started with no more, and what is too long is refused or silently
        // cut.
        false => 8_192,
    },
    base_path: |typed| with_version(without_requests(typed), "/v1"),
    headers: bearer,
    chat: |service, chat| {
        let url = format!("{}/chat/completions", service.base);
        (url, body(service, chat))
    },
    framing: Framing::events,
    read,
    models_url: |base| format!("{base}/models"),
    models,
    details: None,
    own_failure: |_, _| None,
    server,
    allow,
    unknown_model: CHOOSE_A_MODEL,
};

pub(super) const PRESET: Preset = Preset {
    title: "OpenAI",
    kind: Kind::OPENAI,
    address: "https://api.openai.com/v1",
};

/// Recognised by its port.
fn server(service: &Service) -> Option<&'static Server> {
    let port = service.port()?;
    SERVERS.into_iter().find(|server| server.port == port)
}

/// A service without encryption is the user's own, and could be any of the servers.
fn allow(service: &Service, origin: &str) -> Option<String> {
    if service.is_encrypted() {
        return None;
    }
    let all = SERVERS.map(|server| (server.allow)(origin));
    Some(format!(
        "Allow this page in the server's settings. {}",
        all.join(" ")
    ))
}

/// The body of a request for the next message.
fn body(service: &Service, chat: &Chat) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(chat.model));
    body.insert("messages".to_owned(), messages(chat));
    body.insert("stream".to_owned(), json!(true));
    if !chat.omits(ChatOption::StreamOptions) {
        body.insert("stream_options".to_owned(), json!({"include_usage": true}));
    }
    if let Some(name) = limit_name(service, chat) {
        body.insert(name.to_owned(), json!(chat.max_tokens));
    }
    if let Some(temperature) = chat.temperature() {
        body.insert("temperature".to_owned(), json!(temperature));
    }
    if let Some(top_p) = chat.top_p() {
        body.insert("top_p".to_owned(), json!(top_p));
    }
    if !chat.stop().is_empty() {
        body.insert("stop".to_owned(), json!(chat.stop()));
    }
    add_local_sampling(&mut body, service, chat);
    if !chat.choices().is_empty() {
        let schema = object_of(chat.choices());
        let schema = json!({"name": "files", "strict": true, "schema": schema});
        let format = json!({"type": "json_schema", "json_schema": schema});
        body.insert("response_format".to_owned(), format);
    }
    if !chat.tools().is_empty() {
        body.insert("tools".to_owned(), tools(chat));
    }
    Value::Object(body)
}

/// Parameters that local programs support beyond OpenAI's: llama.cpp, vLLM and LM Studio have them,
/// each under its own name, and ignore the others' names.
fn add_local_sampling(body: &mut Map<String, Value>, service: &Service, chat: &Chat) {
    if service.is_encrypted() {
        return;
    }
    if let Some(top_k) = chat.top_k() {
        body.insert("top_k".to_owned(), json!(top_k));
    }
    if let Some(penalty) = chat.repetition_penalty() {
        body.insert("repeat_penalty".to_owned(), json!(penalty));
        body.insert("repetition_penalty".to_owned(), json!(penalty));
    }
}

/// OpenAI's newer models refuse the older name of the limit; most other servers know only that one.
fn limit_name(service: &Service, chat: &Chat) -> Option<&'static str> {
    let prefers_newer = service.is_at("openai.com") || chat.omits(ChatOption::MaxTokens);
    if prefers_newer && !chat.omits(ChatOption::MaxCompletionTokens) {
        Some("max_completion_tokens")
    } else if !chat.omits(ChatOption::MaxTokens) {
        Some("max_tokens")
    } else {
        None
    }
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
            Message::ToolResult { id, text, .. } => {
                json!({"role": "tool", "tool_call_id": id, "content": text})
            }
        });
    }
    Value::Array(messages)
}

fn call(call: &ToolCall) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments_object().to_string()},
    })
}

/// Tools, in the form that OpenAI and Ollama share.
pub(super) fn tools(chat: &Chat) -> Value {
    let tools = chat.tools().iter().map(|tool| {
        json!({
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            },
        })
    });
    tools.collect()
}

/// Reads one chunk of a stream, or a whole completion.
fn read(turn: &mut Turn, value: &Value) {
    if value.get("choices").is_some_and(Value::is_array) {
        turn.begin();
    }
    turn.usage(
        number(value, "/usage/prompt_tokens"),
        number(value, "/usage/completion_tokens"),
    );
    // There is one choice, because no more were requested.
    let Some(choice) = list(value, "/choices").first() else {
        return;
    };
    let delta = ["/delta", "/message"]
        .iter()
        .find_map(|at| choice.pointer(at).filter(|delta| delta.is_object()));
    if let Some(delta) = delta {
        read_delta(turn, delta);
    } else if let Some(part) = text(choice, "/text") {
        turn.text(part);
    }
    if let Some(reason) = text(choice, "/finish_reason") {
        turn.stop(finish_reason(reason));
    }
}

fn read_delta(turn: &mut Turn, delta: &Value) {
    // Two names for the same; servers that send both repeat the text.
    let thinking = text(delta, "/reasoning_content").or_else(|| text(delta, "/reasoning"));
    if let Some(part) = thinking {
        turn.thinking(part);
    }
    match delta.get("content") {
        Some(Value::String(part)) => turn.text(part),
        Some(Value::Array(parts)) => parts.iter().for_each(|part| read_part(turn, part)),
        _ => {}
    }
    if let Some(part) = text(delta, "/refusal") {
        turn.text(part);
    }
    for call in list(delta, "/tool_calls") {
        let index = call.get("index").and_then(Value::as_u64);
        let part = match call.pointer("/function/arguments") {
            Some(Value::String(part)) => part.clone(),
            Some(object @ Value::Object(_)) => object.to_string(),
            _ => String::new(),
        };
        turn.call(
            index,
            text(call, "/id"),
            text(call, "/function/name"),
            &part,
        );
    }
}

/// Reads a part of a message whose content is a list, as Mistral's thinking models send it.
fn read_part(turn: &mut Turn, part: &Value) {
    match text(part, "/type") {
        Some("thinking") => {
            for inner in list(part, "/thinking") {
                turn.thinking(text(inner, "/text").unwrap_or_default());
            }
        }
        _ => turn.text(text(part, "/text").unwrap_or_default()),
    }
}

fn finish_reason(reason: &str) -> FinishReason {
    match reason {
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "tool_calls" | "function_call" => FinishReason::Tools,
        "content_filter" => FinishReason::Refused {
            why: reason.to_owned(),
        },
        _ => FinishReason::End,
    }
}

/// The models in a list; `None` if it is not a list. Some services send a bare list.
fn models(value: &Value) -> Option<Vec<ModelInfo>> {
    let models = value.get("data").unwrap_or(value).as_array()?;
    Some(models.iter().filter_map(model).collect())
}

/// Where services state the size of a model's context window: OpenRouter and Together, vLLM, Groq,
/// Mistral, LM Studio, llama.cpp. (The last also states what the model was trained with, which says
/// nothing about what the server was started with.)
const WINDOWS: [&str; 7] = [
    "/context_length",
    "/max_model_len",
    "/context_window",
    "/loaded_context_length",
    "/max_context_length",
    "/meta/n_ctx",
    "/max_input_tokens",
];

fn model(value: &Value) -> Option<ModelInfo> {
    let parameters = value.get("supported_parameters").and_then(Value::as_array);
    let tools = match parameters {
        Some(parameters) => Some(parameters.iter().any(|known| known == "tools")),
        None => value
            .pointer("/capabilities/function_calling")
            .and_then(Value::as_bool),
    };
    Some(ModelInfo {
        id: text(value, "/id")
            .or_else(|| text(value, "/name"))?
            .to_owned(),
        window: WINDOWS
            .iter()
            .find_map(|at| number(value, at))
            .filter(|&n| n > 0),
        tools,
    })
}
