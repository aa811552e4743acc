//! The tables and their versions.

use footnote_cli::database::{Database, Error, Options, migrate};
use tokio_postgres::NoTls;

use crate::common::{Server, wait_for};

const VERSION: &str = "SELECT max(version)::int8 FROM footnote.migrations";

#[test]
fn programs_that_start_at_once_make_the_tables_once() {
    let server = Server::start();
    wait_for(async {
        let address = server.address();
        assert!(matches!(
            Database::open(&address, Options::default()).await.err(),
            Some(Error::Missing)
        ));
        let starts = (0..8).map(|_| {
            let address = address.clone();
            tokio::spawn(async move { Database::prepare(&address, Options::default()).await })
        });
        for start in starts.collect::<Vec<_>>() {
            start.await.unwrap().unwrap();
        }
        assert!(Database::open(&address, Options::default()).await.is_ok());
        let applied = "SELECT count(*) FROM footnote.migrations";
        let versions = i64::try_from(migrate::ALL.len()).unwrap();
        assert_eq!(server.number(applied).await, versions);
    });
}

#[test]
fn a_version_that_breaks_off_leaves_the_one_before() {
    let server = Server::start();
    wait_for(async {
        let (mut client, connection) = tokio_postgres::connect(&server.address(), NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        let [first, ..] = migrate::ALL else {
            panic!("there is a first version");
        };
        let broken = "CREATE TABLE footnote.half (id int); SELECT 1 / 0";
        let error = migrate::apply(&mut client, &[first, broken]).await;
        assert!(error.unwrap_err().to_string().contains("division by zero"));
        assert_eq!(server.number(VERSION).await, 1);
        let half = "SELECT count(*) FROM pg_class WHERE relname = 'half'";
        assert_eq!(server.number(half).await, 0);
        let opened = Database::open(&server.address(), Options::default()).await;
        assert!(matches!(opened.err(), Some(Error::Refused(_))));
        // The program with the version that is whole goes on from there.
        server.database().await;
        let versions = i64::try_from(migrate::ALL.len()).unwrap();
        assert_eq!(server.number(VERSION).await, versions);
    });
}

#[test]
fn a_server_that_is_killed_within_a_version_leaves_the_one_before() {
    let mut server = Server::start();
    wait_for(async {
        let (mut client, connection) = tokio_postgres::connect(&server.address(), NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        let long = "CREATE TABLE footnote.half (id int); SELECT pg_sleep(600)";
        let [first, ..] = migrate::ALL else {
            panic!("there is a first version");
        };
        let work = tokio::spawn(async move { migrate::apply(&mut client, &[first, long]).await });
        let sleeping = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
        crate::common::until("the version is being applied", async || {
            server.number(sleeping).await == 1
        })
        .await;
        server.postgres.kill();
        assert!(matches!(work.await.unwrap(), Err(Error::Unreachable(_))));
        server.postgres.restart().unwrap();
        assert_eq!(server.number(VERSION).await, 1);
        server.database().await;
    });
}

#[test]
fn a_program_that_is_older_than_the_tables_says_so_and_touches_nothing() {
    let server = Server::start();
    wait_for(async {
        server.database().await;
        server
            .execute("INSERT INTO footnote.migrations (version) VALUES (1000)")
            .await;
        for opened in [
            Database::open(&server.address(), Options::default()).await,
            Database::prepare(&server.address(), Options::default()).await,
        ] {
            let error = opened.err().unwrap();
            assert!(
                error.to_string().contains("Install a newer Footnote"),
                "{error}"
            );
        }
    });
}

#[test]
fn unusable_addresses_are_refused_without_showing_the_password() {
    wait_for(async {
        for (address, said) in [
            ("postgres://ada:secret@127.0.0.1:1/db", "cannot be reached"),
            (
                "mysql://ada:secret@127.0.0.1/db",
                "not a PostgreSQL address",
            ),
            ("", "not a PostgreSQL address"),
        ] {
            let error = Database::open(address, Options::default())
                .await
                .err()
                .unwrap();
            let error = error.to_string();
            assert!(error.contains(said), "{address:?}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    });
}
