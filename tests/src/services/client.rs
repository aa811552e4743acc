//! A client that knows nothing of a service but its socket, so that tests see the bytes as they
//! arrive.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use footnote_core::model::protocol::{HttpRequest, Kind, StreamEvent, StreamReader};
use serde_json::Value;

/// What a client received.
pub struct Received {
    pub status: u16,
    /// The headers in lower case, one per line.
    pub headers: String,
    /// The chunks of the body, or the whole body as one entry.
    pub chunks: Vec<Vec<u8>>,
    /// Whether the body ended as its framing demands.
    pub complete: bool,
}

impl Received {
    /// All chunks together.
    pub fn body(&self) -> Vec<u8> {
        self.chunks.concat()
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8(self.body()).expect("a body in UTF-8")
    }

    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<String> {
        let mut lines = self.headers.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        Some(value.trim().to_owned())
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body()).expect("a body in JSON")
    }
}

/// The bytes of a POST with a JSON body; `headers` are lines that each end in CRLF.
pub fn post(path: &str, headers: &str, body: &Value) -> String {
    let body = body.to_string();
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    )
}

/// The bytes of a GET; `headers` are lines that each end in CRLF.
pub fn get(path: &str, headers: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n")
}

/// Sends a request to a port of localhost.
pub fn connect(port: u16, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a service that listens");
    let sent = stream.write_all(request.as_bytes());
    sent.expect("the request can be sent");
    stream
}

/// Sends a request and reads what comes back.
pub fn exchange(port: u16, request: &str) -> Received {
    receive(connect(port, request))
}

/// Reads a response to its end.
pub fn receive(stream: TcpStream) -> Received {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).expect("a status line");
    let status = line.split(' ').nth(1).and_then(|code| code.parse().ok());
    let status = status.unwrap_or_else(|| panic!("no status: {line:?}"));
    let mut headers = String::new();
    loop {
        line.clear();
        reader.read_line(&mut line).expect("headers");
        if line.trim_end().is_empty() {
            break;
        }
        headers.push_str(&line.to_ascii_lowercase());
    }
    let (chunks, complete) = if headers.contains("transfer-encoding: chunked") {
        read_chunks(&mut reader)
    } else {
        let mut body = Vec::new();
        reader.read_to_end(&mut body).expect("a body");
        (vec![body], true)
    };
    Received {
        status,
        headers,
        chunks,
        complete,
    }
}

fn read_chunks(reader: &mut impl BufRead) -> (Vec<Vec<u8>>, bool) {
    let mut chunks = Vec::new();
    loop {
        let mut size = String::new();
        if reader.read_line(&mut size).unwrap_or(0) == 0 {
            return (chunks, false);
        }
        let size = usize::from_str_radix(size.trim(), 16).expect("the size of a chunk");
        let mut chunk = vec![0; size + 2];
        reader.read_exact(&mut chunk).expect("a whole chunk");
        chunk.truncate(size);
        if chunk.is_empty() {
            return (chunks, true);
        }
        chunks.push(chunk);
    }
}

/// The text of a stream: the value at `pointer` in the JSON of each event or line.
pub fn streamed_text(body: &str, pointer: &str) -> String {
    let values = body.lines().filter_map(|line| {
        let json = line.strip_prefix("data: ").unwrap_or(line);
        serde_json::from_str::<Value>(json).ok()
    });
    let texts = values.filter_map(|value| value.pointer(pointer)?.as_str().map(str::to_owned));
    texts.collect()
}

/// Sends a request of the protocol as a page would, from an origin of its own.
pub fn send(port: u16, request: &HttpRequest) -> Received {
    let path = request.url.splitn(4, '/').nth(3).unwrap_or_default();
    let mut text = format!(
        "{} /{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nOrigin: http://localhost:1\r\n",
        request.method
    );
    for header in &request.headers {
        text.push_str(&format!("{}: {}\r\n", header.name, header.value));
    }
    let body = request.body.as_deref().unwrap_or_default();
    text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    exchange(port, &text)
}

/// What the protocol reads from a streamed answer, chunk by chunk.
pub fn read_stream(kind: Kind, received: &Received) -> Vec<StreamEvent> {
    let mut reader = StreamReader::new(kind);
    let mut events = Vec::new();
    for chunk in &received.chunks {
        events.extend(reader.push(chunk));
    }
    events.extend(reader.finish());
    events
}

/// The text of the events.
pub fn text_of(events: &[StreamEvent]) -> String {
    let texts = events.iter().map(|event| match event {
        StreamEvent::Text(text) => text.as_str(),
        _ => "",
    });
    texts.collect()
}
