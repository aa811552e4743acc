//! A database that stops, is full of others, or takes too long.

use std::time::Duration;

use footnote_cli::database::catalogue::Repositories;
use footnote_cli::database::{Change, Database, Error, Options};
use footnote_cli::serve::source::{Catalogue, Query, Trouble};
use tokio_postgres::NoTls;

use crate::common::{Server, ask, borrowed, encoder, files, until, user, wait_for};

const QUESTION: &str = "Who follows the redirect of a session?";

fn query() -> Query {
    Query {
        question: QUESTION.to_owned(),
        limit: 10,
    }
}

#[test]
fn a_database_killed_during_a_push_has_the_old_version_or_the_new_one() {
    let mut server = Server::start();
    let versions = [("old", 5), ("new", 400)].map(|(folder, count)| {
        let texts = files(folder, "redirect", count);
        server.package("one", &["public"], &borrowed(&texts))
    });
    wait_for(async {
        server.database().await.push(&versions[0]).await.unwrap();
    });
    let mut outcomes = [0, 0];
    for round in 0..12 {
        wait_for(async {
            let database = server.database().await;
            let pushed = tokio::time::timeout(
                Duration::from_millis(30 * round),
                database.push(&versions[1]),
            );
            // Whether it was done, was stopped or still ran: the server dies now.
            let pushed = pushed.await.is_ok();
            server.postgres.kill();
            server.postgres.restart().unwrap();
            let catalogue = server.catalogue().await;
            let listed = catalogue.repositories(&user(&[])).await.unwrap();
            let files = listed[0].files;
            assert!(files == 400 || (files == 5 && !pushed), "{files} {pushed}");
            let stored = server.number("SELECT count(*) FROM footnote.files").await;
            assert_eq!(usize::try_from(stored).unwrap(), files);
            outcomes[usize::from(files == 400)] += 1;
            server.database().await.push(&versions[0]).await.unwrap();
        });
    }
    assert!(outcomes[0] > 0, "no push was interrupted: {outcomes:?}");
}

#[test]
fn a_push_that_the_database_dies_under_says_so_and_can_be_repeated() {
    let mut server = Server::start();
    let texts = files("src", "redirect", 50);
    let package = server.package("one", &["public"], &borrowed(&texts));
    wait_for(async {
        let database = server.database().await;
        // A lock holds the push where it has begun.
        let (client, connection) = tokio_postgres::connect(&server.address(), NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        client
            .batch_execute("BEGIN; LOCK TABLE footnote.chunks IN EXCLUSIVE MODE")
            .await
            .unwrap();
        let pushing = database.clone();
        let push = tokio::spawn(async move {
            let pushed = pushing.push(&package).await;
            (pushed, package)
        });
        let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted";
        until("the push waits", async || server.number(waiting).await > 0).await;
        server.postgres.kill();
        let (pushed, package) = push.await.unwrap();
        let error = pushed.unwrap_err();
        assert!(matches!(error, Error::Unreachable(_)), "{error}");
        server.postgres.restart().unwrap();
        // The same connections find the server again.
        assert_eq!(database.push(&package).await.unwrap(), Change::Added);
    });
}

#[test]
fn a_question_while_the_database_is_away_is_answered_after_it_is_back() {
    let mut server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let texts = files("src", "redirect", 5);
        database
            .push(&server.package("one", &["public"], &borrowed(&texts)))
            .await
            .unwrap();
        let catalogue = server.catalogue().await;
        let before = ask(&catalogue, &[], QUESTION).await;
        server.postgres.kill();
        let user = user(&[]);
        let trouble = catalogue.search(&user, &query()).await.unwrap_err();
        assert!(matches!(trouble, Trouble::Busy(_)), "{trouble}");
        assert!(catalogue.is_well().await.is_err());
        server.postgres.restart().unwrap();
        assert_eq!(ask(&catalogue, &[], QUESTION).await, before);
        assert!(catalogue.is_well().await.is_ok());
    });
}

