//! A worker that runs a model: an encoder that turns texts into vectors, or the language model that
//! reads code. One program, because both need the same runtime, which is most of it.

fn main() {
    #[cfg(target_arch = "wasm32")]
    {
        use footnote_app::platform::workers::{Role, role};
        console_error_panic_hook::set_once();
        match role() {
            Role::CodeModel => footnote_app::worker::code_model::run(),
            _ => footnote_app::worker::encoder::run(),
        }
    }
}
