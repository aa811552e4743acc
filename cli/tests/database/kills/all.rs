//! Kills of workers, the server and the database, at random points and many in a row.
#![allow(clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use footnote_cli::database::queue::{Status, Work};
use footnote_cli::database::{Database, Error, Package};

use super::readers::{Reader, Seen};
use super::serving::{Address, Serving};
use crate::common::{Running, Server, archive, borrowed, files, set, until, wait_for};

const KILLS: usize = 100;
/// Repositories. The server lists at most 100 imports, and these have fewer.
const NAMES: usize = 10;
/// Versions of each that are queued before the first kill.
const VERSIONS: usize = 4;
/// While this many jobs are pending, no further ones are queued.
const AHEAD: i64 = 6;
/// The most milliseconds to the next kill: most workers are killed over a job, some while they
/// start, take one or wait for one.
const PAUSE: usize = 800;
/// What the workers say.
const LOG: &str = "workers.log";
/// The seed of the kills; without it, they differ in each run.
const SEED: &str = "FOOTNOTE_KILLS_SEED";

/// Numbers that are the same for the same seed (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % end as u64) as usize
    }
}

/// The files with an import in a version of the repository `rN`.
pub fn files_of(name: &str, version: usize) -> usize {
    let at: usize = name.strip_prefix('r').unwrap().parse().unwrap();
    3 + (at + version) % 7
}

/// The version that a path says it belongs to.
pub fn version_in(path: &str) -> usize {
    let folder = path.split('/').next().unwrap();
    folder.strip_prefix('v').unwrap().parse().unwrap()
}

/// A version of a repository; all of its files are in a folder that says which.
fn work(folder: &Path, at: usize, version: usize) -> Work {
    let name = format!("r{at}");
    let inside = format!("v{version}");
    let mut texts = files(&inside, &format!("redirect{at}"), files_of(&name, version));
    let function = |at: usize| {
        format!(
            "def visit_{version}_{at}(session):\n    \"\"\"Visits the redirect {at} of version \
             {version} of a session.\"\"\"\n    return session.visit({at})\n\n\n"
        )
    };
    let text: String = (0..150 + 10 * at).map(function).collect();
    texts.push((format!("{inside}/visits.py"), text));
    let path = archive(folder, &name, &borrowed(&texts));
    Work {
        file_name: format!("{name}-v{version}.tar"),
        name,
        groups: set(&["public"]),
        archive: std::fs::read(path).unwrap(),
    }
}

/// Writes down, in the transaction itself, each end of a job and each version that is stored.
const WITNESS: &str = "
    CREATE SCHEMA witness;
    CREATE TABLE witness.ended (file_name text);
    CREATE TABLE witness.stored (content bytea);
    CREATE FUNCTION witness.ended() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        AS $$ BEGIN INSERT INTO witness.ended VALUES (NEW.file_name); RETURN NULL; END $$;
    CREATE FUNCTION witness.stored() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        AS $$ BEGIN INSERT INTO witness.stored VALUES (NEW.content); RETURN NULL; END $$;
    CREATE TRIGGER ended AFTER UPDATE ON footnote.jobs FOR EACH ROW
        WHEN (NEW.state = 'done') EXECUTE FUNCTION witness.ended();
    CREATE TRIGGER stored AFTER INSERT ON footnote.repositories FOR EACH ROW
        EXECUTE FUNCTION witness.stored();";

/// What runs, and what was done to it.
struct Scene {
    server: Server,
    database: Database,
    workers: [Running; 2],
    serving: Option<Serving>,
    address: Address,
    random: Random,
    /// All jobs, in the order in which they were queued first.
    works: Vec<Work>,
    kills: BTreeMap<&'static str, usize>,
    /// Workers and servers that ended because they found no database when they started.
    ended: usize,
    /// Jobs that three workers went silent over, queued again.
    again: usize,
    /// What servers said beside the usual.
    said: Vec<String>,
}

#[test]
#[ignore = "a hundred kills take minutes: cargo xtask test --all"]
fn a_hundred_kills_of_workers_server_and_database_lose_nothing_and_double_nothing() {
    let given = std::env::var(SEED).ok().map(|it| it.parse().unwrap());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let seed = given.unwrap_or(now.as_secs());
    println!("the same kills again: {SEED}={seed}");
    let began = Instant::now();
    wait_for(async {
        let mut scene = Scene::start(seed).await;
        let is_over = Arc::new(AtomicBool::new(false));
        let reader = |at| Reader::start(&scene.address, Random(seed + at), &is_over);
        let readers = [reader(1), reader(2)];
        for _ in 0..KILLS {
            scene.step().await;
            assert!(readers.iter().all(|it| !it.is_finished()), "see above");
        }
        scene.finish().await;
        is_over.store(true, Ordering::SeqCst);
        let seen = readers.map(|it| it.join().unwrap());
        scene.report(began, &seen).await;
        scene.check().await;
    });
}

