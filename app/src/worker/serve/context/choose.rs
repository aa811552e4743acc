//! Chooses the lines that a model is shown: retrieves, reads and compresses them.

use std::rc::Rc;

use footnote_core::answer::{self, HITS};
use footnote_core::compress::policy::Local;
use footnote_core::compress::{Boundaries, Budget, Compressed, Compressor, Piece, Scored};
use footnote_core::embed::Embedding;
use footnote_core::pipeline::Reading;
use footnote_core::search::{Question, Strategy, search};

use crate::worker::encoder_protocol::Backend;
use crate::worker::protocol::Notice;
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::code_model::CodeModels;
use crate::worker::serve::encoders::Encoders;
use crate::worker::serve::notices;
use crate::worker::serve::reader::PageReader;
use crate::worker::serve::repo::OpenRepo;

/// How many lines may be kept.
#[derive(Clone, Copy)]
pub struct Limits {
    pub(super) tokens: usize,
    /// Applies to each snippet; without a policy, all blocks compete.
    policy: Option<Local>,
}

impl Limits {
    /// At most `tokens` in total, and from each snippet what the policy of this name allows.
    pub fn new(tokens: u32, policy: &str) -> Self {
        Self {
            tokens: tokens as usize,
            policy: Local::from_name(policy),
        }
    }

    pub(super) fn budget(&self, scored: &Scored) -> Budget {
        match self.policy {
            Some(policy) => Budget::Rates {
                rates: policy.rates(scored),
                total: Some(self.tokens),
            },
            None => Budget::Tokens(self.tokens),
        }
    }
}

/// What was found for a question: several times more than can be sent.
pub struct Found {
    question: Question,
    embedding: Option<Embedding>,
    pieces: Vec<Piece>,
}

impl Found {
    fn reading<'a>(&'a self, open: &'a OpenRepo, boundaries: Boundaries) -> Reading<'a> {
        Reading {
            index: &open.index,
            question: &self.question,
            embedding: self.embedding.as_ref(),
            pieces: &self.pieces,
            boundaries,
        }
    }
}

/// Snippets with their scores, each kind computed when it is first needed.
pub struct Scorings {
    found: Found,
    /// Scored by words and, if an encoder can be used, by meaning.
    plain: Option<Rc<Scored>>,
    /// Scored by the code language model too, and cut where it is surprised.
    read: Option<(Rc<Scored>, Readers)>,
}

impl Scorings {
    pub fn new(found: Found) -> Self {
        Self {
            found,
            plain: None,
            read: None,
        }
    }
}

/// The code language model that read the lines.
#[derive(Clone)]
pub struct ReadBy {
    pub(super) model: String,
    pub(super) backend: Backend,
}

/// The model that read the lines, or why the code language model did not.
pub type Readers = Result<ReadBy, String>;

/// Chooses lines with the scores of encoders and the code language model.
pub struct Chooser {
    encoders: Rc<Encoders>,
    code_models: Rc<CodeModels>,
}

impl Chooser {
    pub fn new(encoders: &Rc<Encoders>, code_models: &Rc<CodeModels>) -> Rc<Self> {
        Rc::new(Self {
            encoders: Rc::clone(encoders),
            code_models: Rc::clone(code_models),
        })
    }

    /// Returns the snippets found for a question.
    pub async fn found(
        &self,
        open: &Rc<OpenRepo>,
        text: &str,
        tokens: usize,
        cancel: &Cancel,
    ) -> Result<Found, Notice> {
        let question = Question::new(text).map_err(|error| notices::bad_question(&error))?;
        let question = answer::scoped(&open.index, question);
        let embedding = self.encoders.compare(open, &question, cancel).await;
        let index = &open.index;
        let hits = search(
            index,
            &open.vectors.borrow(),
            &question,
            embedding.as_ref(),
            &Strategy::default(),
            HITS,
        );
        Ok(Found {
            pieces: Piece::of_hits(index, &hits, tokens),
            question,
            embedding,
        })
    }

    /// Returns what was found, with every score that a compressor needs, and the code language
    /// model if that is one of its sources.
    pub async fn scored(
        &self,
        open: &Rc<OpenRepo>,
        scorings: &mut Scorings,
        compressor: Compressor,
        cancel: &Cancel,
    ) -> (Rc<Scored>, Option<Readers>) {
        if !compressor.uses_model() {
            return (self.plain(open, scorings, cancel).await, None);
        }
        if let Some((scored, model)) = &scorings.read {
            return (Rc::clone(scored), Some(model.clone()));
        }
        // Cut where the code language model is surprised, as in RepoDistill.
        let reading = scorings.found.reading(open, Boundaries::Perplexity);
        let read = reading.by_model(&self.reader(open, cancel)).await;
        let (scored, model) = match read {
            Ok((scored, model)) => {
                // Asked after the reading, because the GPU may have been lost in the meantime.
                let backend = self.code_models.backend();
                self.code_models.read_ahead(open);
                (Rc::new(scored), Ok(ReadBy { model, backend }))
            }
            Err(why) => (self.plain(open, scorings, cancel).await, Err(why)),
        };
        scorings.read = Some((Rc::clone(&scored), model.clone()));
        (scored, Some(model))
    }

    /// Scores by words and, if an encoder can be used, by meaning.
    pub async fn plain(
        &self,
        open: &Rc<OpenRepo>,
        scorings: &mut Scorings,
        cancel: &Cancel,
    ) -> Rc<Scored> {
        if let Some(scored) = &scorings.plain {
            return Rc::clone(scored);
        }
        let reading = scorings.found.reading(open, Boundaries::default());
        let scored = reading.plainly(&self.reader(open, cancel)).await;
        let scored = Rc::new(scored);
        scorings.plain = Some(Rc::clone(&scored));
        scored
    }

    fn reader<'a>(&'a self, open: &'a Rc<OpenRepo>, cancel: &'a Cancel) -> PageReader<'a> {
        PageReader::new((&self.encoders, &self.code_models), open, None, cancel)
    }

    /// Returns the lines that say most about a question within the limits.
    pub async fn chosen(
        &self,
        open: &Rc<OpenRepo>,
        text: &str,
        compressor: Compressor,
        limits: Limits,
        cancel: &Cancel,
    ) -> Result<Compressed, Notice> {
        let found = self.found(open, text, limits.tokens, cancel).await?;
        let mut scorings = Scorings::new(found);
        let (scored, _) = self.scored(open, &mut scorings, compressor, cancel).await;
        Ok(scored.compress(compressor, &limits.budget(&scored)))
    }
}
