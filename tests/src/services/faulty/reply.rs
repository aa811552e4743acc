//! Writes replies onto the wire, with the faults that the script asks for.

use std::io;
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::super::http::{Head, end_chunks, send_chunk};
use super::super::script::{Finish, Gate, Reply, Split, Step};
use super::super::wire::{Encoder, Wanted, Wire};
use super::End;
use super::serve::Shared;

/// How often a stalled stream checks whether the other side is still there.
const MOMENT: Duration = Duration::from_millis(20);

impl Shared {
    /// Sends one reply; returns how the exchange ended.
    pub(super) fn reply(
        &self,
        stream: &mut TcpStream,
        wire: Wire,
        wanted: &Wanted,
        reply: Reply,
    ) -> io::Result<End> {
        let (head, body) = match reply {
            Reply::Answer {
                steps,
                finish,
                split,
            } => match wanted {
                Wanted::Answer {
                    model,
                    streamed: true,
                } => {
                    let head = Head::new(200, wire.stream_type()).with("Cache-Control", "no-cache");
                    self.open_to_pages(head).start_chunks(stream)?;
                    let mut streamed = Streamed {
                        shared: self,
                        stream,
                        encoder: wire.encoder(model),
                        split,
                    };
                    return streamed.run(&steps, finish);
                }
                Wanted::Answer { model, .. } => json(200, &wire.whole(model, &steps, finish)),
                Wanted::Models | Wanted::Details => json(200, &wire.models(&self.setup.models)),
            },
            Reply::Failure {
                status,
                message,
                retry_after_s,
            } => {
                let (mut head, body) = json(status, &wire.failure(status, &message));
                if let Some(seconds) = retry_after_s {
                    head = head.with("Retry-After", seconds.to_string());
                }
                (head, body)
            }
            Reply::Other {
                status,
                content_type,
                body,
            } => (Head::new(status, &content_type), body),
        };
        self.open_to_pages(head).send(stream, &body)?;
        Ok(End::Finished)
    }
}

fn json(status: u16, body: &serde_json::Value) -> (Head, Vec<u8>) {
    let head = Head::new(status, "application/json");
    (head, body.to_string().into_bytes())
}

/// An answer being sent.
struct Streamed<'a> {
    shared: &'a Shared,
    stream: &'a mut TcpStream,
    encoder: Box<dyn Encoder>,
    split: Split,
}

impl Streamed<'_> {
    fn run(&mut self, steps: &[Step], finish: Finish) -> io::Result<End> {
        let bytes = self.encoder.start();
        self.send(&bytes)?;
        for step in steps {
            if let Some(end) = self.step(step)? {
                return Ok(end);
            }
        }
        let bytes = self.encoder.end(finish);
        self.send(&bytes)?;
        end_chunks(self.stream)?;
        Ok(End::Finished)
    }

    /// Carries out one step; returns the end if it was the last.
    fn step(&mut self, step: &Step) -> io::Result<Option<End>> {
        let bytes = match step {
            Step::Text(text) => self.encoder.text(text),
            Step::Reasoning(text) => self.encoder.reasoning(text),
            Step::Raw(bytes) => bytes.clone(),
            Step::Error(message) => self.encoder.error(message),
            Step::Repeat { text, times } => {
                for _ in 0..*times {
                    let bytes = self.encoder.text(text);
                    self.send(&bytes)?;
                }
                return Ok(None);
            }
            Step::ToolCall(call) => {
                for event in self.encoder.tool_call(call) {
                    self.send(&event)?;
                }
                return Ok(None);
            }
            Step::Stall(gate) => return Ok(self.stall(gate)),
            Step::Cut => return Ok(Some(End::Cut)),
            Step::EndEarly => {
                end_chunks(self.stream)?;
                return Ok(Some(End::Finished));
            }
        };
        self.send(&bytes)?;
        Ok(None)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.split {
            Split::Steps => send_chunk(self.stream, bytes),
            Split::Every(n) => bytes
                .chunks(n.max(1))
                .try_for_each(|piece| send_chunk(self.stream, piece)),
        }
    }

    /// Waits until the gate opens; returns the end if the exchange ends before that.
    fn stall(&self, gate: &Gate) -> Option<End> {
        gate.reach();
        // A closed connection can be read to its end; a live one has nothing to read.
        let _ = self.stream.set_read_timeout(Some(Duration::from_millis(1)));
        while !gate.wait_open(MOMENT) {
            if self.shared.stopped.load(Ordering::SeqCst) {
                return Some(End::Stopped);
            }
            match self.stream.peek(&mut [0]) {
                Ok(0) => return Some(End::ClientLeft),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {}
                Err(_) => return Some(End::ClientLeft),
            }
        }
        None
    }
}
