//! Jobs and workers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use footnote_cli::database::queue::{Ended, FORMAT, Held, Work, Worker};
use footnote_cli::database::{Change, Database, Package};

use crate::common::{Server, archive, borrowed, files, set, until, wait_for};

/// An archive of a few files about a subject.
fn work(server: &Server, name: &str, subject: &str, count: usize) -> Work {
    let texts = files("src", subject, count);
    let path = archive(server.folder.path(), subject, &borrowed(&texts));
    Work {
        name: name.to_owned(),
        file_name: format!("{subject}.tar"),
        groups: set(&["public"]),
        archive: std::fs::read(path).unwrap(),
    }
}

fn worker(name: &str) -> Worker {
    Worker {
        until_empty: true,
        ..Worker::new(name.to_owned(), Package::of_work)
    }
}

#[test]
fn the_same_archive_waits_once_and_is_stored_once() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let first = work(&server, "one", "redirect", 3);
        assert!(database.enqueue(&first).await.unwrap());
        assert!(!database.enqueue(&first).await.unwrap());
        assert!(
            database
                .enqueue(&work(&server, "two", "cookie", 3))
                .await
                .unwrap()
        );
        let mut ended = Vec::new();
        worker("a")
            .work(&database, |_, it| ended.push(it.clone()))
            .await
            .unwrap();
        assert_eq!(
            ended,
            [Ended::Stored(Change::Added), Ended::Stored(Change::Added)]
        );
        let status = database.status().await.unwrap();
        assert_eq!((status.waiting, status.running, status.done), (0, 0, 2));
        let kept = "SELECT count(*) FROM footnote.jobs WHERE archive IS NOT NULL";
        assert_eq!(server.number(kept).await, 0);
        // Queued again after it is done, it runs again and changes nothing.
        assert!(database.enqueue(&first).await.unwrap());
        ended.clear();
        worker("a")
            .work(&database, |_, it| ended.push(it.clone()))
            .await
            .unwrap();
        assert_eq!(ended, [Ended::Stored(Change::Unchanged)]);
    });
}

#[test]
fn versions_of_one_name_are_stored_in_the_order_in_which_they_came() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        for count in 1..=6 {
            let work = work(&server, "one", &format!("redirect{count}"), count);
            database.enqueue(&work).await.unwrap();
        }
        let workers = ["a", "b", "c"].map(|name| {
            let database = database.clone();
            tokio::spawn(async move { worker(name).work(&database, |_, _| {}).await })
        });
        for worker in workers {
            worker.await.unwrap().unwrap();
        }
        assert_eq!(
            server.number("SELECT count(*) FROM footnote.files").await,
            6
        );
    });
}

#[test]
fn an_archive_that_cannot_be_read_fails_after_three_tries_and_says_why() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let mut bad = work(&server, "bad", "redirect", 3);
        bad.archive = b"this is no archive".to_vec();
        database.enqueue(&bad).await.unwrap();
        database
            .enqueue(&work(&server, "good", "cookie", 3))
            .await
            .unwrap();
        let mut ended = Vec::new();
        worker("a")
            .work(&database, |file, it| {
                ended.push((file.to_owned(), it.clone()))
            })
            .await
            .unwrap();
        let failed = ended
            .iter()
            .filter(|(_, it)| matches!(it, Ended::Failed(_)))
            .count();
        assert_eq!((failed, ended.len()), (3, 4));
        let status = database.status().await.unwrap();
        assert_eq!(status.done, 1);
        let (file, state, why) = &status.bad[0];
        assert_eq!((file.as_str(), state.as_str()), ("redirect.tar", "failed"));
        assert!(
            why.contains("not an archive") || why.contains("archive"),
            "{why}"
        );
    });
}

#[test]
fn a_worker_of_an_older_version_leaves_newer_jobs_to_others() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        database
            .enqueue(&work(&server, "new", "redirect", 3))
            .await
            .unwrap();
        let newer = format!("UPDATE footnote.jobs SET format = {}", FORMAT + 1);
        server.execute(&newer).await;
        database
            .enqueue(&work(&server, "known", "cookie", 3))
            .await
            .unwrap();
        let mut ended = Vec::new();
        worker("old")
            .work(&database, |file, _| ended.push(file.to_owned()))
            .await
            .unwrap();
        assert_eq!(ended, ["cookie.tar"]);
        let status = database.status().await.unwrap();
        assert_eq!((status.waiting, status.done), (1, 1));
        let new = Worker {
            format: FORMAT + 1,
            ..worker("new")
        };
        new.work(&database, |file, _| ended.push(file.to_owned()))
            .await
            .unwrap();
        assert_eq!(ended, ["cookie.tar", "redirect.tar"]);
    });
}

