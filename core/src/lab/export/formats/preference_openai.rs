//! OpenAI's rows for direct preference optimisation, which Together and Fireworks have adopted.

use serde_json::{Value, json};

use super::{Codec, Comparison, Format, OPENAI, Shape, list};

pub(super) const FORMAT: Format = Format {
    name: "preference-openai",
    tools: "OpenAI, Together, Fireworks",
    holds_system: true,
    shape: Shape::Pairs(Codec { write, read }),
    llama_factory: None,
    axolotl: None,
    mlx: false,
};

fn write(row: &Comparison) -> Value {
    json!({
        "input": { "messages": OPENAI.asked(row.system.as_deref(), &row.question) },
        "preferred_output": [OPENAI.message(OPENAI.assistant, &row.chosen)],
        "non_preferred_output": [OPENAI.message(OPENAI.assistant, &row.rejected)],
    })
}

fn read(value: &Value) -> Result<Comparison, String> {
    let input = value.get("input").ok_or("`input` is missing")?;
    let (system, question) = OPENAI.read_asked(list(input, "messages")?)?;
    Ok(Comparison {
        system,
        question,
        chosen: OPENAI.read_answer(list(value, "preferred_output")?)?,
        rejected: OPENAI.read_answer(list(value, "non_preferred_output")?)?,
    })
}
