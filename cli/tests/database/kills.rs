//! Workers, servers and databases that are killed with signal 9.

mod all;
mod readers;
mod serving;

use std::process::Stdio;
use std::time::Duration;

use footnote_cli::database::Database;

use crate::common::{Running, Server, archive, borrowed, files, until, wait_for};

/// Kills of the first test.
const KILLS: usize = 20;
/// Archives in its queue.
const ARCHIVES: usize = 16;

fn spawn(server: &Server, lease: &str) -> Running {
    let mut command = server.footnote(&["worker", "--until-empty", "--lease", lease]);
    Running(command.stdout(Stdio::null()).spawn().unwrap())
}

/// Queues archives `r0` to before `rN` of different sizes.
fn enqueue(server: &Server, count: usize) {
    for at in 0..count {
        let texts = files("src", &format!("redirect{at}"), 40 + 10 * at);
        let path = archive(server.folder.path(), &format!("r{at}"), &borrowed(&texts));
        let queued = server.footnote(&["enqueue"]).arg(path).output().unwrap();
        assert!(queued.status.success(), "{queued:?}");
    }
}

/// Whoever runs a queue looks at poisoned jobs and queues them again.
async fn forgive(server: &Server) {
    server
        .execute(
            "UPDATE footnote.jobs SET state = 'waiting', deaths = 0, ended_at = NULL
             WHERE state = 'poisoned'",
        )
        .await;
}

#[test]
fn workers_killed_at_any_moment_lose_nothing_and_double_nothing() {
    let server = Server::start();
    wait_for(async { drop(server.database().await) });
    enqueue(&server, ARCHIVES);
    let mut workers = [spawn(&server, "1"), spawn(&server, "1")];
    // Spread over the seconds that a worker takes for its work, the same in each run.
    for kill in 0..KILLS {
        std::thread::sleep(Duration::from_millis(50 + (kill as u64 * 397) % 1_000));
        workers[kill % 2] = spawn(&server, "1");
        wait_for(forgive(&server));
    }
    for worker in &mut workers {
        let status = worker.0.wait().unwrap();
        assert!(status.success(), "{status}");
    }
    wait_for(async {
        forgive(&server).await;
        assert!(spawn(&server, "1").0.wait().unwrap().success());
        let database = server.database().await;
        let status = database.status().await.unwrap();
        let all = i64::try_from(ARCHIVES).unwrap();
        assert_eq!(
            (status.waiting, status.running, status.done),
            (0, 0, all),
            "{status}"
        );
        assert!(status.bad.is_empty(), "{status}");
        check(&server, &database).await;
    });
}

/// Each repository is there once, with all of its files and chunks.
async fn check(server: &Server, database: &Database) {
    let listed = database.list(&Default::default()).await.unwrap();
    assert_eq!(listed.len(), ARCHIVES);
    for repository in &listed {
        let at: usize = repository.name.trim_start_matches('r').parse().unwrap();
        assert_eq!(repository.files, 40 + 10 * at, "{}", repository.name);
    }
    for (table, column) in [("files", "files"), ("chunks", "chunks")] {
        let wrong = format!(
            "SELECT count(*) FROM footnote.repositories AS r WHERE {column} <>
                 (SELECT count(*) FROM footnote.{table} AS t WHERE t.repository = r.id)"
        );
        assert_eq!(server.number(&wrong).await, 0, "{table}");
    }
}

#[test]
fn a_job_that_killed_three_workers_is_left_alone_and_the_others_are_done() {
    let server = Server::start();
    wait_for(async { drop(server.database().await) });
    enqueue(&server, 1);
    let running = "SELECT count(*) FROM footnote.jobs WHERE state = 'running'
                   AND lease_until > clock_timestamp()";
    for _ in 0..3 {
        let worker = spawn(&server, "0.5");
        wait_for(until("a worker has the job", async || {
            server.number(running).await == 1
        }));
        drop(worker);
        let free = "SELECT count(*) FROM footnote.jobs WHERE lease_until < clock_timestamp()";
        wait_for(until("its lease has run out", async || {
            server.number(free).await == 1
        }));
    }
    let texts = files("src", "cookie", 5);
    let path = archive(server.folder.path(), "other", &borrowed(&texts));
    assert!(
        server
            .footnote(&["enqueue"])
            .arg(path)
            .status()
            .unwrap()
            .success()
    );
    assert!(spawn(&server, "1").0.wait().unwrap().success());
    let shown = server.footnote(&["enqueue"]).output().unwrap();
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(
        text.starts_with("0 waiting, 0 running, 1 done, 1 bad"),
        "{text}"
    );
    assert!(
        text.contains("r0.tar: poisoned: its worker went silent 3 times"),
        "{text}"
    );
    assert_eq!(shown.status.code(), Some(1));
}
