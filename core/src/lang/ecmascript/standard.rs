//! The modules that are part of Node.js.

const MODULES: &str = "assert async_hooks buffer child_process cluster console constants crypto dgram \
    diagnostics_channel dns domain events fs http http2 https inspector module net os path \
    perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls \
    trace_events tty url util v8 vm wasi worker_threads zlib";

/// Whether the module is part of Node.js: `fs`, `node:fs` and `fs/promises` are.
pub(super) fn is_standard(module: &str) -> bool {
    let top = module.split('/').next().unwrap_or_default();
    module.starts_with("node:") || MODULES.split(' ').any(|known| known == top)
}
