use super::*;

/// What a failure is, without what the service said.
fn name(failure: &Failure) -> String {
    match failure {
        Failure::WrongRequest {
            unsupported: Some(option),
            ..
        } => format!("WrongRequest without {option:?}"),
        Failure::RateLimited {
            retry_after_ms: Some(ms),
            ..
        } => format!("RateLimited for {ms} ms"),
        Failure::Overloaded {
            retry_after_ms: Some(ms),
            ..
        } => format!("Overloaded for {ms} ms"),
        failure => {
            let debug = format!("{failure:?}");
            let end = debug.find(|c: char| !c.is_alphanumeric());
            debug[..end.unwrap_or(debug.len())].to_owned()
        }
    }
}

fn check(kind: Kind, cases: &[(u16, Option<&str>, &str, &str)]) {
    for (status, retry_after, body, expected) in cases {
        let failure = classify(&service(kind), *status, *retry_after, body.as_bytes());
        assert_eq!(&name(&failure), expected, "{kind:?} {status} {body}");
    }
}

#[test]
fn errors_of_openai_are_told_apart() {
    check(
        Kind::OpenAi,
        &[
            (
                401,
                None,
                r#"{"error":{"message":"Incorrect API key provided: sk-abc***xyz. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
                "BadKey",
            ),
            (
                401,
                None,
                r#"{"error":{"message":"You didn't provide an API key.","type":"invalid_request_error","param":null,"code":null}}"#,
                "BadKey",
            ),
            (
                403,
                None,
                r#"{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported","param":null,"type":"request_forbidden"}}"#,
                "Forbidden",
            ),
            (
                404,
                None,
                r#"{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
                "UnknownModel",
            ),
            (
                404,
                None,
                r#"{"error":{"message":"This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?","type":"invalid_request_error","param":"model","code":null}}"#,
                "UnknownModel",
            ),
            (
                404,
                None,
                r#"{"error":{"message":"Invalid URL (POST /v1/chat)","type":"invalid_request_error","param":null,"code":null}}"#,
                "WrongAddress",
            ),
            (
                400,
                None,
                r#"{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 150012 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
                "ContextTooLong",
            ),
            (
                400,
                None,
                r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}"#,
                "WrongRequest without Temperature",
            ),
            (
                400,
                None,
                r#"{"error":{"message":"Invalid type for 'messages[0].content'","type":"invalid_request_error","param":"messages[0].content","code":"invalid_type"}}"#,
                "WrongRequest",
            ),
            (
                429,
                Some("20"),
                r#"{"error":{"message":"Rate limit reached for gpt-4o in organization org-x on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.","type":"requests","param":null,"code":"rate_limit_exceeded"}}"#,
                "RateLimited for 20000 ms",
            ),
            (
                429,
                None,
                r#"{"error":{"message":"Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 1.998s. Visit https://platform.openai.com/account/rate-limits to learn more.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}"#,
                "RateLimited for 1998 ms",
            ),
            (
                429,
                None,
                r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
                "OutOfCredit",
            ),
            (
                500,
                None,
                r#"{"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}"#,
                "Server",
            ),
            (
                503,
                None,
                r#"{"error":{"message":"The engine is currently overloaded, please try again later","type":"server_error"}}"#,
                "Overloaded",
            ),
        ],
    );
}

