use serde_json::{Value, json};

use super::*;

/// A chat that uses everything: instructions, history, a call with its result, tools.
fn chat() -> Chat {
    let mut chat = Chat::new("m", "Cite.");
    let mut call = ToolCall::new("id_1", "search", r#"{"query":"retry"}"#);
    call.signature = Some("sig".to_owned());
    chat.messages = vec![
        Message::User("Where?".to_owned()),
        Message::Assistant {
            text: String::new(),
            calls: vec![call],
        },
        Message::ToolResult {
            id: "id_1".to_owned(),
            name: "search".to_owned(),
            text: "a.rs".to_owned(),
        },
        Message::User("And then?".to_owned()),
    ];
    chat.tools = vec![Tool {
        name: "search",
        description: "Searches.",
        parameters: json!({"type": "object", "properties": {"query": {"type": "string"}}}),
    }];
    chat
}

fn body(service: &Service, chat: &Chat) -> Value {
    let request = chat_request(service, None, chat);
    serde_json::from_str(&request.body.unwrap()).unwrap()
}

#[test]
fn openai_is_asked_as_documented() {
    let service = Service::new(Kind::OPENAI, "http://localhost:1234").unwrap();
    let parameters = &chat().tools[0].parameters;
    let expected = json!({
        "model": "m",
        "stream": true,
        "stream_options": {"include_usage": true},
        "max_tokens": 1024,
        "temperature": 0.2,
        "top_p": 0.9,
        "messages": [
            {"role": "system", "content": "Cite."},
            {"role": "user", "content": "Where?"},
            {"role": "assistant", "content": "", "tool_calls": [{
                "id": "id_1", "type": "function",
                "function": {"name": "search", "arguments": "{\"query\":\"retry\"}"},
            }]},
            {"role": "tool", "tool_call_id": "id_1", "content": "a.rs"},
            {"role": "user", "content": "And then?"},
        ],
        "tools": [{"type": "function", "function": {
            "name": "search", "description": "Searches.", "parameters": parameters,
        }}],
    });
    assert_eq!(body(&service, &chat()), expected);
    let url = chat_request(&service, None, &chat()).url;
    assert_eq!(url, "http://localhost:1234/v1/chat/completions");
}

#[test]
fn anthropic_is_asked_as_documented() {
    let service = service(Kind::ANTHROPIC);
    let parameters = &chat().tools[0].parameters;
    let expected = json!({
        "model": "m",
        "stream": true,
        "max_tokens": 1024,
        "temperature": 0.2,
        "system": "Cite.",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Where?"}]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "id_1", "name": "search", "input": {"query": "retry"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "id_1", "content": "a.rs"},
                {"type": "text", "text": "And then?"},
            ]},
        ],
        "tools": [{"name": "search", "description": "Searches.", "input_schema": parameters}],
    });
    assert_eq!(body(&service, &chat()), expected);
    let request = chat_request(&service, None, &chat());
    assert_eq!(request.url, "https://api.anthropic.com/v1/messages");
    let header = |name: &str| {
        let found = request.headers.iter().find(|header| header.name == name);
        found.map(|header| header.value.as_str())
    };
    assert_eq!(header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(
        header("anthropic-dangerous-direct-browser-access"),
        Some("true")
    );
    assert_eq!(header("content-type"), Some("application/json"));
}

#[test]
fn gemini_is_asked_as_documented() {
    let service = service(Kind::GEMINI);
    let parameters = &chat().tools[0].parameters;
    let expected = json!({
        "systemInstruction": {"parts": [{"text": "Cite."}]},
        "generationConfig": {"maxOutputTokens": 1024, "temperature": 0.2, "topP": 0.9},
        "contents": [
            {"role": "user", "parts": [{"text": "Where?"}]},
            {"role": "model", "parts": [{
                "functionCall": {"id": "id_1", "name": "search", "args": {"query": "retry"}},
                "thoughtSignature": "sig",
            }]},
            {"role": "user", "parts": [
                {"functionResponse": {
                    "id": "id_1", "name": "search", "response": {"output": "a.rs"},
                }},
                {"text": "And then?"},
            ]},
        ],
        "tools": [{"functionDeclarations": [
            {"name": "search", "description": "Searches.", "parameters": parameters},
        ]}],
    });
    assert_eq!(body(&service, &chat()), expected);
    let mut chat = chat();
    chat.model = "models/gemini-2.5-flash?key=x".to_owned();
    assert_eq!(
        chat_request(&service, None, &chat).url,
        "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash%3Fkey%3Dx:streamGenerateContent?alt=sse"
    );
}

