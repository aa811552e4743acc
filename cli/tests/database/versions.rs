//! Versions that replace each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use footnote_cli::database::Change;
use footnote_cli::serve::source::{Catalogue, Kind, SymbolQuery};

use crate::common::{Server, ask, borrowed, files, user, wait_for};

const QUESTION: &str = "Who follows the redirect of a session?";

/// Tables with rows of repositories.
const TABLES: [&str; 7] = [
    "repositories",
    "index_files",
    "files",
    "chunks",
    "words",
    "symbols",
    "imports",
];

#[test]
fn the_same_content_is_stored_once_and_other_content_replaces_it() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let (old, new) = (files("old", "redirect", 3), files("new", "cookie", 4));
        let old = server.package("one", &["public"], &borrowed(&old));
        let new = server.package("one", &["public"], &borrowed(&new));
        assert_eq!(database.push(&old).await.unwrap(), Change::Added);
        assert_eq!(database.push(&old).await.unwrap(), Change::Unchanged);
        assert_eq!(database.push(&new).await.unwrap(), Change::Replaced);
        for table in TABLES {
            let stored = format!("SELECT count(DISTINCT repository) FROM footnote.{table}");
            let stored = stored.replace(
                "DISTINCT repository) FROM footnote.repositories",
                "*) FROM footnote.repositories",
            );
            assert_eq!(server.number(&stored).await, 1, "{table}");
        }
        let chunks = i64::try_from(new.rows.chunks.len()).unwrap();
        assert_eq!(
            server.number("SELECT count(*) FROM footnote.chunks").await,
            chunks
        );
    });
}

#[test]
fn pushed_repositories_are_found() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let texts = files("src", "redirect", 3);
        let package = server.package("one", &["public"], &borrowed(&texts));
        database.push(&package).await.unwrap();
        let catalogue = server.catalogue().await;

        let listed = catalogue.repositories(&user(&[])).await.unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!((listed[0].files, listed[0].repository.as_str()), (3, "one"));
        let file = catalogue
            .index_file(&user(&[]), &listed[0].index)
            .await
            .unwrap();
        assert_eq!(file.size, package.file.len() as u64);
        assert_eq!(file.bytes.read(0..file.size).await.unwrap(), package.file);
        assert_eq!(file.bytes.read(3..8).await.unwrap(), package.file[3..8]);

        let found = ask(&catalogue, &[], "follow_redirect_1").await;
        assert_eq!(found.hits[0].path, "src/redirect_1.py");
        assert!(found.hits[0].first <= 4 && found.hits[0].last >= 6);
        for (of, name, total) in [
            (Kind::Definitions, "follow_redirect_2", 1),
            (Kind::Definitions, "follow_redirect", 0),
            (Kind::Imports, "requests.sessions", 3),
            (Kind::Imports, "requests", 3),
            (Kind::Imports, "requests.sessions.Session", 3),
            (Kind::Imports, "requests::sessions", 3),
            (Kind::Imports, "sessions", 0),
        ] {
            let query = SymbolQuery {
                name: name.to_owned(),
                of,
                limit: 2,
            };
            let symbols = catalogue.symbols(&user(&[]), &query).await.unwrap();
            assert_eq!(symbols.total, total, "{name}");
            assert_eq!(symbols.places.len(), total.min(2), "{name}");
        }
    });
}

