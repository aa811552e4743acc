//! Chat rows, as introduced by OpenAI and read by nearly every trainer.

use serde_json::{Value, json};

use super::{Codec, Exchange, Format, OPENAI, Shape, list};

pub(super) const FORMAT: Format = Format {
    name: "messages",
    tools: "TRL, Axolotl, Unsloth, LLaMA-Factory, MLX, Together, OpenAI",
    holds_system: true,
    shape: Shape::Answers(Codec { write, read }),
    llama_factory: Some(describe),
    axolotl: Some("type: chat_template\nfield_messages: messages\n"),
    mlx: true,
};

fn write(row: &Exchange) -> Value {
    let mut messages = OPENAI.asked(row.system.as_deref(), &row.question);
    messages.push(OPENAI.message(OPENAI.assistant, &row.answer));
    json!({ "messages": messages })
}

fn read(value: &Value) -> Result<Exchange, String> {
    OPENAI.read_exchange(list(value, "messages")?)
}

fn describe() -> Value {
    json!({
        "formatting": "sharegpt",
        "columns": { "messages": "messages" },
        "tags": {
            "role_tag": "role",
            "content_tag": "content",
            "user_tag": "user",
            "assistant_tag": "assistant",
            "system_tag": "system",
        },
    })
}
