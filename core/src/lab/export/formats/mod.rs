//! The formats, one per file. To add one, write its file, its `mod` line and its line in
//! [`FORMATS`].

mod alpaca;
mod messages;
mod preference;
mod preference_llama_factory;
mod preference_openai;
mod prompt_completion;
mod sharegpt;

use serde_json::Value;

/// All formats, with the one that most tools read first.
pub static FORMATS: &[Format] = &[
    messages::FORMAT,
    prompt_completion::FORMAT,
    alpaca::FORMAT,
    sharegpt::FORMAT,
    preference::FORMAT,
    preference_openai::FORMAT,
    preference_llama_factory::FORMAT,
];

/// A question and its answer, as a row holds them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Exchange {
    pub(super) system: Option<String>,
    pub(super) question: String,
    pub(super) answer: String,
}

/// A question with a better and a worse answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Comparison {
    pub(super) system: Option<String>,
    pub(super) question: String,
    pub(super) chosen: String,
    pub(super) rejected: String,
}

/// Converts a row to a JSON object and back. Reading says what is wrong.
#[derive(Debug)]
pub(super) struct Codec<T> {
    pub(super) write: fn(&T) -> Value,
    pub(super) read: fn(&Value) -> Result<T, String>,
}

/// The kind of rows in the format.
#[derive(Debug)]
pub(super) enum Shape {
    Answers(Codec<Exchange>),
    Pairs(Codec<Comparison>),
}

/// A format of rows.
#[derive(Debug)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// The tools that read it, for the card.
    pub tools: &'static str,
    /// Whether a row has room for a system text.
    pub holds_system: bool,
    pub(super) shape: Shape,
    /// LLaMA-Factory's description, without the file name; `None` if it cannot read the format.
    pub(super) llama_factory: Option<fn() -> Value>,
    /// Axolotl's lines of a data set, below `ds_type`; `None` if it cannot apply the model's own
    /// template to it.
    pub(super) axolotl: Option<&'static str>,
    /// Whether `mlx_lm.lora` reads the files.
    pub(super) mlx: bool,
}

impl Format {
    /// Whether a row is a question with one answer, rather than a pair of answers.
    pub fn answers(&self) -> bool {
        matches!(self.shape, Shape::Answers(_))
    }

    fn reads(&self, value: &Value) -> bool {
        match &self.shape {
            Shape::Answers(codec) => (codec.read)(value).is_ok(),
            Shape::Pairs(codec) => (codec.read)(value).is_ok(),
        }
    }
}

/// The format with this name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// Detects the format of a file from the first line that is a row of any format.
pub fn detect(jsonl: &str) -> Option<&'static Format> {
    jsonl
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|value| FORMATS.iter().find(|format| format.reads(&value)))
}

/// The text of `key`, which has to be a string.
fn text(value: &Value, key: &str) -> Result<String, String> {
    match value.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(format!("`{key}` is not a string")),
        None => Err(format!("`{key}` is missing")),
    }
}

/// The text of `key`, which must not be blank.
fn said(value: &Value, key: &str) -> Result<String, String> {
    let text = text(value, key)?;
    if text.trim().is_empty() {
        return Err(format!("`{key}` is empty"));
    }
    Ok(text)
}

/// The text of `key`, unless it is missing, null or blank.
fn optional(value: &Value, key: &str) -> Result<Option<String>, String> {
    match value.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(_) => Ok(Some(text(value, key)?).filter(|text| !text.trim().is_empty())),
    }
}

/// The keys and roles of a chat format.
#[derive(Clone, Copy)]
struct Words {
    role: &'static str,
    content: &'static str,
    system: &'static str,
    user: &'static str,
    assistant: &'static str,
}

const OPENAI: Words = Words {
    role: "role",
    content: "content",
    system: "system",
    user: "user",
    assistant: "assistant",
};

const SHAREGPT: Words = Words {
    role: "from",
    content: "value",
    system: "system",
    user: "human",
    assistant: "gpt",
};

impl Words {
    fn message(self, role: &str, content: &str) -> Value {
        let mut message = serde_json::Map::new();
        message.insert(self.role.to_owned(), role.into());
        message.insert(self.content.to_owned(), content.into());
        Value::Object(message)
    }

    /// The messages before the answer.
    fn asked(self, system: Option<&str>, question: &str) -> Vec<Value> {
        let mut messages = Vec::new();
        if let Some(system) = system {
            messages.push(self.message(self.system, system));
        }
        messages.push(self.message(self.user, question));
        messages
    }

    /// The text of a message, which has to have that role.
    fn content_of(self, message: &Value, role: &str) -> Result<String, String> {
        let found = text(message, self.role)?;
        if found != role {
            return Err(format!(
                "a message is of `{found}` where `{role}` should speak"
            ));
        }
        said(message, self.content)
    }

    /// The system text and the question, from messages with one question.
    fn read_asked(self, messages: &[Value]) -> Result<(Option<String>, String), String> {
        match messages {
            [user] => Ok((None, self.content_of(user, self.user)?)),
            [system, user] => Ok((
                Some(self.content_of(system, self.system)?),
                self.content_of(user, self.user)?,
            )),
            [] => Err("there is no message".to_owned()),
            _ => Err("there is more than one question".to_owned()),
        }
    }

    /// The answer, from a list with only one message.
    fn read_answer(self, messages: &[Value]) -> Result<String, String> {
        match messages {
            [answer] => self.content_of(answer, self.assistant),
            _ => Err(format!(
                "there are {} answers instead of one",
                messages.len()
            )),
        }
    }

    /// The question and answer of a whole conversation.
    fn read_exchange(self, messages: &[Value]) -> Result<Exchange, String> {
        let Some((answer, asked)) = messages.split_last() else {
            return Err("there is no message".to_owned());
        };
        let (system, question) = self.read_asked(asked)?;
        let answer = self.content_of(answer, self.assistant)?;
        Ok(Exchange {
            system,
            question,
            answer,
        })
    }
}

/// The list of `key`, which has to be a list.
fn list<'v>(value: &'v Value, key: &str) -> Result<&'v [Value], String> {
    match value.get(key) {
        Some(Value::Array(list)) => Ok(list),
        Some(_) => Err(format!("`{key}` is not a list")),
        None => Err(format!("`{key}` is missing")),
    }
}
