//! Thoughts of a model in the middle of its answer: some servers send what stands between `<think>`
//! and `</think>` as text. They are no part of the answer, and their citations are none.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Takes thoughts out of text that comes in pieces. Only an answer that begins with them has any: a
/// `<think>` further on is something that the answer speaks of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thoughts {
    state: State,
    /// What may still become the beginning or the end of a thought.
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
    /// The part of `piece` that is answer.
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
                // Nothing yet: the line breaks after a thought may come in the next piece.
                self.state = match answer.is_empty() {
                    true => State::Beginning,
                    false => State::Answering,
                };
                answer
            }
            None => {
                // No more than the beginning of the end needs to be kept.
                let keep = self.held.len().saturating_sub(CLOSE.len());
                let keep = self.held.ceil_char_boundary(keep);
                self.held.drain(..keep);
                String::new()
            }
        }
    }

    /// What was held back and turned out to be answer: a few characters that began like a thought.
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
    fn thoughts_before_an_answer_are_no_part_of_it() {
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
