//! TRL's preference rows in its conversational form: with plain strings TRL applies no chat
//! template.

use serde_json::{Value, json};

use super::{Codec, Comparison, Format, OPENAI, Shape, list};

pub(super) const FORMAT: Format = Format {
    name: "preference",
    tools: "TRL; Axolotl with `type: chat_template.default` and `field_messages: prompt`",
    holds_system: true,
    shape: Shape::Pairs(Codec { write, read }),
    llama_factory: None,
    axolotl: None,
    mlx: false,
};

fn write(row: &Comparison) -> Value {
    json!({
        "prompt": OPENAI.asked(row.system.as_deref(), &row.question),
        "chosen": [OPENAI.message(OPENAI.assistant, &row.chosen)],
        "rejected": [OPENAI.message(OPENAI.assistant, &row.rejected)],
    })
}

fn read(value: &Value) -> Result<Comparison, String> {
    let (system, question) = OPENAI.read_asked(list(value, "prompt")?)?;
    Ok(Comparison {
        system,
        question,
        chosen: OPENAI.read_answer(list(value, "chosen")?)?,
        rejected: OPENAI.read_answer(list(value, "rejected")?)?,
    })
}
