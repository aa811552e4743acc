//! The page itself: its address, and loading it anew.

use js_sys::{decode_uri_component, encode_uri_component};

/// Loads the page anew, so that it starts with another policy.
pub fn reload() {
    if let Some(window) = web_sys::window() {
        // A page that cannot be reloaded stays as it is, which is the stricter of the two.
        let _ = window.location().reload();
    }
}

/// The page's address with named values behind its `#`, which no server is sent.
pub fn link(values: &[(String, String)]) -> String {
    let location = web_sys::window().map(|window| window.location());
    let part = |read: fn(&web_sys::Location) -> Result<String, wasm_bindgen::JsValue>| {
        let value = location.as_ref().and_then(|location| read(location).ok());
        value.unwrap_or_default()
    };
    let encoded = |text: &str| String::from(encode_uri_component(text));
    let values = values.iter();
    let values: Vec<String> = values
        .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)))
        .collect();
    let (origin, path) = (
        part(web_sys::Location::origin),
        part(web_sys::Location::pathname),
    );
    format!("{origin}{path}#{}", values.join("&"))
}

/// The named values behind the `#` of the page's address; what is none is left out.
pub fn linked() -> Vec<(String, String)> {
    let location = web_sys::window().map(|window| window.location());
    let hash = location.and_then(|location| location.hash().ok());
    let hash = hash.unwrap_or_default();
    let decoded = |text: &str| decode_uri_component(text).ok().map(String::from);
    let values = hash.trim_start_matches('#').split('&');
    let values = values.filter_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        Some((decoded(name)?, decoded(value)?))
    });
    values.collect()
}
