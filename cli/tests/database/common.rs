//! A server for one test, small archives, and questions.

use std::collections::BTreeSet;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use footnote_cli::database::catalogue::Repositories;
use footnote_cli::database::{Database, Options, Package};
use footnote_cli::model;
use footnote_cli::serve::source::{Catalogue, Found, Query, User};
use footnote_core::embed::TableEncoder;
use tempfile::TempDir;
use tokio_postgres::NoTls;
use xtask::postgres::Postgres;

/// A running server and a folder for archives.
pub struct Server {
    pub postgres: Postgres,
    pub folder: TempDir,
}

impl Server {
    /// # Panics
    /// If PostgreSQL is not installed; the message says how to install it.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = ["fsync=off", "shared_buffers=32MB", "max_connections=60"];
        let postgres = Postgres::start(folder.path(), &settings);
        let postgres = postgres.unwrap_or_else(|error| panic!("{error}"));
        Self { postgres, folder }
    }

    pub fn address(&self) -> String {
        self.postgres.address("postgres")
    }

    /// Connections for a test, with the tables made.
    pub async fn database(&self) -> Database {
        let database = Database::prepare(&self.address(), Options::default()).await;
        database.unwrap()
    }

    /// What `footnote serve` would ask.
    pub async fn catalogue(&self) -> Repositories {
        let database = self.database().await;
        Repositories::new(database, Some(encoder())).await.unwrap()
    }

    /// The first column of the first row of a statement, as a superuser.
    pub async fn number(&self, statement: &str) -> i64 {
        let (client, connection) = tokio_postgres::connect(&self.address(), NoTls)
            .await
            .unwrap();
        let running = tokio::spawn(connection);
        let row = client.query_one(statement, &[]).await.unwrap();
        drop(client);
        running.await.unwrap().unwrap();
        row.get(0)
    }

    /// Runs statements as a superuser.
    pub async fn execute(&self, statements: &str) {
        let (client, connection) = tokio_postgres::connect(&self.address(), NoTls)
            .await
            .unwrap();
        let running = tokio::spawn(connection);
        client.batch_execute(statements).await.unwrap();
        drop(client);
        running.await.unwrap().unwrap();
    }

    /// Writes an archive and reads it as a package.
    pub fn package(&self, name: &str, groups: &[&str], files: &[(&str, &str)]) -> Package {
        let path = archive(self.folder.path(), "given", files);
        Package::read(&path, Some(name), set(groups)).unwrap()
    }

    /// The program, with an environment that says where the database is.
    pub fn footnote(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_footnote"));
        command.args(args).env("FOOTNOTE_DATABASE", self.address());
        command.stdin(Stdio::null());
        command
    }
}

/// A program that is killed when its test is over.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn encoder() -> Arc<TableEncoder> {
    model::table().unwrap()
}

/// Runs a test that waits for the database.
pub fn wait_for<T>(test: impl Future<Output = T>) -> T {
    footnote_cli::database::block_on(test).unwrap()
}

pub fn set(groups: &[&str]) -> BTreeSet<String> {
    groups.iter().map(|&it| it.to_owned()).collect()
}

/// Writes an archive with these files.
pub fn archive(folder: &Path, name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = folder.join(format!("{name}.tar"));
    let mut builder = tar::Builder::new(std::fs::File::create(&path).unwrap());
    for (file, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        let inside = format!("{name}/{file}");
        builder
            .append_data(&mut header, inside, text.as_bytes())
            .unwrap();
    }
    builder.into_inner().unwrap();
    path
}

/// Files that define and import something, in `count` files below `folder`, all about `subject`.
pub fn files(folder: &str, subject: &str, count: usize) -> Vec<(String, String)> {
    let file = |at: usize| {
        let text = format!(
            "from requests.sessions import Session\n\n\ndef follow_{subject}_{at}(session):\n    \
             \"\"\"Follows the {subject} number {at} of a session.\"\"\"\n    \
             return session.{subject}({at})\n"
        );
        (format!("{folder}/{subject}_{at}.py"), text)
    };
    (0..count).map(file).collect()
}

/// The same as slices.
pub fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
    files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect()
}

/// Asks as a member of these groups.
pub async fn ask(catalogue: &dyn Catalogue, groups: &[&str], question: &str) -> Found {
    let query = Query {
        question: question.to_owned(),
        limit: 50,
    };
    catalogue.search(&user(groups), &query).await.unwrap()
}

pub fn user(groups: &[&str]) -> User {
    User {
        name: None,
        groups: set(groups),
    }
}

/// Waits until something holds.
///
/// # Panics
/// If that takes longer than a minute.
pub async fn until<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let end = Instant::now() + Duration::from_secs(60);
    while !holds().await {
        assert!(Instant::now() < end, "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