/// A queued job that a worker has taken and made.
async fn taken(server: &Server, database: &Database, lease: Duration) -> (Held, Package) {
    let queued = work(server, "one", "redirect", 3);
    database.enqueue(&queued).await.unwrap();
    let job = database.take("slow", lease, FORMAT).await.unwrap().unwrap();
    let held = job.held();
    (held, Package::of_work(job.work).unwrap())
}

#[test]
fn a_worker_that_comes_back_after_its_lease_ran_out_stores_nothing() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let lease = Duration::from_millis(50);
        let (held, package) = taken(&server, &database, lease).await;
        let expired = "SELECT count(*) FROM footnote.jobs WHERE lease_until < clock_timestamp()";
        until("the lease has run out", async || {
            server.number(expired).await == 1
        })
        .await;
        let again = database
            .take("other", lease, FORMAT)
            .await
            .unwrap()
            .unwrap();
        assert!(!database.renew(&held, lease).await.unwrap());
        assert_eq!(database.finish(&held, &package).await.unwrap(), None);
        assert_eq!(
            server
                .number("SELECT count(*) FROM footnote.repositories")
                .await,
            0
        );
        let change = database.finish(&again.held(), &package).await.unwrap();
        assert_eq!(change, Some(Change::Added));
        assert_eq!(
            database.finish(&again.held(), &package).await.unwrap(),
            None
        );
    });
}

#[test]
fn a_job_whose_repository_is_deleted_meanwhile_stores_nothing() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let lease = Duration::from_secs(60);
        let (held, package) = taken(&server, &database, lease).await;
        database.push(&package).await.unwrap();
        assert!(database.delete("one").await.unwrap());
        assert!(!database.renew(&held, lease).await.unwrap());
        assert_eq!(database.finish(&held, &package).await.unwrap(), None);
        assert!(!database.fail(&held, "too late").await.unwrap());
        for table in ["jobs", "repositories"] {
            let left = format!("SELECT count(*) FROM footnote.{table}");
            assert_eq!(server.number(&left).await, 0, "{table}");
        }
    });
}

#[test]
fn deletions_and_ends_of_jobs_at_once_wait_for_each_other_and_nothing_is_left() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let lease = Duration::from_secs(60);
        for round in 0..8 {
            let work = work(&server, "one", "redirect", 3);
            database.enqueue(&work).await.unwrap();
            let job = database.take("a", lease, FORMAT).await.unwrap().unwrap();
            let held = job.held();
            let package = Package::of_work(job.work).unwrap();
            let (finished, deleted) =
                tokio::join!(database.finish(&held, &package), database.delete("one"));
            // Who came first decides what the deletion found; nothing outlives it.
            assert_eq!(finished.unwrap().is_some(), deleted.unwrap(), "{round}");
            let left = "SELECT count(*) FROM footnote.repositories";
            assert_eq!(server.number(left).await, 0, "{round}");
        }
    });
}

static IS_MADE: AtomicBool = AtomicBool::new(false);

/// Indexes, but not before the test has killed the database.
fn make_later(work: Work) -> Result<Package, String> {
    while !IS_MADE.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(10));
    }
    Package::of_work(work)
}

#[test]
fn a_worker_waits_for_a_database_that_was_killed_under_it_and_loses_nothing() {
    let mut server = Server::start();
    wait_for(async {
        let database = server.database().await;
        database
            .enqueue(&work(&server, "one", "redirect", 3))
            .await
            .unwrap();
        let patient = Worker {
            make: make_later,
            ..worker("a")
        };
        let theirs = database.clone();
        let working = tokio::spawn(async move {
            let mut ended = Vec::new();
            patient
                .work(&theirs, |_, it| ended.push(it.clone()))
                .await
                .unwrap();
            ended
        });
        until("the job runs", async || {
            database.status().await.unwrap().running == 1
        })
        .await;
        server.postgres.kill();
        IS_MADE.store(true, Ordering::SeqCst);
        server.postgres.restart().unwrap();
        assert_eq!(working.await.unwrap(), [Ended::Stored(Change::Added)]);
        assert_eq!(database.status().await.unwrap().done, 1);
    });
}

/// As a grammar with a fault would.
fn make_nothing(_: Work) -> Result<Package, String> {
    panic!("a fault")
}

#[test]
fn a_fault_of_the_program_ends_the_job_and_not_the_worker() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        database
            .enqueue(&work(&server, "one", "redirect", 3))
            .await
            .unwrap();
        let faulty = Worker {
            make: make_nothing,
            ..worker("a")
        };
        faulty.work(&database, |_, _| {}).await.unwrap();
        let status = database.status().await.unwrap();
        assert!(status.bad[0].2.contains("indexing failed"), "{status}");
    });
}
