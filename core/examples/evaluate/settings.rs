//! The command line.

use std::path::PathBuf;

use footnote_core::compress::Boundaries;
use footnote_core::index::bm25::Bm25Params;
use footnote_core::search::{Params, Step, Strategy};

use super::{Result, compress, model, vectors};

const USAGE: &str = "usage: evaluate SET.jsonl… ARCHIVE_DIR [--strategy NAME,…] [--set NAME=VALUE,…] [--sweep NAME=VALUE,…]… [--random N] [--ablate] [--json FILE] [--per-query FILE] [--indexes DIR] [--vectors DIR | --no-vectors] [--gpu] [--calibrate] [--compress STRATEGY,… [--keep SHARE,…] [--blocks RULE]]";

pub struct Settings {
    pub sets: Vec<PathBuf>,
    pub archives: PathBuf,
    pub runs: Vec<Run>,
    pub json: Option<PathBuf>,
    pub per_query: Option<PathBuf>,
    /// Where built indexes are kept between runs.
    pub indexes: Option<PathBuf>,
    pub vectors: vectors::Options,
    pub no_vectors: bool,
    pub calibrate: bool,
    /// Measures compression instead of retrieval.
    pub compress: Option<compress::Options>,
}

/// A strategy with its numbers, under the name that the tables show.
#[derive(Clone)]
pub struct Run {
    pub name: String,
    pub strategy: Strategy,
    pub params: Params,
    pub bm25: Bm25Params,
}

impl Run {
    /// Sets a number of the rules or of BM25.
    fn set(&mut self, name: &str, value: f32) -> Result<()> {
        let [body, path, names] = &mut self.bm25.fields;
        match name {
            "k1" => self.bm25.k1 = value,
            "b" => body.b = value,
            "path_weight" => path.weight = value,
            "names_weight" => names.weight = value,
            _ if self.params.set(name, value) => {}
            _ => {
                return Err(format!(
                    "there is no parameter {name}; known are k1, b, path_weight, names_weight, {}",
                    Params::NAMES.join(", ")
                )
                .into());
            }
        }
        Ok(())
    }
}

impl Settings {
    pub fn from_args(mut args: impl Iterator<Item = String>) -> Result<Self> {
        let mut positional: Vec<PathBuf> = Vec::new();
        let mut names = "bm25,default".to_owned();
        let (mut fixed, mut sweeps, mut ablate) = (Vec::new(), Vec::new(), false);
        let mut random = 0;
        let mut settings = Settings {
            sets: Vec::new(),
            archives: PathBuf::new(),
            runs: Vec::new(),
            json: None,
            per_query: None,
            indexes: None,
            vectors: vectors::Options {
                folder: PathBuf::from("target/vectors"),
                open: model::open,
                embed_limit: 20_000,
                compare: 50,
            },
            no_vectors: false,
            calibrate: false,
            compress: None,
        };
        let (mut keep, mut boundaries, mut gpu) = (None, None, false);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--strategy" => names = value()?,
                "--set" => fixed.extend(assignments(&value()?)?),
                "--sweep" => sweeps.push(sweep(&value()?)?),
                "--ablate" => ablate = true,
                "--random" => random = value()?.parse()?,
                "--json" => settings.json = Some(value()?.into()),
                "--per-query" => settings.per_query = Some(value()?.into()),
                "--indexes" => settings.indexes = Some(value()?.into()),
                "--vectors" => settings.vectors.folder = value()?.into(),
                "--gpu" => gpu = true,
                "--embed-limit" => settings.vectors.embed_limit = value()?.parse()?,
                "--no-vectors" => settings.no_vectors = true,
                "--calibrate" => settings.calibrate = true,
                "--compress" => settings.compress = Some(compress::Options::new(&value()?)?),
                "--keep" => keep = Some(shares(&value()?)?),
                "--blocks" => boundaries = Some(blocks(&value()?)?),
                "--compare" => settings.vectors.compare = value()?.parse()?,
                other if other.starts_with("--") => {
                    return Err(format!("unknown option {other}").into());
                }
                _ => positional.push(arg.into()),
            }
        }
        if let Some(compress) = &mut settings.compress {
            compress.keep = keep.unwrap_or_else(|| compress.keep.clone());
            compress.boundaries = boundaries.unwrap_or(compress.boundaries);
        }
        if gpu {
            on_gpu(&mut settings.vectors)?;
        }
        settings.archives = positional.pop().ok_or(USAGE)?;
        settings.sets = positional;
        if settings.sets.is_empty() {
            return Err(USAGE.into());
        }
        settings.runs = match random {
            0 => runs(&names, &fixed, &sweeps, ablate)?,
            n => drawn(&runs(&names, &fixed, &[], false)?, &sweeps, n)?,
        };
        Ok(settings)
    }
}

/// Embeds on a GPU; its vectors are kept apart.
#[cfg(feature = "gpu")]
fn on_gpu(options: &mut vectors::Options) -> Result<()> {
    options.open = super::on_gpu::open;
    options.folder.push("gpu");
    Ok(())
}

#[cfg(not(feature = "gpu"))]
fn on_gpu(_: &mut vectors::Options) -> Result<()> {
    Err("--gpu needs an `evaluate` that was built with --features gpu".into())
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
            bm25: Bm25Params::default(),
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

/// Each run, and `n` like it with a value of every sweep drawn at random (the same at every call).
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
        let steps = Step::ALL.map(Step::name).join(", ");
        let known = known.join(", ");
        format!("there is no strategy {name}; known are {known}, + rules or steps of {steps}, ~ a step to leave out").into()
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
    let known = "blank-N (N rows at most), lines, perplexity";
    Boundaries::parse(name)
        .ok_or_else(|| format!("there is no rule {name}; known are {known}").into())
}