impl Scene {
    async fn start(seed: u64) -> Self {
        let server = Server::start();
        let database = server.database().await;
        server.execute(WITNESS).await;
        let address = Address::default();
        let mut scene = Self {
            workers: [worker(&server), worker(&server)],
            serving: Some(Serving::start(&server, &address)),
            server,
            database,
            address,
            random: Random(seed),
            works: Vec::new(),
            kills: BTreeMap::new(),
            ended: 0,
            again: 0,
            said: Vec::new(),
        };
        for _ in 0..NAMES * VERSIONS {
            scene.queue_next().await;
        }
        scene
    }

    /// Queues the next version of the repository whose turn it is.
    async fn queue_next(&mut self) {
        let count = self.works.len();
        let next = work(self.server.folder.path(), count % NAMES, count / NAMES);
        enqueue(&self.database, &next).await;
        self.works.push(next);
    }

    /// Kills something at a random moment; then what runs a queue does its usual work.
    async fn step(&mut self) {
        let pause = Duration::from_millis(self.random.below(PAUSE) as u64);
        tokio::time::sleep(pause).await;
        self.revive();
        let victim = match self.random.below(4) {
            at @ 0..2 => {
                // The old one dies when it is replaced.
                self.workers[at] = worker(&self.server);
                ["first worker", "second worker"][at]
            }
            2 => {
                self.start_server_again();
                "server"
            }
            _ => {
                self.server.postgres.kill();
                self.server.postgres.restart().unwrap();
                "database"
            }
        };
        *self.kills.entry(victim).or_default() += 1;
        let status = self.forgive().await;
        for _ in status.waiting + status.running..AHEAD {
            self.queue_next().await;
        }
    }

    /// Starts again who ended because there was no database.
    fn revive(&mut self) {
        for at in 0..self.workers.len() {
            if let Some(status) = self.workers[at].0.try_wait().unwrap() {
                assert_eq!(status.code(), Some(2), "it was neither killed nor refused");
                self.workers[at] = worker(&self.server);
                self.ended += 1;
            }
        }
        if self.serving.as_mut().is_some_and(Serving::has_ended) {
            self.start_server_again();
            self.ended += 1;
        }
    }

    fn start_server_again(&mut self) {
        self.said
            .extend(self.serving.take().map(Serving::kill).unwrap_or_default());
        self.serving = Some(Serving::start(&self.server, &self.address));
    }

    /// Whoever runs a queue looks at poisoned jobs and queues their archives again.
    async fn forgive(&mut self) -> Status {
        let status = status(&self.database).await;
        for (file, state, why) in &status.bad {
            assert_eq!(state, "poisoned", "{file}: {why}");
            let mut works = self.works.iter();
            let work = works.find(|it| it.file_name == *file).unwrap();
            enqueue(&self.database, work).await;
            self.again += 1;
        }
        status
    }

    /// Waits until all jobs are done.
    async fn finish(&mut self) {
        let mut left = i64::MAX;
        while left > 0 {
            let status = self.forgive().await;
            left = status.waiting + status.running + status.bad.len() as i64;
            self.revive();
            until("another job has ended", async || {
                let now = self::status(&self.database).await;
                let pending = now.waiting + now.running;
                left == 0 || pending < left || !now.bad.is_empty()
            })
            .await;
        }
    }

    async fn report(&self, began: Instant, seen: &[Seen]) {
        let seconds = began.elapsed().as_secs();
        let (kills, jobs) = (&self.kills, self.works.len());
        let tries = "SELECT sum(attempts)::bigint FROM footnote.jobs";
        let tries = self.server.number(tries).await;
        println!(
            "{seconds} s, {jobs} jobs, tried {tries} times, {} queued again",
            self.again
        );
        println!(
            "killed: {kills:?}; ended without a database: {}",
            self.ended
        );
        println!("readers: {seen:?}");
        println!("servers: {:?}", self.said);
    }

