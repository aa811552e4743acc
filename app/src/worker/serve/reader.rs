//! Reads texts for pipelines on the page, with the workers of the encoders and of the code language
//! model.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use footnote_core::chunk::{ChunkId, Cut};
use footnote_core::compress::Pass;
use footnote_core::compress::score::ami::Ami;
use footnote_core::embed::{Embedding, LineVectors, Quantised};
use footnote_core::index::{ContentKey, Index, Vectors};
use footnote_core::model::protocol::Chat;
use footnote_core::pipeline::Reader;
use footnote_core::search::{BertScore, Question};
use footnote_core::source::FileId;

use crate::platform::clock::now_ms;
use crate::worker::protocol::{AsksFirstView, QueryLeave, SentFirst};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::code_model::CodeModels;
use crate::worker::serve::connect::{Connection, Connector};
use crate::worker::serve::encoders::Encoders;
use crate::worker::serve::repo::OpenRepo;

/// The purpose of a pipeline's request, as shown in the ledger.
fn purpose(sent: SentFirst) -> &'static str {
    match sent {
        SentFirst::Question => "what to search for",
        SentFirst::FileNames => "which files answer",
    }
}

/// The open repository cut in another way, and the vectors computed for its chunks.
pub struct OtherCut {
    pub cut: Cut,
    pub index: Index,
    known: RefCell<BTreeMap<ContentKey, Quantised>>,
}

impl OtherCut {
    pub fn new(cut: Cut, index: Index) -> Self {
        Self {
            cut,
            index,
            known: RefCell::default(),
        }
    }

    /// Returns the vectors of those of these chunks that have one.
    fn vectors_of(
        &self,
        dimension: usize,
        chunks: impl Iterator<Item = (ChunkId, ContentKey)>,
    ) -> Vectors {
        let known = self.known.borrow();
        let mut vectors = Vectors::new(dimension, self.index.chunks.len());
        for (chunk, key) in chunks {
            if let Some(vector) = known.get(&key) {
                vectors.set(chunk, vector);
            }
        }
        vectors
    }
}

/// Reads for one run of a pipeline.
pub struct PageReader<'a> {
    encoders: &'a Rc<Encoders>,
    code_models: &'a Rc<CodeModels>,
    open: &'a Rc<OpenRepo>,
    other: Option<&'a OtherCut>,
    /// The vectors of the other cut that this run compares.
    vectors: RefCell<Vectors>,
    /// Whether the transformer is used.
    is_close: bool,
    /// Who may write the search query or choose files.
    writer: Writer<'a>,
    cancel: &'a Cancel,
}

/// Who writes the search query or chooses files.
#[derive(Clone, Copy)]
pub enum Writer<'a> {
    /// The connected model, as far as the user agreed.
    Consent(&'a Consent<'a>),
    /// Nobody; holds the reason.
    Nobody(&'static str),
}

/// What the user agreed to send to the connected model.
pub struct Consent<'a> {
    connector: &'a Connector,
    connection: &'a Connection,
    leave: &'a QueryLeave,
    /// What was not sent, because the user has not seen it yet.
    held: RefCell<Option<AsksFirstView>>,
    /// The files of the list that a model chooses from.
    shortlist: RefCell<Option<Vec<FileId>>>,
}

/// What was held back in a run: what the user has to see, and the list of files in it.
pub struct Held {
    pub first: AsksFirstView,
    pub shortlist: Option<Vec<FileId>>,
}

impl<'a> Consent<'a> {
    /// The user has seen `shortlist` already, if there is one: a search that is made again may find
    /// other files meanwhile.
    pub fn new(
        connector: &'a Connector,
        connection: &'a Connection,
        leave: &'a QueryLeave,
        shortlist: Option<Vec<FileId>>,
    ) -> Self {
        Self {
            connector,
            connection,
            leave,
            held: RefCell::default(),
            shortlist: RefCell::new(shortlist),
        }
    }

    /// What the user has to see before `chat` is sent; `None` if it may be sent.
    pub fn asks_first(&self, chat: &Chat) -> Option<AsksFirstView> {
        let first = AsksFirstView {
            model: self.connection.model.clone(),
            address: self.connection.service.base.clone(),
            sent: sent_first(chat),
            said: chat.said(),
        };
        (!is_granted(self.leave, &first)).then_some(first)
    }

    /// What was held back in the run.
    pub fn held(self) -> Option<Held> {
        Some(Held {
            first: self.held.into_inner()?,
            shortlist: self.shortlist.into_inner(),
        })
    }
}

fn sent_first(chat: &Chat) -> SentFirst {
    match chat.choices.is_empty() {
        true => SentFirst::Question,
        false => SentFirst::FileNames,
    }
}

/// Whether the user allowed exactly this.
fn is_granted(leave: &QueryLeave, first: &AsksFirstView) -> bool {
    match leave {
        QueryLeave::To {
            model,
            address,
            sent,
            texts,
        } => {
            (model, address, *sent) == (&first.model, &first.address, first.sent)
                && texts.include(&first.said)
        }
        QueryLeave::Unasked | QueryLeave::Never => false,
    }
}

impl<'a> PageReader<'a> {
    /// Creates a reader; without an `other` cut, it works on the chunks of the open repository as
    /// they are.
    pub fn new(
        (encoders, code_models): (&'a Rc<Encoders>, &'a Rc<CodeModels>),
        open: &'a Rc<OpenRepo>,
        other: Option<&'a OtherCut>,
        cancel: &'a Cancel,
    ) -> Self {
        Self {
            encoders,
            code_models,
            open,
            other,
            vectors: RefCell::new(Vectors::new(1, 0)),
            is_close: true,
            writer: Writer::Nobody("no language model was asked"),
            cancel,
        }
    }

