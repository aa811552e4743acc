//! Stanford Alpaca's rows with LLaMA-Factory's `system`. All columns are always present, because
//! LLaMA-Factory reads each of them from each row.

use serde_json::{Value, json};

use super::{Codec, Exchange, Format, Shape, optional, said};

pub(super) const FORMAT: Format = Format {
    name: "alpaca",
    tools: "LLaMA-Factory, Unsloth",
    holds_system: true,
    shape: Shape::Answers(Codec { write, read }),
    llama_factory: Some(describe),
    axolotl: None,
    mlx: false,
};

fn write(row: &Exchange) -> Value {
    json!({
        "instruction": row.question,
        "input": "",
        "output": row.answer,
        "system": row.system.as_deref().unwrap_or_default(),
    })
}

/// Appends `input` to the instruction, as LLaMA-Factory does.
fn read(value: &Value) -> Result<Exchange, String> {
    let mut question = said(value, "instruction")?;
    if let Some(input) = optional(value, "input")? {
        question.push('\n');
        question.push_str(&input);
    }
    if value
        .get("history")
        .and_then(Value::as_array)
        .is_some_and(|turns| !turns.is_empty())
    {
        return Err("there is more than one question".to_owned());
    }
    Ok(Exchange {
        system: optional(value, "system")?,
        question,
        answer: said(value, "output")?,
    })
}

fn describe() -> Value {
    json!({
        "columns": {
            "prompt": "instruction",
            "query": "input",
            "response": "output",
            "system": "system",
        },
    })
}
