//! A server as a process that may be killed, and requests that may get no answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{ChildStderr, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::Value;

use crate::common::{Running, Server};

/// Where the server that runs now can be asked; readers share it.
#[derive(Clone, Default)]
pub struct Address(Arc<Mutex<Option<String>>>);

/// A server and the unusual lines of its log.
pub struct Serving {
    process: Running,
    log: Option<JoinHandle<Vec<String>>>,
}

impl Serving {
    /// Starts a server and does not wait until it can be asked.
    pub fn start(server: &Server, address: &Address) -> Self {
        let mut child = server
            .footnote(&["serve", "--no-page", "--port", "0", "--rate", "1000000"])
            .args(["--burst", "1000000"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = BufReader::new(child.stderr.take().unwrap());
        let address = address.clone();
        Self {
            process: Running(child),
            log: Some(std::thread::spawn(move || read(log, &address))),
        }
    }

    /// Whether it has ended by itself, as it does if there is no database when it starts.
    pub fn has_ended(&mut self) -> bool {
        self.process.0.try_wait().unwrap().is_some()
    }

    /// Kills it; returns what it said.
    pub fn kill(mut self) -> Vec<String> {
        let _ = self.process.0.kill();
        let log = self.log.take().map(JoinHandle::join);
        log.map(Result::unwrap).unwrap_or_default()
    }
}

/// Reads the log to its end; keeps errors, and lines that do not belong in a log.
fn read(log: BufReader<ChildStderr>, address: &Address) -> Vec<String> {
    let mut odd = Vec::new();
    for line in log.lines() {
        // A kill may cut the last line.
        let Ok(line) = line else { break };
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        if let Some(found) = said["address"].as_str() {
            *address.0.lock().unwrap() = Some(found.to_owned());
        }
        if said.is_null() || said["level"] == "ERROR" {
            odd.push(line);
        }
    }
    odd
}

impl Address {
    /// The status and the body of an answer; `None` if the server was gone before all of it came.
    pub fn ask(&self, target: &str) -> Option<(u16, Vec<u8>)> {
        let address = self.0.lock().unwrap().clone()?;
        let mut stream = TcpStream::connect(address).ok()?;
        let request = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        stream.write_all((request + "\r\n").as_bytes()).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        let end = answer.windows(4).position(|it| it == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
        let status = head.split(' ').nth(1)?.parse().unwrap();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.unwrap().parse().unwrap();
        let body = answer.split_off(end + 4);
        (body.len() == length).then_some((status, body))
    }
}
