//! The graph of an archive, and how good its imports are:
//!
//! - `graph ARCHIVE` prints its counts and the time that building it took, as JSON;
//! - `graph ARCHIVE --edges` prints each import that leads to a file, one JSON object a line;
//! - `graph ARCHIVE --calls NAME` prints the calls of the definitions of that name;
//! - `graph ARCHIVE --around NAME` prints what is drawn around the definitions of that name, and the time that
//!   finding and placing it took;
//! - `graph ARCHIVE --expected EDGES.jsonl` compares those imports with edges that another tool found:
//!   objects with `from` and `to`, or with `from` alone for a file that leads nowhere. Only files that the
//!   other tool read (`from`) are compared, and only edges whose ends the archive's reader kept;
//! - `graph ARCHIVE --modules FILES.jsonl` compares the files that Rust's `mod` items lead to from the root
//!   of each target, in the same form.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use footnote_core::chunk::Strategy;
use footnote_core::index::graph::layout::{Pull, layout};
use footnote_core::index::graph::{Graph, SymbolId, Target, around};
use footnote_core::index::{BuildStage, Index, IndexBuilder};
use footnote_core::job::{Job, Step, run_to_end};
use footnote_core::source::{ArchiveReader, FileId};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Importing and imported file.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
struct Edge {
    from: String,
    to: String,
}

/// What another tool found.
#[derive(Default)]
struct Expected {
    /// The files that it read.
    read: BTreeSet<String>,
    edges: BTreeSet<Edge>,
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (archive, rest) = args.split_first().ok_or(
        "usage: graph ARCHIVE [--edges | --calls NAME | --around NAME | --expected EDGES.jsonl]",
    )?;
    let (index, ms) = open(Path::new(archive))?;
    let mut out = std::io::stdout();
    match rest {
        ["--edges"] => {
            for edge in edges(&index) {
                writeln!(out, "{}", serde_json::to_string(&edge)?)?;
            }
        }
        ["--calls", name] => {
            for symbol in named(&index, name) {
                print_calls(&index, symbol, &mut out)?;
            }
        }
        ["--around", name] => print_around(&index, name, &mut out)?,
        ["--expected", path] => {
            compare(&index, &read(path)?, edges(&index), &mut out)?;
        }
        ["--modules", path] => {
            let expected = read(path)?;
            let found = expected
                .read
                .iter()
                .flat_map(|root| modules(&index, root))
                .collect();
            compare(&index, &expected, found, &mut out)?;
        }
        _ => writeln!(out, "{}", summary(&index.graph, ms))?,
    }
    Ok(())
}

/// The index, and the milliseconds that its graph took.
fn open(path: &Path) -> Result<(Index, u128)> {
    let bytes = std::fs::read(path)?;
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let repo = run_to_end(ArchiveReader::open(&name, bytes)?)?;
    let mut builder = IndexBuilder::new(repo, Strategy::Function);
    let mut start = None;
    loop {
        if builder.stage() == BuildStage::Graph {
            start.get_or_insert_with(Instant::now);
        }
        let Ok(step) = builder.step();
        if let Step::Done(index) = step {
            let ms = start.map_or(0, |start: Instant| start.elapsed().as_millis());
            return Ok((index, ms));
        }
    }
}

fn edges(index: &Index) -> BTreeSet<Edge> {
    let path = |file: FileId| index.repo.file(file).map(|file| file.path.clone());
    let links = index.graph.all_imports().iter();
    links
        .filter_map(|link| {
            let Target::File(to) = link.target else {
                return None;
            };
            Some(Edge {
                from: path(link.file)?,
                to: path(to)?,
            })
        })
        .filter(|edge| edge.from != edge.to)
        .collect()
}

fn read(path: &str) -> Result<Expected> {
    #[derive(serde::Deserialize)]
    struct Line {
        from: String,
        to: Option<String>,
    }
    let mut expected = Expected::default();
    for line in std::fs::read_to_string(path)?.lines() {
        let Line { from, to } = serde_json::from_str(line)?;
        expected.read.insert(from.clone());
        expected.edges.extend(to.map(|to| Edge { from, to }));
    }
    Ok(expected)
}

/// All files that `mod` items lead to from `root`.
fn modules(index: &Index, root: &str) -> Vec<Edge> {
    let mut open: Vec<FileId> = index.repo.find(root).into_iter().collect();
    let mut seen: BTreeSet<FileId> = open.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(file) = open.pop() {
        for link in index.graph.imports(file) {
            let import = &index.parsed[file.0 as usize].imports[link.import as usize];
            let is_mod = import.names.is_empty() && import.module.starts_with("self::");
            if let Target::File(to) = link.target
                && is_mod
                && seen.insert(to)
            {
                open.push(to);
                found.push(Edge {
                    from: root.to_owned(),
                    to: index.repo.files[to.0 as usize].path.clone(),
                });
            }
        }
    }
    found
}

