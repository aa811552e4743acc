//! Many repositories in PostgreSQL with pgvector: what is searched in them, their index files, who
//! may read them, and archives that wait for a worker.
//!
//! All statements are fixed texts with parameters. Each transaction takes one of two roles that
//! the tables' policies know: `footnote_reader`, which reads what the groups of the transaction
//! may read, and `footnote_writer`.

pub mod access;
pub mod catalogue;
mod error;
mod list;
pub mod migrate;
mod package;
pub mod queue;
mod rows;
mod search;
mod write;

use std::collections::BTreeSet;
use std::time::Duration;

use deadpool::managed::QueueMode;
use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolConfig, RecyclingMethod, Runtime, Timeouts,
    Transaction,
};
use tokio_postgres::{Config, IsolationLevel, NoTls};

pub use error::Error;
pub use package::{fits, name_of};
pub use rows::Rows;
pub use write::{Change, Package};

pub type Result<T> = std::result::Result<T, Error>;

/// The environment variable with the address of the database, so that a password need not be in a
/// list of processes.
pub const ADDRESS: &str = "FOOTNOTE_DATABASE";

/// The group whose repositories everybody may read.
pub const PUBLIC: &str = "public";

/// How a database is used.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The most connections at once.
    pub connections: usize,
    /// How long a reader waits for one of them.
    pub wait: Duration,
    /// How long one statement of a reader may take.
    pub statement: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connections: 16,
            wait: Duration::from_secs(5),
            statement: Duration::from_secs(10),
        }
    }
}

/// Connections to a database whose tables this program knows.
#[derive(Clone)]
pub struct Database {
    pool: Pool,
    options: Options,
}

impl Database {
    /// Connects to a database that has Footnote's tables.
    pub async fn open(address: &str, options: Options) -> Result<Self> {
        let database = Self::connect(address, options)?;
        migrate::check(&**database.client().await?).await?;
        Ok(database)
    }

    /// Connects to a database, and makes its tables or brings them up to date.
    pub async fn prepare(address: &str, options: Options) -> Result<Self> {
        let database = Self::connect(address, options)?;
        migrate::apply(&mut **database.client().await?, migrate::ALL).await?;
        Ok(database)
    }

    fn connect(address: &str, options: Options) -> Result<Self> {
        let mut config: Config = address
            .parse()
            .map_err(|error: tokio_postgres::Error| Error::Address(error.to_string()))?;
        if config.get_hosts().is_empty() {
            return Err(Error::Address("it names no host".to_owned()));
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(options.wait);
        }
        config.application_name("footnote");
        // A server that vanishes without a word is noticed.
        config.keepalives_idle(Duration::from_secs(30));
        config.tcp_user_timeout(Duration::from_secs(60));
        let recycling = ManagerConfig {
            recycling_method: RecyclingMethod::Fast,
        };
        let mut pool = PoolConfig::new(options.connections);
        pool.timeouts = Timeouts {
            wait: Some(options.wait),
            create: Some(options.wait),
            recycle: Some(options.wait),
        };
        // A connection that was just used has its statements and PostgreSQL's caches ready. One of
        // many that take turns has not.
        pool.queue_mode = QueueMode::Lifo;
        let pool = Pool::builder(Manager::from_config(config, NoTls, recycling))
            .config(pool)
            .runtime(Runtime::Tokio1)
            .build();
        let pool = pool.map_err(|error| Error::Failed(error.to_string()))?;
        Ok(Self { pool, options })
    }

    pub(crate) async fn client(&self) -> Result<Object> {
        Ok(self.pool.get().await?)
    }

    /// One unchanging view of what the groups may read, for a few quick statements.
    async fn reading<'c>(
        &self,
        client: &'c mut Object,
        groups: &BTreeSet<String>,
    ) -> Result<Transaction<'c>> {
        let transaction = client
            .build_transaction()
            .isolation_level(IsolationLevel::RepeatableRead)
            .read_only(true)
            .start()
            .await?;
        let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
        let limit = self.options.statement.as_millis().to_string();
        let set = transaction.prepare_cached(READING).await?;
        transaction.query_one(&set, &[&groups, &limit]).await?;
        Ok(transaction)
    }

    /// A transaction that changes something.
    async fn writing<'c>(&self, client: &'c mut Object) -> Result<Transaction<'c>> {
        let transaction = client.transaction().await?;
        transaction.query_one(WRITING, &[]).await?;
        Ok(transaction)
    }
}

/// The settings hold until the transaction ends. A plan may depend on what the values are, since
/// each audience has its own graph, and reads it through indexes, so that its time does not grow
/// with what the reader may not see.
const READING: &str = "SELECT
    set_config('role', 'footnote_reader', true),
    set_config('footnote.groups', $1::text[]::text, true),
    set_config('statement_timeout', $2, true),
    set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('enable_seqscan', 'off', true),
    set_config('enable_sort', 'off', true),
    set_config('jit', 'off', true),
    set_config('hnsw.ef_search', '200', true),
    set_config('hnsw.iterative_scan', 'strict_order', true)";

const WRITING: &str = "SELECT set_config('role', 'footnote_writer', true)";

/// Runs a command that asks the database.
pub fn block_on<F: Future>(work: F) -> crate::Result<F::Output> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    Ok(runtime.block_on(work))
}
