//! Vectors of an archive's chunks: read from the cache, else computed on two threads and stored.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use footnote_core::chunk::ChunkId;
use footnote_core::embed::{Embedder, Embedding, Quantised};
use footnote_core::index::{ContentKey, Index, Vectors};
use footnote_core::search::{Question, candidates_to_compare};

use crate::Result;

const THREADS: usize = 2;
/// How many chunks a thread takes at once, of similar length so that little is padded.
const BATCH: usize = 32;

/// Where vectors are stored, and which archives get vectors of all chunks.
#[derive(Clone)]
pub struct Options {
    /// In memory only, if `None`.
    pub folder: Option<PathBuf>,
    /// Opens the model that computes them and embeds questions.
    pub open: fn() -> Result<Box<dyn Embedder + Send>>,
    /// Archives with more chunks are compared on demand.
    pub embed_limit: usize,
    /// How many chunks are compared with each question of such an archive.
    pub compare: usize,
}

/// The vectors of one archive, and the model that embeds its questions.
pub struct Dense {
    open: fn() -> Result<Box<dyn Embedder + Send>>,
    embedder: Box<dyn Embedder + Send>,
    cache: Cache,
    vectors: Vectors,
    /// How many chunks are compared with each question; 0 if every chunk has a vector.
    compare: usize,
    last: Option<(String, Embedding)>,
}

impl Dense {
    pub fn open(options: &Options, index: &Index) -> Result<Self> {
        let embedder = (options.open)()?;
        let cache = Cache::open(
            options.folder.as_deref(),
            embedder.model_id(),
            embedder.dimension(),
        )?;
        let is_large = index.chunks.len() > options.embed_limit;
        let mut dense = Self {
            open: options.open,
            vectors: Vectors::new(embedder.dimension(), index.chunks.len()),
            compare: if is_large { options.compare } else { 0 },
            embedder,
            cache,
            last: None,
        };
        if is_large && options.embed_limit > 0 {
            writeln!(
                std::io::stderr(),
                "  compared on demand: {} candidates a question, as the archive has more than {} chunks",
                options.compare,
                options.embed_limit
            )?;
        } else if !is_large {
            let all: Vec<ChunkId> = index.chunk_ids().map(|(id, _)| id).collect();
            dense.add(index, &all)?;
            if dense.vectors.wants_graph() {
                dense.vectors.build_graph();
            }
        }
        Ok(dense)
    }

    pub fn model_id(&self) -> &str {
        self.embedder.model_id()
    }

    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// Makes sure that the question's candidates have vectors. Those of earlier questions are
    /// dropped, so that the order of questions does not matter.
    pub fn prepare(&mut self, index: &Index, question: &Question) -> Result<()> {
        if self.compare > 0 {
            self.compare(index, &candidates_to_compare(index, question, self.compare))?;
        }
        Ok(())
    }

    /// Makes sure that these chunks have vectors, and no others unless all have one.
    pub fn compare(&mut self, index: &Index, chunks: &[ChunkId]) -> Result<()> {
        if self.compare > 0 {
            self.vectors = Vectors::new(self.embedder.dimension(), index.chunks.len());
            self.add(index, chunks)?;
        }
        Ok(())
    }

    /// The question's vector. The last one is kept, because many runs ask for the same question.
    pub fn embed(&mut self, question: &Question) -> Result<Embedding> {
        if let Some((text, embedding)) = &self.last
            && text == question.text()
        {
            return Ok(embedding.clone());
        }
        let embedding = self.embed_anew(question)?;
        self.last = Some((question.text().to_owned(), embedding.clone()));
        Ok(embedding)
    }

    fn embed_anew(&mut self, question: &Question) -> Result<Embedding> {
        let mut embeddings = self.embedder.embed(&[question.text()])?;
        Ok(embeddings.pop().ok_or("the model gave no vector")?)
    }

    fn add(&mut self, index: &Index, chunks: &[ChunkId]) -> Result<()> {
        let id = self.embedder.model_id().to_owned();
        let mut missing = Vec::new();
        for &chunk in chunks {
            let text = index.embedding_text(chunk);
            let key = ContentKey::of(&id, &text);
            match self.cache.known.get(&key.0) {
                Some(vector) => {
                    self.vectors.set(chunk, vector);
                }
                None => missing.push((chunk, key, text)),
            }
        }
        missing.sort_by_key(|(_, _, text)| text.len());
        self.embed_all(&missing)
    }

    /// Embeds on [`THREADS`] threads. Results go to the cache at once, so that a stopped run loses
    /// little.
    fn embed_all(&mut self, missing: &[Missing]) -> Result<()> {
        let started = Instant::now();
        let next = AtomicUsize::new(0);
        let kept = Mutex::new((&mut self.vectors, &mut self.cache));
        let open = self.open;
        let work = || -> std::result::Result<(), String> {
            let mut embedder = open().map_err(|error| error.to_string())?;
            while let Some(batch) = missing
                .chunks(BATCH)
                .nth(next.fetch_add(1, Ordering::Relaxed))
            {
                let texts: Vec<&str> = batch.iter().map(|(_, _, text)| text.as_str()).collect();
                let embeddings = embedder.embed(&texts).map_err(|error| error.to_string())?;
                let mut kept = kept.lock().map_err(|_| "a thread failed")?;
                for ((chunk, key, _), embedding) in batch.iter().zip(embeddings) {
                    let vector = Quantised::new(&embedding);
                    kept.0.set(*chunk, &vector);
                    kept.1
                        .add(*key, vector)
                        .map_err(|error| error.to_string())?;
                }
            }
            Ok(())
        };
        let threads = missing.len().div_ceil(BATCH).min(THREADS);
        std::thread::scope(|scope| -> Result<()> {
            let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            for thread in running {
                thread.join().map_err(|_| "a thread failed")??;
            }
            Ok(())
        })?;
        if missing.len() > 10 * BATCH {
            let rate = missing.len() as f64 / started.elapsed().as_secs_f64();
            writeln!(
                std::io::stderr(),
                "  {} vectors, {rate:.0} a second",
                missing.len()
            )?;
        }
        Ok(())
    }
}

type Missing = (ChunkId, ContentKey, String);

/// A file of records: 16 bytes of key, then the vector; one file per model.
struct Cache {
    known: HashMap<[u8; 16], Quantised>,
    /// `None` if nothing is stored on disk.
    file: Option<File>,
}

impl Cache {
    fn open(folder: Option<&Path>, model: &str, dimension: usize) -> Result<Self> {
        let Some(folder) = folder else {
            return Ok(Self {
                known: HashMap::new(),
                file: None,
            });
        };
        std::fs::create_dir_all(folder)?;
        let path: PathBuf = folder.join(format!("{model}.bin"));
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut known = HashMap::new();
        for record in bytes.chunks_exact(16 + 4 + dimension) {
            let (key, vector) = record.split_at(16);
            if let (Ok(key), Some(vector)) = (key.try_into(), Quantised::from_bytes(vector)) {
                known.insert(key, vector);
            }
        }
        Ok(Self {
            known,
            file: Some(file),
        })
    }

    fn add(&mut self, key: ContentKey, vector: Quantised) -> Result<()> {
        if let Some(file) = &mut self.file {
            let mut record = key.0.to_vec();
            record.extend(vector.to_bytes());
            file.write_all(&record)?;
        }
        self.known.insert(key.0, vector);
        Ok(())
    }
}
