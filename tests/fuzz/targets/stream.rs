//! What a model service sends → events, the same however the bytes are split. The first line of an
//! input names the service; [`CUT`](crate::target::CUT)s are where the bytes are split.

use footnote_core::model::protocol::{Kind, StreamEvent, StreamReader};

use crate::mutate::{self, Rng};
use crate::target::{Target, cut, pieces};

pub const TARGET: Target = Target {
    name: "stream",
    make,
    check,
};

macro_rules! stream {
    ($name:literal) => {
        include_bytes!(concat!(
            "../../../core/src/model/protocol/tests/streams/",
            $name
        ))
        .as_slice()
    };
}

/// Recorded streams of services.
const STREAMS: [&[u8]; 16] = [
    stream!("openai.sse"),
    stream!("openai_tools.sse"),
    stream!("openai_whole.json"),
    stream!("openrouter_midstream_error.sse"),
    stream!("llama_cpp.sse"),
    stream!("mistral_thinking.sse"),
    stream!("anthropic.sse"),
    stream!("anthropic_tools.sse"),
    stream!("anthropic_whole.json"),
    stream!("gemini.sse"),
    stream!("gemini_tools.sse"),
    stream!("gemini_whole.json"),
    stream!("ollama.ndjson"),
    stream!("ollama_tools.ndjson"),
    stream!("ollama_error.ndjson"),
    stream!("page.html"),
];

const TOKENS: [&[u8]; 22] = [
    b"data: ",
    b"data:",
    b"event: error\n",
    b"event: message_stop\n",
    b": comment\n",
    b"\n\n",
    b"\r\n\r\n",
    b"\r",
    b"[DONE]",
    b"data: [DONE]\n\n",
    b"\xef\xbb\xbf",
    b"\xc3",
    b"null",
    b"true",
    b"-1",
    b"1e999",
    b"99999999999999999999",
    b"{\"error\":{}}",
    b"{\"error\":\"no\"}",
    b"\"\\ud800\"",
    b"[[[[",
    b"{}",
];

fn make(rng: &mut Rng) -> Vec<u8> {
    let mut bytes = rng.pick(&STREAMS).to_vec();
    // Long streams are long only because of their text.
    if bytes.len() > 4_000 && !rng.one_in(8) {
        bytes.truncate(1_000 + rng.below(3_000));
    }
    match rng.below(8) {
        0 => {}
        1 => {
            bytes.clear();
            for _ in 0..rng.below(30) {
                bytes.extend(*rng.pick(&TOKENS));
            }
        }
        _ => mutate::bytes(rng, &mut bytes, &TOKENS),
    }
    let mut input = rng.pick(&Kind::ALL).name().as_bytes().to_vec();
    input.push(b'\n');
    input.extend(cut(rng, &bytes));
    input
}

fn check(input: &[u8]) {
    let line = input.split(|&byte| byte == b'\n').next().unwrap_or(input);
    let name = String::from_utf8_lossy(line);
    let Some(kind) = Kind::from_name(&name) else {
        return;
    };
    let (bytes, cuts) = pieces(input.get(line.len() + 1..).unwrap_or_default());
    let whole = read(kind, &bytes, []);
    assert_eq!(read(kind, &bytes, cuts), whole, "in pieces, and whole");
    let all = 0..bytes.len();
    assert_eq!(read(kind, &bytes, all), whole, "byte by byte, and whole");
    let is_end =
        |event: &&StreamEvent| matches!(event, StreamEvent::Done(_) | StreamEvent::Failed(_));
    assert_eq!(whole.iter().filter(is_end).count(), 1, "one end: {whole:?}");
    assert!(whole.last().as_ref().is_some_and(is_end), "it is the last");
}

/// The events of bytes that are split at `cuts`, which are sorted.
fn read(kind: Kind, bytes: &[u8], cuts: impl IntoIterator<Item = usize>) -> Vec<StreamEvent> {
    let mut reader = StreamReader::new(kind);
    let mut events = Vec::new();
    let mut from = 0;
    for cut in cuts {
        events.extend(reader.push(&bytes[from..cut]));
        from = cut;
    }
    events.extend(reader.push(&bytes[from..]));
    events.extend(reader.finish());
    events
}

#[test]
fn bytes_of_a_service_are_read_alike_however_they_are_split() {
    crate::run::test(&TARGET, 600);
}
