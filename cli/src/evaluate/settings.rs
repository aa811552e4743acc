//! The command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use footnote_core::chunk::Chunking;
use footnote_core::compress::Boundaries;
use footnote_core::index::Index;
use footnote_core::search::{Params, Step, Strategy};

use super::{compress, indexes, on_gpu, pipelines};
use crate::{Result, archive, describe, model, teach, vectors};

/// Measures retrieval, the confidence of files or compression on question sets
#[derive(clap::Args)]
pub struct Args {
    /// Question sets (SET.jsonl, with archives.json in the same folder), then the folder with the
    /// archives, unless --archive names the one that all questions are about
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The archive or folder that all questions are about
    #[arg(long, value_name = "ARCHIVE")]
    archive: Option<PathBuf>,
    /// The strategy: a list and its steps, `bm25`, `hybrid+rules+fold`, `default~stem`
    #[arg(long, value_name = "NAME,…", default_value = "bm25,default")]
    strategy: String,
    /// Changes numbers of the rules or of BM25
    #[arg(long, value_name = "PARAMETER=VALUE,…")]
    set: Vec<String>,
    /// Adds a run for each value of a number
    #[arg(long, value_name = "PARAMETER=VALUE,…")]
    sweep: Vec<String>,
    /// Adds this many runs with every swept value drawn at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    random: usize,
    /// Adds a run without each step
    #[arg(long)]
    ablate: bool,
    /// How files are cut: function, sliding-window, fixed-chars
    #[arg(long, value_name = "NAME", default_value = "function", value_parser = archive::chunking)]
    chunk: Chunking,
    /// Also writes the table to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Writes the result of each question to this file; with --compress, each block with its scores
    #[arg(long, value_name = "FILE")]
    per_query: Option<PathBuf>,
    /// Writes the parts of the scores of each question's best files to this file
    #[arg(long, value_name = "FILE")]
    parts: Option<PathBuf>,
    /// Keeps built indexes in this folder
    #[arg(long, value_name = "DIR")]
    indexes: Option<PathBuf>,
    /// Keeps vectors in this folder
    #[arg(long, value_name = "DIR", default_value = "target/vectors")]
    vectors: PathBuf,
    /// Embeds and reads code on the first Vulkan GPU
    #[arg(long)]
    gpu: bool,
    /// Archives with more chunks are compared on demand
    #[arg(long, value_name = "CHUNKS", default_value_t = 20_000)]
    embed_limit: usize,
    /// How many chunks are compared with each question on demand
    #[arg(long, value_name = "N", default_value_t = 50)]
    compare: usize,
    /// Ranks by words alone
    #[arg(long)]
    no_vectors: bool,
    /// Whose vectors are used: those of the static encoder (`table`), of the transformer (`full`),
    /// or `both`
    #[arg(long, value_name = "WHICH", default_value = "both")]
    vectors_from: VectorsFrom,
    /// What the archive was taught, for the step `taught` and the pipeline `taught`
    #[arg(long, value_name = "FILE", requires = "archive")]
    taught: Option<PathBuf>,
    /// Descriptions of the one archive, as written by `footnote describe`, for strategies and
    /// pipelines that search them
    #[arg(long, value_name = "FILE", requires = "archive")]
    texts: Option<PathBuf>,
    /// A control for those: gives each part the description of another
    #[arg(long, conflicts_with = "texts")]
    texts_of_others: bool,
    /// Fits the confidence of files under the first run instead
    #[arg(long)]
    calibrate: bool,
    /// Measures these compression strategies instead; `all` for every one
    #[arg(long, value_name = "STRATEGY,…")]
    compress: Option<String>,
    /// The shares of the tokens that compression keeps
    #[arg(long, value_name = "SHARE,…")]
    keep: Option<String>,
    /// How compression cuts blocks: `blank-6`, `lines`, `perplexity`
    #[arg(long, value_name = "RULE")]
    blocks: Option<String>,
    /// Measures what these pipelines would show a model instead
    #[arg(long, value_name = "NAME,…")]
    pipeline: Option<String>,
    /// How many tokens pipelines may show; by default their own budgets
    #[arg(long, value_name = "TOKENS,…", value_delimiter = ',')]
    budget: Vec<usize>,
    /// Keeps what each pipeline found for each question in this folder, one file per set and
    /// pipeline
    #[arg(long, value_name = "DIR", requires = "pipeline")]
    runs: Option<PathBuf>,
}

/// The encoders whose vectors are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum VectorsFrom {
    Table,
    Full,
    Both,
}

