//! An encoder worker: turns texts into vectors for the engine.

fn main() {
    #[cfg(target_arch = "wasm32")]
    {
        console_error_panic_hook::set_once();
        footnote_app::worker::encoder::run();
    }
}