fn compare(
    index: &Index,
    expected: &Expected,
    found: BTreeSet<Edge>,
    out: &mut impl Write,
) -> Result<()> {
    let read = &expected.read;
    let is_kept = |path: &str| index.repo.find(path).is_some();
    let n_all = expected.edges.len();
    let expected: BTreeSet<&Edge> = expected
        .edges
        .iter()
        .filter(|edge| is_kept(&edge.from) && is_kept(&edge.to))
        .collect();
    writeln!(
        out,
        "{} edges of files that were skipped",
        n_all - expected.len()
    )?;
    let found: BTreeSet<&Edge> = found
        .iter()
        .filter(|edge| read.contains(edge.from.as_str()))
        .collect();
    let both = found.intersection(&expected).count();
    for edge in found.difference(&expected) {
        writeln!(out, "too many: {} -> {}", edge.from, edge.to)?;
    }
    for edge in expected.difference(&found) {
        writeln!(out, "missing:  {} -> {}", edge.from, edge.to)?;
    }
    let share = |of: usize| both as f64 / of.max(1) as f64;
    let (precision, recall) = (share(found.len()), share(expected.len()));
    let (n_found, n_expected) = (found.len(), expected.len());
    writeln!(
        out,
        "{}: {n_expected} expected, {n_found} found, {both} in both, precision {precision:.3}, recall {recall:.3}",
        index.repo.name
    )?;
    Ok(())
}

/// The definitions of a name.
fn named(index: &Index, name: &str) -> Vec<SymbolId> {
    let files = (0..).map(FileId).zip(&index.parsed);
    let all = files.flat_map(|(file, parsed)| {
        let symbols = (0..).zip(&parsed.symbols);
        symbols.map(move |(at, symbol)| (SymbolId { file, at }, symbol))
    });
    all.filter(|(_, symbol)| symbol.name == name)
        .map(|(id, _)| id)
        .collect()
}

/// As the page asks for it: at most 12 seeds, 48 nodes, boxes of one size.
fn print_around(index: &Index, name: &str, out: &mut impl Write) -> Result<()> {
    let seeds = named(index, name);
    let seeds: Vec<_> = seeds
        .into_iter()
        .filter_map(|id| index.graph.symbol_node(id))
        .take(12)
        .collect();
    let start = Instant::now();
    let found = around(index, &seeds, 48);
    let chosen_us = start.elapsed().as_micros();
    let pulls: Vec<Pull> = found
        .links
        .iter()
        .map(|link| Pull {
            a: link.from,
            b: link.to,
            length: 1.0,
        })
        .collect();
    let points = layout(&vec![(90.0, 30.0); found.nodes.len()], &pulls, &[]);
    let all_us = start.elapsed().as_micros();
    for (node, point) in found.nodes.iter().zip(&points) {
        let node = index.graph.petgraph()[*node];
        writeln!(out, "{:5.0} {:5.0}  {node:?}", point.x, point.y)?;
    }
    let (n, m, n_seeds) = (found.nodes.len(), found.links.len(), found.seeds);
    writeln!(
        out,
        "{n} nodes around {n_seeds}, {m} edges; chosen in {chosen_us} µs, with positions {all_us} µs"
    )?;
    Ok(())
}

fn print_calls(index: &Index, symbol: SymbolId, out: &mut impl Write) -> Result<()> {
    let name = |id: SymbolId| {
        let (file, parsed) = index.file(id.file)?;
        Some(format!(
            "{}:{}",
            file.path,
            parsed.symbols.get(id.at as usize)?.qualified
        ))
    };
    for call in index.graph.callers(symbol) {
        let path = index.repo.file(call.file).map(|file| file.path.as_str());
        let caller = call.caller.and_then(name);
        let caller = caller.or(path.map(str::to_owned)).unwrap_or_default();
        let callee = name(call.callee).unwrap_or_default();
        writeln!(
            out,
            "{callee} <- {caller} line {} weight {:.2}",
            call.line.0, call.weight
        )?;
    }
    Ok(())
}

fn summary(graph: &Graph, ms: u128) -> serde_json::Value {
    let stats = graph.stats();
    serde_json::json!({
        "ms": ms,
        "files": stats.files,
        "classes": stats.classes,
        "functions": stats.functions,
        "methods": stats.methods,
        "libraries": stats.libraries,
        "contain": stats.contains,
        "invoke": stats.invokes,
        "imports": stats.imports,
        "missing": stats.missing,
        "inherits": stats.inherits,
        "calls": stats.calls.all,
        "calls_external": stats.calls.external,
        "calls_certain": stats.calls.certain,
        "calls_ambiguous": stats.calls.ambiguous,
        "calls_unresolved": stats.calls.unresolved,
        "calls_resolved_share": stats.calls.resolved_share(),
    })
}
