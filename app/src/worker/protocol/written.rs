//! Language models on the wire: what one wrote, how it was checked, and what is sent to one.

use serde::{Deserialize, Serialize};

use super::{CountsView, FootnoteView, Notice, Tally};

/// Lines of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PlaceView {
    pub path: String,
    pub start: u32,
    pub end: u32,
}

/// A block of a written answer. It contains no HTML and loads nothing by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum BlockView {
    Paragraph(Vec<InlineView>),
    Heading {
        level: u8,
        inlines: Vec<InlineView>,
    },
    Code {
        language: String,
        text: String,
    },
    List {
        /// The first number, if the list is numbered.
        start: Option<u32>,
        items: Vec<Vec<BlockView>>,
    },
    Quote(Vec<BlockView>),
    Table {
        head: Vec<Vec<InlineView>>,
        rows: Vec<Vec<Vec<InlineView>>>,
    },
    Rule,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum InlineView {
    Text(String),
    Code(String),
    Strong(Vec<InlineView>),
    Emphasis(Vec<InlineView>),
    Struck(Vec<InlineView>),
    /// Words of a contradicted statement.
    Wrong(Vec<InlineView>),
    /// A link or a picture: its text, and the address as text.
    Link {
        inlines: Vec<InlineView>,
        address: String,
    },
    LineBreak,
    /// The footnote with this number.
    Note(u32),
    /// The statement before it has no source at all.
    Uncited,
    /// A citation that is not checked yet, because its statement is still being written.
    Pending,
}

/// Something that happened before the answer was complete, such as lines that the model asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepView {
    pub summary: String,
    pub places: Vec<PlaceView>,
}

/// The progress of the writing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum WritingState {
    /// A follow-up is being rewritten as a standalone question.
    Rewriting,
    /// Sent; nothing has arrived yet.
    #[default]
    Sent,
    /// The service refused for now; the request will be repeated.
    Waiting {
        seconds: u32,
        why: String,
    },
    Writing,
    Finished,
    /// The model stopped at its token limit.
    CutOff,
    /// The user stopped it.
    Stopped,
    Failed(Notice),
}

impl WritingState {
    pub fn is_over(&self) -> bool {
        matches!(
            self,
            WritingState::Finished
                | WritingState::CutOff
                | WritingState::Stopped
                | WritingState::Failed(_)
        )
    }
}

/// An answer that a language model wrote, with every citation checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WrittenView {
    pub state: WritingState,
    /// The raw text: Markdown with citations.
    pub text: String,
    pub blocks: Vec<BlockView>,
    /// In reading order, from 1.
    pub footnotes: Vec<FootnoteView>,
    pub counts: CountsView,
    /// The footnote numbers of each statement; empty for answers of earlier versions.
    pub cited: Vec<Vec<u32>>,
    /// It was imported from a file: it is unknown who wrote it and what was sent.
    pub is_imported: bool,
    pub model: String,
    /// Scheme, host and port of the service.
    pub origin: String,
    /// The standalone question that was asked, if it was made from a follow-up.
    pub standalone: Option<String>,
    pub steps: Vec<StepView>,
    /// Everything of the repository that the model was shown.
    pub sent: Vec<PlaceView>,
    /// Requests that were sent for it, including those that were refused and repeated.
    pub sent_requests: u32,
    /// Over all requests.
    pub sent_tokens: u32,
    pub sent_bytes: u32,
    /// Tokens that the model wrote for it, as counted by the service; `None` if the service did not
    /// count all of its requests.
    pub written_tokens: Option<u32>,
    /// Milliseconds from sending to the end.
    pub milliseconds: f64,
}

/// The changes to a [`WrittenView`] since the last patch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WritingPatch {
    /// Number of leading blocks that stay; those of `view` replace the rest.
    pub kept_blocks: u32,
    /// Bytes of the text that stay; `view` has the rest.
    pub kept_text: u32,
    /// Number of footnotes that stay; those of `view` follow.
    pub kept_footnotes: u32,
    pub view: WrittenView,
}

