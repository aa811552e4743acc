//! `footnote serve`: the page, index files, and search over all repositories, at one address.
//!
//! [`source`] is what the server asks, [`folder`] answers it from index files, [`app`] holds the
//! addresses and what every request passes first, [`listen`] the connections.

mod access;
mod api;
mod app;
mod archives;
pub mod doctor;
mod folder;
mod indexes;
mod limits;
mod listen;
mod marked;
mod metrics;
mod page;
mod reply;
pub mod source;
mod stamp;
#[cfg(test)]
mod tests;
pub mod token;
pub mod tokens;

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use footnote_core::embed::TableEncoder;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::database::{self, catalogue::Repositories};
use crate::{Result, model};
use app::App;
use folder::Folder;
use limits::{Hosts, Limits, Rate};
use page::Page;
use source::Catalogue;
use tokens::Tokens;

/// The port unless another one is named.
const PORT: u16 = 8080;
/// The folder of index files unless another one is named.
const INDEXES: &str = "indexes";
/// How often clients are forgotten that no longer ask.
const FORGET: Duration = Duration::from_secs(60);

/// Serves the page, index files and search over all of them at one address
#[derive(clap::Args)]
pub struct Args {
    /// A folder of archives, which are indexed first: into the folder of index files, or into the
    /// database
    #[arg(long, value_name = "DIR")]
    archives: Option<PathBuf>,
    /// The folder of index files that `footnote index` made; without --database, `indexes`
    #[arg(long, value_name = "DIR")]
    indexes: Option<PathBuf>,
    /// A database that `footnote push` filled; ignored if --indexes names a folder
    #[arg(long, value_name = "ADDRESS", env = database::ADDRESS, hide_env_values = true)]
    database: Option<String>,
    /// The port; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines connect, without encryption
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST.into())]
    bind: IpAddr,
    /// The folder of the page; by default the page in the program, or `dist`
    #[arg(long, value_name = "DIR", conflicts_with = "no_page")]
    page: Option<PathBuf>,
    /// Serves no page
    #[arg(long)]
    no_page: bool,
    /// The file of tokens that `footnote token new` makes
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,
    /// A host name that clients may use for this server, such as code.example.org; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Takes the client's address from the last entry of X-Forwarded-For
    #[arg(long)]
    behind_proxy: bool,
    /// How many requests per second one client may send, on average
    #[arg(long, value_name = "N", default_value = "50")]
    rate: NonZeroU32,
    /// How many requests a client that has paused may send at once
    #[arg(long, value_name = "N", default_value = "300")]
    burst: NonZeroU32,
    /// How many requests may run at the same time
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = count())]
    running: usize,
    /// How many connections may be open
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = count())]
    connections: usize,
    /// Seconds that one answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = seconds(1))]
    time: u64,
    /// Seconds that running requests have to finish when the server stops
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = seconds(0))]
    drain: u64,
    /// Seconds between checks of the folder for new index files
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = seconds(1))]
    look: u64,
    /// Writes questions to the log
    #[arg(long)]
    log_questions: bool,
}

/// Requests or connections; a semaphore can count far more.
fn count() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=1_000_000)
}

/// Up to a day, from this many.
fn seconds(least: u64) -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(least..=86_400)
}

