//! Bytes → frames: events of a stream (SSE), lines of JSON (NDJSON), or one JSON document in place
//! of a stream. The frames are the same however the bytes are split.
//!
//! Written by hand, because the published readers are tied to an HTTP client or to async streams.

/// Most bytes of one line, event or document; anything larger is not a model's answer.
pub(super) const MAX_FRAME_BYTES: usize = 4 << 20;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// One piece of a service's response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// An event, or a line of NDJSON (whose `event` is empty).
    Data { event: String, data: String },
    /// A whole document, known only when the bytes end.
    Document(Vec<u8>),
    /// An HTML page or text: not a service's answer.
    Foreign(String),
    /// More than [`MAX_FRAME_BYTES`] without an end.
    TooLong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Only white space so far.
    Undecided,
    Events,
    Lines,
    Document,
    Foreign,
    /// After [`Frame::TooLong`].
    Closed,
}

/// See the [module](self).
pub(super) struct Framing {
    mode: Mode,
    /// Whether lines of JSON are expected, rather than events.
    is_ndjson: bool,
    /// Number of bytes of the byte order mark that were skipped.
    n_bom: usize,
    /// The line or document that has not ended.
    buffer: Vec<u8>,
    /// Whether the last byte was a carriage return, which a line feed may follow.
    after_cr: bool,
    event: String,
    data: Option<String>,
    has_framed: bool,
    /// The first line that is not part of an event.
    stray: String,
}

impl Framing {
    pub fn events() -> Self {
        Self {
            mode: Mode::Undecided,
            is_ndjson: false,
            n_bom: 0,
            buffer: Vec::new(),
            after_cr: false,
            event: String::new(),
            data: None,
            has_framed: false,
            stray: String::new(),
        }
    }

    pub fn ndjson() -> Self {
        Self {
            is_ndjson: true,
            ..Self::events()
        }
    }

