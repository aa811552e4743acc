//! A model's thoughts within its answer: some servers send what is between `<think>` and `</think>`
//! as text. They are not part of the answer, and citations in them do not count.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Removes thoughts from text that arrives in pieces. Only an answer that begins with thoughts has
/// any: a later `<think>` is part of what the answer says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thoughts {
    state: State,
    /// Text that may still become the beginning or the end of a thought.
    held: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Beginning,
    Thinking,
    Answering,
}

impl Thoughts {
    /// Returns the part of `piece` that is answer.
    pub fn without(&mut self, piece: &str) -> String {
        if self.state == State::Answering {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        if self.state == State::Beginning {
            let begun = self.held.trim_start();
            if let Some(thought) = begun.strip_prefix(OPEN) {
                self.state = State::Thinking;
                self.held = thought.to_owned();
            } else if OPEN.starts_with(begun) {
                return String::new();
            } else {
                self.state = State::Answering;
                return begun.to_owned();
            }
        }
        match self.held.split_once(CLOSE) {
            Some((_, answer)) => {
                let answer = answer.trim_start().to_owned();
                self.held.clear();
                // Nothing yet: the line breaks after a thought may continue in the next piece.
                self.state = match answer.is_empty() {
                    true => State::Beginning,
                    false => State::Answering,
                };
                answer
            }
            None => {
                // Only a possible beginning of the closing tag has to be kept.
                let keep = self.held.len().saturating_sub(CLOSE.len());
                let keep = self.held.ceil_char_boundary(keep);
                self.held.drain(..keep);
                String::new()
            }
        }
    }

    /// Returns text that was held back and is answer after all: a few characters that looked like
    /// the start of a thought.
    pub fn rest(&mut self) -> String {
        match self.state {
            State::Beginning => std::mem::take(&mut self.held),
            State::Thinking | State::Answering => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(pieces: &[&str]) -> String {
        let mut thoughts = Thoughts::default();
        let mut text: String = pieces.iter().map(|piece| thoughts.without(piece)).collect();
        text.push_str(&thoughts.rest());
        text
    }

    #[test]
    fn thoughts_before_an_answer_are_not_part_of_it() {
        for (text, answer) in [
            ("<think>hm [a.py:1]</think>\n\nIt is so.", "It is so."),
            ("\n<think>é</think>ü", "ü"),
            (
                "<think></think>\n\n<thinker> is a tag",
                "<thinker> is a tag",
            ),
            ("It says <think>.", "It says <think>."),
            ("<th", "<th"),
            ("<b>bold", "<b>bold"),
            ("<think>never ends", ""),
            ("", ""),
        ] {
            assert_eq!(told(&[text]), answer, "{text}");
            let characters: Vec<String> = text.chars().map(String::from).collect();
            let pieces: Vec<&str> = characters.iter().map(String::as_str).collect();
            assert_eq!(told(&pieces), answer, "{text}, character by character");
        }
    }
}
