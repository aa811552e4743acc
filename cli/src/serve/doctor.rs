//! `footnote doctor`: looks at everything that a server needs and says what is wrong and what to
//! do.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use super::access::{self, Rules};
use super::folder::check;
use super::page::Page;
use super::{INDEXES, PORT, encoder, tokens};
use crate::Result;

/// How long a server may take to answer.
const TIME: Duration = Duration::from_secs(10);

/// Checks what a server of a folder needs: index files, rules of access, page, tokens, port
#[derive(clap::Args)]
pub struct Args {
    /// The folder of index files
    #[arg(long, value_name = "DIR", default_value = INDEXES)]
    indexes: PathBuf,
    /// The folder of the page
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// The file of tokens
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST.into())]
    bind: IpAddr,
    /// The port to listen on
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,
    /// Also checks a running server, such as http://localhost:8080
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

/// What was found, one line each.
#[derive(Default)]
pub struct Findings(Vec<(bool, String)>);

impl Findings {
    fn good(&mut self, what: String) {
        self.0.push((true, what));
    }

    fn bad(&mut self, what: String) {
        self.0.push((false, what));
    }

    fn of<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.bad(error.to_string())).ok()
    }

    /// Whether nothing is wrong.
    pub fn are_good(&self) -> bool {
        self.0.iter().all(|(is_good, _)| *is_good)
    }

    /// One line each, those that are wrong marked.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let line = |(is_good, what): &(bool, String)| {
            let mark = if *is_good { "ok   " } else { "WRONG" };
            format!("{mark}  {what}")
        };
        self.0.iter().map(line)
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let findings = examine(args);
    let mut out = io::stdout();
    for line in findings.lines() {
        writeln!(out, "{line}")?;
    }
    Ok(match findings.are_good() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}

/// Looks at everything.
pub fn examine(args: &Args) -> Findings {
    let mut found = Findings::default();
    let names = indexes(&args.indexes, &mut found);
    rules(&args.indexes, &names, &mut found);
    let page = found.of(Page::open(args.page.as_deref()));
    if let Some(page) = &page {
        found.good(format!("the page has {} files", page.len()));
    }
    match encoder(page.as_ref()) {
        Ok(Some(encoder)) => found.good(format!("questions are embedded by {}", encoder.id())),
        Ok(None) => found.bad(
            "there is no static encoder, so searches use words alone: serve with a page, which \
             includes it"
                .to_owned(),
        ),
        Err(error) => found.bad(format!("the static encoder cannot be read: {error}")),
    }
    if let Some(path) = &args.tokens {
        token_file(path, &mut found);
    }
    match &args.url {
        Some(url) => server(url, &mut found),
        None => port(args.bind, args.port, &mut found),
    }
    found
}

/// The names of repositories and of their files.
fn indexes(folder: &Path, found: &mut Findings) -> Vec<(String, String)> {
    let Some(files) = found.of(check(folder)) else {
        return Vec::new();
    };
    let mut names = Vec::new();
    for (file, read) in files {
        match read {
            Ok(repository) => names.push((repository, file)),
            Err(why) => found.bad(format!(
                "{file} cannot be served: {why}. Make it again with `footnote index`, or remove it"
            )),
        }
    }
    let place = folder.display();
    match names.len() {
        0 => found.bad(format!(
            "{place} has no index file that can be read: make some with `footnote index ARCHIVE… \
             --out {place}`"
        )),
        n => found.good(format!("{place} has {n} index files")),
    }
    names
}

fn rules(folder: &Path, names: &[(String, String)], found: &mut Findings) {
    let Some(rules) = found.of(Rules::read(folder)) else {
        return;
    };
    if rules == Rules::default() {
        found.good(format!("no {}: everyone may read everything", access::FILE));
        return;
    }
    let names: Vec<(&str, &str)> = names
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let unused = rules.unused(&names);
    match unused.is_empty() {
        true => found.good(format!("{} can be read", access::FILE)),
        false => found.bad(format!(
            "{} names repositories that are not there: {}. Correct the names, or remove them",
            access::FILE,
            unused.join(", ")
        )),
    }
}

fn token_file(path: &Path, found: &mut Findings) {
    let Some(entries) = found.of(tokens::read(path)) else {
        return;
    };
    found.good(format!("{} has {} tokens", path.display(), entries.len()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).map_or(0, |it| it.permissions().mode());
        if mode & 0o077 != 0 {
            found.bad(format!(
                "others on this machine may read {path} (mode {:o}): run `chmod 600 {path}`",
                mode & 0o777,
                path = path.display()
            ));
        }
    }
}

fn port(address: IpAddr, port: u16, found: &mut Findings) {
    match TcpListener::bind((address, port)) {
        Ok(_) => found.good(format!("port {port} of {address} is free")),
        Err(error) => found.bad(format!(
            "port {port} of {address} cannot be used ({error}): end the program that uses it, or \
             choose another one with --port; to check a running server, give its --url"
        )),
    }
}

/// Asks a running server whether it is well, and whether it can be searched.
fn server(url: &str, found: &mut Findings) {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(TIME))
        .build()
        .into();
    let url = url.trim_end_matches('/');
    for path in ["/healthz", "/indexes.json"] {
        let address = format!("{url}{path}");
        match agent.get(&address).call() {
            Ok(_) => found.good(format!("{address} answers")),
            Err(error) => found.bad(format!(
                "{address} does not answer as it should ({error}): check the server's log, and \
                 whether a proxy leads there"
            )),
        }
    }
}
