//! What models make of texts, for pipelines that run natively: vectors of chunks and of lines,
//! perplexities. All of it can be kept in a folder, so that a second run computes nothing again.

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
use footnote_core::embed::{Embedding, LineVectors};
use footnote_core::index::{Index, Quantised, Vectors};
use footnote_core::pipeline::Reader;
use footnote_core::search::Question;

use crate::Result;
use crate::vectors::Dense;
pub use code::Code;
pub use lines::Lines;

/// Reads for pipelines in this thread; each model is opened when it is first wanted.
pub struct Native<'i> {
    index: &'i Index,
    folder: Option<PathBuf>,
    none: Vectors,
    dense: RefCell<Option<Dense>>,
    lines: RefCell<Option<Lines>>,
    code: RefCell<Option<Code>>,
    /// Why something was left out.
    trouble: RefCell<Option<String>>,
    started: Instant,
}

impl<'i> Native<'i> {
    /// By words alone without `dense`; what models make is kept in `folder`, if there is one.
    pub fn new(index: &'i Index, dense: Option<Dense>, folder: Option<PathBuf>) -> Self {
        Self {
            index,
            folder,
            none: Vectors::new(1, 0),
            dense: RefCell::new(dense),
            lines: RefCell::default(),
            code: RefCell::default(),
            trouble: RefCell::default(),
            started: Instant::now(),
        }
    }

    /// Why something was left out, once.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.take()
    }

    /// The value, or nothing and a note why.
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
        let opened = opened(&mut code, || Code::open(self.folder.as_deref()));
        opened.and_then(work).map_err(|error| error.to_string())
    }

    fn read_lines(&self, passes: &[Pass]) -> Result<Vec<Option<LineVectors>>> {
        let mut lines = self.lines.borrow_mut();
        opened(&mut lines, || Lines::open(self.folder.as_deref()))?.vectors(passes)
    }
}

/// What is there, opened if it is not.
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
        // Rounded as those that are stored, so that the page comes to the same.
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

    fn now_ms(&self) -> f64 {
        self.started.elapsed().as_secs_f64() * 1_000.0
    }
}

/// Runs to its end what never waits: nothing here does.
pub fn at_once<T>(work: impl Future<Output = T>) -> Result<T> {
    let mut work = pin!(work);
    match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Ok(value),
        Poll::Pending => Err("the pipeline waits for something that never comes".into()),
    }
}
