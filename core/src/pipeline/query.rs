//! The text that is searched for: the question itself, or what a language model makes of it first
//! (Code2Text, sections 3.1 and 3.2, table 1b).
//!
//! To add a way, add a [`Form`] to [`FORMS`].

use crate::model::prompt::fence;
use crate::model::protocol::{Chat, Message, Sampling};
use crate::search::Question;

/// Most tokens that a model may write: a line of code and its explanation.
const MAX_TOKENS: u32 = 300;

/// Characters of a question that a model is shown, counted from its end, because the end of
/// unfinished code says most.
const MAX_CHARACTERS: usize = 12_000;

/// A way to make the text that is searched for.
struct Form {
    name: &'static str,
    /// The model's task for a question, and for unfinished code; `None` if no model is asked.
    task: Option<Task>,
}

struct Task {
    question: &'static str,
    code: &'static str,
}

static FORMS: &[Form] = &[
    Form {
        name: "original",
        task: None,
    },
    Form {
        name: "auto",
        task: Some(Task {
            question: "Convert the given question into natural language text that describes the \
                       code which answers it:",
            code: "Convert the given incomplete code snippet into natural language text:",
        }),
    },
    Form {
        name: "pred",
        task: Some(Task {
            question: "Predict the line of code that answers the following question and output \
                       it. Make sure to only output the prediction.",
            code: "Predict the next line of the following code and output it. Make sure to only \
                   output the prediction.",
        }),
    },
    Form {
        name: "pred-explain",
        task: Some(Task {
            question: "Please predict and output the line of code that answers the following \
                       question. Then, explain why you made that prediction.",
            code: "Please predict and output the next line of the following code. Then, explain \
                   why you made that prediction.",
        }),
    },
];

/// The text that is searched for: an index into the list of forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Query(usize);

impl Query {
    /// All forms; the question itself comes first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..FORMS.len()).map(Self)
    }

    /// The form with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|query| query.name() == name)
    }

    /// Its name on command lines and in records.
    pub fn name(self) -> &'static str {
        self.form().name
    }

    /// Whether a language model is asked before the search.
    pub fn asks_model(self) -> bool {
        self.form().task.is_some()
    }

    /// The request to a model, without the model's name; `None` if no model is asked. `repository`
    /// is the repository's name, which the paper's prompts give too.
    pub fn chat(self, question: &Question, repository: &str) -> Option<Chat> {
        let task = self.form().task.as_ref()?;
        let text = last(question.text(), MAX_CHARACTERS);
        let (common, task) = match text.contains("```") {
            true => ("You will be given the unfinished code snippet.", task.code),
            false => (
                "You will be given a question about a code repository.",
                task.question,
            ),
        };
        let mut chat = Chat::new("", format!("{common} {task}"));
        chat.max_tokens = MAX_TOKENS;
        chat.sampling = Sampling {
            temperature: 0.0,
            ..Sampling::default()
        };
        let shown = format!("Repository name: {}\n\n{text}", fence::clean(repository));
        chat.messages = vec![Message::User(shown)];
        Some(chat)
    }

    fn form(self) -> &'static Form {
        // The index always comes from the list.
        FORMS.get(self.0).unwrap_or(&FORMS[0])
    }
}

/// The last `most` characters of a text.
fn last(text: &str, most: usize) -> &str {
    let skipped = text.chars().count().saturating_sub(most);
    let start = text.char_indices().nth(skipped).map_or(0, |(at, _)| at);
    text.get(start..).unwrap_or(text)
}

/// A model's rewriting of a question before the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The form.
    pub query: Query,
    /// The exact text that was searched for, or why the question itself was.
    pub text: Result<String, String>,
}

/// Turns a model's reply into a question to search for, in the files of `question`.
pub(super) fn read(question: &Question, reply: &str) -> Result<Question, String> {
    let read = Question::new(unfenced(reply.trim()));
    let read = read.map_err(|_| "the model wrote nothing that can be searched for".to_owned())?;
    Ok(match question.limits() {
        Some(within) => read.within(within.clone()),
        None => read,
    })
}

/// The text without a fence around all of it.
fn unfenced(text: &str) -> &str {
    let inner = text
        .strip_prefix("```")
        .and_then(|it| it.strip_suffix("```"));
    let inner = inner.filter(|inner| !inner.contains("```"));
    inner
        .and_then(|inner| inner.split_once('\n'))
        .map_or(text, |(_, code)| code.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_only_the_question_itself_asks_no_model() {
        for query in Query::all() {
            assert_eq!(Query::from_name(query.name()), Some(query));
            assert_eq!(query.asks_model(), query != Query::default());
        }
        assert_eq!(Query::from_name("guess"), None);
    }

    #[test]
    fn a_question_and_unfinished_code_are_asked_as_what_they_are() {
        let pred = Query::from_name("pred").unwrap();
        for (text, expected) in [
            ("How are redirects followed?", "line of code that answers"),
            (
                "What does this need?\n```python\nx = 1\n```",
                "next line of the following code",
            ),
        ] {
            let question = Question::new(text).unwrap();
            let chat = pred.chat(&question, "requests-2.32.5").unwrap();
            assert!(chat.system.contains(expected), "{}", chat.system);
            let [Message::User(shown)] = &chat.messages[..] else {
                panic!("{:?}", chat.messages);
            };
            assert!(shown.contains(text) && shown.contains("requests-2.32.5"));
            assert!(
                !chat.system.contains("requests"),
                "no text of a repository stands there"
            );
        }
    }

    #[test]
    fn a_fence_around_the_whole_reply_is_not_part_of_it() {
        for (reply, expected) in [
            ("```python\nreturn f(x)\n```", "return f(x)"),
            ("return f(x)", "return f(x)"),
            (
                "```a\nb\n``` and ```\nc\n```",
                "```a\nb\n``` and ```\nc\n```",
            ),
        ] {
            assert_eq!(unfenced(reply), expected);
        }
        let question = Question::new("redirects").unwrap();
        for nothing in ["", "```\n```", "…"] {
            assert!(read(&question, nothing).is_err(), "{nothing}");
        }
    }
}