#[test]
fn errors_of_compatible_servers_are_told_apart() {
    check(
        Kind::OpenAi,
        &[
            // OpenRouter
            (
                402,
                None,
                r#"{"error":{"code":402,"message":"This request requires more credits, or fewer max_tokens."}}"#,
                "OutOfCredit",
            ),
            (
                404,
                None,
                r#"{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing","code":404}}"#,
                "WrongRequest without Tools",
            ),
            (
                400,
                None,
                r#"{"error":{"message":"x/y is not a valid model ID","code":400}}"#,
                "UnknownModel",
            ),
            (
                502,
                None,
                r#"{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"upstream connect error","provider_name":"X"}}}"#,
                "Server",
            ),
            // vLLM, old and new
            (
                400,
                None,
                r#"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5024 tokens (4000 in the messages, 1024 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","param":null,"code":400}"#,
                "ContextTooLong",
            ),
            (
                404,
                None,
                r#"{"error":{"message":"The model `x` does not exist.","type":"NotFoundError","param":null,"code":404}}"#,
                "UnknownModel",
            ),
            (
                400,
                None,
                r#"{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}"#,
                "WrongRequest without Tools",
            ),
            (401, None, r#"{"error":"Unauthorized"}"#, "BadKey"),
            // llama.cpp
            (
                400,
                None,
                r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9001,"n_ctx":4096}}"#,
                "ContextTooLong",
            ),
            (
                401,
                None,
                r#"{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}"#,
                "BadKey",
            ),
            (
                404,
                None,
                r#"{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}"#,
                "WrongAddress",
            ),
            (
                503,
                None,
                r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#,
                "Overloaded",
            ),
            (
                500,
                None,
                r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#,
                "WrongRequest without Tools",
            ),
            // llama-cpp-python
            (
                400,
                None,
                r#"{"error":{"message":"This model's maximum context length is 512 tokens. However, you requested 700 tokens (690 in the messages, 10 in the completion).","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
                "ContextTooLong",
            ),
            // LM Studio
            (
                400,
                None,
                r#"{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. tokens to keep from the initial prompt is greater than the context length"}"#,
                "ContextTooLong",
            ),
            (
                404,
                None,
                r#"{"error":{"message":"No models loaded. Please load a model in the developer page or use the `lms load` command.","type":"invalid_request_error","param":"model","code":"model_not_found"}}"#,
                "UnknownModel",
            ),
            // LiteLLM's proxy
            (
                400,
                None,
                r#"{"error":{"message":"/chat/completions: Invalid model name passed in model=x. Call `/v1/models` to view available models for your key.","type":"invalid_request_error","param":"model","code":"400"}}"#,
                "UnknownModel",
            ),
            (
                401,
                None,
                r#"{"error":{"message":"Authentication Error, Invalid proxy server token passed.","type":"token_not_found_in_db","param":"key","code":"401"}}"#,
                "BadKey",
            ),
            // FastAPI
            (404, None, r#"{"detail":"Not Found"}"#, "WrongAddress"),
            (
                422,
                None,
                r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"include_usage":true}}]}"#,
                "WrongRequest without StreamOptions",
            ),
            // In between
            (
                404,
                None,
                "<html><body>404 Not Found</body></html>",
                "WrongAddress",
            ),
            (405, None, "", "WrongAddress"),
            (
                413,
                None,
                "<html>413 Request Entity Too Large</html>",
                "TooLarge",
            ),
            (
                429,
                Some("Wed, 21 Oct 2026 07:28:00 GMT"),
                "",
                "RateLimited",
            ),
            (502, None, "<html>Bad Gateway</html>", "Server"),
            (504, None, "", "Timeout"),
            (524, None, "", "Timeout"),
            (501, None, "Unsupported method ('POST')", "Server"),
            (302, None, "", "NotAService"),
            (200, None, "<html>Welcome</html>", "NotAService"),
        ],
    );
}