    /// Lets `writer` write the search query or choose files.
    pub fn with_writer(mut self, writer: Writer<'a>) -> Self {
        self.writer = writer;
        self
    }

    /// Turns the transformer off; the static encoder's vectors are those of the index.
    pub fn by_table_alone(mut self) -> Self {
        self.is_close = false;
        self
    }

    /// Computes the vectors of exactly these chunks: what a run compares does not depend on earlier
    /// runs.
    async fn compare_other(
        &self,
        other: &OtherCut,
        question: &Question,
        chunks: &[ChunkId],
    ) -> Option<Embedding> {
        let texts: Vec<String> = chunks
            .iter()
            .map(|&chunk| other.index.embedding_text(chunk))
            .collect();
        let model = self.encoders.model();
        let key = |text: &String| ContentKey::of(&model.id, text);
        let keys: Vec<ContentKey> = texts.iter().map(key).collect();
        let missing: Vec<(ContentKey, String)> = {
            let known = other.known.borrow();
            let all = keys.iter().copied().zip(texts);
            all.filter(|(key, _)| !known.contains_key(key)).collect()
        };
        let texts: Vec<String> = missing.iter().map(|(_, text)| text.clone()).collect();
        let made = self.encoders.embed(self.open, &texts, self.cancel).await;
        let made = missing.into_iter().map(|(key, _)| key).zip(made);
        let made = made.filter_map(|(key, it)| Some((key, Quantised::new(&it?))));
        other.known.borrow_mut().extend(made);
        let compared = chunks.iter().copied().zip(keys);
        let vectors = other.vectors_of(model.dimension, compared);
        self.vectors.replace(vectors);
        let question = [question.text().to_owned()];
        let own = self.encoders.embed(self.open, &question, self.cancel).await;
        own.into_iter().next().flatten()
    }
}

impl Reader for PageReader<'_> {
    fn with_vectors<T>(&self, look: impl FnOnce(&Vectors) -> T) -> T {
        match self.other {
            // The number of vectors so far must not change the results of a search that does not
            // use them.
            None if self.is_close => look(&self.open.vectors.borrow()),
            _ => look(&self.vectors.borrow()),
        }
    }

    async fn compare(&self, question: &Question, chunks: &[ChunkId]) -> Option<Embedding> {
        if !self.is_close {
            return None;
        }
        match self.other {
            Some(other) => self.compare_other(other, question, chunks).await,
            None => {
                self.encoders
                    .compare(self.open, question, self.cancel)
                    .await
            }
        }
    }

    async fn line_vectors(&self, passes: &[Pass]) -> Vec<Option<LineVectors>> {
        if !self.is_close {
            return vec![None; passes.len()];
        }
        let model = self.encoders.model();
        let keys: Vec<ContentKey> = passes.iter().map(|pass| pass.key(&model.id)).collect();
        let mut vectors: Vec<Option<LineVectors>> = {
            let kept = self.open.lines.borrow();
            keys.iter().map(|key| kept.get(key)).collect()
        };
        let all = (0..).zip(&vectors);
        let missing = all.filter(|(_, kept)| kept.is_none()).map(|(at, _)| at);
        let missing: Vec<usize> = missing.collect();
        let texts = missing.iter().filter_map(|&at| passes.get(at));
        let texts: Vec<String> = texts.map(|pass| pass.text.clone()).collect();
        let read = self
            .encoders
            .line_vectors(self.open, &texts, self.cancel)
            .await;
        for (at, read) in missing.into_iter().zip(read) {
            if let (Some(key), Some(read)) = (keys.get(at), &read) {
                self.open.lines.borrow_mut().keep(*key, read);
            }
            if let Some(slot) = vectors.get_mut(at) {
                *slot = read;
            }
        }
        vectors
    }

    async fn code_model(&self) -> Result<String, String> {
        self.code_models.id(self.cancel).await
    }

    async fn perplexities(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        self.code_models
            .perplexities(self.open, texts, self.cancel)
            .await
    }

    async fn ami(&self, question: &str, blocks: &[Vec<String>]) -> Result<Vec<Vec<Ami>>, String> {
        self.code_models.ami(question, blocks, self.cancel).await
    }

    async fn bert_scores(&self, question: &str, texts: &[String]) -> Option<Vec<BertScore>> {
        if !self.is_close {
            return None;
        }
        self.encoders
            .bert_scores(self.open, question, texts, self.cancel)
            .await
    }

    fn shortlist(&self, files: Vec<FileId>) -> Vec<FileId> {
        match self.writer {
            Writer::Consent(consent) => {
                let mut shortlist = consent.shortlist.borrow_mut();
                shortlist.get_or_insert(files).clone()
            }
            Writer::Nobody(_) => files,
        }
    }

    async fn write(&self, chat: Chat) -> Result<String, String> {
        let consent = match self.writer {
            Writer::Consent(consent) => consent,
            Writer::Nobody(why) => return Err(why.to_owned()),
        };
        if let Some(first) = consent.asks_first(&chat) {
            consent.held.replace(Some(first));
            return Err("you have not yet seen what would be sent".to_owned());
        }
        let (connector, connection) = (consent.connector, consent.connection);
        let purpose = purpose(sent_first(&chat));
        let chat = Chat {
            model: connection.model.clone(),
            window: Some(connection.window),
            ..chat
        };
        let asked = connector.ask(connection, purpose, chat, self.cancel, &());
        let whole = asked.await.map_err(|failure| failure.what())?;
        match whole.is_cut && whole.text.trim().is_empty() {
            true => Err("the model's answer was cut off before it began".to_owned()),
            false => Ok(whole.text),
        }
    }

    fn now_ms(&self) -> f64 {
        now_ms()
    }
}
