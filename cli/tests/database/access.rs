//! Who may read what.

use footnote_cli::database::catalogue::Repositories;
use footnote_cli::database::{Database, Options};
use footnote_cli::serve::source::{Catalogue, Kind, SymbolQuery, TokenHash, Trouble};
use footnote_cli::serve::tokens;

use crate::common::{Server, ask, borrowed, encoder, files, set, user, wait_for};

const QUESTION: &str = "How is the redirect of a session followed?";

fn hash(token: &str) -> TokenHash {
    tokens::hash(token).unwrap()
}

/// Everything that a user without rights can learn.
async fn seen(catalogue: &dyn Catalogue, groups: &[&str]) -> String {
    let mut seen = format!("{:?}", ask(catalogue, groups, QUESTION).await);
    seen += &format!("{:?}", catalogue.repositories(&user(groups)).await);
    for (of, name) in [
        (Kind::Imports, "requests.sessions"),
        (Kind::Definitions, "follow_redirect_1"),
    ] {
        let query = SymbolQuery {
            name: name.to_owned(),
            of,
            limit: 5,
        };
        seen += &format!("{:?}", catalogue.symbols(&user(groups), &query).await);
    }
    seen
}

#[test]
fn repositories_hidden_from_a_user_change_no_rank_no_count_and_no_error() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let (open, other) = (files("src", "redirect", 30), files("src", "cookie", 30));
        let open = server.package("open", &["public"], &borrowed(&open));
        let other = server.package("other", &["team", "public"], &borrowed(&other));
        database.push(&open).await.unwrap();
        database.push(&other).await.unwrap();
        let catalogue = server.catalogue().await;
        let before = seen(&catalogue, &["team"]).await;

        // More than a search of a graph keeps, and all of them near.
        let secret = files("src", "redirect", 400);
        let secret = server.package("secret", &["board"], &borrowed(&secret));
        database.push(&secret).await.unwrap();
        assert_eq!(seen(&catalogue, &["team"]).await, before);
        assert!(!before.contains("secret"));

        let found = ask(&catalogue, &["board"], QUESTION).await;
        assert_eq!(found.searched, 3);
        assert!(found.hits.iter().any(|hit| hit.repository == "secret"));

        let missing = "nothing-0000000000000000.footnote";
        let absent = catalogue
            .index_file(&user(&["team"]), missing)
            .await
            .err()
            .unwrap();
        let hidden = catalogue
            .index_file(&user(&["team"]), &secret.file_name)
            .await;
        let Some(Trouble::Absent(hidden)) = hidden.err() else {
            panic!("a file that may not be read is absent");
        };
        assert_eq!(
            hidden.replace(&secret.file_name, missing),
            absent.to_string()
        );
        assert!(
            catalogue
                .index_file(&user(&["board"]), &secret.file_name)
                .await
                .is_ok()
        );
    });
}

#[test]
fn a_repository_that_changes_its_groups_is_hidden_at_once() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let texts = files("src", "redirect", 5);
        database
            .push(&server.package("one", &["public"], &borrowed(&texts)))
            .await
            .unwrap();
        let catalogue = server.catalogue().await;
        assert_eq!(ask(&catalogue, &[], QUESTION).await.searched, 1);
        database
            .push(&server.package("one", &["board"], &borrowed(&texts)))
            .await
            .unwrap();
        assert_eq!(ask(&catalogue, &[], QUESTION).await, Default::default());
        assert_eq!(ask(&catalogue, &["board"], QUESTION).await.searched, 1);
    });
}

#[test]
fn policies_hold_for_statements_that_forgot_to_take_a_role() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let texts = files("src", "redirect", 5);
        database
            .push(&server.package("one", &["public"], &borrowed(&texts)))
            .await
            .unwrap();
        database
            .push(&server.package("two", &["board"], &borrowed(&texts)))
            .await
            .unwrap();
        // Superusers are beyond policies, so the tables get an owner that is none.
        server
            .execute(
                "CREATE ROLE keeper LOGIN; GRANT USAGE ON SCHEMA footnote TO keeper;
                 ALTER TABLE footnote.repositories OWNER TO keeper;
                 ALTER TABLE footnote.chunks OWNER TO keeper",
            )
            .await;
        for (role, groups, repositories) in [
            ("keeper", "{}", 0),
            ("footnote_reader", "{}", 1),
            ("footnote_reader", "{board}", 2),
            ("footnote_reader", "{\"board'; RESET ROLE; --\"}", 1),
        ] {
            let statement = format!(
                "WITH role AS MATERIALIZED (
                     SELECT set_config('role', '{role}', false),
                            set_config('footnote.groups', '{}', false))
                 SELECT count(*) FROM role",
                groups.replace('\'', "''")
            );
            let (client, connection) =
                tokio_postgres::connect(&server.address(), tokio_postgres::NoTls)
                    .await
                    .unwrap();
            tokio::spawn(connection);
            client.query(&statement, &[]).await.unwrap();
            let count = "SELECT count(*) FROM footnote.repositories";
            let seen: i64 = client.query_one(count, &[]).await.unwrap().get(0);
            assert_eq!(seen, repositories, "{role} {groups}");
            let count = "SELECT count(DISTINCT repository) FROM footnote.chunks";
            let seen: i64 = client.query_one(count, &[]).await.unwrap().get(0);
            assert_eq!(seen, repositories, "{role} {groups}");
        }
    });
}