/// Where the archives of the questions are.
pub enum Archives {
    /// All in one folder, under the names in `archives.json`.
    In(PathBuf),
    /// The one that every question is about.
    One(PathBuf),
}

pub struct Settings {
    pub sets: Vec<PathBuf>,
    /// The folder with the archives, or the one archive that all questions are about.
    pub archives: Archives,
    pub runs: Vec<Run>,
    pub json: Option<PathBuf>,
    pub per_query: Option<PathBuf>,
    pub parts: Option<PathBuf>,
    /// Where built indexes are stored between runs.
    pub indexes: Option<PathBuf>,
    pub chunking: Chunking,
    pub vectors: vectors::Options,
    /// Where the results of models are stored.
    pub folder: PathBuf,
    /// Whether models run on the first Vulkan GPU.
    pub gpu: bool,
    /// Whether the static encoder's vectors are used.
    pub table: bool,
    /// What the archive was taught.
    pub taught: Option<PathBuf>,
    /// Descriptions of the archive.
    pub texts: Option<PathBuf>,
    /// Whether each chunk gets the description of another.
    pub texts_of_others: bool,
    /// Whether the transformer's vectors are used.
    pub transformer: bool,
    pub calibrate: bool,
    /// Measures compression instead of retrieval.
    pub compress: Option<compress::Options>,
    /// Where the results of pipelines are stored.
    pub save_runs: Option<PathBuf>,
    /// Measures pipelines instead of retrieval.
    pub pipelines: Option<pipelines::Options>,
}

/// A strategy with its numbers, under the name that the tables show.
#[derive(Clone)]
pub struct Run {
    pub name: String,
    pub strategy: Strategy,
    pub params: Params,
}

impl Run {
    /// Sets a number of the ranking.
    fn set(&mut self, name: &str, value: f32) -> Result<()> {
        if self.params.set(name, value) {
            return Ok(());
        }
        let known = Params::names().join(", ");
        Err(format!("there is no parameter {name}; the parameters are {known}").into())
    }
}

impl Settings {
    /// The index of an archive, with the static encoder's vectors if they are used.
    pub fn open(&self, archive: &Path, chunking: Chunking) -> Result<Arc<Index>> {
        let index = indexes::open(archive, self.indexes.as_deref(), chunking)?;
        let index = match self.table {
            true => model::with_table(index)?,
            false => Arc::new(index),
        };
        if let Some(path) = &self.taught {
            teach::load(path, &index)?;
        }
        if self.uses_texts() {
            match self.texts_of_others {
                true => describe::texts_of_others(&index),
                false => describe::texts(&index, self.texts.as_deref())?,
            }
        }
        Ok(index)
    }

    /// Whether anything that is measured searches descriptions.
    fn uses_texts(&self) -> bool {
        let mut runs = self.runs.iter().map(|run| &run.strategy);
        let pipelines = self.pipelines.iter().flat_map(|it| &it.runs);
        runs.any(Strategy::uses_texts) || pipelines.map(|it| &it.search).any(Strategy::uses_texts)
    }

    pub fn new(args: Args) -> Result<Self> {
        let mut sets = args.paths;
        let archives = match args.archive {
            Some(archive) => Archives::One(archive),
            None => {
                let folder = sets.pop().filter(|_| !sets.is_empty());
                let missing = "name the folder with the archives after the question sets";
                Archives::In(folder.ok_or(missing)?)
            }
        };
        let mut folder = args.vectors;
        if args.gpu {
            // Its vectors are stored separately.
            folder.push("gpu");
        }
        let mut vectors = vectors::Options {
            folder: Some(folder.clone()),
            open: model::open,
            embed_limit: args.embed_limit,
            compare: args.compare,
        };
        if args.gpu {
            vectors.open = on_gpu::open;
        }
        let compress = args.compress.as_deref();
        let compress = compress
            .map(|names| compression(names, args.keep.as_deref(), args.blocks.as_deref()))
            .transpose()?;
        let sweeps: Vec<Sweep> = args
            .sweep
            .iter()
            .map(|it| sweep(it))
            .collect::<Result<_>>()?;
        let pipelines = args
            .pipeline
            .as_deref()
            .map(|names| pipelines::Options::new(names, &args.budget, &args.set, &sweeps))
            .transpose()?;
        let mut fixed = Vec::new();
        // Pipelines have more settings than these.
        for set in args.set.iter().filter(|_| pipelines.is_none()) {
            fixed.extend(assignments(set)?);
        }
        let sweeps = match pipelines {
            Some(_) => Vec::new(),
            None => sweeps,
        };
        let runs = match args.random {
            0 => runs(&args.strategy, &fixed, &sweeps, args.ablate)?,
            n => drawn(&runs(&args.strategy, &fixed, &[], false)?, &sweeps, n)?,
        };
        Ok(Self {
            sets,
            archives,
            runs,
            json: args.json,
            per_query: args.per_query,
            parts: args.parts,
            save_runs: args.runs,
            indexes: args.indexes,
            chunking: args.chunk,
            vectors,
            folder,
            gpu: args.gpu,
            table: !args.no_vectors && args.vectors_from != VectorsFrom::Full,
            taught: args.taught,
            texts: args.texts,
            texts_of_others: args.texts_of_others,
            transformer: !args.no_vectors && args.vectors_from != VectorsFrom::Table,
            calibrate: args.calibrate,
            compress,
            pipelines,
        })
    }
}

