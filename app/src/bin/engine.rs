//! The engine worker: owns the open repository and answers the page. The same program is the
//! workers that parse beside it.

fn main() {
    #[cfg(target_arch = "wasm32")]
    {
        use footnote_app::platform::workers::{Role, role};
        console_error_panic_hook::set_once();
        match role() {
            Role::Parser => footnote_app::worker::parser::run(),
            _ => footnote_app::worker::serve::run(),
        }
    }
}
