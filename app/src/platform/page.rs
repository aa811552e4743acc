//! The page itself: its address, its title, and reloading it.

use js_sys::{decode_uri_component, encode_uri_component};

/// The page's own name, as `index.html` has it.
const NAME: &str = "Footnote";

/// Reloads the page, so that it starts with another policy.
pub fn reload() {
    if let Some(window) = web_sys::window() {
        // If reloading fails, the page keeps its current policy, which is the stricter one.
        let _ = window.location().reload();
    }
}

/// Leaves for another page of this host, so that "back" does not lead here.
pub fn leave_for(path: &str) {
    if let Some(window) = web_sys::window() {
        // If this fails, the page stays open; a reload shows what is left.
        let _ = window.location().replace(path);
    }
}

/// Names what the page shows in the browser's tab; empty for the page's own name alone.
pub fn set_title(about: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    if let Some(document) = document {
        let title = match about {
            "" => NAME.to_owned(),
            about => format!("{about} – {NAME}"),
        };
        document.set_title(&title);
    }
}

/// Returns the page's address with named values after its `#`, a part that is never sent to a
/// server.
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

/// What the page's address and its own HTML say about index files beside the page.
pub struct Beside {
    /// The one to open: the value of `index` after the `?`.
    pub index: Option<String>,
    /// Whether to look for their list.
    pub lists: bool,
}

/// Returns what is wanted of the index files beside the page. A site that has some says so in a
/// `<meta name="footnote-indexes">`, or links to the page with `?index`; `?index=NAME` opens one.
pub fn beside() -> Beside {
    let query = super::workers::query();
    let named = pairs(&query).find(|(name, _)| name == "index");
    let document = web_sys::window().and_then(|window| window.document());
    let meta = document.and_then(|document| {
        let found = document.query_selector("meta[name=footnote-indexes]");
        found.ok().flatten()
    });
    let is_named = named.is_some();
    let index = named
        .and_then(|(_, value)| value)
        .filter(|it| !it.is_empty());
    Beside {
        lists: meta.is_some() || is_named && index.is_none(),
        index,
    }
}

/// Returns the named values after the `#` of the page's address, skipping malformed ones.
pub fn linked() -> Vec<(String, String)> {
    let location = web_sys::window().map(|window| window.location());
    let hash = location.and_then(|location| location.hash().ok());
    let hash = hash.unwrap_or_default();
    let values = pairs(hash.trim_start_matches('#'));
    values
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

/// The names and values of `a=b&c`, skipping malformed ones; `c` has no value.
fn pairs(text: &str) -> impl Iterator<Item = (String, Option<String>)> + '_ {
    let decoded = |text: &str| decode_uri_component(text).ok().map(String::from);
    text.split('&')
        .filter_map(move |pair| match pair.split_once('=') {
            Some((name, value)) => Some((decoded(name)?, Some(decoded(value)?))),
            None => Some((decoded(pair)?, None)),
        })
}