/// The options for compression: the strategies, what they keep, how they cut.
fn compression(names: &str, keep: Option<&str>, rule: Option<&str>) -> Result<compress::Options> {
    let mut options = compress::Options::new(names)?;
    if let Some(keep) = keep {
        options.keep = shares(keep)?;
    }
    if let Some(rule) = rule {
        options.boundaries = blocks(rule)?;
    }
    Ok(options)
}

type Sweep = (String, Vec<f32>);

/// The strategies, each also with every swept value alone and, for an ablation, without each step.
fn runs(names: &str, fixed: &[(String, f32)], sweeps: &[Sweep], ablate: bool) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    for name in names.split(',').map(str::trim) {
        let mut run = Run {
            name: name.to_owned(),
            strategy: strategy(name)?,
            params: Params::default(),
        };
        for (name, value) in fixed {
            run.set(name, *value)?;
        }
        runs.push(run.clone());
        for (parameter, values) in sweeps {
            for &value in values {
                let mut swept = run.clone();
                swept.name = format!("{name} {parameter}={value}");
                swept.set(parameter, value)?;
                runs.push(swept);
            }
        }
        let steps: Vec<Step> = run.strategy.steps.clone();
        for step in steps.into_iter().filter(|_| ablate) {
            let mut without = run.clone();
            without.name = format!("{name}~{}", step.name());
            without.strategy.steps.retain(|&kept| kept != step);
            runs.push(without);
        }
    }
    Ok(runs)
}

/// The runs, and for each `n` more with a value of every sweep drawn at random (the same on every
/// call).
fn drawn(runs: &[Run], sweeps: &[Sweep], n: usize) -> Result<Vec<Run>> {
    let mut state = 1u64;
    let mut all = runs.to_vec();
    for run in runs {
        for _ in 0..n {
            let mut other = run.clone();
            for (parameter, values) in sweeps {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                if let Some(&value) = values.get((state >> 33) as usize % values.len().max(1)) {
                    other.set(parameter, value)?;
                    other.name += &format!(" {parameter}={value}");
                }
            }
            all.push(other);
        }
    }
    Ok(all)
}

fn strategy(name: &str) -> Result<Strategy> {
    Strategy::from_name(name).ok_or_else(|| {
        let known: Vec<String> = Strategy::all().iter().map(Strategy::name).collect();
        let steps: Vec<&str> = Step::all().map(Step::name).collect();
        let steps = steps.join(", ");
        let known = known.join(", ");
        format!(
            "there is no strategy {name}; the strategies are {known}, + rules or steps of \
             {steps}, ~ a step to leave out"
        )
        .into()
    })
}

fn assignments(text: &str) -> Result<Vec<(String, f32)>> {
    text.split(',')
        .map(|pair| {
            let (name, value) = pair.split_once('=').ok_or("--set takes NAME=VALUE")?;
            Ok((name.trim().to_owned(), value.trim().parse()?))
        })
        .collect()
}

fn sweep(text: &str) -> Result<Sweep> {
    let (name, values) = text.split_once('=').ok_or("--sweep takes NAME=VALUE,…")?;
    let values = values
        .split(',')
        .map(|value| Ok(value.trim().parse()?))
        .collect::<Result<Vec<f32>>>()?;
    Ok((name.to_owned(), values))
}

fn shares(text: &str) -> Result<Vec<f32>> {
    let shares = text.split(',').map(|share| Ok(share.trim().parse()?));
    shares.collect()
}

fn blocks(name: &str) -> Result<Boundaries> {
    let known = "blank-N (at most N lines), lines, perplexity";
    Boundaries::parse(name)
        .ok_or_else(|| format!("there is no rule {name}; the rules are {known}").into())
}