#[test]
fn errors_of_anthropic_are_told_apart() {
    let body = |kind: &str, message: &str| {
        format!(
            r#"{{"type":"error","error":{{"type":"{kind}","message":"{message}"}},"request_id":"req_1"}}"#
        )
    };
    for (status, kind, message, expected) in [
        (
            400,
            "invalid_request_error",
            "prompt is too long: 208310 tokens > 200000 maximum",
            "ContextTooLong",
        ),
        (
            400,
            "invalid_request_error",
            "input length and `max_tokens` exceed context limit: 199000 + 1024 > 200000, decrease input length or `max_tokens` and try again",
            "ContextTooLong",
        ),
        (
            400,
            "invalid_request_error",
            "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
            "OutOfCredit",
        ),
        (
            400,
            "invalid_request_error",
            "`temperature` is deprecated for this model.",
            "WrongRequest without Temperature",
        ),
        (
            400,
            "invalid_request_error",
            "messages: at least one message is required",
            "WrongRequest",
        ),
        (401, "authentication_error", "invalid x-api-key", "BadKey"),
        (
            401,
            "authentication_error",
            "CORS requests are not allowed for this Organization because custom data retention settings are configured.",
            "CorsRefused",
        ),
        (
            401,
            "authentication_error",
            "CORS requests must set 'anthropic-dangerous-direct-browser-access' header",
            "CorsRefused",
        ),
        (
            403,
            "permission_error",
            "Your API key does not have permission to use the specified resource.",
            "Forbidden",
        ),
        (404, "not_found_error", "model: claude-9", "UnknownModel"),
        (404, "not_found_error", "Not Found", "WrongAddress"),
        (
            413,
            "request_too_large",
            "Request exceeds the maximum allowed number of bytes.",
            "TooLarge",
        ),
        (500, "api_error", "Internal server error", "Server"),
        (529, "overloaded_error", "Overloaded", "Overloaded"),
    ] {
        check(
            Kind::Anthropic,
            &[(status, None, &body(kind, message), expected)],
        );
    }
    let limited = body(
        "rate_limit_error",
        "This request would exceed your organization's rate limit",
    );
    check(
        Kind::Anthropic,
        &[(429, Some("7"), &limited, "RateLimited for 7000 ms")],
    );
}

#[test]
fn errors_of_gemini_are_told_apart() {
    check(
        Kind::Gemini,
        &[
            (
                400,
                None,
                r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com","metadata":{"service":"generativelanguage.googleapis.com"}}]}}"#,
                "BadKey",
            ),
            (
                403,
                None,
                r#"{"error":{"code":403,"message":"Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.","status":"PERMISSION_DENIED"}}"#,
                "BadKey",
            ),
            (
                400,
                None,
                r#"{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}"#,
                "WrongRequest",
            ),
            (
                404,
                None,
                r#"{"error":{"code":404,"message":"models/gemini-9 is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.","status":"NOT_FOUND"}}"#,
                "UnknownModel",
            ),
            (
                400,
                None,
                r#"{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#,
                "ContextTooLong",
            ),
            (
                400,
                None,
                r#"{"error":{"code":400,"message":"Function calling is not enabled for models/gemma-3-27b-it","status":"INVALID_ARGUMENT"}}"#,
                "WrongRequest without Tools",
            ),
            (
                429,
                None,
                r#"{"error":{"code":429,"message":"You exceeded your current quota. Please retry in 34.07s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}"#,
                "RateLimited for 34000 ms",
            ),
            (
                429,
                None,
                r#"{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"12s"}]}}"#,
                "RateLimited for 12000 ms",
            ),
            (
                503,
                None,
                r#"{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}"#,
                "Overloaded",
            ),
        ],
    );
}

