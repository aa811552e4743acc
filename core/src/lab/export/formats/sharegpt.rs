//! ShareGPT's conversations. Tools call the form deprecated but still read it.

use serde_json::{Value, json};

use super::{Codec, Exchange, Format, SHAREGPT, Shape, list};

pub(super) const FORMAT: Format = Format {
    name: "sharegpt",
    tools: "LLaMA-Factory, Axolotl, Unsloth",
    holds_system: true,
    shape: Shape::Answers(Codec { write, read }),
    llama_factory: Some(describe),
    axolotl: Some(
        "type: chat_template\n\
         field_messages: conversations\n\
         message_property_mappings:\n\
         \x20 role: from\n\
         \x20 content: value\n",
    ),
    mlx: false,
};

fn write(row: &Exchange) -> Value {
    let mut messages = SHAREGPT.asked(row.system.as_deref(), &row.question);
    messages.push(SHAREGPT.message(SHAREGPT.assistant, &row.answer));
    json!({ "conversations": messages })
}

fn read(value: &Value) -> Result<Exchange, String> {
    if value.get("chosen").is_some() {
        return Err("the row is a pair".to_owned());
    }
    SHAREGPT.read_exchange(list(value, "conversations")?)
}

fn describe() -> Value {
    json!({ "formatting": "sharegpt", "columns": { "messages": "conversations" } })
}
