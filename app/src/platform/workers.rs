//! Starts workers that inherit the page's Content-Security-Policy.
//!
//! A worker started from its own address does not inherit the policy; one started from a `blob:`
//! address does. So the body of each worker is a blob that imports the real script. The policy asks for trusted
//! types, so the body first says which addresses a script may have: those of the page's own server.

use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, Url, Worker};

/// The global that tells a worker where the page's files are.
const BASE: &str = "footnoteBase";

/// The global that tells a worker what follows the `?` of the page's address.
const QUERY: &str = "footnoteQuery";

/// The global that tells a worker what it is there for.
const ROLE: &str = "footnoteRole";

/// What a worker is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Engine,
    Encoder,
    CodeModel,
}

impl Role {
    const ALL: [Role; 3] = [Role::Engine, Role::Encoder, Role::CodeModel];

    fn name(self) -> &'static str {
        match self {
            Role::Engine => "engine",
            Role::Encoder => "encoder",
            Role::CodeModel => "code-model",
        }
    }

    /// Its files are `{program}.js` and `{program}_bg.wasm` beside the page.
    fn program(self) -> &'static str {
        match self {
            Role::Engine => "engine",
            Role::Encoder | Role::CodeModel if has_relaxed_simd() => "encoder_relaxed",
            Role::Encoder | Role::CodeModel => "encoder",
        }
    }
}

/// Also in `public/offline.js`. A module of one function that returns `i32x4.relaxed_dot_i8x16_i7x16_add` of three zeros.
const PROBE: [u8; 40] = [
    0, b'a', b's', b'm', 1, 0, 0, 0, // magic and version
    1, 5, 1, 0x60, 0, 1, 0x7b, // types: no parameter, one vector as result
    3, 2, 1, 0, // functions: one of that type
    10, 19, 1, 17, 0, // code: one body of 17 bytes, without locals
    0x41, 0, 0xfd, 15, 0x41, 0, 0xfd, 15, 0x41, 0, 0xfd,
    15, // three times: i32.const 0, i8x16.splat
    0xfd, 0x93, 2, 11, // the instruction, end
];

/// Whether this browser has the relaxed vector instructions, for which the encoder is built a second time: a module
/// that contains one does not load elsewhere.
fn has_relaxed_simd() -> bool {
    let probe = Uint8Array::from(&PROBE[..]);
    js_sys::WebAssembly::validate(&probe).unwrap_or(false)
}

/// What this worker is there for.
pub fn role() -> Role {
    let told = told(ROLE);
    let is_told = |role: &Role| told.as_deref() == Some(role.name());
    Role::ALL.into_iter().find(is_told).unwrap_or(Role::Engine)
}

/// What the starting program left in a global.
fn told(name: &str) -> Option<String> {
    let value = Reflect::get(&js_sys::global(), &JsValue::from_str(name)).ok()?;
    value.as_string()
}

/// What follows the `?` of the page's address; the same in page and workers.
pub fn query() -> String {
    let of_page = || web_sys::window()?.location().search().ok();
    let query = told(QUERY).or_else(of_page).unwrap_or_default();
    query.trim_start_matches('?').to_owned()
}

/// Why a worker could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpawnError {
    #[error("the address of the page is not known")]
    NoBase,
    #[error("the browser did not start a worker: {0}")]
    Refused(String),
}

/// The folder that the page was loaded from, with a final `/`; the same in page and workers.
pub fn base_url() -> Result<String, SpawnError> {
    let base = match told(BASE) {
        Some(base) => base,
        None => web_sys::window()
            .and_then(|window| window.document())
            .and_then(|document| document.base_uri().ok().flatten())
            .ok_or(SpawnError::NoBase)?,
    };
    Ok(folder_of(&base).to_owned())
}

/// An address up to its last `/` before query and fragment.
fn folder_of(address: &str) -> &str {
    let path_end = address.find(['?', '#']).unwrap_or(address.len());
    let path = address.get(..path_end).unwrap_or(address);
    path.rfind('/')
        .and_then(|at| path.get(..=at))
        .unwrap_or(path)
}

/// Starts a worker.
///
/// Traps inside asynchronous code would only be reported inside the worker; they are thrown again so
/// that the owner's `error` handler hears them.
pub fn spawn(role: Role) -> Result<Worker, SpawnError> {
    let refused = |error: JsValue| SpawnError::Refused(describe(&error));
    let base = base_url()?;
    let body = bootstrap(&base, &query(), role);
    let options = BlobPropertyBag::new();
    options.set_type("text/javascript");
    let parts = Array::of1(&JsValue::from_str(&body));
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options).map_err(refused)?;
    let address = Url::create_object_url_with_blob(&blob).map_err(refused)?;
    let worker = Worker::new(&address).map_err(refused)?;
    // The address is not revoked: the worker may fetch it after this function has returned.
    Ok(worker)
}

fn bootstrap(base: &str, query: &str, role: Role) -> String {
    let program = role.program();
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    format!(
        "self.{BASE} = {};\n\
         self.{QUERY} = {};\n\
         self.{ROLE} = {};\n\
         self.trustedTypes?.createPolicy('default', {{\n\
             createScriptURL: address => new URL(address).origin === self.origin ? address : null,\n\
         }});\n\
         self.addEventListener('unhandledrejection', event => setTimeout(() => {{ throw event.reason; }}));\n\
         importScripts({});\n\
         wasm_bindgen({{ module_or_path: {} }});\n",
        quoted(base),
        quoted(query),
        quoted(role.name()),
        quoted(&format!("{base}{program}.js")),
        quoted(&format!("{base}{program}_bg.wasm")),
    )
}

/// The message of a thrown value.
pub fn describe(error: &JsValue) -> String {
    if let Some(text) = error.as_string() {
        return text;
    }
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => Reflect::get(error, &JsValue::from_str("message"))
            .ok()
            .and_then(|message| message.as_string())
            .unwrap_or_else(|| "unknown error".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_for_offline_use_is_chosen_by_the_same_module() {
        let script = include_str!("../../../public/offline.js").replace(char::is_whitespace, "");
        let bytes = PROBE.map(|byte| byte.to_string()).join(",");
        assert!(
            script.contains(&format!("newUint8Array([{bytes},])")),
            "{bytes}"
        );
    }

    #[test]
    fn the_folder_ends_at_the_last_slash_of_the_path() {
        for (address, folder) in [
            ("http://localhost:8080/", "http://localhost:8080/"),
            ("http://localhost:8080/index.html", "http://localhost:8080/"),
            ("https://a.example/x/y.html?q=/z#/w", "https://a.example/x/"),
        ] {
            assert_eq!(folder_of(address), folder);
        }
    }

    #[test]
    fn names_in_the_bootstrap_are_quoted() {
        let body = bootstrap("http://a/\"b/", "c", Role::Engine);
        assert!(
            body.contains(r#"importScripts("http://a/\"b/engine.js")"#),
            "{body}"
        );
    }
}
