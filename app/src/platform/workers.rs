//! Starts workers that inherit the page's Content-Security-Policy.
//!
//! A worker started from its own address does not inherit the policy; one started from a `blob:`
//! address does. So the body of each worker is a blob that imports the real script. The policy
//! requires trusted types, so the body first declares which script addresses are allowed: those of
//! the page's own server.

use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, MessageEvent, Url, Worker};

use super::simd;

/// The global that holds the address of the page's files in a worker.
const BASE: &str = "footnoteBase";

/// The global that holds the part after the `?` of the page's address in a worker.
const QUERY: &str = "footnoteQuery";

/// The global that holds a worker's role.
const ROLE: &str = "footnoteRole";

/// What a worker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Engine,
    Encoder,
    CodeModel,
    /// Parses files beside the engine.
    Parser,
}

impl Role {
    const ALL: [Role; 4] = [Role::Engine, Role::Encoder, Role::CodeModel, Role::Parser];

    fn name(self) -> &'static str {
        match self {
            Role::Engine => "engine",
            Role::Encoder => "encoder",
            Role::CodeModel => "code-model",
            Role::Parser => "parser",
        }
    }

    /// Its files are `{program}.js` and `{program}_bg.wasm` beside the page.
    fn program(self) -> &'static str {
        match self {
            Role::Engine | Role::Parser => "engine",
            Role::Encoder | Role::CodeModel if simd::is_relaxed_faster() => "encoder_relaxed",
            Role::Encoder | Role::CodeModel => "encoder",
        }
    }
}

/// This worker's role.
pub fn role() -> Role {
    let told = told(ROLE);
    let is_named = |role: &Role| told.as_deref() == Some(role.name());
    Role::ALL.into_iter().find(is_named).unwrap_or(Role::Engine)
}

/// Reads a global that the program which started this worker has set.
fn told(name: &str) -> Option<String> {
    let value = Reflect::get(&js_sys::global(), &JsValue::from_str(name)).ok()?;
    value.as_string()
}

/// Returns the part after the `?` of the page's address; the same in the page and in workers.
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

/// Returns the folder that the page was loaded from, with a final `/`; the same in the page and in
/// workers.
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

/// Cuts an address after the last `/` before its query and fragment.
fn folder_of(address: &str) -> &str {
    let path_end = address.find(['?', '#']).unwrap_or(address.len());
    let path = address.get(..path_end).unwrap_or(address);
    path.rfind('/')
        .and_then(|at| path.get(..=at))
        .unwrap_or(path)
}

/// Starts a worker.
///
/// Traps in asynchronous code would be reported only inside the worker; they are rethrown so that
/// the owner's `error` handler receives them.
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

/// A worker with listeners. Dropping it terminates the worker, and its listeners are not called any
/// more.
pub struct Listened {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(web_sys::Event)>,
}

impl Listened {
    /// Starts a worker. `hear` receives each of its messages, and `fail` each error, in the worker
    /// or on the way.
    pub fn start(
        role: Role,
        mut hear: impl FnMut(&Worker, JsValue) + 'static,
        mut fail: impl FnMut(String) + 'static,
    ) -> Result<Self, SpawnError> {
        let worker = spawn(role)?;
        let listener = worker.clone();
        let on_message = Closure::new(move |message: MessageEvent| hear(&listener, message.data()));
        let on_error = Closure::new(move |event: web_sys::Event| {
            // Without this, it would count as an error of the worker's owner as well.
            event.prevent_default();
            fail(describe(&event));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Self {
            worker,
            _on_message: on_message,
            _on_error: on_error,
        })
    }

    /// The worker, to send messages to.
    pub fn worker(&self) -> &Worker {
        &self.worker
    }
}

impl Drop for Listened {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

fn bootstrap(base: &str, query: &str, role: Role) -> String {
    let program = role.program();
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let start = match role {
        // Its owner runs the same program and sends it the compiled module.
        Role::Parser => "self.onmessage = event => {
             self.onmessage = null;
             wasm_bindgen({ module_or_path: event.data });
         };"
        .to_owned(),
        _ => {
            let program = quoted(&format!("{base}{program}_bg.wasm"));
            format!("wasm_bindgen({{ module_or_path: {program} }});")
        }
    };
    format!(
        "self.{BASE} = {};\n\
         self.{QUERY} = {};\n\
         self.{ROLE} = {};\n\
         self.trustedTypes?.createPolicy('default', {{\n\
             createScriptURL: address => new URL(address).origin === self.origin ? address : null,\n\
         }});\n\
         self.addEventListener('unhandledrejection', event => setTimeout(() => {{ throw event.reason; }}));\n\
         importScripts({});\n\
         {start}\n",
        quoted(base),
        quoted(query),
        quoted(role.name()),
        quoted(&format!("{base}{program}.js")),
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
