//! The page's entry point. Everything else is in the library.

fn main() {
    #[cfg(target_arch = "wasm32")]
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(footnote_app::ui::App);
}
