//! Several clients at once, and the memory that the server takes meanwhile.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footnote_cli::Result;
use footnote_cli::database::Database;
use footnote_cli::database::catalogue::Repositories;
use xtask::postgres::Postgres;

use crate::questions::{self, Asked};

const CLIENTS: [usize; 4] = [1, 4, 16, 64];
/// Questions that each number of clients asks together.
const ASKED: usize = 200;

/// Times in milliseconds, questions in a second, and the most memory of all the server's processes.
pub struct Load {
    pub clients: usize,
    pub p50: f64,
    pub p95: f64,
    pub rate: f64,
    pub memory_bytes: u64,
}

pub async fn all(server: &Postgres, database: &Database, asked: &[Asked]) -> Result<Vec<Load>> {
    let catalogue = Arc::new(questions::catalogue(database).await?);
    let mut loads = Vec::new();
    for clients in CLIENTS {
        let over = AtomicBool::new(false);
        let (times, memory_bytes) = std::thread::scope(|scope| {
            let memory = scope.spawn(|| most_memory(server.process_id(), &over));
            let times = tokio::task::block_in_place(|| {
                tokio::runtime::Handle::current().block_on(ask(&catalogue, asked, clients))
            });
            over.store(true, Ordering::Relaxed);
            (times, memory.join().unwrap_or(0))
        });
        let (mut times, seconds) = times?;
        times.sort_by(f64::total_cmp);
        loads.push(Load {
            clients,
            p50: quantile(&times, 50),
            p95: quantile(&times, 95),
            rate: times.len() as f64 / seconds,
            memory_bytes,
        });
    }
    Ok(loads)
}

/// A percentile of sorted times.
pub fn quantile(times: &[f64], percent: usize) -> f64 {
    let at = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(at).copied().unwrap_or(0.0)
}

/// The time of each question in milliseconds, and the time of all in seconds.
async fn ask(
    catalogue: &Arc<Repositories>,
    asked: &[Asked],
    clients: usize,
) -> Result<(Vec<f64>, f64)> {
    let start = Instant::now();
    let mut running = Vec::new();
    for client in 0..clients {
        let mine = (client..ASKED).step_by(clients);
        let mine = mine.filter_map(|at| asked.get(at % asked.len().max(1)));
        let mine: Vec<String> = mine.map(|it| it.question.clone()).collect();
        let catalogue = Arc::clone(catalogue);
        running.push(tokio::spawn(async move {
            let mut times = Vec::new();
            for question in mine {
                let start = Instant::now();
                let found = questions::search(&catalogue, &question).await;
                found.map_err(|error| error.to_string())?;
                times.push(start.elapsed().as_secs_f64() * 1_000.0);
            }
            Ok::<_, String>(times)
        }));
    }
    let mut times = Vec::new();
    for client in running {
        times.extend(client.await??);
    }
    Ok((times, start.elapsed().as_secs_f64()))
}

/// The most that the process and its children had, looked at five times a second: each shared page
/// is counted once (`Pss`).
fn most_memory(process: u32, over: &AtomicBool) -> u64 {
    let mut most = 0;
    while !over.load(Ordering::Relaxed) {
        most = most.max(family(process).into_iter().filter_map(memory).sum());
        std::thread::sleep(Duration::from_millis(200));
    }
    most
}

/// A process and its children.
fn family(process: u32) -> BTreeSet<u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
    let is_child = |id: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        after_name.split_whitespace().nth(1) == Some(&process.to_string())
    };
    ids.filter(is_child).chain([process]).collect()
}

fn memory(process: u32) -> Option<u64> {
    let maps = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let line = maps.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