impl Args {
    /// The address of the database, if one is to be asked. A folder that is named counts more: the
    /// address may only be in the environment.
    fn database(&self) -> Option<&str> {
        let address = self.database.as_deref();
        address.filter(|_| self.indexes.is_none())
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    begin_log();
    let page = match args.no_page {
        true => None,
        false => Some(Page::open(args.page.as_deref())?),
    };
    let encoder = encoder(page.as_ref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let (catalogue, folder): (Arc<dyn Catalogue>, _) = match args.database() {
        Some(address) => {
            if let Some(archives) = &args.archives {
                runtime.block_on(archives::push(archives, address))?;
            }
            let time = Duration::from_secs(args.time);
            let opened = runtime.block_on(Repositories::open(address, encoder, time))?;
            (Arc::new(opened), None)
        }
        None => {
            let path = args.indexes.as_deref().unwrap_or(Path::new(INDEXES));
            if let Some(archives) = &args.archives {
                archives::index(archives, path)?;
            }
            let folder = Arc::new(open(path, encoder)?);
            let (repositories, left_out) = folder.counts();
            tracing::info!(repositories, left_out, "read");
            (Arc::clone(&folder) as _, Some(folder))
        }
    };
    let app = Arc::new(App::new(args, page, catalogue)?);
    let all_ended = runtime.block_on(serve(args, app, folder))?;
    if !all_ended {
        tracing::warn!("stopped before all requests had finished");
    }
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(ExitCode::SUCCESS)
}

async fn serve(args: &Args, app: Arc<App>, folder: Option<Arc<Folder>>) -> Result<bool> {
    let listener = bind(args.bind, args.port).await?;
    let address = listener.local_addr()?;
    tracing::info!(%address, "serves");
    if io::stderr().is_terminal() {
        writeln!(
            io::stderr(),
            "Footnote is at http://{address}/  (end with Ctrl-C)"
        )?;
    }
    let stop = stopped()?;
    if let Some(folder) = folder {
        tokio::spawn(look_again(folder, Duration::from_secs(args.look)));
    }
    tokio::spawn(forget(Arc::clone(&app)));
    let limits = app.limits;
    Ok(listen::serve(listener, app::router(app), limits, stop).await)
}

impl App {
    fn new(args: &Args, page: Option<Page>, catalogue: Arc<dyn Catalogue>) -> Result<Self> {
        let limits = Limits {
            rate: args.rate,
            burst: args.burst,
            running: args.running,
            connections: args.connections,
            time: Duration::from_secs(args.time),
            drain: Duration::from_secs(args.drain),
        };
        Ok(Self {
            catalogue,
            page,
            tokens: Tokens::open(args.tokens.clone())?,
            limits,
            rate: Rate::new(&limits),
            hosts: Hosts::new(args.bind, &args.host),
            running: Arc::new(Semaphore::new(limits.running)),
            metrics: metrics::Metrics::default(),
            log_questions: args.log_questions,
            behind_proxy: args.behind_proxy,
        })
    }
}

/// The encoder that embeds questions: that of the page, or that of the sources.
fn encoder(page: Option<&Page>) -> Result<Option<Arc<TableEncoder>>> {
    if let Some(encoder) = page.map(Page::encoder).transpose()?.flatten() {
        return Ok(Some(encoder));
    }
    if !model::folder(model::TABLE).is_dir() {
        let hint = "serve the page, which includes it, to search by meaning too";
        tracing::warn!("no static encoder, so searches use words alone; {hint}");
        return Ok(None);
    }
    Ok(Some(model::table()?))
}

fn open(path: &Path, encoder: Option<Arc<TableEncoder>>) -> Result<Folder> {
    if !path.is_dir() {
        return Err(format!(
            "there is no folder {}: name the folder of index files with --indexes, or make it \
             with `footnote index ARCHIVE… --out {}`",
            path.display(),
            path.display()
        )
        .into());
    }
    Folder::open(path, encoder)
}

async fn bind(address: IpAddr, port: u16) -> Result<TcpListener> {
    let address = SocketAddr::new(address, port);
    let listener = TcpListener::bind(address).await;
    listener.map_err(|error| {
        let hint = "End the program that uses it, or choose another port with --port";
        format!("cannot listen on {address}: {error}. {hint}").into()
    })
}

/// Done when the system asks the program to end, or the user does.
fn stopped() -> Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        Ok(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Reads what was added to the folder, and forgets what is gone.
async fn look_again(folder: Arc<Folder>, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        let folder = Arc::clone(&folder);
        let looked = move || {
            if let Err(error) = folder.look_again() {
                tracing::error!("{error}");
            }
        };
        let _ = tokio::task::spawn_blocking(looked).await;
    }
}

async fn forget(app: Arc<App>) {
    loop {
        tokio::time::sleep(FORGET).await;
        app.rate.forget();
    }
}

/// One JSON object a line, to the error output.
fn begin_log() {
    let log = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false)
        .with_writer(io::stderr);
    // A second log in one process is the first one.
    let _ = log.try_init();
}
