//! LLaMA-Factory's ranked conversations. An answer is a single message, where TRL has a list of
//! messages.

use serde_json::{Value, json};

use super::{Codec, Comparison, Format, SHAREGPT, Shape, list};

pub(super) const FORMAT: Format = Format {
    name: "preference-llama-factory",
    tools: "LLaMA-Factory",
    holds_system: true,
    shape: Shape::Pairs(Codec { write, read }),
    llama_factory: Some(describe),
    axolotl: None,
    mlx: false,
};

fn write(row: &Comparison) -> Value {
    json!({
        "conversations": SHAREGPT.asked(row.system.as_deref(), &row.question),
        "chosen": SHAREGPT.message(SHAREGPT.assistant, &row.chosen),
        "rejected": SHAREGPT.message(SHAREGPT.assistant, &row.rejected),
    })
}

fn read(value: &Value) -> Result<Comparison, String> {
    let (system, question) = SHAREGPT.read_asked(list(value, "conversations")?)?;
    let answer = |key: &str| {
        let message = value
            .get(key)
            .ok_or_else(|| format!("`{key}` is missing"))?;
        SHAREGPT.content_of(message, SHAREGPT.assistant)
    };
    Ok(Comparison {
        system,
        question,
        chosen: answer("chosen")?,
        rejected: answer("rejected")?,
    })
}

fn describe() -> Value {
    json!({
        "formatting": "sharegpt",
        "ranking": true,
        "columns": {
            "messages": "conversations",
            "chosen": "chosen",
            "rejected": "rejected",
        },
    })
}
