//! `stranger FROM ARCHIVE FOLDER`: the way to a cited answer, as somebody goes it who has never seen
//! Footnote. FROM is the package's zip, which it unpacks and serves with Python, or the address that
//! `cargo xtask serve` prints. It drops the archive, asks, and opens a footnote. It prints when each
//! step was done and saves what the window showed then.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use footnote_tests::browser::{Page, Setup};
use footnote_tests::process::{Owned, free_port};

const QUESTION: &str = "where are redirects followed and how is the method changed";

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [from, archive, folder] = args.as_slice() else {
        panic!("stranger FROM ARCHIVE FOLDER");
    };
    std::fs::create_dir_all(folder).unwrap();
    let site = tempfile::tempdir().unwrap();
    let page = Page::blank(Setup {
        folder: Some(site.path().to_owned()),
        window: Some((1280, 860)),
        ..Setup::default()
    })
    .await;
    let film = Film {
        start: Instant::now(),
        folder,
        page: &page,
    };
    let served = from.to_str().filter(|from| from.starts_with("http"));
    let (_server, address) = match served {
        Some(address) => (None, address.to_owned()),
        None => serve(&unpack(from, site.path())),
    };
    page.driver.goto(&address).await.unwrap();
    page.element("[data-phase=empty]").await;
    film.take(served.map_or("1-unpacked-served-opened", |_| "1-opened"))
        .await;
    page.choose_file(archive).await;
    page.element("[data-phase=ready]").await;
    film.take("2-archive-read").await;
    page.ask(QUESTION).await;
    page.element(".answer button.note-ref").await;
    film.take("3-cited-answer").await;
    // A better answer may take the place of this one in its first second.
    let opened = page.wait_for("a footnote to open", async || {
        let footnotes = page.elements(".answer button.note-ref").await;
        footnotes.first()?.click().await.ok()
    });
    opened.await;
    page.element(".code .line.cited").await;
    film.take("4-cited-lines").await;
    page.close().await;
}

/// Unpacks the package and returns its folder.
fn unpack(package: &Path, folder: &Path) -> PathBuf {
    let mut unpack = Command::new("python3");
    unpack
        .args(["-m", "zipfile", "-e"])
        .arg(package)
        .arg(folder);
    assert!(unpack.status().unwrap().success());
    let mut entries = std::fs::read_dir(folder).unwrap();
    entries.next().unwrap().unwrap().path()
}

/// Serves a folder as the documents say, and returns the address.
fn serve(folder: &Path) -> (Option<Owned>, String) {
    let port = free_port();
    let mut server = Command::new("python3");
    server.args(["-u", "-m", "http.server", &port.to_string()]);
    server
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut server = Owned(server.spawn().unwrap());
    // A connection can succeed before Python listens, so its own word counts.
    let mut said = BufReader::new(server.0.stdout.take().unwrap()).lines();
    let serves = said.any(|line| line.unwrap().starts_with("Serving HTTP"));
    assert!(serves, "Python does not serve");
    (Some(server), format!("http://localhost:{port}/"))
}

struct Film<'p> {
    start: Instant,
    folder: &'p Path,
    page: &'p Page,
}

impl Film<'_> {
    async fn take(&self, name: &str) {
        println!("{:5.1} s  {name}", self.start.elapsed().as_secs_f64());
        let path = self.folder.join(format!("{name}.png"));
        self.page.driver.screenshot(&path).await.unwrap();
    }
}