#[test]
fn neither_pushing_nor_serving_requires_a_superuser() {
    let server = Server::start();
    wait_for(async {
        server
            .execute(
                "CREATE EXTENSION vector; CREATE ROLE keeper LOGIN CREATEROLE;
                 ALTER DATABASE postgres OWNER TO keeper",
            )
            .await;
        let as_user = |name: &str| server.address().replace("postgres@", &format!("{name}@"));
        let keeper = Database::prepare(&as_user("keeper"), Options::default()).await;
        let keeper = keeper.unwrap();
        let (open, secret) = (files("src", "redirect", 5), files("src", "cookie", 5));
        let open = server.package("open", &["public"], &borrowed(&open));
        let secret = server.package("secret", &["board"], &borrowed(&secret));
        for package in [&open, &secret, &open] {
            keeper.push(package).await.unwrap();
        }
        keeper.set_user("ada", &set(&["board"])).await.unwrap();
        let token = keeper.make_token("ada").await.unwrap();

        server
            .execute("CREATE ROLE web LOGIN IN ROLE footnote_reader")
            .await;
        let web = Database::open(&as_user("web"), Options::default())
            .await
            .unwrap();
        assert!(web.push(&secret).await.is_err());
        assert!(web.make_token("ada").await.is_err());
        let catalogue = Repositories::new(web, Some(encoder())).await.unwrap();
        let ada = catalogue.user(hash(&token)).await.unwrap().unwrap();
        assert_eq!(ada.groups, set(&["board"]));
        assert_eq!(ask(&catalogue, &[], QUESTION).await.searched, 1);
        assert_eq!(ask(&catalogue, &["board"], QUESTION).await.searched, 2);

        assert!(keeper.delete("secret").await.unwrap());
        assert_eq!(ask(&catalogue, &["board"], QUESTION).await.searched, 1);
    });
}

#[test]
fn a_token_that_is_revoked_between_two_requests_opens_nothing() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        database
            .set_user("ada", &set(&["board", "team"]))
            .await
            .unwrap();
        let token = database.make_token("ada").await.unwrap();
        let catalogue = server.catalogue().await;
        let ada = catalogue.user(hash(&token)).await.unwrap().unwrap();
        assert_eq!(ada.name.as_deref(), Some("ada"));
        assert_eq!(ada.groups, set(&["board", "team"]));
        assert_eq!(
            catalogue.user(hash("footnote_another")).await.unwrap(),
            None
        );

        database.set_user("ada", &set(&["team"])).await.unwrap();
        let ada = catalogue.user(hash(&token)).await.unwrap().unwrap();
        assert_eq!(ada.groups, set(&["team"]));
        assert_eq!(database.revoke("ada").await.unwrap(), 1);
        assert_eq!(catalogue.user(hash(&token)).await.unwrap(), None);

        let kept = "SELECT count(*) FROM footnote.tokens";
        assert_eq!(server.number(kept).await, 0);
        assert!(database.make_token("bob").await.is_err());
    });
}

#[test]
fn sql_in_names_paths_groups_and_questions_is_only_text() {
    let server = Server::start();
    wait_for(async {
        let database = server.database().await;
        let evil = "x'; DROP TABLE footnote.repositories; -- \" \\ {a,b} $1 %s";
        let texts = files("src", "redirect", 2);
        let mut texts = borrowed(&texts);
        texts.push((
            "src/it's \"; DELETE FROM footnote.chunks; --.py",
            "x = \"';--\"\n",
        ));
        let package = server.package(evil, &[evil], &texts);
        database.push(&package).await.unwrap();
        database.set_user(evil, &set(&[evil])).await.unwrap();
        let token = database.make_token(evil).await.unwrap();
        let catalogue = server.catalogue().await;
        let ada = catalogue.user(hash(&token)).await.unwrap().unwrap();
        assert_eq!(ada.groups, set(&[evil]));

        let found = ask(&catalogue, &[evil], QUESTION).await;
        assert_eq!(found.repositories[0].repository, evil);
        let question = format!("{evil} DELETE FROM footnote.chunks redirect");
        let found = ask(&catalogue, &[evil], &question).await;
        assert!(
            found
                .hits
                .iter()
                .any(|hit| hit.path.contains("DELETE FROM"))
        );
        assert_eq!(ask(&catalogue, &["a", "b"], &question).await.searched, 0);
        for of in [Kind::Definitions, Kind::Imports] {
            for name in [evil, "%", "' OR 1=1 --", "\0", ""] {
                let query = SymbolQuery {
                    name: name.to_owned(),
                    of,
                    limit: 5,
                };
                let symbols = catalogue.symbols(&user(&[evil]), &query).await.unwrap();
                assert_eq!(symbols.total, 0, "{name:?}");
            }
        }
        assert!(database.delete(evil).await.unwrap());
        assert_eq!(
            server
                .number("SELECT count(*) FROM footnote.repositories")
                .await,
            0
        );
    });
}
