use proptest::prelude::*;

use super::*;

/// Every kind of stream that has a fixture.
const STREAMS: &[(Kind, &[u8])] = &[
    (Kind::OPENAI, fixture!("streams/openai.sse")),
    (Kind::OPENAI, fixture!("streams/openai_tools.sse")),
    (Kind::OPENAI, fixture!("streams/openrouter_reasoning.sse")),
    (Kind::OPENAI, fixture!("streams/llama_cpp.sse")),
    (
        Kind::OPENAI,
        fixture!("streams/openrouter_midstream_error.sse"),
    ),
    (Kind::OPENAI, fixture!("streams/openai_cut.sse")),
    (Kind::OPENAI, fixture!("streams/openai_whole.json")),
    (Kind::OPENAI, fixture!("streams/page.html")),
    (Kind::ANTHROPIC, fixture!("streams/anthropic.sse")),
    (Kind::ANTHROPIC, fixture!("streams/anthropic_tools.sse")),
    (
        Kind::ANTHROPIC,
        fixture!("streams/anthropic_overloaded.sse"),
    ),
    (Kind::GEMINI, fixture!("streams/gemini.sse")),
    (Kind::GEMINI, fixture!("streams/gemini_whole.json")),
    (Kind::OLLAMA, fixture!("streams/ollama.ndjson")),
    (Kind::OLLAMA, fixture!("streams/ollama_error.ndjson")),
    (Kind::OLLAMA, fixture!("streams/page.html")),
];

fn read_in_pieces(kind: Kind, bytes: &[u8], sizes: &[usize]) -> Vec<StreamEvent> {
    let mut reader = StreamReader::new(kind);
    let mut events = Vec::new();
    let mut rest = bytes;
    for &size in sizes.iter().cycle() {
        let (piece, after) = rest.split_at(size.min(rest.len()));
        events.extend(reader.push(piece));
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    events.extend(reader.finish());
    events
}

#[test]
fn byte_by_byte_gives_the_same_events_as_the_whole() {
    for &(kind, bytes) in STREAMS {
        assert_eq!(read_in_pieces(kind, bytes, &[1]), read(kind, bytes));
    }
}

proptest! {
    #[test]
    fn any_split_gives_the_same_events_as_the_whole(
        at in 0..STREAMS.len(),
        sizes in prop::collection::vec(1usize..200, 1..40),
    ) {
        let (kind, bytes) = STREAMS[at];
        prop_assert_eq!(read_in_pieces(kind, bytes, &sizes), read(kind, bytes));
    }

    #[test]
    fn any_bytes_in_any_split_are_read_alike_and_end_once(
        kind in prop::sample::select(&Kind::ALL),
        bytes in prop::collection::vec(
            prop::sample::select(&b"data: {}[]\"\r\n\n:,ev<\xc3\xa9\xef\xbb\xbf1"[..]), 0..300),
        sizes in prop::collection::vec(1usize..9, 1..40),
    ) {
        let events = read(kind, &bytes);
        prop_assert_eq!(&read_in_pieces(kind, &bytes, &sizes), &events);
        let is_end = |event: &StreamEvent| {
            matches!(event, StreamEvent::Done(_) | StreamEvent::Failed(_))
        };
        prop_assert_eq!(events.iter().filter(|event| is_end(event)).count(), 1);
        prop_assert!(events.last().is_some_and(is_end));
    }

    #[test]
    fn text_of_any_characters_arrives_whole(
        words in prop::collection::vec("\\PC{0,12}", 1..12),
        sizes in prop::collection::vec(1usize..7, 1..20),
    ) {
        let stream: String = words
            .iter()
            .map(|word| {
                let chunk = serde_json::json!({"choices": [{"delta": {"content": word}}]});
                format!("data: {chunk}\r\n\r\n")
            })
            .chain(["data: [DONE]\r\n\r\n".to_owned()])
            .collect();
        let text: String = read_in_pieces(Kind::OPENAI, stream.as_bytes(), &sizes)
            .into_iter()
            .filter_map(|event| match event {
                StreamEvent::Text(text) => Some(text),
                _ => None,
            })
            .collect();
        prop_assert_eq!(text, words.concat());
    }
}
