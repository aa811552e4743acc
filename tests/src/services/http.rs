//! As much HTTP/1.1 as a scripted service needs: one request per connection, bodies by length or in
//! chunks. It is hand-written because a server library would repair the very faults that the tests
//! are about.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// A request as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedRequest {
    pub method: String,
    /// With the query, as sent.
    pub path: String,
    /// The names in lower case, in order of arrival.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl RecordedRequest {
    /// Reads one request; `None` if the other side closed the connection without asking anything.
    pub fn read(stream: &TcpStream) -> io::Result<Option<Self>> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.split_whitespace();
        let (Some(method), Some(path)) = (words.next(), words.next()) else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, line));
        };
        let mut request = Self {
            method: method.to_owned(),
            path: path.to_owned(),
            headers: read_headers(&mut reader)?,
            body: Vec::new(),
        };
        let length = request.header("content-length");
        let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
        request.body = vec![0; length];
        reader.read_exact(&mut request.body)?;
        Ok(Some(request))
    }

    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The path without its query.
    pub fn route(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }

    /// The body as JSON; `Null` if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Every text that the model would read, in order, whatever the wire format: system
    /// instructions and messages.
    pub fn prompt(&self) -> String {
        let body = self.json();
        let mut texts = Vec::new();
        for key in [
            "system",
            "system_instruction",
            "systemInstruction",
            "messages",
            "contents",
        ] {
            collect_texts(&body[key], &mut texts);
        }
        texts.join("\n")
    }
}

fn read_headers(reader: &mut impl BufRead) -> io::Result<Vec<(String, String)>> {
    let mut headers = Vec::new();
    for line in reader.lines() {
        let line = line?;
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    Ok(headers)
}

/// Collects the strings under `content`, `parts` and `text`, and bare ones, but not roles or types.
fn collect_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, texts)),
        Value::Object(fields) => {
            for key in ["content", "parts", "text"] {
                if let Some(inner) = fields.get(key) {
                    collect_texts(inner, texts);
                }
            }
        }
        _ => {}
    }
}

/// The head of a response.
#[derive(Clone, Debug, Default)]
pub struct Head {
    pub status: u16,
    pub headers: Vec<(String, String)>,
}

impl Head {
    /// A status with a content type.
    pub fn new(status: u16, content_type: &str) -> Self {
        let headers = vec![("Content-Type".to_owned(), content_type.to_owned())];
        Self { status, headers }
    }

    /// Adds a header.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    fn write(&self, stream: &mut TcpStream, framing: &str) -> io::Result<()> {
        let mut text = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str(&format!("{framing}\r\nConnection: close\r\n\r\n"));
        stream.write_all(text.as_bytes())
    }

    /// Sends a whole response.
    pub fn send(&self, stream: &mut TcpStream, body: &[u8]) -> io::Result<()> {
        self.write(stream, &format!("Content-Length: {}", body.len()))?;
        stream.write_all(body)
    }

    /// Sends the head of a response whose body follows in chunks.
    pub fn start_chunks(&self, stream: &mut TcpStream) -> io::Result<()> {
        // Sends each piece at once; otherwise the system joins pieces that a test wants apart.
        stream.set_nodelay(true)?;
        self.write(stream, "Transfer-Encoding: chunked")
    }
}

/// Sends one chunk in one write. An empty chunk would end the body, so it is left out.
pub fn send_chunk(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    stream.write_all(&chunk)
}

/// Ends a chunked body properly.
pub fn end_chunks(stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(b"0\r\n\r\n")
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Payload Too Large",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        529 => "Overloaded",
        _ => "Unknown",
    }
}