impl WrittenView {
    /// Returns the parts of `self` that `before` does not have.
    pub fn since(&self, before: &WrittenView) -> WritingPatch {
        let kept_blocks = alike(&self.blocks, &before.blocks);
        let kept_footnotes = alike(&self.footnotes, &before.footnotes);
        let kept_text = match self.text.starts_with(&before.text) {
            true => before.text.len(),
            false => 0,
        };
        WritingPatch {
            kept_blocks: kept_blocks as u32,
            kept_text: kept_text as u32,
            kept_footnotes: kept_footnotes as u32,
            view: WrittenView {
                blocks: self.blocks.get(kept_blocks..).unwrap_or_default().to_vec(),
                footnotes: self
                    .footnotes
                    .get(kept_footnotes..)
                    .unwrap_or_default()
                    .to_vec(),
                text: self.text.get(kept_text..).unwrap_or_default().to_owned(),
                ..self.clone_without_body()
            },
        }
    }

    /// Adds a request that is being sent for it.
    pub fn count(&mut self, sent: Tally) {
        self.sent_requests += sent.requests;
        self.sent_tokens += sent.tokens;
        self.sent_bytes += sent.bytes;
    }

    /// Everything that was sent for it.
    pub fn tally(&self) -> Tally {
        Tally {
            requests: self.sent_requests,
            tokens: self.sent_tokens,
            bytes: self.sent_bytes,
        }
    }

    fn clone_without_body(&self) -> WrittenView {
        WrittenView {
            state: self.state.clone(),
            text: String::new(),
            blocks: Vec::new(),
            footnotes: Vec::new(),
            counts: self.counts,
            cited: self.cited.clone(),
            is_imported: self.is_imported,
            model: self.model.clone(),
            origin: self.origin.clone(),
            standalone: self.standalone.clone(),
            steps: self.steps.clone(),
            sent: self.sent.clone(),
            sent_requests: self.sent_requests,
            sent_tokens: self.sent_tokens,
            sent_bytes: self.sent_bytes,
            written_tokens: self.written_tokens,
            milliseconds: self.milliseconds,
        }
    }

    /// Applies a patch.
    pub fn apply(&mut self, patch: WritingPatch) {
        let mut blocks = std::mem::take(&mut self.blocks);
        let mut footnotes = std::mem::take(&mut self.footnotes);
        let mut text = std::mem::take(&mut self.text);
        footnotes.truncate(patch.kept_footnotes as usize);
        blocks.truncate(patch.kept_blocks as usize);
        let kept = text.floor_char_boundary(patch.kept_text as usize);
        text.truncate(kept);
        *self = patch.view;
        blocks.append(&mut self.blocks);
        footnotes.append(&mut self.footnotes);
        text.push_str(&self.text);
        self.footnotes = footnotes;
        self.blocks = blocks;
        self.text = text;
    }
}

/// Length of the common prefix.
fn alike<T: PartialEq>(new: &[T], old: &[T]) -> usize {
    let pairs = new.iter().zip(old);
    pairs.take_while(|(new, old)| new == old).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(texts: &[&str]) -> WrittenView {
        let block = |text: &&str| BlockView::Paragraph(vec![InlineView::Text((*text).into())]);
        let footnote = |(path, number): (&&str, u32)| FootnoteView {
            number,
            path: (*path).into(),
            start: 1,
            end: 2,
            ..FootnoteView::default()
        };
        WrittenView {
            text: texts.join("\n\n"),
            blocks: texts.iter().map(block).collect(),
            footnotes: texts.iter().zip(1..).map(footnote).collect(),
            ..WrittenView::default()
        }
    }

    #[test]
    fn a_patch_brings_only_what_changed_and_leads_to_the_same_answer() {
        for (before, after, kept) in [
            (vec![], vec!["a"], 0),
            (vec!["a"], vec!["a", "b"], 1),
            (vec!["a", "b"], vec!["a", "b c"], 1),
            (vec!["a", "b"], vec!["x"], 0),
            (vec!["é", "b"], vec!["é", "b", "ü"], 2),
        ] {
            let (mut known, next) = (written(&before), written(&after));
            let patch = next.since(&known);
            assert_eq!(patch.kept_blocks, kept, "{before:?} → {after:?}");
            assert_eq!(patch.kept_footnotes, kept, "{before:?} → {after:?}");
            assert_eq!(patch.view.footnotes.len(), after.len() - kept as usize);
            assert_eq!(patch.view.blocks.len(), after.len() - kept as usize);
            known.apply(patch);
            assert_eq!(known, next);
        }
    }
}