    /// The frames that `bytes` complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Frame> {
        let bytes = self.decide(bytes);
        let mut frames = Vec::new();
        match self.mode {
            Mode::Undecided | Mode::Closed => {}
            Mode::Foreign => self.keep_start(bytes),
            Mode::Document => {
                self.buffer.extend_from_slice(bytes);
                if self.buffer.len() > MAX_FRAME_BYTES {
                    self.close(&mut frames);
                }
            }
            Mode::Events | Mode::Lines => self.push_lines(bytes, &mut frames),
        }
        frames
    }

    /// The remaining frames when the bytes end: an event without the blank line after it, a line
    /// without its end, a document.
    pub fn finish(&mut self) -> Vec<Frame> {
        let mut frames = Vec::new();
        let rest = std::mem::take(&mut self.buffer);
        match self.mode {
            Mode::Undecided | Mode::Closed => {}
            Mode::Foreign => {
                frames.push(Frame::Foreign(String::from_utf8_lossy(&rest).into_owned()));
            }
            Mode::Document => frames.push(Frame::Document(rest)),
            Mode::Events | Mode::Lines => {
                self.line(&rest, &mut frames);
                self.dispatch(&mut frames);
                if !self.has_framed {
                    frames.push(Frame::Foreign(std::mem::take(&mut self.stray)));
                }
            }
        }
        self.mode = Mode::Closed;
        frames
    }

    /// Decides by the first visible byte what is coming, and returns the bytes that are left to
    /// read.
    fn decide<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        if self.mode != Mode::Undecided {
            return bytes;
        }
        for (at, &byte) in bytes.iter().enumerate() {
            if BOM.get(self.n_bom) == Some(&byte) {
                self.n_bom += 1;
                continue;
            }
            if byte.is_ascii_whitespace() {
                self.n_bom = BOM.len();
                continue;
            }
            self.mode = match byte {
                b'<' => Mode::Foreign,
                _ if self.is_ndjson => Mode::Lines,
                b'{' | b'[' => Mode::Document,
                _ => Mode::Events,
            };
            return bytes.get(at..).unwrap_or_default();
        }
        &[]
    }

    /// Keeps the beginning of what is not an answer, to describe it.
    fn keep_start(&mut self, bytes: &[u8]) {
        let room = 512usize.saturating_sub(self.buffer.len()).min(bytes.len());
        self.buffer
            .extend_from_slice(bytes.get(..room).unwrap_or_default());
    }

    fn push_lines(&mut self, mut bytes: &[u8], frames: &mut Vec<Frame>) {
        if std::mem::take(&mut self.after_cr) {
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, rest) = bytes.split_at(end);
            self.buffer.extend_from_slice(line);
            if self.buffer.len() > MAX_FRAME_BYTES {
                return self.close(frames);
            }
            let line = std::mem::take(&mut self.buffer);
            self.line(&line, frames);
            if self.mode == Mode::Closed {
                return;
            }
            // The buffer's memory is reused from line to line.
            self.buffer = line;
            self.buffer.clear();
            bytes = match rest {
                [b'\r', b'\n', rest @ ..] => rest,
                [b'\r'] => {
                    self.after_cr = true;
                    &[]
                }
                [_, rest @ ..] => rest,
                [] => &[],
            };
        }
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() > MAX_FRAME_BYTES {
            self.close(frames);
        }
    }

    /// Reads one line. Characters are decoded here and not earlier, so that none is split.
    fn line(&mut self, line: &[u8], frames: &mut Vec<Frame>) {
        let line = String::from_utf8_lossy(line);
        if self.mode == Mode::Lines {
            if !line.trim().is_empty() {
                self.has_framed = true;
                frames.push(Frame::Data {
                    event: String::new(),
                    data: line.into_owned(),
                });
            }
            return;
        }
        if line.is_empty() {
            return self.dispatch(frames);
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => self.data_line(value, frames),
            "event" => value.clone_into(&mut self.event),
            // Comments (an empty name) keep the connection open; `id` and `retry` mean nothing
            // here.
            "" | "id" | "retry" => self.has_framed = true,
            _ if self.stray.is_empty() => self.stray = line.chars().take(512).collect(),
            _ => {}
        }
    }

    fn data_line(&mut self, value: &str, frames: &mut Vec<Frame>) {
        match &mut self.data {
            None => self.data = Some(value.to_owned()),
            Some(data) => {
                data.push('\n');
                data.push_str(value);
                if data.len() > MAX_FRAME_BYTES {
                    self.close(frames);
                }
            }
        }
    }

    /// Ends an event.
    fn dispatch(&mut self, frames: &mut Vec<Frame>) {
        let event = std::mem::take(&mut self.event);
        if let Some(data) = self.data.take() {
            self.has_framed = true;
            frames.push(Frame::Data { event, data });
        }
    }

    fn close(&mut self, frames: &mut Vec<Frame>) {
        self.mode = Mode::Closed;
        self.buffer = Vec::new();
        self.data = None;
        frames.push(Frame::TooLong);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(event: &str, data: &str) -> Frame {
        Frame::Data {
            event: event.to_owned(),
            data: data.to_owned(),
        }
    }

    fn all(mut framing: Framing, bytes: &[u8]) -> Vec<Frame> {
        let mut frames = framing.push(bytes);
        frames.extend(framing.finish());
        frames
    }

    #[test]
    fn events_are_read_as_the_standard_says() {
        for (bytes, expected) in [
            ("data: a\n\ndata: b\n\n", vec![data("", "a"), data("", "b")]),
            (
                "data:a\r\n\r\ndata:b\r\rdata:c",
                vec![data("", "a"), data("", "b"), data("", "c")],
            ),
            ("\u{feff}\n\ndata: a\n\n", vec![data("", "a")]),
            (
                ": ping\n\nevent: x\ndata: a\ndata: b\nid: 7\nretry: 9\n\n",
                vec![data("x", "a\nb")],
            ),
            ("event: lost\n\ndata: a\n\n", vec![data("", "a")]),
            (
                "data\n\ndata:  two\n\n",
                vec![data("", ""), data("", " two")],
            ),
            (": ping\n\n", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(
                all(Framing::events(), bytes.as_bytes()),
                expected,
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn lines_of_json_need_no_last_line_end() {
        let frames = all(Framing::ndjson(), b"\n{\"a\":1}\r\n\n{\"b\":2}");
        assert_eq!(frames, [data("", "{\"a\":1}"), data("", "{\"b\":2}")]);
    }

    #[test]
    fn a_body_that_is_not_a_stream_is_recognised_by_its_first_byte() {
        let document = Frame::Document(b"{\"a\":1}".to_vec());
        assert_eq!(all(Framing::events(), b" \n{\"a\":1}"), [document]);
        let page = || Frame::Foreign("<!doctype html>".to_owned());
        assert_eq!(all(Framing::events(), b"<!doctype html>"), [page()]);
        assert_eq!(all(Framing::ndjson(), b"<!doctype html>"), [page()]);
        let text = Frame::Foreign("Ollama is running".to_owned());
        for bytes in [
            b"Ollama is running".as_slice(),
            b"Ollama is running\n\nbye\n",
        ] {
            assert_eq!(all(Framing::events(), bytes), std::slice::from_ref(&text));
        }
    }

    #[test]
    fn nothing_that_never_ends_is_kept() {
        let piece = vec![b'x'; 64 << 10];
        let joined = [b"data: ".as_slice(), &piece, b"\n"].concat();
        for (framing, start, piece) in [
            (Framing::events(), b"data: ".as_slice(), &piece),
            (Framing::ndjson(), b"{", &piece),
            (Framing::events(), b"{", &piece),
            (Framing::events(), b"", &joined),
        ] {
            let mut framing = framing;
            let mut frames = framing.push(start);
            for _ in 0..80 {
                frames.extend(framing.push(piece));
                assert!(framing.buffer.len() <= MAX_FRAME_BYTES);
            }
            frames.extend(framing.finish());
            assert_eq!(frames, [Frame::TooLong]);
        }
    }
}
