//! A static file server for the built page: only GET, only files below one folder, one answer per
//! connection.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

/// The part of the page's policy that works only as a header; `public/seal.js` has the rest.
pub(crate) const FRAMED_BY_NOBODY: &str = "frame-ancestors 'none'";

/// A running server; it stops when dropped.
pub struct StaticServer {
    thread: Option<JoinHandle<()>>,
    address: SocketAddr,
    requests: Arc<AtomicU64>,
    stopped: Arc<AtomicBool>,
}

impl StaticServer {
    /// Serves `folder` on `localhost:port`; port 0 takes a free one.
    pub fn start(folder: PathBuf, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port))?;
        let address = listener.local_addr()?;
        let requests = Arc::new(AtomicU64::new(0));
        let stopped = Arc::new(AtomicBool::new(false));
        let (counter, stop) = (Arc::clone(&requests), Arc::clone(&stopped));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let (folder, counter) = (folder.clone(), Arc::clone(&counter));
                // One thread each: a browser opens connections that it uses later, and may stop
                // reading one answer until it has another. A client that hangs up early is no
                // reason to stop.
                std::thread::spawn(move || answer(stream, &folder, &counter));
            }
        });
        Ok(Self {
            thread: Some(thread),
            address,
            requests,
            stopped,
        })
    }

    /// The address to open, such as `http://localhost:8080`.
    pub fn url(&self) -> String {
        format!("http://localhost:{}", self.address.port())
    }

    /// How many requests have arrived.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Stops accepting: soon afterwards connections are refused.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        // Wakes the listener, which then sees that it has to stop.
        let _ = TcpStream::connect(self.address);
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for StaticServer {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn answer(mut stream: TcpStream, folder: &Path, requests: &AtomicU64) -> io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let Some(request) = lines.next().transpose()? else {
        return Ok(());
    };
    // Reads the headers to their end, so that closing the connection does not reset it.
    while lines
        .next()
        .transpose()?
        .is_some_and(|line| !line.is_empty())
    {}
    requests.fetch_add(1, Ordering::Relaxed);
    let target = request
        .strip_prefix("GET ")
        .and_then(|rest| rest.split([' ', '?', '#']).next());
    let file = target.and_then(|path| file_below(folder, path));
    let found = file.and_then(|file| Some((std::fs::read(&file).ok()?, content_type(&file))));
    let (status, body, kind) = match found {
        Some((body, kind)) => ("200 OK", body, kind),
        None => ("404 Not Found", b"not found".to_vec(), "text/plain"),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
         Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n\
         Content-Security-Policy: {FRAMED_BY_NOBODY}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body)
}

/// The file that a URL path names; `None` if the path tries to leave the folder.
fn file_below(folder: &Path, url_path: &str) -> Option<PathBuf> {
    let relative = Path::new(url_path.trim_start_matches('/'));
    if !relative
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        return None;
    }
    let mut file = folder.join(relative);
    if file.is_dir() {
        file.push("index.html");
    }
    Some(file)
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|ext| ext.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("zip") => "application/zip",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_other_page_may_frame_what_is_served() {
        let server = StaticServer::start(std::env::temp_dir(), 0).unwrap();
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(b"GET /none HTTP/1.1\r\n\r\n").unwrap();
        let answer = io::read_to_string(stream).unwrap();
        let header = "\r\nContent-Security-Policy: frame-ancestors 'none'\r\n";
        assert!(answer.contains(header), "{answer}");
    }

    #[test]
    fn paths_that_leave_the_folder_are_refused() {
        let folder = Path::new("dist");
        for path in ["/../Cargo.toml", "/a/../../b", "/./x/.."] {
            assert_eq!(file_below(folder, path), None, "{path}");
        }
        assert_eq!(file_below(folder, "/a/b.js"), Some(folder.join("a/b.js")));
    }
}
