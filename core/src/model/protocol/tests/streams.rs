use super::*;

fn text(text: &str) -> StreamEvent {
    StreamEvent::Text(text.to_owned())
}

fn thinking(text: &str) -> StreamEvent {
    StreamEvent::Thinking(text.to_owned())
}

fn call(id: &str, name: &str, arguments: &str) -> StreamEvent {
    StreamEvent::Call(ToolCall::new(id, name, arguments))
}

fn usage(prompt_tokens: u32, answer_tokens: u32) -> StreamEvent {
    StreamEvent::Usage {
        prompt_tokens: Some(prompt_tokens),
        answer_tokens: Some(answer_tokens),
    }
}

fn refused(why: &str) -> StreamEvent {
    StreamEvent::Done(FinishReason::Refused {
        why: why.to_owned(),
    })
}

const END: StreamEvent = StreamEvent::Done(FinishReason::End);
const LENGTH: StreamEvent = StreamEvent::Done(FinishReason::Length);
const TOOLS: StreamEvent = StreamEvent::Done(FinishReason::Tools);
const CUT: StreamEvent = StreamEvent::Failed(Failure::CutOff);

#[test]
fn openai_and_compatible_services_are_read() {
    for (bytes, expected) in [
        (
            fixture!("streams/openai.sse"),
            vec![text("The client – "), text("naïve 🦀"), usage(19, 10), END],
        ),
        (
            fixture!("streams/openai_tools.sse"),
            vec![
                call(
                    "call_DdmO9pD3xa9XTPNJ32zg2hcA",
                    "read_lines",
                    r#"{"path":"a.rs"}"#,
                ),
                call("call_abc", "search", r#"{"query":"retry"}"#),
                TOOLS,
            ],
        ),
        (
            fixture!("streams/openai_tools_unnumbered.sse"),
            vec![
                call("function-call-1", "definition", r#"{"name":"Retry"}"#),
                call("function-call-2", "definition", r#"{"name":"Pool"}"#),
                TOOLS,
            ],
        ),
        (
            fixture!("streams/openrouter_reasoning.sse"),
            vec![thinking("Let me see"), text("Yes."), usage(7, 4), END],
        ),
        (
            fixture!("streams/llama_cpp.sse"),
            vec![thinking("hm"), text("Two lines."), LENGTH],
        ),
        (
            fixture!("streams/mistral_thinking.sse"),
            vec![thinking("First"), text("Done"), usage(3, 2), END],
        ),
        (
            fixture!("streams/openai_whole.json"),
            vec![
                text("Hello! How can I assist you today?"),
                usage(19, 10),
                END,
            ],
        ),
        (
            fixture!("streams/openai_cut.sse"),
            vec![text("The retry"), CUT],
        ),
        (
            fixture!("streams/openrouter_midstream_error.sse"),
            vec![
                text("The pool"),
                StreamEvent::Failed(Failure::Server {
                    status: 502,
                    message: "Provider disconnected unexpectedly".to_owned(),
                    retry_after_ms: None,
                }),
            ],
        ),
        (fixture!("streams/litellm.sse"), litellm()),
        (b"", vec![CUT]),
        (b"data: [DONE]\n\n", vec![END]),
    ] {
        assert_eq!(read(Kind::OPENAI, bytes), expected);
    }
}

/// An answer by LiteLLM's proxy, a few characters at a time.
fn litellm() -> Vec<StreamEvent> {
    let pieces = [
        "The", " po", "ol ", "[sr", "c/p", "ool", ".py", ":1-", "5] ", "naï", "ve.",
    ];
    let pieces = pieces.iter().map(|piece| text(piece));
    pieces.chain([usage(8, 15), END]).collect()
}

#[test]
fn anthropic_is_read() {
    for (bytes, expected) in [
        (
            fixture!("streams/anthropic.sse"),
            vec![text("Hello"), text(" – 世界"), usage(100, 15), END],
        ),
        (
            fixture!("streams/anthropic_tools.sse"),
            vec![
                thinking("I need the file."),
                text("Let me look"),
                call(
                    "toolu_01T1x1fJ34qAmk2tNTrN7Up6",
                    "read_lines",
                    r#"{"path": "src/a.py", "start": 1}"#,
                ),
                usage(472, 89),
                TOOLS,
            ],
        ),
        (
            fixture!("streams/anthropic_overloaded.sse"),
            vec![
                text("The"),
                StreamEvent::Failed(Failure::Overloaded {
                    message: "Overloaded".to_owned(),
                    retry_after_ms: None,
                }),
            ],
        ),
        (
            fixture!("streams/anthropic_whole.json"),
            vec![
                text("Hi!"),
                call("toolu_1", "search", r#"{"query":"retry"}"#),
                usage(10, 3),
                TOOLS,
            ],
        ),
        (
            fixture!("streams/litellm_messages.json"),
            vec![
                text("The pool [src/pool.py:1-5] naïve."),
                usage(2095, 503),
                END,
            ],
        ),
    ] {
        assert_eq!(read(Kind::ANTHROPIC, bytes), expected);
    }
}

#[test]
fn gemini_is_read() {
    let mut signed = ToolCall::new("call_0", "search", r#"{"query":"retry"}"#);
    signed.signature = Some("CiQB0e2Kb".to_owned());
    for (bytes, expected) in [
        (
            fixture!("streams/gemini.sse"),
            vec![thinking("Looking"), text("AI learns"), usage(11, 25), END],
        ),
        (
            fixture!("streams/gemini_tools.sse"),
            vec![
                StreamEvent::Call(signed),
                call("call_1", "definition", r#"{"name":"Retry"}"#),
                usage(100, 12),
                TOOLS,
            ],
        ),
        (
            fixture!("streams/gemini_blocked.sse"),
            vec![
                StreamEvent::Usage {
                    prompt_tokens: Some(9),
                    answer_tokens: None,
                },
                refused("PROHIBITED_CONTENT"),
            ],
        ),
        (
            fixture!("streams/gemini_whole.json"),
            vec![text("Two "), text("parts"), usage(4, 2), LENGTH],
        ),
        (
            fixture!("streams/gemini_error.json"),
            vec![StreamEvent::Failed(Failure::Overloaded {
                message: "The model is overloaded. Please try again later.".to_owned(),
                retry_after_ms: None,
            })],
        ),
    ] {
        assert_eq!(read(Kind::GEMINI, bytes), expected);
    }
}

#[test]
fn ollama_is_read() {
    for (bytes, expected) in [
        (
            fixture!("streams/ollama.ndjson"),
            vec![thinking("Okay"), text("The café"), text(" is open."), usage(26, 282), END],
        ),
        (
            fixture!("streams/ollama_tools.ndjson"),
            vec![
                call("call_0", "read_lines", r#"{"end":40,"path":"src/lib.rs","start":1}"#),
                usage(169, 15),
                TOOLS,
            ],
        ),
        (
            fixture!("streams/ollama_error.ndjson"),
            vec![
                text("The"),
                StreamEvent::Failed(Failure::Stream {
                    message: "an error was encountered while running the model: CUDA error: out of memory"
                        .to_owned(),
                }),
            ],
        ),
    ] {
        assert_eq!(read(Kind::OLLAMA, bytes), expected);
    }
}

#[test]
fn an_error_sent_with_a_status_of_success_is_an_error() {
    let events = read(
        Kind::OPENAI,
        fixture!("streams/openai_error_as_success.json"),
    );
    assert!(
        matches!(
            events.as_slice(),
            [StreamEvent::Failed(Failure::ContextTooLong { .. })]
        ),
        "{events:?}"
    );
}

#[test]
fn a_reply_that_is_not_from_a_service_is_quoted_from_its_beginning() {
    for kind in Kind::ALL {
        for (bytes, begins) in [
            (fixture!("streams/page.html"), "<!DOCTYPE html> <html>"),
            (b"Ollama is running", "Ollama is running"),
            (b"{\"hello\":\"world\"}", "{\"hello\":"),
        ] {
            let events = read(kind, bytes);
            let [StreamEvent::Failed(Failure::NotAService { found })] = events.as_slice() else {
                panic!("{kind:?}: {events:?}");
            };
            assert!(found.starts_with(begins), "{kind:?}: {found}");
        }
    }
}

#[test]
fn calls_of_an_answer_that_was_cut_are_not_run() {
    let stream = r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"search","arguments":"{\"que"}}]},"finish_reason":"length"}]}

data: [DONE]

"#;
    assert_eq!(read(Kind::OPENAI, stream.as_bytes()), [LENGTH]);
}

