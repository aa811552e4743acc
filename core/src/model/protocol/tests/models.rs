use super::*;

fn info(id: &str, window: Option<u32>, tools: Option<bool>) -> ModelInfo {
    ModelInfo {
        id: id.to_owned(),
        window,
        tools,
    }
}

#[test]
fn lists_of_models_are_read_with_their_details() {
    for (kind, body, expected) in [
        (
            Kind::OPENAI,
            fixture!("models/openai.json"),
            vec![info("gpt-4o", None, None), info("o3-mini", None, None)],
        ),
        (
            Kind::OPENAI,
            fixture!("models/openrouter.json"),
            vec![
                info("openai/gpt-4o", Some(128_000), Some(true)),
                info("x/base", Some(4_096), Some(false)),
            ],
        ),
        (
            Kind::OPENAI,
            fixture!("models/vllm.json"),
            vec![info("Qwen/Qwen3-8B", Some(40_960), None)],
        ),
        (
            Kind::OPENAI,
            fixture!("models/llama_cpp.json"),
            vec![info("gemma.gguf", None, None)],
        ),
        (
            Kind::OPENAI,
            fixture!("models/together.json"),
            vec![info("Qwen/Qwen2.5-7B", Some(32_768), None)],
        ),
        (
            Kind::OPENAI,
            fixture!("models/litellm.json"),
            vec![info("mock", None, None)],
        ),
        (
            Kind::ANTHROPIC,
            fixture!("models/anthropic.json"),
            vec![info("claude-sonnet-4-5", None, Some(true))],
        ),
        (
            Kind::GEMINI,
            fixture!("models/gemini.json"),
            vec![info("gemini-2.5-flash", Some(1_048_576), None)],
        ),
        (
            Kind::OLLAMA,
            fixture!("models/ollama.json"),
            vec![info("qwen3:8b", None, None)],
        ),
    ] {
        assert_eq!(read_models(kind, body), Ok(expected));
    }
}

#[test]
fn ollama_tells_window_and_tools_when_asked_for_a_model() {
    let request = model_request(&service(Kind::OLLAMA), None, "qwen3:8b").unwrap();
    assert_eq!(request.url, "http://localhost:11434/api/show");
    assert_eq!(request.body.as_deref(), Some(r#"{"model":"qwen3:8b"}"#));
    let body = fixture!("models/ollama_show.json");
    let expected = info("qwen3:8b", Some(40_960), Some(true));
    assert_eq!(read_model(Kind::OLLAMA, "qwen3:8b", body), Ok(expected));
    assert_eq!(model_request(&service(Kind::OPENAI), None, "gpt-4o"), None);
}

#[test]
fn replies_that_are_not_a_list_of_models_are_classified() {
    let lm_studio = br#"{"error":"Unexpected endpoint or method. (GET /api/tags)"}"#;
    let failure = read_models(Kind::OLLAMA, lm_studio).unwrap_err();
    assert!(
        matches!(failure, Failure::WrongAddress { .. }),
        "{failure:?}"
    );
    for body in [
        b"Ollama is running".as_slice(),
        b"<html>",
        b"{\"status\":\"ok\"}",
        b"[1]",
        b"",
    ] {
        for kind in [Kind::ANTHROPIC, Kind::GEMINI, Kind::OLLAMA] {
            let failure = read_models(kind, body).unwrap_err();
            assert!(
                matches!(failure, Failure::NotAService { .. }),
                "{failure:?}"
            );
        }
    }
}

#[test]
fn the_list_is_asked_for_where_each_kind_has_it() {
    for (kind, url) in [
        (Kind::OPENAI, "https://api.openai.com/v1/models"),
        (
            Kind::ANTHROPIC,
            "https://api.anthropic.com/v1/models?limit=1000",
        ),
        (
            Kind::GEMINI,
            "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000",
        ),
        (Kind::OLLAMA, "http://localhost:11434/api/tags"),
    ] {
        let request = models_request(&service(kind), None);
        assert_eq!((request.method, request.url.as_str()), ("GET", url));
        assert_eq!(request.body, None);
    }
}
