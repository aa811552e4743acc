//! The engine worker: owns the open repository and answers the page.

fn main() {
    #[cfg(target_arch = "wasm32")]
    {
        console_error_panic_hook::set_once();
        footnote_app::worker::serve::run();
    }
}