#[test]
fn a_slow_statement_is_stopped_and_a_search_without_a_free_connection_is_refused() {
    let server = Server::start();
    wait_for(async {
        let texts = files("src", "redirect", 5);
        let package = server.package("one", &["public"], &borrowed(&texts));
        server.database().await.push(&package).await.unwrap();
        let options = Options {
            connections: 1,
            wait: Duration::from_millis(200),
            statement: Duration::from_millis(1_500),
        };
        let database = Database::open(&server.address(), options).await.unwrap();
        let catalogue = Repositories::new(database, Some(encoder())).await.unwrap();
        let before = ask(&catalogue, &[], QUESTION).await;

        let (client, connection) = tokio_postgres::connect(&server.address(), NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        client
            .batch_execute("BEGIN; LOCK TABLE footnote.words IN ACCESS EXCLUSIVE MODE")
            .await
            .unwrap();
        let catalogue = std::sync::Arc::new(catalogue);
        let slow = std::sync::Arc::clone(&catalogue);
        let slow = tokio::spawn(async move { slow.search(&user(&[]), &query()).await });
        let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted";
        until("the first one waits", async || {
            server.number(waiting).await > 0
        })
        .await;
        let refused = catalogue.search(&user(&[]), &query()).await.unwrap_err();
        assert!(matches!(refused, Trouble::Busy(_)), "{refused}");
        let stopped = slow.await.unwrap().unwrap_err();
        assert!(stopped.to_string().contains("took too long"), "{stopped}");

        client.batch_execute("ROLLBACK").await.unwrap();
        assert_eq!(ask(&*catalogue, &[], QUESTION).await, before);
    });
}

#[test]
fn a_question_that_nobody_waits_for_any_more_frees_its_connection() {
    let server = Server::start();
    wait_for(async {
        let texts = files("src", "redirect", 5);
        let package = server.package("one", &["public"], &borrowed(&texts));
        server.database().await.push(&package).await.unwrap();
        let options = Options {
            connections: 1,
            wait: Duration::from_secs(10),
            statement: Duration::from_secs(1),
        };
        let database = Database::open(&server.address(), options).await.unwrap();
        let catalogue = Repositories::new(database, Some(encoder())).await.unwrap();
        let (client, connection) = tokio_postgres::connect(&server.address(), NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        let lock = "BEGIN; LOCK TABLE footnote.words IN ACCESS EXCLUSIVE MODE";
        client.batch_execute(lock).await.unwrap();
        let (nobody, query) = (user(&[]), query());
        let given_up = tokio::time::timeout(
            Duration::from_millis(300),
            catalogue.search(&nobody, &query),
        );
        assert!(given_up.await.is_err());
        client.batch_execute("ROLLBACK").await.unwrap();
        assert_eq!(ask(&catalogue, &[], QUESTION).await.searched, 1);
    });
}

/// PostgreSQL's files may become this long: more than a segment of its log, which it makes whole.
const LONGEST: u64 = 17 << 20;

#[test]
fn a_push_that_finds_no_room_leaves_the_old_version_and_can_be_repeated() {
    let mut server = Server::start();
    let texts = files("src", "redirect", 5);
    let old = server.package("one", &["public"], &borrowed(&texts));
    let small = server.package("two", &["public"], &borrowed(&texts));
    let more = files("src", "retry", 9);
    let mut new = server.package("one", &["public"], &borrowed(&more));
    // Its content does not shrink in the table.
    let mut state = 1_u64;
    new.file = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    })
    .take(LONGEST as usize / 4 * 5)
    .collect();
    wait_for(async {
        server.database().await.push(&old).await.unwrap();
        let catalogue = server.catalogue().await;
        let before = ask(&catalogue, &[], QUESTION).await;
        server
            .postgres
            .restart_with_files_up_to(Some(LONGEST))
            .unwrap();
        let database = server.database().await;
        let error = database.push(&new).await.unwrap_err();
        assert!(error.to_string().contains("File too large"), "{error}");
        assert_eq!(ask(&catalogue, &[], QUESTION).await, before);
        assert_eq!(
            server.number("SELECT count(*) FROM footnote.files").await,
            5
        );
        // A deletion gives room back, that of the push that failed included.
        database.delete("two").await.unwrap();
        assert_eq!(database.push(&small).await.unwrap(), Change::Added);
        server.postgres.restart_with_files_up_to(None).unwrap();
        let database = server.database().await;
        assert_eq!(database.push(&new).await.unwrap(), Change::Replaced);
        assert_eq!(
            server.number("SELECT count(*) FROM footnote.files").await,
            14
        );
    });
}

#[test]
fn a_full_disk_is_named_and_the_same_push_may_succeed_later() {
    let server = Server::start();
    let texts = files("src", "redirect", 5);
    let package = server.package("one", &["public"], &borrowed(&texts));
    wait_for(async {
        let database = server.database().await;
        let full = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100';
            END $$;
            CREATE TRIGGER full_disk BEFORE INSERT ON footnote.words EXECUTE FUNCTION full_disk()";
        server.execute(full).await;
        let error = database.push(&package).await.unwrap_err();
        assert!(
            matches!(error, Error::Full(_)) && error.is_passing(),
            "{error}"
        );
        assert!(error.to_string().contains("Free some space"), "{error}");
        assert_eq!(
            server
                .number("SELECT count(*) FROM footnote.repositories")
                .await,
            0
        );
        server
            .execute("DROP TRIGGER full_disk ON footnote.words")
            .await;
        assert_eq!(database.push(&package).await.unwrap(), Change::Added);
    });
}