#[test]
fn errors_of_ollama_are_told_apart() {
    check(
        Kind::Ollama,
        &[
            (
                404,
                None,
                r#"{"error":"model \"qwen9\" not found, try pulling it first"}"#,
                "UnknownModel",
            ),
            (
                404,
                None,
                r#"{"error":"model 'qwen9' not found"}"#,
                "UnknownModel",
            ),
            (404, None, "404 page not found", "WrongAddress"),
            (
                400,
                None,
                r#"{"error":"registry.ollama.ai/library/gemma:2b does not support tools"}"#,
                "WrongRequest without Tools",
            ),
            (403, None, "", "CorsRefused"),
            (
                500,
                None,
                r#"{"error":"model requires more system memory (5.6 GiB) than is available (3.1 GiB)"}"#,
                "Server",
            ),
            (401, None, r#"{"error":"unauthorized"}"#, "BadKey"),
            (
                429,
                None,
                r#"{"error":"too many concurrent requests"}"#,
                "RateLimited",
            ),
        ],
    );
}

#[test]
fn a_failed_fetch_is_told_apart_by_what_was_probed() {
    let probe = |reached, online, page_is_secure| Probe {
        reached,
        online,
        page_is_secure,
    };
    let none = Failure::Unreachable(Unreached::NoAnswer);
    for (typed, probe, expected) in [
        (
            "localhost:11434",
            probe(true, true, true),
            Failure::CorsRefused,
        ),
        ("localhost:11434", probe(false, true, true), none.clone()),
        ("localhost:11434", probe(false, false, true), none.clone()),
        (
            "http://192.168.1.5:8000",
            probe(false, true, true),
            Failure::Unreachable(Unreached::Insecure),
        ),
        (
            "http://192.168.1.5:8000",
            probe(false, true, false),
            none.clone(),
        ),
        (
            "https://api.example",
            probe(false, false, true),
            Failure::Unreachable(Unreached::Offline),
        ),
        ("https://api.example", probe(false, true, true), none),
    ] {
        let service = Service::new(Kind::Ollama, typed).unwrap();
        assert_eq!(
            Failure::from_probe(&service, probe),
            expected,
            "{typed} {probe:?}"
        );
    }
}

#[test]
fn every_failure_says_what_happened_and_what_to_do() {
    let message = || "the words".to_owned();
    let failures = [
        Failure::Unreachable(Unreached::NoAnswer),
        Failure::Unreachable(Unreached::Offline),
        Failure::Unreachable(Unreached::Insecure),
        Failure::CorsRefused,
        Failure::BadKey { message: message() },
        Failure::Forbidden { message: message() },
        Failure::UnknownModel { message: message() },
        Failure::WrongAddress { message: message() },
        Failure::WrongRequest {
            message: message(),
            unsupported: None,
        },
        Failure::ContextTooLong { message: message() },
        Failure::TooLarge { message: message() },
        Failure::RateLimited {
            message: message(),
            retry_after_ms: None,
        },
        Failure::OutOfCredit { message: message() },
        Failure::Server {
            status: 500,
            message: message(),
            retry_after_ms: None,
        },
        Failure::Overloaded {
            message: message(),
            retry_after_ms: None,
        },
        Failure::Timeout,
        Failure::CutOff,
        Failure::Stream { message: message() },
        Failure::NotAService { found: message() },
        Failure::Stopped,
    ];
    let mut all_what = std::collections::BTreeSet::new();
    for failure in &failures {
        let what = failure.what();
        assert!(
            what.ends_with('.') || what.ends_with("It said: the words"),
            "{what}"
        );
        assert_eq!(
            failure.said().is_some(),
            what.contains("the words"),
            "{what}"
        );
        assert!(
            all_what.insert(what.clone()),
            "two failures say the same: {what}"
        );
        for kind in Kind::ALL {
            let next = failure.next(&service(kind), "https://footnote.example");
            assert!(next.len() > 10, "{what}: {next}");
        }
    }
    assert_eq!(all_what.len(), failures.len());
}

#[test]
fn a_key_that_a_service_repeats_is_taken_out() {
    let secret = Secret::new("sk-very-secret").unwrap();
    let body = br#"{"error":"no such key: sk-very-secret"}"#;
    let failure = classify(&service(Kind::OpenAi), 401, None, body).without_secret(&secret);
    assert_eq!(failure.said(), Some("no such key: …"));
}

#[test]
fn what_a_service_says_is_kept_short() {
    let body = format!(
        r#"{{"error":"{} \n {}"}}"#,
        "word ".repeat(400),
        "x".repeat(100_000)
    );
    let failure = classify(&service(Kind::OpenAi), 500, None, body.as_bytes());
    let said = failure.said().unwrap();
    assert!(said.chars().count() <= 401, "{}", said.len());
    let body = format!(r#"{{"error":"{}"}}"#, "x".repeat(10_000));
    let failure = classify(&service(Kind::OpenAi), 500, None, body.as_bytes());
    assert!(failure.said().unwrap().chars().count() <= 401);
}
