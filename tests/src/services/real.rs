//! What the real services have in common.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::process::Owned;

/// How long a service may take to start: it imports hundreds of Python modules, on a slow machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// A service on a port of localhost.
pub trait RealService {
    /// The port of localhost.
    fn port(&self) -> u16;

    /// The base URL of its OpenAI interface.
    fn base_url(&self) -> String {
        format!("http://localhost:{}/v1", self.port())
    }
}

/// Waits until `GET path` is answered with status 200.
///
/// # Panics
/// If the process ends before that or takes too long; the message has the end of its log.
pub fn wait_until_up(process: &mut Owned, port: u16, path: &str, log: &Path) {
    let start = Instant::now();
    while !answers(port, path) {
        let ended = process.0.try_wait().expect("its state can be asked");
        if ended.is_some() || start.elapsed() > PATIENCE {
            let log = std::fs::read_to_string(log).unwrap_or_default();
            let from = log.floor_char_boundary(log.len().saturating_sub(2000));
            panic!("the service did not come up ({ended:?}):\n{}", &log[from..]);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn answers(port: u16, path: &str) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else {
        return false;
    };
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let mut answer = Vec::new();
    let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
    let _ = stream.write_all(request.as_bytes());
    let _ = stream.read_to_end(&mut answer);
    answer.starts_with(b"HTTP/1.1 200")
}
