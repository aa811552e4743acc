//! `footnote graph ARCHIVE`: the graph of an archive, and how good its imports are.
//!
//! Without an option it prints, as JSON, the counts and the time that building the graph took. The
//! results of another tool (`--expected`, `--modules`) are objects with `from` and `to`, or with
//! `from` alone for a file that leads nowhere. Only files that the other tool read (`from`) are
//! compared, and only edges whose ends are both in the archive as read.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use footnote_core::chunk::Chunking;
use footnote_core::index::graph::layout::{Pull, layout};
use footnote_core::index::graph::{Graph, Node, SymbolId, Target, around};
use footnote_core::index::{BuildStage, Index, IndexBuilder};
use footnote_core::job::{Job, Step};
use footnote_core::source::FileId;

use crate::{Result, archive};

/// Prints the graph of an archive, or compares its imports with those found by another tool
#[derive(clap::Args)]
pub struct Args {
    archive: PathBuf,
    #[command(flatten)]
    shown: Shown,
}

/// What to print; without any of these, the counts.
#[derive(clap::Args)]
#[group(multiple = false)]
struct Shown {
    /// Prints each import that leads to a file, one JSON object per line
    #[arg(long)]
    edges: bool,
    /// Prints each call that leads to definitions, one JSON object per line and definition
    #[arg(long)]
    all_calls: bool,
    /// Prints the calls of the definitions with this name
    #[arg(long, value_name = "NAME")]
    calls: Option<String>,
    /// Prints what is drawn around the definitions with this name, and the time that finding and
    /// placing it took
    #[arg(long, value_name = "NAME")]
    around: Option<String>,
    /// Prints a shortest path of calls and owners between the definitions of two names
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"])]
    path: Option<Vec<String>>,
    /// Compares the imports with those in this file
    #[arg(long, value_name = "EDGES.jsonl")]
    expected: Option<PathBuf>,
    /// Compares the files that Rust's `mod` items lead to, from the root of each target, with those
    /// in this file
    #[arg(long, value_name = "FILES.jsonl")]
    modules: Option<PathBuf>,
}

/// The importing and the imported file.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
struct Edge {
    from: String,
    to: String,
}

/// The results of another tool.
#[derive(Default)]
struct Expected {
    /// The files that it read.
    read: BTreeSet<String>,
    edges: BTreeSet<Edge>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let (index, ms) = open(&args.archive)?;
    let mut out = std::io::stdout();
    let Shown {
        edges: all_edges,
        all_calls,
        calls,
        around,
        path,
        expected,
        modules: module_files,
    } = &args.shown;
    if *all_edges {
        for edge in edges(&index) {
            writeln!(out, "{}", serde_json::to_string(&edge)?)?;
        }
    } else if *all_calls {
        print_all_calls(&index, &mut out)?;
    } else if let Some(name) = calls {
        for symbol in named(&index, name) {
            print_calls(&index, symbol, &mut out)?;
        }
    } else if let Some(name) = around {
        print_around(&index, name, &mut out)?;
    } else if let Some([from, to]) = path.as_deref() {
        return print_path(&index, from, to, &mut out);
    } else if let Some(file) = expected {
        compare(&index, &read(file)?, edges(&index), &mut out)?;
    } else if let Some(file) = module_files {
        let expected = read(file)?;
        let roots = expected.read.iter();
        let found = roots.flat_map(|root| modules(&index, root)).collect();
        compare(&index, &expected, found, &mut out)?;
    } else {
        writeln!(out, "{}", summary(&index.graph, ms))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The index, and the milliseconds that building its graph took.
fn open(path: &Path) -> Result<(Index, u128)> {
    let repo = archive::archive_or_folder(path)?;
    let mut builder = IndexBuilder::new(repo, Chunking::FUNCTION);
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

/// Prints where each call of a definition is, what it calls, where that is defined, and the weight:
/// 1 if it is certain.
fn print_all_calls(index: &Index, out: &mut impl Write) -> Result<()> {
    let place = |id: SymbolId| Some((&index.repo.file(id.file)?.path, index.symbol(id)?));
    for (file, parsed) in (0..).map(FileId).zip(index.parsed.iter()) {
        for at in 0..parsed.symbols.len() as u32 {
            let caller = SymbolId { file, at };
            for call in index.graph.callees(caller) {
                if let (Some((from, _)), Some((to, symbol))) = (place(caller), place(call.callee)) {
                    let line = serde_json::json!({
                        "from": from, "line": call.line.0, "name": symbol.name, "to": to,
                        "defined": symbol.name_line.0, "weight": call.weight,
                    });
                    writeln!(out, "{line}")?;
                }
            }
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Expected> {
    #[derive(serde::Deserialize)]
    struct Line {
        from: String,
        to: Option<String>,
    }
    let mut expected = Expected::default();
    for line in archive::read_text(path)?.lines() {
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
    writeln!(out, "edges of skipped files: {}", n_all - expected.len())?;
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

/// The definitions with this name.
fn named(index: &Index, name: &str) -> Vec<SymbolId> {
    let files = (0..).map(FileId).zip(index.parsed.iter());
    let all = files.flat_map(|(file, parsed)| {
        let symbols = (0..).zip(&parsed.symbols);
        symbols.map(move |(at, symbol)| (SymbolId { file, at }, symbol))
    });
    all.filter(|(_, symbol)| symbol.name == name)
        .map(|(id, _)| id)
        .collect()
}

/// Asks as the page does: at most 12 seeds, 48 nodes, boxes of one size.
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

/// Prints each step of a shortest path between any two definitions of the names. Returns exit
/// status 1 if there is none.
fn print_path(index: &Index, from: &str, to: &str, out: &mut impl Write) -> Result<ExitCode> {
    let (from, to) = (named(index, from), named(index, to));
    let pairs = from.iter().flat_map(|a| to.iter().map(move |b| (*a, *b)));
    let paths = pairs.filter_map(|(a, b)| index.graph.shortest_path(a, b));
    let Some(path) = paths.min_by_key(Vec::len) else {
        writeln!(
            out,
            "no path; the names have {} and {} definitions",
            from.len(),
            to.len()
        )?;
        return Ok(ExitCode::from(1));
    };
    for symbol in path.into_iter().filter_map(Node::symbol) {
        let Some((file, parsed)) = index.file(symbol.file) else {
            continue;
        };
        if let Some(symbol) = parsed.symbols.get(symbol.at as usize) {
            let (kind, name) = (symbol.kind.name(), &symbol.qualified);
            writeln!(
                out,
                "{}:{} {kind} {name}",
                file.path,
                symbol.lines.start().0
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
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
