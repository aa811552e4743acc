//! vLLM, which speaks OpenAI's protocol. The form does not offer it by name, because its users know
//! their address.

use super::Server;

pub(super) static SERVER: Server = Server {
    port: 8000,
    allow: |any| format!("vLLM: start it with --allowed-origins '[\"{any}\"]'"),
    start: "Start vLLM (vllm serve MODEL).",
};
