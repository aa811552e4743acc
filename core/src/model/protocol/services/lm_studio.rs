//! LM Studio's server, which speaks OpenAI's protocol.

use super::{Kind, Preset, Server};

pub(super) const PRESET: Preset = Preset {
    title: "LM Studio",
    kind: Kind::OPENAI,
    address: "http://localhost:1234/v1",
};

pub(super) static SERVER: Server = Server {
    port: 1234,
    allow: |_| {
        "LM Studio: switch on “Enable CORS” under Developer, Server Settings, or run: lms server start --cors"
            .to_owned()
    },
    start: "Start LM Studio's server (Developer, Start Server, or: lms server start).",
};
