//! llama.cpp's server, which speaks OpenAI's protocol.

use super::{Kind, Preset, Server};

pub(super) const PRESET: Preset = Preset {
    title: "llama.cpp",
    kind: Kind::OPENAI,
    address: "http://localhost:8080/v1",
};

pub(super) static SERVER: Server = Server {
    port: 8080,
    allow: |any| {
        format!(
            "llama.cpp: its server allows every page unless it was set otherwise; start it with \
             --cors-origins {any}"
        )
    },
    start: "Start llama.cpp's server (llama-server -m MODEL.gguf).",
};