#[test]
fn a_reader_sees_one_version_whole_while_others_replace_it() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let (old, new) = (files("old", "redirect", 8), files("new", "redirect", 13));
        let versions = [
            server.package("one", &["public"], &borrowed(&old)),
            server.package("one", &["public"], &borrowed(&new)),
        ];
        database.push(&versions[0]).await.unwrap();
        let catalogue = server.catalogue().await;
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let writer = tokio::spawn(async move {
            for at in 0..30 {
                database.push(&versions[(at + 1) % 2]).await.unwrap();
            }
            over.store(true, Ordering::SeqCst);
        });
        let mut seen = [0, 0];
        while !is_over.load(Ordering::SeqCst) {
            let found = ask(&catalogue, &[], QUESTION).await;
            let count = |folder: &str| {
                let hits = found.hits.iter();
                hits.filter(|hit| hit.path.starts_with(folder)).count()
            };
            let is_old = match (count("old"), count("new")) {
                (8.., 0) => 0,
                (0, 13..) => 1,
                mixed => panic!("{mixed:?}"),
            };
            seen[is_old] += 1;
            assert_eq!(found.searched, 1);
        }
        writer.await.unwrap();
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    });
}

#[test]
fn pushes_of_one_name_at_once_run_one_after_the_other() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let counts = [3, 5, 7, 9];
        let pushes = counts.map(|count| {
            let texts = files(&format!("v{count}"), "redirect", count);
            let package = server.package("one", &["public"], &borrowed(&texts));
            let database = database.clone();
            tokio::spawn(async move { database.push(&package).await })
        });
        let mut changes = Vec::new();
        for push in pushes {
            changes.push(push.await.unwrap().unwrap());
        }
        let added = changes.iter().filter(|it| **it == Change::Added).count();
        assert_eq!(added, 1, "{changes:?}");
        let files = server.number("SELECT count(*) FROM footnote.files").await;
        assert!(counts.contains(&usize::try_from(files).unwrap()), "{files}");
        let folders = "SELECT count(DISTINCT split_part(path, '/', 1)) FROM footnote.files";
        assert_eq!(server.number(folders).await, 1);
    });
}

#[test]
fn a_deleted_repository_leaves_nothing_and_the_others_as_they_were() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let (kept, gone) = (files("src", "cookie", 4), files("src", "redirect", 6));
        let kept = server.package("kept", &["public"], &borrowed(&kept));
        database.push(&kept).await.unwrap();
        let catalogue = server.catalogue().await;
        let before = ask(&catalogue, &[], QUESTION).await;
        let gone = server.package("gone", &["public"], &borrowed(&gone));
        database.push(&gone).await.unwrap();
        assert_ne!(ask(&catalogue, &[], QUESTION).await, before);

        assert!(database.delete("gone").await.unwrap());
        assert!(!database.delete("gone").await.unwrap());
        assert_eq!(ask(&catalogue, &[], QUESTION).await, before);
        for table in TABLES {
            let orphans = format!(
                "SELECT count(*) FROM footnote.{table} AS t
                 WHERE NOT EXISTS (SELECT FROM footnote.repositories AS r WHERE r.name = 'kept'
                     AND to_jsonb(t) ->> 'audience' = r.audience::text)
                 OR to_jsonb(t)::text LIKE '%redirect%'"
            );
            assert_eq!(server.number(&orphans).await, 0, "{table}");
            let dead = format!("SELECT pg_stat_get_dead_tuples('footnote.{table}'::regclass)");
            crate::common::until("the rows are cleared away", async || {
                server.number(&dead).await == 0
            })
            .await;
        }
    });
}

#[test]
fn the_rarity_of_words_is_counted_over_the_current_repositories() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let mut texts = files("src", "cookie", 20);
        texts.extend(files("src", "redirect", 1));
        let package = server.package("one", &["public"], &borrowed(&texts));
        database.push(&package).await.unwrap();
        let catalogue = server.catalogue().await;
        let rare = ask(&catalogue, &[], "redirect").await;
        // Another repository in which the word is common makes it worth less, and the order of the
        // first one's files stays.
        let common = files("src", "redirect", 40);
        database
            .push(&server.package("two", &["public"], &borrowed(&common)))
            .await
            .unwrap();
        let frequent = ask(&catalogue, &[], "redirect").await;
        assert!(frequent.hits.iter().any(|hit| hit.repository == "two"));
        database.delete("two").await.unwrap();
        assert_eq!(ask(&catalogue, &[], "redirect").await, rare);
    });
}