#[test]
fn ollama_is_asked_as_documented() {
    let service = service(Kind::OLLAMA);
    let parameters = &chat().tools[0].parameters;
    let mut chat = chat();
    chat.window = Some(16_384);
    let expected = json!({
        "model": "m",
        "stream": true,
        "options": {"num_predict": 1024, "num_ctx": 16_384, "temperature": 0.2, "top_p": 0.9},
        "messages": [
            {"role": "system", "content": "Cite."},
            {"role": "user", "content": "Where?"},
            {"role": "assistant", "content": "", "tool_calls": [
                {"function": {"name": "search", "arguments": {"query": "retry"}}},
            ]},
            {"role": "tool", "tool_name": "search", "content": "a.rs"},
            {"role": "user", "content": "And then?"},
        ],
        "tools": [{"type": "function", "function": {
            "name": "search", "description": "Searches.", "parameters": parameters,
        }}],
    });
    assert_eq!(body(&service, &chat), expected);
    assert_eq!(
        chat_request(&service, None, &chat).url,
        "http://localhost:11434/api/chat"
    );
}

#[test]
fn a_key_is_in_one_secret_header_and_nowhere_else() {
    let secret = Secret::new("sk-very-secret").unwrap();
    for (kind, name, value) in [
        (Kind::OPENAI, "authorization", "Bearer sk-very-secret"),
        (Kind::ANTHROPIC, "x-api-key", "sk-very-secret"),
        (Kind::GEMINI, "x-goog-api-key", "sk-very-secret"),
        (Kind::OLLAMA, "authorization", "Bearer sk-very-secret"),
    ] {
        let service = service(kind);
        for request in [
            chat_request(&service, Some(&secret), &chat()),
            models_request(&service, Some(&secret)),
        ] {
            let secrets: Vec<_> = request
                .headers
                .iter()
                .filter(|header| header.secret)
                .collect();
            assert_eq!(secrets.len(), 1, "{kind:?}");
            assert_eq!((secrets[0].name, secrets[0].value.as_str()), (name, value));
            assert!(!request.url.contains("secret"), "{}", request.url);
            assert!(!format!("{request:?}").contains("sk-very-secret"));
            let shown = request.redacted();
            assert!(
                shown
                    .headers
                    .iter()
                    .all(|header| !header.value.contains("secret"))
            );
            assert_eq!((shown.url, shown.body), (request.url, request.body));
        }
        let without = chat_request(&service, None, &chat());
        assert!(
            without.headers.iter().all(|header| !header.secret),
            "{kind:?}"
        );
    }
}

#[test]
fn options_that_a_model_refuses_are_left_out_one_by_one_and_once() {
    let service = service(Kind::OPENAI);
    let refuse = |param: &str, code: &str, message: &str| {
        let error = json!({"error": {
            "message": message, "type": "invalid_request_error", "param": param, "code": code,
        }});
        classify(&service, 400, None, error.to_string().as_bytes())
    };
    let keys = |chat: &Chat| {
        let body = body(&service, chat);
        let has = |name: &str| body.get(name).is_some();
        [
            "max_tokens",
            "max_completion_tokens",
            "temperature",
            "top_p",
        ]
        .map(has)
    };
    let first = chat();
    assert_eq!(
        keys(&first),
        [false, true, true, true],
        "OpenAI's newer name is first"
    );
    let temperature = refuse(
        "temperature",
        "unsupported_value",
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    );
    let second = first.instead(&temperature).unwrap();
    assert_eq!(keys(&second), [false, true, false, true]);
    assert_eq!(
        second.instead(&temperature),
        None,
        "the second refusal ends it"
    );
    let top_p = refuse(
        "top_p",
        "unsupported_parameter",
        "Unsupported parameter: 'top_p'",
    );
    let third = second.instead(&top_p).unwrap();
    assert_eq!(keys(&third), [false, true, false, false]);
}

#[test]
fn a_server_that_wants_the_newer_limit_gets_it() {
    let service = Service::new(Kind::OPENAI, "https://gateway.example").unwrap();
    let error = br#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}"#;
    let failure = classify(&service, 400, None, error);
    let chat = chat().instead(&failure).unwrap();
    let body = body(&service, &chat);
    assert_eq!(body.get("max_tokens"), None);
    assert_eq!(body.get("max_completion_tokens"), Some(&json!(1024)));
    let neither = chat.without(ChatOption::MaxCompletionTokens).unwrap();
    let (_, body) = (service.kind.spec().chat)(&service, &neither);
    assert_eq!(
        body.get("max_completion_tokens").or(body.get("max_tokens")),
        None
    );
}

