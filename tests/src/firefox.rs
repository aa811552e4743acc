//! A fresh headless Firefox on a served folder, driven through WebDriver BiDi: one WebSocket, no
//! driver program between. It waits for conditions, as [`crate::browser`] does in Chromium.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};
use xtask::server::StaticServer;

use crate::browser::PATIENCE;
use crate::process::Owned;

/// Time between two looks at a condition.
const WAIT: Duration = Duration::from_millis(150);

/// What Firefox prints before the address to connect to.
const LISTENING: &str = "WebDriver BiDi listening on ";

/// Settings of the profile: nothing is asked of the network but the page.
const PREFERENCES: &str = r#"
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,");
user_pref("toolkit.telemetry.enabled", false);
"#;

/// A page in a Firefox of its own, with an empty profile. Dropping it ends everything.
pub struct Firefox {
    socket: WebSocket<TcpStream>,
    /// The tab.
    context: String,
    last_id: u64,
    server: StaticServer,
    _process: Owned,
    _profile: TempDir,
}

impl Firefox {
    /// Serves `folder` and opens `path` below its address.
    pub fn open(folder: PathBuf, path: &str) -> Self {
        let server = StaticServer::start(folder, 0).expect("a free port");
        let profile = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(profile.path().join("user.js"), PREFERENCES).expect("preferences");
        let (process, address) = start(profile.path());
        let stream = TcpStream::connect(address.trim_start_matches("ws://")).expect("Firefox");
        let (socket, _) = tungstenite::client(format!("{address}/session"), stream)
            .expect("a WebSocket to Firefox");
        let mut firefox = Self {
            socket,
            context: String::new(),
            last_id: 0,
            server,
            _process: process,
            _profile: profile,
        };
        firefox.call("session.new", &json!({ "capabilities": {} }));
        let tree = firefox.call("browsingContext.getTree", &json!({}));
        let context = tree["contexts"][0]["context"].as_str();
        firefox.context = context.expect("a tab").to_owned();
        let size =
            json!({ "context": firefox.context, "viewport": { "width": 1280, "height": 860 } });
        firefox.call("browsingContext.setViewport", &size);
        let url = format!("{}{path}", firefox.server.url());
        firefox.call(
            "browsingContext.navigate",
            &json!({ "context": firefox.context, "url": url, "wait": "none" }),
        );
        firefox
    }

    /// Sends a command and waits for its result; events are passed over.
    fn call(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let command = json!({ "id": id, "method": method, "params": params });
        let sent = self.socket.send(Message::text(command.to_string()));
        sent.expect("Firefox hears");
        loop {
            let message = self.socket.read().expect("Firefox answers");
            let Message::Text(text) = message else {
                continue;
            };
            let answer: Value = serde_json::from_str(&text).expect("JSON");
            if answer["id"] == id {
                assert!(answer["type"] == "success", "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// Runs the body of a function and returns its value, which must be JSON.
    pub fn script(&mut self, body: &str) -> Value {
        let declared =
            format!("async () => JSON.stringify(await (async () => {{ {body} }})() ?? null)");
        let params = json!({
            "functionDeclaration": declared,
            "awaitPromise": true,
            "target": { "context": self.context },
        });
        let result = self.call("script.callFunction", &params);
        match result["result"]["value"].as_str() {
            Some(text) => serde_json::from_str(text).expect("JSON"),
            None => panic!("{body}\n{result}"),
        }
    }

    /// Waits until the body of a function returns something other than null and false.
    pub fn wait_for(&mut self, what: &str, body: &str) -> Value {
        let start = Instant::now();
        loop {
            let value = self.script(body);
            if !matches!(value, Value::Null | Value::Bool(false)) {
                return value;
            }
            if start.elapsed() > PATIENCE {
                let text = self.script("return document.body?.innerText ?? ''");
                panic!("waited in vain for {what}; the page says:\n{text}");
            }
            std::thread::sleep(WAIT);
        }
    }

    /// Gives a file to the first element that matches, as a person would through the dialog.
    pub fn choose_file(&mut self, css: &str, path: &Path) {
        let found = self.call(
            "browsingContext.locateNodes",
            &json!({ "context": self.context, "locator": { "type": "css", "value": css } }),
        );
        let element = json!({ "sharedId": found["nodes"][0]["sharedId"] });
        let params = json!({ "context": self.context, "element": element, "files": [path] });
        self.call("input.setFiles", &params);
    }

    /// Presses and releases keys, one for each character.
    pub fn press(&mut self, keys: &str) {
        let of = |kind: &str, key: char| json!({ "type": kind, "value": key.to_string() });
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| [of("keyDown", key), of("keyUp", key)])
            .collect();
        let source = json!({ "type": "key", "id": "keyboard", "actions": actions });
        let params = json!({ "context": self.context, "actions": [source] });
        self.call("input.performActions", &params);
    }

    /// Loads the page again.
    pub fn reload(&mut self) {
        let params = json!({ "context": self.context, "wait": "none" });
        self.call("browsingContext.reload", &params);
    }
}

/// Starts Firefox and returns the address that it listens on.
fn start(profile: &Path) -> (Owned, String) {
    let mut child = Command::new("firefox-esr")
        .args(["--headless", "--no-remote", "--remote-debugging-port", "0"])
        .arg("--profile")
        .arg(profile)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("firefox-esr (cargo xtask test installs it)");
    let said = child.stderr.take().expect("Firefox's messages");
    let process = Owned(child);
    let mut lines = BufReader::new(said).lines().map_while(Result::ok);
    let address = lines
        .find_map(|line| line.strip_prefix(LISTENING).map(str::to_owned))
        .expect("Firefox says where it listens");
    // A full pipe would block it.
    std::thread::spawn(move || lines.for_each(drop));
    (process, address)
}
