//! A static file server for the built page: only GET, only files below one folder.

use std::fs::File;
use std::io;
use std::net::SocketAddr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use tiny_http::{Header, Request, Response, Server};

/// A running server; it stops when dropped.
pub struct StaticServer {
    server: Arc<Server>,
    thread: Option<JoinHandle<()>>,
    address: SocketAddr,
    requests: Arc<AtomicU64>,
}

impl StaticServer {
    /// Serves `folder` on `localhost:port`; port 0 takes a free one.
    pub fn start(folder: PathBuf, port: u16) -> io::Result<Self> {
        let server = Arc::new(Server::http(("127.0.0.1", port)).map_err(io::Error::other)?);
        let address = server
            .server_addr()
            .to_ip()
            .ok_or_else(|| io::Error::other("the server has no address"))?;
        let listener = Arc::clone(&server);
        let requests = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&requests);
        let thread = std::thread::spawn(move || {
            for request in listener.incoming_requests() {
                counter.fetch_add(1, Ordering::Relaxed);
                let folder = folder.clone();
                // A thread each: a browser may stop reading one answer until it has another. One that
                // hangs up early is no reason to stop serving.
                std::thread::spawn(move || answer(request, &folder));
            }
        });
        Ok(Self {
            server,
            thread: Some(thread),
            address,
            requests,
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

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for StaticServer {
    fn drop(&mut self) {
        self.server.unblock();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn answer(request: Request, folder: &Path) -> io::Result<()> {
    let path = request.url().split(['?', '#']).next().unwrap_or("/");
    let Some(file) = file_below(folder, path) else {
        return request.respond(Response::from_string("not found").with_status_code(404));
    };
    match File::open(&file) {
        Ok(open) => {
            let mut response = Response::from_file(open);
            for (name, value) in [
                ("Content-Type", content_type(&file)),
                ("Cache-Control", "no-cache"),
                ("X-Content-Type-Options", "nosniff"),
            ] {
                if let Ok(header) = Header::from_bytes(name, value) {
                    response.add_header(header);
                }
            }
            request.respond(response)
        }
        Err(_) => request.respond(Response::from_string("not found").with_status_code(404)),
    }
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
    fn paths_that_leave_the_folder_are_refused() {
        let folder = Path::new("dist");
        for path in ["/../Cargo.toml", "/a/../../b", "/./x/.."] {
            assert_eq!(file_below(folder, path), None, "{path}");
        }
        assert_eq!(file_below(folder, "/a/b.js"), Some(folder.join("a/b.js")));
    }
}