#[test]
fn malformed_arguments_of_a_call_are_sent_back_as_none() {
    let mut chat = chat();
    let call = ToolCall::new("id_1", "search", "{\"que");
    chat.messages[1] = Message::Assistant {
        text: String::new(),
        calls: vec![call],
    };
    let body = body(&service(Kind::OPENAI), &chat);
    let arguments = body.pointer("/messages/2/tool_calls/0/function/arguments");
    assert_eq!(arguments, Some(&json!("{}")));
}

/// What differs in a body that uses Grounded's sampling parameters.
fn sampled(service: &Service) -> Value {
    let mut chat = chat();
    let plain = body(service, &chat);
    chat.sampling = Sampling {
        top_k: Some(40),
        repetition_penalty: Some(1.1),
        stop: vec!["END".to_owned()],
        ..Sampling::default()
    };
    let (mut added, nested) = (serde_json::Map::new(), ["options", "generationConfig"]);
    let sampled = body(service, &chat);
    for (name, value) in sampled.as_object().unwrap() {
        match (plain.get(name), nested.contains(&name.as_str())) {
            (None, _) => drop(added.insert(name.clone(), value.clone())),
            (Some(before), true) => {
                let new = value.as_object().unwrap().iter();
                let new = new.filter(|(name, _)| before.get(name.as_str()).is_none());
                added.extend(new.map(|(name, value)| (name.clone(), value.clone())));
            }
            (Some(before), false) => assert_eq!(value, before, "{name}"),
        }
    }
    Value::Object(added)
}

#[test]
fn sampling_goes_to_each_service_under_the_names_that_it_knows() {
    let local = Service::new(Kind::OPENAI, "http://localhost:1234").unwrap();
    let expected =
        json!({"top_k": 40, "repeat_penalty": 1.1, "repetition_penalty": 1.1, "stop": ["END"]});
    assert_eq!(sampled(&local), expected);
    for (kind, expected) in [
        (Kind::OPENAI, json!({"stop": ["END"]})),
        (
            Kind::ANTHROPIC,
            json!({"top_k": 40, "stop_sequences": ["END"]}),
        ),
        (Kind::GEMINI, json!({"topK": 40, "stopSequences": ["END"]})),
        (
            Kind::OLLAMA,
            json!({"top_k": 40, "repeat_penalty": 1.1, "stop": ["END"]}),
        ),
    ] {
        assert_eq!(sampled(&service(kind)), expected, "{kind:?}");
    }
}

#[test]
fn sampling_that_a_service_refuses_is_left_out_the_next_time() {
    let local = Service::new(Kind::OPENAI, "http://localhost:1234").unwrap();
    let mut chat = chat();
    chat.sampling.top_k = Some(40);
    chat.sampling.stop = vec!["END".to_owned()];
    for (message, name) in [
        ("Unrecognized request argument supplied: top_k", "top_k"),
        (
            "Unsupported parameter: 'stop' is not supported with this model.",
            "stop",
        ),
    ] {
        let error =
            json!({"error": {"message": message, "param": name, "type": "invalid_request_error"}});
        let failure = classify(&local, 400, None, error.to_string().as_bytes());
        assert!(body(&local, &chat).get(name).is_some());
        chat = chat.instead(&failure).unwrap();
        assert_eq!(body(&local, &chat).get(name), None);
    }
}

#[test]
fn an_answer_is_limited_to_choices_as_each_service_does_it_until_one_refuses() {
    let mut chat = Chat::new("m", "Choose.");
    chat.choices = vec!["a.py".to_owned(), "b.py".to_owned()];
    let list = json!({"type": "array", "items": {"type": "string", "enum": ["a.py", "b.py"]}});
    let object = json!({
        "type": "object",
        "properties": {"files": list},
        "required": ["files"],
        "additionalProperties": false,
    });
    for (kind, at, expected) in [
        (Kind::OPENAI, "/response_format/json_schema/schema", &object),
        (Kind::ANTHROPIC, "/output_config/format/schema", &object),
        (Kind::GEMINI, "/generationConfig/responseSchema", &list),
        (Kind::OLLAMA, "/format", &list),
    ] {
        let limited = body(&service(kind), &chat);
        assert_eq!(limited.pointer(at), Some(expected), "{kind:?}: {limited}");
        let free = chat.without(ChatOption::Choices).unwrap();
        let free = body(&service(kind), &free);
        assert!(!free.to_string().contains("enum"), "{kind:?}: {free}");
    }
}
