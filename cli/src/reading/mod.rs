//! The results of models for pipelines that run natively: vectors of chunks and of lines,
//! perplexities. All of them can be stored in a folder, so that a second run computes nothing
//! again.

mod code;
mod lines;
mod records;

use std::cell::RefCell;
use std::path::PathBuf;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use footnote_core::chunk::ChunkId;
use footnote_core::compress::Pass;
use footnote_core::compress::score::ami::Ami;
use footnote_core::embed::{Embedder, Embedding, LineVectors, Quantised};
use footnote_core::index::{Index, Vectors};
use footnote_core::model::protocol::Chat;
use footnote_core::pipeline::Reader;
use footnote_core::search::{BertScore, Question, bert_score};

use crate::service::{self, Asker, NoReply, Outlook};
use crate::vectors::Dense;
use crate::{Result, model};
pub use code::Code;
pub use lines::Lines;

/// Reads for pipelines in this thread; each model is opened when it is first needed.
pub struct Native<'i> {
    index: &'i Index,
    folder: Option<PathBuf>,
    code_on_gpu: bool,
    none: Vectors,
    dense: RefCell<Option<Dense>>,
    lines: RefCell<Option<Lines>>,
    code: RefCell<Option<Code>>,
    /// Compares token by token.
    tokens: RefCell<Option<Box<dyn Embedder + Send>>>,
    /// The language model that the user named.
    writer: RefCell<Option<(Asker, String)>>,
    /// Why something was left out.
    trouble: RefCell<Option<String>>,
    started: Instant,
}

impl<'i> Native<'i> {
    /// Compares by words alone without `dense`; stores the models' results in `folder`, if there is
    /// one.
    pub fn new(index: &'i Index, dense: Option<Dense>, folder: Option<PathBuf>) -> Self {
        Self {
            index,
            folder,
            code_on_gpu: false,
            none: Vectors::new(1, 0),
            dense: RefCell::new(dense),
            lines: RefCell::default(),
            code: RefCell::default(),
            tokens: RefCell::default(),
            writer: RefCell::default(),
            trouble: RefCell::default(),
            started: Instant::now(),
        }
    }

    /// Reads code on the first GPU if `on_gpu`.
    pub fn code_on_gpu(mut self, on_gpu: bool) -> Self {
        self.code_on_gpu = on_gpu;
        self
    }

    /// Has a language model write what is searched for, once the user has agreed to what is sent.
    pub fn connect(&mut self, mut asker: Asker, args: &service::Args) -> Result<()> {
        // One question, and a prediction of one line.
        let outlook = Outlook {
            requests: 1,
            prompt_tokens: 500,
            answer_tokens: 300,
            most: None,
        };
        asker.confirm(args, outlook)?;
        let model = args.model.clone().unwrap_or_default();
        self.writer = RefCell::new(Some((asker, model)));
        Ok(())
    }

    /// Takes the reason why something was left out.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.take()
    }

    /// The value; on an error `None`, and the reason is noted.
    fn noted<T>(&self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.trouble.replace(Some(error.to_string()));
                None
            }
        }
    }

    fn with_code<T>(
        &self,
        work: impl FnOnce(&mut Code) -> Result<T>,
    ) -> std::result::Result<T, String> {
        let mut code = self.code.borrow_mut();
        let open = || Code::open(self.folder.as_deref(), self.code_on_gpu);
        let opened = opened(&mut code, open);
        opened.and_then(work).map_err(|error| error.to_string())
    }

    fn read_lines(&self, passes: &[Pass]) -> Result<Vec<Option<LineVectors>>> {
        let mut lines = self.lines.borrow_mut();
        opened(&mut lines, || Lines::open(self.folder.as_deref()))?.vectors(passes)
    }
}

/// The model in `known`, opened first if it is not there.
fn opened<T>(known: &mut Option<T>, open: impl FnOnce() -> Result<T>) -> Result<&mut T> {
    let value = match known.take() {
        Some(value) => value,
        None => open()?,
    };
    Ok(known.insert(value))
}

impl Reader for Native<'_> {
    fn with_vectors<T>(&self, look: impl FnOnce(&Vectors) -> T) -> T {
        match &*self.dense.borrow() {
            Some(dense) => look(dense.vectors()),
            None => look(&self.none),
        }
    }

    async fn compare(&self, question: &Question, chunks: &[ChunkId]) -> Option<Embedding> {
        let mut dense = self.dense.borrow_mut();
        let dense = dense.as_mut()?;
        let compared = dense.compare(self.index, chunks);
        self.noted(compared)?;
        let embedding = self.noted(dense.embed(question))?;
        // Rounded like stored vectors, so that the page gets the same result.
        Some(Quantised::new(&embedding).to_embedding())
    }

    async fn line_vectors(&self, passes: &[Pass]) -> Vec<Option<LineVectors>> {
        let read = self.noted(self.read_lines(passes));
        read.unwrap_or_else(|| vec![None; passes.len()])
    }

    async fn code_model(&self) -> std::result::Result<String, String> {
        self.with_code(|code| Ok(code.id().to_owned()))
    }

    async fn perplexities(&self, texts: &[String]) -> std::result::Result<Vec<Vec<f32>>, String> {
        self.with_code(|code| code.perplexities(texts))
    }

    async fn ami(
        &self,
        question: &str,
        blocks: &[Vec<String>],
    ) -> std::result::Result<Vec<Vec<Ami>>, String> {
        self.with_code(|code| code.ami(question, blocks))
    }

    async fn bert_scores(&self, question: &str, texts: &[String]) -> Option<Vec<BertScore>> {
        let mut tokens = self.tokens.borrow_mut();
        let embedder = self.noted(opened(&mut tokens, model::open))?;
        let mut of = |text: &str| {
            let made = embedder.token_vectors(&[text]);
            self.noted(made.map_err(Into::into))?.pop()
        };
        let own = of(question)?;
        texts
            .iter()
            .map(|text| Some(bert_score(&own, &of(text)?)))
            .collect()
    }

    async fn write(&self, chat: Chat) -> std::result::Result<String, String> {
        let mut writer = self.writer.borrow_mut();
        let Some((asker, model)) = writer.as_mut() else {
            return Err("no language model was named with --service".to_owned());
        };
        let chat = Chat {
            model: model.clone(),
            ..chat
        };
        let key = footnote_core::lab::questions::key(&chat);
        match asker.ask(&chat, &key) {
            Ok(reply) => Ok(reply.text),
            Err(NoReply::Failed) => Err("the language model did not answer".to_owned()),
            Err(NoReply::Spent(why) | NoReply::Over(why)) => Err(why),
        }
    }

    fn now_ms(&self) -> f64 {
        self.started.elapsed().as_secs_f64() * 1_000.0
    }
}

/// Runs a future that never waits to its end, as all futures here are.
pub fn at_once<T>(work: impl Future<Output = T>) -> Result<T> {
    let mut work = pin!(work);
    match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Ok(value),
        Poll::Pending => Err("the pipeline is waiting for something that never arrives".into()),
    }
}