    /// Each job ended once, and its version was stored once; what is there now is the last one.
    async fn check(mut self) {
        self.workers.iter_mut().for_each(|it| it.0.kill().unwrap());
        self.check_said();
        let jobs = self.works.len() as i64;
        for (expected, what) in [
            (jobs, "* FROM footnote.jobs WHERE state = 'done'"),
            (jobs, "* FROM footnote.jobs"),
            (0, "lease_until FROM footnote.jobs"),
            (jobs, "* FROM witness.ended"),
            (jobs, "DISTINCT file_name FROM witness.ended"),
            (jobs, "* FROM witness.stored"),
            (jobs, "DISTINCT content FROM witness.stored"),
            (NAMES as i64, "* FROM footnote.repositories"),
            (NAMES as i64, "* FROM footnote.index_files"),
        ] {
            let (counted, from) = what.split_once(" FROM ").unwrap();
            let statement = format!("SELECT count({counted}) FROM {from}");
            assert_eq!(self.server.number(&statement).await, expected, "{what}");
        }
        let mut sums = [0; 5];
        for package in self.last().await {
            let stored = check_stored(&self.server, &package).await;
            sums.iter_mut()
                .zip(stored)
                .for_each(|(sum, rows)| *sum += rows);
        }
        for (table, sum) in TABLES.into_iter().zip(sums) {
            let rows = format!("SELECT count(*) FROM footnote.{table}");
            assert_eq!(self.server.number(&rows).await, sum, "{table}");
        }
    }

    /// What the last job of each name makes: not always the newest version, since a job that was
    /// queued again comes after those that were queued meanwhile.
    async fn last(&self) -> Vec<Package> {
        let mut packages = Vec::new();
        for at in 0..NAMES {
            let version = format!(
                "SELECT substring(file_name FROM '-v(.*)[.]tar')::bigint FROM footnote.jobs
                 WHERE name = 'r{at}' ORDER BY id DESC LIMIT 1"
            );
            let version = usize::try_from(self.server.number(&version).await).unwrap();
            let work = work(self.server.folder.path(), at, version);
            packages.push(Package::of_work(work).unwrap());
        }
        packages
    }

    /// No worker says twice that it stored a job, and nobody ended but for want of a database.
    fn check_said(&mut self) {
        let log = std::fs::read_to_string(self.server.folder.path().join(LOG)).unwrap();
        let mut stored = BTreeSet::new();
        for line in log.lines() {
            let is_new = !line.ends_with(": stored") || stored.insert(line);
            let is_usual = line.starts_with('r') || line.starts_with("worker: the database ");
            assert!(is_new && is_usual, "{line}");
        }
        let last = self.serving.take().map(Serving::kill).unwrap_or_default();
        for line in self.said.iter().chain(&last) {
            assert!(line.starts_with("serve: the database "), "{line}");
        }
    }
}

/// Tables with rows of a repository.
const TABLES: [&str; 5] = ["files", "chunks", "words", "symbols", "imports"];

/// Its index file and the numbers of its rows are those of the package; returns the numbers.
async fn check_stored(server: &Server, package: &Package) -> [i64; 5] {
    let name = &package.name;
    let digest: String = package
        .content
        .iter()
        .map(|it| format!("{it:02x}"))
        .collect();
    let of_name = format!("footnote.repositories AS r WHERE r.name = '{name}'");
    let whole = format!(
        "SELECT count(*) FROM footnote.index_files AS f JOIN footnote.repositories AS r
             ON f.repository = r.id
         WHERE r.name = '{name}' AND r.content = '\\x{digest}' AND sha256(f.bytes) = r.content"
    );
    assert_eq!(server.number(&whole).await, 1, "{name}");
    let rows = &package.rows;
    let expected = [
        rows.files.len(),
        rows.chunks.len(),
        rows.words.len(),
        rows.symbols.len(),
        rows.imports.len(),
    ];
    for (table, expected) in TABLES.into_iter().zip(expected) {
        let of_name = format!("repository IN (SELECT id FROM {of_name})");
        let rows = format!("SELECT count(*) FROM footnote.{table} WHERE {of_name}");
        assert_eq!(
            server.number(&rows).await,
            expected as i64,
            "{name}: {table}"
        );
    }
    expected.map(|it| it as i64)
}

/// A worker that waits for work; what it says goes to a file beside the data.
fn worker(server: &Server) -> Running {
    let log = server.folder.path().join(LOG);
    let log = File::options().create(true).append(true).open(log).unwrap();
    let mut command = server.footnote(&["worker", "--lease", "1"]);
    command.stdout(log.try_clone().unwrap()).stderr(log);
    Running(command.spawn().unwrap())
}

/// Queues an archive as `footnote enqueue` does.
async fn enqueue(database: &Database, work: &Work) {
    until("the archive is queued", async || {
        passed(database.enqueue(work).await).is_some()
    })
    .await;
}

async fn status(database: &Database) -> Status {
    loop {
        if let Some(status) = passed(database.status().await) {
            return status;
        }
    }
}

/// The first connections after a kill are dead; another error is a fault.
fn passed<T>(result: Result<T, Error>) -> Option<T> {
    if let Err(error) = &result {
        assert!(error.is_passing(), "{error}");
    }
    result.ok()
}