#[test]
fn ten_megabytes_of_tokens_pass() {
    let piece = "0123456789abcdef".repeat(16);
    let event = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{piece}\"}}}}]}}\n\n");
    let n_events = (10 << 20) / piece.len();
    let mut reader = StreamReader::new(Kind::OPENAI);
    let mut n_bytes = 0;
    let many = event.repeat(1024);
    for _ in 0..n_events / 1024 {
        for event in reader.push(many.as_bytes()) {
            let StreamEvent::Text(text) = event else {
                panic!("{event:?}");
            };
            n_bytes += text.len();
        }
    }
    assert_eq!(n_bytes, 10 << 20);
    let mut events = reader.push(b"data: [DONE]\n\n");
    events.extend(reader.finish());
    assert_eq!(events, [END]);
}

#[test]
fn nothing_follows_the_end() {
    let mut reader = StreamReader::new(Kind::OPENAI);
    let events =
        reader.push(b"data: [DONE]\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n");
    assert_eq!(events, [END]);
    assert_eq!(reader.push(b"data: [DONE]\n\n"), []);
    assert_eq!(reader.finish(), []);
}

#[test]
fn an_event_without_an_end_is_a_failure() {
    for (kind, start) in [
        (Kind::OPENAI, b"data: {\"choices\":\"".as_slice()),
        (Kind::OPENAI, b"{\"choices\":\""),
        (Kind::OLLAMA, b"{\"message\":\""),
    ] {
        let mut reader = StreamReader::new(kind);
        let mut events = reader.push(start);
        for _ in 0..80 {
            events.extend(reader.push(&[b'x'; 64 << 10]));
        }
        events.extend(reader.finish());
        assert!(
            matches!(
                events.as_slice(),
                [StreamEvent::Failed(Failure::Stream { .. })]
            ),
            "{kind:?}: {events:?}"
        );
    }
}
