//! `prompt` and `completion` as two strings. There is no room for a system text.

use serde_json::{Value, json};

use super::{Codec, Exchange, Format, Shape, said};

pub(super) const FORMAT: Format = Format {
    name: "prompt-completion",
    tools: "TRL, MLX, Together, LLaMA-Factory",
    holds_system: false,
    shape: Shape::Answers(Codec { write, read }),
    llama_factory: Some(describe),
    axolotl: None,
    mlx: true,
};

fn write(row: &Exchange) -> Value {
    json!({ "prompt": row.question, "completion": row.answer })
}

fn read(value: &Value) -> Result<Exchange, String> {
    Ok(Exchange {
        system: None,
        question: said(value, "prompt")?,
        answer: said(value, "completion")?,
    })
}

fn describe() -> Value {
    json!({ "columns": { "prompt": "prompt", "response": "completion" } })
}
